"""Convert evidence to HAR 1.2, which browsers' developer tools and other programs can open.

The format: https://w3c.github.io/web-performance/specs/HAR/Overview.html.
"""

import base64
from collections.abc import Iterable
from http.client import responses
from io import TextIOWrapper
from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl, urlsplit

import harfile

from airworthy import __version__
from airworthy.contract.http.exchange import Exchange, Headers, Request, header
from airworthy.evidence.recorder import EvidenceRecord
from airworthy.private_files import opened_output

_MILLISECONDS: Final = 1000
_NOT_RECORDED: Final = "unknown"
_NO_RESPONSE: Final = 0


def write_har(records: Iterable[EvidenceRecord], path: Path) -> int:
    """Write records to a HAR file, and return their number.

    The file appears at ``path`` when it is complete, unless that is a device or a pipe. Raises OSError if it cannot be
    written, and passes on what ``records`` raises.
    """
    count = 0
    with opened_output(path) as written, TextIOWrapper(written, encoding="utf-8") as file:
        with harfile.open(file, creator=harfile.Creator("Airworthy", __version__)) as har:
            for count, record in enumerate(records, start=1):  # noqa: B007  the last number is the result
                _add(har, record)
        file.write("\n")
    return count


def _add(har: harfile.HarFile, record: EvidenceRecord) -> None:
    exchange = record.exchange
    milliseconds = round(exchange.elapsed * _MILLISECONDS, 3)
    har.add_entry(
        startedDateTime=exchange.started,
        time=milliseconds,
        request=_request(exchange.request, record.sizes.get("request", 0)),
        response=_response(exchange, record.sizes.get("response", 0)),
        # The evidence does not contain the time of the first byte.
        timings=harfile.Timings(send=0, wait=milliseconds, receive=0),
        comment=" ".join((exchange.id, *record.context.values())),
    )


def _request(request: Request, size: int) -> harfile.Request:
    body, posted = request.body, None
    if body:
        # A body that is not UTF-8 stays invalid, so that an audit reports the same finding.
        text = body.decode("utf-8", "surrogateescape")
        posted = harfile.PostData(mimeType=header(request.headers, "Content-Type") or "", text=text)
    return harfile.Request(
        method=request.method,
        url=request.url,
        httpVersion=_NOT_RECORDED,
        headers=_records(request.headers),
        queryString=_records(_query(request.url)),
        postData=posted,
        # Without text, only the size says that there was a body.
        bodySize=max(size, 1) if body is None else len(body),
    )


def _response(exchange: Exchange, size: int) -> harfile.Response:
    response = exchange.response
    if response is None:
        # Browsers write a missing response in this form.
        return harfile.Response(_NO_RESPONSE, "", _NOT_RECORDED, content=harfile.Content(mimeType="x-unknown"))
    encoded = header(response.headers, "Content-Encoding")
    return harfile.Response(
        status=response.status,
        statusText=responses.get(response.status, ""),
        httpVersion=_NOT_RECORDED,
        headers=_records(response.headers),
        content=_content(response.body, header(response.headers, "Content-Type") or "x-unknown", size),
        redirectURL=header(response.headers, "Location") or "",
        bodySize=-1 if response.body is None or encoded else len(response.body),
    )


def _content(body: bytes | None, media: str, size: int) -> harfile.Content:
    if body is None:
        return harfile.Content(size=size, mimeType=media)
    try:
        return harfile.Content(size=len(body), mimeType=media, text=body.decode())
    except UnicodeDecodeError:
        return harfile.Content(len(body), mimeType=media, text=base64.b64encode(body).decode(), encoding="base64")


def _query(url: str) -> Headers:
    try:
        return tuple(parse_qsl(urlsplit(url).query, keep_blank_values=True))
    except ValueError:
        return ()


def _records(pairs: Headers) -> list[harfile.Record]:
    return [harfile.Record(name, value) for name, value in pairs]
