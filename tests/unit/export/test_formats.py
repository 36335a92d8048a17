"""The formats and their patterns correspond to the documents."""

import ast
import json
import re
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import product
from pathlib import Path

import pytest

import airworthy.export
from airworthy.export.formats import ExportFileName
from airworthy.export.observed import compile_pattern
from airworthy.register import rules
from airworthy.resources import resource

from .sample import EXPORT, FLIGHTS, ROUTES

# Quoted from the document.
_LEADING = """departureAirport, arrivalAirport, departureDate, marketingAirlineCode, marketingFlightNumber,
operatingAirlineCode, operatingFlightNumber, bookingClass, classOfService, availableSeats, fareType,
baseFareAmountAdult, supplementSumAmountAdult, totalFareAmountAdult,
baseFareAmountChild, supplementSumAmountChild, totalFareAmountChild,
baseFareAmountInfant, supplementSumAmountInfant, totalFareAmountInfant, currency, journeyDuration, overNight, stops"""
_SEGMENT = """segment<Ord>DepartureAirport, segment<Ord>ArrivalAirport, segment<Ord>MarketingAirlineCode,
segment<Ord>MarketingFlightNumber, segment<Ord>OperatingAirlineCode, segment<Ord>OperatingFlightNumber,
segment<Ord>DepartureTime, segment<Ord>ArrivalTime, segment<Ord>BookingClass, segment<Ord>ClassofService"""
_TRAILING = """baggageFirstWeight, baggageFirstAmount, baggageSecondWeight, baggageSecondAmount, baggageThirdWeight,
baggageThirdAmount, checkInFee, airportCheckInFee, creditCardFee, combinationGroup, flightKey, tariffClass"""

# The rules that the files alone can show; the suite compares them with searches.
FEATURES = [f"export/{each}.feature" for each in ("files", "form", "cells")]


def names(text: str) -> list[str]:
    return re.findall(r"[\w<>]+", text)


TYPES = {column.type.name: column.type for each in EXPORT.formats.values() for column in each.columns}


def fits(kind: str, cell: str) -> bool:
    return any(form.matches(cell.encode()) for form in TYPES[kind].forms)


def test_columns_are_those_of_the_document() -> None:
    segments = [name.replace("<Ord>", each) for each in ("First", "Second", "Third") for name in names(_SEGMENT)]

    assert names(_LEADING)[:3] == ROUTES
    assert [*names(_LEADING), *segments, *names(_TRAILING)] == FLIGHTS
    assert len(FLIGHTS) == 66
    assert EXPORT.delimiter == ";"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("cp_routes_all_v3.csv", ExportFileName("cp_routes_all_v3.csv", "routes", "all", 3)),
        ("cp_flights_acme_v2.csv", ExportFileName("cp_flights_acme_v2.csv", "flights", "acme", 2)),
        ("cp_routes_Ä b_v2._v3.csv", ExportFileName("cp_routes_Ä b_v2._v3.csv", "routes", "Ä b_v2.", 3)),
        ("cp_routes.csv", ExportFileName("cp_routes.csv", "routes", "", 0)),
        ("cp_flights.csv", ExportFileName("cp_flights.csv", "flights", "", 0)),
        ("cp_routes_all_v4.csv", None),
        ("cp_routes_all_v1.csv", None),
        ("cp_routes__v3.csv", None),
        ("cp_routes_v3.csv", None),
        ("cp_fares_all_v3.csv", None),
        ("CP_ROUTES_ALL_V3.CSV", None),
        ("cp_routes_all_v3.csv\n", None),
        ("cp_routes_all_v3-csv", None),
        ("routes.csv", None),
    ],
)
def test_file_name_is_parsed(name: str, expected: ExportFileName | None) -> None:
    assert EXPORT.parse(name) == expected


def test_generated_name_is_parsed_back() -> None:
    assert EXPORT.parse(EXPORT.name("routes", "acme", 2)) == ExportFileName(
        "cp_routes_acme_v2.csv", "routes", "acme", 2
    )


