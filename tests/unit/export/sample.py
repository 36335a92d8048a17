"""Valid files of the export, for tests that change one thing."""

import io
from collections.abc import Iterable

from airworthy.export import ExportFinding, FileReport, check_file
from airworthy.export.formats import export_specification

EXPORT = export_specification()
ROUTES = [column.name for column in EXPORT.formats["routes"].columns]
FLIGHTS = [column.name for column in EXPORT.formats["flights"].columns]
_VALUES = {
    "airport": "MAD",
    "date": "01.03.2027",
    "time": "07:35",
    "carrier": "U2",
    "flightNumber": "3166",
    "seats": "9",
    "fareType": "OW",
    "amount": "42.50",
    "weight": "20",
    "currency": "EUR",
    "duration": "01:35",
    "overNight": "0",
    "stops": "0",
    "text": "Y",
}
_UNUSED = ("segmentSecond", "segmentThird", "baggageThird")
RIGHT_FLIGHT = {
    column.name: "" if column.name.startswith(_UNUSED) else _VALUES[column.type.name]
    for column in EXPORT.formats["flights"].columns
} | {
    "arrivalAirport": "BCN",
    "segmentFirstArrivalAirport": "BCN",
    "totalFareAmountAdult": "85.00",
    "totalFareAmountChild": "85.00",
    "totalFareAmountInfant": "85.00",
}


def flight(**cells: str) -> str:
    return ";".join((RIGHT_FLIGHT | cells).values())


def route(*cells: str) -> str:
    return ";".join(cells or ("MAD", "BCN", "01.03.2027"))


def flights(*rows: str, header: Iterable[str] = FLIGHTS) -> bytes:
    return "".join(f"{line}\n" for line in (";".join(header), *rows)).encode()


def routes(*rows: str, header: Iterable[str] = ROUTES) -> bytes:
    return flights(*rows, header=header)


def checked(content: bytes, name: str = "cp_flights_all_v3.csv") -> FileReport:
    return check_file(name, io.BytesIO(content))


def only(report: FileReport) -> ExportFinding:
    (finding,) = report.findings
    return finding


def observed(report: FileReport, subject: str) -> dict[str, int]:
    """Return the observed values of a subject, each with its line."""
    return {each.value: each.line for each in report.observations if each.subject == subject}
