"""``airworthy rules ID``: one rule with its scenarios, faults, open questions and neighbours."""

import json
import subprocess
import sys

import pytest

from airworthy.register import rule, rules
from airworthy.traffic.golive.items import GoLiveItem, GoLiveSettings, go_live_items
from command_line import Command


def test_one_rule_shows_everything_about_it(airworthy: Command) -> None:
    code, out, _ = airworthy("rules", "V4-CONFIRM-FAILED-STATUS")
    shown = rule("V4-CONFIRM-FAILED-STATUS")

    assert shown is not None
    assert code == 0
    for expected in (
        f"{shown.id}: {shown.statement}",
        f'Source     "{shown.quote}" ({shown.source})',
        "Binds      service",
        *shown.scenarios,
        "rejected-stays-open: The service leaves an order OPEN after its payment was rejected (verdict: warning;",
        "airworthy sandbox --fault rejected-stays-open",
        "OPEN-24: ",
        "V4-CONFIRM-ONCE: ",
    ):
        assert expected in out


def test_one_rule_as_json(airworthy: Command) -> None:
    _, out, _ = airworthy("rules", "v4-confirm-once", "--json")
    shown = json.loads(out)

    assert shown["id"] == "V4-CONFIRM-ONCE"
    assert {"name", "description", "verdict", "reason"} == set(shown["faults"][0])
    assert "confirmed-twice" in [each["name"] for each in shown["faults"]]
    assert shown["scenarios"]
    assert "V4-CONFIRM-BOOKS" in shown["neighbours"]
    assert shown["id"] not in shown["neighbours"]


@pytest.mark.parametrize("binds", ["client", "both", "service"])
def test_rule_of_each_kind_is_shown(airworthy: Command, binds: str) -> None:
    shown = next(each for each in rules() if each.binds == binds)
    _, out, _ = airworthy("rules", shown.id)

    assert f"{shown.id}: {shown.statement}" in out
    assert ("Faults of the sandbox" in out) is (binds != "client")


@pytest.mark.parametrize("item", go_live_items(), ids=lambda item: item.id)
def test_item_of_the_go_live_list_says_how_to_show_it(airworthy: Command, item: GoLiveItem) -> None:
    _, out, _ = airworthy("rules", item.id)

    assert "Binds      client" in out
    assert f": {item.instructions_with(GoLiveSettings())[item.versions[0]]}" in out


def test_excluded_rule_says_why(airworthy: Command) -> None:
    shown = next(each for each in rules() if each.excluded_reason)
    _, out, _ = airworthy("rules", shown.id)

    assert f"Excluded   {shown.excluded_reason}" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("V4-CONFIRM-ONE",), "unknown rule 'V4-CONFIRM-ONE'; did you mean V4-CONFIRM-ONCE"),
        (("gremlins",), "unknown rule 'gremlins'; `airworthy rules` lists all rules"),
        (("V4-CONFIRM-ONCE", "--version", "v4"), "--version v4: expected no ID with --version, got V4-CONFIRM-ONCE"),
    ],
)
def test_usage_errors(airworthy: Command, arguments: tuple[str, ...], message: str) -> None:
    code, _, err = airworthy("rules", *arguments)

    assert code == 2
    assert message in err


def test_showing_a_rule_does_not_import_the_server() -> None:
    program = (
        "import sys; from airworthy import cli; sys.argv = ['airworthy', 'rules', 'V4-CONFIRM-ONCE']\n"
        "try: cli.main()\n"
        "except SystemExit: print(sorted({'uvicorn', 'starlette', 'pytest', 'trustme'} & set(sys.modules)))"
    )
    shown = subprocess.run(  # noqa: S603  our own program
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )

    assert shown.stdout.splitlines()[-1] == "[]"
