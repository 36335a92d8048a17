"""A pytest plugin for the process that collects the suite: each run it is asked for continues in a fork of it."""

import copy
import gc
import json
import os
import pickle
import shutil
import socket
import sys
import tempfile
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cache, partial, partialmethod, reduce
from importlib import import_module
from pathlib import Path
from typing import Any

import anyio
import pytest
import trustme

from airworthy.contract import Contract, Conversation
from airworthy.contract.bodies.applications import Applications
from airworthy.contract.findings.finding import Finding
from airworthy.contract.http.exchange import Exchange
from airworthy.contract.life_cycles import Step
from airworthy.evidence.redaction import Redactor
from airworthy.register import go_live_rules, rules
from airworthy.report import page
from airworthy.report.results import Results, Scope
from airworthy.requirements import current_set
from airworthy.sandbox import SandboxServer
from airworthy.sandbox.faults import faults
from airworthy.sandbox.faults.fault import FaultHooks, fault_rejection
from airworthy.sandbox.http.exchange import Json, SandboxRequest, SandboxResponse
from airworthy.sandbox.service.service import Handler, SandboxService
from airworthy.suite import aggregate, examiner, options, results_collector, selection
from airworthy.suite.capture import Capture
from airworthy.suite.examination import Examination, ExchangeJudge, connect
from airworthy.suite.examiner import EXAMINER, Examiner
from airworthy.suite.plugin import COLLECTOR, PROFILE
from airworthy.target.ledger import Ledger
from airworthy.target.profile import VERSIONS
from collected_suite import BRIEF, JUDGED, TERMINAL, RunRequest
from collected_suite.relay import Spoiled, spoiling
from conformance.steps import conversations
from conformance.v3 import samples as v3_samples
from conformance.v4 import samples


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the file descriptor of the socket on which runs are requested."""
    parser.addoption("--forks", type=int, required=True)


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> None:
    """Return in each fork, so that pytest goes on; never return in the process that forks."""
    items_by_rule = _items_by_rule(session)
    _warm_up()
    with socket.socket(fileno=session.config.option.forks) as connection:
        lines = connection.makefile("rw", encoding="utf-8")
        for line in lines:
            # A fork exits without removing temporary files such as the sandbox's e-mails.
            temporary = tempfile.mkdtemp(prefix="airworthy-fork-")
            process = os.fork()
            if process == 0:
                tempfile.tempdir = temporary
                _configure(session, RunRequest(**json.loads(line)), items_by_rule)
                return
            _, status = os.waitpid(process, 0)
            shutil.rmtree(temporary)
            lines.write(f"{os.waitstatus_to_exitcode(status)}\n")
            lines.flush()
    os._exit(0)


def _items_by_rule(session: pytest.Session) -> Mapping[str, Sequence[pytest.Item]]:
    """Return the collected scenarios of each rule, whatever module they are in."""
    found: dict[str, list[pytest.Item]] = {}
    for item in session.items:
        selected = selection.selected(item, "selected")
        for rule in selected.rules if selected else ():
            found.setdefault(rule, []).append(item)
    return found


def _warm_up() -> None:
    """Do once what every run would otherwise repeat."""
    rules()
    go_live_rules()
    current_set()
    faults()
    contract = Contract.load(VERSIONS)
    redactor = Redactor(contract)
    for exchange in (*samples.conversation(), *v3_samples.conversation("v3"), *v3_samples.conversation("v2")):
        contract.judge(exchange)
        redactor.exchange(exchange)
    page._environment().get_template("report.html.j2")
    # No fork installs another version or changes a file of the contract.
    aggregate.digest = cache(aggregate.digest)
    aggregate.current_tool = cache(aggregate.current_tool)
    aggregate.current_tool()
    aggregate.current_scope(Scope(profile="", profile_digest=""))
    # The first server of a process imports these modules.
    anyio.run(anyio.sleep, 0)
    trustme.CA()
    for name in (
        "pyftpdlib.authorizers",
        "pyftpdlib.handlers",
        "pyftpdlib.servers",
        "uvicorn.lifespan.off",
        "uvicorn.loops.asyncio",
    ):
        import_module(name)
    # The garbage collector of a fork need not visit what exists already.
    gc.collect()
    gc.freeze()
    sys.stdout.flush()


def _configure(
    session: pytest.Session, request: RunRequest, items_by_rule: Mapping[str, Sequence[pytest.Item]]
) -> None:
    """Turn the collected session into the requested run."""
    folder = Path(request.folder)
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / TERMINAL).open("wb") as terminal:
        os.dup2(terminal.fileno(), 1)
        os.dup2(terminal.fileno(), 2)
    # What no test reads after a crash of the machine need not be on its disk, which takes a quarter of a full run.
    os.fsync = lambda _: None  # type: ignore[assignment]
    # The sandbox throttles by the number of requests, not by their rate: pauses would only cost time.
    examiner.connect = partial(connect, pause=lambda _: None)  # type: ignore[attr-defined]
    config = session.config
    config.stash[COLLECTOR].folder = config.stash[EXAMINER].folder = folder
    config.option.fault, config.option.dialect = list(request.faults), request.dialect
    conversations.TOGETHER = request.together
    _examine_target(session, request.profile)
    if request.replaced:
        _replace(*request.replaced)
    if request.situations:
        _change_profile(request.situations)
    if request.refused:
        _refuse(request.refused)
    if request.spoiled:
        _spoil(*request.spoiled, folder)
    if request.forgotten:
        _forget(request.forgotten)
    if request.judged:
        _keep_findings(folder / JUDGED, config.stash[EXAMINER])
    if request.rules is not None:
        wanted = {item for rule in request.rules for item in items_by_rule.get(rule, ())}
        _keep(session, lambda item: item in wanted, tell=not request.brief)
    early = {item for rule in request.first for item in items_by_rule.get(rule, ())}
    session.items.sort(key=lambda item: item not in early and item.nodeid not in request.first)
    if request.brief:
        _shorten(session)


def _keep(session: pytest.Session, is_wanted: Callable[[pytest.Item], bool], *, tell: bool = True) -> None:
    """Leave out all other scenarios; the results tell of them."""
    left_out = [item for item in session.items if not is_wanted(item)]
    session.items[:] = [item for item in session.items if is_wanted(item)]
    if tell:
        session.config.hook.pytest_deselected(items=left_out)


def _examine_target(session: pytest.Session, profile: str) -> None:
    """Let the target of a profile take the place of the embedded sandbox, unless it is empty."""
    if profile:
        config = session.config
        config.option.profile, config.option.max_wait = Path(profile), 0.0
        target = config.stash[PROFILE] = config.stash[COLLECTOR].profile = options.target_profile(config.option)
        examiner = config.stash[EXAMINER]
        examiner.external, examiner._is_target_checked = target, False
        _keep(session, lambda item: selection.is_examined(item, target.versions))


def _shorten(session: pytest.Session) -> None:
    """End the run at its first failed scenario, report on its own scenarios only, and write only the results."""
    session.config.option.maxfail = 1
    collected = session.config.stash[COLLECTOR].collected
    collected.selected = {item.nodeid: collected.selected[item.nodeid] for item in session.items}

    def write_results(results: Results, folder: Path) -> None:
        (folder / BRIEF).write_bytes(pickle.dumps(results))

    results_collector.write_reports = write_results  # type: ignore[assignment, attr-defined]


def _replace(module: str, file: str) -> None:
    """Import the sandbox anew in this process, and one of its modules from another file of the same name."""
    for name in [each for each in sys.modules if each.startswith("airworthy.sandbox")]:
        del sys.modules[name]
    package = import_module(module.rpartition(".")[0])
    package.__path__.insert(0, str(Path(file).parent))
    examiner.SandboxServer = import_module("airworthy.sandbox.server").SandboxServer  # type: ignore[attr-defined]


def _change_profile(situations: Mapping[str, str]) -> None:
    """Give keys of the sandbox's profile the values of others in this process, or leave them out."""
    complete = SandboxServer.profile

    def changed(self: SandboxServer) -> dict[str, Any]:
        values = complete(self)
        for name, other in situations.items():
            table, _, key = name.rpartition(".")
            holder = reduce(dict.__getitem__, filter(None, table.split(".")), values)
            holder[key] = copy.deepcopy(reduce(dict.__getitem__, other.split("."), values)) if other else None
            if not other:
                del holder[key]
                # Otherwise the suite creates the payment intent of the situation itself.
                values[table] |= {"payment_intents": False} if table == "payment" else {}
        return values

    SandboxServer.profile = changed  # type: ignore[method-assign]


