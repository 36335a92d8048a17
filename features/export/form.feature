@export
Feature: Format of the export's files
  Decimal mark, encoding, byte order mark, line end and quoting are not documented (OPEN-101): any is accepted and
  observed. A defect in a file with a legacy name is a warning, because the contents of such files are not documented.

  Background:
    Given the content export

  @EXPORT-CSV
  Rule: A file is CSV: text in rows of cells
    A file has no NUL bytes, and a quoted cell is closed. A row of more than 1 MiB is reported and not read.
    Source: v3/v2, Content export (file drop)
    "On request to the operator, CSV files are dropped on an FTP folder of the client."

    Scenario: Files are parsed
      Then every file is CSV
      And the encoding is observed as OPEN-101
      And the byte order mark is observed as OPEN-101
      And the line end is observed as OPEN-101
      And the quoting is observed as OPEN-101

  @EXPORT-SEPARATOR
  Rule: Cells are separated by semicolons
    Source: v3/v2, Content export / Format
    "Format: semicolon-separated with a header line"

    Scenario: Separators are checked
      Then the cells of every file are separated by semicolons

  @EXPORT-HEADER
  Rule: The first line is a header
    Source: v3/v2, Content export / Format
    "Format: semicolon-separated with a header line"

    Scenario: Headers are checked
      Then the first line of every file is a header

  @EXPORT-ROUTES-COLUMNS
  Rule: A routes file has exactly the three documented columns in order
    It has no prices.
    Source: v3/v2, Content export / Routes columns
    "Routes columns: departureAirport, arrivalAirport, departureDate."

    Scenario: Columns of routes files are checked
      Then every routes file has the three documented columns in order

  @EXPORT-FLIGHTS-COLUMNS
  Rule: A flights file has exactly the 66 documented columns in order
    Source: v3/v2, Content export / Flights columns
    "Flights columns in order: departureAirport, arrivalAirport, departureDate, marketingAirlineCode, …
     combinationGroup, flightKey, tariffClass."

    Scenario: Columns of flights files are checked
      Then every flights file has the 66 documented columns in order

  @EXPORT-ROWS
  Rule: A row has a cell for each column
    This includes the last row, so a truncated file is found. A blank line is a warning.
    Source: v3/v2, Content export / Format
    "Format: semicolon-separated with a header line"

    Scenario: Rows are checked
      Then every row has a cell for each column
