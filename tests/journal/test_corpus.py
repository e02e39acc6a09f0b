from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml
from markdown_it import MarkdownIt

from journald.config import Journal
from journald.digest.redact import Redactor
from journald.journal.document import front_of
from journald.journal.entry import Entry, build_entry
from journald.journal.notebook import Notebook, Outcome
from journald.ledger.ledger import build_ledger
from journald.summary.pipeline import without_model
from journald.transcript.discovery import find_transcripts
from journald.transcript.reader import read_session
from tests.journal.entries import BERLIN

pytestmark = pytest.mark.corpus


def entry_of(path: Path, redactor: Redactor) -> Entry | None:
    session = read_session(path)
    if not session.events:
        return None
    ledger = build_ledger(session, BERLIN)
    return build_entry(
        session,
        ledger,
        without_model(session, ledger, redactor),
        fingerprint="f",
        zone=BERLIN,
        now=datetime(2026, 12, 1, tzinfo=UTC),
    )


def test_real_sessions_become_entries_in_which_nothing_acts(corpus: Path, tmp_path: Path) -> None:
    redactor = Redactor()
    notebook = Notebook(tmp_path / "journal", Journal())
    parser = MarkdownIt("gfm-like", {"linkify": False})
    written = 0
    for transcript in find_transcripts(corpus):
        entry = entry_of(transcript, redactor)
        if entry is None:
            continue
        result = notebook.write(entry, redactor.clean)
        assert result.outcome is Outcome.CREATED, transcript
        assert notebook.write(entry, redactor.clean).outcome is Outcome.UNCHANGED, transcript
        text = result.path.read_text()
        assert yaml.safe_load(front_of(text) or "")["journald"]["session"] == transcript.stem
        body = text.split("-->\n", 1)[1].partition("<!-- journald:end -->")[0]
        tokens = parser.parse(body)
        inline = [child for token in tokens for child in token.children or ()]
        acting = {token.type for token in [*tokens, *inline]} & {"html_block", "image", "hr"}
        assert not acting, transcript
        assert {child.content for child in inline if child.type == "html_inline"} <= {
            "<sub>",
            "</sub>",
        }, transcript
        headings = [token.tag for token in tokens if token.type == "heading_open"]
        assert headings.count("h1") == 1, transcript
        written += 1
    assert written > 0
