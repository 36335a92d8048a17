"""Options of ``airworthy audit --follow``: a mistake is one line before Spark starts."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from airworthy.cli.app import app

SPARK = ("--engine", "spark", "--follow", "--format", "jsonl")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("FOLDER", "--follow"), "--follow runs on Spark; add --engine spark"),
        (("FOLDER", "--engine", "spark", "--follow"), "--follow writes findings as JSON Lines; add --format jsonl"),
        (("FOLDER", *SPARK, "--jobs", "2"), "--jobs has no effect with --engine spark"),
        (("FOLDER", "--checkpoint", "c"), "--checkpoint has no effect without --follow"),
        (("FOLDER", "--watermark", "45s"), "--watermark has no effect without --follow"),
        (("FOLDER", "--engine", "spark", "--until-caught-up"), "--until-caught-up has no effect without --follow"),
        (("FOLDER", *SPARK), "--follow needs --checkpoint"),
        (("FOLDER", "FOLDER", *SPARK), "--follow needs one folder or URI, got 2"),
        (("FOLDER/missing", *SPARK), "not a folder"),
        (("FOLDER", *SPARK, "--checkpoint", "FOLDER/c", "--watermark", "45"), "expected 1s to 24h, such as 45s or 6m"),
        (("FOLDER", *SPARK, "--checkpoint", "FOLDER/c", "--watermark", "0s"), "--watermark 0s"),
        (("FOLDER", *SPARK, "--checkpoint", "/dev/null/c"), "--checkpoint /dev/null/c"),
    ],
)
def test_mistake_is_one_line(tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    result = CliRunner().invoke(app, ["audit", *(each.replace("FOLDER", str(tmp_path)) for each in arguments)])

    shown = str(result.exception)
    assert message in shown
    assert "\n" not in shown
