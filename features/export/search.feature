@export
Feature: The export and the live search
  Prices are available through the flights search: what a file offers can be looked for there.

  @EXPORT-SEARCH
  Rule: What the export offers is found by a flights search of the same day
    Search results come from a cache and are indicative only (OPEN-37), and a flight may be sold out since the files were
    written: a difference warns, and fails nobody. A handful of rows is looked for.
    Source: v3/v2, Content export / Prices; v3/v2, What the service does

    Scenario Outline: Routes of the files are searched in <interface>
      Given the content export
      When some of its routes are searched in <interface>
      Then each search finds flights

      Examples:
        | interface |
        | v3        |
        | v2        |

    Scenario Outline: Flights of the files are searched in <interface>
      Given the content export
      When some of its flights are searched in <interface>
      Then each search finds the flight
      And the price in the search is observed as OPEN-37

      Examples:
        | interface |
        | v3        |
        | v2        |
