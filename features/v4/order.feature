@v4
Feature: Create Order
  POST /order?offerId=&fareId= orders a fare of a stored offer for named passengers.

  @V4-ORDER-QUERY @both
  Rule: An order names its offer and its fare
    Source: v4, POST /order
    "Query: offerId (UUID, required), fareId (UUID, required, a fare of that offer)."

    Scenario Outline: <parameter> is missing
      Given an order request that the service accepts
      When the client sends the request without the parameter <parameter>
      Then the service rejects the request
      And the status is observed as OPEN-49

      Examples:
        | parameter |
        | offerId   |
        | fareId    |

  @V4-ORDER-REQUIRED @both
  Rule: An order contains its passengers, selected baggage, contact and payment method
    Source: v4, POST /order
    "passengers: array, required … selectedBaggage: array, required … customerContact: object, required … paymentMethod:
     object, required"

    Scenario: Members of an order are missing or wrong
      Then the service rejects each value that the documents exclude

  @V4-ORDER-OPTIONAL
  Rule: Optional fields of an order may be omitted
    A field that the offer may require is not left out (OPEN-68). Carrier-portal credentials are used where the operator
    provides them, so that their rejection is a warning.
    Source: v4, POST /order
    "middleName: string, optional … secondLastName: string, optional, may be null … nationalityCountryCode: string,
     optional … countryCodeOfResidence: string, optional … phone: object, optional"

    Scenario: Every documented value of an order is accepted
      A value that the service rejects counts against the rule of its member.

      When the client sends an order of two passengers with each value that the documents allow
      Then the service accepts each value that the documents allow

    Scenario: The inbound baggage of a round trip is missing
      Given a round-trip order request that the service accepts
      When the client sends the request without the inbound baggage of the first passenger
      Then the order is open

    Scenario: Carrier-portal credentials are sent
      Given an order request that the service accepts
      When the client sends the request with the carrier-portal credentials set to {"username": "portal-user-7Kq", "password": "portal-word-9Zt"}
      Then the service should accept the request

    @situation
    Scenario: An adult without a birth date is ordered where the supplier allows it
      Given an order request on a route where birth dates are optional
      When the client sends the request without the birth date
      Then the service does not respond with a 5xx status
      And the status is observed as OPEN-43

  @V4-ORDER-PASSENGER @both
  Rule: A passenger has a number, type, title, name, last name and gender
    Source: v4, POST /order / Order passenger object
    "number: integer, required … type: string, required … title: string, required … name: string, required …
     firstLastName: string, required … gender: string, required"

    Scenario: Members of a passenger are missing or wrong
      Then the service rejects each value that the documents exclude

    Scenario: localityCodeOfResidency of a passenger is {}
      Given an order request that the service accepts
      When the client sends the request with passengers[0].localityCodeOfResidency set to {}
      Then the service rejects the request with 400 Bad Request

  @V4-ORDER-PASSENGER-TYPE @both
  Rule: A passenger is an adult, a child or an infant
    Source: v4, Resources and their fields / Enumerations
    "Passenger type (current): adult, child, infant (infant = under 2 years)"

    Scenario: Wrong passenger types
      Then the service rejects each value that the documents exclude

    Scenario: An order is for a family
      When the client creates an order for 2 adults, 1 child and 2 infants
      Then the order is open

  @V4-ORDER-TITLE @both
  Rule: A passenger's title is MR, MRS or MS
    Source: v4, Resources and their fields / Enumerations
    "Passenger title: MR, MRS, MS"

    Scenario: Wrong titles
      Then the service rejects each value that the documents exclude

    Scenario: The title of a woman is MS
      Given an order request for 2 adults that the service accepts
      When the client sends the request with the title of the second passenger set to "MS"
      Then the order is open

  @V4-ORDER-GENDER @both
  Rule: A passenger's gender is MALE or FEMALE
    Source: v4, Resources and their fields / Enumerations
    "Gender: MALE, FEMALE"

    Scenario: Wrong genders
      Then the service rejects each value that the documents exclude

  @V4-ORDER-BIRTH-DATE @both
  Rule: Children and infants have a birth date
    Source: v4, POST /order / Order passenger object
    "birthDate: string, optional, YYYY-MM-DD; required for children and infants; required for adults unless the supplier
     allows an optional date of birth"

    Scenario: Wrong birth dates
      Then the service rejects each value that the documents exclude

    Scenario Outline: The birth date of the last <passenger> is missing
      Given an order request for <party> that the service accepts
      When the client sends the request without the birth date of its last <passenger>
      Then the service rejects the request

      Examples:
        | passenger | party                  |
        | child     | 1 adult and 2 children |
        | infant    | 2 adults and 2 infants |

    @situation
    Scenario: The birth date of a child is missing where those of adults are optional
      Given an order request for 1 adult and 1 child on a route where birth dates are optional
      When the client sends the request without the birth date of its last child
      Then the service rejects the request

  @V4-ORDER-ADULT-BIRTH-DATE @both
  Rule: Adults have a birth date where the supplier requires one
    How a supplier allows a missing birth date is not documented, so a deviation is a warning (OPEN-43).
    Source: v4, POST /order / Order passenger object
    "birthDate: … required for adults unless the supplier allows an optional date of birth"

    Scenario: The birth date of an adult is missing where it is a required field
      Given an order request on an offer that requires birth dates of adults
      When the client sends the request without the birth date
      Then the service should reject the request

  @V4-ORDER-IDENTIFICATION @both
  Rule: An identification has a type, a number, an expiry date and an issuing country
    Source: v4, POST /order / Order passenger object
    "identification: object, optional, type (identification type, required), identificationNumber (string, required),
     expirationDate (YYYY-MM-DD, required, must be in the future), issueCountryCode (2-letter, required)"

    Scenario: Members of an identification are missing or wrong
      Given the service lists identification types
      Then the service rejects each value that the documents exclude

  @V4-ORDER-IDENTIFICATION-EXPIRY @both
  Rule: An identification expires in the future
    That the service rejects one that expires soon is a warning: it may check what an airline accepts.
    Source: v4, POST /order / Order passenger object
    "expirationDate (YYYY-MM-DD, required, must be in the future)"

    Scenario Outline: An order for <passengers> is sent with <an expired document>
      Given an order request for <passengers> with a passport that the service accepts
      When the client sends the request with <an expired document>
      Then the service rejects the request

      Examples:
        | passengers                     | an expired document                                             |
        | 1 adult                        | a PASSPORT that expired two days ago                            |
        | 1 adult                        | a NATIONAL_ID_CARD that expired two days ago                    |
        | 1 adult                        | a NIE that expired two days ago                                 |
        | 1 adult                        | a NIF that expired two days ago                                 |
        | 2 adults, 1 child and 1 infant | passengers[1].identification.expirationDate set to "2020-01-01" |
        | 2 adults, 1 child and 1 infant | passengers[2].identification.expirationDate set to "2020-01-01" |
        | 2 adults, 1 child and 1 infant | passengers[3].identification.expirationDate set to "2020-01-01" |

    Scenario Outline: The identification expires <soon>
      Given an order request with a passport that the service accepts
      When the client sends the request with an identification that expires <soon>
      Then the service should accept the request

      Examples:
        | soon                    |
        | a week after the flight |
        | in two days             |

  @V4-ORDER-COUNTRY-CODES @both
  Rule: A country is a two-letter code
    Source: v4, Resources and their fields / Conventions
    "Country code: 2-letter code"

    Scenario: Wrong country codes
      Then the service rejects each value that the documents exclude

  @V4-ORDER-PHONE @both
  Rule: A phone has its number and its country
    Source: v4, POST /order
    "phone: object, optional, number (string), countryCode (2-letter)"
    Source: v4, POST /order
    "phone: object, required, number and countryCode"

    Scenario: Members of a phone are missing or wrong
      Then the service rejects each value that the documents exclude

  @V4-ORDER-CONTACT @both
  Rule: A contact has name, last names, gender, e-mail, country, phone and address
    Source: v4, POST /order / customerContact
    "lastNames: string, required … gender: string, required … email: string, required … countryCode: string, required …
     phone: object, required … address: string, required"

    Scenario: Members of the contact are missing or wrong
      Then the service rejects each value that the documents exclude

  @V4-ORDER-BAGGAGE-SELECTION @both
  Rule: A baggage selection has type, pieces and kilos
    Source: v4, POST /order / selectedBaggage
    "Each selection: type (CHECK_IN or CABIN, required), numberOfPieces (integer, required), kilosPerPiece (integer, kg,
     required)."

    Scenario: Members of a baggage selection are missing or wrong
      Then the service rejects each value that the documents exclude

    Scenario: A cabin bag has no kilos
      Given an order request with a checked bag that the service accepts
      When the client sends the request with the outbound baggage of the first passenger set to [{"type": "CABIN", "numberOfPieces": 1}]
      Then the service rejects the request

  @V4-ORDER-BAGGAGE-PER-PASSENGER @both
  Rule: Every passenger has one item of selected baggage
    Source: v4, POST /order
    "selectedBaggage: array, required, one item per passenger"

    Scenario Outline: An order for <passengers> is sent <with wrong items>
      Given an order request for <passengers> that the service accepts
      When the client sends the request <with wrong items>
      Then the service rejects the request

      Examples:
        | passengers                         | with wrong items                                                      |
        | 2 adults, 0 children and 0 infants | without the baggage of the second passenger                           |
        | 1 adult, 1 child and 1 infant      | without the baggage of the third passenger                            |
        | 1 adult                            | with selectedBaggage set to []                                        |
        | 2 adults, 0 children and 0 infants | with two items for the first passenger, while the second one has one  |
        | 2 adults, 0 children and 0 infants | with two items for the first passenger, while the second one has none |
        | 2 adults, 0 children and 0 infants | with the passenger of the second baggage item set to 99               |
        | 1 adult                            | with a baggage item for another passenger, too                        |

  @V4-ORDER-PAYMENT-METHOD @both
  Rule: An order is paid by exactly one of card and balance
    Source: v4, POST /order
    "paymentMethod: object, required, exactly one of {card: true} or {balance: true}"

    Scenario: Wrong payment methods
      Then the service rejects each value that the documents exclude

    Scenario: The payment method is {"balance": 100}
      Given an order request that the service accepts
      When the client sends the request with paymentMethod set to {"balance": 100}
      Then the service rejects the request with 400 Bad Request

  @V4-ORDER-FARE-OF-OFFER @both
  Rule: The fare of an order is a fare of its offer
    The rejection of another fare than the cheapest is a warning: it may require more of the passengers.
    Source: v4, POST /order
    "fareId (UUID, required, a fare of that offer)"

    @unseen
    Scenario: The fare does not exist
      Given an order request that the service accepts
      When the client sends the request with an unknown fare
      Then the service rejects the request
      And the status is observed as OPEN-50

    Scenario: The fare is not the cheapest of the offer
      Given an order request that the service accepts
      When the client sends the request with another fare of the offer
      Then the service should accept the request

    Scenario: The fare belongs to another offer
      Given an order request that the service accepts
      When the client sends the request with the fare of another offer
      Then the service rejects the request
      And the status is observed as OPEN-50

  @V4-ORDER-UNKNOWN-OFFER
  Rule: The service rejects an order from an unknown offer with 404 Not Found
    Source: v4, Errors
    "404: Not Found, offer, order or reservation not found"

    Scenario: The offer does not exist
      Given an order request that the service accepts
      When the client sends the request with an unknown offer
      Then the service rejects the request with 404 Not Found

  @V4-ORDER-EXPIRED-OFFER @both
  Rule: An order from an expired offer fails
    The status code is not documented (OPEN-06).
    Source: v4, States and transitions; v4, POST /order; v4, Errors / Exceptions
    "offer stored: time, 30 minutes elapsed, offer expired, any order created from it fails"

    @ages
    Scenario: An order is created more than 30 minutes after Get Offer
      Given an offer stored more than 30 minutes ago
      When the client creates an order from the offer
      Then the service rejects the request
      And the status is observed as OPEN-06
      When the client creates an order from the offer by balance, where it may
      Then the service rejects the request

    @ages
    Scenario: An order of a round trip is created more than 30 minutes after Get Offer
      Given a round-trip offer stored more than 30 minutes ago
      When the client retrieves the fares of the offer
      And the client creates an order from the offer
      Then the service rejects the request

    @ages
    Scenario: An offer is used shortly before its 30 minutes are over
      Given an offer stored almost 30 minutes ago
      When the client retrieves the fares of the offer
      And the client retrieves the baggage options of the offer
      And the client creates an order from the offer
      And the client requests another offer
      And more than 30 minutes have passed since the offer was stored
      And the client retrieves the fares of the offer
      And the client creates an order from the offer
      Then the service rejects the request

    @ages
    Scenario: An order that was created in time is confirmed after its offer expired
      Given an order created in time from an offer stored more than 30 minutes ago
      When the client confirms the order by card
      Then the service does not respond with a 5xx status
      And the status is observed as OPEN-27

  @V4-ORDER-PASSENGER-NUMBERS @client
  Rule: Passengers are numbered consecutively
    The first number may be 0 or 1 (OPEN-66).
    Source: v4, POST /order / Order passenger object
    "number: integer, required, sequential passenger number"

    Scenario Outline: The numbers of two passengers are <first> and <second>
      Given a documented exchange of createOrder for 2 adults, 0 children and 0 infants
      When the client numbers the passengers <first> and <second>
      Then the traffic check <judgement>

      Examples:
        | first | second | judgement                   |
        | 1     | 2      | reports nothing             |
        | 0     | 1      | reports nothing             |
        | 1     | 3      | reports this violation only |
        | 1     | 1      | reports this violation only |

  @V4-ORDER-PASSENGER-COUNT @client
  Rule: An order has the passengers that its offer was made for
    Source: v4, POST /order; v4, POST /offer
    "Body: adults, children, infants, tripType, travelClass (optional, default ECONOMY) as in search"

    Scenario: One passenger more than in the offer
      Given a documented conversation
      When the client orders for one more passenger
      Then the traffic check reports this violation only

  @V4-ORDER-INFANT-AGE @client
  Rule: An infant is under two years old
    Source: v4, Resources and their fields / Enumerations
    "Passenger type (current): adult, child, infant (infant = under 2 years)"

    Scenario Outline: An infant was born <years> years before its flight
      Given a documented exchange of createOrder for 1 adult, 0 children and 1 infant
      When the infant was born <years> years before the request
      Then the traffic check <judgement>

      Examples:
        | years | judgement                   |
        | 1     | reports nothing             |
        | 4     | reports this violation only |

  @V4-ORDER-BAGGAGE-MAXIMUM @client
  Rule: The selected baggage does not exceed the offered maximum
    A deviation is a warning (OPEN-65).
    Source: v4, Resources and their fields / Baggage option (Get Baggage)
    "Each option: type (CHECK_IN or CABIN), maxPiecesPerPassenger (integer), maxKilosPerPiece (integer)"

    Scenario: More pieces than offered are selected
      Given a documented conversation
      When the client sends selectedBaggage[0].outboundSegmentBaggageSelection[0].numberOfPieces as 9
      Then the traffic check reports this violation only

  @V4-ORDER-INBOUND-BAGGAGE @client
  Rule: Only an order of a round trip has inbound baggage
    What a service does with the inbound baggage of a one-way offer is open (OPEN-65).
    Source: v4, POST /order / selectedBaggage
    "inboundSegmentBaggageSelection (array or null, optional, for round trips)"

    Scenario: A bag is selected for the way back of a one-way offer
      Given a documented conversation
      When the client selects a bag for the way back
      Then the traffic check reports this violation only

  @V4-ORDER-IDENTIFICATION-OPTION @client
  Rule: A passenger is identified by one of the types that the offer lists
    A deviation is a warning (OPEN-68).
    Source: v4, Resources and their fields / Offer
    "keys are passenger types; each value has providerIdentificationTypeOptions (array of identification types)"

    Scenario: A type that the offer does not list is sent
      Given a documented conversation
      When the client sends passengers[0].identification.type as "NIE"
      Then the traffic check reports this violation only
