import pytest

from journald.ledger.folders import walk
from journald.ledger.paths import Paths
from journald.ledger.shell import split

PATHS = Paths(("/w",), ())


@pytest.mark.parametrize(
    ("command", "folders"),
    [
        ("ls", ["/w"]),
        ("cd web && ls; cd ..; ls", ["/w/web", "/w/web", "/w", "/w"]),
        ("(cd web && ls) && ls", ["/w/web", "/w/web", "/w"]),
        ("(cd web; (cd src; ls); ls); ls", ["/w/web"] + ["/w/web/src"] * 2 + ["/w/web", "/w"]),
        ("(cd web) && (ls)", ["/w/web", "/w"]),
        ("{ cd web && ls; } && ls", ["/w/web"] * 3),
        ("bash -c 'cd web && ls' && ls", ["/w/web", "/w/web", "/w"]),
        ("bash -c 'cd web' && (cd src && ls)", ["/w/web", "/w/src", "/w/src"]),
        ("cd $HOME && ls", [None, None]),
        ("cd $HOME; cd /x", [None, "/x"]),
        ("pushd web; popd; ls", ["/w/web", None, None]),
    ],
)
def test_what_a_subshell_enters_it_leaves_at_its_end(
    command: str, folders: list[str | None]
) -> None:
    assert [folder for _, folder in walk(split(command), "/w", PATHS)] == folders
