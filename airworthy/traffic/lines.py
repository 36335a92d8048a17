"""A finding in one line, for terminals and logs: the same from the live proxy and from the audit."""

import unicodedata
from typing import Final
from urllib.parse import unquote, urlsplit

from airworthy.contract import Exchange, Finding
from airworthy.evidence.detectors import without_cards, without_emails, without_tokens

LONGEST_PATH: Final = 200
_AT_FAULT: Final = {"request": "client", "response": "service"}
_UNSEEN: Final = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))


def line(finding: Finding, exchange: Exchange) -> str:
    """Return what is wrong, by whom, with what and where, in one line that holds nothing private."""
    status = f" {exchange.response.status}" if exchange.response else ""
    place = f" at {finding.pointer}" if finding.pointer else ""
    return plain(
        f"{kind(finding)} by the {at_fault(finding)}: {method(exchange)} {path(exchange)}{status}{place}: "
        f"{finding.message}{comparison(finding)}{f' [{finding.rule}]' if finding.rule else ''}"
    )


def kind(finding: Finding) -> str:
    """Return what sort of finding it is: its kind, or its class where it is drift; ``warning`` where it is soft."""
    name = f"drift ({finding.drift})" if finding.drift else finding.kind
    return f"{name}, warning" if finding.soft else name


def at_fault(finding: Finding) -> str:
    """Return who has to change something: ``client`` or ``service``."""
    return _AT_FAULT[finding.side]


def comparison(finding: Finding) -> str:
    """Return what was expected and what came, in parentheses, or nothing where the message says it all."""
    told = [f"expected {finding.expected}"] if finding.expected else []
    told += [f"got {finding.actual}"] if finding.actual and finding.actual not in finding.message else []
    return f" ({', '.join(told)})" if told else ""


def method(exchange: Exchange) -> str:
    """Return the method of a request, or a stand-in for what is none."""
    name = exchange.request.method.upper()
    return name if name.isascii() and name.isalpha() and len(name) <= len("PROPPATCH") else "?"


def path(exchange: Exchange) -> str:
    """Return the path of a request, bounded, without what is private in it, and without its query."""
    try:
        found = urlsplit(exchange.request.url).path or "/"
    except ValueError:
        return "?"
    shown = found if len(found) <= LONGEST_PATH else f"{found[:LONGEST_PATH]}…"
    clear = unquote(shown)
    hidden = without_tokens(without_emails(without_cards(clear), _stand), _stand)
    return plain(shown if hidden == clear else hidden)


def _stand(kind: str, _: str) -> str:
    return f"({kind})"


def plain(text: str) -> str:
    """Make visible what would not be: control characters and those that turn text round, line ends among them."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(f"\\u{ord(each):04x}" if unicodedata.category(each) in _UNSEEN else each for each in text)
