@v4
Feature: Get Order
  GET /order/{orderId} returns the latest persisted order.

  @V4-ORDER-READ
  Rule: The service returns an order as it was last persisted
    That a confirmation changes the total only warns (OPEN-61).
    Source: v4, GET /order/{orderId}
    "Returns the latest persisted order (order shape)."

    Scenario: An open order is retrieved
      Given an open order
      When the client retrieves the order
      Then the service accepts the request
      And the order is the same in every response since it was last changed
      And the order should be the one in the response to Create Order
      And the order is still open

    Scenario: A booked order is retrieved
      Given a booked order
      When the client retrieves the order
      Then the service accepts the request
      And the order is booked with the same reservation
      And the order is the same in every response since it was last changed
      And the order should be the one in the response to Confirm Order

    @ages
    Scenario: An order that was booked in time is retrieved after its offer expired
      Given an order booked in time from an offer stored more than 30 minutes ago
      When the client retrieves the order
      Then the service accepts the request
      And the order is booked with the same reservation

    @ages
    Scenario: Orders are retrieved long after their confirmation was refused
      Given an order booked in time from an offer stored more than 30 minutes ago
      When the client retrieves what became of refused orders
      Then the order is the same in every response since it was last changed

  @V4-ORDER-STAYS-BOOKED
  Rule: A booked order stays booked
    Source: v4, States and transitions
    "BOOKED: Confirm Order (repeat), any, unchanged, duplicate confirmation is rejected; it does not create a status"
    About: an order after its booking

    Scenario: Booked orders in every response
      Then the order is still booked

  @V4-ORDER-UNKNOWN
  Rule: The service responds with 404 Not Found to a request for an unknown order
    Source: v4, Errors
    "404: Not Found, offer, order or reservation not found"

    Scenario: The order does not exist
      Given a booked order
      When the client retrieves an unknown order
      Then the service rejects the request with 404 Not Found

  @V4-ORDER-FOREIGN
  Rule: The service does not return an order to another organisation
    The status code is not documented (OPEN-59).
    Source: v4, Authentication; v4, Errors
    "Exceptions: Get All Fares returns 200 with an empty fares array for a missing, expired or foreign offer."

    @second-organisation
    Scenario Outline: Another organisation retrieves <an order>
      Given <an order>
      When the second organisation retrieves the order
      Then the service rejects the request
      And the status is observed as OPEN-59

      Examples:
        | an order       |
        | an open order  |
        | a booked order |

    @second-organisation
    Scenario: Another organisation confirms the order
      Given a confirmation by card that the service would accept
      When the second organisation sends the request
      Then the service rejects the request
      And the status is observed as OPEN-59
      And the order should still be open
      And the order is not booked

  @V4-ORDER-ID-FORM @client
  Rule: Identifiers in paths and queries are UUIDs
    Source: v4, Endpoints; v4, Resources and their fields / Conventions
    "Identifiers of offer, fare, order, reservation: UUID strings"

    Scenario Outline: A client of <operation> sends "<identifier>"
      Given a documented exchange of <operation>
      When the client sends the identifier "<identifier>"
      Then the traffic check reports this violation only

      Examples:
        | operation      | identifier |
        | getFares       | 4711       |
        | getOrder       | latest     |
        | confirmOrder   | 4711       |
        | getReservation | AB12CD     |
