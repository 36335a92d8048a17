@v2 @v3
Feature: Responses that must agree
  What the documents define by reference to another request or response is the same in both.

  @V23-BESIDE-V4
  Rule: Orders of v4 leave the bookings of v2 and v3 as they are
    Source: v4, Versioning, item 2
    "Existing v2/v3 bookings and endpoints are not affected by it."

    Scenario: A booking in <interface> is retrieved after an order of v4
      Given a booking in <interface>
      When the client books an offer of v4 and retrieves the booking
      Then the service still returns the booking

  @V23-FLIGHTS-DEFAULT-WINDOW
  Rule: A search without dates covers today and the next three days
    Which day today is depends on the service's time zone, and whether the last day is included is open (OPEN-78).
    Source: v3, GET /v3/flights; v3, v2 endpoints
    "start: date, optional, YYYY-MM-DD; default today … end: date, optional, YYYY-MM-DD; at most start + 3 days; default
     start + 3 days"

    @ages
    Scenario: Flights are searched without dates in <interface>
      Given a flight search in <interface> over several days
      When the client leaves out the last day, then both days
      Then the service finds flights on the days of the explicit window

    @situation
    Scenario: Round-trip fares are searched without dates for the outward flight in v3
      Given a round-trip search with dates for the return flight
      When the client leaves out the last day of the outward flight, then all its days
      Then the service finds flights on the days of the explicit window

  @V23-FLIGHTS-COMPLETE
  Rule: The pages of a search contain all its flights
    A flight that is missing only warns: search results come from a cache (OPEN-37, OPEN-80).
    Source: v3, GET /v3/flights; v3, Limits
    "next_page_id: string, optional, cursor from the previous page"

    @situation
    Scenario: The pages of a search are compared with a shorter search in <interface>
      Given a flight search in <interface> that finds more than 100 flights
      When the client searches the flights of two of its days
      Then every flight of these days should be on one of the pages

  @V23-FLIGHT-INFANTS-UNAVAILABLE
  Rule: The infant price is null where infant tickets are not available
    A booking request with a price, or one for infants without it, only warns: the documents say so of the flight alone.
    Source: v3, Resources and their fields / Flight (v3); v3, Resources and their fields / Booking request
    "infant_price: number or null, null when infant tickets are unavailable"

    @situation
    Scenario: A flight without infant tickets is requested in <interface>
      Given a flight search in <interface> for flights without infants that finds flights
      When the client requests one of the flights without an infant price
      Then the infant price of the booking request is null

    @situation
    Scenario: A flight that costs nothing for infants is requested with an infant in <interface>
      Given flights in <interface> on a route without infant tickets
      When the client requests one that costs nothing for infants for an adult and an infant
      Then the service sells it

  @V23-REQUESTS-FLIGHT
  Rule: A booking request contains the flight that the search shows under its id
    Prices, seats and bags of a search are indicative, and another time or flight number only warns (OPEN-37).
    Source: v3, POST /v3/requests; v3, Resources and their fields / Booking request
    "flight: flight, the flight (v3 with bags and prices)"

    Scenario: Flights of every booking request
      Then its flight has the airports and the departure of the search

  @V23-BOOKINGS-AS-REQUESTED
  Rule: A booking has the price and the bags of its booking request
    Fewer bags are a violation. Another difference only warns: some prices may differ (v3, Errors), and the meaning of a
    quantity is open (OPEN-81).
    Source: v3, Resources and their fields / Booking; v3, What the service does
    "bags (v3) / luggage (v2): object / array, as booked … price, infant_price, total_price: number"

    Scenario: Prices of every booking
      Then the booking has the prices of its booking request

    Scenario Outline: A booking with a <bag> bag is compared with its booking request in <interface>
      Given a paid booking in <interface> with a <bag> bag
      When the client retrieves the booking
      Then its bags are those that were requested

      Examples:
        | interface | bag     |
        | v2        | checked |
        | v3        | checked |
        | v3        | cabin   |

    Scenario: Two flights are booked together in <interface>, one of them with a bag
      Given a paid booking in <interface> of two flights with a checked bag on one of them
      When the client retrieves the booking
      Then its bags are those that were requested

  @V23-BOOKINGS-TOTAL-BAGS
  Rule: The total price of a booking rises by the fee of its bags
    A smaller difference only warns: what a total price includes is not documented (OPEN-82).
    Source: v3, Resources and their fields / Booking
    "bags_fee (v3) / luggage_fee (v2): object / number … price, infant_price, total_price: number"

    Scenario Outline: A flight is booked in <interface> with and without a <bag> bag
      Given a paid booking in <interface> with a <bag> bag
      When the client books its flight without bags
      Then the total prices should differ by the fee of the bag

      Examples:
        | interface | bag     |
        | v2        | checked |
        | v3        | checked |
        | v3        | cabin   |

  @V3-ROUND-TRIPS-DEFAULT-WINDOW
  Rule: Without dates for the return flight, it departs from start + 1 day to end + 1 day
    Source: v3, GET /v3/roundTrips
    "returnStart (date, default start + 1 day) and returnEnd (date, at most returnStart + 3 days, default end + 1 day)"

    @situation
    Scenario: Round-trip fares are searched without dates for the return flight
      Given a round-trip search with dates for the return flight
      When the client leaves out the dates of the return flight
      Then the service finds return flights on the same days