def _refuse(refused: Mapping[str, int]) -> None:
    """Make the sandbox of this process respond to every request of some operations with a status."""
    handle = FaultHooks.handle

    def refusing(
        self: FaultHooks, handler: Handler, service: SandboxService, request: SandboxRequest
    ) -> Json | SandboxResponse:
        if request.operation in refused:
            raise fault_rejection(service, "refused", refused[request.operation])
        return handle(self, handler, service, request)

    FaultHooks.handle = refusing  # type: ignore[method-assign]


def _spoil(kind: str, spoiled: Spoiled, folder: Path) -> None:
    """Put a relay between the suite and the sandbox of this process, both without TLS."""
    begin, complete = SandboxServer.__init__, SandboxServer.profile
    # A context manager that nothing refers to ends.
    relays: list[AbstractContextManager[str]] = []

    def profile(self: SandboxServer) -> dict[str, Any]:
        relays.append(spoiling(self.base_url, kind, spoiled, folder))
        address = relays[-1].__enter__()
        values: dict[str, Any] = json.loads(json.dumps(complete(self)).replace(self.base_url, address))
        return values

    SandboxServer.__init__ = partialmethod(begin, tls=False)  # type: ignore[method-assign, assignment]
    SandboxServer.profile = profile  # type: ignore[method-assign]


def _forget(rule: str) -> None:
    """Make the contract of this process find nothing against a rule."""
    judge = Contract.judge

    def forgetful(
        self: Contract,
        exchange: Exchange,
        conversation: Conversation | None = None,
        applied: Applications | None = None,
        taken: list[Step] | None = None,
    ) -> list[Finding]:
        found = judge(self, exchange, conversation, applied, taken)
        return [finding for finding in found if finding.rule != rule]

    Contract.judge = forgetful  # type: ignore[method-assign]


def _keep_findings(path: Path, judging: Examiner) -> None:
    """Write the contract's service and versions to a file, then the findings of each exchange."""
    begin = Examination.__init__

    def beginning(
        self: Examination, judge: ExchangeJudge, keep: Callable[[Exchange, Capture], None], ledger: Ledger
    ) -> None:
        file = path.open("wb", buffering=0)
        pickle.dump((judging.contract.service, judging.contract.versions), file)

        def judge_and_keep(exchange: Exchange, capture: Capture) -> list[Finding]:
            found = judge(exchange, capture)
            pickle.dump((exchange.id, found), file)
            return found

        begin(self, judge_and_keep, keep, ledger)

    Examination.__init__ = beginning  # type: ignore[method-assign]


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> Generator[None, None, None]:
    """Exit as soon as the results are written; what is still open ends with the process."""
    yield
    sys.stdout.flush()
    os._exit(int(session.exitstatus))
