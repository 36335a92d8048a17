"""An audit judges linked exchanges together and in order, in any number of processes."""

import json
import signal
import sys
from dataclasses import replace
from datetime import timedelta
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airworthy.audit import AuditSettings, audit, judging, pool, run
from airworthy.audit.partition import Partition
from airworthy.contract import Contract, Conversation, Exchange, InMemoryStore, ServiceAddress
from airworthy.contract.conversation.store import Subject
from airworthy.contract.links import Links, links
from airworthy.errors import AirworthyError
from airworthy.evidence.recorder import Recorder, read
from airworthy.traffic import TrafficMonitor
from airworthy.traffic.document import to_json
from command_line import start
from conformance.v3 import samples as flight_samples
from conformance.v3.request_bodies import Interface
from conformance.v4 import samples
from exchange_parts import authorized, changed_request, changed_response, response_of

from .recordings import ANYBODY, audited, entry, evidence, har, lines

CONVERSATIONS = [samples.conversation(), flight_samples.conversation("v3"), flight_samples.conversation("v2")]
V4 = CONVERSATIONS[0]
CONFIRMATION = next(each for each in V4 if each.request.url.endswith("/confirm"))
AGAIN = replace(CONFIRMATION, id="again", started=CONFIRMATION.started + timedelta(minutes=50))


def later(exchange: Exchange, seconds: float) -> Exchange:
    return replace(exchange, started=exchange.started + timedelta(seconds=seconds))


def renamed(exchange: Exchange, number: int) -> Exchange:
    """The exchange of another conversation, with other ids."""

    def other(text: str) -> str:
        for version in ("05b7786d", "70689144", "6231f121", "fa314e55"):
            text = text.replace(version, f"{number:04x}{version[4:]}")
        return text

    sent, returned = (
        other((each or b"").decode()).encode() for each in (exchange.request.body, response_of(exchange).body)
    )
    asked = changed_request(exchange, url=other(exchange.request.url), body=sent)
    return replace(changed_response(asked, body=returned), id=f"{exchange.id}-{number}")


def day(journeys: int, *, seed: int = 1) -> list[Exchange]:
    """Interleaved conversations of v4 in order of time, of which every third confirms twice."""
    found = []
    for number in range(journeys):
        whole = [*V4, *([AGAIN] if number % 3 == 0 else [])]
        found += [later(renamed(each, number), Random(seed + number).random() * 500) for each in whole]  # noqa: S311
    return sorted(found, key=lambda each: each.started)


@pytest.mark.parametrize("files", [([AGAIN, *reversed(V4)],), ([AGAIN], V4[:5], V4[5:])], ids=["one", "several"])
def test_exchanges_are_judged_in_order_of_time(tmp_path: Path, files: tuple[list[Exchange], ...]) -> None:
    found = audited(*(har(map(entry, each)) for each in files), folder=tmp_path)

    assert set(lines(found, "file", "entry", "rule")) == {(str(tmp_path / "recording-0"), 0, "V4-CONFIRM-ONCE")}


@pytest.mark.parametrize("together", [False, True])
def test_exchange_in_two_recordings_or_twice_in_one_is_judged_once(tmp_path: Path, together: bool) -> None:
    morning, day, twice = (har(map(entry, each)) for each in (V4[:-1], V4, [each for each in V4 for _ in range(2)]))

    for recordings in ((morning, day), (twice,)):
        found = audited(*recordings, folder=tmp_path, together=together)

        assert lines(found) == []
        assert found.summary.seen == found.summary.judged == len(V4)


@pytest.mark.parametrize(
    ("first", "second"),
    [({"time": 0}, {"time": 0}), ({"time": 7}, {"time": 8}), ({}, {"startedDateTime": "2035-11-02T10:59:59Z"})],
)
def test_equal_exchange_of_another_time_is_another_exchange(
    tmp_path: Path, first: dict[str, Any], second: dict[str, Any]
) -> None:
    found = audited(har([entry(CONFIRMATION) | first]), har([entry(CONFIRMATION) | second]), folder=tmp_path)

    assert found.summary.seen == 2


