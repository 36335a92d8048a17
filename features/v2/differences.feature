@v2
Feature: What v2 does in its own way
  v2 requests flights for counts of passengers and names passengers and luggage at the booking.

  @V2-REQUESTS-REQUIRED @both
  Rule: A v2 request names its flights and its passenger counts
    Source: v3, v2 endpoints

    Scenario Outline: <field> is left out
      Given a booking request in v2 that the service accepts
      When it is sent without <field>
      Then it is refused as Bad Request

      Examples:
        | field      |
        | flights    |
        | passengers |

    Scenario Outline: <field> is <value>
      Given a booking request in v2 that the service accepts
      When it is sent with <field> set to <value>
      Then it is refused as Bad Request

      Examples:
        | field             | value   |
        | flights           | "first" |
        | passengers        | []      |
        | passengers.adults | "two"   |

  @V2-REQUESTS-FLIGHTS @both
  Rule: A v2 request is for up to three flights
    Source: v3, v2 endpoints; v3, Limits

    Scenario: Three flights are named
      Given a booking request in v2 that the service accepts
      When it is sent for three flights
      Then it is answered

    Scenario: Four flights are named
      Given a booking request in v2 that the service accepts
      When it is sent for four flights
      Then it is refused

  @V2-REQUESTS-CUSTOMER-CODE
  Rule: A v2 request may leave the customer code out
    Source: v3, v2 endpoints

    Scenario: The customer code is left out
      Given a booking request in v2 that the service accepts
      When it is sent without a customer code
      Then it is answered

  @V2-REQUESTS-ANSWER
  Rule: A v2 request answers its counts, prices, customer and flight with luggage options
    Source: v3, v2 endpoints; v3, Resources and their fields / Booking request

    Scenario: A flight is requested
      Given a booking request in v2 that the service accepts
      Then the service keeps this rule

    Scenario: A flight is requested for adults, and nobody else is counted
      Given a booking request in v2 that the service accepts
      When it is sent without what is optional
      Then it is answered
      And the service keeps this rule

    Scenario: A flight is requested for a family
      Given a booking request in v2 for a family that the service accepts
      Then the service keeps this rule

  @V2-BOOKINGS-REQUIRED @both
  Rule: A v2 booking names its requests, booker, passengers and luggage
    Source: v3, v2 endpoints

    Scenario Outline: <field> of a v2 booking is left out
      Given a booking in v2 that the service would accept
      When it is sent without <field>
      Then it is refused as Bad Request

      Examples:
        | field                       |
        | requests                    |
        | first_name                  |
        | last_name                   |
        | gender                      |
        | email                       |
        | phonenumber                 |
        | passengers                  |
        | passengers[0].first_name    |
        | passengers[0].last_name     |
        | passengers[0].gender        |
        | passengers[0].is_infant     |
        | passengers[0].date_of_birth |
        | luggage                     |

  @V2-BOOKINGS-REQUESTS @both
  Rule: A v2 booking is for up to three requests
    Source: v3, v2 endpoints; v3, Limits

    Scenario: Four requests are booked
      Given a booking in v2 that the service would accept
      When it is sent for four requests
      Then it is refused

  @V2-BOOKINGS-CUSTOMER @both
  Rule: A v2 booking names the customer by code or by data
    Source: v3, v2 endpoints; v3, Authentication, item 4

    Scenario: Neither is sent
      Given a booking in v2 that the service would accept
      When it is sent without customer_code
      Then it is refused

    Scenario: The customer's data are sent
      Given a booking in v2 with customer data that the service would accept
      When it is sent
      Then it is booked

    Scenario Outline: <field> of the customer's data is left out
      Given a booking in v2 with customer data that the service would accept
      When it is sent without customer_data.<field>
      Then it is refused as Bad Request

      Examples:
        | field       |
        | first_name  |
        | last_name   |
        | gender      |
        | email       |
        | phonenumber |

  @V2-LUGGAGE @both
  Rule: Luggage is listed under the ids of the requests with weight, price and quantity
    Source: v3, v2 endpoints

    Scenario: Luggage of another request is listed
      Given a booking in v2 that the service would accept
      When it is sent with luggage of another request
      Then it is refused

    Scenario Outline: <field> of a luggage option is left out
      Given a booking in v2 that the service would accept
      When it is sent without <field> of a luggage option
      Then it is refused as Bad Request

      Examples:
        | field    |
        | weight   |
        | price    |
        | quantity |

    Scenario: More pieces than passengers
      Given a booking in v2 that the service would accept
      When it is sent with 2 pieces of a luggage option
      Then it is refused
      And the status is observed as OPEN-29

  @V2-BOOKING-LUGGAGE
  Rule: A v2 booking answers its luggage and the fee of it
    Source: v3, Resources and their fields / Booking

    Scenario: A piece of luggage is booked
      Given a booking in v2 with a checked bag
      Then the service keeps this rule

  @V2-CARD-TOKEN @client
  Rule: The deprecated card_token is not used
    Source: v3, v2 endpoints; v3, Versioning, item 2

    Scenario: A card token is sent
      Given a documented exchange of createBookingsV2
      When its client sends card_token as "tok_123"
      Then the traffic check names this rule
