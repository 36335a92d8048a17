"""Exchanges in each format of recordings."""

import json
from collections.abc import Iterable
from io import BytesIO
from operator import itemgetter
from pathlib import Path
from typing import Any

from mitmproxy.flow import Flow
from mitmproxy.io import FlowWriter

from airworthy.audit import AuditResult, AuditSettings, audit
from airworthy.contract import Contract, Exchange
from airworthy.evidence.recorder import Recorder
from unit.proxy.material import flow

ANYBODY = Contract.load(("v2", "v3", "v4"))


def entry(exchange: Exchange, **more: Any) -> dict[str, Any]:  # noqa: ANN401
    request, response = exchange.request, exchange.response
    members: dict[str, Any] = {
        "startedDateTime": exchange.started.isoformat(),
        "time": exchange.elapsed * 1000,
        "request": {
            "method": request.method,
            "url": request.url,
            "httpVersion": "HTTP/1.1",
            "headers": [{"name": name, "value": value} for name, value in request.headers],
            "queryString": [],
            "cookies": [],
            "headersSize": -1,
            "bodySize": len(request.body or b""),
        },
        "response": {"status": 0, "statusText": "", "headers": [], "content": {"size": 0}, "bodySize": -1},
        "cache": {},
        "timings": {"send": 0, "wait": 1, "receive": 0},
    }
    if request.body:
        members["request"]["postData"] = {"mimeType": "application/json", "text": request.body.decode()}
    if response:
        body = response.body or b""
        members["response"] = {
            "status": response.status,
            "statusText": "",
            "headers": [{"name": name, "value": value} for name, value in response.headers],
            "content": {"size": len(body), "mimeType": "application/json", "text": body.decode()},
            "bodySize": len(body),
        }
    return more | members


def har(entries: Iterable[Any], *, indent: int | None = None) -> bytes:
    log = {
        "version": "1.2",
        "creator": {"name": "a browser", "version": "1", "comment": '"entries": [{"startedDateTime"'},
        "pages": [{"startedDateTime": "2026-11-02T09:00:00Z", "id": "page_1", "title": "{", "pageTimings": {}}],
        "entries": list(entries),
        "comment": "the end",
    }
    return json.dumps({"log": log}, indent=indent).encode()


def flows(exchanges: Iterable[Exchange | Flow]) -> bytes:
    file = BytesIO()
    writer = FlowWriter(file)  # type: ignore[no-untyped-call]
    for each in exchanges:
        writer.add(flow(each) if isinstance(each, Exchange) else each)
    return file.getvalue()


def evidence(path: Path, exchanges: Iterable[Exchange], **options: Any) -> bytes:  # noqa: ANN401
    with Recorder(path, ANYBODY, **options) as recorder:
        for each in exchanges:
            recorder.append(each)
    return path.read_bytes()


def audited(*contents: bytes, folder: Path, jobs: int = 1, **settings: Any) -> AuditResult:  # noqa: ANN401
    paths = []
    for number, content in enumerate(contents):
        paths.append(folder / f"recording-{number}")
        paths[-1].write_bytes(content)
    return audit(AuditSettings(tuple(paths), **{"lines": True} | settings), jobs=jobs)


def lines(found: AuditResult, *names: str) -> list[Any]:
    """The findings, or these members of them."""
    members = [json.loads(line) for lines in found.lines for line in lines.splitlines()]
    return list(map(itemgetter(*names), members)) if names else members