def test_findings_are_in_the_order_of_files_and_entries(tmp_path: Path) -> None:
    traffic = day(20)
    Random(3).shuffle(traffic)  # noqa: S311

    found = audited(har(map(entry, traffic[:99])), har(map(entry, traffic[99:])), folder=tmp_path)

    places = lines(found, "file", "entry")
    assert places == sorted(places)
    assert len(places) == 14


@pytest.mark.parametrize(("jobs", "anew"), [(2, True), (4, False)])
def test_findings_do_not_depend_on_the_number_of_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: int, anew: bool
) -> None:
    if anew:
        monkeypatch.setattr(pool, "_start_method", lambda: "spawn")
    monkeypatch.setattr(pool, "_BYTES_PER_PROCESS", 1)
    monkeypatch.setattr(run, "_BATCH_ENTRIES", 20)
    traffic = day(18)
    recorded = evidence(tmp_path / "evidence", chain(*CONVERSATIONS))
    contents = har(map(entry, traffic)), recorded, b"junk", har([None, 1])

    alone = audited(*contents, folder=tmp_path, jobs=1)
    shared = audited(*contents, folder=tmp_path, jobs=jobs)

    assert list(shared.lines) == list(alone.lines)
    assert to_json(shared.summary) == to_json(alone.summary)
    assert shared.examples == alone.examples
    assert len(lines(alone)) > 12


def test_findings_are_the_same_as_live(tmp_path: Path) -> None:
    traffic = [*day(10), *(later(each, 7) for each in chain(*CONVERSATIONS[1:]))]
    watch = TrafficMonitor(ANYBODY)
    live = [(found.rule, found.pointer, found.message) for each in traffic for found in watch.observe(each)]

    found = audited(har(map(entry, traffic)), folder=tmp_path)
    assert sorted(live) == sorted(lines(found, "rule", "pointer", "message"))
    assert len(live) == 8


def test_killed_process_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "_BYTES_PER_PROCESS", 1)
    monkeypatch.setattr(pool, "_work", _end)

    with pytest.raises(AirworthyError, match="--jobs 1"):
        audited(har([entry(CONFIRMATION)]), folder=tmp_path, jobs=2)


def _end(*_: object) -> None:
    import os  # noqa: PLC0415

    os._exit(1)


def test_progress_reaches_the_end(tmp_path: Path) -> None:
    path = tmp_path / "traffic.har"
    path.write_bytes(har(map(entry, V4)))
    progress: list[tuple[int, int]] = []

    audit(AuditSettings((path,)), jobs=1, progress=lambda done, whole: progress.append((done, whole)))

    done = [each for each, _ in progress]
    assert done == sorted(done)
    assert {whole for _, whole in progress} == {2 * path.stat().st_size}
    assert 0.9 < done[-1] / progress[-1][1] <= 1


def test_evidence_has_the_exchanges_of_the_service_in_file_order(tmp_path: Path) -> None:
    path = tmp_path / "traffic.har"
    other = changed_request(CONFIRMATION, url="https://other.example/x")
    path.write_bytes(har(map(entry, [other, *reversed(V4)])))

    with Recorder(tmp_path / "evidence.jsonl", ANYBODY) as recorder:
        found = audit(AuditSettings((path,)), jobs=1, recorder=recorder)

    assert [record.exchange.id for record in read(tmp_path / "evidence.jsonl")] == [
        f"{path}:{at}" for at in range(1, 10)
    ]
    assert (found.summary.seen, found.summary.foreign) == (10, 1)
    assert "sample-token" not in (tmp_path / "evidence.jsonl").read_text(encoding="utf-8")


# Links


