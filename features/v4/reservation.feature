@v4
Feature: Get Reservation
  GET /reservation/{reservationId} and GET /reservation?orderId= return the reservation of a booked order.

  @V4-RESERVATION-FIELDS
  Rule: A reservation has its id, order, booking reference, e-mail, outbound segment, baggage and contact
    Source: v4, Resources and their fields / Reservation

    Scenario: The reservation of a booked order is read
      Given a booked order
      When its reservation is read
      Then it is answered
      And the service keeps this rule
      And the contents of the fare are observed as OPEN-04

  @V4-RESERVATION-PASSENGERS
  Rule: A reservation names its passengers
    Source: v4, Resources and their fields / Reservation

    Scenario: The passengers of a reservation are read
      Given a booked order
      When its reservation is read
      Then it is answered
      And the service keeps this rule

  @V4-RESERVATION-MATCHES-ORDER
  Rule: A reservation is that of its order
    Source: v4, Resources and their fields / Reservation; v4, States and transitions

    Scenario: A reservation is compared with its order
      Given a booked order
      When its reservation is read
      Then it is answered
      And the service keeps this rule

    Scenario Outline: The reservation of <an order> is compared with it
      Given an open <order>
      When it is confirmed
      And its reservation is read
      Then it is answered
      And the service keeps this rule

      Examples:
        | an order           | order                                                  |
        | a family's order   | order for 1 adult, 1 child and 1 infant with passports |
        | an order with bags | order with a checked bag                               |
        | a round-trip order | round-trip order                                       |

    Scenario: A reservation is read after a refused confirmation
      Given a booked order
      When it is confirmed again
      And its reservation is read
      Then it is answered
      And the service keeps this rule

  @V4-RESERVATION-BY-ORDER
  Rule: A reservation is read by its order in the same shape as by its id
    Source: v4, GET /reservation?orderId=

    Scenario: The reservation of a booked order is read by the order
      Given a booked order
      When its reservation is read by the order
      Then it is the same reservation as by its id

  @V4-RESERVATION-BEFORE-BOOKING
  Rule: An order that is not booked has no reservation
    Source: v4, States and transitions; v4, Errors

    Scenario: The reservation of an open order is read by the order
      Given an open order
      When its reservation is read by the order
      Then no reservation is delivered
      And the status is observed as OPEN-60

  @V4-RESERVATION-UNKNOWN
  Rule: A reservation that does not exist is Not Found
    Source: v4, Errors

    Scenario: The reservation does not exist
      Given a booked order
      When an unknown reservation is read
      Then it is refused as Not Found

    Scenario: The order of the reservation does not exist
      Given a booked order
      When the reservation of an unknown order is read
      Then it is refused as Not Found

  @V4-RESERVATION-FOREIGN
  Rule: A reservation is not delivered to another organisation
    Its status is left open (OPEN-59).
    Source: v4, Authentication; v4, Errors

    @second-organisation
    Scenario Outline: Another organisation reads the reservation by <key>
      Given a booked order
      When the second organisation reads its reservation by <key>
      Then it is refused
      And the status is observed as OPEN-59

      Examples:
        | key       |
        | its id    |
        | its order |

  @V4-RESERVATION-QUERY @both
  Rule: A reservation is looked for by its order
    Source: v4, GET /reservation?orderId=

    Scenario: The order is left out
      Given a booked order
      When a reservation is looked for without an order
      Then no reservation is delivered
      And no error of the service is answered
      And the status is observed as OPEN-49
