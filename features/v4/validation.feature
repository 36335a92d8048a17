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
      Given <request> that the service accepts, as the pattern of wrong requests
      When the client sends the pattern with each wrong value of each member
      Then the service rejects every wrong value

      Examples:
        | request                     |
        | a one-way search            |
        | a round-trip search         |
        | a one-way offer request     |
        | a round-trip offer request  |
        | an order of two passengers  |
        | a confirmation              |
