@v2 @v3
Feature: Create bookings
  POST /v3/bookings and POST /v2/bookings pay for one or more requests and issue the tickets.

  @V23-BOOKINGS-BOOK
  Rule: A paid request becomes a booking
    Source: v3, POST /v3/bookings; v3, States and transitions

    Scenario Outline: A request in <interface> is booked
      Given a pending request in <interface>
      When it is booked
      Then it is booked

      Examples:
        | interface |
        | v2        |
        | v3        |

    Scenario Outline: A request in <interface> is paid by <payment>
      Given a pending request in <interface>
      When it is booked by <payment>
      Then it is booked

      Examples:
        | interface | payment                                   |
        | v3        | a payment method                          |
        | v3        | a payment method and three_d_secure 1.0.2 |
        | v3        | a payment method and three_d_secure 2.1.0 |
        | v3        | a payment method and three_d_secure 2.2.0 |
        | v2        | a payment method                          |
        | v2        | a payment method and three_d_secure 2.2.0 |

  @V3-BOOKINGS-REQUIRED @both
  Rule: A booking names its requests, the customer and the booker
    Source: v3, POST /v3/bookings

    Scenario Outline: <field> is left out
      Given a booking in v3 that the service would accept
      When it is sent without <field>
      Then it is refused as Bad Request

      Examples:
        | field         |
        | request_ids   |
        | customer_code |
        | first_name    |
        | last_name     |
        | gender        |
        | email         |
        | phonenumber   |

    Scenario Outline: <field> is <value>
      Given a booking in v3 that the service would accept
      When it is sent with <field> set to <value>
      Then it is refused as Bad Request

      Examples:
        | field         | value     |
        | request_ids   | "first"   |
        | request_ids   | ["first"] |
        | customer_code | {}        |
        | first_name    | {}        |
        | last_name     | null      |
        | email         | {}        |
        | phonenumber   | {}        |

  @V23-BOOKINGS-OPTIONAL
  Rule: What is optional of a booking may be left out
    Passport data may be demanded where a flight needs them (OPEN-85).
    Source: v3, POST /v3/bookings; v3, v2 endpoints

    Scenario Outline: The external id and the address are left out in <interface>
      Given a booking in <interface> that the service would accept
      When it is sent without what is optional
      Then it is booked

      Examples:
        | interface |
        | v2        |
        | v3        |

  @V3-BOOKINGS-REQUESTS @both
  Rule: A booking is for up to two requests
    Source: v3, POST /v3/bookings; v3, Limits

    Scenario: Three requests are booked
      Given a booking in v3 that the service would accept
      When it is sent for three requests
      Then it is refused

  @V23-BOOKINGS-TOGETHER
  Rule: The bookings of one order share one reference
    Source: v3, POST /v3/bookings; v3, Resources and their fields / Booking

    Scenario Outline: Two requests are booked together in <interface>
      Given two pending requests in <interface>
      When they are booked together
      Then they are booked
      And the service keeps this rule

      Examples:
        | interface |
        | v2        |
        | v3        |

  @V23-BOOKINGS-PAYMENT @both
  Rule: A booking is paid by a payment method, unless it is booked on deposit
    Source: v3, POST /v3/bookings

    Scenario Outline: The payment method is left out in <interface>
      Given a booking in <interface> with a payment method that the service would accept
      When it is sent without payment_method
      Then it is refused

      Examples:
        | interface |
        | v2        |
        | v3        |

  @V23-BOOKINGS-SELF-PSP
  Rule: An authorized organization books on deposit, without a payment method
    Source: v3, POST /v3/bookings; v3, Authentication, item 6

    Scenario Outline: An authorized organization books on deposit in <interface>
      Given a pending request in <interface>
      When it is booked by self_psp
      Then it is booked

      Examples:
        | interface |
        | v2        |
        | v3        |

  @V23-BOOKINGS-SELF-PSP-UNAUTHORIZED
  Rule: An organization that is not authorized cannot book on deposit
    The status of the refusal is left open (OPEN-90).
    Source: v3, POST /v3/bookings; v3, Authentication, item 6

    @second-organisation
    Scenario Outline: An organization that is not authorized books on deposit in <interface>
      Given a pending request of the second organisation in <interface>
      When it is booked by self_psp
      Then it is refused
      And the status is observed as OPEN-90

      Examples:
        | interface |
        | v2        |
        | v3        |

  @V23-BOOKINGS-CUSTOMER-UNKNOWN
  Rule: The customer code of a booking is known to the service
    The status of the refusal is left open (OPEN-90).
    Source: v3, POST /v3/bookings

    Scenario Outline: The customer code is unknown in <interface>
      Given a booking in <interface> that the service would accept
      When it is sent with customer_code set to "AIRWORTHY-UNKNOWN"
      Then it is refused
      And the status is observed as OPEN-90

      Examples:
        | interface |
        | v2        |
        | v3        |

  @V23-BOOKINGS-PAYMENT-FAILS @both
  Rule: A booking whose payment fails is refused, and its request is aborted: it is not booked any more
    Source: v3, States and transitions; v3, Errors

    Scenario: A client tries an aborted request again
      Given a documented journey of v3
      When its client books the request again after its card was declined
      Then the traffic check names this rule

    @situation @unseen
    Scenario Outline: A card is declined in <interface>
      Given a pending request in <interface>
      When it is booked by a card that is declined
      Then it is refused
      And the status is observed as OPEN-91
      When it is booked by a payment method
      Then it is refused as Forbidden

      Examples:
        | interface |
        | v2        |
        | v3        |

  @V23-BOOKINGS-ONCE @both
  Rule: A request is booked once
    The status of the refusal is left open (OPEN-88). That a client asks for it again only warns.
    Source: v3, Errors

    Scenario Outline: A booked request is booked again in <interface>
      Given a booking in <interface>
      When its request is booked again
      Then it is refused
      And the status is observed as OPEN-88

      Examples:
        | interface |
        | v2        |
        | v3        |

    Scenario Outline: Five bookings of a request arrive at once in <interface>
      Given a pending request in <interface>
      When it is booked five times at once
      Then it is booked once at most

      Examples:
        | interface |
        | v2        |
        | v3        |

  @V3-BOOKINGS-CANCELLED @both
  Rule: A cancelled request is not booked
    The status of the refusal is left open (OPEN-88).
    Source: v3, States and transitions

    Scenario: A cancelled request is booked
      Given a cancelled request in v3
      When it is booked
      Then it is refused
      And the status is observed as OPEN-88

  @V23-REQUEST-LIFETIME @both
  Rule: A request lives for three minutes at least and five at most
    The documents name both; in between either may happen (OPEN-15).
    Source: v3, POST /v3/requests; v3, Limits

    @ages
    Scenario Outline: A request in <interface> is booked before three minutes are over
      Given a request in <interface> made almost 3 minutes ago
      When it is booked
      Then it is booked

      Examples:
        | interface |
        | v2        |
        | v3        |

    @ages
    Scenario Outline: A request in <interface> is booked after five minutes
      Given a request in <interface> made more than 5 minutes ago
      When it is booked
      Then it is refused
      And the status is observed as OPEN-88

      Examples:
        | interface |
        | v2        |
        | v3        |

  @V23-BOOKINGS-UNKNOWN-REQUEST
  Rule: A booking of a request that does not exist fails
    Source: v3, Errors

    Scenario Outline: The request does not exist in <interface>
      Given a booking in <interface> that the service would accept
      When it is sent for an unknown request
      Then it is refused

      Examples:
        | interface |
        | v2        |
        | v3        |

  @V23-BOOKINGS-CONFLICT
  Rule: A booking whose flight is gone or whose price moved is in Conflict
    Source: v3, Errors

    @situation
    Scenario Outline: <case> in <interface>
      Given a pending request in <interface> for a flight <what> by the time of booking
      When it is booked
      Then it is refused as Conflict

      Examples:
        | interface | case                   | what                 |
        | v2        | The flight is sold out | that is sold out     |
        | v2        | The price has moved    | whose price moves    |
        | v3        | The flight is sold out | that is sold out     |
        | v3        | The price has moved    | whose price moves    |

  @V23-3DS-FIELDS @both
  Rule: 3D Secure results are complete
    Source: v3, POST /v3/bookings / three_d_secure

    Scenario Outline: <field> is left out in <interface>
      Given a booking in <interface> with 3D Secure results that the service would accept
      When it is sent without three_d_secure.<field>
      Then it is refused

      Examples:
        | interface | field                         |
        | v3        | version                       |
        | v3        | electronic_commerce_indicator |
        | v3        | cryptogram                    |
        | v3        | transaction_id                |
        | v2        | cryptogram                    |

  @V23-3DS-VALUES @both
  Rule: 3D Secure results have a known version and indicator, and a cryptogram of 28 characters
    Source: v3, POST /v3/bookings / three_d_secure

    Scenario Outline: The 3D Secure <field> is <value> in <interface>
      Given a booking in <interface> with 3D Secure results that the service would accept
      When it is sent with three_d_secure.<field> set to <value>
      Then it is refused

      Examples:
        | interface | field                         | value                              |
        | v3        | version                       | "2.3.1"                            |
        | v3        | electronic_commerce_indicator | "03"                               |
        | v3        | cryptogram                    | "AAECAwQFBgcICQoLDA0ODxAREg="      |
        | v3        | cryptogram                    | "AAECAwQFBgcICQoLDA0ODxAREhMUFRY=" |
        | v2        | version                       | "2.3.1"                            |

    Scenario Outline: The indicator of a full authentication is "02" in <interface>
      Given a booking in <interface> with 3D Secure results that the service would accept
      When it is sent with three_d_secure.electronic_commerce_indicator set to "02"
      Then it is booked, or refused because its card is not a Mastercard

      Examples:
        | interface |
        | v2        |
        | v3        |

  @V23-3DS-FAILED @both
  Rule: An authentication that failed or was only attempted does not pay
    Source: v3, POST /v3/bookings / three_d_secure

    Scenario Outline: The indicator is <value> in <interface>
      Given a booking in <interface> with 3D Secure results that the service would accept
      When it is sent with three_d_secure.electronic_commerce_indicator set to <value>
      Then it is refused

      Examples:
        | interface | value |
        | v3        | "07"  |
        | v3        | "00"  |
        | v2        | "07"  |

    @unseen
    Scenario Outline: The indicator of an attempt is <value> in <interface>
      Given a booking in <interface> with 3D Secure results that the service would accept
      When it is sent with three_d_secure.electronic_commerce_indicator set to <value>
      Then it is refused

      Examples:
        | interface | value |
        | v3        | "06"  |
        | v3        | "01"  |
        | v2        | "06"  |

  @V23-BOOKING-FIELDS
  Rule: A booking has its ids, reference, status, booker, passengers, prices and flight
    Source: v3, Resources and their fields / Booking

    Scenario Outline: A request is booked and read in <interface>
      Given a booking in <interface>
      When it is looked up
      Then the service keeps this rule

      Examples:
        | interface |
        | v2        |
        | v3        |

    Scenario Outline: A booking of a family is made and read in <interface>
      Given a booking in <interface> of a family
      When it is looked up
      Then its passengers are counted
      And the service keeps this rule

      Examples:
        | interface |
        | v2        |
        | v3        |

    Scenario Outline: A booking with a <bag> bag is made and read in <interface>
      Given a booking in <interface> with a <bag> bag
      When it is looked up
      Then it has its <bag> bag
      And the service keeps this rule

      Examples:
        | interface | bag     |
        | v2        | checked |
        | v3        | checked |
        | v3        | cabin   |

  @V23-BOOKING-STATUS
  Rule: A booking is AWAITING_PNR_AIRLINE, CONFIRMED, CANCELED or CHANGED
    Source: v3, States and transitions

    Scenario Outline: The status of a booking is read in <interface>
      Given a booking in <interface>
      When it is looked up
      Then the service keeps this rule

      Examples:
        | interface |
        | v2        |
        | v3        |

  @V23-PASSENGER-RECORD
  Rule: A passenger record has its ids, names, marks and dates
    Source: v3, Resources and their fields / Passenger record

    Scenario Outline: The passengers of a booking are read in <interface>
      Given a booking in <interface> of a family
      When it is looked up
      Then its passengers are those who were named
      And the service keeps this rule

      Examples:
        | interface |
        | v2        |
        | v3        |

  @V23-EXTERNAL-ID
  Rule: A booking keeps the client's own id
    Source: v3, Resources and their fields / Booking

    Scenario Outline: A request is booked with an external id in <interface>
      Given a booking in <interface>
      Then the service keeps this rule

      Examples:
        | interface |
        | v2        |
        | v3        |

  @V23-LOCATOR
  Rule: A booking is confirmed when the airline's record locator arrives
    That it may take longer than two hours is left open (OPEN-39).
    Source: v3, States and transitions; v3, POST /v3/bookings

    @ages
    Scenario Outline: A booking in <interface> is looked up after two hours
      Given a booking in <interface> made more than two hours ago
      When it is looked up
      Then it should be confirmed with a record locator

      Examples:
        | interface |
        | v2        |
        | v3        |

    @situation
    Scenario Outline: A charter flight is booked in <interface>
      Given a booking of a charter flight in <interface>
      Then it should be confirmed at once

      Examples:
        | interface |
        | v2        |
        | v3        |

  @V23-LOOK-UP @both
  Rule: Bookings are looked up by their reference
    Source: v3, GET /v3/bookings

    Scenario Outline: A booking is looked up in <interface>
      Given a booking in <interface>
      When it is looked up
      Then its booking is found
      And it is the booking that was made
      And the service keeps this rule

      Examples:
        | interface |
        | v2        |
        | v3        |

    Scenario Outline: The bookings of two requests are looked up in <interface>
      Given a booking in <interface> of two requests
      When it is looked up
      Then its booking is found
      And the service keeps this rule

      Examples:
        | interface |
        | v2        |
        | v3        |

    @situation
    Scenario: The bookings of a round-trip fare are looked up
      Given a round-trip fare search that finds fares
      When its first fare is requested
      And both ways are booked and looked up
      Then its booking is found
      And the way out is outward and the way back is return
      And the service keeps this rule

    Scenario Outline: The reference is left out in <interface>
      Given a booking in <interface>
      When it is looked up without a reference
      Then it is refused as Bad Request

      Examples:
        | interface |
        | v2        |
        | v3        |

  @V23-LOOK-UP-UNKNOWN
  Rule: A reference that does not exist delivers no booking
    Source: v3, Errors

    Scenario Outline: The reference does not exist in <interface>
      Given a booking in <interface>
      When an unknown reference is looked up
      Then no booking is delivered
      And the status is observed as OPEN-92

      Examples:
        | interface |
        | v2        |
        | v3        |

  @V23-FLIGHT-CHANGES
  Rule: A schedule change lists what changed, by segment, with the flight as it is now
    Source: v3, Resources and their fields / Flight change; v3, Events

    @situation
    Scenario Outline: A changed booking is looked up in <interface>
      Given a booking in <interface> whose schedule has changed
      When it is looked up
      Then its original flight is the one that was booked
      And the service keeps this rule

      Examples:
        | interface |
        | v2        |
        | v3        |

  @V23-CONFIRMATION-EMAIL @excluded
  Rule: The customer gets a confirmation e-mail with the tickets
    Excluded: it goes to the customer's mailbox; no interface shows it.
    Source: v3, What the service does; v3, Events

  @V23-PASSENGER-WEBSITE @excluded
  Rule: Passengers find their reservation on a website by the booking reference
    Excluded: the website is not described, and no interface shows it.
    Source: v3, What the service does; v3, Resources and their fields / Booking