class Noting:
    """A store that records the keys that are looked up."""

    def __init__(self) -> None:
        self.memory, self.looked_up = InMemoryStore(), set[tuple[Subject, str]]()

    def get(self, subject: Subject, key: str) -> Any:  # noqa: ANN401
        self.looked_up.add((subject, key))
        return self.memory.get(subject, key)

    def put(self, subject: Subject, key: str, value: Any) -> None:  # noqa: ANN401
        self.looked_up.add((subject, key))
        self.memory.put(subject, key, value)


def mixed() -> list[Exchange]:
    """A conversation of all versions, in which v3 requests what only v4 and v2 have shown."""
    look_up, reservation = CONVERSATIONS[1][3], next(each for each in V4 if "/reservation/" in each.request.url)
    shown = json.loads(response_of(reservation).body or b"")
    requested = {"locator": shown["pnr"], "order": shown["orderId"]}
    strangers = [
        replace(changed_request(look_up, url=f"{samples.BASE}/v3/bookings?cp_reference={value}"), id=name)
        for name, value in requested.items()
    ]
    return [*chain(*CONVERSATIONS), *strangers]


@pytest.mark.parametrize("conversation", [*CONVERSATIONS, mixed()], ids=["v4", "v3", "v2", "mixed"])
def test_exchanges_that_share_memory_are_linked(conversation: list[Exchange]) -> None:
    store = Noting()
    remembering = Conversation(store)
    speaking: dict[tuple[Subject, str], list[int]] = {}
    for number, each in enumerate(conversation):
        store.looked_up.clear()
        ANYBODY.judge(each, remembering)
        for key in (key for key in store.looked_up if key[1]):
            speaking.setdefault(key, []).append(number)
    groups = Partition[int]()
    for number, each in enumerate(conversation):
        groups.add(number, links(ANYBODY, each))

    group_of = {number: index for index, group in enumerate(groups) for number in group}
    parted = [key for key, numbers in speaking.items() if len({group_of[each] for each in numbers}) > 1]
    assert {subject for subject, _ in parted} <= {"secret"}
    assert any(len(numbers) > 1 for numbers in speaking.values())


def test_shared_secret_links_the_exchanges_that_send_it(tmp_path: Path) -> None:
    search, payment = V4[0], samples.sample("createPaymentMethod")
    leaked = later(authorized(payment, f"Bearer {dict(search.request.headers)['Authorization']}"), 900)
    watch = TrafficMonitor(ANYBODY)
    live = [found.rule for each in (search, payment, leaked) for found in watch.observe(each)]

    found = audited(har(map(entry, (leaked, payment, search))), folder=tmp_path)

    assert lines(found, "entry", "rule") == [(0, rule) for rule in live]
    assert len(live) == 1


def test_search_of_v4_is_linked_to_its_caller_only_and_foreign_traffic_to_nothing() -> None:
    contract = Contract.load(("v2", "v3", "v4"), ServiceAddress(("https://other.example",)))

    found = links(ANYBODY, V4[0])
    assert " caller " in found.caller
    assert found.names == frozenset()
    assert links(contract, CONFIRMATION) == Links()
    assert links(ANYBODY, CONFIRMATION).caller == found.caller


@pytest.mark.parametrize("version", ["v2", "v3"])
def test_flights_link_only_exchanges_without_a_credential(version: Interface) -> None:
    search = flight_samples.conversation(version)[0]
    of_two_callers = [links(ANYBODY, authorized(search, key)) for key in ("Bearer one", "Bearer two")]
    of_nobody = links(ANYBODY, authorized(search))

    assert len({each.caller for each in of_two_callers}) == 2
    assert not of_two_callers[0].names & of_two_callers[1].names
    assert any(" flight " in name for name in of_nobody.names)


def test_findings_do_not_depend_on_what_else_is_in_a_batch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    unknown = changed_request(V4[0], url=f"{samples.BASE}/v9/search", headers=(), body=b"{}")
    content = har(entry(authorized(each)) for each in (unknown, *day(8)))
    together = audited(content, folder=tmp_path)
    monkeypatch.setattr(run, "_BATCH_ENTRIES", 1)

    apart = audited(content, folder=tmp_path)

    assert list(apart.lines) == list(together.lines)
    assert to_json(apart.summary) == to_json(together.summary)
    assert (0, "V4-OPERATIONS") in lines(apart, "entry", "rule")


