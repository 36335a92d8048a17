@v4
Feature: Orders in responses
  An order contains what was sent, with its status, its prices and its total.

  @V4-ORDER-FIELDS
  Rule: An order has its id, offer, passengers, baggage, contact, payment method, status and total
    Source: v4, Resources and their fields / Order
    "id: UUID … offer: object … passengers: array … selectedBaggage: array … customerContact: object … paymentMethod:
     object … status: string … totalPrice: money"

    Scenario: Members of every order
      Then the order has its offer, passengers, baggage, contact, payment method, status and total price

  @V4-ORDER-STATUS
  Rule: An order is OPEN, BOOKED or FAILED
    Source: v4, Resources and their fields / Enumerations
    "Order status: OPEN, BOOKED, FAILED"

    Scenario: Statuses of every order
      Then the status of the order is OPEN, BOOKED or FAILED

    @ages
    Scenario: An order that was created in time is retrieved after its offer expired
      Given an order created in time from an offer stored more than 30 minutes ago
      When the client retrieves the order
      Then the status of the order is OPEN, BOOKED or FAILED

  @V4-ORDER-OPENS
  Rule: A created order is OPEN
    Source: v4, POST /order; v4, States and transitions
    "Response 200: order with status OPEN."

    Scenario: Statuses of every created order
      Then the status of the created order is OPEN

    Scenario: An order for nine adults is created
      Given an itinerary with seats for 9 adults
      When the client creates an order for 9 adults
      Then the order is open

  @V4-ORDER-OFFER
  Rule: An order contains the offer and the fare that it was created from
    Source: v4, Resources and their fields / Order
    "offer: object, id, outboundSegment, fare (with id)"

    Scenario: Offers of every order
      Then the order contains the offer and the fare that it was created from

  @V4-ORDER-PASSENGERS-ECHO
  Rule: An order contains its passengers as they were sent, including their identification
    Source: v4, Resources and their fields / Order
    "passengers: array, order passenger objects (see Create Order); identification is echoed"

    Scenario: Passengers of every order
      Then the order contains the passengers as they were sent

    Scenario: The number of an identification has small letters
      A service may reject it, as it may check the numbers of documents. That it comes back in capitals only warns.

      Given an order request with a passport that the service accepts
      When the client sends the request with the number of the identification set to "aIrW01234"
      Then the service does not respond with a 5xx status
      And the order contains the passengers as they were sent

    Scenario: Two orders are created at the same time
      When the client searches, stores, orders and retrieves trips, two at the same time each
      Then the order contains the passengers as they were sent

  @V4-ORDER-CONTACT-ECHO
  Rule: An order contains its contact as it was sent
    Carrier-portal credentials may be masked or dropped (OPEN-70).
    Source: v4, Resources and their fields / Order
    "customerContact: object, as sent"

    Scenario: Contacts of every order
      Then the order contains the contact as it was sent

    Scenario Outline: The <field> of a contact is <value>
      A service that rewrites contacts changes these.

      Given an order request that the service accepts
      When the client sends the request with the <field> of the contact set to <value>
      Then the service does not respond with a 5xx status
      And the status is observed as OPEN-67
      And the order contains the contact as it was sent

      Examples:
        | field        | value                                            |
        | address      | "Ødegårdsvei 1, 2º, c/o Zoë O'Hara-Núñez, Łódź"  |
        | e-mail       | "Zoe.O.Hara@Partner.Example.com"                 |
        | phone number | "+351 912 34-56-78"                              |
        | city         | "l'Hospitalet de Llobregat"                      |

  @V4-ORDER-BAGGAGE-ECHO
  Rule: An order contains its selected baggage as it was sent
    The service may reject a cabin bag (OPEN-65).
    Source: v4, Resources and their fields / Order
    "selectedBaggage: array, as sent, each item additionally has pricePerPiece (money) in the response"

    Scenario Outline: The <order> with <bags> is created and read
      Given an open <order> with <bags>
      When the client retrieves the order
      Then the order contains the selected baggage as it was sent

      Examples:
        | order            | bags                                          |
        | order            | a checked bag for the second passenger        |
        | order            | a cabin bag and a checked bag                 |
        | round-trip order | a checked bag on the way back                 |
        | round-trip order | a checked bag for each passenger on both ways |

  @V4-ORDER-PRICE-PER-PIECE
  Rule: The selected baggage of an order has a price per piece
    The price may be a member of the item or of the selection (OPEN-44).
    Source: v4, Resources and their fields / Order
    "selectedBaggage: array, as sent, each item additionally has pricePerPiece (money) in the response"
    About: selected baggage

    Scenario: An order with a checked bag is created
      When the client creates an order with a checked bag
      Then the selected baggage has a price per piece
      And the place of the price per piece is observed as OPEN-44

  @V4-ORDER-PAYMENT-METHOD-ECHO
  Rule: An order contains the chosen payment method
    Source: v4, Resources and their fields / Order
    "paymentMethod: object, {card: true} or {balance: true}"

    Scenario: Payment methods of every order
      Then the order contains the chosen payment method

  @V4-ORDER-TOTAL-BAGGAGE
  Rule: The total of an order includes its baggage
    The service may reject a cabin bag, and one of an infant (OPEN-65).
    Source: v4, Resources and their fields / Order
    "totalPrice: money, includes baggage and, for card, the card-processing fee"
    About: two orders that differ in their baggage only

    Scenario Outline: Two orders of one <offer> differ by <bags>
      When the client creates two orders of one <offer>, with and without <bags>
      Then the total prices differ by the price of the baggage

      Examples:
        | offer            | bags                          |
        | offer            | a cabin bag and a checked bag |
        | offer            | three checked bags            |
        | round-trip offer | a checked bag on the way back |
        | round-trip offer | three bags of each option for each passenger on both ways |
        | offer            | a checked bag, to be paid by card |
        | offer            | a checked bag for an infant   |

  @V4-ORDER-TOTAL-CARD-FEE
  Rule: The total of an order paid by card includes the card fee of the offer
    A difference from the shown fee only warns: how the fee is computed is not documented (OPEN-61).
    Source: v4, Resources and their fields / Order; v4, Resources and their fields / Enumerations
    "totalPrice: money, includes baggage and, for card, the card-processing fee"
    Optional: a service may show no card fee (OPEN-36).

    Scenario Outline: Two orders of one <offer> differ by their payment method
      When the client creates two orders of one <offer>, to be paid by card and by balance
      Then the total prices differ by the card fee of the offer

      Examples:
        | offer                    |
        | offer                    |
        | round-trip offer         |
        | offer with a checked bag |

  @V4-ORDER-RESERVATION-ID
  Rule: An order has a reservation only when it is booked
    Source: v4, Resources and their fields / Order
    "reservationId: UUID, present after successful confirmation"

    Scenario: Reservations of every order
      Then the order has a reservation only when it is booked
