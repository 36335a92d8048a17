"""Detect the format of a recording by its content."""

import mmap
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

from airworthy.audit.har_file import HarRecording
from airworthy.audit.recording import EntryFormat, EvidenceRecording, Recording, UnreadableRecordingError
from airworthy.errors import UsageError, reading
from airworthy.evidence import compression
from airworthy.evidence.chain import BEGINNING
from airworthy.evidence.compression import Data, read_head
from airworthy.evidence.files import FoundFiles, find_files, is_evidence

if TYPE_CHECKING:
    from airworthy.audit.flow_file import FlowRecording

_HEAD: Final = 512
_BLANKS: Final = b"\xef\xbb\xbf \t\r\n"
_HAR: Final = re.compile(rb'\{\s*"log"\s*:')
_FLOW: Final = re.compile(rb"[0-9]{1,12}:")
_GZIP: Final = b"\x1f\x8b"


def open_recording(path: Path) -> Recording:
    """Open a recording; its file name does not matter. A compressed one is decompressed to a temporary file.

    Raises:
        UsageError: the file cannot be opened.
        UnreadableRecordingError: it is not a recording, or decompresses to too many bytes.
        OSError: the temporary file cannot be written.
    """
    return recording_of(_content(path))


def recording_of(data: Data) -> Recording:
    """Return the recording in a buffer, such as the content of an object in an object store.

    Raises:
        UnreadableRecordingError: it is not a recording, or decompresses to too many bytes.
        OSError: it is compressed, and the temporary file cannot be written.
    """
    if compression.is_compressed(data[:_HEAD]):
        data = _decompressed(data)
    return _format(data[:_HEAD])(data)


def entry_format(name: str) -> EntryFormat:
    """Return what reads single entries of the format with a name."""
    formats: tuple[type[Recording], ...] = (EvidenceRecording, HarRecording)
    return next((each for each in formats if each.format_name == name), None) or _flow_recording()


def find_recordings(paths: Iterable[Path], what: str = "recordings") -> FoundFiles:
    """Return the named files and the recordings in the named folders and their subfolders.

    Raises `UsageError` if a folder does not contain a recording, or it or a file in it cannot be read; ``what`` names
    in the message what it does not contain.
    """
    return find_files(paths, _is_recording, what)


def recording_size(path: Path) -> int:
    """Return the approximate number of bytes to judge. Raises `UsageError` if the file cannot be opened."""
    data = _content(path)
    return compression.decompressed_size(data) if compression.is_compressed(data[:_HEAD]) else len(data)


def _content(path: Path) -> Data:
    try:
        with reading(path), path.open("rb") as file:
            return _mapped(file)
    except ValueError:
        raise UsageError(f"{path}: not a regular file") from None


def _decompressed(data: Data) -> Data:
    try:
        with compression.decompressed(data) as file:
            return _mapped(file)
    except compression.TooLargeError:
        raise UnreadableRecordingError(compression.TOO_LARGE) from None


def _mapped(file: BinaryIO) -> Data:
    # An empty file cannot be mapped.
    return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if file.read(1) else b""


def _is_recording(path: Path) -> bool:
    head = read_head(path, _HEAD)
    return bool(is_evidence(path) or _HAR.match(head.lstrip(_BLANKS)) or _FLOW.match(head))


def _format(head: bytes) -> Callable[[Data], Recording]:
    if not head:
        raise UnreadableRecordingError("the file is empty")
    beginning = head.lstrip(_BLANKS)
    if beginning.startswith(BEGINNING):
        return EvidenceRecording
    if beginning.startswith(b"{"):
        return HarRecording
    if _FLOW.match(head):
        return _flow_recording()
    if head.startswith(compression.DAMAGE):
        raise UnreadableRecordingError("the file is compressed, and damaged")
    if head.startswith(_GZIP):
        raise UnreadableRecordingError("the file is compressed: decompress it first")
    raise UnreadableRecordingError("the file is not a HAR file, a mitmproxy flow file or evidence")


def _flow_recording() -> "type[FlowRecording]":
    # Importing mitmproxy takes longer than auditing many a file, so only flow files pay for it.
    from airworthy.audit.flow_file import FlowRecording  # noqa: PLC0415 - see above

    return FlowRecording
