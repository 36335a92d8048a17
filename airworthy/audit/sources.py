"""What a file of recorded traffic is, by its content."""

import mmap
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from airworthy.audit.evidence_lines import EvidenceLines
from airworthy.audit.har import Har
from airworthy.audit.pieces import Data, Source, UnreadableError
from airworthy.errors import UsageError

_HEAD: Final = 512
_BLANKS: Final = b"\xef\xbb\xbf \t\r\n"
_FLOW: Final = re.compile(rb"[0-9]{1,12}:")
_GZIP: Final = b"\x1f\x8b"


def source(path: Path) -> Source:
    """Open a recording, whatever its name.

    Raises `UsageError` where there is no such file, `UnreadableError` where it is no recording.
    """
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if head else None
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from None
    except ValueError:
        raise UsageError(f"{path}: not a regular file") from None
    if data is None:
        raise UnreadableError("the file is empty")
    return _format(head)(data)


def _format(head: bytes) -> Callable[[Data], Source]:
    beginning = head.lstrip(_BLANKS)
    if beginning.startswith(b'{"id":'):
        return EvidenceLines
    if beginning.startswith(b"{"):
        return Har
    if _FLOW.match(head):
        # mitmproxy takes longer to import than many a file to audit.
        from airworthy.audit.flows import Flows  # noqa: PLC0415

        return Flows
    if head.startswith(_GZIP):
        raise UnreadableError("the file is compressed: unpack it first")
    raise UnreadableError("the file is neither a HAR, nor mitmproxy's flows, nor evidence")
