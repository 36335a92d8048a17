"""A plugin for the process that has collected the suite: each run that it is asked for goes on in a fork of it."""

import gc
import json
import os
import pickle
import shutil
import socket
import sys
import tempfile
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

from airworthy.contract import Contract, Conversation
from airworthy.contract.exchange import Exchange
from airworthy.contract.finding import Finding
from airworthy.register import rules
from airworthy.report import page
from airworthy.sandbox.faults import faults
from airworthy.suite import selection
from airworthy.suite.capture import Capture
from airworthy.suite.examination import Examination, ExchangeJudge
from airworthy.suite.examiner import Examiner
from airworthy.suite.plugin import COLLECTOR, EXAMINER
from airworthy.target.ledger import Ledger
from airworthy.target.profile import VERSIONS
from collected_suite import JUDGED, TERMINAL, Order
from conformance.v4 import samples


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the number of the socket on which runs are asked for."""
    parser.addoption("--forks", type=int, required=True)


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> None:
    """Return in each fork, for pytest to go on; never in the process that forks."""
    _make_ready()
    with socket.socket(fileno=session.config.option.forks) as connection:
        lines = connection.makefile("rw", encoding="utf-8")
        for asked in lines:
            # A fork ends before it tidies up what is temporary, such as the sandbox's e-mails.
            temporary = tempfile.mkdtemp(prefix="airworthy-fork-")
            process = os.fork()
            if process == 0:
                tempfile.tempdir = temporary
                _become(session, Order(**json.loads(asked)))
                return
            _, status = os.waitpid(process, 0)
            shutil.rmtree(temporary)
            lines.write(f"{os.waitstatus_to_exitcode(status)}\n")
            lines.flush()
    os._exit(0)


def _make_ready() -> None:
    """Do once what every run would do again."""
    rules()
    faults()
    contract = Contract.load(VERSIONS)
    for exchange in samples.journey():
        contract.judge(exchange)
    page._environment().get_template("report.html.j2")
    # No fork's garbage collector has to go through what is there already.
    gc.collect()
    gc.freeze()
    sys.stdout.flush()


def _become(session: pytest.Session, order: Order) -> None:
    """Make of the collected session the run that was asked for."""
    folder = Path(order.folder)
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / TERMINAL).open("wb") as terminal:
        os.dup2(terminal.fileno(), 1)
        os.dup2(terminal.fileno(), 2)
    config = session.config
    config.stash[COLLECTOR].folder = config.stash[EXAMINER].folder = folder
    config.option.fault, config.option.dialect = list(order.faults), order.dialect
    if order.forgotten:
        _forget(order.forgotten)
    if order.judged:
        _keep_what_is_found(folder / JUDGED, config.stash[EXAMINER])
    if order.rules is not None:
        wanted = set(order.rules)
        chosen = [
            each for each in session.items if (found := selection.selected(each, "run")) and wanted & set(found.rules)
        ]
        left = set(session.items) - set(chosen)
        session.items[:] = chosen
        config.hook.pytest_deselected(items=list(left))


def _forget(rule: str) -> None:
    """Let the contract find nothing against a rule, in this process."""
    judge = Contract.judge

    def forgetful(self: Contract, exchange: Exchange, conversation: Conversation | None = None) -> list[Finding]:
        return [finding for finding in judge(self, exchange, conversation) if finding.rule != rule]

    Contract.judge = forgetful  # type: ignore[method-assign]


def _keep_what_is_found(path: Path, examiner: Examiner) -> None:
    """Let the examination of this process leave a contract's service and versions, and what it finds, by exchange."""
    begin = Examination.__init__

    def beginning(
        self: Examination, judge: ExchangeJudge, keep: Callable[[Exchange, Capture], None], ledger: Ledger
    ) -> None:
        file = path.open("wb", buffering=0)
        pickle.dump((examiner.contract.service, examiner.contract.versions), file)

        def judging(exchange: Exchange) -> list[Finding]:
            found = judge(exchange)
            pickle.dump((exchange.id, found), file)
            return found

        begin(self, judging, keep, ledger)

    Examination.__init__ = beginning  # type: ignore[method-assign]


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> Generator[None, None, None]:
    """End a fork when its run has been written: whatever is open ends with it, and nobody waits for that."""
    yield
    sys.stdout.flush()
    os._exit(int(session.exitstatus))
