@export
Feature: Files of the content export
  The operator drops CSV files on a client's FTP folder, in two formats: routes, the lighter one, and flights, the
  complete one. A format that is not there was not asked for.

  @EXPORT-FILE-NAMES
  Rule: A file of the export is called after its format, its customer and the API version
    cp_routes_<customer>_v<N>.csv and cp_flights_<customer>_v<N>.csv, where N is 2 or 3. What a customer may be called is
    open (OPEN-101), and so is whether the legacy names cp_routes.csv and cp_flights.csv are still there (OPEN-45). Other
    files in the folder are the client's.
    Source: v3/v2, Content export / Files

    Scenario: The folder is listed
      Given the content export
      Then the export keeps this rule
      And legacy names are observed as OPEN-45
      And the characters of customers are observed as OPEN-101

  @EXPORT-ALL-CONTENT
  Rule: Each format has an all-content file in each version
    It is the only file where no customer has specific distribution rules. Versions and formats that the profile names
    are required; otherwise those of the files are.
    Source: v3/v2, Content export / Files

    Scenario: All-content files are looked for
      Given the content export
      Then the export keeps this rule

  @EXPORT-CUSTOMER-FILES
  Rule: A customer with specific distribution rules has a file of its own
    Which customers have such rules is an agreement: it can be examined where they are named. A missing file only
    warns: how a customer is spelled in its name is open (OPEN-101).
    Source: v3/v2, Content export / Files

    Scenario: A customer's files are looked for
      Given the content export, with a customer that has specific distribution rules
      Then the export keeps this rule

  @EXPORT-DELIVERY @excluded
  Rule: The files are dropped on an FTP folder of the client, on request to the operator
    Excluded: an agreement between people; the place is what is examined here, and its rhythm is open (OPEN-101).
    Source: v3/v2, Content export (file drop)

  @EXPORT-LEGACY-NAMES @excluded
  Rule: The legacy names are kept for a transition period
    Excluded: how long is not said, so that they may be there or not, with any contents (OPEN-45, OPEN-101).
    Source: v3/v2, Content export / Files
