@v4
Feature: Errors
  A v4 error is a JSON object with statusCode, error and message.

  @V4-ERROR-BODY
  Rule: An error carries statusCode, error and message
    Source: v4, Errors

    Scenario Outline: The body of a refusal as <reason>
      When a request is refused as <reason>
      Then the service keeps this rule

      Examples:
        | reason       |
        | Bad Request  |
        | Unauthorized |
        | Not Found    |

  @V4-ERROR-STATUS-CODE
  Rule: The statusCode of an error is its HTTP status
    Source: v4, Errors

    Scenario Outline: The statusCode of a refusal as <reason>
      When a request is refused as <reason>
      Then the service keeps this rule

      Examples:
        | reason       |
        | Bad Request  |
        | Unauthorized |
        | Not Found    |

  @V4-ERROR-TEXT
  Rule: The error text is the text of the HTTP status
    Source: v4, Errors

    Scenario Outline: The error text of a refusal as <reason>
      When a request is refused as <reason>
      Then the service keeps this rule

      Examples:
        | reason       |
        | Bad Request  |
        | Unauthorized |
        | Not Found    |
