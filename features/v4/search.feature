@v4
Feature: Search Offers
  POST /search finds offers between airports or cities.

  @V4-SEARCH-REQUIRED @both
  Rule: A search contains its passengers, trip type, customer code and outbound segment
    Source: v4, POST /search
    "adults: integer, required … children: integer, required … infants: integer, required … tripType: string, required …
     customerCode: string, required … outboundSegment: object, required"

    Scenario: Members of a search are missing or wrong
      Then the service rejects each value that the documents exclude

  @V4-SEARCH-ADULTS @both
  Rule: A search is for one to nine adults
    Source: v4, POST /search; v4, Limits
    "adults: integer, required, 1..9"

    Scenario: Wrong numbers of adults
      Then the service rejects each value that the documents exclude

  @V4-SEARCH-CHILDREN @both
  Rule: A search is for zero to nine children
    A service may limit the sum of the passengers (OPEN-55).
    Source: v4, POST /search; v4, Limits
    "children: integer, required, 0..9"

    Scenario: Wrong numbers of children
      Then the service rejects each value that the documents exclude

    Scenario: A search for eight children beside an adult is accepted
      Given a search that the service accepts
      When the client sends the request with children set to 8
      Then the service accepts the request

    Scenario: A search for nine children beside an adult
      Given a search that the service accepts
      When the client sends the request with children set to 9
      Then the service does not respond with a 5xx status
      And the status is observed as OPEN-55

  @V4-SEARCH-INFANTS @both
  Rule: A search is for no more infants than adults
    Source: v4, POST /search; v4, Limits
    "infants: integer, required, 0..adults"

    Scenario: Wrong numbers of infants
      Then the service rejects each value that the documents exclude

    Scenario Outline: The service <accepts or rejects> a <search> for <infants> infants and <others>
      Given a <search> for <others> that the service accepts
      When the client sends the request with infants set to <infants>
      Then the service <accepts or rejects> the request

      Examples:
        | search            | others              | infants | accepts or rejects |
        | search            | 1 adult             | 2       | rejects            |
        | search            | 9 adults            | 10      | rejects            |
        | search            | 1 adult, 2 children | 2       | rejects            |
        | round-trip search | 1 adult             | 2       | rejects            |
        | search            | 1 adult             | 1       | accepts            |
        | search            | 2 adults            | 1       | accepts            |
        | search            | 4 adults            | 4       | accepts            |

    Scenario: A search for nine infants beside nine adults
      A rejection only warns: the service may limit the sum of the passengers (OPEN-55).

      Given a search for 9 adults that the service accepts
      When the client sends the request with infants set to 9
      Then the service should accept the request

  @V4-SEARCH-TRIP-TYPE @both
  Rule: The trip type of a search is ONE_WAY or ROUND_TRIP
    Source: v4, Resources and their fields / Enumerations
    "tripType: ONE_WAY, ROUND_TRIP"

    Scenario: Wrong trip types
      Then the service rejects each value that the documents exclude

    Scenario: A round trip is searched for a family
      When the client sends a round-trip search for 3 adults, 2 children and 2 infants
      Then the service accepts the request

  @V4-SEARCH-LOCATION @both
  Rule: A location is a three-letter IATA code of an airport or a city
    Source: v4, POST /search; v4, Resources and their fields / Enumerations
    "origin and destination (each {code: 3-letter IATA, type: AIRPORT or CITY})"

    Scenario: Wrong locations
      Then the service rejects each value that the documents exclude

    @situation
    Scenario Outline: A search from <a place> to <another> is accepted
      Given a search between cities that finds offers
      When the client searches from <a place> to <another> of one of the offers
      Then the service accepts the request
      And the search should find offers too

      Examples:
        | a place     | another     |
        | the city    | the airport |
        | the airport | the city    |

    @situation
    Scenario: A search of a round trip between cities is accepted
      Given a search between cities that finds offers
      When the client searches a round trip between the cities
      Then the service accepts the request

  @V4-SEARCH-DEPARTURE-DATE @both
  Rule: A search names its day of departure as YYYY-MM-DD
    Source: v4, POST /search; v4, Resources and their fields / Conventions
    "Date in search: YYYY-MM-DD"

    Scenario: Wrong days of departure
      Then the service rejects each value that the documents exclude

  @V4-SEARCH-INBOUND @both
  Rule: A round trip names its inbound segment
    Source: v4, POST /search
    "inboundSegment: object or null, required when tripType is ROUND_TRIP, same shape as outboundSegment"

    Scenario: The inbound segment is wrong
      Given the service sells round trips
      Then the service rejects each value that the documents exclude

    Scenario: A round trip returns on the day of its departure
      When the client searches a round trip that returns on the day of its departure
      Then the service accepts the request

  @V4-SEARCH-INBOUND-NULL
  Rule: The inbound segment of a one-way search is null
    The service may also accept a missing inbound segment (OPEN-25).
    Source: v4, Resources and their fields / Section; v4, POST /search
    "inboundSegment exists for round trips, is null in one-way requests"

    Scenario: The inbound segment of a one-way search is null
      When the client sends a search
      Then the service accepts the request

    Scenario: The inbound segment of a one-way search is missing
      Given a search that the service accepts
      When the client sends the request without inboundSegment
      Then the service does not respond with a 5xx status
      And the status is observed as OPEN-25

  @V4-SEARCH-TRAVEL-CLASS
  Rule: Only the travel class ECONOMY has offers
    Source: v4, POST /search
    "A travelClass other than ECONOMY returns 200 with an empty offers array."

    Scenario Outline: A <search> <with a travel class> finds <offers>
      Given a <search> that finds offers
      When the client sends the request <with a travel class>
      Then the response contains <offers>

      Examples:
        | search            | with a travel class                | offers    |
        | search            | with travelClass set to "BUSINESS" | no offers |
        | search            | with travelClass set to "FIRST"    | no offers |
        | round-trip search | with travelClass set to "BUSINESS" | no offers |
        | search            | without travelClass                | offers    |

    @situation
    Scenario: A search between cities with another travel class finds no offers
      Given a search between cities that finds offers
      When the client sends the request with travelClass set to "BUSINESS"
      Then the response contains no offers

  @V4-SEARCH-EDGE-CASES
  Rule: The service does not respond to an impossible search with a 5xx status
    The service may reject the search or find nothing (OPEN-55).
    Source: v4, POST /search; v4, Errors
    "500: Internal Server Error, error on the service side"

    Scenario Outline: <case>
      Given a <search> that the service accepts
      When the client sends the request with <field> set to <value>
      Then the service does not respond with a 5xx status
      And the status is observed as OPEN-55

      Examples:
        | case                          | search            | field                            | value                           |
        | A day in the past             | search            | the day of departure             | "2020-01-01"                    |
        | A day far in the future       | search            | the day of departure             | "2099-12-31"                    |
        | An unknown airport            | search            | the origin                       | "QQQ"                           |
        | An unknown destination        | search            | the destination                  | "QQQ"                           |
        | An unknown city of origin     | search            | the place of origin              | {"code": "QQQ", "type": "CITY"} |
        | An unknown city of arrival    | search            | the place of destination         | {"code": "QQQ", "type": "CITY"} |
        | A way back from no known city | round-trip search | the inbound place of origin      | {"code": "QQQ", "type": "CITY"} |
        | A way back to no known city   | round-trip search | the inbound place of destination | {"code": "QQQ", "type": "CITY"} |
        | A way back before the way out | round-trip search | the day of return                | "2020-01-01"                    |

  @V4-SEARCH-OFFERS
  Rule: The response to a search contains an array of offers
    Source: v4, POST /search
    "Response 200: {offers: [offer]} (search form of offer: id, segments with sections, fare, paymentOptions)."
    About: an offer of a search

    Scenario: Responses of every search
      Then the response contains an array of offers

  @V4-SEARCH-OFFER-FIELDS
  Rule: An offer found by a search has an id, its segments, a fare and payment options
    Source: v4, Resources and their fields / Offer
    "id: UUID … outboundSegment / inboundSegment: segment … fare (search) / cheapestFare (Get Offer): fare …
     paymentOptions: array"
    About: an offer of a search

    Scenario: One-way flights are searched
      When a search finds offers
      Then every offer has an id, its segments, a fare and payment options
      And the inbound segment of one-way offers is observed as OPEN-02
      And the terminals in search results are observed as OPEN-46

  @V4-SEARCH-FARE
  Rule: A fare found by a search has its pricing, the included baggage and a price
    Source: v4, Resources and their fields / Fare (as returned inside a search offer)
    "passengerPricingByPassengerType: object … includedBaggage: object, checkedBaggageQuantity (integer),
     cabinBaggageQuantity (integer) … price: object, totalAmount (number), sourceAmount (number), currency"
    About: a fare of a search

    Scenario: Members of every fare
      Then every fare has its pricing, included baggage and price

  @V4-SEARCH-ROUND-TRIP
  Rule: A round-trip offer has an inbound segment
    The structure of the inbound segment is not documented (OPEN-02). One in a one-way offer is a warning.
    Source: v4, Resources and their fields / Section
    "outboundSegment is always present; inboundSegment exists for round trips"
    About: an offer of a round-trip search

    Scenario: A round trip is searched both ways
      When a round-trip search finds offers
      Then every round-trip offer has an inbound segment
      And the structure of the inbound segment is observed as OPEN-02

  @V4-SEARCH-PASSENGER-COUNT
  Rule: A fare is priced for the requested passengers
    Source: v4, Resources and their fields / Fare (as returned inside a search offer)
    "keys adult, child, infant; each value has fareAmount (money), taxAmount (money), numberOfPassengers (integer)"
    About: a priced fare of a search

    Scenario: Flights are searched for a family
      When a search for 2 adults, 1 child and 1 infant finds offers
      Then every fare is priced for the requested passengers

    Scenario: Round trips are searched for two children and two infants
      When a round-trip search for 3 adults, 2 children and 2 infants finds offers
      Then every fare is priced for the requested passengers

  @V4-SEARCH-ITINERARY
  Rule: An offer flies between the requested places on the requested days
    Its sections follow one another: each is one flight leg inside a segment.
    Source: v4, POST /search; v4, Resources and their fields / Section
    "outboundSegment: object, required, origin and destination (each {code: 3-letter IATA, type: AIRPORT or CITY}),
     departureDate (YYYY-MM-DD)"
    About: the flights of an offer

    Scenario: Itineraries of every offer
      Then every offer flies between the requested places on the requested days
