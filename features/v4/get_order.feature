@v4
Feature: Get Order
  GET /order/{orderId} returns the latest persisted order.

  @V4-ORDER-READ
  Rule: An order is read as it was last persisted
    Source: v4, GET /order/{orderId}

    Scenario: An open order is read
      Given an open order
      When it is read
      Then it is answered
      And the service keeps this rule

    Scenario: A booked order is read
      Given a booked order
      When it is read
      Then it is answered
      And the order is booked with the same reservation
      And the service keeps this rule

    Scenario Outline: An order that was read before is confirmed by <payment>
      Given an open order to be paid by <method>
      When it is read
      And it is confirmed by <payment>
      Then the order is booked

      Examples:
        | method  | payment          |
        | card    | a payment method |
        | balance | balance          |

  @V4-ORDER-STAYS-BOOKED
  Rule: A booked order stays booked
    Source: v4, States and transitions

    Scenario: A booked order is read after a refused confirmation
      Given a booked order
      When it is confirmed again
      And it is read
      Then the order is booked with the same reservation
      And the service keeps this rule

  @V4-ORDER-UNKNOWN
  Rule: An order that does not exist is Not Found
    Source: v4, Errors

    Scenario: The order does not exist
      Given an open order
      When an unknown order is read
      Then it is refused as Not Found

  @V4-ORDER-FOREIGN
  Rule: An order is not delivered to another organisation
    Its status is left open (OPEN-59).
    Source: v4, Authentication; v4, Errors

    @second-organisation
    Scenario: Another organisation reads the order
      Given an open order
      When the second organisation reads it
      Then it is refused
      And the status is observed as OPEN-59

    @second-organisation
    Scenario: Another organisation confirms the order
      Given a confirmation by card that the service would accept
      When the second organisation sends it
      Then it is refused
      And the status is observed as OPEN-59
      And the order is not booked

  @V4-ORDER-ID-FORM @client
  Rule: Identifiers in paths and queries are UUIDs
    Source: v4, Endpoints; v4, Resources and their fields / Conventions

    Scenario Outline: A client of <operation> sends "<identifier>"
      Given a documented exchange of <operation>
      When its client sends the identifier "<identifier>"
      Then the traffic check names this rule

      Examples:
        | operation      | identifier |
        | getFares       | 4711       |
        | getOrder       | latest     |
        | confirmOrder   | 4711       |
        | getReservation | AB12CD     |
