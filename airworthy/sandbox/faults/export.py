"""Faults in the content export, and how they change its files before they are written."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from airworthy.sandbox.faults.fault import Row, described
from airworthy.sandbox.faults.table import FAILS, WARNS, Table, rule
from airworthy.sandbox.model.export_file import ExportFile, Line

Change = Callable[[str], str]
_FIRST_NUMBERS = ("marketingFlightNumber", "segmentFirstMarketingFlightNumber")


def files_without(fits: Callable[[ExportFile], bool]) -> Row:
    """Leave out files."""
    return described(export=lambda files: tuple(each for each in files if not fits(each)))


def first_file_as(name: str) -> Row:
    """Deliver the first file a second time under another name."""
    return described(export=lambda files: (*files, replace(files[0], name=name, customer="")))


def edit_files(edit: Callable[[ExportFile], ExportFile], kind: str = "") -> Row:
    """Edit the files of one format, or of all; files with legacy names have no format to violate."""

    def edited(file: ExportFile) -> ExportFile:
        return edit(file) if file.customer and kind in ("", file.format) else file

    return described(export=lambda files: tuple(map(edited, files)))


def written_with(**members: object) -> Row:
    """Write all files with other settings, such as another separator."""
    return edit_files(lambda file: replace(file, **members))  # type: ignore[arg-type]


def _with_lines(file: ExportFile, change: Callable[[Line], Line]) -> ExportFile:
    return replace(file, lines=lambda: map(change, file.lines()))


def flights(change: Callable[[Mapping[str, str]], dict[str, str]], kind: str = "flights") -> Row:
    """Replace cells of the flights files, or of others, with values that follow from the row."""

    def edit(file: ExportFile) -> ExportFile:
        def changed(line: Line) -> Line:
            cells_of = dict(zip(file.columns, line, strict=True))
            return [*(cells_of | change(cells_of)).values()]

        return _with_lines(file, changed)

    return edit_files(edit, kind)


def cells(column: str, change: Change, kind: str = "flights") -> Row:
    """Change the cells of a column that have a value."""
    return flights(lambda row: {column: change(row[column])} if row[column] else {}, kind)


def last_columns(kind: str, *order: int, names: tuple[str, ...] = ()) -> Row:
    """Write the last three columns in this order, each as often as it is listed, with other names if given."""

    def edit(file: ExportFile) -> ExportFile:
        shared = len(file.columns) - 3
        columns = names or tuple(file.columns[shared + each] for each in order)
        changed = _with_lines(file, lambda line: [*line[:shared], *(line[shared + each] for each in order)])
        return replace(changed, columns=(*file.columns[:shared], *columns))

    return edit_files(edit, kind)


def first_row(change: Callable[[Line], Line], kind: str = "flights") -> Row:
    """Change the first row after the header."""

    def edit(file: ExportFile) -> ExportFile:
        def lines() -> Iterator[Line]:
            for number, line in enumerate(file.lines()):
                yield line if number else change(line)

        return replace(file, lines=lines)

    return edit_files(edit, kind)


def writes(column: str, text: str, kind: str = "flights") -> Row:
    """Write a text into all cells of a column that have a value."""
    edit = cells(column, lambda _: text, kind)
    return lambda name: edit(f"{name}: writes {text or 'nothing'} as {column} of {kind} files")


def another_number(number: str) -> str:
    """Return a flight number that differs from this one."""
    return str(int(number) % 9999 + 1)


def _on_twelve_hours(time: str) -> str:
    return f"{(int(time[:2]) - 1) % 12 + 1:02}{time[2:]}" if time else ""


def _exchanged(row: Mapping[str, str]) -> dict[str, str]:
    departs, arrives = names = "segmentFirstDepartureTime", "segmentFirstArrivalTime"
    is_chosen = int(row["marketingFlightNumber"]) % 2
    return dict(zip(names, (row[arrives], row[departs]), strict=True)) if is_chosen else {}


FAULTS: Table = {
    rule("EXPORT-FILE-NAMES"): FAILS,
    "export-version-4: delivers a flights file whose name has version 4": first_file_as("cp_flights_all_v4.csv"),
    "export-without-version: delivers a flights file whose name has no version": first_file_as("cp_flights_all.csv"),
    "export-unknown-format: delivers a file whose name has an unknown format": first_file_as("cp_fares_all_v3.csv"),
    "export-singular-name: delivers a flights file whose name says cp_flight": first_file_as("cp_flight_all_v3.csv"),
    "export-capital-name: delivers a flights file with a name in capitals": first_file_as("CP_FLIGHTS_ALL_V3.CSV"),
    rule("EXPORT-ALL-CONTENT"): FAILS,
    "export-without-all: delivers no all-content files": files_without(lambda file: file.customer == "all"),
    "export-without-all-flights: omits all v3 flights": files_without(
        lambda file: file.name == "cp_flights_all_v3.csv"
    ),
    "export-without-flights: delivers no flights files although the client requested them": files_without(
        lambda file: file.format == "flights" and bool(file.customer)
    ),
    "export-without-v2: delivers no files for v2, as requested": files_without(
        lambda file: file.name.endswith("_v2.csv")
    ),
    rule("EXPORT-CUSTOMER-FILES"): FAILS,
    "export-without-customers: delivers no files for customers": files_without(lambda file: file.customer != "all"),
    "export-without-customer-routes: delivers no v2 routes files for customers": files_without(
        lambda file: file.customer != "all" and (file.format, file.version) == ("routes", 2)
    ),
    rule("EXPORT-SAME-CONTENT", "OPEN-101: the files may be uploaded at different times"): WARNS,
    "export-other-routes: writes a route without flights": first_row(lambda line: [line[0], "HEL", line[2]], "routes"),
    rule("EXPORT-CSV"): FAILS,
    "export-nul-bytes: writes a NUL byte into flightKey": cells("flightKey", lambda key: f"{key}\0"),
    "export-open-quote: writes a quotation mark that is never closed into the last row": written_with(ends=b'"MAD;BCN'),
    rule("EXPORT-SEPARATOR"): FAILS,
    "export-commas: separates cells by commas": written_with(separator=","),
    "export-tabs: separates cells by tabs": written_with(separator="\t"),
    rule("EXPORT-HEADER"): FAILS,
    "export-without-header: writes files without a header row": written_with(header=False),
    "export-headline: writes a title line before the header row": written_with(begins=b"Content export\n"),
    rule("EXPORT-ROUTES-COLUMNS"): FAILS,
    "export-routes-swapped: swaps the airport columns of the routes files": last_columns("routes", 1, 0, 2),
    "export-routes-undated: leaves out the departureDate column of the routes files": last_columns("routes", 0, 1),
    "export-routes-priced: adds a price column to the routes files": last_columns(
        "routes", *(0, 1, 2, 2), names=("departureAirport", "arrivalAirport", "departureDate", "totalFareAmountAdult")
    ),
    rule("EXPORT-FLIGHTS-COLUMNS"): FAILS,
    "export-flights-shorter: leaves out the last column of the flights files": last_columns("flights", 0, 1),
    "export-flights-swapped: swaps the columns flightKey and tariffClass": last_columns("flights", 0, 2, 1),
    "export-flights-longer: adds a column to the flights files": last_columns(
        "flights", *(0, 1, 2, 2), names=("combinationGroup", "flightKey", "tariffClass", "tariffFamily")
    ),
    "export-flights-renamed: spells the column segmentFirstClassofService as segmentFirstClassOfService": edit_files(
        lambda file: replace(
            file, columns=tuple(each.replace("FirstClassof", "FirstClassOf") for each in file.columns)
        ),
        "flights",
    ),
    rule("EXPORT-ROWS"): FAILS,
    "export-short-row: writes a flights row without its last cell": first_row(lambda line: line[:-1]),
    "export-long-row: writes a routes row with an additional cell": first_row(lambda line: [*line, ""], "routes"),
    "export-cut-off: delivers truncated flights files": edit_files(lambda file: replace(file, cut=9_000), "flights"),
    rule("EXPORT-ROWS", "A blank line is not a row"): WARNS,
    "export-blank-line: writes a blank line into the routes files": first_row(lambda _: [], "routes"),
    rule("EXPORT-ROUTE-AND-DAY"): FAILS,
    "export-no-origin": writes("departureAirport", ""),
    "export-no-day": writes("departureDate", "", "routes"),
    rule("EXPORT-DATES"): FAILS,
    "export-iso-dates: writes dates of flights as YYYY-MM-DD": cells(
        "departureDate", lambda day: "-".join(reversed(day.split(".")))
    ),
    "export-short-dates: writes two-digit years": cells("departureDate", lambda day: day[:6] + day[8:], "routes"),
    "export-impossible-day": writes("departureDate", "31.02.2028", "routes"),
    "export-days-without-zeros": writes("departureDate", "1.2.2030"),
    rule("EXPORT-TIMES"): FAILS,
    "export-time-without-zero": writes("segmentFirstDepartureTime", "9:05"),
    "export-midnight-as-24": writes("segmentFirstArrivalTime", "24:00"),
    "export-seconds: writes times with seconds": cells("segmentFirstDepartureTime", lambda time: f"{time}:00"),
    "export-time-24": writes("segmentFirstArrivalTime", "24:10"),
    "export-dotted-times: writes times with dots": cells(
        "segmentSecondDepartureTime", lambda each: each.replace(":", ".")
    ),
    rule("EXPORT-AIRPORTS"): FAILS,
    "export-airport-names": writes("segmentFirstDepartureAirport", "Madrid"),
    rule("EXPORT-AIRPORTS", "OPEN-101: only dates and times of cells have a documented form"): WARNS,
    "export-icao-airports: writes four-letter airports": cells("arrivalAirport", lambda code: f"L{code}", "routes"),
    rule("EXPORT-CARRIERS"): FAILS,
    "export-carrier-names": writes("segmentFirstOperatingAirlineCode", "Iberia"),
    rule("EXPORT-CARRIERS", "OPEN-101: only dates and times of cells have a documented form"): WARNS,
    "export-icao-carriers": writes("marketingAirlineCode", "IBE"),
    rule("EXPORT-FLIGHT-NUMBERS", "The documents do not define the format of flight numbers in the export"): WARNS,
    "export-whole-numbers": writes("marketingFlightNumber", "IB123"),
    "export-five-digits": writes("segmentFirstMarketingFlightNumber", "12345"),
    rule("EXPORT-FIRST-SEGMENT", "OPEN-101: which cells of a segment must have a value is not documented"): WARNS,
    "export-no-first-segment": writes("segmentFirstDepartureAirport", ""),
    rule("EXPORT-AVAILABLE-SEATS"): FAILS,
    "export-seats-in-words": writes("availableSeats", "many"),
    "export-seats-empty": writes("availableSeats", ""),
    rule("EXPORT-AVAILABLE-SEATS", "OPEN-45: availableSeats is a number or *; no minimum is documented"): WARNS,
    "export-seats-negative": writes("availableSeats", "-1"),
    "export-seats-fraction: writes availableSeats with decimals": cells("availableSeats", lambda seats: f"{seats}.0"),
    rule("EXPORT-FARE-TYPE"): FAILS,
    "export-no-fare-type": writes("fareType", ""),
    rule("EXPORT-AMOUNTS"): FAILS,
    "export-amount-words": writes("totalFareAmountAdult", "on request"),
    rule("EXPORT-AMOUNTS", "OPEN-101: how an amount is written is open"): WARNS,
    "export-amount-currency: writes amounts with currency": cells("baseFareAmountChild", lambda each: f"{each} EUR"),
    rule("EXPORT-AMOUNTS", "OPEN-101: how a missing amount is written is not documented"): WARNS,
    "export-amount-empty": writes("totalFareAmountAdult", ""),
    rule("EXPORT-CURRENCY"): FAILS,
    "export-dollars": writes("currency", "USD"),
    "export-euro-sign": writes("currency", "€"),
    rule("EXPORT-SEARCH", "OPEN-37: search results are cached and indicative"): WARNS,
    "export-other-flights: writes flight numbers that a search does not find": flights(
        lambda row: {name: another_number(row[name]) for name in _FIRST_NUMBERS}
    ),
    "export-other-days: writes routes for days that are not on sale yet": cells(
        "departureDate", lambda day: f"01{day[2:6]}{int(day[6:]) + 3}", "routes"
    ),
    rule("EXPORT-SEGMENTS"): FAILS,
    "export-other-departure: writes the first destination as departureAirport": flights(
        lambda row: {"departureAirport": row["segmentFirstArrivalAirport"]}
    ),
    "export-first-stop: writes the first stop as arrival": flights(
        lambda row: {"arrivalAirport": row["segmentFirstArrivalAirport"]}
    ),
    "export-other-flight-number: writes another marketingFlightNumber than in the segments": flights(
        lambda row: {"marketingFlightNumber": another_number(row["marketingFlightNumber"])}
    ),
    "export-other-carrier: writes another operating carrier": flights(lambda _: {"operatingAirlineCode": "ZZ"}),
    "export-segment-ends-exchanged: writes the ends of the second segment exchanged": flights(
        lambda row: {
            "segmentSecondDepartureAirport": row["segmentSecondArrivalAirport"],
            "segmentSecondArrivalAirport": row["segmentSecondDepartureAirport"],
        }
    ),
    rule("EXPORT-SEGMENTS", "OPEN-101: journeyDuration and stops are not defined"): WARNS,
    "export-times-exchanged: exchanges the times of the first segment of every other flight": flights(_exchanged),
    "export-no-stops: writes 0 stops for every flight": flights(lambda _: {"stops": "0"}),
    rule("EXPORT-SEARCH-SEGMENTS"): FAILS,
    "export-twelve-hour-times: writes times on a twelve-hour clock": flights(
        lambda row: {name: _on_twelve_hours(row[name]) for name in row if name.endswith("Time")}
    ),
}
