@export
Feature: Form of the export's files
  Decimal mark, encoding, byte order mark, line end and quoting are open (OPEN-101): any is read, and observed. What is
  wrong in a file with a legacy name is a warning, for its contents are open.

  @EXPORT-CSV
  Rule: A file of the export is CSV: text, in rows of cells
    No file holds NUL bytes, and a quoted cell comes to an end. A row of more than a mebibyte is not read, and said so.
    Source: v3/v2, Content export (file drop)

    Scenario: The files are read
      Given the content export
      Then the export keeps this rule
      And the encoding is observed as OPEN-101
      And the byte order mark is observed as OPEN-101
      And the line end is observed as OPEN-101
      And the quoting is observed as OPEN-101

  @EXPORT-SEPARATOR
  Rule: Cells are separated by semicolons
    Source: v3/v2, Content export / Format

    Scenario: Cells are told apart
      Given the content export
      Then the export keeps this rule

  @EXPORT-HEADER
  Rule: The first line is a header
    Source: v3/v2, Content export / Format

    Scenario: Headers are read
      Given the content export
      Then the export keeps this rule

  @EXPORT-ROUTES-COLUMNS
  Rule: A routes file has the three routes columns, in their order, and none else
    It carries no prices.
    Source: v3/v2, Content export / Routes columns

    Scenario: Columns of routes are read
      Given the content export
      Then the export keeps this rule

  @EXPORT-FLIGHTS-COLUMNS
  Rule: A flights file has the 66 flights columns, in their order, and none else
    Source: v3/v2, Content export / Flights columns

    Scenario: Columns of flights are read
      Given the content export
      Then the export keeps this rule

  @EXPORT-ROWS
  Rule: A row has a cell for each column
    The last row too: a file that was cut off is told by it. A blank line is a warning.
    Source: v3/v2, Content export / Format

    Scenario: Rows are read
      Given the content export
      Then the export keeps this rule
