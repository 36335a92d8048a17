@v4
Feature: Errors
  A v4 error is a JSON object with statusCode, error and message.

  @V4-ERROR-BODY
  Rule: An error contains statusCode, error and message
    Source: v4, Errors
    "Current v4 error payload: JSON object with statusCode (integer), error (HTTP status text) and message (string)."

    Scenario: Bodies of every error
      Then the error has a statusCode, an error text and a message

  @V4-ERROR-STATUS-CODE
  Rule: The statusCode of an error is its HTTP status
    Source: v4, Errors
    "Current v4 error payload: JSON object with statusCode (integer), error (HTTP status text)"

    Scenario: Status codes of every error
      Then the statusCode of the error is the HTTP status code

  @V4-ERROR-TEXT
  Rule: The error text is the reason phrase of the HTTP status
    Source: v4, Errors
    "Current v4 error payload: JSON object with statusCode (integer), error (HTTP status text)"

    Scenario: Texts of every error
      Then the error text is the reason phrase of the status code
