@v4
Feature: Orders in answers
  An order is answered as it was sent, with its status, its prices and its total.

  @V4-ORDER-FIELDS
  Rule: An order has its id, offer, passengers, baggage, contact, payment method, status and total
    Source: v4, Resources and their fields / Order

    Scenario: An order is created, read, confirmed and read again
      When a trip is searched, offered, ordered, booked and read
      Then the service keeps this rule

  @V4-ORDER-STATUS
  Rule: An order is OPEN, BOOKED or FAILED
    Source: v4, Resources and their fields / Enumerations

    Scenario: The statuses of an order that is created, read, confirmed and read again
      When a trip is searched, offered, ordered, booked and read
      Then the service keeps this rule

  @V4-ORDER-OPENS
  Rule: A created order is OPEN
    Source: v4, POST /order; v4, States and transitions

    Scenario Outline: An order is created to be paid by <method>
      Given an order request to be paid by <method> that the service accepts
      Then the order is open
      And the service keeps this rule

      Examples:
        | method  |
        | card    |
        | balance |

  @V4-ORDER-OFFER
  Rule: An order holds the offer and the fare that it was created from
    Source: v4, Resources and their fields / Order

    Scenario: An order is created and read
      Given an open order
      When it is read
      Then the service keeps this rule

  @V4-ORDER-PASSENGERS-ECHO
  Rule: An order answers its passengers as they were sent, identification included
    Source: v4, Resources and their fields / Order

    Scenario: An order of a family is created and read
      Given an open order for 1 adult, 1 child and 1 infant with passports
      When it is read
      Then the service keeps this rule

  @V4-ORDER-CONTACT-ECHO
  Rule: An order answers its contact as it was sent
    Carrier-portal credentials may be masked or dropped (OPEN-70).
    Source: v4, Resources and their fields / Order

    Scenario: The contact of an order is created and read
      Given an open order
      When it is read
      Then the service keeps this rule

    Scenario: A contact has letters beyond ASCII in the address
      Given an order request that the service accepts
      When it is sent with customerContact.address set to "Ødegårdsvei 1, 2º, Łódź"
      Then no error of the service is answered
      And the status is observed as OPEN-67
      And the service keeps this rule

  @V4-ORDER-BAGGAGE-ECHO
  Rule: An order answers its selected baggage as it was sent
    Source: v4, Resources and their fields / Order

    Scenario Outline: The <order> with <bags> is created and read
      Given an open <order> with <bags>
      When it is read
      Then the service keeps this rule

      Examples:
        | order            | bags                          |
        | order            | a checked bag                 |
        | round-trip order | a checked bag on the way back |

  @V4-ORDER-PRICE-PER-PIECE
  Rule: Selected baggage is answered with its price per piece
    The price stands on the item or on the selection (OPEN-44).
    Source: v4, Resources and their fields / Order

    Scenario: An order with a checked bag is created
      Given an open order with a checked bag
      Then the service keeps this rule
      And the place of the price per piece is observed as OPEN-44

  @V4-ORDER-PAYMENT-METHOD-ECHO
  Rule: An order answers the payment method that was chosen
    Source: v4, Resources and their fields / Order

    Scenario Outline: An order to be paid by <method> is created and read
      Given an open order to be paid by <method>
      When it is read
      Then the service keeps this rule

      Examples:
        | method  |
        | card    |
        | balance |

  @V4-ORDER-TOTAL-BAGGAGE
  Rule: The total of an order includes its baggage
    Source: v4, Resources and their fields / Order

    Scenario Outline: Two orders of one <offer> differ by <bags>
      Given two orders of one <offer>, with and without <bags>
      Then the service keeps this rule

      Examples:
        | offer            | bags                          |
        | offer            | a checked bag                 |
        | offer            | two checked bags              |
        | round-trip offer | a checked bag on the way back |

  @V4-ORDER-TOTAL-CARD-FEE
  Rule: The total of an order paid by card includes the fee that was shown
    That it is dearer by card is asserted; by how much warns (OPEN-61).
    Source: v4, Resources and their fields / Order; v4, Resources and their fields / Enumerations

    Scenario: Two orders of one offer differ by their payment method
      Given two orders of one offer, to be paid by card and by balance
      Then the service keeps this rule

  @V4-ORDER-RESERVATION-ID
  Rule: An order has a reservation once it is booked, and not before
    Source: v4, Resources and their fields / Order

    Scenario: The reservation of an order that is created, read, confirmed and read again
      When a trip is searched, offered, ordered, booked and read
      Then the service keeps this rule