def test_dates_are_the_calendar_days_of_four_centuries() -> None:
    for year, month, day in product((1900, 2000, 2023, 2024, 2100, 2399, 2400), range(14), range(33)):
        assert fits("date", f"{day:02}.{month:02}.{year}") == is_day(day, month, year), (day, month, year)
    days = (date(2000, 1, 1) + timedelta(days=each) for each in range(400 * 366))
    assert all(fits("date", f"{each:%d.%m.%Y}") for each in days)


def is_day(day: int, month: int, year: int) -> bool:
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def test_times_are_the_minutes_of_a_day() -> None:
    for hour in range(30):
        for minute in range(70):
            assert fits("time", f"{hour:02}:{minute:02}") == (hour < 24 and minute < 60)


@pytest.mark.parametrize(
    ("kind", "right", "wrong"),
    [
        ("date", ["29.02.2028"], ["29.02.2027", "2027-03-01", "1.3.2027", "01.03.27", "01/03/2027", " 01.03.2027"]),
        ("time", ["00:00", "23:59"], ["24:00", "7:35", "07:35:00", "0735", "07.35", "07:60"]),
        ("airport", ["MAD", "mad"], ["MA", "MADR", "M4D", "MÄD", "MAD "]),
        ("carrier", ["IB", "U2", "3O", "ib"], ["I", "IBE", "I-", "I B"]),
        ("flightNumber", ["1", "3166", "0123"], ["IB3166", "31661", "", "3166A"]),
        ("seats", ["*", "0", "12"], ["", "-1", "9+", "**", "1.5", "nine"]),
        ("fareType", ["OW", "RT", "ow-2", "round trip"], ["", " "]),
        (
            "amount",
            [
                *("0", "42", "42.50", "42,50", "-3.10", "1.234,50", "1 234.5", "+3.10", ".5", ",5", "42."),
                *("1\u00a0234,50", "1\u202f234,50", "1\u2019234.50", " 42,50", "42.50 "),
            ],
            ["", "x", ".", "EUR 42", "4e2"],
        ),
        ("currency", ["EUR", "eur"], ["", "USD", "€", "EURO"]),
    ],
)
def test_cell_forms(kind: str, right: list[str], wrong: list[str]) -> None:
    assert [each for each in right if not fits(kind, each)] == []
    assert [each for each in wrong if fits(kind, each)] == []


def test_re_and_re2_interpret_the_patterns_alike() -> None:
    texts = [bytes([one]) for one in range(256)]
    texts += [b"MAD", b"01.03.2027", b"07:35", b"42.50", b"OW", b"*", b"-1", b"EUR"]
    for form in {form for each in TYPES.values() for form in each.forms}:
        whole = compile_pattern(b"(?:" + form.pattern + b")")
        for text in texts:
            match = whole.match(text)
            assert (match is not None and match.end() == len(text)) == bool(form.matches(text)), (form.name, text)


# The register


def named_in_code() -> Iterator[str]:
    for path in Path(airworthy.export.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and re.fullmatch(r"EXPORT-[A-Z-]+", str(node.value)):
                yield str(node.value)


def named_in_schemas(node: object) -> Iterator[str]:
    if isinstance(node, dict):
        if "rule" in node:
            yield node["rule"]
        node = list(node.values())
    if isinstance(node, list):
        for each in node:
            yield from named_in_schemas(each)


def test_rules_and_checks_of_the_export_correspond() -> None:
    schemas = [json.loads(path.read_text()) for path in (resource("schemas") / "export").glob("*.json")]
    registered = {each.id for each in rules() if each.path in FEATURES and not each.excluded_reason}

    assert {*named_in_code(), *named_in_schemas(schemas)} == registered


def test_subjects_of_the_features_are_observed() -> None:
    texts = [(resource("features") / path).read_text(encoding="utf-8") for path in FEATURES]
    observed = {found for text in texts for found in re.findall(r"And (.+) (?:is|are) observed as OPEN-", text)}
    typed = {each.observed for each in TYPES.values()} - {""}
    code = "".join(path.read_text() for path in Path(airworthy.export.__file__).parent.glob("*.py"))

    assert typed <= observed
    assert {each for each in observed - typed if f'"{each}"' not in code} == set()
