"""Judge exchanges as transferred, for a live proxy."""

from datetime import UTC, datetime

from airworthy.contract import Contract, Exchange, Finding, Headers, Request, Response
from airworthy.contract.http.operations import SERVED
from airworthy.errors import unwritable
from airworthy.evidence.pseudonyms import Pseudonyms
from airworthy.evidence.recorder import Recorder
from airworthy.evidence.rotation import RotatedFiles
from airworthy.proxy.messages import JudgeResult, JudgeSettings, JudgeTask, RawExchange, RawHeaders
from airworthy.proxy.screening import why_refused
from airworthy.target.profile import Profile, known_terms
from airworthy.target.profile_file import load_profile
from airworthy.traffic import GoLive, Summary, TrafficMonitor, line
from airworthy.traffic.content_encoding import UndecodableError, decode
from airworthy.traffic.golive.items import golive_settings
from airworthy.traffic.lines import method, path
from airworthy.traffic.naming import exchange_name, operation_name


class TrafficJudge:
    """Judges tasks by the contract and counts the results."""

    def __init__(self, settings: JudgeSettings) -> None:
        contract = Contract.load(SERVED, settings.service)
        profile = load_profile(settings.profile) if settings.profile else None
        self._recorder = _recorder(settings, contract, profile)
        self.monitor = TrafficMonitor(contract, recorder=self._recorder, golive=GoLive(golive_settings(profile)))
        self._reported = self.monitor.golive.reportable()
        self._revision = self.monitor.golive.revision

    def judge(self, task: JudgeTask) -> JudgeResult:
        """Judge a task. Never raises: if the judge fails, the result has ``failed`` set."""
        seen = self.monitor.summary.seen
        try:
            return self._screen(task) if task.action == "screen" else self._judge(task)
        except Exception as error:  # noqa: BLE001 - traffic continues, and the exchange is counted as not judged
            if self.monitor.summary.seen == seen and task.action != "screen":
                self.monitor.summary.count_unreadable(f"the judge failed ({type(error).__name__})")
            return JudgeResult(task.number, failed=True)

    def take_summary(self) -> Summary:
        """Return the counts since the previous call."""
        counted = self.monitor.summary
        self.monitor.summary = Summary(golive=counted.golive)
        counted.golive = counted.golive.take()
        return counted

    def close(self) -> None:
        """Close the evidence file."""
        if self._recorder:
            self._recorder.close()

    def _judge(self, task: JudgeTask) -> JudgeResult:
        exchange, unread = to_exchange(task.exchange)
        foreign = self.monitor.summary.foreign
        findings = self.monitor.observe(exchange, **unread)
        return JudgeResult(
            task.number,
            tuple(findings),
            tuple(line(finding, exchange, self.monitor.contract.service) for finding in findings),
            foreign=self.monitor.summary.foreign > foreign,
            progress=self._progress(exchange),
        )

    def _screen(self, task: JudgeTask) -> JudgeResult:
        exchange, unread = to_exchange(task.exchange)
        findings = self.monitor.judge_request(exchange)
        if any(is_blocking(finding) for finding in findings):
            return self._judge(task)._replace(blocked=True)
        contract = self.monitor.contract
        url = contract.resolve(exchange.request.method, exchange.request.url)
        return JudgeResult(task.number, refusal=why_refused(exchange, url, findings, unread, contract.service))

    def _progress(self, exchange: Exchange) -> str:
        """Return a line on the go-live list if an exchange advanced it."""
        revision = self.monitor.golive.revision
        if revision == self._revision:
            return ""
        self._revision = revision
        before, self._reported = self._reported, self.monitor.golive.reportable()
        new = [key for key in self._reported if key not in before]
        if not new:
            return ""
        shown = ", ".join(f"{item} {status} in {version}" for version, item, status in new)
        url = self.monitor.contract.resolve(exchange.request.method, exchange.request.url)
        shown_path = path(exchange, self.monitor.contract.service)
        operation = operation_name(url) if url and url.operation else f"{method(exchange)} {shown_path}"
        name = exchange_name(exchange.id, exchange.started, operation)
        return f"go-live list: {shown} by {name}; {'; '.join(self.monitor.golive.counts())}"


def is_blocking(finding: Finding) -> bool:
    """Return whether a request with this finding is rejected: a violation by the client that is not a warning."""
    return finding.side == "request" and finding.kind == "violation" and not finding.soft


def to_exchange(raw: RawExchange) -> tuple[Exchange, dict[str, str]]:
    """Return an exchange with decoded bodies, and the reasons why bodies are not available.

    The keys of the reasons are ``request_unread`` and ``response_unread``.
    """
    headers = _headers(raw.request_headers)
    body, request_unread = _body(raw.request_body, headers, raw.request_unread)
    request = Request(_text(raw.method), _text(raw.url), headers, body)
    response, response_unread = None, raw.response_unread
    if raw.status is not None:
        headers = _headers(raw.response_headers)
        body, response_unread = _body(raw.response_body, headers, raw.response_unread)
        response = Response(raw.status, headers, body)
    exchange = Exchange(raw.id, datetime.fromtimestamp(raw.started, UTC), raw.elapsed, request, response)
    reasons = {"request_unread": request_unread, "response_unread": response_unread}
    return exchange, {name: reason for name, reason in reasons.items() if reason}


def _recorder(settings: JudgeSettings, contract: Contract, profile: Profile | None) -> Recorder | None:
    if settings.evidence is None:
        return None
    try:
        target = RotatedFiles(settings.evidence, settings.rotation) if settings.rotation else settings.evidence
        return Recorder(target, contract, pseudonyms=Pseudonyms(settings.key or None), **known_terms(profile))
    except OSError as error:
        raise unwritable(str(settings.evidence), error) from None


def _body(body: bytes | None, headers: Headers, unread: str) -> tuple[bytes | None, str]:
    if body is None:
        return None, unread or "the body is not available"
    try:
        return decode(body, headers), ""
    except UndecodableError as error:
        return None, str(error)


def _headers(raw: RawHeaders) -> Headers:
    return tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in raw)


def _text(text: str) -> str:
    """Return a text without lone surrogates, by which mitmproxy represents bytes that are not text."""
    return text if text.isascii() else text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
