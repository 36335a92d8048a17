@v3
Feature: Create booking requests
  POST /v3/requests holds seats and prices for a few minutes, one request for each flight.

  @V3-REQUESTS-REQUIRED @both
  Rule: A booking request names its flights, customer, passengers, bags and fare type
    Source: v3, POST /v3/requests

    Scenario Outline: <field> is left out
      Given a booking request in v3 that the service accepts
      When it is sent without <field>
      Then it is refused as Bad Request

      Examples:
        | field         |
        | flight_ids    |
        | customer_code |
        | passengers    |
        | fare_type     |

    Scenario Outline: <field> is <value>
      Given a booking request in v3 that the service accepts
      When it is sent with <field> set to <value>
      Then it is refused as Bad Request

      Examples:
        | field         | value     |
        | flight_ids    | "first"   |
        | flight_ids    | ["first"] |
        | customer_code | {}        |
        | passengers    | {}        |
        | passengers    | "Amelia"  |

  @V3-REQUESTS-FLIGHTS @both
  Rule: A booking request is for one or two flights
    Source: v3, POST /v3/requests; v3, Limits

    Scenario: No flight is named
      Given a booking request in v3 that the service accepts
      When it is sent for no flights
      Then it is refused

    Scenario: Three flights are named
      Given a booking request in v3 that the service accepts
      When it is sent for three flights
      Then it is refused

    Scenario: Two flights are named
      Given a booking request in v3 for two flights that the service accepts
      Then it was answered

  @V3-REQUESTS-PASSENGER @both
  Rule: A passenger has first name, last name, gender and date of birth
    Source: v3, POST /v3/requests

    Scenario Outline: <field> of a passenger is left out
      Given a booking request in v3 that the service accepts
      When it is sent without passengers[0].<field>
      Then it is refused as Bad Request

      Examples:
        | field         |
        | first_name    |
        | last_name     |
        | gender        |
        | date_of_birth |

  @V3-REQUESTS-OPTIONAL
  Rule: What is optional of a passenger may be left out
    Passport data may be demanded where a flight needs them (OPEN-85).
    Source: v3, POST /v3/requests

    Scenario: What is optional of the passengers is left out
      Given a booking request in v3 that the service accepts
      When it is sent without what is optional
      Then it is answered

  @V3-REQUESTS-FARE-TYPE @both
  Rule: The fare type is one_way or round_trip
    Source: v3, POST /v3/requests

    Scenario Outline: The fare type is <value>
      Given a booking request in v3 that the service accepts
      When it is sent with fare_type set to <value>
      Then it is refused
      And the status is observed as OPEN-29

      Examples:
        | value      |
        | "open_jaw" |
        | ""         |

    Scenario: The fare type is null
      Given a booking request in v3 that the service accepts
      When it is sent with fare_type set to null
      Then it is refused as Bad Request

    @situation
    Scenario: A round-trip fare is booked
      Given a round-trip fare search that finds fares
      When its first fare is requested
      Then it is answered

  @V3-BAGS-KEYS @both
  Rule: Bags are listed under the ids of the flights
    Source: v3, POST /v3/requests, bag rule 1

    Scenario: The bags of the flight are left out
      Given a booking request in v3 for two flights that the service accepts
      When it is sent without the bags of one flight
      Then it is refused

    Scenario: Bags of another flight are added
      Given a booking request in v3 that the service accepts
      When it is sent with bags of another flight
      Then it is refused

  @V3-BAGS-NOT-EMPTY @both
  Rule: Bags are neither left out nor empty nor null
    Source: v3, POST /v3/requests, bag rule 2; v3, Versioning, item 3

    Scenario: Bags are left out
      Given a booking request in v3 that the service accepts
      When it is sent without bags
      Then it is refused as Bad Request

    Scenario Outline: Bags are <value>
      Given a booking request in v3 that the service accepts
      When it is sent with bags set to <value>
      Then it is refused

      Examples:
        | value |
        | {}    |
        | null  |

  @V3-BAGS-LISTED @both
  Rule: Every bag option of the search is listed, with quantity 0 when it is not wanted
    Source: v3, POST /v3/requests, bag rule 2

    Scenario Outline: A <kind> option is left out
      Given a booking request in v3 that the service accepts
      When it is sent without one <kind> option
      Then it is refused
      And the status is observed as OPEN-29

      Examples:
        | kind    |
        | checked |
        | cabin   |

    Scenario Outline: All <kind> options are left out
      Given a booking request in v3 that the service accepts
      When it is sent without its <kind> bags
      Then it is refused
      And the status is observed as OPEN-29

      Examples:
        | kind    |
        | checked |
        | cabin   |

    Scenario: Every option is listed with quantity 0
      Given a booking request in v3 that the service accepts
      Then it was answered

  @V3-BAGS-OPTION @both
  Rule: A bag option has its quantity, and a checked one its weight
    Whether a cabin bag needs its dimensions and its weight is left open (OPEN-16).
    Source: v3, POST /v3/requests, bag rules 3 and 4

    Scenario Outline: <field> of a <kind> option is left out
      Given a booking request in v3 that the service accepts
      When it is sent without <field> of a <kind> option
      Then it is refused as Bad Request

      Examples:
        | kind    | field    |
        | checked | quantity |
        | checked | weight   |
        | cabin   | quantity |

    Scenario Outline: <field> of a <kind> option is <value>
      Given a booking request in v3 that the service accepts
      When it is sent with <field> of a <kind> option set to <value>
      Then it is refused as Bad Request

      Examples:
        | kind    | field    | value  |
        | checked | quantity | "none" |
        | checked | weight   | "much" |
        | cabin   | quantity | "none" |

  @V3-BAGS-QUANTITY @both
  Rule: There are no more bags of a kind than passengers
    Source: v3, POST /v3/requests, bag rule 5; v3, Limits

    Scenario Outline: More <kind> bags than passengers
      Given a booking request in v3 that the service accepts
      When it is sent with 2 bags of a <kind> option
      Then it is refused
      And the status is observed as OPEN-29

      Examples:
        | kind    |
        | checked |
        | cabin   |

    Scenario Outline: A <kind> bag for each passenger
      Given a booking request in v3 with a <kind> bag that the service accepts
      Then it was answered

      Examples:
        | kind    |
        | checked |
        | cabin   |

  @V3-REQUESTS-ANSWER
  Rule: Each flight has one request, with its passengers, prices, customer and flight
    Source: v3, POST /v3/requests; v3, Resources and their fields / Booking request

    Scenario: One flight is requested
      Given a booking request in v3 that the service accepts
      Then the service keeps this rule

    Scenario: Two flights are requested
      Given a booking request in v3 for two flights that the service accepts
      Then the service keeps this rule

  @V3-REQUESTS-BAGS-FEE
  Rule: A request answers the fees of checked and cabin bags
    Source: v3, Resources and their fields / Booking request

    Scenario: A checked bag is requested
      Given a booking request in v3 with a checked bag that the service accepts
      Then the service keeps this rule

  @V3-REQUESTS-COUNT
  Rule: The counts of a request are those of its passengers
    Which count an edge age falls into is left open (OPEN-84).
    Source: v3, Resources and their fields / Booking request

    Scenario: A family is requested
      Given a booking request in v3 for a family that the service accepts
      Then the service keeps this rule

  @V3-CANCEL
  Rule: A pending request can be cancelled
    Source: v3, POST /v3/requests/{request_id}/cancel

    Scenario: A pending request is cancelled
      Given a pending request in v3
      When it is cancelled
      Then the cancellation succeeds

  @V3-CANCEL-PENDING @both
  Rule: Only a pending request can be cancelled
    The status of the refusal is left open (OPEN-89).
    Source: v3, POST /v3/requests/{request_id}/cancel

    Scenario: A cancelled request is cancelled again
      Given a cancelled request in v3
      When it is cancelled
      Then the cancellation does not succeed
      And the status is observed as OPEN-89

    Scenario: A request that became a booking is cancelled
      Given a booking in v3
      When its request is cancelled
      Then the cancellation does not succeed
      And the status is observed as OPEN-89

    @situation
    Scenario: A request whose payment failed is cancelled
      Given a request in v3 whose payment failed
      When it is cancelled
      Then the cancellation does not succeed
      And the status is observed as OPEN-89

    @ages
    Scenario: A request is cancelled after five minutes
      Given a request in v3 made more than 5 minutes ago
      When it is cancelled
      Then the cancellation does not succeed
      And the status is observed as OPEN-89

  @V3-CANCEL-UNKNOWN
  Rule: The cancellation of a request that does not exist fails
    Source: v3, Errors

    Scenario: The request does not exist
      Given a pending request in v3
      When an unknown request is cancelled
      Then it is refused as Not Found
