@v4 @long
Feature: Validation of requests
  Every member of a request is sent with each wrong value that the documents rule out, one value a request.

  @V4-BAD-REQUEST
  Rule: The service rejects a request that does not match the documented schema with 400 Bad Request
    A wrong value that the service accepts counts against the rule of its member. Where a condition between members
    is violated, or the documents leave the status open (OPEN-51), any 4xx status code will do.
    Source: v4, Errors
    "400: Bad Request, payload does not match the expected schema"

    Scenario Outline: Every member of <request> is validated
      When the client sends <request> with each value that the documents exclude
      Then the service rejects each value that the documents exclude

      Examples:
        | request                     |
        | a one-way search            |
        | a round-trip search         |
        | a one-way offer request     |
        | a round-trip offer request  |
        | an order for a family       |
        | a confirmation              |

  @V4-DOCUMENTED-VALUES
  Rule: The service accepts every documented value of a member, and requests without their optional members
    A value that the service rejects counts against the rule of its member. What the documents leave open, such as the
    largest sum of passengers (OPEN-55), is not sent.
    Source: v4, POST /search
    "travelClass: string, optional, default ECONOMY"

    Scenario Outline: Every documented value of <request> is accepted
      When the client sends <request> with each value that the documents allow
      Then the service accepts each value that the documents allow

      Examples:
        | request                     |
        | a one-way search            |
        | a one-way offer request     |
        | a round-trip offer request  |
