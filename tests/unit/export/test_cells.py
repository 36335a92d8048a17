"""Each rule on cells passes and fails; where the documents leave the choice, the value is only observed."""

import pytest

from airworthy.export.segments import segment_facts

from .sample import FLIGHTS, RIGHT_FLIGHT, ROUTES, checked, flight, flights, observed, only, route, routes

UNUSED = [name for name in FLIGHTS if not RIGHT_FLIGHT[name]]


def test_valid_file_has_no_findings() -> None:
    report = checked(flights(flight(), flight()))

    assert report.findings == ()
    assert (report.format, report.rows, report.interrupted) == ("flights", 2, "")
    assert "EXPORT-TIMES" in report.examined


@pytest.mark.parametrize(
    ("rule", "column", "value", "soft"),
    [
        ("EXPORT-ROUTE-AND-DAY", "departureAirport", "", False),
        ("EXPORT-ROUTE-AND-DAY", "arrivalAirport", "", False),
        ("EXPORT-ROUTE-AND-DAY", "departureDate", "", False),
        ("EXPORT-DATES", "departureDate", "31.02.2027", False),
        ("EXPORT-DATES", "departureDate", "2027-03-01", False),
        ("EXPORT-TIMES", "segmentFirstDepartureTime", "7:35", False),
        ("EXPORT-TIMES", "segmentThirdArrivalTime", "24:00", False),
        ("EXPORT-AIRPORTS", "departureAirport", "Madrid", False),
        ("EXPORT-AIRPORTS", "segmentSecondArrivalAirport", "LEMD", True),
        ("EXPORT-CARRIERS", "marketingAirlineCode", "IBE", True),
        ("EXPORT-CARRIERS", "segmentThirdOperatingAirlineCode", "?", False),
        ("EXPORT-FLIGHT-NUMBERS", "marketingFlightNumber", "IB3166", True),
        ("EXPORT-FIRST-SEGMENT", "segmentFirstDepartureAirport", "", True),
        ("EXPORT-FIRST-SEGMENT", "segmentFirstDepartureTime", "", True),
        ("EXPORT-AVAILABLE-SEATS", "availableSeats", "", False),
        ("EXPORT-AVAILABLE-SEATS", "availableSeats", "9+", False),
        ("EXPORT-FARE-TYPE", "fareType", "", False),
        ("EXPORT-FARE-TYPE", "fareType", " ", False),
        ("EXPORT-AMOUNTS", "totalFareAmountAdult", "EUR 85", True),
        ("EXPORT-AMOUNTS", "baseFareAmountChild", "n/a", False),
        ("EXPORT-AMOUNTS", "baseFareAmountChild", ".", False),
        ("EXPORT-AMOUNTS", "baseFareAmountAdult", "", True),
        ("EXPORT-AMOUNTS", "baseFareAmountInfant", "n/a", True),
        ("EXPORT-AMOUNTS", "baggageFirstAmount", "-", True),
        ("EXPORT-CARRIERS", "marketingAirlineCode", "Iberia", False),
        ("EXPORT-AVAILABLE-SEATS", "availableSeats", "-1", True),
        ("EXPORT-AVAILABLE-SEATS", "availableSeats", "9.0", True),
        ("EXPORT-AVAILABLE-SEATS", "availableSeats", "9 ", True),
        ("EXPORT-DATES", "departureDate", " 01.03.2027", True),
        ("EXPORT-AIRPORTS", "arrivalAirport", "BCN ", True),
        ("EXPORT-AMOUNTS", "totalFareAmountAdult", "49,90 EUR", True),
        ("EXPORT-AMOUNTS", "totalFareAmountAdult", "49.90 USD", False),
        ("EXPORT-CURRENCY", "currency", "USD", False),
        ("EXPORT-CURRENCY", "currency", "", True),
    ],
)
def test_wrong_cell_violates_only_its_own_rule(rule: str, column: str, value: str, *, soft: bool) -> None:
    finding = only(checked(flights(flight(), flight(**{column: value}))))

    assert (finding.rule, finding.column, finding.soft, finding.kind) == (rule, column, soft, "violation")
    assert (finding.line, finding.value, finding.count) == (3, value, 1)
    assert finding.file == "cp_flights_all_v3.csv"
    assert finding.expected


