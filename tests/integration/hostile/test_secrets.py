"""No file and no line of the terminal contains personal data or secrets, even if a service repeats them."""

import json
import re
from datetime import date
from uuid import uuid4

import pytest

from airworthy.sandbox import SandboxServer
from collected_suite import JUDGED, FinishedRun
from conformance.v4 import request_bodies as bodies
from conformance.v4.request_bodies import OrderOptions, PassengerCounts
from integration.conftest import FAULTY, FullRun

# The personal data in an order of the suite: fixed values, and patterns of those that differ in each order.
PERSON = (
    r"Amelia|Oliver|Greta",
    r"Bessie|Santos",
    r"Dumont",
    r"Airworthy[a-z]{3}",
    r"airworthy[a-z]{3,}@",
    r"91234567[0-9]|60012345[0-9]|60065432[0-9]|91265432[0-9]|61265432[0-9]|31265432[0-9]",
    r"Calle de la Prueba",
    # Four letters, because a pseudonym may start with the same two by chance.
    r"AIRW[0-9]{5}",
)


def secrets() -> list[str]:
    with SandboxServer() as sandbox:
        values = sandbox.profile()
    cards = [each["number"] for each in values["payment"].values() if isinstance(each, dict) and "number" in each]
    organisations = (values, values["second_organisation"])
    keys = [each["v4"][name] for each in organisations for name in ("key", "customer_code")]
    tokens = [values["payment"]["token"], *(each["v3"]["token"] for each in organisations)]
    return [re.escape(each) for each in (*keys, *tokens, *cards)]


def test_order_of_the_suite_contains_the_personal_data() -> None:
    draft = bodies.create_order(
        str(uuid4()), str(uuid4()), PassengerCounts(), OrderOptions(), date(2026, 11, 2), documents=["PASSPORT"]
    )

    assert [form for form in PERSON if not re.search(form, json.dumps(draft.body))] == []


@pytest.mark.parametrize("is_faulty", [False, True], ids=["no faults", "repeated in responses and errors"])
def test_no_file_contains_personal_data_or_secrets(
    full_run: FullRun, certified_run: FinishedRun, *, is_faulty: bool
) -> None:
    ran = full_run(faults=FAULTY) if is_faulty else certified_run

    assert (ran.exit_code != 0) == is_faulty
    files = {path.name: path.read_text(encoding="utf-8") for path in ran.folder.iterdir() if path.name != JUDGED}
    assert files.keys() >= {"results.json", "report.html", "junit.xml", "evidence.jsonl", "ledger.jsonl"}
    shown = re.compile("|".join((*PERSON, *secrets())))
    # The output of the terminal is one of the files.
    assert {name: found[0] for name, text in files.items() if (found := shown.search(text))} == {}
