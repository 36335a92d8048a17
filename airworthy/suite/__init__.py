"""The suite's pytest side: what the steps in ``tests/conformance`` stand on.

Outcomes (`airworthy.suite.outcomes`): ``Untested(reason)``, ``NotApplicable(reason)``, ``Warn(message)``,
``Broken``, ``expect(condition, message, expected=, actual=, pointer=, side=, exchange=)``,
``with prerequisite(reason, rule=ID, exchange=): …``.

Fixtures of the session (`airworthy.suite.plugin`):

=================  ===================================================================================================
``profile``        the target's `airworthy.target.profile.Profile`
``client``         `airworthy.target.client.Client` of the organisation: ``client.send("POST", "/v4/search", json=…)``;
                   for v3 and v2 with ``key=profile.organisation.v3.authorization("GET")``
``second_client``  the same for the second organisation (`Untested` where the profile has none)
``provider``       client of the payment provider, with its token (None where the profile has none)
``contract``       `airworthy.contract.Contract`; every exchange of a client has already been judged by it
``clock``          `airworthy.target.clock.TargetClock`: ``now()``, ``movable``, ``advance(seconds)``, ``generation``
``things_to_age``  override it: `airworthy.target.ageing.AgedItem` by the text of the step that asks for it, made by
                   ``airworthy.suite.ages.BY_STEP[step].thing(start, profile.lifetimes)``
``ageing``         ``ageing.aged(step)``: such a thing at its age; its scenarios are tagged ``@ages``
=================  ===================================================================================================

Fixtures of one scenario:

===========================  =========================================================================================
``observe``                  ``observe("OPEN-07", "status of a duplicate confirmation", 409, exchange)``
``warn``                     ``warn(message, exchange)``: a soft check did not hold; the scenario goes on
``expects_request_finding``  ``expects_request_finding("V4-SEARCH-INFANTS", …)``: sent wrong on purpose
``scenario_capture``         `airworthy.suite.capture.Capture`: exchanges and findings of the scenario so far
===========================  =========================================================================================
"""
