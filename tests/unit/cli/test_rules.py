"""``airworthy rules ID``: one rule with its scenarios, faults, open questions and neighbours."""

import json

from airworthy.register import rule, rules
from airworthy.traffic.golive.items import GoLiveSettings, go_live_items
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


def test_rule_of_each_kind_is_shown(airworthy: Command) -> None:
    for binds in ("client", "both", "service"):
        shown = next(each for each in rules() if each.binds == binds)
        _, out, _ = airworthy("rules", shown.id)
        assert f"{shown.id}: {shown.statement}" in out
        assert ("Faults of the sandbox" in out) is (binds != "client")

    excluded = next(each for each in rules() if each.excluded_reason)
    assert f"Excluded   {excluded.excluded_reason}" in airworthy("rules", excluded.id).out


def test_item_of_the_go_live_list_says_how_to_show_it(airworthy: Command) -> None:
    for item in go_live_items():
        _, out, _ = airworthy("rules", item.id)

        assert "Binds      client" in out
        assert f": {item.instructions_with(GoLiveSettings())[item.versions[0]]}" in out
