"""Completion in real shells: installed as a user installs it, and used with the Tab key."""

import os
import shutil
import sys
from pathlib import Path

import pexpect
import pytest

PROGRAMS = Path(sys.executable).parent


@pytest.fixture(params=["bash", "zsh"])
def shell(request: pytest.FixtureRequest, tmp_path: Path) -> pexpect.spawn:
    """An interactive shell of a user in whose home directory completion was installed."""
    name = request.param
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed on this machine")
    environment = {
        "HOME": str(tmp_path),
        "PATH": os.pathsep.join((str(PROGRAMS), os.environ["PATH"])),
        "TERM": "dumb",
        "LANG": "C.UTF-8",
    }
    # Without the settings of the machine; each shell has its own name for that.
    command = {"bash": "bash --noprofile -i", "zsh": "zsh --no-globalrcs -i"}[name]
    spawned = pexpect.spawn(command, env=environment, encoding="utf-8", timeout=60, dimensions=(40, 200))
    spawned.sendline("airworthy --install-completion")
    spawned.expect(f"{name} completion installed in ")
    spawned.sendline(f"exec {command}")
    # The two halves are joined by the shell: what matches is its output, not the echo of the command.
    spawned.sendline("echo new''shell")
    spawned.expect("newshell")
    if name == "zsh":
        # zsh loads the completion with the first Tab in a shell: https://github.com/pallets/click/issues/2344
        spawned.send("airworthy rul\t")
        spawned.sendcontrol("u")
    return spawned


def test_tab_completes_commands_and_options(shell: pexpect.spawn) -> None:
    for words, completed in (
        ("airworthy expor", "airworthy export-check "),
        ("airworthy certify s", "airworthy certify service "),
        ("airworthy sandbox --list-f", "airworthy sandbox --list-faults "),
        ("airworthy certify service --allow-p", "airworthy certify service --allow-plain-http "),
    ):
        shell.send(f"{words}\t")
        shell.expect_exact(completed.removeprefix(words))
        shell.sendcontrol("u")
    shell.close(force=True)
