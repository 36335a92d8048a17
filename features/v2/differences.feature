@v2
Feature: Differences of v2
  A v2 booking request has passenger counts only. The booking names the passengers and their luggage.

  @V2-REQUESTS-REQUIRED @both
  Rule: A v2 booking request has its flights and passenger counts
    Source: v3, v2 endpoints
    "flights (array, required, up to three ids), customer_code (optional), passengers (object, required: adults,
     children, infants, each optional integer)"

    Scenario: Members of a booking request are missing or wrong
      Then the service rejects each value that the documents exclude

  @V2-REQUESTS-FLIGHTS @both
  Rule: A v2 booking request is for up to three flights
    Source: v3, v2 endpoints; v3, Limits
    "POST /v2/requests: flights (array, required, up to three ids)"

    Scenario: A booking request for three flights is accepted
      Given a booking request in v2 that the service accepts
      When the client creates a booking request for three flights
      Then the service accepts the request

    Scenario: A booking request for four flights is rejected
      Given a booking request in v2 that the service accepts
      When the client creates a booking request for four flights
      Then the service rejects the request

  @V2-REQUESTS-CUSTOMER-CODE
  Rule: The customer code and the counts of a v2 booking request are optional
    Source: v3, v2 endpoints
    "POST /v2/requests: flights (array, required, up to three ids), customer_code (optional)"

    Scenario: Every documented value of a booking request is accepted
      When the client sends a booking request in v2 with each value that the documents allow
      Then the service accepts each value that the documents allow

  @V2-REQUESTS-ANSWER
  Rule: A v2 booking request has its passenger counts, prices, customer and flight with luggage options
    Source: v3, v2 endpoints; v3, Resources and their fields / Booking request
    "{requests: [...]} with luggage_options in flights, no bags_fee"

    Scenario: Members of every booking request
      Then the booking request has passenger counts, prices, customer and flight with luggage options

  @V2-BOOKINGS-REQUIRED @both
  Rule: A v2 booking has its booking requests, booker, passengers and luggage
    Source: v3, v2 endpoints
    "requests (array, up to three request ids, required); … booker fields first_name, last_name, gender, email,
     phonenumber (required) … passengers (array, required … luggage (object, required"

    Scenario: Members of a booking are missing or wrong
      Then the service rejects each value that the documents exclude

  @V2-BOOKINGS-PASSENGERS @client
  Rule: A v2 booking has the passengers that its booking requests were made for
    Other passengers only warn: no sentence says that all of them are booked. Booking requests for different passengers
    may be booked together or not (OPEN-98).
    Source: v3, v2 endpoints; v3, What the service does
    "passengers (object, required: adults, children, infants, each optional integer)"

    Scenario: One passenger more than in the booking request
      Given a documented conversation in v2
      When the client books for one more passenger
      Then the traffic check reports this violation only

  @V2-BOOKINGS-REQUESTS @both
  Rule: A v2 booking is for up to three booking requests
    Source: v3, v2 endpoints; v3, Limits
    "requests (array, up to three request ids, required)"

    Scenario: A booking of four booking requests is rejected
      Given a booking in v2 that the service would accept
      When the client creates a booking of four booking requests
      Then the service rejects the request

  @V2-BOOKINGS-CUSTOMER @both
  Rule: A v2 booking has a customer code or customer data
    Source: v3, v2 endpoints; v3, Authentication, item 4
    "customer_data (object; required when no customer_code: first_name, last_name, gender, email, phonenumber required"

    Scenario: The customer is missing or wrong
      Then the service rejects each value that the documents exclude

    @situation @unseen
    Scenario: A card is declined for a booking with customer data
      Given a pending booking request in v2
      When the client creates a booking with customer data paid by a card that is declined
      Then the service rejects the request
      When the client creates a booking with customer data
      Then the service rejects the request with 403 Forbidden

  @V2-LUGGAGE @both
  Rule: Luggage is listed by booking request id, with weight, price and quantity
    That luggage of a booking request may be left out only warns (OPEN-99).
    Source: v3, v2 endpoints
    "luggage (object, required; keys equal request ids; values arrays of {weight, price, quantity} all required numbers,
     quantity not above the number of passengers)"

    Scenario: Members of a luggage option are missing or wrong
      Given the service sells checked bags
      Then the service rejects each value that the documents exclude

    Scenario: The client sends the request with luggage of another booking request
      Given a booking in v2 that the service would accept
      When the client sends the request with luggage of another booking request
      Then the service rejects the request
      And the status is observed as OPEN-29

    Scenario Outline: The client <sends wrong luggage>
      Given a paid booking in v2
      When the client <sends wrong luggage>
      Then the service rejects the request
      And the status is observed as OPEN-29

      Examples:
        | sends wrong luggage                                                                      |
        | books a booking request with 2 pieces of luggage for one passenger                       |
        | books two booking requests with 2 pieces of luggage for one passenger for the second one |
        | books two booking requests with luggage without a price for the second one               |

    Scenario: Luggage of the second of two booking requests is missing
      Given a paid booking in v2
      When the client books two booking requests without luggage for the second one
      Then the service should reject the request

    Scenario: There are as many pieces of luggage as passengers on each of two flights
      Given a paid booking in v2
      When the client books two flights with a piece of luggage for each passenger
      Then the booking succeeds

    Scenario: There are as many pieces of luggage as passengers
      Given a paid booking in v2
      When the client books a flight for two passengers with two pieces of luggage
      Then the service books the flight

  @V2-BOOKING-LUGGAGE
  Rule: A v2 booking has its luggage and a luggage fee
    A fee of 0 or above the price of the chosen luggage only warns: how prices are computed is not documented (OPEN-82).
    Source: v3, Resources and their fields / Booking
    "bags (v3) / luggage (v2): object / array, as booked … bags_fee (v3) / luggage_fee (v2): object / number"

    Scenario: A booking with a piece of luggage
      When the client creates a booking in v2 with a checked bag
      Then the booking has its luggage and a luggage fee

  @V2-CARD-TOKEN @client
  Rule: Clients do not send the deprecated card_token
    Source: v3, v2 endpoints; v3, Versioning, item 2
    "card_token (string, deprecated, not to be used)"

    Scenario: A client sends a card token
      Given a documented exchange of createBookingsV2
      When the client sends card_token as "tok_123"
      Then the traffic check reports this violation only
