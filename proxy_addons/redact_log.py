"""Redact what mitmproxy logs about traffic, such as a request line that it rejects."""

import logging
import re
import traceback
from functools import cache
from pathlib import Path
from typing import Any, Final

import mitmproxy
from mitmproxy import addonmanager, ctx
from mitmproxy.proxy.mode_specs import ProxyMode, ReverseMode, UpstreamMode

from airworthy.contract import Contract
from airworthy.contract.bodies.terms import WORD, DocumentedTerms
from airworthy.contract.http.operations import SERVED
from airworthy.evidence.marks import shown, split, without_marks
from airworthy.evidence.pseudonyms import Pseudonyms
from airworthy.evidence.vocabulary import Vocabulary
from proxy_addons.judge_control import ControlledAddon, JudgeControl

_MITMPROXY: Final = Path(mitmproxy.__file__).parent
# What these modules log is about the program: addresses, options, files and the key of the web page.
_ABOUT_THE_PROGRAM: Final = (
    "tools/",
    "options",
    "addons/proxyserver.py",
    "addons/save",
    "addons/script.py",
    "proxy/mode_servers.py",
)
_WITH_MESSAGES: Final = ("addons", "net", "proxy")
_OF_OPENSSL: Final = (
    "unable to get local issuer certificate, self-signed certificate in certificate chain, certificate has expired,"
    " certificate is not yet valid, hostname mismatch, IP address mismatch, wrong version number"
)
_LITERAL: Final = re.compile(r""""[^"\n]*"|'[^'\n]*'""")


class RedactLog(ControlledAddon):
    """Redacts mitmproxy's own messages in the same way as error messages in traffic; mitmproxy's words stay.

    A factory of log records reaches all handlers, whichever program of mitmproxy installs them, and whenever.
    """

    def __init__(self, control: JudgeControl) -> None:
        super().__init__(control)
        self._usual = logging.getLogRecordFactory()
        self._pseudonyms = Pseudonyms()

    def load(self, loader: addonmanager.Loader) -> None:
        self._usual = logging.getLogRecordFactory()
        logging.setLogRecordFactory(self._record)

    def done(self) -> None:
        logging.setLogRecordFactory(self._usual)

    def _record(self, *args: Any, **kwargs: Any) -> logging.LogRecord:  # noqa: ANN401  as of `logging.LogRecord`
        record = self._usual(*args, **kwargs)
        try:
            module = Path(record.pathname).relative_to(_MITMPROXY).as_posix()
        except ValueError:
            return record
        if module.startswith(_ABOUT_THE_PROGRAM):
            return record
        record.msg, record.args, record.exc_info = self._redacted(record), (), None
        return record

    def _redacted(self, record: logging.LogRecord) -> str:
        text = record.getMessage()
        if record.exc_info and record.exc_info[1]:
            text += "\n" + "".join(traceback.format_exception(record.exc_info[1]))
        vocabulary = Vocabulary(_terms(), self._pseudonyms, self._control.settings.service.names | _upstream())
        return shown(*split(vocabulary.redact(without_marks(text))))


def _upstream() -> frozenset[str]:
    """Return the names of the servers to which the proxy forwards requests."""
    modes = [ProxyMode.parse(mode) for mode in ctx.options.mode]
    addresses = [mode.address for mode in modes if isinstance(mode, ReverseMode | UpstreamMode)]
    return frozenset(name for host, port, *_ in addresses for name in (host, f"{host}:{port}"))


@cache
def _terms() -> DocumentedTerms:
    """Return the terms of the documents, and the words of mitmproxy's messages, some of which quote OpenSSL."""
    modules = (path for folder in _WITH_MESSAGES for path in (_MITMPROXY / folder).rglob("*.py"))
    literals = (text for path in modules for text in _LITERAL.findall(path.read_text(encoding="utf-8")))
    words = frozenset(word.lower() for text in (_OF_OPENSSL, *literals) for word in WORD.findall(text))
    try:
        terms = Contract.load(SERVED).terms
    # Nothing is judged without schemas, but a log record that fails would end the connection of the client.
    except (OSError, ValueError, LookupError):
        return DocumentedTerms(words, frozenset())
    return DocumentedTerms(terms.words | words, terms.codes)
