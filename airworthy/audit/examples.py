"""Read the exchanges that a page about recorded traffic shows, redacted."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path

from airworthy.audit.evidence_file import EvidenceRecording
from airworthy.audit.formats import open_recording
from airworthy.audit.recording import UnreadableRecordingError
from airworthy.audit.run import AuditResult
from airworthy.contract import Exchange
from airworthy.errors import UsageError
from airworthy.evidence.pseudonyms import Pseudonyms
from airworthy.evidence.recorder import EvidenceRecord, read_line
from airworthy.evidence.redaction import RedactedExchange, Redactor
from airworthy.traffic.summary import Example

NewRedactor = Callable[[Pseudonyms], Redactor]


def example_exchanges(
    result: AuditResult, wanted: Iterable[Example], new_redactor: NewRedactor
) -> Mapping[Example, EvidenceRecord | RedactedExchange]:
    """Return the wanted ones of the summary's examples, as far as their recordings are on this machine, unchanged.

    The pseudonyms depend on these exchanges alone, so that the same recordings give the same page.
    """
    places: dict[Path, dict[int, Example]] = {}
    for example in wanted:
        if place := result.examples.get(example):
            places.setdefault(Path(result.files[place[0]]), {})[place[1]] = example
    found = dict(_read(places))
    key = hashlib.sha256("\n".join(map(repr, found.values())).encode("utf-8", "replace")).digest()
    redactor = new_redactor(Pseudonyms(key))
    return {example: redactor.redacted(each) if isinstance(each, Exchange) else each for example, each in found.items()}


def _read(places: Mapping[Path, Mapping[int, Example]]) -> Iterator[tuple[Example, EvidenceRecord | Exchange]]:
    for path, entries in places.items():
        with suppress(UsageError, UnreadableRecordingError, OSError, ValueError):
            recording = open_recording(path)
            first, _ = next(iter(recording.chunks()))
            for number, entry in enumerate(islice(recording.entries(first), max(entries) + 1)):
                if number not in entries:
                    continue
                if isinstance(recording, EvidenceRecording):
                    yield entries[number], read_line(entry.content)
                elif exchange := recording.exchange(entry.content, entries[number][0])[0]:
                    yield entries[number], exchange
