@v4
Feature: Transport
  The service is a REST interface with JSON bodies and standard HTTP status codes, reached by HTTPS only.

  @V4-HTTPS-ONLY @both
  Rule: Nothing is asked or delivered over plain HTTP
    Source: v4, What the service does; v4, Authentication, item 2

    Scenario: A documented request is sent over plain HTTP
      Given a search that the service answers
      When the same search is sent over plain HTTP
      Then nothing is delivered
      And the way of the refusal is observed as OPEN-33

    Scenario: A client sends its key over plain HTTP
      Given a documented exchange of getOrder
      When its client sends it over plain HTTP
      Then the traffic check names this rule

  @V4-JSON-ANSWERS
  Rule: Answers are JSON
    Source: v4, Resources and their fields / Conventions

    Scenario: Every operation is used once
      When a trip is searched, offered, ordered, booked and read
      Then the service keeps this rule

  @V4-SUCCESS-STATUS
  Rule: Success is answered with 200
    Source: v4, Endpoints

    Scenario: Every operation is used once, with success
      When a trip is searched, offered, ordered, booked and read
      Then the service keeps this rule

  @V4-NO-SERVER-FAULT
  Rule: A client's mistake is never answered as an error of the service
    Source: v4, Errors

    Scenario Outline: A malformed identifier is sent to <operation>
      When <operation> is asked with the identifier "not-a-uuid"
      Then no error of the service is answered
      And the status is observed as OPEN-49

      Examples:
        | operation           |
        | getFares            |
        | getBaggage          |
        | getOrder            |
        | confirmOrder        |
        | getReservation      |
        | findReservation     |
        | createOrder         |

    Scenario Outline: A body that is no JSON object is sent to <operation>
      Given <a request> that the service answers
      When its body is replaced by <body>
      Then it is refused as Bad Request

      Examples:
        | operation    | a request         | body        |
        | searchOffers | a search          | {"adults":  |
        | searchOffers | a search          | []          |
        | getOffer     | an offer request  | {"adults":  |
        | getOffer     | an offer request  | []          |
        | createOrder  | an order request  | {"a":       |
        | createOrder  | an order request  | []          |

  @V4-REMOVED-VERSIONS
  Rule: The removed versions 1.0 and 1.1 serve nothing
    Source: v4, Versioning, item 1

    Scenario Outline: A search is sent to version <version>
      When a search is sent to the removed version <version>
      Then nothing is delivered
      And the status is observed as OPEN-102

      Examples:
        | version |
        | v1      |
        | v1.0    |
        | v1.1    |

  @V4-CONTENT-TYPE @client
  Rule: A POST declares its body as JSON
    Source: v4, Resources and their fields / Conventions

    Scenario Outline: A <operation> request declares <content type>
      Given a documented exchange of <operation>
      When its client sends the header Content-Type as "<content type>"
      Then the traffic check <judgement>

      Examples:
        | operation    | content type                      | judgement       |
        | searchOffers | application/json                  | finds nothing   |
        | searchOffers | application/json; charset=utf-8   | finds nothing   |
        | searchOffers | text/plain                        | names this rule |
        | createOrder  | application/x-www-form-urlencoded | names this rule |
        | confirmOrder |                                   | names this rule |

  @V4-ACCEPT @client
  Rule: A request accepts JSON
    Source: v4, Resources and their fields / Conventions

    Scenario Outline: A <operation> request accepts <accept>
      Given a documented exchange of <operation>
      When its client sends the header Accept as "<accept>"
      Then the traffic check <judgement>

      Examples:
        | operation    | accept           | judgement       |
        | searchOffers | application/json | finds nothing   |
        | getOrder     | */*              | finds nothing   |
        | getOrder     | text/html        | names this rule |

  @V4-OPERATIONS @client
  Rule: Only the documented operations are called
    Source: v4, Versioning, item 6

    Scenario Outline: A client calls <method> <path>
      Given a documented exchange of searchOffers
      When its client calls <method> <path> instead
      Then the traffic check names this rule

      Examples:
        | method | path           |
        | GET    | /v4/search     |
        | DELETE | /v4/order/9f1c |
        | POST   | /v4/payments   |

  @V4-CURRENT-REVISION @both
  Rule: Traffic speaks the current revision of v4
    An answer that has a field of an earlier revision besides all that it has to have only warns (OPEN-46).
    Source: v4, Resources and their fields / Enumerations; v4, Errors; v4, States and transitions

    Scenario: The service answers in the words of the current revision
      When a trip is searched, offered, ordered, booked and read
      Then the service shows no name or value of an earlier revision or of another version

    Scenario Outline: A request is refused as <reason> in the words of the current revision
      When a request is refused as <reason>
      Then the service shows no name or value of an earlier revision or of another version

      Examples:
        | reason       |
        | Bad Request  |
        | Unauthorized |
        | Not Found    |

    Scenario Outline: A client sends <field> of an earlier revision
      Given a documented exchange of <operation>
      When its client sends <field> as <value>
      Then the traffic check names this rule

      Examples:
        | operation    | field                                        | value           |
        | createOrder  | passengers[0].type                           | "ADULT"         |
        | createOrder  | paymentMethod                                | {"cash": true}  |
        | getOffer     | isResidentDiscountEligible                   | false           |
        | createOrder  | selectedBaggage[0].itineraryBaggageSelection | []              |
        | createOrder  | selectedBaggage[0].selectedSeats             | []              |
        | createOrder  | passengers[0].is_infant                      | false           |

    Scenario Outline: A service answers <field> of an earlier revision
      Given a documented exchange of <operation>
      When its service answers <field> as <value>
      Then the traffic check names this rule

      Examples:
        | operation    | field                                  | value            |
        | confirmOrder | status                                 | "CONFIRMING"     |
        | getOffer     | connectivityStandard                   | "NDC"            |
        | getOffer     | validatingCarrier                      | "IB"             |
        | getOffer     | cheapestFare.hasPriorityBoardingIncluded | false          |
        | getOffer     | cheapestFare.hasFastTrackIncluded      | false            |
        | getOffer     | cheapestFare.hasFreeSeatsAvailable     | true             |
        | getBaggage   | fareBaggageOptions[0].itineraryOptions | []               |

  @V4-UNKNOWN-FIELDS @both
  Rule: Traffic holds no field or value that the documents do not know
    An unknown field is tolerated (OPEN-46, OPEN-47): it is shown as drift and fails nobody.
    Source: v4, Resources and their fields

    Scenario: A service answers an unknown field
      Given a documented exchange of getOrder
      When its service answers loyaltyPoints as 12
      Then the traffic check names this rule

    Scenario: A client sends an unknown field
      Given a documented exchange of searchOffers
      When its client sends flexibleDates as true
      Then the traffic check names this rule

  @V4-EVENTS @excluded
  Rule: No events are pushed to the client
    Excluded: the document describes no push mechanism, and its absence cannot be observed from outside (OPEN-08).
    Source: v4, Events

  @V4-INTERNAL-ERROR @excluded
  Rule: An internal error carries a generic server-error payload
    Excluded: an internal error cannot be provoked, and its payload is not described (OPEN-41).
    Source: v4, Errors

  @V4-CREDENTIALS-ISSUED @excluded
  Rule: Credentials are issued by the operator on request, apart for test and production
    Excluded: an agreement between people; no interface shows it.
    Source: v4, What the service does; v4, Authentication, item 3
