"""The command that repeats an exchange, run by a real shell."""

import subprocess
from pathlib import Path

import pytest

from airworthy.contract.http.exchange import Headers
from airworthy.evidence.curl_command import curl
from airworthy.evidence.pseudonyms import Pseudonyms
from airworthy.evidence.redaction import RedactedExchange, Redactor

from .stub import CONTRACT, JSON, exchange

HOSTILE = 'it\'s `id` $(id) $HOME "x" \\ ; rm -rf *\nline\ttab'


def words(command: str, tmp_path: Path, **environment: str) -> list[str]:
    """Return the arguments that a shell passes to curl."""
    script = tmp_path / "curl"
    script.write_text("#!/bin/sh\nprintf '%s\\0' \"$@\"\n")
    script.chmod(0o755)
    shell = subprocess.run(  # noqa: S603
        ["/bin/sh", "-c", command],
        env={"PATH": f"{tmp_path}:/usr/bin:/bin", "HOME": "/canary", **environment},
        capture_output=True,
        check=True,
        text=True,
    )
    return shell.stdout.split("\0")[:-1]


def test_command_is_one_line_and_sends_the_same_request(tmp_path: Path) -> None:
    made = exchange({"note": HOSTILE}, headers=(("Authorization", "$AIRWORTHY_V4_KEY"), JSON, ("Content-Length", "9")))
    command = curl(RedactedExchange(made, {}))
    assert "\n" not in command
    assert words(command, tmp_path, AIRWORTHY_V4_KEY="the key") == [
        "--include",
        "--request",
        "POST",
        "https://service.example/v4/order",
        "--header",
        "Authorization: the key",
        "--header",
        "Content-Type: application/json",
        "--data-binary",
        (made.request.body or b"").decode(),
    ]


def test_command_uses_the_ca_bundle_of_the_profile(tmp_path: Path) -> None:
    command = curl(RedactedExchange(exchange(headers=()), {}), Path("/etc/our own.pem"))
    assert words(command, tmp_path)[:2] == ["--cacert", "/etc/our own.pem"]
    plain = exchange(url="http://service.example/v4/order")
    assert "--cacert" not in curl(RedactedExchange(plain, {}), Path("ca.pem"))


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ((("Authorization", "Bearer $MY_TOKEN"),), ["--header", "Authorization: Bearer s3cret"]),
        ((("Authorization", "Basic $MY_TOKEN"),), ["--user", "s3cret:"]),
        ((("X-Note", "$MY_TOKEN"),), ["--header", "X-Note: $MY_TOKEN"]),
        ((("X-Note", "$AIRWORTHY_CODE"),), ["--header", "X-Note: the code"]),
        ((("X-Empty", ""),), ["--header", "X-Empty;"]),
        ((("User-Agent", "airworthy"), ("Accept-Encoding", "gzip")), []),
        ((("X-Note", HOSTILE.replace("\n", " ")),), ["--header", f"X-Note: {HOSTILE}".replace("\n", " ")]),
    ],
)
def test_command_sends_the_headers(headers: Headers, expected: list[str], tmp_path: Path) -> None:
    command = curl(RedactedExchange(exchange(headers=headers), {}))
    assert words(command, tmp_path, MY_TOKEN="s3cret", AIRWORTHY_CODE="the code")[4:] == expected


def test_variable_in_traffic_is_not_expanded(tmp_path: Path) -> None:
    made = exchange({"note": "$AWS_SECRET"}, url="https://service.example/v4/$AWS_SECRET")
    handed = words(curl(RedactedExchange(made, {})), tmp_path, AWS_SECRET="hush")
    assert "hush" not in " ".join(handed)


def test_what_was_redacted_is_marked_and_sent_as_its_pseudonym(tmp_path: Path) -> None:
    headers = (JSON, ("Authorization", "Bearer of-nobody-known"), ("X-Note", "Canaria!"))
    body = {"name": "Canaria", "note": HOSTILE, "phone": 34600765432, "payment_method": "pm_card_visa"}
    redacted = Redactor(CONTRACT, Pseudonyms(b"k" * 32)).redacted(
        exchange(body, headers=headers, url="https://service.example/v4/order?name=Canaria")
    )
    command = curl(redacted)
    request = redacted.exchange.request
    name = request.url.rpartition("=")[2]
    assert "Canaria" not in command
    assert f'"${{redacted:-{name}}}"' in command
    assert '"pm_card_visa"' in command
    assert words(command, tmp_path)[3:] == [
        request.url,
        *(word for each in request.headers for word in ("--header", ": ".join(each))),
        "--data-binary",
        (request.body or b"").decode(),
    ]
