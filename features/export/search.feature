@export
Feature: The export and the live search
  Prices are available through the flight search, where the flights of a file can be found.

  Background:
    Given the content export

  @EXPORT-SEARCH
  Rule: A flight search of the same day finds the routes and flights of the export
    Search results are cached and indicative (OPEN-37), and a flight may be sold out since the files were written: a
    difference is a warning, not a failure. The suite searches a few rows.
    Source: v3/v2, Content export / Prices; v3/v2, What the service does
    "Prices are available through the flights search; the routes file carries no prices."

    @v2 @v3
    Scenario: A search in <interface> finds routes of the files
      When the client searches some of the routes in <interface>
      Then each search finds flights

    @v2 @v3
    Scenario: A search in <interface> finds flights of the files
      When the client searches some of the flights in <interface>
      Then each search finds the flight
      And the price in the search is observed as OPEN-37

  @EXPORT-SEARCH-SEGMENTS
  Rule: The segments of a flight in the export are those of the search
    Values at the wrong segments and times on a twelve-hour clock are violations. Search results are cached (OPEN-37), so
    another carrier or flight number is a warning, and another time is not a finding.
    Source: v3/v2, Content export / Flights columns; v3/v2, Content export / Format
    "for each of First, Second, Third segment the ten columns … segment<Ord>DepartureTime, segment<Ord>ArrivalTime"

    @v2 @v3
    Scenario: Segments of the files are compared with a search in <interface>
      When the client searches some of the flights in <interface>
      Then the segments of each flight are those of the search
