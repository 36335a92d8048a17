"""Steps that check the content export. Its files are read once; each rule takes its own findings from the report."""

from collections import Counter

from airworthy.export.report import shown
from airworthy.suite.outcomes import NotApplicable, comparisons, expect
from conformance.export.content_export import ExportUnderTest, SampledRow, SearchedRow
from conformance.fixtures import RuleCheck
from conformance.scenario_context import ScenarioContext
from conformance.step_table import STATEMENT, given, then, when
from conformance.v3 import request_bodies as bodies
from conformance.v3.flight_client import FlightClient
from conformance.v3.request_bodies import INTERFACE, Interface

_LOOKED_FOR = 2


@given("the content export")
def _the_content_export(context: ScenarioContext, content_export: ExportUnderTest) -> None:
    context.export = content_export


@given("the content export, with a customer that has specific distribution rules")
def _the_content_export_of_customers(context: ScenarioContext, content_export: ExportUnderTest) -> None:
    if not content_export.expected.customers:
        raise NotApplicable("the profile names no customer with specific distribution rules: [export] customers")
    context.export = content_export


@given("the content export, with both formats for a customer")
def _the_content_export_of_both_formats(context: ScenarioContext, content_export: ExportUnderTest) -> None:
    if not content_export.examined("EXPORT-SAME-CONTENT"):
        raise NotApplicable("no customer has a valid file of each format in one version")
    context.export = content_export


@then(STATEMENT)
def _the_rule_holds(context: ScenarioContext, rule_check: RuleCheck) -> None:
    """Fail if the check of the files has found a violation of the scenario's rule."""
    (rule,) = rule_check.capture.rules
    for each in context.content_export.keeps(rule):
        context.warn(each)
    comparisons.add(context.content_export.examined(rule))


# The live search


@when(rf"the client searches some of the (?P<kind>routes|flights) in {INTERFACE}")
def _search_rows(context: ScenarioContext, kind: str, interface: Interface) -> None:
    context.v3.credentials(interface)
    sample = context.content_export.sample(kind, interface, context.v3.today, _LOOKED_FOR)
    context.searched_rows = [_searched(context.v3, interface, each) for each in sample]


def _searched(client: FlightClient, interface: Interface, offered: SampledRow) -> SearchedRow:
    """Search the day of a row and retrieve all pages. The end of the window may be exclusive (OPEN-78)."""
    draft = bodies.search_flights(interface, offered.origin, offered.destination, offered.day, 1)
    response = client.service.send(draft)
    if not response.succeeded:
        client.service.explain(response.exchange)
    pages = client.pages(draft, response) if response.succeeded else [response]
    return SearchedRow(offered, pages)


@then("each search finds (?P<what>flights|the flight)")
def _each_search_finds(context: ScenarioContext, what: str) -> None:
    for each in context.searched_rows:
        comparisons.add()
        if not (each.flights if what == "flights" else each.same):
            context.warn(_missed(each), each.pages[0].exchange)


@then("the segments of each flight are those of the search")
def _segments_are_those_of_the_search(context: ScenarioContext) -> None:
    compared = [(each, found) for each in context.searched_rows if (found := each.differences()) is not None]
    if not compared:
        raise NotApplicable("no search finds one of the flights of the export with the same segments")
    # One row may be outdated by half a day; several are on a twelve-hour clock.
    half_days = Counter(fact for _, found in compared for fact in {each.fact for each in found if each.is_half_a_day})
    for searched, found in compared:
        comparisons.add()
        exchange = searched.pages[0].exchange
        for each in found:
            actual, expected = shown(each.actual), shown(each.expected)
            text = f"{each.column} of {searched.offered} differs from the search"
            is_on_another_clock = each.is_half_a_day and half_days[each.fact] > 1
            expect(
                not (each.is_exchanged or is_on_another_clock),
                f"{text}: {'it is the value of another segment' if each.is_exchanged else 'times have twelve hours'}",
                expected=expected,
                actual=actual,
                pointer=searched.offered.place,
                exchange=exchange,
            )
            # A search result from a cache may have an earlier schedule (OPEN-37).
            if each.is_half_a_day or not each.fact.endswith("Time"):
                context.warn(f"{text}: expected {expected}, actual {actual}", exchange)


def _missed(sought: SearchedRow) -> str:
    if not sought.pages[0].succeeded:
        actual = f"status {sought.pages[0].status}"
    else:
        actual = f"{len(sought.flights)} other flights" if sought.flights else "no flights"
    return f"a search does not find {sought.offered}: expected a flight of the export, actual {actual}"
