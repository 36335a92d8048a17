"""The judge's process: ``python -m airworthy.proxy.judge``, fed through a pipe, in the order in which traffic passed.

It outlives its parent for as long as it takes to judge, and to record, what stands in the pipe.
"""

import contextlib
import os
import signal
import sys
import time
from datetime import UTC, datetime
from typing import Final

from airworthy.contract import Contract, Exchange, Finding, Headers, Request, Response, ServiceAddress
from airworthy.contract.contract import SERVED
from airworthy.errors import AirworthyError
from airworthy.evidence import Pseudonyms, Recorder
from airworthy.proxy.collector import spare_the_collector
from airworthy.proxy.decoding import UndecodableError, decoded
from airworthy.proxy.inbox import Inbox
from airworthy.proxy.wire import (
    Case,
    Judged,
    Message,
    RawBody,
    RawHeaders,
    Settings,
    Tally,
    Unfit,
    Verdict,
    Wire,
    packed,
)
from airworthy.target.profile_file import load_profile
from airworthy.traffic import GoLive, Summary, TrafficMonitor, line

TALLY_SECONDS: Final = 0.25
MOST_UNTOLD: Final = 100
MOST_HELD: Final = 10
YOUNG_OBJECTS: Final = 50_000
_STDIN, _STDOUT = 0, 1


class Judge:
    """Judges cases by the contract; what it has counted is taken from it in parts."""

    def __init__(self, settings: Settings) -> None:
        contract = Contract.load(
            SERVED, ServiceAddress(settings.base_urls, settings.payment_providers, settings.allow_plain_http)
        )
        self._recorder = _recorder(settings, contract)
        self.watch = TrafficMonitor(contract, recorder=self._recorder)
        self._covered = self.watch.golive.covered

    def hear(self, case: Case) -> Verdict:
        """Judge a case; never raises: where we fail, the verdict says so and the exchange counts as a gap."""
        seen = self.watch.summary.seen
        try:
            return self._weigh(case) if case.wish == "weigh" else self._see(case)
        except Exception as error:  # noqa: BLE001 - whatever it is, traffic goes on and the gap is shown
            if self.watch.summary.seen == seen and case.wish != "weigh":
                self.watch.summary.count_unreadable(f"the judge failed on it ({type(error).__name__})")
            return Verdict(case.number, failed=True)

    def taken(self) -> Summary:
        """Return what was counted since this was asked last."""
        counted = self.watch.summary
        self.watch.summary = Summary(golive=counted.golive)
        told = Summary(golive=GoLive())
        told.merge(counted)
        return told

    def close(self) -> None:
        """Close the evidence; everything is already written."""
        if self._recorder:
            self._recorder.close()

    def _see(self, case: Case) -> Verdict:
        exchange, unread = exchange_of(case.wire)
        foreign = self.watch.summary.foreign
        findings = self.watch.observe(exchange, **unread)
        lines = tuple(line(finding, exchange) for finding in findings)
        return Verdict(
            case.number,
            tuple(findings),
            lines,
            foreign=self.watch.summary.foreign > foreign,
            progress=self._advanced(),
        )

    def _weigh(self, case: Case) -> Verdict:
        exchange, _ = exchange_of(case.wire)
        if not any(is_certain(finding) for finding in self.watch.judge_request(exchange)):
            return Verdict(case.number)
        return self._see(case)._replace(blocked=True)

    def _advanced(self) -> str:
        """Say how far the go-live list has come, where this exchange has brought it further."""
        covered = self.watch.golive.covered
        if covered == self._covered:
            return ""
        new, self._covered = sorted(covered - self._covered), covered
        asked = [item for item in self.watch.golive.progress() if item.asked]
        missing = ", ".join(item.name for item in asked if not item.done)
        done = sum(item.done for item in asked)
        rest = f"; still missing: {missing}" if missing else "; nothing is missing"
        return f"go-live list: {done} of {len(asked)} covered, new: {', '.join(new)}{rest}"


