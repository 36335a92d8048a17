@export
Feature: Files of the content export
  The operator uploads CSV files to a client's FTP folder in two formats: routes, the lighter one, and flights, the
  complete one. A missing format is one that the client has not ordered.

  @EXPORT-FILE-NAMES
  Rule: A file is named after its format, its customer and the API version
    The names are cp_routes_<customer>_v<N>.csv and cp_flights_<customer>_v<N>.csv, where N is 2 or 3. The characters of
    a customer's name are not documented (OPEN-101). Files with the legacy names cp_routes.csv and cp_flights.csv may
    still exist (OPEN-45). Other files in the folder belong to the client.
    Source: v3/v2, Content export / Files
    "Names: cp_routes_<customer>_v<N>.csv, cp_routes_all_v<N>.csv, cp_flights_<customer>_v<N>.csv,
     cp_flights_all_v<N>.csv, where <N> is the API version in use (2 or 3)."

    Scenario: File names are checked
      Given the content export
      Then every file is named after its format, its customer and the API version
      And legacy names are observed as OPEN-45
      And the characters of customers are observed as OPEN-101

  @EXPORT-ALL-CONTENT
  Rule: Each format has an all-content file in each version
    It is the only file if no customer has specific distribution rules. The profile may name the versions and formats
    that are required; otherwise those of the files are.
    Source: v3/v2, Content export / Files
    "plus one for all other customers (the all-content file; the only file when no customer has specific rules)."

    Scenario: All-content files are listed
      Given the content export
      Then each format has an all-content file in each version

  @EXPORT-SAME-CONTENT
  Rule: The files of a customer contain the same routes and days in both formats
    A difference is a warning: the files may be uploaded at different times (OPEN-101). The two versions are not compared.
    Source: v3/v2, Content export
    "Two formats: routes (lighter, recommended) and flights (complete)."

    Scenario: Routes and days are compared
      Given the content export, with both formats for a customer
      Then the files of each customer contain the same routes and days

  @EXPORT-CUSTOMER-FILES
  Rule: A customer with specific distribution rules has a separate file
    The distribution rules are agreed with the operator; the profile names the customers that have them. The spelling of a
    customer in its name is not documented (OPEN-101): a missing file is a warning if a file with another name may be the
    one, or if the customer may not use the version.
    Source: v3/v2, Content export / Files
    "Files: one per customer with specific distribution rules"

    Scenario: Files of customers are listed
      Given the content export, with a customer that has specific distribution rules
      Then each customer with specific distribution rules has a file

  @EXPORT-DELIVERY @excluded
  Rule: The operator uploads the files to an FTP folder of the client on request
    Excluded: this is an organisational agreement. How often files are uploaded is not documented (OPEN-101).
    Source: v3/v2, Content export (file drop)
    "On request to the operator, CSV files are dropped on an FTP folder of the client."

  @EXPORT-LEGACY-NAMES @excluded
  Rule: The legacy file names are kept for a transition period
    Excluded: the length of the period and the contents of the files are not documented (OPEN-45, OPEN-101).
    Source: v3/v2, Content export / Files
    "Legacy names cp_routes.csv and cp_flights.csv are kept for a transition period."