@given(st.lists(st.frozensets(st.sampled_from("abcdefgh"), max_size=3), max_size=12))
def test_groups_are_the_connected_components(names: list[frozenset[str]]) -> None:
    groups = Partition[int]()
    for number, each in enumerate(names):
        groups.add(number, Links(names=each))
    components: list[tuple[list[int], frozenset[str]]] = []
    for number, each in enumerate(names):
        linked = [component for component in components if component[1] & each]
        members = sorted([number, *chain(*(numbers for numbers, _ in linked))])
        others = [component for component in components if component not in linked]
        components = [*others, (members, each.union(*(shared for _, shared in linked)))]

    assert list(groups) == sorted(numbers for numbers, _ in components)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_no_process_outlives_a_killed_audit(tmp_path: Path, how: signal.Signals) -> None:
    program = f"""
import signal
from pathlib import Path
from airworthy.audit.pool import WorkerPool
from airworthy.audit.worker import AuditSettings, AuditWorker, Chunk

settings = AuditSettings((Path({str(tmp_path / "day.har")!r}),))
with WorkerPool(settings, AuditWorker(settings), 1 << 30, 3) as pool:
    list(pool.scan([Chunk(0, 0, 1)] * 6))
    print("ready", flush=True)
    signal.pause()
"""
    (tmp_path / "day.har").write_bytes(har([entry(each) for each in V4]))
    with start(sys.executable, "-c", program) as audit_process:
        assert audit_process.stdout
        assert audit_process.stdout.readline() == "ready\n"
        audit_process.send_signal(how)
        # Every process of the audit holds this pipe: it ends with the last of them.
        assert audit_process.stdout.read() == ""


def test_example_is_in_the_file_with_the_first_of_equal_ids(tmp_path: Path) -> None:
    body = (V4[0].request.body or b"").replace(b'"adults": 1', b'"adults": 0')
    wrong = changed_request(V4[0], body=body)
    files = [evidence(tmp_path / name, [each]) for name, each in (("a", later(wrong, 60)), ("b", wrong))]

    found = audited(*files, folder=tmp_path)

    assert {found.examples[row.example] for row in found.summary.rows()} == {(1, 0)}


@pytest.mark.parametrize("together", [True, False])
def test_judging_together_finds_the_same(tmp_path: Path, *, together: bool) -> None:
    paths = tuple(tmp_path / name for name in ("a.har", "b.har"))
    for path, part in zip(paths, (V4[5:], V4[:5]), strict=True):
        path.write_bytes(har(map(entry, part)))

    with Recorder(tmp_path / "evidence.jsonl", ANYBODY) as recorder:
        found = audit(AuditSettings(paths, labels=("a", "b"), together=together), jobs=1, recorder=recorder)

    apart = audit(AuditSettings(paths, labels=("a", "b")), jobs=1)
    assert to_json(found.summary) == to_json(apart.summary)
    in_order_of_time = [*(f"b:{at}" for at in range(5)), *(f"a:{at}" for at in range(len(V4) - 5))]
    in_order_of_files = [*in_order_of_time[5:], *in_order_of_time[:5]]
    expected = in_order_of_time if together else in_order_of_files
    assert [record.exchange.id for record in read(tmp_path / "evidence.jsonl")] == expected


def test_only_locations_of_examples_are_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = har(map(entry, [*V4, *[replace(CONFIRMATION, elapsed=0.0)] * 20]))
    every = audited(content, folder=tmp_path, together=True)
    monkeypatch.setattr(judging, "_MOST_LOCATIONS", 2)

    few = audited(content, folder=tmp_path, together=True)

    assert few.examples == every.examples
    assert len(few.examples) == 1
