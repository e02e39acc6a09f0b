import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from journald.ledger.paths import Paths

PARTS = st.lists(st.sampled_from(["a", "B", "..", ".", "src"]), min_size=1, max_size=5)
ROOTS = st.sampled_from(["/", "/d/", "/mnt/d/", "D:\\", "d:/", "", "/private/var/", "/var/"])


def paths(*named: str, folder: str = "/home/ada/shop") -> Paths:
    return Paths((folder,), named)


@pytest.mark.parametrize(
    ("path", "folder", "rest"),
    [
        ("/home/ada/shop/src/a.py", "/home/ada/shop", "src/a.py"),
        ("/home/ada/shop/a.py", "/home/ada/shop/", "a.py"),
        ("/home/ada/shop/a.py", "/", "home/ada/shop/a.py"),
        ("/home/ada/shopping/a.py", "/home/ada/shop", None),
        ("/home/ada/shop", "/home/ada/shop", None),
    ],
)
def test_a_file_lies_within_a_folder_or_not(path: str, folder: str, rest: str | None) -> None:
    assert paths().within(path, folder) == rest


def test_the_name_below_a_folder_keeps_its_letters() -> None:
    windows = paths(folder="D:\\Shop")
    assert windows.within("D:\\Shop\\Src\\A.py", "/d/shop") == "Src/A.py"


def test_a_relative_name_is_certain_only_where_the_folder_is_known() -> None:
    assert paths().certain("a.py", None) is None
    assert paths().certain("a.py", "web") is None
    assert paths().certain("../a.py", "/home/ada/web") == "/home/ada/a.py"


@settings(max_examples=150)
@given(ROOTS, PARTS, st.booleans())
def test_a_path_that_was_folded_stays_as_it_is(root: str, parts: list[str], first: bool) -> None:
    path = root + "/".join(parts)
    folder = "D:\\shop" if "D" in root or "d" in root else "/home/ada/shop"
    folded = paths(*([path] if first else []), folder=folder)
    whole = folded.whole(path)
    assert folded.whole(whole) == whole
    assert folded.same(whole, folded.whole(path))
