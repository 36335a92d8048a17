"""The plugin, on small features of its own, against the embedded sandbox."""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from airworthy import register
from airworthy.resources import Resource, resource
from airworthy.sandbox import SandboxServer, Settings
from airworthy.sandbox.faults import faults
from airworthy.suite import aggregate, selection

pytest_plugins = ["pytester"]

CANARY = "canary-key-7f3a"
STEPS = """
from pytest_bdd import given, parsers, scenarios, then, when
from airworthy.suite.outcomes import NotApplicable, Untested, Warn, expect, prerequisite
from airworthy.suite.ages import BY_STEP
import pytest

OLD, LESS = "an offer stored more than 30 minutes ago", "a request in v3 made more than 5 minutes ago"

scenarios("features")

def search(profile, **changes):
    route = profile.route("regular")
    place = lambda code: {"code": code, "type": "AIRPORT"}
    segment = {"origin": place(route.origin), "destination": place(route.destination), "departureDate": "%s"}
    body = {"adults": 1, "children": 0, "infants": 0, "tripType": "ONE_WAY", "inboundSegment": None,
            "customerCode": profile.organisation.v4.customer_code.reveal(), "outboundSegment": segment}
    return body | changes

@pytest.fixture(scope="session")
def ask(client, clock, profile):
    def ask(**changes):
        body = search(profile, **changes)
        body["outboundSegment"]["departureDate"] = profile.route("regular").departure(clock.now().date()).isoformat()
        return client.send("POST", "/v4/search", json=body)
    return ask

@given("nothing")
def _(): pass

@when("offers are searched", target_fixture="exchange")
def _(ask): return ask()

@when(parsers.parse("offers are searched for {adults:d} adults"), target_fixture="exchange")
def _(ask, adults): return ask(adults=adults)

@given(parsers.re("flights of (?P<version>v2|v3)( as (?P<form>bearer|bare))?"))
def _(client, profile, version, form):
    credentials = getattr(profile.organisation, version)
    key = credentials.token.reveal() if form == "bare" else credentials.authorization("GET")
    client.send("GET", f"/{version}/flights?origin=MAD&destination=PMI", key=key)

@given("it is announced that V4-SEARCH-ADULTS is broken")
def _(expects_request_finding): expects_request_finding("V4-SEARCH-ADULTS")

@then("it fails")
def _(exchange):
    expect(False, "it should have failed", expected="refusal", actual="answer", pointer="status", exchange=exchange)

@then(parsers.parse("it is {outcome}"))
def _(outcome):
    raise {"untested": Untested("no route"), "not applicable": NotApplicable("no bags"), "odd": Warn("odd"),
           "broken off": KeyboardInterrupt(), "a mistake": LookupError("oops")}[outcome]

@given("an offer that could not be stored")
def _(ask):
    exchange = ask()
    with prerequisite("no offer could be stored", rule="V4-BETA", exchange=exchange):
        expect(False, "it is answered", actual="status 500", pointer="status", exchange=exchange)

@then("something is observed")
def _(observe, exchange): observe("OPEN-31", "status", exchange.response.status, exchange)

@then("the answer is a bit odd")
def _(warn): warn("a bit odd")

log = []

@pytest.fixture(scope="session")
def things_to_age(profile):
    def start(name):
        log.append(name)
        return name
    return {
        step: BY_STEP[step].thing(lambda name=name: start(name), profile.lifetimes)
        for name, step in (("old", OLD), ("less", LESS))
    }

@given(parsers.re("(?P<what>an offer stored more.*|a request in v3 made more.*)"))
def _(ageing, what):
    log.append(ageing.aged(what))

@then("the log is shown")
def _(observe): observe("OPEN-06", "log", " ".join(log))
"""

OLD, LESS = "an offer stored more than 30 minutes ago", "a request in v3 made more than 5 minutes ago"
SHORT = {"offer_seconds": 0.4, "request_seconds_min": 0.2, "request_seconds_max": 0.2}


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


Features = Callable[..., Path]


