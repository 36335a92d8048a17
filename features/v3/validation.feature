@v3 @long
Feature: Validation of requests in v3
  Every member of a request is sent with each wrong value that the documents rule out, one value a request.

  @V3-BAD-REQUEST
  Rule: The service rejects a v3 request that does not match the documented signature with 400 Bad Request
    A wrong value that the service accepts counts against the rule of its member. The status of any other violation
    than a missing or ill-typed member is open (OPEN-29).
    Source: v3, Errors
    "400: Bad Request, payload does not match the request signature"

    Scenario Outline: Every member of <request> in v3 is validated
      When the client sends <request> in v3 with each value that the documents exclude
      Then the service rejects each value that the documents exclude

      Examples:
        | request                   |
        | a flight search           |
        | a round-trip fare search  |
        | a booking request         |
        | a booking                 |
