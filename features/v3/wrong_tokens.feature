@v2 @v3
Feature: Wrong tokens in every form
  The documents show the token with and without the scheme Bearer.

  @V23-AUTH-WRONG-KEY-FORMS
  Rule: A wrong token fails with and without the scheme Bearer
    Which form a service accepts is open, and so is the status code of the other (OPEN-18).
    Source: v3, Authentication, items 1 and 2
    "Requests without authentication fail; … a wrong key gives 401."

    Scenario Outline: <operation> of <interface> with a wrong token in both forms
      Given a request of <operation> in <interface> that the service accepts
      When the client sends it with a wrong token in both forms
      Then the service accepts neither

      Examples:
        | interface | operation        |
        | v2        | searchFlightsV2  |
        | v2        | createRequestsV2 |
        | v3        | searchFlights    |
        | v3        | createRequests   |
        | v3        | getBookings      |
