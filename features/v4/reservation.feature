@v4
Feature: Get Reservation
  GET /reservation/{reservationId} and GET /reservation?orderId= return the reservation of a booked order.

  @V4-RESERVATION-FIELDS
  Rule: A reservation has its id, order, booking reference, e-mail, outbound segment, baggage and contact
    Source: v4, Resources and their fields / Reservation
    "id: UUID … orderId: UUID … pnr: string, booking reference … email: string, contact e-mail … outboundSegment:
     segment … selectedBaggage: array … customerContact: object"

    Scenario: The reservation of a booked order is retrieved
      Given a booked order
      When the client retrieves the reservation
      Then the service accepts the request
      And the reservation has its id, order, booking reference, e-mail, segment and baggage
      And the contents of the fare are observed as OPEN-04

  @V4-RESERVATION-PASSENGERS
  Rule: A reservation names its passengers
    Source: v4, Resources and their fields / Reservation
    "passengers: array, number, type, title, name, firstLastName, gender, birthDate, nationalityCountryCode"

    Scenario: Passengers of every reservation
      Then the reservation names its passengers

  @V4-RESERVATION-MATCHES-ORDER
  Rule: A reservation matches its order
    Another e-mail than that of the contact is a warning: no sentence says whose contact e-mail it is.
    Source: v4, Resources and their fields / Reservation; v4, States and transitions
    "OPEN: Confirm Order, payment method matches and payment succeeds, BOOKED, a reservation is created; reservationId
     returned"

    Scenario Outline: The reservation of <an order> is compared with it
      Given an open <order>
      When the client confirms the order
      And the client retrieves the order
      And the client retrieves the reservation by its order
      And the client retrieves the reservation
      Then the service accepts the request
      And the reservation has the passengers, baggage and contact of its order

      Examples:
        | an order           | order                                                   |
        | a family's order   | order for 2 adults, 1 child and 1 infant with passports |
        | a round-trip order | round-trip order without optional fields                |
        | a family's trip    | round-trip order for 2 adults, 1 child and 1 infant     |

    @ages
    Scenario: A reservation is retrieved after the offer of its order expired
      Given an order booked in time from an offer stored more than 30 minutes ago
      When the client retrieves the reservation by its order
      Then the service accepts the request
      When the client retrieves the reservation
      Then the service accepts the request

  @V4-RESERVATION-BY-ORDER
  Rule: The service returns the same reservation by its order as by its id
    Source: v4, GET /reservation?orderId=
    "Returns the same reservation shape as by id."

    Scenario: An order and its reservation are retrieved before and after the confirmation
      Given an open order
      When the client retrieves the order
      And the client retrieves the reservation by its order
      And the client confirms the order
      And the client retrieves the order
      And the client retrieves the reservation by its order
      Then the reservation is the same as by its id

  @V4-RESERVATION-BEFORE-BOOKING
  Rule: An order that is not booked has no reservation
    Source: v4, States and transitions; v4, Errors
    "OPEN: Confirm Order, payment method matches and payment succeeds, BOOKED, a reservation is created; reservationId
     returned"

    Scenario: The reservation of an open order is retrieved by its order
      Given an open order
      When the client retrieves the reservation by its order
      Then the response contains no reservation
      And the status is observed as OPEN-60

  @V4-RESERVATION-UNKNOWN
  Rule: The service responds with 404 Not Found to a request for an unknown reservation
    Source: v4, Errors
    "404: Not Found, offer, order or reservation not found"

    Scenario: The reservation does not exist
      Given a booked order
      When the client retrieves an unknown reservation
      Then the service rejects the request with 404 Not Found

    Scenario: The order of the reservation does not exist
      Given a booked order
      When the client retrieves the reservation of an unknown order
      Then the service rejects the request with 404 Not Found

  @V4-RESERVATION-FOREIGN
  Rule: The service does not return a reservation to another organisation
    The status code is not documented (OPEN-59).
    Source: v4, Authentication; v4, Errors
    "Exceptions: Get All Fares returns 200 with an empty fares array for a missing, expired or foreign offer."

    @second-organisation
    Scenario Outline: Another organisation retrieves the reservation by <key>
      Given a booked order
      When the second organisation retrieves the reservation by <key>
      Then the service rejects the request
      And the status is observed as OPEN-59

      Examples:
        | key       |
        | its id    |
        | its order |

  @V4-RESERVATION-QUERY @both
  Rule: A reservation is retrieved by its id or by its order
    Source: v4, GET /reservation?orderId=
    "Query: orderId (UUID, required)."

    Scenario: The order is missing
      Given a booked order
      When the client retrieves a reservation without naming its order
      Then the response contains no reservation
      And the service does not respond with a 5xx status
      And the status is observed as OPEN-49
