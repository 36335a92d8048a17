@v4
Feature: Confirm Order
  POST /order/{orderId}/confirm pays an open order and books it, once.

  @V4-CONFIRM-BOOKS
  Rule: A paid confirmation books the order
    Source: v4, POST /order/{orderId}/confirm, rule 3; v4, States and transitions
    "Success: response 200, order with status BOOKED and reservationId."

    @ages
    Scenario: Every two circumstances of an order come together
      Route, passengers, fare, bags, payment, age, organisation, two confirmations at once, and what happens before and
      after. Each payment that must fail is one of them, too.
      Then orders are as documented, whichever two circumstances come together

    Scenario Outline: An order is confirmed with the results of 3D Secure <version>
      Given an open order to be paid by card
      When the client confirms the order by a payment method and three_d_secure <version>
      Then the order is booked

      Examples:
        | version |
        | 1.0.2   |
        | 2.1.0   |
        | 2.2.0   |

  @V4-CONFIRM-ONCE @both
  Rule: An order can be confirmed only once
    The status code is not documented (OPEN-07).
    Source: v4, POST /order/{orderId}/confirm; v4, States and transitions; v4, Errors / Exceptions
    "BOOKED: Confirm Order (repeat), any, unchanged, duplicate confirmation is rejected; it does not create a status"

    Scenario Outline: The client of an order booked by <method> <confirms the order again>
      Given a booked order paid by <method>
      When the client <confirms the order again>
      Then the service rejects the request
      And the status is observed as OPEN-07
      And the order is booked with the same reservation

      Examples:
        | method  | confirms the order again                     |
        | card    | confirms the order again                     |
        | balance | confirms the order again                     |
        | card    | confirms the order again by a payment intent |

      @situation
      Examples:
        | method | confirms the order again                             |
        | card   | confirms the order again by a card that is declined |

    @ages
    Scenario: A booked order is confirmed again after its offer expired
      Given an order booked in time from an offer stored more than 30 minutes ago
      When the client confirms the order again
      Then the service rejects the request
      And the order is booked with the same reservation

  @V4-CONFIRM-CONCURRENT
  Rule: Exactly one of several simultaneous confirmations succeeds
    Source: v4, POST /order/{orderId}/confirm; v4, Limits
    "An order can be confirmed once."

    Scenario: Four confirmations arrive at once
      Given an open order
      When the client confirms the order four times at once
      Then one confirmation succeeds
      And the order is booked with the same reservation

  @V4-CONFIRM-SIMULTANEOUS
  Rule: Orders that are confirmed at the same time have reservations of their own
    That one of them is rejected only warns: the documents do not speak of requests at the same time.
    Source: v4, States and transitions
    "OPEN: Confirm Order, payment method matches and payment succeeds, BOOKED, a reservation is created; reservationId
     returned"

    Scenario: Two orders are confirmed at the same time
      When the client confirms two orders at the same time
      Then both orders are booked, each with a reservation of its own

  @V4-CONFIRM-OTHERS
  Rule: A confirmation changes the status of its own order only
    What becomes of another open order of an offer that is booked is open, but it is not booked (OPEN-71, OPEN-73).
    Source: v4, States and transitions
    "OPEN: Confirm Order, payment method matches and payment succeeds, BOOKED, a reservation is created; reservationId
     returned"

    Scenario: Another order of the same offer, created later, is confirmed
      Given an open order
      When the client confirms another order of the same offer
      Then the order is not booked with the other one
      And the status of the other order is observed as OPEN-73
      When the client confirms the order as well
      Then each order that is booked has a reservation of its own

    @situation
    Scenario: The payment of another order is rejected
      Given an open order to be paid by card
      When the client confirms another order by a card that is declined
      Then the order is still open

  @V4-CONFIRM-REQUIRED @both
  Rule: A confirmation repeats the payment method
    Source: v4, POST /order/{orderId}/confirm
    "paymentMethod: object, required, must equal the method chosen at Create Order: {card: true} or {balance: true}"

    Scenario: The payment method is missing or wrong
      Then the service rejects each value that the documents exclude

    Scenario: A confirmation by a payment intent lacks the payment method
      Given an open order to be paid by card
      When the client confirms the order by a payment intent without paymentMethod
      Then the service rejects the request
      And the order is not booked

    Scenario: The payment method is an amount
      Given a confirmation that the service would accept
      When the client sends the request with paymentMethod set to {"balance": 100}
      Then the service rejects the request
      And the order is not booked

  @V4-CONFIRM-SAME-METHOD @both
  Rule: An order is confirmed by the payment method that it was created with
    Source: v4, POST /order/{orderId}/confirm
    "paymentMethod: object, required, must equal the method chosen at Create Order"

    Scenario Outline: An order to be paid by <method> is confirmed by <another>
      Given an open order to be paid by <method>
      When the client confirms the order by <another>
      Then the service rejects the request
      And the status is observed as OPEN-51
      And the order is not booked

      Examples:
        | method  | another          |
        | card    | balance          |
        | balance | a payment method |

    @situation
    Scenario: An order to be paid by card is confirmed by balance after its card was declined
      Given an open order to be paid by card
      When the client confirms the order by a card that is declined
      Then the payment fails
      When the client confirms the order by balance
      Then the payment fails
      And the order is not booked

  @V4-CONFIRM-ONE-PAYMENT-REFERENCE @both
  Rule: A card confirmation contains exactly one of payment_intent_id and payment_method
    Source: v4, POST /order/{orderId}/confirm
    "payment_intent_id: string, card: exactly one of this or payment_method"

    Scenario: The payment reference is missing or wrong
      Given the service takes cards
      Then the service rejects each value that the documents exclude

    Scenario: Both are sent
      Given an open order to be paid by card
      When the client confirms the order by both a payment intent and a payment method
      Then the service rejects the request
      And the status is observed as OPEN-51
      And the order is not booked

    Scenario: The payment intent is not a string
      Given a confirmation by card that the service would accept
      When the client sends the request with payment_intent_id set to {}
      Then the payment fails
      And the order is not booked

  @V4-CONFIRM-PAYMENT-METHOD-PREFIX @both
  Rule: A payment method id begins with pm_
    Source: v4, POST /order/{orderId}/confirm
    "payment_method: string, … payment-provider PaymentMethod id (prefix pm_)"

    Scenario: Wrong payment method ids
      Given the service takes cards
      Then the service rejects each value that the documents exclude

  @V4-CONFIRM-BALANCE-ALONE @both
  Rule: A confirmation by balance contains no payment-provider fields
    Source: v4, POST /order/{orderId}/confirm, rule 1
    "For balance, no payment-provider fields may be sent, and balance payment must be enabled for the organization."

    Scenario Outline: A confirmation by balance carries <field>
      Given a confirmation by balance that the service would accept
      When the client sends the request with <field> from the payment provider
      Then the service rejects the request
      And the status is observed as OPEN-51
      When the client sends the request with an empty <field>
      Then the service rejects the request
      And the order is not booked

      Examples:
        | field             |
        | payment_method    |
        | payment_intent_id |
        | three_d_secure    |

  @V4-CONFIRM-BALANCE-ENABLED
  Rule: The service rejects balance payment with 403 Forbidden for an organisation without it
    The service may already reject the order (OPEN-53).
    Source: v4, Authentication, item 5; v4, Errors
    "Balance payment is available only when the operator enabled it for the organization (otherwise 403 at
     confirmation)."

    Scenario: An organisation without balance payment confirms by balance
      Given an order to be paid by balance of an organisation without balance payment
      When the client confirms the order by balance
      Then the service rejects the order, or its confirmation with 403 Forbidden
      And the order is not booked
      When the client confirms the order by balance
      Then the order is not booked

  @V4-CONFIRM-3DS-WITH-PAYMENT-METHOD @both
  Rule: 3D Secure results are sent with a payment method only
    Source: v4, POST /order/{orderId}/confirm
    "three_d_secure: object, optional; allowed only together with payment_method"

    Scenario: 3D Secure results are sent with a payment intent
      Given an open order to be paid by card
      When the client confirms the order by a payment intent and three_d_secure 2.2.0
      Then the service rejects the request
      And the status is observed as OPEN-51
      When the client sends the request with an empty three_d_secure
      Then the service rejects the request
      And the order is not booked

  @V4-CONFIRM-3DS-FIELDS @both
  Rule: 3D Secure results are complete
    The status code is not documented: the service may reject them as a payload or as payment data.
    Source: v4, POST /order/{orderId}/confirm / three_d_secure
    "three_d_secure fields (all required when the object is sent)"

    Scenario: Members of the 3D Secure results are missing or wrong
      Given the service takes 3D Secure results
      Then the service rejects each value that the documents exclude

  @V4-CONFIRM-3DS-VERSION @both
  Rule: The version of 3D Secure is 1.0.2, 2.1.0 or 2.2.0
    Source: v4, POST /order/{orderId}/confirm / three_d_secure
    "version: 1.0.2, 2.1.0, 2.2.0"

    Scenario: Wrong versions of 3D Secure
      Given the service takes 3D Secure results
      Then the service rejects each value that the documents exclude

  @V4-CONFIRM-3DS-INDICATOR @both
  Rule: The electronic commerce indicator is 05, 06, 01 or 02
    Source: v4, POST /order/{orderId}/confirm / three_d_secure
    "electronic_commerce_indicator: 05 (fully authenticated), 06 (attempt acknowledged), 01 (attempt acknowledged,
     Mastercard variant), 02 (fully authenticated, Mastercard variant)"

    Scenario: Wrong indicators
      Given the service takes 3D Secure results
      Then the service rejects each value that the documents exclude

    Scenario: The indicator is that of a fully authenticated Mastercard
      Given a confirmation with 3D Secure results that the service would accept
      When the client sends the request with the 3D Secure indicator set to "02"
      Then the order is booked, or rejected because its card is not a Mastercard

    Scenario: A Mastercard is fully authenticated
      Given an open order to be paid by card
      When the client confirms the order by a Mastercard and three_d_secure 1.0.2 with indicator 02
      Then the order is booked

  @V4-CONFIRM-3DS-CRYPTOGRAM @both
  Rule: The cryptogram is 20 bytes, base64-encoded into 28 characters
    Source: v4, POST /order/{orderId}/confirm / three_d_secure; v4, Limits
    "cryptogram: string; 20 bytes base64-encoded into 28 characters (AAV, CAVV or AEVV)"

    Scenario: Wrong cryptograms
      Given the service takes 3D Secure results
      Then the service rejects each value that the documents exclude

  @V4-CONFIRM-3DS-ATTEMPTED
  Rule: An authentication that was only attempted leads to a payment error
    Source: v4, POST /order/{orderId}/confirm, rule 2
    "Indicators 06 and 01 lead to a payment error."

    Scenario Outline: The indicator of an attempted authentication is <value>
      Given a confirmation with 3D Secure results that the service would accept
      When the client sends the request with the 3D Secure indicator set to <value>
      Then the payment fails
      And the status is observed as OPEN-52
      And the order is not booked

      Examples:
        | value |
        | "06"  |
        | "01"  |

  @V4-CONFIRM-3DS-FAILED @both
  Rule: 3D Secure results of a failed authentication are left out
    Source: v4, POST /order/{orderId}/confirm, rule 2
    "An indicator of 07 or 00 means authentication failed; the field group must then be left out"

    Scenario Outline: The indicator of a failed authentication is <value>
      Given a confirmation with 3D Secure results that the service would accept
      When the client sends the request with the 3D Secure indicator set to <value>
      Then the payment fails
      And the status is observed as OPEN-52
      And the order is not booked

      Examples:
        | value |
        | "07"  |
        | "00"  |

  @V4-CONFIRM-NOT-READY
  Rule: The service rejects a payment that needs verification or is not ready to capture with 406 Not Acceptable
    The response to a failed confirmation may also be an order with the status FAILED (OPEN-24).
    Source: v4, Errors
    "406: Not Acceptable, card payment needs additional verification or is not ready to capture"

    @situation
    Scenario Outline: An open order is paid by <payment>, and then by a payment method
      Given an open order to be paid by card
      When the client confirms the order by <payment>
      Then the payment fails with 406 Not Acceptable
      And the order is not booked
      When the client confirms the order by a payment method
      Then the service does not respond with a 5xx status

      Examples:
        | payment                                       |
        | a card that needs verification                |
        | a payment intent that is not ready to capture |

    @situation
    Scenario: The payment intent needs additional verification, and is then cancelled
      Given an open order to be paid by card
      When the client confirms the order by a payment intent that needs verification
      Then the payment fails with 406 Not Acceptable
      And the order is not booked
      When the client cancels the payment intent and confirms the order again
      Then the payment fails
      And the order is not booked

    @situation
    Scenario Outline: An open order is paid by <payment>
      Given an open order to be paid by card
      When the client confirms the order by <payment>
      Then the payment fails
      And the order is not booked

      Examples:
        | payment                                 |
        | a payment intent that was cancelled     |
        | a payment intent whose card is declined |

  @V4-CONFIRM-INTENT-ONCE
  Rule: A payment intent pays for one order only
    The documents do not say what a second use of a payment intent does, so a service that books with it only warns.
    Source: v4, States and transitions; v4, Errors
    "422: Unprocessable Entity, payment data rejected or does not match the order amount"

    Scenario: Another order is confirmed by the payment intent of a booked order
      Given a booked order paid by a payment intent
      When the client confirms another order of the same offer by the same payment intent
      Then the payment should fail
      And the order is not booked unless the confirmation succeeds

    Scenario: Two orders are confirmed by one payment intent at the same time
      When the client confirms two orders of one offer by one payment intent at the same time
      Then the payment intent should pay for one of them only

  @V4-CONFIRM-REJECTED
  Rule: The service responds to rejected payment data with 422 Unprocessable Entity
    The response to a failed confirmation may also be an order with the status FAILED (OPEN-24).
    Source: v4, Errors
    "422: Unprocessable Entity, payment data rejected or does not match the order amount"

    @situation
    Scenario: A card is declined although its holder was authenticated
      Given an open order to be paid by card
      When the client confirms the order by a card that is declined and three_d_secure 2.2.0
      Then the payment fails with 422 Unprocessable Entity
      And the order is not booked
      When the client confirms the order by a card that is declined
      Then the payment fails
      And the order is not booked

    Scenario Outline: The <payment> does not exist
      Given a confirmation by card that the service would accept
      When the client sends the request with an unknown <payment>
      Then the service does not respond with a 5xx status
      And the status is observed as OPEN-72
      And the order is not booked unless the confirmation succeeds

      Examples:
        | payment        |
        | payment method |
        | payment intent |

  @V4-CONFIRM-AMOUNT
  Rule: The service rejects a payment that does not match the order amount with 422 Unprocessable Entity
    The response to a failed confirmation may also be an order with the status FAILED (OPEN-24).
    Source: v4, Errors; v4, Limits
    "422: Unprocessable Entity, payment data rejected or does not match the order amount"

    @situation
    Scenario Outline: The payment intent for an open order is <what>
      Given an open order to be paid by card
      When the client confirms the order by a payment intent <what>
      Then the payment fails with 422 Unprocessable Entity
      And the order is not booked

      Examples:
        | what                         |
        | of a slightly larger amount  |
        | of a slightly smaller amount |
        | in another currency          |

    Scenario Outline: The payment intent is over the total of an order <that differs>
      Without a card fee, an order paid by balance costs the same (OPEN-36).

      Given an open order with a checked bag
      When the client confirms the order by a payment intent over the total of one <that differs>
      Then the payment fails with 422 Unprocessable Entity
      And the order is not booked

      Examples:
        | that differs                       |
        | without the bag                    |
        | paid by balance or without the bag |

  @V4-CONFIRM-FAILED-STATUS
  Rule: An order whose payment was rejected is FAILED
    A deviation is a warning: the documents disagree on the status after a rejected confirmation (OPEN-24).
    Source: v4, States and transitions; v4, Versioning, item 4
    "OPEN: Confirm Order, confirmation fails, FAILED"

    @situation
    Scenario: The order of a declined card is retrieved
      Given an open order to be paid by card
      When the client confirms the order by a card that is declined
      Then the order should be FAILED
      And the status of the order is observed as OPEN-24

  @V4-CONFIRM-UNKNOWN-ORDER
  Rule: The service rejects the confirmation of an unknown order with 404 Not Found
    Source: v4, Errors
    "404: Not Found, offer, order or reservation not found"

    Scenario: The order does not exist
      Given a confirmation by card that the service would accept
      When the client sends the request for an unknown order
      Then the service rejects the request with 404 Not Found

  @V4-CARD-DATA @client
  Rule: Card data is never sent to the service
    Source: v4, What the service does
    "Payment in v4 is either by card (processed through an external payment provider, with card data never sent to the
     service)"

    Scenario Outline: A card number is sent as <field> of <operation>
      Given a documented exchange of <operation>
      When the client sends <field> as <value>
      Then the traffic check reports this violation only

      Examples:
        | operation    | field                   | value                          |
        | confirmOrder | card                    | {"number": "4242424242424242"} |
        | confirmOrder | note                    | "4242 4242 4242 4242"          |
        | createOrder  | customerContact.address | "card 5555-5555-5555-4444"     |

    Scenario: A card number is sent in a header
      Given a documented exchange of getOrder
      When the client sends the header X-Card as "4242.4242.4242.4242"
      Then the traffic check reports this violation only
