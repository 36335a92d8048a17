"""The pytest plugin of the suite: what the steps in ``tests/conformance`` use.

Outcomes (`airworthy.suite.outcomes`): ``Untested(reason)``, ``NotApplicable(reason)``, ``SoftCheckFailed(message)``,
``ExpectationError``, ``expect(condition, message, expected=, actual=, pointer=, side=, exchange=)``,
``with prerequisite(reason, rule=ID, exchange=): …``.

Session fixtures (`airworthy.suite.plugin`):

=================  ===================================================================================================
``profile``        the target's `airworthy.target.profile.Profile`
``client``         `airworthy.target.client.Client` of the organisation: ``client.send("POST", "/v4/search", json=…)``;
                   for v3 and v2 with ``key=profile.organisation.v3.authorization("GET")``
``second_client``  the client of the second organisation; raises `Untested` if the profile has none
``provider``       client of the payment provider, with its token; None if the profile has none
``contract``       `airworthy.contract.Contract`, which has already judged every exchange of the clients
``clock``          `airworthy.target.clock.TargetClock`: ``now()``, ``movable``, ``advance(seconds)``, ``generation``
``aged_items``     to be overridden: an `airworthy.target.ageing.AgedItem` for the text of each step that needs one,
                   created by ``airworthy.suite.ages.item(step, start, profile.lifetimes)``
``ageing``         ``ageing.aged(step)`` returns such an item at its age, in scenarios tagged ``@ages``
=================  ===================================================================================================

Scenario fixtures:

===========================  =========================================================================================
``observe``                  ``observe("OPEN-07", "status of a duplicate confirmation", 409, exchange)``
``warn``                     ``warn(message, exchange)``: a soft check failed; the scenario continues
``expects_request_finding``  ``expects_request_finding("V4-SEARCH-INFANTS", …)``: requests violate this rule on purpose
``scenario_capture``         `airworthy.suite.capture.Capture`: exchanges and findings of the scenario so far
===========================  =========================================================================================
"""