def is_certain(finding: Finding) -> bool:
    """Whether a request must be refused for this: surely a mistake of the client, not a warning, not drift."""
    return finding.side == "request" and finding.kind == "violation" and not finding.soft


def exchange_of(wire: Wire) -> tuple[Exchange, dict[str, str]]:
    """Return the exchange that was on the wire, and by side why a body is not there to be read."""
    unread = {"request_unread": wire.unread_request, "response_unread": wire.unread_response}
    headers = _headers(wire.request_headers)
    body, unread["request_unread"] = _body(wire.request_body, headers, wire.unread_request)
    request = Request(_text(wire.method), _text(wire.url), headers, body)
    response = None
    if wire.status is not None:
        headers = _headers(wire.response_headers)
        body, unread["response_unread"] = _body(wire.response_body, headers, wire.unread_response)
        response = Response(wire.status, headers, body)
    started = datetime.fromtimestamp(wire.started, UTC)
    exchange = Exchange(wire.id, started, wire.elapsed, request, response)
    return exchange, {name: reason for name, reason in unread.items() if reason}


def main() -> None:
    """Judge until the pipe ends."""
    # Ctrl-C is meant for the proxy: what it has handed over is still judged.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answers = _Answers()
    inbox = Inbox(_STDIN)
    try:
        settings = inbox.get(TALLY_SECONDS * 40)
        if not isinstance(settings, Settings):
            return
        judge = Judge(settings)
        spare_the_collector(YOUNG_OBJECTS)
    except AirworthyError as error:
        answers.send(Unfit(str(error)))
        return
    except Exception as error:  # noqa: BLE001 - a schema that cannot load, a module that is not there
        answers.send(Unfit(f"the judge cannot start ({type(error).__name__})"))
        return
    with contextlib.closing(inbox), contextlib.closing(judge), contextlib.suppress(EOFError):
        while True:
            _judge_for_a_while(judge, inbox, answers)


def _judge_for_a_while(judge: Judge, inbox: Inbox, answers: "_Answers") -> None:
    """Judge until it is time to tell what was counted, and tell it."""
    due = time.monotonic() + TALLY_SECONDS
    last = untold = 0
    try:
        while untold < MOST_UNTOLD and (left := due - time.monotonic()) > 0:
            case = inbox.get(left)
            if isinstance(case, Case):
                inbox.hurry = inbox.hurry or case.wish != "see"
                verdict = judge.hear(case)
                last, untold = case.number, untold + 1
                if case.wish != "see" or verdict.findings or verdict.failed or verdict.progress:
                    answers.send(verdict)
                if untold % MOST_HELD == 0:
                    answers.send(Judged(last))
    finally:
        if untold:
            answers.send(Tally(last, judge.taken()))


class _Answers:
    """Where verdicts go, as long as somebody reads them; the evidence is written even when nobody does."""

    def __init__(self) -> None:
        self._open = True

    def send(self, message: Message) -> None:
        (rest,) = packed(message)
        while self._open and rest:
            try:
                rest = rest[os.write(_STDOUT, rest) :]
            except BrokenPipeError:
                self._open = False


def _recorder(settings: Settings, contract: Contract) -> Recorder | None:
    if settings.evidence is None:
        return None
    profile = load_profile(settings.profile) if settings.profile else None
    secrets = secret_placeholders(profile) if profile else {}
    return Recorder(settings.evidence, contract, pseudonyms=Pseudonyms(settings.key or None), secrets=secrets)


def _body(body: RawBody, headers: Headers, unread: str) -> tuple[bytes | None, str]:
    if body is None:
        return None, unread or "the body was not there to be read"
    try:
        return decoded(bytes(body), headers), ""
    except UndecodableError as error:
        return None, str(error)


def _headers(raw: RawHeaders) -> Headers:
    return tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in raw)


def _text(text: str) -> str:
    """Return a text that can be written; mitmproxy lets bytes that are no text stand in one as surrogates."""
    return text if text.isascii() else text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


if __name__ == "__main__":
    # What the evidence may say of a failure stands in the verdicts; a trace on a terminal could hold private data.
    sys.excepthook = lambda *_: None
    main()
