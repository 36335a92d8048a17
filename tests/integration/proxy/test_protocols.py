"""Exchanges over TLS, HTTP/1.1 and HTTP/2, encoded, chunked and large are judged."""

import gzip
import json
import socket
import ssl
from pathlib import Path

import brotli
import pytest
import zstandard
from mitmproxy.version import VERSION

from airworthy.contract.bodies.body import LARGEST
from airworthy.evidence.chain import verify_chain
from airworthy.proxy.advisories import restrictions
from airworthy.proxy.flows import STREAMED, TOO_LARGE

from . import corpus, http2
from .mitm import Service, exchange, mitm

INVALID = json.dumps({"offers": [json.loads(corpus.FOUND)["offers"][0] | {"id": "4711"}]}).encode()
ENORMOUS = (
    corpus.response(bytes(4 * LARGEST), corpus.JSON),
    corpus.response(
        corpus.chunked(bytes(4 * LARGEST), LARGEST), corpus.JSON, b"Transfer-Encoding: chunked", length=False
    ),
)
ENCODERS = {"gzip": gzip.compress, "br": brotli.compress, "zstd": zstandard.compress}


def test_every_exchange_is_counted(tmp_path: Path, service: Service, trust: str) -> None:
    right, report, evidence = corpus.REQUESTS["as documented"], tmp_path / "report", tmp_path / "evidence.jsonl"
    options = (f"--set=airworthy_report={report}", f"--set=airworthy_evidence={evidence}")
    with mitm(tmp_path, f"reverse:{service.url}", trust, *options) as proxy:
        service.responses = list(corpus.RESPONSES.values())[:1]
        # Keep-alive: one connection, many exchanges.
        assert len(exchange(proxy.port, *([right] * 20))) == 20
        # TLS between client and proxy.
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        assert exchange(proxy.port, right, context=context)[0].startswith(b"HTTP/1.1 200")
        # The same violation in every encoding.
        for name, encode in ENCODERS.items():
            service.responses = [corpus.response(encode(INVALID), corpus.JSON, f"Content-Encoding: {name}".encode())]
            exchange(proxy.port, right)
        service.responses = [
            corpus.response(corpus.chunked(INVALID), corpus.JSON, b"Transfer-Encoding: chunked", length=False)
        ]
        exchange(proxy.port, right)
        # 10 MB are judged; more than 16 MiB are counted as not judged.
        service.responses = [corpus.RESPONSES["10 MB"]]
        exchange(proxy.port, right)
        service.responses = [corpus.response(bytes(LARGEST + 1), corpus.JSON)]
        exchange(proxy.port, right)
        # Whether their length is known or not, they pass through without being held in memory.
        before = proxy.peak_memory
        for response in ENORMOUS:
            service.responses = [response]
            # mitmproxy may transfer a body in other chunks.
            assert len(exchange(proxy.port, right)[0]) >= 4 * LARGEST
        # A body of unknown length is held until it is too large; holding all of it would take 12 times the limit.
        assert proxy.peak_memory < before + 6 * LARGEST
        # A service that closes the connection early.
        service.responses = [b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\nConnection: close\r\n\r\nshort"]
        exchange(proxy.port, right)
        # A client that closes the connection early.
        with socket.create_connection(("127.0.0.1", proxy.port)) as client:
            client.sendall(right[:-10])
        service.responses = list(corpus.RESPONSES.values())[:1]
        exchange(proxy.port, right)
        proxy.end()

    found = json.loads((report / "traffic.json").read_bytes())
    assert found["seen"] == 20 + 1 + 3 + 1 + 1 + 1 + 2 + 1 + 1 + 1
    assert (found["not_judged"][TOO_LARGE], found["not_judged"][STREAMED]) == (2, 1)
    # It is complete although the proxy was interrupted.
    assert (verify_chain(evidence).lines, verify_chain(evidence).altered) == (found["seen"], None)
    # The violation is found in every encoding.
    assert [each["count"] for each in found["findings"] if each["finding"]["kind"] == "violation"] == [4]


def test_concurrent_http2_streams_are_judged_if_http2_is_safe(folder: Path, http2_service: Service, trust: str) -> None:
    http2_service.responses = [corpus.response(INVALID)]
    sample, headers = corpus.SEARCH.request, [(name.lower(), value) for name, value in corpus.SEARCH.request.headers]
    with mitm(folder, f"reverse:{http2_service.url}", trust) as running:
        if restrictions(VERSION).http2:
            with pytest.raises(http2.NotOfferedError):
                http2.send_requests(running.port, [("POST", "/v4/search", sample.body or b"")], headers)
            assert "HTTP/2 is off" in running.log
            return
        responses = http2.send_requests(running.port, [("POST", "/v4/search", sample.body or b"")] * 10, headers)
        log = running.end()

    assert responses == [(200, INVALID)] * 10
    assert "10 exchanges: 10 judged\n" in log
    assert "    10 x violation by the service" in log
