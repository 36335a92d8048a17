"""Commands whose output cannot be written end with one line on standard error, and with exit code 3."""

import contextlib
import re
import select
import subprocess
import sys
from pathlib import Path

import pytest

from airworthy.cli.output import tolerant_output
from airworthy.errors import StorageError
from airworthy.evidence.har import write_har
from command_line import AIRWORTHY, run, start

FULL = Path("/dev/full")


@pytest.mark.parametrize(
    ("path", "ending", "raised"),
    [
        (FULL, None, StorageError("standard output: No space left on device")),
        (FULL, SystemExit(0), StorageError("standard output: No space left on device")),
        (FULL, SystemExit(1), StorageError("standard output: No space left on device")),
        (FULL, LookupError("another error"), LookupError("another error")),
        (Path("out"), SystemExit(7), SystemExit(7)),
    ],
    ids=["full", "full, 0", "full, 1", "full, another error", "written"],
)
def test_command_goes_on_without_its_output(
    tmp_path: Path, path: Path, ending: BaseException | None, raised: BaseException
) -> None:
    done: list[bool] = []

    def command() -> None:
        with tolerant_output():
            print("ä", flush=True)  # noqa: T201
            sys.stdout.buffer.write(b"x" * 1_000_000)
            done.append(True)
            if ending:
                raise ending

    expected = pytest.raises(type(raised), match=f"^{raised}$")
    with (tmp_path / path).open("w", encoding="utf-8") as stream, contextlib.redirect_stdout(stream), expected:
        command()
    assert done
    assert path == FULL or (tmp_path / path).read_text(encoding="utf-8") == "ä\n" + "x" * 1_000_000


def test_full_disk_is_one_line_and_no_traceback() -> None:
    with FULL.open("w") as full:
        command = [*AIRWORTHY, "rules"]
        ended = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)  # noqa: S603
    assert (ended.returncode, ended.stderr) == (3, "airworthy: standard output: No space left on device\n")


def test_har_on_a_device_is_written_to_it() -> None:
    with pytest.raises(OSError, match="No space left"):
        write_har((), FULL)
    assert FULL.is_char_device()


_WRITES = """
import sys, time
from airworthy.cli.output import tolerant_output
with tolerant_output():
    sys.stderr.write("delivered\\n")
    sys.stdin.read()
"""


@pytest.mark.parametrize("options", [(), ("-u",)])
def test_line_on_standard_error_is_written_at_once(monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...]) -> None:
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    with start(sys.executable, *options, "-c", _WRITES) as running:
        assert running.stderr
        ready, _, _ = select.select([running.stderr], [], [], 60)
        assert ready
        assert running.stderr.readline() == "delivered\n"


@pytest.mark.parametrize("command", ["sandbox --port 0", "certify service"])
def test_command_without_a_folder_for_temporary_files_ends_with_one_line(tmp_path: Path, command: str) -> None:
    """A container's file system may be read-only; here, no file can have any content."""
    cramped = ("/bin/sh", "-c", 'ulimit -f 0; exec "$@"', "sh", *AIRWORTHY, *command.split())
    ran = run(*cramped, folder=tmp_path)
    assert ran.returncode == 2
    assert re.fullmatch(r"airworthy: No usable temporary directory .*; mount a folder or set TMPDIR\n", ran.stderr)
