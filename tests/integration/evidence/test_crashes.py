"""Evidence survives killed writers, a full disk, several writers, and a moved file."""

import os
import random
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

from airworthy.contract import Contract
from airworthy.evidence.chain import verify_chain
from airworthy.evidence.recorder import Recorder, read
from command_line import run
from unit.contract.examples import exchange

# Appends forever; the size of the file shows its progress.
WRITER: Final = """
import sys
from pathlib import Path
from airworthy.contract import Contract
from airworthy.evidence.recorder import Recorder
from airworthy.evidence.pseudonyms import Pseudonyms
from unit.contract.examples import exchange
made = exchange("createOrder")
with Recorder(Path(sys.argv[1]), Contract.load(("v4",)), pseudonyms=Pseudonyms(b"k" * 32)) as recorder:
    while True:
        recorder.append(made)
"""
TESTS: Final = Path(__file__).parents[2]
PATIENCE: Final = 60.0


def writer(path: Path, *, largest: int = 0) -> subprocess.Popen[bytes]:
    def bounded() -> None:
        if largest:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))

    return subprocess.Popen(  # noqa: S603  our own program
        [sys.executable, "-c", WRITER, str(path)],
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(TESTS), *filter(None, sys.path)])},
        preexec_fn=bounded,  # noqa: PLW1509  nothing here has threads
        stderr=subprocess.PIPE,
    )


def grown(path: Path, process: subprocess.Popen[bytes], size: int) -> None:
    """Wait until a writer has written."""
    deadline = time.monotonic() + PATIENCE
    while not path.exists() or path.stat().st_size < size:
        assert process.poll() is None
        assert time.monotonic() < deadline
        os.sched_yield()


def test_killed_writers_lose_at_most_one_exchange_each(tmp_path: Path) -> None:
    path = tmp_path / "evidence.jsonl"
    chance = random.Random(11)  # noqa: S311  where each is killed does not matter
    lines = 0
    for _ in range(6):
        size = path.stat().st_size if path.exists() else 0
        with writer(path) as process:
            grown(path, process, size + chance.randrange(1, 60_000))
            process.kill()
        chain = verify_chain(path)
        assert chain.altered is None
        # The next writer removes the unfinished line, and nothing else.
        assert chain.lines >= lines
        assert sum(1 for _ in read(path)) == chain.lines
        lines = chain.lines
    assert lines > 6


def test_full_disk_is_an_error_and_earlier_lines_are_valid(tmp_path: Path) -> None:
    path = tmp_path / "evidence.jsonl"
    with writer(path, largest=100_000) as process:
        output = process.communicate(timeout=PATIENCE)[1].decode()

    assert process.returncode == 1
    assert "OSError" in output
    assert "File too large" in output
    chain = verify_chain(path)
    assert (chain.altered, chain.lines > 10) == (None, True)
    # With space on the disk, writing continues.
    with Recorder(path, Contract.load(("v4",))) as recorder:
        recorder.append(exchange("searchOffers"))
    assert (verify_chain(path).lines, verify_chain(path).unfinished) == (chain.lines + 1, False)


def test_moved_file_is_complete(tmp_path: Path) -> None:
    path, contract = tmp_path / "evidence.jsonl", Contract.load(("v4",))
    with Recorder(path, contract) as recorder:
        recorder.append(exchange("searchOffers", name="before"))
        path.rename(tmp_path / "evidence.1.jsonl")
        recorder.append(exchange("searchOffers", name="after"))
    with Recorder(path, contract) as recorder:
        recorder.append(exchange("searchOffers", name="anew"))

    for name, ids in (("evidence.1.jsonl", ["before", "after"]), ("evidence.jsonl", ["anew"])):
        assert [record.exchange.id for record in read(tmp_path / name)] == ids
        assert verify_chain(tmp_path / name).altered is None


def test_reading_needs_memory_for_one_line(tmp_path: Path) -> None:
    path = tmp_path / "evidence.jsonl"
    with Recorder(path, Contract.load(("v4",))) as recorder:
        recorder.append(exchange("createOrder"))
    line = path.read_bytes()
    # Only reading is tested, so the hash chain may be broken.
    with path.open("ab") as file:
        for _ in range(200):
            file.write(line * 100)
    script = (
        "import resource, sys; from pathlib import Path; from airworthy.evidence.chain import verify_chain;"
        "from airworthy.evidence.recorder import read;"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss;"
        "path = Path(sys.argv[1]); print(sum(1 for _ in read(path)), verify_chain(path).lines);"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)"
    )
    environment = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    ran = run(sys.executable, "-c", script, path, environment=environment)
    counts, kilobytes = ran.stdout.splitlines()
    assert counts == "20001 20001"
    # The file has some 80 MB.
    assert path.stat().st_size > 50_000_000
    assert int(kilobytes) < 10_000
