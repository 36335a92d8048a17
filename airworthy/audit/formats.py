"""Detect the format of a recording by its content."""

import mmap
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from airworthy.audit.evidence_file import EvidenceRecording
from airworthy.audit.har_file import HarRecording
from airworthy.audit.recording import Data, Recording, UnreadableRecordingError
from airworthy.errors import UsageError

_HEAD: Final = 512
_BLANKS: Final = b"\xef\xbb\xbf \t\r\n"
_FLOW: Final = re.compile(rb"[0-9]{1,12}:")
_GZIP: Final = b"\x1f\x8b"


def open_recording(path: Path) -> Recording:
    """Open a recording; its file name does not matter.

    Raises `UsageError` if the file cannot be opened, `UnreadableRecordingError` if it is not a recording.
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
        raise UnreadableRecordingError("the file is empty")
    return _format(head)(data)


def _format(head: bytes) -> Callable[[Data], Recording]:
    beginning = head.lstrip(_BLANKS)
    if beginning.startswith(b'{"id":'):
        return EvidenceRecording
    if beginning.startswith(b"{"):
        return HarRecording
    if _FLOW.match(head):
        # Importing mitmproxy takes longer than auditing many a file, so only flow files pay for it.
        from airworthy.audit.flow_file import FlowRecording  # noqa: PLC0415 - see above

        return FlowRecording
    if head.startswith(_GZIP):
        raise UnreadableRecordingError("the file is compressed: decompress it first")
    raise UnreadableRecordingError("the file is not a HAR file, a mitmproxy flow file or evidence")
