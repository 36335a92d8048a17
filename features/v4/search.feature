@v4
Feature: Search Offers
  POST /search finds offers between airports or cities.

  @V4-SEARCH-REQUIRED @both
  Rule: A search states its passengers, trip type, customer code and outbound segment
    Source: v4, POST /search

    Scenario Outline: <field> is left out
      Given a search that the service answers
      When it is sent without <field>
      Then it is refused as Bad Request

      Examples:
        | field                         |
        | adults                        |
        | children                      |
        | infants                       |
        | tripType                      |
        | customerCode                  |
        | outboundSegment               |
        | outboundSegment.origin        |
        | outboundSegment.destination   |
        | outboundSegment.departureDate |

    Scenario Outline: <field> is <value>
      Given a search that the service answers
      When it is sent with <field> set to <value>
      Then it is refused as Bad Request

      Examples:
        | field           | value |
        | customerCode    | {}    |
        | outboundSegment | null  |
        | outboundSegment | "MAD" |
        | outboundSegment | []    |

  @V4-SEARCH-ADULTS @both
  Rule: A search is for one to nine adults
    Source: v4, POST /search; v4, Limits

    Scenario Outline: A search for <adults> adults is refused
      Given a search that the service answers
      When it is sent with adults set to <adults>
      Then it is refused as Bad Request

      Examples:
        | adults |
        | 0      |
        | 10     |
        | -1     |
        | 1.5    |
        | "2"    |
        | "two"  |
        | null   |

    Scenario Outline: A search for <adults> adults is answered
      Given a search that the service answers
      When it is sent with adults set to <adults>
      Then it is answered

      Examples:
        | adults |
        | 1      |
        | 2      |
        | 9      |

  @V4-SEARCH-CHILDREN @both
  Rule: A search is for none to nine children
    A service may limit the sum of the passengers (OPEN-55).
    Source: v4, POST /search; v4, Limits

    Scenario Outline: A search for <children> children is refused
      Given a search that the service answers
      When it is sent with children set to <children>
      Then it is refused as Bad Request

      Examples:
        | children |
        | -1       |
        | 10       |
        | 1.5      |
        | "1"      |
        | "none"   |
        | null     |

    Scenario Outline: A search for <children> children is answered
      Given a search that the service answers
      When it is sent with children set to <children>
      Then it is answered

      Examples:
        | children |
        | 0        |
        | 1        |
        | 8        |

    Scenario: A search for nine children beside an adult
      Given a search that the service answers
      When it is sent with children set to 9
      Then no error of the service is answered
      And the status is observed as OPEN-55

  @V4-SEARCH-INFANTS @both
  Rule: A search is for no more infants than adults
    Source: v4, POST /search; v4, Limits

    Scenario Outline: A search for <infants> infants and <adults> adults is refused
      Given a search for <adults> adults that the service answers
      When it is sent with infants set to <infants>
      Then it is refused

      Examples:
        | adults | infants |
        | 1      | 2       |
        | 2      | 3       |

    Scenario Outline: A search for <infants> infants is refused
      Given a search that the service answers
      When it is sent with infants set to <infants>
      Then it is refused as Bad Request

      Examples:
        | infants |
        | -1      |
        | 0.5     |
        | "1"     |
        | "none"  |
        | null    |

    Scenario Outline: A search for <infants> infants and <adults> adults is answered
      Given a search for <adults> adults that the service answers
      When it is sent with infants set to <infants>
      Then it is answered

      Examples:
        | adults | infants |
        | 1      | 1       |
        | 2      | 1       |
        | 2      | 2       |

  @V4-SEARCH-TRIP-TYPE @both
  Rule: A trip is ONE_WAY or ROUND_TRIP
    Source: v4, Resources and their fields / Enumerations

    Scenario Outline: The trip type is <value>
      Given a search that the service answers
      When it is sent with tripType set to <value>
      Then it is refused as Bad Request

      Examples:
        | value        |
        | "MULTI_CITY" |
        | ""           |
        | 1            |
        | null         |

    Scenario: A round trip is searched
      Given a round-trip search that the service answers
      Then it was answered

  @V4-SEARCH-LOCATION @both
  Rule: A location is a three-letter IATA code of an airport or a city
    Source: v4, POST /search; v4, Resources and their fields / Enumerations

    Scenario Outline: The location's <field> is left out
      Given a search that the service answers
      When it is sent without <field>
      Then it is refused as Bad Request

      Examples:
        | field                            |
        | outboundSegment.origin.code      |
        | outboundSegment.origin.type      |
        | outboundSegment.destination.code |
        | outboundSegment.destination.type |

    Scenario Outline: The location <field> is <value>
      Given a search that the service answers
      When it is sent with <field> set to <value>
      Then it is refused as Bad Request

      Examples:
        | field                            | value     |
        | outboundSegment.origin.code      | "MA"      |
        | outboundSegment.origin.code      | "MADR"    |
        | outboundSegment.origin.code      | ""        |
        | outboundSegment.origin.code      | {}        |
        | outboundSegment.origin.type      | "STATION" |
        | outboundSegment.origin.type      | null      |
        | outboundSegment.origin           | "MAD"     |
        | outboundSegment.destination.code | "PM"      |
        | outboundSegment.destination.code | "PMII"    |
        | outboundSegment.destination.code | {}        |
        | outboundSegment.destination.type | "COUNTRY" |
        | outboundSegment.destination      | null      |

    Scenario Outline: <field> of a location of the way back is left out
      Given a round-trip search that the service answers
      When it is sent without <field>
      Then it is refused as Bad Request

      Examples:
        | field                           |
        | inboundSegment.origin.code      |
        | inboundSegment.origin.type      |
        | inboundSegment.destination.code |
        | inboundSegment.destination.type |

    Scenario Outline: <field> of a round trip is <value>
      Given a round-trip search that the service answers
      When it is sent with <field> set to <value>
      Then it is refused as Bad Request

      Examples:
        | field                           | value     |
        | inboundSegment.origin           | "PMI"     |
        | inboundSegment.origin.code      | "PMII"    |
        | inboundSegment.origin.code      | {}        |
        | inboundSegment.origin.type      | "STATION" |
        | inboundSegment.destination      | "MAD"     |
        | inboundSegment.destination.code | "MADR"    |
        | inboundSegment.destination.code | {}        |
        | inboundSegment.destination.type | "STATION" |

    @situation
    Scenario: A search between cities is answered
      Given a search between cities that the service answers
      Then it was answered

  @V4-SEARCH-DEPARTURE-DATE @both
  Rule: A search names its day of departure as YYYY-MM-DD
    Source: v4, POST /search; v4, Resources and their fields / Conventions

    Scenario Outline: The day is <value>
      Given a search that the service answers
      When it is sent with outboundSegment.departureDate set to <value>
      Then it is refused as Bad Request

      Examples:
        | value        |
        | "14/03/2027" |
        | "2027-3-14"  |
        | "20270314"   |
        | "tomorrow"   |
        | ""           |
        | null         |
        | {}           |

    Scenario Outline: The day of the way back is <value>
      Given a round-trip search that the service answers
      When it is sent with inboundSegment.departureDate set to <value>
      Then it is refused as Bad Request

      Examples:
        | value        |
        | "21/03/2027" |
        | {}           |

  @V4-SEARCH-INBOUND @both
  Rule: A round trip names its inbound segment
    Source: v4, POST /search

    Scenario: The inbound segment of a round trip is left out
      Given a round-trip search that the service answers
      When it is sent without inboundSegment
      Then it is refused as Bad Request

    Scenario Outline: The inbound segment of a round trip is <value>
      Given a round-trip search that the service answers
      When it is sent with inboundSegment set to <value>
      Then it is refused as Bad Request

      Examples:
        | value |
        | null  |
        | "PMI" |

    Scenario Outline: <field> of the way back is left out
      Given a round-trip search that the service answers
      When it is sent without <field>
      Then it is refused as Bad Request

      Examples:
        | field                        |
        | inboundSegment.origin        |
        | inboundSegment.destination   |
        | inboundSegment.departureDate |

  @V4-SEARCH-INBOUND-NULL
  Rule: The inbound segment of a one-way search is null
    It may also be left out (OPEN-25).
    Source: v4, Resources and their fields / Section; v4, POST /search

    Scenario: The inbound segment of a one-way search is null
      Given a documented search
      When it is sent with inboundSegment set to null
      Then it is answered

    Scenario: The inbound segment of a one-way search is left out
      Given a search that the service answers
      When it is sent without inboundSegment
      Then no error of the service is answered
      And the status is observed as OPEN-25

  @V4-SEARCH-TRAVEL-CLASS
  Rule: The travel class is ECONOMY, and nothing is offered in another
    Source: v4, POST /search

    Scenario Outline: The travel class is <value>
      Given a search that finds offers
      When it is sent with travelClass set to <value>
      Then it is answered without offers

      Examples:
        | value      |
        | "BUSINESS" |
        | "FIRST"    |

    Scenario: The travel class is ECONOMY
      Given a search that finds offers
      When it is sent with travelClass set to "ECONOMY"
      Then it is answered with offers

    Scenario: The travel class is left out
      Given a search that finds offers
      When it is sent without travelClass
      Then it is answered with offers

  @V4-SEARCH-EDGE-CASES
  Rule: An impossible search is no error of the service
    Whether it is refused or finds nothing is left open (OPEN-55).
    Source: v4, POST /search; v4, Errors

    Scenario Outline: <case>
      Given a search that the service answers
      When it is sent with <field> set to <value>
      Then no error of the service is answered
      And the status is observed as OPEN-55

      Examples:
        | case                    | field                            | value        |
        | A day in the past       | outboundSegment.departureDate    | "2020-01-01" |
        | A day far in the future | outboundSegment.departureDate    | "2099-12-31" |
        | An unknown airport      | outboundSegment.origin.code      | "QQQ"        |
        | An unknown destination  | outboundSegment.destination.code | "QQQ"        |

    Scenario: The way back is before the way out
      Given a round-trip search that the service answers
      When it is sent with inboundSegment.departureDate set to "2020-01-01"
      Then no error of the service is answered
      And the status is observed as OPEN-55

  @V4-SEARCH-OFFERS
  Rule: A search is answered with an array of offers
    Source: v4, POST /search

    Scenario: Flights are searched
      Given a search that the service answers
      Then the service keeps this rule

    Scenario: Nothing is found
      Given a search that the service answers
      When it is sent with travelClass set to "BUSINESS"
      Then it is answered
      And the service keeps this rule

  @V4-SEARCH-OFFER-FIELDS
  Rule: An offer found by a search has an id, its segments, a fare and payment options
    Source: v4, Resources and their fields / Offer

    Scenario: One-way flights are searched
      Given a search that finds offers
      Then the service keeps this rule
      And the inbound segment of one-way offers is observed as OPEN-02

    @situation
    Scenario: Connecting flights are searched
      Given a search for connecting flights that finds offers
      Then the service keeps this rule

  @V4-SEARCH-FARE
  Rule: A fare found by a search has its pricing, the included baggage and a price
    Source: v4, Resources and their fields / Fare (as returned inside a search offer)

    Scenario: Flights are searched with their fares
      Given a search that finds offers
      Then the service keeps this rule

    Scenario: Flights are searched for a family
      Given a search for 2 adults, 1 child and 1 infant that finds offers
      Then the service keeps this rule

  @V4-SEARCH-ROUND-TRIP
  Rule: A round-trip offer has an inbound segment
    Its structure is not described (OPEN-02).
    Source: v4, Resources and their fields / Section

    Scenario: A round trip is searched both ways
      Given a round-trip search that finds offers
      Then the service keeps this rule
      And the structure of the inbound segment is observed as OPEN-02

  @V4-SEARCH-PASSENGER-COUNT
  Rule: A fare is priced for the passengers that were asked for
    Source: v4, Resources and their fields / Fare (as returned inside a search offer)

    Scenario Outline: A search for <adults> adults, <children> children and <infants> infants
      Given a search for <adults> adults, <children> children and <infants> infants that finds offers
      Then the service keeps this rule

      Examples:
        | adults | children | infants |
        | 1      | 0        | 0       |
        | 2      | 1        | 1       |

  @V4-SEARCH-ITINERARY
  Rule: An offer flies where and when it was asked for
    A deviation warns: the document does not promise it in words.
    Source: v4, POST /search

    Scenario: Flights are compared with what was asked for
      Given a search that finds offers
      Then the service keeps this rule

    Scenario: A round trip is compared with what was asked for
      Given a round-trip search that finds offers
      Then the service keeps this rule
