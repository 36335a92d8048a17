"""The plugin with external targets: profiles, keys, clocks, and bookings in production."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from airworthy.sandbox import SandboxServer, SandboxSettings

from .material import LESS, OLD, STEPS, MiniSuite, rule

CANARY = "canary-key-7f3a"
SHORT = {"offer_seconds": 0.4, "request_seconds_min": 0.2, "request_seconds_max": 0.2}


@pytest.fixture(scope="module")
def sandbox() -> Iterator[SandboxServer]:
    with SandboxServer(SandboxSettings()) as server:
        yield server


@pytest.fixture
def profile(mini: MiniSuite, sandbox: SandboxServer, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """``profile(line, …, lifetimes={…})`` writes a profile of the sandbox, and returns its path."""
    values = sandbox.profile()
    regular = values["routes"]["regular"]
    monkeypatch.setenv("AIRWORTHY_TEST_KEY", values["v4"]["key"])

    def write(*more: str, lifetimes: Mapping[str, float] | None = None) -> str:
        lines = [
            *more,
            f'base_url = "{sandbox.base_url}"',
            f'ca_bundle = "{sandbox.ca_bundle}"',
            "[v4]",
            'key = { env = "AIRWORTHY_TEST_KEY" }',
            f'customer_code = "{values["v4"]["customer_code"]}"',
            "[routes.regular]",
            f'origin = "{regular["origin"]}"',
            f'destination = "{regular["destination"]}"',
            "[lifetimes]",
            *(f"{name} = {seconds}" for name, seconds in (lifetimes or {}).items()),
        ]
        return str(mini.pytester.makefile(".toml", acme="\n".join(lines)))

    return write


def test_aged_items_are_created_first_and_waited_for_in_order(mini: MiniSuite, profile: Callable[..., str]) -> None:
    mini.use(
        rule("V4-OLD", f"Given {OLD}", "Then the log is shown", tags="@ages"),
        rule("V4-LESS", f"Given {LESS}", tags="@ages"),
        rule("V4-ALPHA", "When offers are searched"),
    )
    outcome = mini.run(f"--profile={profile(lifetimes=SHORT)}")
    found = mini.results()
    assert outcome.ret == 0
    assert [each["value"] for each in found["observations"]] == ["old less less old"]
    assert [(wait["what"], wait["how"]) for wait in found["waits"]] == [
        (LESS.replace("5 minutes", "1 s"), "waited"),
        (OLD.replace("30 minutes", "1 s"), "waited"),
    ]


def test_unreachable_target_is_one_line_and_has_a_decision(mini: MiniSuite) -> None:
    mini.use(rule("V4-ALPHA", "When offers are searched"))
    outcome = mini.run("--target", "https://127.0.0.1:9")
    assert outcome.ret == 3
    outcome.stdout.fnmatch_lines(
        [
            "*https://127.0.0.1:9/v2/*(connection refused)*the port in base_url (or --target)",
            "INCOMPLETE",
            "  rules     1 untested of *",
            "  time *",
        ]
    )
    outcome.stdout.no_fnmatch_line("*fix next*")
    found = mini.results()
    assert found["decision"] == "INCOMPLETE"
    assert "nothing listens on this port" in found["rules"]["V4-ALPHA"]["reason"]
    assert not (mini.pytester.path / "reports" / "run" / "evidence.jsonl").exists()


def test_rejected_key_is_one_line_without_the_key(
    mini: MiniSuite, profile: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    mini.use(rule("V4-ALPHA", "When offers are searched"))
    monkeypatch.setenv("AIRWORTHY_TEST_KEY", CANARY)
    outcome = mini.run("--profile", profile())
    assert outcome.ret == 3
    outcome.stdout.fnmatch_lines(["*rejects the v4 key (status 401)*"])
    outcome.stdout.no_fnmatch_line(f"*{CANARY}*")
    written = [path for path in (mini.pytester.path / "reports").rglob("*") if path.is_file()]
    assert written
    assert not [path for path in written if CANARY.encode() in path.read_bytes()]


@pytest.fixture
def token(monkeypatch: pytest.MonkeyPatch, sandbox: SandboxServer) -> str:
    credentials = sandbox.profile()["v3"]
    monkeypatch.setenv("AIRWORTHY_V3_TOKEN", credentials["token"])
    monkeypatch.setenv("AIRWORTHY_V3_CUSTOMER_CODE", credentials["customer_code"])
    return str(credentials["token"])


def test_token_is_redacted_in_all_forms(mini: MiniSuite, sandbox: SandboxServer, token: str) -> None:
    mini.use(
        rule("V3-ALPHA", "Given flights of v3", "Then it is an internal error"),
        rule("V3-BETA", "Given flights of v3 as bare", "Then it is an internal error"),
    )
    # A sandbox as the target publishes its profile.
    outcome = mini.run("--target", sandbox.base_url, "--ca-bundle", str(sandbox.ca_bundle))
    outcome.assert_outcomes(failed=2)
    outcome.stdout.no_fnmatch_line(f"*{token}*")
    written = {path.name: path.read_text() for path in (mini.pytester.path / "reports").rglob("*") if path.is_file()}
    assert not [name for name, text in written.items() if token in text]
    assert '"Bearer $AIRWORTHY_V3_TOKEN"' in written["evidence.jsonl"]
    assert '"$AIRWORTHY_V3_TOKEN"' in written["evidence.jsonl"]
    assert f'"profile": "{sandbox.base_url}/sandbox/profile"' in written["results.json"]


def test_waiver_for_an_interface_that_is_not_examined_is_ignored(mini: MiniSuite, profile: Callable[..., str]) -> None:
    mini.use(rule("V4-ALPHA", "Given nothing"), rule("V3-BETA", "Given nothing"))
    path = Path(profile())
    waiver = '[[waivers]]\nrule = "V3-BETA"\nowner = "Ann"\nreason = "later"\nexpires = 2199-01-31\n'
    path.write_text(f"{path.read_text()}\n{waiver}")
    assert mini.run("--profile", str(path)).ret == 0
    assert not mini.results()["waivers"]


def test_requests_that_book_are_not_sent_to_production(mini: MiniSuite, profile: Callable[..., str]) -> None:
    paths = ("/v4/order", "/v3/requests", "/v2/bookings")
    mini.use(
        rule("V4-ALPHA", "Given nothing"),
        *(rule(f"V4-BOOKS-{at}", f"When {path} is sent") for at, path in enumerate(paths)),
    )
    step = "\n@when(parsers.parse('{path} is sent'))\ndef _(client, path): client.send('POST', path, json={})\n"
    mini.pytester.makepyfile(test_mini=STEPS + step)
    path = Path(profile('environment = "production"'))
    path.write_text(path.read_text().replace('customer_code = "FIRST-OTA"', 'customer_code = "$AIRWORTHY_TEST_KEY"'))
    mini.run("--profile", str(path))
    for at, _ in enumerate(paths):
        assert mini.results()["rules"][f"V4-BOOKS-{at}"]["verdict"] == "untested"
        assert "--allow-live-bookings" in mini.results()["rules"][f"V4-BOOKS-{at}"]["reason"]


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        (
            '[[waivers]]\nrule = "V4-ALFA"\nowner = "Ann"\nreason = "later"\nexpires = 2199-01-31\n',
            "[[waivers]] rule is unknown, got 'V4-ALFA'; did you mean V4-ALPHA?",
        ),
        (
            '[routes.sold_out]\norigin = "MAD"\ndestination = "SVQ"\ndate = 2020-03-14\n',
            "[routes.sold_out] date is in the past, got '2020-03-14'",
        ),
    ],
    ids=["unknown rule", "past date"],
)
def test_outdated_profile_ends_before_the_run(mini: MiniSuite, table: str, problem: str) -> None:
    mini.use(rule("V4-ALPHA", "Given nothing"))
    minimal = 'base_url = "https://x.example"\n[v4]\nkey = "a"\ncustomer_code = "b"\n'
    profile = mini.pytester.makefile(".toml", acme=minimal + table)
    outcome = mini.run(f"--profile={profile}")
    assert outcome.ret == 2
    assert outcome.errlines == [f"ERROR: {profile}: {problem}"]
    assert not (mini.pytester.path / "reports").exists()
