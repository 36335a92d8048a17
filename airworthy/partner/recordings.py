"""Judge the recordings of a partner once, and copy its exchanges with the service to redacted evidence."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from airworthy.audit import AuditSettings, audit, called_hosts
from airworthy.audit.formats import open_recording
from airworthy.audit.recording import UnreadableRecordingError
from airworthy.contract import Contract, ServiceAddress
from airworthy.contract.http.operations import SERVED
from airworthy.errors import UsageError, unwritable
from airworthy.evidence import Pseudonyms, Recorder, verify_chain, verify_chains
from airworthy.evidence.files import is_evidence
from airworthy.report.integration import RecordedFile
from airworthy.report.results import Integrity
from airworthy.target.profile import Profile
from airworthy.target.variables import public_terms, secret_placeholders
from airworthy.traffic import Summary
from airworthy.traffic.golive import GoLiveSettings, golive_settings

EVIDENCE = "evidence.jsonl"
_BLOCK = 1024 * 1024
_MOST_HOSTS = 5


@dataclass(frozen=True, slots=True)
class JudgedRecordings:
    """What a partner's recordings show. ``integrity`` is that of the evidence in the folder of the run."""

    files: tuple[RecordedFile, ...]
    summary: Summary
    settings: GoLiveSettings
    integrity: Integrity


def judge_recordings(files: Sequence[Path], profile: Profile | None, folder: Path) -> JudgedRecordings:
    """Judge recordings, and write the exchanges with the service to ``evidence.jsonl`` in a folder.

    The pseudonyms in the evidence depend on the recordings alone, so that equal recordings give equal evidence.

    Raises:
        UsageError: a file is not a recording, its evidence was changed, or it has no exchange with the service.
        StorageError: the evidence cannot be written.
    """
    _check(files)
    recorded = tuple(map(_recorded_file, files))
    labels = _labels([each.name for each in recorded])
    recorded = tuple(RecordedFile(label, each.sha256, each.size) for label, each in zip(labels, recorded, strict=True))
    secrets = secret_placeholders(profile) if profile else {}
    service = _service(profile)
    settings = golive_settings(profile)
    key = hashlib.sha256("\n".join(each.sha256 for each in recorded).encode()).digest()
    evidence = folder / EVIDENCE
    try:
        contract, public = Contract.load(SERVED, service), public_terms(profile)
        with Recorder(evidence, contract, pseudonyms=Pseudonyms(key), secrets=secrets, public=public) as recorder:
            # The exchanges of one partner belong together, so that more processes would have nothing to judge.
            audited = AuditSettings(tuple(files), service, settings, labels=labels, together=True)
            result = audit(audited, jobs=1, recorder=recorder)
    except OSError as error:
        raise unwritable(str(evidence), error) from None
    if not result.summary.golive.versions:
        at = f" at {profile.base_url}" if profile else ""
        found = ", ".join(called_hosts(files)[:_MOST_HOSTS]) if profile else ""
        instead = f"; the traffic is with {found}: correct base_url in {profile.source}" if profile and found else ""
        raise UsageError(f"{', '.join(labels)}: no exchange with an operation of the service{at}{instead}")
    chain = verify_chain(evidence)
    integrity = Integrity(evidence.name, chain.sha256, chain.lines, chain.last_hash, chain.unredacted)
    return JudgedRecordings(recorded, result.summary, settings, integrity)


def _check(files: Sequence[Path]) -> None:
    """Raise `UsageError` if a file is not a recording, or is evidence that was changed after it was recorded."""
    for path in files:
        try:
            open_recording(path)
        except UnreadableRecordingError as error:
            raise UsageError(f"{path}: {error}") from None
    for chain in verify_chains(filter(is_evidence, files), later_start=True):
        for problem in chain.problems:
            if not problem.is_unfinished:
                raise UsageError(problem.explained)


def _recorded_file(path: Path) -> RecordedFile:
    total = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            total.update(block)
    name = path.name.encode("utf-8", "replace").decode()
    return RecordedFile(name, total.hexdigest(), path.stat().st_size)


def _labels(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names, with a number where several files have the same name."""
    return tuple(
        f"{name}#{names[: index + 1].count(name)}" if names.count(name) > 1 else name
        for index, name in enumerate(names)
    )


def _service(profile: Profile | None) -> ServiceAddress:
    if profile is None:
        return ServiceAddress()
    providers = (profile.payment.url,) if profile.payment.url else ()
    return ServiceAddress((profile.base_url,), providers, profile.allow_plain_http)
