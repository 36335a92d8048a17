@v2 @v3
Feature: Limits and optional members
  The service accepts what the documents allow, up to their limits.

  @V23-REQUESTS-INFANTS
  Rule: A booking request may have as many infants as adults
    A rejection only warns, as the documents name no number that is accepted (OPEN-84).
    Source: v3, POST /v3/requests; v3, v2 endpoints
    "passengers (object, required: adults, children, infants, each optional integer)"

    Scenario: A flight is requested for two adults and two infants in <interface>
      Given flights in <interface> that are sold to infants
      When the client requests one for two adults and two infants
      Then the service should accept a new booking request

  @V2-BOOKINGS-CUSTOMER-DATA
  Rule: The customer data of a v2 booking may have every optional member, or leave it out
    Source: v3, v2 endpoints
    "address, city_name, country_code, postal_code, registration_number, vat_number optional strings; is_company
     optional boolean default false"

    Scenario: The customer is a company
      Given a booking in v2 with customer data that the service would accept
      When the client sends the request with customer_data.is_company set to true
      Then the booking succeeds

    Scenario: Every documented value of the customer data is accepted
      When the client sends a booking with customer data in v2 with each value that the documents allow
      Then the service accepts each value that the documents allow

  @V23-BOOKINGS-CORRECTED
  Rule: A booking that is rejected before its payment leaves its booking request pending
    A cancellation, a failed payment, a booking or its age end a booking request. That something else does only warns, as
    the documents do not exclude it.
    Source: v3, States and transitions
    "request: failed payment, payment fails, aborted, booking on an aborted request gives 403; restart the flow"

    Scenario Outline: There is <something> in <interface>, and the client <corrects a booking>
      Given <something> in <interface>
      When the client <corrects a booking>
      Then the service should book the other booking request

      Examples:
        | something                   | interface | corrects a booking                                                                          |
        | a paid booking              | v2        | sends a booking with an unknown customer code, and then with its own                        |
        | a paid booking              | v3        | sends a booking with an unknown customer code, and then with its own                        |
        | a paid booking              | v2        | books a pending booking request together with an unknown one, and then without it           |
        | a paid booking              | v3        | books a pending booking request together with an unknown one, and then without it           |
        | a paid booking              | v2        | books a pending booking request together with that of the paid booking, and then without it |
        | a paid booking              | v3        | books a pending booking request together with that of the paid booking, and then without it |
        | a cancelled booking request | v3        | books a pending booking request together with the cancelled one, and then without it        |

    @situation
    Scenario: A booking with a booking request whose payment failed is corrected in <interface>
      Given a booking request in <interface> whose payment failed
      When the client books a pending booking request together with the one whose payment failed, and then without it
      Then the service should book the other booking request

    @situation
    Scenario: A booking with a booking request whose flight is gone is corrected in <interface>
      Given a booking request in <interface> whose flight was gone when the client booked it
      When the client books a pending booking request together with the one whose flight is gone, and then without it
      Then the service should book the other booking request

    @ages
    Scenario: A booking with an expired booking request is corrected in <interface>
      Given a booking request in <interface> made more than 5 minutes ago
      When the client books a pending booking request together with the expired one, and then without it
      Then the service should book the other booking request

  @V23-BOOKINGS-PAYMENT-METHOD-UNKNOWN
  Rule: A payment method that does not exist causes no 5xx status
    Whether it is rejected is open: a test system may accept any id (OPEN-72).
    Source: v3, POST /v3/bookings; v3, States and transitions
    "(none): booking creation (POST bookings), payment succeeds, AWAITING_PNR_AIRLINE"

    Scenario: The payment method does not exist in <interface>
      Given a booking in <interface> with a payment method that the service would accept
      When the client sends the request with an unknown payment method
      Then the service does not respond with a 5xx status
      And the status is observed as OPEN-72
