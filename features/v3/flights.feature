@v2 @v3
Feature: Search flights
  GET /v2/flights and GET /v3/flights find one-way flights between airports.

  @V23-FLIGHTS-REQUIRED @both
  Rule: A flight search names its origin and its destination
    Source: v3, GET /v3/flights

    Scenario Outline: <parameter> is left out in <interface>
      Given a flight search in <interface> that the service answers
      When it is sent without the parameter <parameter>
      Then it is refused as Bad Request

      Examples:
        | interface | parameter   |
        | v2        | origin      |
        | v2        | destination |
        | v3        | origin      |
        | v3        | destination |

  @V23-FLIGHTS-PARAMETERS @both
  Rule: Days are YYYY-MM-DD and seats are a whole number
    Source: v3, GET /v3/flights

    Scenario Outline: <parameter> is "<value>" in <interface>
      Given a flight search in <interface> that the service answers
      When it is sent with the parameter <parameter> set to "<value>"
      Then it is refused

      Examples:
        | interface | parameter | value      |
        | v2        | start     | tomorrow   |
        | v2        | end       | 14/03/2027 |
        | v2        | seats     | many       |
        | v3        | start     | tomorrow   |
        | v3        | end       | 14/03/2027 |
        | v3        | seats     | many       |

  @V23-FLIGHTS-ANSWER
  Rule: A flight search is answered with results and a cursor or null
    Source: v3, GET /v3/flights

    Scenario Outline: A page of flights is read in <interface>
      Given a flight search in <interface> that finds flights
      Then the service keeps this rule

      Examples:
        | interface |
        | v2        |
        | v3        |

  @V23-FLIGHTS-PAGE
  Rule: A page holds at most 100 results, and the cursor leads to an end
    Source: v3, GET /v3/flights; v3, Limits

    @situation
    Scenario Outline: More than 100 flights are found in <interface>
      Given a flight search in <interface> that finds more than 100 flights
      When all its pages are read
      Then every page holds at most 100 results
      And the pages come to an end
      And the flights that stand on several pages are observed as OPEN-80

      Examples:
        | interface |
        | v2        |
        | v3        |

  @V23-FLIGHTS-WINDOW
  Rule: Flights leave between the first and the last day that were asked for, three days apart at most
    A longer window may be refused or shortened (OPEN-78).
    Source: v3, GET /v3/flights; v3, Limits

    Scenario Outline: A window of <days> days is asked for in <interface>
      Given a flight search in <interface> that finds flights
      When it is sent for a window of <days> days
      Then it is answered
      And the service keeps this rule

      Examples:
        | interface | days |
        | v2        | 0    |
        | v2        | 3    |
        | v3        | 0    |
        | v3        | 3    |

    Scenario Outline: A window that is too long is asked for in <interface>
      Given a flight search in <interface> that finds flights
      When it is sent for a window of 9 days
      Then no error of the service is answered
      And the service keeps this rule
      And the status is observed as OPEN-78

      Examples:
        | interface |
        | v2        |
        | v3        |

    Scenario Outline: No window is asked for in <interface>
      Given a flight search in <interface> that finds flights
      When it is sent without a window
      Then it is answered
      And the service keeps this rule

      Examples:
        | interface |
        | v2        |
        | v3        |

    Scenario Outline: Only the first day is asked for in <interface>
      Given a flight search in <interface> that finds flights
      When it is sent without the parameter end
      Then it is answered
      And the service keeps this rule

      Examples:
        | interface |
        | v2        |
        | v3        |

    @situation
    Scenario Outline: Further pages are read in <interface>
      Given a flight search in <interface> that finds more than 100 flights
      When all its pages are read
      Then it is answered
      And the service keeps this rule

      Examples:
        | interface |
        | v2        |
        | v3        |

  @V23-FLIGHTS-SEATS
  Rule: Flights have the seats that were asked for
    Source: v3, GET /v3/flights

    Scenario Outline: Four seats are asked for in <interface>
      Given a flight search in <interface> that finds flights
      When it is sent with the parameter seats set to "4"
      Then it is answered
      And the service keeps this rule

      Examples:
        | interface |
        | v2        |
        | v3        |

    @situation
    Scenario: Four seats of round-trip fares are asked for
      Given a round-trip fare search that finds fares
      When it is sent with the parameter seats set to "4"
      Then it is answered
      And the service keeps this rule

  @V23-FLIGHTS-ROUTE
  Rule: Flights fly from and to the airports that were asked for
    Another airport is a warning, as it may belong to a city (OPEN-78); the opposite direction is not.
    Source: v3, GET /v3/flights

    Scenario Outline: Flights are compared with what was asked for in <interface>
      Given a flight search in <interface> that finds flights
      Then the service keeps this rule

      Examples:
        | interface |
        | v2        |
        | v3        |

  @V3-FLIGHTS-CUSTOMER-CODE
  Rule: A flight search may name the customer
    Source: v3, GET /v3/flights

    Scenario: The customer code is sent
      Given a flight search in v3 that the service answers
      When it is sent with the customer code
      Then it is answered

  @V23-FLIGHT-FIELDS
  Rule: A flight has its id, classes, duration, times, places, segments, seats and prices
    Source: v3, Resources and their fields / Flight (v3)

    Scenario Outline: Flights are searched in <interface>
      Given a flight search in <interface> that finds flights
      Then the service keeps this rule

      Examples:
        | interface |
        | v2        |
        | v3        |

  @V23-FLIGHT-TIMES
  Rule: Flights leave and arrive at YYYY-MM-DD HH:mm:ss and last HH:mm
    Source: v3, Resources and their fields / Flight (v3)

    Scenario Outline: The times of flights are read in <interface>
      Given a flight search in <interface> that finds flights
      Then the service keeps this rule

      Examples:
        | interface |
        | v2        |
        | v3        |

  @V23-FLIGHT-PLACES
  Rule: A place has its IATA code, city, country and time zone
    Source: v3, Resources and their fields / Flight (v3)

    Scenario Outline: The places of flights are read in <interface>
      Given a flight search in <interface> that finds flights
      Then the service keeps this rule

      Examples:
        | interface |
        | v2        |
        | v3        |

  @V23-FLIGHT-SEGMENTS
  Rule: A flight has one to three segments with their carriers and flight numbers
    Source: v3, Resources and their fields / Segment; v3, Limits

    Scenario Outline: The segments of flights are read in <interface>
      Given a flight search in <interface> that finds flights
      Then the service keeps this rule

      Examples:
        | interface |
        | v2        |
        | v3        |

    @situation
    Scenario Outline: Flights with stop-overs are searched in <interface>
      Given a flight search in <interface> for connecting flights that finds flights
      Then the service keeps this rule

      Examples:
        | interface |
        | v2        |
        | v3        |

  @V23-FLIGHT-ITINERARY
  Rule: A flight leaves with its first segment and arrives with its last, and its segments follow one another
    Each time is local to its airport.
    Source: v3, Resources and their fields / Flight (v3); v3, Resources and their fields / Segment

    Scenario Outline: The way of flights is read in <interface>
      Given a flight search in <interface> that finds flights
      Then the service keeps this rule

      Examples:
        | interface |
        | v2        |
        | v3        |

    @situation
    Scenario Outline: The way of flights with stop-overs is read in <interface>
      Given a flight search in <interface> for connecting flights that finds flights
      Then the service keeps this rule

      Examples:
        | interface |
        | v2        |
        | v3        |

  @V23-FLIGHT-INFANT-PRICE
  Rule: The infant price is a number, or null where infants are not sold
    Source: v3, Resources and their fields / Flight (v3)

    @situation
    Scenario Outline: Flights without infants are searched in <interface>
      Given a flight search in <interface> for flights without infants that finds flights
      Then the service keeps this rule

      Examples:
        | interface |
        | v2        |
        | v3        |

  @V3-FLIGHT-BAGS
  Rule: A v3 flight lists its checked and cabin bags with quantity and price
    Source: v3, Resources and their fields / Flight (v3)

    Scenario: Flights are searched
      Given a flight search in v3 that finds flights
      Then the service keeps this rule
      And the quantities of bag options are observed as OPEN-81

    @situation
    Scenario: Flights without bags are searched
      Given a flight search in v3 for flights without bags that finds flights
      Then the service keeps this rule

  @V2-FLIGHT-LUGGAGE
  Rule: A v2 flight lists its luggage options with weight, quantity and price
    Source: v3, Resources and their fields / Flight (v3)

    Scenario: Flights with luggage options are searched
      Given a flight search in v2 that finds flights
      Then the service keeps this rule