@pytest.mark.parametrize("column", ROUTES)
def test_routes_file_is_checked_by_the_same_rules(column: str) -> None:
    cells = dict(zip(ROUTES, route().split(";"), strict=True))
    finding = only(checked(routes(route(), ";".join((cells | {column: "?"}).values())), "cp_routes_acme_v2.csv"))

    assert (finding.column, finding.line, finding.value) == (column, 3, "?")


@pytest.mark.parametrize(
    ("column", "values"),
    [
        ("availableSeats", ["*", "0", "400"]),
        ("fareType", ["OW", "RT", "one-way"]),
        ("departureAirport", ["mad", "Mad"]),
        ("operatingAirlineCode", ["3O", "w6", ""]),
        ("marketingFlightNumber", ["0123", ""]),
        ("totalFareAmountAdult", ["85,00", "85", "1.085,00", "0", ".5", ",50", "85.", "-5.00", "+5.00"]),
        ("currency", ["eur"]),
        ("journeyDuration", ["95", "PT1H35M", "1h", ""]),
        ("overNight", ["", "+1", "Y", "true"]),
        ("stops", ["", "0", "MAD,BCN"]),
        ("baggageFirstWeight", ["20 kg", "23KG", "one piece", ""]),
        ("flightKey", ["", "\u00e9\u4e2d", "a b,c"]),
        ("tariffClass", ["Básica"]),
        ("combinationGroup", ["A|B"]),
    ],
)
def test_undocumented_form_is_allowed(column: str, values: list[str]) -> None:
    of_segment = {fact.flight: f"segmentFirst{fact.segment}" for fact in segment_facts()}
    alike = (
        dict.fromkeys((column, of_segment.get(column, column)), value) if value else {column: ""} for value in values
    )

    assert checked(flights(*(flight(**cells) for cells in alike))).findings == ()


@pytest.mark.parametrize("column", UNUSED)
def test_cells_of_an_unused_segment_or_bag_may_be_empty(column: str) -> None:
    filled = next(value for name, value in RIGHT_FLIGHT.items() if name.endswith(column[13:]) and value)

    assert checked(flights(flight(**{column: ""}), flight(**{column: filled}))).findings == ()


def test_total_fare_is_observed_and_never_a_finding() -> None:
    report = checked(flights(flight(), flight(totalFareAmountAdult="90,00")))

    assert report.findings == ()
    assert observed(report, "total fares") == {"base fare plus supplement": 2, "a different amount": 3}


def test_observation_names_the_first_line_that_shows_the_value() -> None:
    first, second = flight(), flight(availableSeats="*", departureAirport="mad", totalFareAmountAdult="85,00", stops="")
    report = checked(flights(*[first] * 1_500, *[second] * 2, first))

    assert observed(report, "the form of availableSeats") == {"number": 2, "star": 1_502}
    assert observed(report, "the letter case of airports") == {"capital letters": 2, "either case": 1_502}
    assert observed(report, "the decimal mark") == {"decimal point": 2, "decimal comma": 1_502}
    assert observed(report, "empty cells")["stops"] == 1_502
    assert report.rows == 1_503


def test_rule_without_a_cell_to_check_is_not_examined() -> None:
    examined = checked(flights(flight(currency=""))).examined

    assert "EXPORT-DATES" in examined
    of_header = {"EXPORT-CSV", "EXPORT-HEADER", "EXPORT-SEPARATOR", "EXPORT-FLIGHTS-COLUMNS"}
    only_header = checked(flights())
    assert only_header.examined == of_header
    assert (only_header.findings, only_header.rows) == ((), 0)


def test_repeated_violation_is_one_finding_with_a_count_and_examples() -> None:
    finding = only(checked(flights(*[flight()] * 1_200, *[flight(departureDate="2027-03-01")] * 5_000)))

    assert finding.count == 5_000
    assert [each.line for each in finding.examples] == [1_202, 1_203, 1_204, 1_205, 1_206]


def test_value_is_escaped_and_shortened() -> None:
    finding = only(checked(flights(flight(departureDate="\x1b[31m\x07" + "x" * 500))))

    assert finding.value.startswith(r"\u001b[31m\u0007xxx")
    assert len(finding.value) <= 100
