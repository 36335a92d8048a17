"""Features with few rules, and their steps, for tests of the plugin."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from airworthy import register
from airworthy.resources import Resource, resource
from airworthy.suite import aggregate, selection

STEPS = """
from pytest_bdd import given, parsers, scenarios, then, when
from airworthy.suite.outcomes import NotApplicable, SeatsGone, Untested, comparisons, expect, prerequisite
from airworthy.suite import ages
import pytest

OLD, LESS = "an offer stored more than 30 minutes ago", "a booking request in v3 made more than 5 minutes ago"

scenarios("features")

@pytest.fixture(autouse=True)
def compared():
    # Every scenario makes at least one comparison.
    comparisons.total += 1

@then("nothing is compared")
def _(): comparisons.total = 0

@then("the contract judges the responses")
def _(scenario_capture): scenario_capture.relies_on_contract = True

def search(profile, **changes):
    route = profile.route("regular")
    place = lambda code: {"code": code, "type": "AIRPORT"}
    segment = {"origin": place(route.origin), "destination": place(route.destination), "departureDate": "%s"}
    body = {"adults": 1, "children": 0, "infants": 0, "tripType": "ONE_WAY", "inboundSegment": None,
            "customerCode": profile.organisation.v4.customer_code.reveal(), "outboundSegment": segment}
    return body | changes

@pytest.fixture(scope="session")
def send_search(client, clock, profile):
    def send_search(**changes):
        body = search(profile, **changes)
        today = clock.now().date()
        body["outboundSegment"]["departureDate"] = profile.route("regular").departure_date(today).isoformat()
        return client.send("POST", "/v4/search", json=body)
    return send_search

@given("nothing")
def _(): pass

@when("offers are searched", target_fixture="exchange")
def _(send_search): return send_search()

@when(parsers.parse("offers are searched for {adults:d} adults"), target_fixture="exchange")
def _(send_search, adults): return send_search(adults=adults)

@given(parsers.re("flights of (?P<version>v2|v3)( as (?P<form>bearer|bare))?"))
def _(client, profile, version, form):
    credentials = getattr(profile.organisation, version)
    key = credentials.token.reveal() if form == "bare" else credentials.authorization("GET")
    client.send("GET", f"/{version}/flights?origin=MAD&destination=PMI", key=key)

@given("a violation of V4-SEARCH-ADULTS is announced")
def _(expects_request_finding): expects_request_finding("V4-SEARCH-ADULTS")

@then("it fails")
def _(exchange):
    expect(False, "it must fail", expected="status 400", actual="status 200", pointer="status", exchange=exchange)

@then(parsers.parse("it is {outcome}"))
def _(outcome):
    raise {"untested": Untested("no route"), "not applicable": NotApplicable("no bags"),
           "interrupted": KeyboardInterrupt(), "an internal error": LookupError("oops")}[outcome]

@then("its seats are gone")
def _(exchange): raise SeatsGone("no seats", exchange)

@given("an offer that could not be stored")
def _(send_search):
    exchange = send_search()
    with prerequisite("no offer could be stored", rule="V4-BETA", exchange=exchange):
        expect(False, "the offer must be stored", actual="status 500", pointer="status", exchange=exchange)

@then("something is observed")
def _(observe, exchange): observe("OPEN-31", "status", exchange.response.status, exchange)

@then("a soft check fails")
def _(warn): warn("a bit odd")

log = []

@pytest.fixture(scope="session")
def aged_items(profile):
    def start(name):
        log.append(name)
        return name
    return {
        step: ages.item(step, lambda name=name: start(name), profile.lifetimes)
        for name, step in (("old", OLD), ("less", LESS))
    }

@given(parsers.re("(?P<what>an offer stored more.*|a booking request in v3 made more.*)"))
def _(ageing, what):
    log.append(ageing.aged(what))

@then("the log is shown")
def _(observe): observe("OPEN-06", "log", " ".join(log))
"""

OLD, LESS = "an offer stored more than 30 minutes ago", "a booking request in v3 made more than 5 minutes ago"

# For the conftest of the folder: other processes find its features only so.
FEATURES_OF_THE_FOLDER = """
from pathlib import Path
from airworthy import register
from airworthy.resources import resource
from airworthy.suite import aggregate, selection

for module in (register, aggregate, selection):
    module.resource = lambda name: Path(__file__).parent / "features" if name == "features" else resource(name)
"""


@dataclass(frozen=True)
class MiniSuite:
    """The plugin with a few rules in place of all features."""

    pytester: pytest.Pytester
    monkeypatch: pytest.MonkeyPatch

    def use(self, *rules: str) -> None:
        """Replace all features by these rules."""
        folder = self.pytester.mkdir("features")
        (folder / "mini.feature").write_text("@v2 @v3 @v4\nFeature: Mini\n\n" + "\n".join(rules))
        self.pytester.makepyfile(test_mini=STEPS)

        def local(name: Resource) -> Path:
            return folder if name == "features" else resource(name)

        for module in (register, aggregate, selection):
            self.monkeypatch.setattr(module, "resource", local)

    def run(self, *arguments: str) -> pytest.RunResult:
        """Run the features; the report goes to reports/run."""
        plugins = ["airworthy.suite.plugin", "no:cacheprovider", "no:hypothesispytest"]
        options = [*(f"-p{each}" for each in plugins), "--strict-markers", "--run-id", "run"]
        return self.pytester.runpytest_inprocess(*options, *arguments, no_reraise_ctrlc=True)

    def results(self) -> dict[str, Any]:
        """Read results.json, with the rules by their ids."""
        document = json.loads((self.pytester.path / "reports" / "run" / "results.json").read_text())
        found: dict[str, Any] = document["results"]
        rules = {each["id"]: each for each in found["rules"]}
        return found | {"decision": document["decision"]["outcome"], "rules": rules}


def rule(identifier: str, *steps: str, tags: str = "") -> str:
    lines = [f"  @{identifier}", f"  Rule: The statement of {identifier}", "    Source: v4, somewhere", ""]
    lines += [f"    {tags}"] if tags else []
    lines += [f"    Scenario: {identifier.lower()}", *(f"      {step}" for step in steps), ""]
    return "\n".join(lines)


def outline(identifier: str, step: str, *rows: str) -> str:
    lines = rule(identifier, step).replace("Scenario:", "Scenario Outline:").splitlines()
    return "\n".join(
        [*lines, "", "      Examples:", "        | interface |", *(f"        | {row} |" for row in rows), ""]
    )


def verdicts(found: Mapping[str, Any]) -> dict[str, str]:
    return {name: each["verdict"] for name, each in found["rules"].items()}
