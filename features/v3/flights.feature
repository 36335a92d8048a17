@v2 @v3
Feature: Search flights
  GET /v2/flights and GET /v3/flights return one-way flights between airports.

  @V23-FLIGHTS-REQUIRED @both
  Rule: A flight search has an origin and a destination
    Source: v3, GET /v3/flights
    "origin: string, required, airport IATA code; city codes unsupported … destination: string, required, airport IATA
     code; city codes unsupported"

    Scenario: The origin or the destination is missing
      Then the service rejects each value that the documents exclude

  @V23-FLIGHTS-PARAMETERS @both
  Rule: The days of a search are YYYY-MM-DD and its seats are a whole number
    Source: v3, GET /v3/flights
    "start: date, optional, YYYY-MM-DD; default today … end: date, optional, YYYY-MM-DD … seats: integer, optional,
     minimum seats"

    Scenario: Wrong days and seats
      Then the service rejects each value that the documents exclude

  @V23-FLIGHTS-ANSWER
  Rule: The response to a flight search contains flights and a cursor or null
    An empty cursor on the last page is a warning (OPEN-80).
    Source: v3, GET /v3/flights
    "Response 200: {results: [flight], next_page_id: string or null}; up to 100 results per page."
    About: a flight of a search

    Scenario: Responses of every flight search
      Then the response contains an array of flights and a cursor or null

  @V23-FLIGHTS-PAGE
  Rule: A page contains at most 100 results, and the last page has no cursor
    Source: v3, GET /v3/flights; v3, Limits
    "Response 200: {results: [flight], next_page_id: string or null}; up to 100 results per page."

    @situation
    Scenario: A search finds more than 100 flights in <interface>
      Given a flight search in <interface> that finds more than 100 flights
      When the client retrieves all pages
      Then every page contains at most 100 results
      And the last page has no cursor
      And the flights that are on several pages are observed as OPEN-80

  @V23-FLIGHTS-WINDOW
  Rule: Flights depart within the requested window of at most three days
    The service may reject or shorten a longer window (OPEN-78). A flight that is outside in some time zones only warns.
    Source: v3, GET /v3/flights; v3, Limits
    "Search window: end at most start + 3 days (returnEnd at most returnStart + 3 days), flights, roundTrips"
    About: a flight of a search with a window

    Scenario Outline: The client <searches a window> in <interface>
      Given a flight search in <interface> that finds flights
      When the client <searches a window>
      Then the service accepts the request
      And every flight departs within the requested window

      Examples:
        | interface | searches a window                           |
        | v2        | searches within a window of 1 days          |
        | v3        | searches within a window of 1 days          |
        | v2        | searches without a window                   |
        | v3        | searches without a window                   |
        | v2        | sends the request without the parameter end |
        | v3        | sends the request without the parameter end |
        | v2        | searches until tomorrow                     |
        | v3        | searches until tomorrow                     |

    Scenario: The window is too long in <interface>
      Given a flight search in <interface> that finds flights
      When the client searches within a window of 9 days, to the last page
      Then the service does not respond with a 5xx status
      And every flight departs within the requested window
      And the status is observed as OPEN-78
      When the client searches until ten days from today
      Then the service does not respond with a 5xx status
      And every flight departs within the requested window

  @V23-FLIGHTS-SEATS
  Rule: Flights have at least the requested number of seats
    Source: v3, GET /v3/flights
    "seats: integer, optional, minimum seats"
    About: a flight of a search for several seats

    Scenario: A search for four seats in <interface>
      Given a flight search in <interface> that finds flights
      When the client sends the request with the parameter seats set to "4"
      Then the service accepts the request
      And every flight has at least the requested number of seats
      And the service finds flights if there were any with as many seats

    Scenario: A search for the most seats that a flight has in <interface>
      Given a flight search in <interface> that finds flights
      When the client searches for as many seats as the flight with the most has
      Then the service finds flights if there were any with as many seats

    Scenario: A search for more seats than any flight has in <interface>
      The seats that a search shows may be out of date (OPEN-37), but not by this much. If every flight shows the same
      number of at most nine seats, the service may count no further, so this only warns.

      Given a flight search in <interface> that finds flights
      When the client searches for ten times the seats that any flight has
      Then the service does not respond with a 5xx status
      And every flight has at least the requested number of seats

    @situation
    Scenario: The pages of a search for several seats are retrieved in <interface>
      Given a flight search in <interface> that finds more than 100 flights
      When the client searches for more seats than the fullest flight has
      And the client retrieves all pages
      Then the service accepts the request
      And every flight has at least the requested number of seats

    @situation
    Scenario: A search for round-trip fares with several seats
      Given a round-trip fare search that finds fares
      When the client searches for more seats than the fullest flight has
      Then the service accepts the request
      And every flight has at least the requested number of seats
      And the service finds flights if there were any with as many seats

  @V23-FLIGHTS-ROUTE
  Rule: Flights connect the requested airports
    Another airport only warns if it may be in the same city (OPEN-78). The opposite direction is a violation.
    Source: v3, GET /v3/flights
    "origin: string, required, airport IATA code; city codes unsupported … destination: string, required, airport IATA
     code; city codes unsupported"
    About: a flight of a search

    Scenario: Airports of every flight
      Then every flight connects the requested airports

  @V3-FLIGHTS-CUSTOMER-CODE
  Rule: A flight search may have a customer code
    That it finds nothing only warns: the content of a customer may be limited (v3, Content export).
    Source: v3, GET /v3/flights
    "customerCode: string, optional, customer identifier"

    Scenario: A flight search with a customer code is accepted
      Given a flight search in v3 that the service accepts
      When the client sends the request with the customer code
      Then the service accepts the request
      And the search should find something, if it does so without the customer code

  @V23-FLIGHT-FIELDS
  Rule: A flight has its id, classes, duration, times, places, segments, seats and prices
    Source: v3, Resources and their fields / Flight (v3)
    "id: integer … cabin_class: string … duration: string … departure_date, arrival_date: string … origin, destination:
     object … segments: array … available_seats: integer … price: number"

    Scenario: Members of every flight
      Then every flight has its id, classes, duration, times, places, segments, seats and prices

  @V23-FLIGHT-TIMES
  Rule: Departures and arrivals are YYYY-MM-DD HH:mm:ss, and durations are HH:mm
    Source: v3, Resources and their fields / Flight (v3)
    "duration: string, HH:mm … departure_date, arrival_date: string, YYYY-MM-DD HH:mm:ss"

    Scenario: Times of every flight
      Then every departure and arrival is YYYY-MM-DD HH:mm:ss, and every duration is HH:mm

  @V23-FLIGHT-PLACES
  Rule: A place has its IATA code, city, country and time zone
    That a response shows two cities, countries or time zones for one airport only warns: no sentence excludes it.
    Source: v3, Resources and their fields / Flight (v3)
    "origin, destination: object, iata_code, city_name, country_name, timezone"

    Scenario: Places of every flight
      Then every place has its IATA code, city, country and time zone

  @V23-FLIGHT-SEGMENTS
  Rule: A flight has one to three segments with their carriers and flight numbers
    Source: v3, Resources and their fields / Segment; v3, Limits
    "operating_carrier_flight_number (integer), operating_carrier (name, iata_code), marketing_carrier_flight_number
     (integer), marketing_carrier (name, iata_code)"

    Scenario: Segments of every flight
      Then every flight has one to three segments with carriers and flight numbers

    @situation
    Scenario: A search returns connecting flights in <interface>
      When a flight search in <interface> for connecting flights finds flights
      Then every flight has one to three segments with carriers and flight numbers

  @V23-FLIGHT-ITINERARY
  Rule: The segments of a flight lead from its departure to its arrival
    The first segment departs with the flight, the last one arrives with it, and the others are in order.
    Each time is local to its airport.
    Source: v3, Resources and their fields / Flight (v3); v3, Resources and their fields / Segment
    "departure_date, arrival_date: string, YYYY-MM-DD HH:mm:ss … origin, destination: object, iata_code, city_name,
     country_name, timezone … segments: array, see Segment"

    Scenario: Itineraries of every flight
      Then the segments of every flight lead from its departure to its arrival

  @V23-FLIGHT-INFANT-PRICE
  Rule: The infant price is a number, or null if the flight is not sold to infants
    Source: v3, Resources and their fields / Flight (v3)
    "infant_price: number or null, null when infant tickets are unavailable"
    Optional: infant_price is null where infant tickets are unavailable.

    @situation
    Scenario: A search returns flights without infants in <interface>
      When a flight search in <interface> for flights without infants finds flights
      Then every infant price is a number or null

  @V3-FLIGHT-BAGS
  Rule: A v3 flight lists its checked and cabin bags with quantity and price
    Source: v3, Resources and their fields / Flight (v3)
    "bags: object, checked: array of {weight, quantity, price}; cabin: array of {dimensions: {width, height, length},
     weight (optional), quantity, price}"
    Optional: a flight may offer no bags (OPEN-28).

    Scenario: A search returns flights with bags
      When a flight search in v3 finds flights
      Then every flight lists its checked and cabin bags with quantity and price
      And the quantities of bag options are observed as OPEN-81

    @situation
    Scenario: A search returns flights without bags
      When a flight search in v3 for flights without bags finds flights
      Then every flight lists its checked and cabin bags with quantity and price

  @V2-FLIGHT-LUGGAGE
  Rule: A v2 flight lists its luggage options with weight, quantity and price
    Source: v3, Resources and their fields / Flight (v3)
    "v2 flight: same, but bags is replaced by luggage_options (array of {weight, quantity, price})"
    Optional: a flight may offer no luggage (OPEN-28).

    Scenario: A search returns flights with luggage options
      When a flight search in v2 finds flights
      Then every flight lists its luggage options with weight, quantity and price
