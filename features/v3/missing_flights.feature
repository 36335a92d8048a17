@v2 @v3
Feature: Booking requests for unavailable flights
  Search results are indicative: POST /v3/requests and POST /v2/requests check whether a flight is still available.

  @V23-REQUESTS-UNKNOWN-FLIGHT
  Rule: The service rejects a booking request for an unknown flight with 404 Not Found or 409 Conflict
    The documents do not say which of the two (OPEN-20).
    Source: v3, Errors
    "404: Not Found, data not found, e.g. a flight id that does not exist"

    Scenario: The flight does not exist in <interface>
      Given a booking request in <interface> that the service accepts
      When the client creates a booking request for an unknown flight
      Then the service rejects the request with 404 Not Found or 409 Conflict
      And the status is observed as OPEN-20

    Scenario: The last of several flights does not exist in <interface>
      Given a booking request in <interface> that the service accepts
      When the client creates a booking request for as many flights as it may, of which the last is unknown
      Then the service rejects the request with 404 Not Found or 409 Conflict

  @V23-REQUESTS-GONE
  Rule: The service rejects a booking request for a flight that is no longer available with 409 Conflict
    Source: v3, Errors
    "409: Conflict, not processed: flight no longer available or not in the cache"

    @situation
    Scenario: The flight is sold out in <interface>
      Given a booking request in <interface> for a flight that is sold out
      When the client sends the request
      Then the service rejects the request with 409 Conflict

    @situation
    Scenario: The last of two flights is sold out in <interface>
      Given a booking request in <interface> for two flights, of which the last is sold out
      When the client sends the request
      Then the service rejects the request with 409 Conflict

  @V23-REQUESTS-HOLD
  Rule: A booking request holds its seats for a limited time
    A search may show fewer seats than there are (OPEN-37). That seats are still taken after five minutes only warns, as
    others may have bought them, unless those of three flights still are a day later.
    Source: v3, What the service does
    "Creating a request holds seats and prices (seat and baggage prices) for a limited time."

    @situation
    Scenario: The last seats of a flight are requested in <interface>
      Given a flight in <interface> with at most nine seats left, requested as the second of two flights
      When the client requests its seats again and again, and those of another such flight several times at once
      Then at most nine passengers have seats on the flight
      And the service rejects a booking request, as all seats are held
      And the service should let neither another organisation nor the other interface have them

    @situation
    Scenario: The last seats of a flight are requested for children in <interface>
      Given a flight in <interface> with at most nine seats left
      When the client requests other such flights for an adult and children, and then for others
      Then at most nine passengers have seats on the flight

    @situation @ages
    Scenario: The last seats of a flight are requested together with unavailable flights in <interface>
      Given a flight in <interface> with at most nine seats left
      When the client requests all seats of other such flights together with unavailable flights, and then alone
      Then no rejected booking request has held seats

    @situation
    Scenario Outline: The client <ends> one of the booking requests for the last seats of a flight in <interface>
      Given a flight in <interface> with at most nine seats left
      When the client requests all seats of another such flight one after the other, <ends> one of them, and requests two
      Then at most nine passengers have seats on the flight
      And the service should reject the request

      Examples:
        | ends           | interface |
        | cancels        | v3        |
        | cannot pay for | v3        |
        | cannot pay for | v2        |

    @situation @ages
    Scenario: The last seats of a flight are requested shortly before the booking requests for them expire in <interface>
      Given booking requests in <interface> that held all seats of a flight almost 3 minutes ago
      When the client requests as many seats again
      Then the service rejects a booking request, as all seats are held

    @situation @ages
    Scenario: The last seats of a flight are requested after the booking requests for them expired in <interface>
      Given booking requests in <interface> that held all seats of a flight more than 5 minutes ago
      When the client requests as many seats again, or those of three such flights a day later
      Then the seats are free again, unless others have bought them

    @situation @ages
    Scenario: The last seats of a flight are booked in <interface>
      Given a flight in <interface> with at most nine seats left, requested for an adult and children
      When the client requests its seats until none is left, and books them
      And the client requests and books as many seats again, as long as it can
      Then at most nine passengers have seats on the flight
