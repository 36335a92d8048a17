"""Runs a command in the process of the test."""

import pytest

from airworthy import cli
from unit.cli.command import Command, Outcome


@pytest.fixture
def airworthy(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """``airworthy("rules", "--json")`` runs a command and returns its outcome."""
    monkeypatch.setenv("COLUMNS", "100")

    def run(*arguments: str) -> Outcome:
        monkeypatch.setattr("sys.argv", ["airworthy", *arguments])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        captured = capsys.readouterr()
        return Outcome(ended.value.code if isinstance(ended.value.code, int) else 0, captured.out, captured.err)

    return run
