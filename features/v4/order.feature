@v4
Feature: Create Order
  POST /order?offerId=&fareId= orders a fare of a stored offer for named passengers.

  @V4-ORDER-QUERY @both
  Rule: An order names its offer and its fare
    Source: v4, POST /order

    Scenario Outline: <parameter> is left out
      Given an order request that the service accepts
      When it is sent without the parameter <parameter>
      Then it is refused
      And the status is observed as OPEN-49

      Examples:
        | parameter |
        | offerId   |
        | fareId    |

  @V4-ORDER-REQUIRED @both
  Rule: An order states its passengers, selected baggage, contact and payment method
    Source: v4, POST /order

    Scenario Outline: <field> is left out
      Given an order request that the service accepts
      When it is sent without <field>
      Then it is refused as Bad Request

      Examples:
        | field           |
        | passengers      |
        | selectedBaggage |
        | customerContact |
        | paymentMethod   |

    Scenario Outline: <field> is <value>
      Given an order request that the service accepts
      When it is sent with <field> set to <value>
      Then it is refused as Bad Request

      Examples:
        | field      | value |
        | passengers | {}    |
        | passengers | null  |

  @V4-ORDER-OPTIONAL
  Rule: What is optional in an order may be left out
    Source: v4, POST /order

    Scenario Outline: The optional <field> is left out
      Given an order request that the service accepts
      When it is sent without <field>
      Then the order is open

      Examples:
        | field                                             |
        | passengers[0].middleName                          |
        | passengers[0].secondLastName                      |
        | passengers[0].nationalityCountryCode              |
        | passengers[0].countryCodeOfResidence              |
        | passengers[0].phone                               |
        | selectedBaggage[0].inboundSegmentBaggageSelection |

    Scenario: The second last name is null
      Given an order request that the service accepts
      When it is sent with passengers[0].secondLastName set to null
      Then the order is open

    @situation
    Scenario: An adult without a birth date is ordered where the supplier allows it
      Given an order request on a route where birth dates are optional
      When it is sent without passengers[0].birthDate
      Then no error of the service is answered
      And the status is observed as OPEN-43

  @V4-ORDER-PASSENGER @both
  Rule: A passenger has a number, type, title, name, last name and gender
    Source: v4, POST /order / Order passenger object

    Scenario Outline: <field> of a passenger is left out
      Given an order request that the service accepts
      When it is sent without passengers[0].<field>
      Then it is refused as Bad Request

      Examples:
        | field         |
        | number        |
        | type          |
        | title         |
        | name          |
        | firstLastName |
        | gender        |

    Scenario Outline: <field> of a passenger is <value>
      Given an order request that the service accepts
      When it is sent with passengers[0].<field> set to <value>
      Then it is refused as Bad Request

      Examples:
        | field                   | value   |
        | number                  | "first" |
        | number                  | "1"     |
        | number                  | 1.5     |
        | number                  | null    |
        | name                    | null    |
        | name                    | {}      |
        | firstLastName           | null    |
        | firstLastName           | {}      |
        | middleName              | {}      |
        | secondLastName          | {}      |
        | localityCodeOfResidency | {}      |

  @V4-ORDER-PASSENGER-TYPE @both
  Rule: A passenger is an adult, a child or an infant
    Source: v4, Resources and their fields / Enumerations

    Scenario Outline: The type is <value>
      Given an order request that the service accepts
      When it is sent with passengers[0].type set to <value>
      Then it is refused as Bad Request

      Examples:
        | value    |
        | "senior" |
        | ""       |
        | 1        |
        | null     |

    Scenario: A family is ordered
      Given an order request for 1 adult, 1 child and 1 infant that the service accepts
      Then the order is open

  @V4-ORDER-TITLE @both
  Rule: A passenger's title is MR, MRS or MS
    Source: v4, Resources and their fields / Enumerations

    Scenario Outline: The title is <value>
      Given an order request that the service accepts
      When it is sent with passengers[0].title set to <value>
      Then it is refused as Bad Request

      Examples:
        | value |
        | "DR"  |
        | ""    |
        | null  |

    Scenario Outline: The title is <title>
      Given an order request that the service accepts
      When it is sent for a passenger titled <title>
      Then the order is open

      Examples:
        | title |
        | MR    |
        | MRS   |
        | MS    |

  @V4-ORDER-GENDER @both
  Rule: A passenger's gender is MALE or FEMALE
    Source: v4, Resources and their fields / Enumerations

    Scenario Outline: The gender is <value>
      Given an order request that the service accepts
      When it is sent with passengers[0].gender set to <value>
      Then it is refused as Bad Request

      Examples:
        | value   |
        | "OTHER" |
        | "M"     |
        | null    |

  @V4-ORDER-BIRTH-DATE @both
  Rule: Children and infants have a birth date
    Source: v4, POST /order / Order passenger object

    Scenario Outline: The birth date of the <passenger> is left out
      Given an order request for 1 adult, 1 child and 1 infant that the service accepts
      When it is sent without the birth date of its <passenger>
      Then it is refused

      Examples:
        | passenger |
        | child     |
        | infant    |

    Scenario Outline: A birth date is <value>
      Given an order request that the service accepts
      When it is sent with passengers[0].birthDate set to <value>
      Then it is refused as Bad Request

      Examples:
        | value        |
        | "14/03/1990" |
        | "1990-3-14"  |
        | "yesterday"  |
        | {}           |

  @V4-ORDER-ADULT-BIRTH-DATE @both
  Rule: Adults have a birth date where the supplier wants one
    How a supplier allows its absence is not written: a deviation warns (OPEN-43).
    Source: v4, POST /order / Order passenger object

    Scenario: The birth date of an adult is left out where it is a required field
      Given an order request on an offer that requires birth dates of adults
      When it is sent without passengers[0].birthDate
      Then it should be refused

  @V4-ORDER-IDENTIFICATION @both
  Rule: An identification has its type, number, expiry and issuing country
    Source: v4, POST /order / Order passenger object

    Scenario Outline: <field> of an identification is left out
      Given an order request with a passport that the service accepts
      When it is sent without passengers[0].identification.<field>
      Then it is refused as Bad Request

      Examples:
        | field                |
        | type                 |
        | identificationNumber |
        | expirationDate       |
        | issueCountryCode     |

    Scenario: An identification is no object
      Given an order request with a passport that the service accepts
      When it is sent with passengers[0].identification set to "X0000000"
      Then it is refused as Bad Request

    Scenario Outline: <field> of an identification is <value>
      Given an order request with a passport that the service accepts
      When it is sent with passengers[0].identification.<field> set to <value>
      Then it is refused as Bad Request

      Examples:
        | field                | value             |
        | type                 | "DRIVING_LICENCE" |
        | type                 | null              |
        | identificationNumber | {}                |
        | identificationNumber | null              |
        | expirationDate       | "14/03/2031"      |
        | expirationDate       | null              |

  @V4-ORDER-IDENTIFICATION-EXPIRY @both
  Rule: An identification expires in the future
    Source: v4, POST /order / Order passenger object

    Scenario: An identification has expired
      Given an order request with a passport that the service accepts
      When it is sent with passengers[0].identification.expirationDate set to "2020-01-01"
      Then it is refused

  @V4-ORDER-COUNTRY-CODES @both
  Rule: A country is a two-letter code
    Source: v4, Resources and their fields / Conventions

    Scenario Outline: The country <field> is <value>
      Given an order request that the service accepts
      When it is sent with <field> set to <value>
      Then it is refused as Bad Request

      Examples:
        | field                                | value   |
        | passengers[0].nationalityCountryCode | "ESP"   |
        | passengers[0].nationalityCountryCode | "E"     |
        | passengers[0].nationalityCountryCode | {}      |
        | passengers[0].countryCodeOfResidence | "Spain" |
        | passengers[0].countryCodeOfResidence | {}      |
        | passengers[0].phone.countryCode      | "ESP"   |
        | passengers[0].phone.countryCode      | {}      |
        | customerContact.countryCode          | "ESP"   |
        | customerContact.countryCode          | "E"     |
        | customerContact.countryCode          | {}      |
        | customerContact.phone.countryCode    | "ESP"   |
        | customerContact.phone.countryCode    | {}      |

    Scenario Outline: The issuing country of a passport is <value>
      Given an order request with a passport that the service accepts
      When it is sent with passengers[0].identification.issueCountryCode set to <value>
      Then it is refused as Bad Request

      Examples:
        | value |
        | "ESP" |
        | "E"   |
        | {}    |

  @V4-ORDER-PHONE @both
  Rule: A phone has its number and its country
    Source: v4, POST /order

    Scenario Outline: <field> of the contact's phone is left out
      Given an order request that the service accepts
      When it is sent without customerContact.<field>
      Then it is refused as Bad Request

      Examples:
        | field             |
        | phone.number      |
        | phone.countryCode |

    Scenario Outline: The phone <field> is <value>
      Given an order request that the service accepts
      When it is sent with <field> set to <value>
      Then it is refused as Bad Request

      Examples:
        | field                        | value |
        | passengers[0].phone          | []    |
        | passengers[0].phone.number   | {}    |
        | customerContact.phone.number | {}    |
        | customerContact.phone        | []    |

  @V4-ORDER-CONTACT @both
  Rule: A contact has name, last names, gender, e-mail, country, phone and address
    Source: v4, POST /order / customerContact

    Scenario Outline: The contact is <value>
      Given an order request that the service accepts
      When it is sent with customerContact set to <value>
      Then it is refused as Bad Request

      Examples:
        | value |
        | []    |
        | null  |

    Scenario Outline: <field> of the contact is left out
      Given an order request that the service accepts
      When it is sent without customerContact.<field>
      Then it is refused as Bad Request

      Examples:
        | field       |
        | name        |
        | lastNames   |
        | gender      |
        | email       |
        | countryCode |
        | phone       |
        | address     |
        | cityName    |
        | zipCode     |

    Scenario Outline: <field> of the contact is <value>
      Given an order request that the service accepts
      When it is sent with customerContact.<field> set to <value>
      Then it is refused as Bad Request

      Examples:
        | field                    | value            |
        | name                     | {}               |
        | lastNames                | null             |
        | gender                   | "OTHER"          |
        | email                    | {}               |
        | address                  | {}               |
        | cityName                 | null             |
        | zipCode                  | {}               |
        | carrierPortalCredentials | "secret"         |
        | carrierPortalCredentials | {"username": {}} |
        | carrierPortalCredentials | {"password": {}} |

  @V4-ORDER-BAGGAGE-SELECTION @both
  Rule: A baggage selection has type, pieces and kilos
    Source: v4, POST /order / selectedBaggage

    Scenario Outline: The selected baggage is <value>
      Given an order request that the service accepts
      When it is sent with selectedBaggage set to <value>
      Then it is refused as Bad Request

      Examples:
        | value |
        | {}    |
        | null  |

    Scenario Outline: <field> of a baggage item is left out
      Given an order request with a checked bag that the service accepts
      When it is sent without selectedBaggage[0].<field>
      Then it is refused as Bad Request

      Examples:
        | field                                             |
        | passengerNumber                                   |
        | outboundSegmentBaggageSelection                   |
        | outboundSegmentBaggageSelection[0].type           |
        | outboundSegmentBaggageSelection[0].numberOfPieces |
        | outboundSegmentBaggageSelection[0].kilosPerPiece  |

    Scenario Outline: <field> of a baggage item is <value>
      Given an order request with a checked bag that the service accepts
      When it is sent with selectedBaggage[0].<field> set to <value>
      Then it is refused as Bad Request

      Examples:
        | field                                             | value  |
        | passengerNumber                                   | "one"  |
        | passengerNumber                                   | "1"    |
        | outboundSegmentBaggageSelection                   | {}     |
        | outboundSegmentBaggageSelection                   | null   |
        | outboundSegmentBaggageSelection[0].type           | "HOLD" |
        | outboundSegmentBaggageSelection[0].type           | null   |
        | outboundSegmentBaggageSelection[0].numberOfPieces | "one"  |
        | outboundSegmentBaggageSelection[0].numberOfPieces | "1"    |
        | outboundSegmentBaggageSelection[0].numberOfPieces | 1.5    |
        | outboundSegmentBaggageSelection[0].kilosPerPiece  | "many" |
        | outboundSegmentBaggageSelection[0].kilosPerPiece  | "15"   |

    Scenario Outline: The baggage of the way back is <value>
      Given an order request with a checked bag that the service accepts
      When it is sent with selectedBaggage[0].inboundSegmentBaggageSelection set to <value>
      Then it is refused

      Examples:
        | value                                                                |
        | {}                                                                   |
        | [{"numberOfPieces": 1, "kilosPerPiece": 15}]                         |
        | [{"type": "CHECK_IN", "kilosPerPiece": 15}]                          |
        | [{"type": "CHECK_IN", "numberOfPieces": 1}]                          |
        | [{"type": "HOLD", "numberOfPieces": 1, "kilosPerPiece": 15}]         |
        | [{"type": "CHECK_IN", "numberOfPieces": "one", "kilosPerPiece": 15}] |
        | [{"type": "CHECK_IN", "numberOfPieces": 1, "kilosPerPiece": "many"}] |

  @V4-ORDER-BAGGAGE-PER-PASSENGER @both
  Rule: Every passenger has one item of selected baggage
    Source: v4, POST /order

    Scenario: The item of a passenger is left out
      Given an order request for 2 adults, 0 children and 0 infants that the service accepts
      When it is sent without selectedBaggage[1]
      Then it is refused

    Scenario: An item is for a passenger who is not there
      Given an order request for 2 adults, 0 children and 0 infants that the service accepts
      When it is sent with selectedBaggage[1].passengerNumber set to 99
      Then it is refused

  @V4-ORDER-PAYMENT-METHOD @both
  Rule: An order is paid by exactly one of card and balance
    Source: v4, POST /order

    Scenario Outline: The payment method <value> is not exactly one
      Given an order request that the service accepts
      When it is sent with paymentMethod set to <value>
      Then it is refused

      Examples:
        | value                           |
        | {}                              |
        | {"card": true, "balance": true} |
        | {"card": false}                 |
        | null                            |

    Scenario Outline: The payment method is <value>
      Given an order request that the service accepts
      When it is sent with paymentMethod set to <value>
      Then it is refused as Bad Request

      Examples:
        | value            |
        | {"card": "visa"} |
        | {"balance": 100} |
        | []               |

  @V4-ORDER-FARE-OF-OFFER @both
  Rule: The fare of an order is a fare of its offer
    Source: v4, POST /order

    @unseen
    Scenario: The fare does not exist
      Given an order request that the service accepts
      When it is sent with an unknown fare
      Then it is refused
      And the status is observed as OPEN-50

    Scenario: The fare belongs to another offer
      Given an order request that the service accepts
      When it is sent with the fare of another offer
      Then it is refused
      And the status is observed as OPEN-50

  @V4-ORDER-UNKNOWN-OFFER
  Rule: An order from an offer that does not exist is Not Found
    Source: v4, Errors

    Scenario: The offer does not exist
      Given an order request that the service accepts
      When it is sent with an unknown offer
      Then it is refused as Not Found

  @V4-ORDER-EXPIRED-OFFER @both
  Rule: An order from an expired offer fails
    Its status is not described (OPEN-06).
    Source: v4, States and transitions; v4, POST /order; v4, Errors / Exceptions

    @ages
    Scenario: An order is created more than 30 minutes after Get Offer
      Given an offer stored more than 30 minutes ago
      When an order is created from it
      Then it is refused
      And the status is observed as OPEN-06

    @ages
    Scenario: An order that was created in time is confirmed after its offer expired
      Given an order created in time from an offer stored more than 30 minutes ago
      When it is confirmed by card
      Then no error of the service is answered
      And the status is observed as OPEN-27

  @V4-ORDER-PASSENGER-NUMBERS @client
  Rule: Passengers are numbered one after the other
    The first may be 0 or 1 (OPEN-66).
    Source: v4, POST /order / Order passenger object

    Scenario Outline: The numbers of two passengers are <first> and <second>
      Given a documented exchange of createOrder for 2 adults, 0 children and 0 infants
      When its client numbers the passengers <first> and <second>
      Then the traffic check <judgement>

      Examples:
        | first | second | judgement       |
        | 1     | 2      | finds nothing   |
        | 0     | 1      | finds nothing   |
        | 1     | 3      | names this rule |
        | 1     | 1      | names this rule |

  @V4-ORDER-PASSENGER-COUNT @client
  Rule: An order has the passengers that its offer was made for
    Source: v4, POST /order; v4, POST /offer

    Scenario: A passenger more than the offer was made for
      Given a documented journey
      When its client orders a passenger more
      Then the traffic check names this rule

  @V4-ORDER-INFANT-AGE @client
  Rule: An infant is under two years old
    Source: v4, Resources and their fields / Enumerations

    Scenario Outline: An infant was born <years> years before its flight
      Given a documented exchange of createOrder for 1 adult, 0 children and 1 infant
      When its infant was born <years> years before the request
      Then the traffic check <judgement>

      Examples:
        | years | judgement       |
        | 1     | finds nothing   |
        | 4     | names this rule |

  @V4-ORDER-BAGGAGE-MAXIMUM @client
  Rule: No more baggage is selected than was offered
    A deviation warns (OPEN-65).
    Source: v4, Resources and their fields / Baggage option (Get Baggage)

    Scenario: More pieces than offered are selected
      Given a documented journey
      When its client selects more pieces than offered
      Then the traffic check names this rule

  @V4-ORDER-IDENTIFICATION-OPTION @client
  Rule: A passenger is identified by one of the types that the offer lists
    A deviation warns (OPEN-68).
    Source: v4, Resources and their fields / Offer

    Scenario: A type that the offer does not list is sent
      Given a documented journey
      When its client identifies a passenger by a type that was not listed
      Then the traffic check names this rule