@pytest.fixture
def features(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Iterator[Features]:
    """``features(rule(…), …)`` makes these the only rules there are."""

    def make(*rules: str) -> Path:
        folder = pytester.mkdir("features")
        (folder / "mini.feature").write_text("@v2 @v3 @v4\nFeature: Mini\n\n" + "\n".join(rules))
        pytester.makepyfile(test_mini=STEPS)

        def local(name: Resource) -> Path:
            return folder if name == "features" else resource(name)

        for module in (register, aggregate, selection):
            monkeypatch.setattr(module, "resource", local)
        register.rules.cache_clear()
        return folder

    yield make
    register.rules.cache_clear()


@pytest.fixture
def run(pytester: pytest.Pytester) -> Callable[..., pytest.RunResult]:
    """Run the features; the report goes to reports/run."""

    def run(*arguments: str) -> pytest.RunResult:
        plugins = ["airworthy.suite.plugin", "no:cacheprovider", "no:hypothesispytest"]
        options = [*(f"-p{each}" for each in plugins), "--strict-markers", "--run-id", "run"]
        return pytester.runpytest_inprocess(*options, *arguments, no_reraise_ctrlc=True)

    return run


@pytest.fixture
def results(pytester: pytest.Pytester) -> Callable[[], dict[str, Any]]:
    """Read results.json, with the rules by their ids."""

    def read() -> dict[str, Any]:
        document = json.loads((pytester.path / "reports" / "run" / "results.json").read_text())
        found: dict[str, Any] = document["results"]
        return found | {
            "decision": document["decision"]["outcome"],
            "rules": {each["id"]: each for each in found["rules"]},
        }

    return read


Run = Callable[..., pytest.RunResult]
Read = Callable[[], dict[str, Any]]


def _verdicts(found: Mapping[str, Any]) -> dict[str, str]:
    return {name: each["verdict"] for name, each in found["rules"].items()}


def test_each_outcome_is_a_verdict_of_its_rule(features: Features, run: Run, results: Read) -> None:
    features(
        rule("V4-PASSED", "When offers are searched", "Then something is observed"),
        rule("V4-FAILED", "When offers are searched", "Then it fails"),
        rule("V4-UNTESTED", "Given nothing", "Then it is untested"),
        rule("V4-NOT-APPLICABLE", "Given nothing", "Then it is not applicable"),
        rule("V4-WARNED", "Given nothing", "Then it is odd"),
        rule("V4-WARNED-TOO", "Given nothing", "Then the answer is a bit odd"),
        rule("V4-ERROR", "Given nothing", "Then it is a mistake"),
        rule("V4-UNDEFINED", "Given a step that nobody wrote"),
        "  @V4-EXCLUDED @excluded\n  Rule: Nobody can see it\n    Excluded: nobody can.\n    Source: v4, there\n",
    )
    outcome = run()

    found = results()
    assert _verdicts(found) == {
        "V4-PASSED": "passed",
        "V4-FAILED": "failed",
        "V4-UNTESTED": "untested",
        "V4-NOT-APPLICABLE": "not_applicable",
        "V4-WARNED": "warning",
        "V4-WARNED-TOO": "warning",
        "V4-ERROR": "error",
        "V4-UNDEFINED": "error",
        "V4-EXCLUDED": "not_applicable",
    }
    outcome.assert_outcomes(passed=3, failed=3, skipped=2)
    assert outcome.ret == 1
    assert found["decision"] == "NOT CERTIFIED"
    assert not found["scope"]["filtered"]
    assert [(each["open_id"], each["value"]) for each in found["observations"]] == [("OPEN-31", "200")]
    assert found["timing"]["exchanges"] == 2
    assert found["integrity"]["lines"] == 2


def test_a_failure_is_readable_without_knowing_the_project(features: Features, run: Run) -> None:
    features(rule("V4-FAILED", "When offers are searched", "Then it fails"))
    outcome = run()
    outcome.stdout.fnmatch_lines(
        [
            "V4-FAILED: The statement of V4-FAILED",
            "*Source*v4, somewhere",
            "*When offers are searched",
            "*> Then it fails",
            "*Why*it should have failed",
            "*Expected*refusal",
            "*Came*answer",
            "*Where*response status, exchange x0001: POST https://*/v4/search, status 200",
            "*curl *",
            "*NOT CERTIFIED*",
            "*report*",
        ]
    )
    outcome.stdout.no_fnmatch_line("*Error*")
    outcome.stdout.no_fnmatch_line("*test_mini.py:[0-9]*")


def test_a_broken_prerequisite_fails_the_rule_that_owns_it(features: Features, run: Run, results: Read) -> None:
    steps = ("Given an offer that could not be stored", "Then it fails")
    features(rule("V4-ALPHA", *steps), rule("V4-BETA", "Given nothing"), rule("V4-GAMMA", *steps))
    outcome = run()

    found = results()
    assert _verdicts(found) == {"V4-ALPHA": "untested", "V4-BETA": "failed", "V4-GAMMA": "untested"}
    assert [(each["finding"]["rule"], each["count"]) for each in found["findings"]] == [("V4-BETA", 2)]
    assert outcome.ret == 1
    outcome.stdout.fnmatch_lines(
        ["*found by the contract in the exchanges of other scenarios*", "V4-BETA: no offer*(2 times)"]
    )


def test_the_contracts_findings_fail_their_rules_whoever_saw_them(features: Features, run: Run, results: Read) -> None:
    features(
        rule("V4-ALPHA", "When offers are searched"),
        rule("V4-SEARCH-OFFERS", "Given nothing"),
        rule("V4-SEARCH-FARE", "When offers are searched"),
        rule("V4-JSON-ANSWERS", "Given nothing"),
    )
    outcome = run("--fault", "fares-cut-off", "--fault", _fault_of("V4-SEARCH-FARE"))

    assert _verdicts(results())["V4-SEARCH-FARE"] == "failed"
    assert _verdicts(results())["V4-ALPHA"] == "passed"
    outcome.assert_outcomes(passed=3, failed=1)


def _fault_of(identifier: str) -> str:
    return next(name for name, fault in faults().items() if fault.rule == identifier)


def test_a_finding_without_a_failing_scenario_fails_the_run(features: Features, run: Run, results: Read) -> None:
    features(rule("V4-ALPHA", "When offers are searched"), rule("V4-SEARCH-FARE", "Given nothing"))
    outcome = run("--fault", _fault_of("V4-SEARCH-FARE"), "-k", "alpha")

    outcome.assert_outcomes(passed=1, deselected=1)
    assert outcome.ret == 1
    assert _verdicts(results())["V4-SEARCH-FARE"] == "failed"
    outcome.stdout.fnmatch_lines(["V4-SEARCH-FARE: *", "*NOT CERTIFIED*"])


def test_the_suites_own_mistake_is_an_error_unless_announced(features: Features, run: Run, results: Read) -> None:
    features(
        rule("V4-ALPHA", "When offers are searched for 10 adults"),
        rule(
            "V4-BETA", "Given it is announced that V4-SEARCH-ADULTS is broken", "When offers are searched for 10 adults"
        ),
        rule("V4-SEARCH-ADULTS", "When offers are searched for 10 adults"),
    )
    outcome = run()
    assert _verdicts(results()) == {"V4-ALPHA": "error", "V4-BETA": "passed", "V4-SEARCH-ADULTS": "passed"}
    assert outcome.ret == 4
    outcome.stdout.fnmatch_lines(["*the suite sent a request that breaks V4-SEARCH-ADULTS*"])


@pytest.mark.parametrize("arguments", [("-k", "alpha"), ("-m", "V4-ALPHA"), ("test_mini.py::test_v4alpha",)])
def test_a_filtered_run_has_results_and_no_certificate(
    features: Features, run: Run, results: Read, arguments: tuple[str, ...]
) -> None:
    features(rule("V4-ALPHA", "Given nothing"), rule("V4-BETA", "Given nothing"))
    outcome = run(*arguments)
    found = results()
    assert outcome.ret == 0
    assert found["decision"] == "INCOMPLETE"
    assert found["scope"]["filtered"]
    assert found["scope"]["filtered_why"].replace("'", "") == " ".join(arguments)
    assert _verdicts(found) == {"V4-ALPHA": "passed", "V4-BETA": "untested"}
    assert found["rules"]["V4-BETA"]["reason"] == "no scenario of it was selected"


SHARED = (
    rule("V4-ALPHA", "Given nothing"),
    rule("V3-BETA", "Given flights of v3"),
    rule("V2-GAMMA", "Given flights of v2"),
    outline("V23-DELTA", "Given flights of <interface>", "v2", "v3"),
    outline("V23-ELDER", "Given flights of <interface>", "v2"),
    rule("V23-EPSILON", "Given nothing"),
    rule("PAYMENT-ZETA", "Given nothing"),
    outline("EXPORT-ETA", "Given flights of <interface>", "v2", "v3"),
)


@pytest.mark.parametrize(
    ("versions", "examined"),
    [
        ("v2,v3,v4", "EXPORT-ETA PAYMENT-ZETA V2-GAMMA V23-DELTA V23-ELDER V23-EPSILON V3-BETA V4-ALPHA"),
        ("v4", "PAYMENT-ZETA V4-ALPHA"),
        ("v2", "EXPORT-ETA PAYMENT-ZETA V2-GAMMA V23-DELTA V23-ELDER V23-EPSILON"),
    ],
)
def test_interfaces_that_are_not_asked_for_are_no_gap(
    features: Features, run: Run, results: Read, versions: str, examined: str
) -> None:
    features(*SHARED)
    outcome = run("--versions", versions)
    assert outcome.ret == 0
    found = results()
    assert _verdicts(found) == dict.fromkeys(examined.split(), "passed")
    outcome.stdout.fnmatch_lines(["CERTIFIED", f"  versions  {versions.replace(',', ', ')}"])
    assert (found["decision"], found["scope"]["filtered"]) == ("CERTIFIED", False)
    assert found["scope"]["versions"] == versions.split(",")
    rows = [each["name"] for each in found["rules"].get("V23-DELTA", {}).get("scenarios", ())]
    assert rows == [f"v23-delta ({each})" for each in ("v2", "v3") if each in versions and rows]


def test_a_filter_within_an_interface_is_one(features: Features, run: Run, results: Read) -> None:
    features(*SHARED)
    run("--versions", "v2", "-k", "gamma")
    found = results()
    assert found["scope"]["filtered_why"].replace("'", "") == "-k gamma"
    assert _verdicts(found)["V23-DELTA"] == "untested"
    assert "V3-BETA" not in found["rules"]


def test_coverage_is_by_interface(features: Features, run: Run, results: Read) -> None:
    features(*SHARED)
    run()
    found = results()["rules"].values()
    assert [each["version"] for each in found] == ["export", "payment", "v2", "v2+v3", "v2+v3", "v2+v3", "v3", "v4"]


def test_a_full_run_certifies(features: Features, run: Run, results: Read) -> None:
    features(rule("V4-ALPHA", "Given nothing"), rule("V4-BETA", "When offers are searched"))
    assert run().ret == 0
    assert results()["decision"] == "CERTIFIED"


@pytest.mark.parametrize(("step", "arguments"), [("it is a mistake", ["-x"]), ("it is broken off", [])])
def test_a_run_that_is_stopped_has_results(
    features: Features, run: Run, results: Read, step: str, arguments: list[str]
) -> None:
    features(
        rule("V4-ALPHA", "Given nothing"),
        rule("V4-BETA", "Given nothing", f"Then {step}"),
        rule("V4-GAMMA", "Given nothing"),
    )
    outcome = run(*arguments)
    found = results()
    assert outcome.ret != 0
    assert found["decision"] == "INCOMPLETE"
    assert _verdicts(found)["V4-ALPHA"] == "passed"
    assert _verdicts(found)["V4-GAMMA"] == "untested"
    assert found["rules"]["V4-GAMMA"]["reason"] in ("stopping after 1 failures", "the run was interrupted")


def test_a_scenario_that_was_lost_is_missed(features: Features, run: Run, results: Read) -> None:
    # pytest-bdd keeps one scenario of a name in a feature: the other would be lost without a word.
    features(rule("V4-ALPHA", "Given nothing"), rule("V4-BETA", "Given nothing").replace(": v4-beta", ": v4-alpha"))
    assert run().ret == 3
    found = results()
    assert found["decision"] == "INCOMPLETE"
    assert (
        "1 scenarios of the register were not collected, such as V4-ALPHA: v4-alpha" in found["scope"]["filtered_why"]
    )


# Other targets


@pytest.fixture(scope="module")
def sandbox() -> Iterator[SandboxServer]:
    with SandboxServer(Settings()) as server:
        yield server


def _profile(
    pytester: pytest.Pytester, sandbox: SandboxServer, *more: str, lifetimes: Mapping[str, float] | None = None
) -> str:
    values = sandbox.profile()
    first = values["v4"]
    regular = values["routes"]["regular"]
    lines = [
        *more,
        f'base_url = "{sandbox.base_url}"',
        f'ca_bundle = "{sandbox.ca_bundle}"',
        "[v4]",
        'key = { env = "AIRWORTHY_TEST_KEY" }',
        f'customer_code = "{first["customer_code"]}"',
        "[routes.regular]",
        f'origin = "{regular["origin"]}"',
        f'destination = "{regular["destination"]}"',
        "[lifetimes]",
        *(f"{name} = {seconds}" for name, seconds in (lifetimes or {}).items()),
    ]
    return str(pytester.makefile(".toml", acme="\n".join(lines)))


@pytest.fixture
def _key(monkeypatch: pytest.MonkeyPatch, sandbox: SandboxServer) -> None:
    monkeypatch.setenv("AIRWORTHY_TEST_KEY", sandbox.profile()["v4"]["key"])


@pytest.mark.usefixtures("_key")
def test_things_that_age_are_started_first_and_waited_for_in_order(
    features: Features, run: Run, results: Read, pytester: pytest.Pytester, sandbox: SandboxServer
) -> None:
    features(
        rule("V4-OLD", f"Given {OLD}", "Then the log is shown", tags="@ages"),
        rule("V4-LESS", f"Given {LESS}", tags="@ages"),
        rule("V4-ALPHA", "When offers are searched"),
    )
    outcome = run(f"--profile={_profile(pytester, sandbox, lifetimes=SHORT)}")
    found = results()
    assert outcome.ret == 0
    assert [each["value"] for each in found["observations"]] == ["old less less old"]
    assert [(wait["what"], wait["how"]) for wait in found["waits"]] == [
        (LESS, "waited"),
        (OLD, "waited"),
    ]


@pytest.mark.usefixtures("_key")
def test_a_wait_that_is_too_long_is_cut(
    features: Features, run: Run, results: Read, pytester: pytest.Pytester, sandbox: SandboxServer
) -> None:
    features(rule("V4-OLD", f"Given {OLD}", tags="@ages"), rule("V4-ALPHA", "Given nothing"))
    outcome = run("--profile", _profile(pytester, sandbox, lifetimes=SHORT), "--max-wait", "0.1")
    assert outcome.ret == 3
    assert _verdicts(results()) == {"V4-OLD": "untested", "V4-ALPHA": "passed"}
    assert results()["waits"][0]["how"] == "cut"


@pytest.mark.usefixtures("_key")
def test_the_target_alone_describes_itself_if_it_is_a_sandbox(
    features: Features, run: Run, results: Read, sandbox: SandboxServer
) -> None:
    features(rule("V4-ALPHA", "When offers are searched"))
    outcome = run("--target", sandbox.base_url, "--ca-bundle", str(sandbox.ca_bundle))
    assert outcome.ret == 0
    assert results()["target"] == sandbox.base_url
    assert results()["scope"]["profile"] == f"{sandbox.base_url}/sandbox/profile"


def test_a_target_that_is_not_there_is_one_line_with_results(
    features: Features, run: Run, results: Read, pytester: pytest.Pytester
) -> None:
    features(rule("V4-ALPHA", "When offers are searched"))
    outcome = run("--target", "https://127.0.0.1:9")
    assert outcome.ret == 3
    outcome.stdout.fnmatch_lines(["*https://127.0.0.1:9/v2/*nothing listens there (connection refused)*"])
    found = results()
    assert found["decision"] == "INCOMPLETE"
    assert "nothing listens there" in found["rules"]["V4-ALPHA"]["reason"]
    assert not (pytester.path / "reports" / "run" / "evidence.jsonl").exists()


def test_a_key_that_is_refused_is_one_line_without_the_key(
    features: Features,
    run: Run,
    pytester: pytest.Pytester,
    sandbox: SandboxServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    features(rule("V4-ALPHA", "When offers are searched"))
    monkeypatch.setenv("AIRWORTHY_TEST_KEY", CANARY)
    outcome = run("--profile", _profile(pytester, sandbox))
    assert outcome.ret == 3
    outcome.stdout.fnmatch_lines(["*refuses the v4 key (status 401)*"])
    outcome.stdout.no_fnmatch_line(f"*{CANARY}*")
    written = [path for path in (pytester.path / "reports").rglob("*") if path.is_file()]
    assert written
    assert not [path for path in written if CANARY.encode() in path.read_bytes()]


@pytest.fixture
def token(monkeypatch: pytest.MonkeyPatch, sandbox: SandboxServer) -> str:
    credentials = sandbox.profile()["v3"]
    monkeypatch.setenv("AIRWORTHY_V3_TOKEN", credentials["token"])
    monkeypatch.setenv("AIRWORTHY_V3_CUSTOMER_CODE", credentials["customer_code"])
    return str(credentials["token"])


def test_a_token_is_shown_in_none_of_its_forms(
    features: Features, run: Run, pytester: pytest.Pytester, sandbox: SandboxServer, token: str
) -> None:
    features(
        rule("V3-ALPHA", "Given flights of v3", "Then it is a mistake"),
        rule("V3-BETA", "Given flights of v3 as bare", "Then it is a mistake"),
    )
    outcome = run("--target", sandbox.base_url, "--ca-bundle", str(sandbox.ca_bundle))
    outcome.assert_outcomes(failed=2)
    outcome.stdout.no_fnmatch_line(f"*{token}*")
    written = {path: path.read_text() for path in (pytester.path / "reports").rglob("*") if path.is_file()}
    assert not [path for path, text in written.items() if token in text]
    evidence = next(text for path, text in written.items() if path.name == "evidence.jsonl")
    assert '"Bearer $AIRWORTHY_V3_TOKEN"' in evidence
    assert '"$AIRWORTHY_V3_TOKEN"' in evidence


@pytest.mark.usefixtures("_key")
def test_a_waiver_of_an_interface_that_is_not_examined_is_not_stale(
    features: Features, run: Run, results: Read, pytester: pytest.Pytester, sandbox: SandboxServer
) -> None:
    features(rule("V4-ALPHA", "Given nothing"), rule("V3-BETA", "Given nothing"))
    profile = _profile(pytester, sandbox)
    waiver = '[[waivers]]\nrule = "V3-BETA"\nowner = "Ann"\nreason = "later"\nexpires = 2199-01-31\n'
    Path(profile).write_text(f"{Path(profile).read_text()}\n{waiver}")
    assert run("--profile", profile).ret == 0
    assert not results()["waivers"]


@pytest.mark.usefixtures("_key")
def test_a_production_environment_is_not_booked_in(
    features: Features, run: Run, results: Read, pytester: pytest.Pytester, sandbox: SandboxServer
) -> None:
    paths = ("/v4/order", "/v3/requests", "/v2/bookings")
    features(
        rule("V4-ALPHA", "Given nothing"),
        *(rule(f"V4-BOOKS-{at}", f"When {path} is sent") for at, path in enumerate(paths)),
    )
    step = "\n@when(parsers.parse('{path} is sent'))\ndef _(client, path): client.send('POST', path, json={})\n"
    pytester.makepyfile(test_mini=STEPS + step)
    profile = _profile(pytester, sandbox, 'environment = "production"').replace(".toml", "")
    path = Path(f"{profile}.toml")
    path.write_text(path.read_text().replace('customer_code = "FIRST-OTA"', 'customer_code = "$AIRWORTHY_TEST_KEY"'))
    run("--profile", str(path))
    for at, _ in enumerate(paths):
        assert results()["rules"][f"V4-BOOKS-{at}"]["verdict"] == "untested"
        assert "--allow-live-bookings" in results()["rules"][f"V4-BOOKS-{at}"]["reason"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--profile", "none.toml"], "none.toml: cannot be read: No such file or directory"),
        (["--target", "ftp://x.example"], '--target: base_url = "ftp://x.example": expected an absolute https:// URL*'),
        (["--target", "http://x.example"], "*set allow_plain_http = true (or --allow-plain-http)"),
        (["--target", "https://x.example", "--ca-bundle", "none.pem"], "--ca-bundle none.pem: cannot be read*"),
        (["--target", "https://x.example", "--key-env", "UNSET_KEY"], "*the environment variable UNSET_KEY is not set"),
        (["--target", "https://x.example", "--max-rps", "0"], "--max-rps 0: expected a number above 0"),
        (["--target", "https://x.example", "--versions", "v9"], "--versions v9: expected v2, v3, v4"),
        (["--fault", "nope"], "unknown fault 'nope'*"),
        (["--lifetimes", "offer"], "--lifetimes offer: expected NAME=SECONDS*"),
    ],
)
def test_a_wrong_option_is_one_line(features: Features, run: Run, arguments: list[str], said: str) -> None:
    features(rule("V4-ALPHA", "Given nothing"))
    outcome = run(*arguments)
    assert outcome.ret == pytest.ExitCode.USAGE_ERROR
    outcome.stderr.fnmatch_lines([f"ERROR: {said}"])
    assert not outcome.outlines


def test_other_tests_are_left_alone(pytester: pytest.Pytester, run: Run) -> None:
    pytester.makepyfile("def test_one(): pass\ndef test_two(): assert 1 == 2")
    outcome = run()
    outcome.assert_outcomes(passed=1, failed=1)
    assert not (pytester.path / "reports").exists()
    outcome.stdout.no_fnmatch_line("*CERTIFIED*")
