"""The suite's pytest side: what the steps in ``tests/conformance`` stand on.

Outcomes (`airworthy.suite.outcomes`): ``Untested(reason, cause)``, ``NotApplicable(reason)``, ``Warn(message)``,
``Broken``, ``expect(condition, message, expected=, actual=, pointer=, exchange=)``,
``with prerequisite(reason, rule=ID): …``.

Fixtures of the session (`airworthy.suite.plugin`):

==================  ==================================================================================================
``profile``         the target's `airworthy.target.profile.Profile`
``client``          `airworthy.target.client.Client` of the organisation: ``client.send("POST", "/v4/search", json=…)``
``second_client``   the same for the second organisation (`Untested` where the profile has none)
``provider``        client of the payment provider, with its token (`Untested` where the profile has none)
``contract``        `airworthy.contract.Contract`; every exchange of a client has already been judged by it
``journey``         the `Journey` over all exchanges of the session
``clock``           `airworthy.target.clock.Clock`: ``now()``, ``movable``, ``advance(seconds)``, ``generation``
``ageing``          ``ageing.aged(name)``: a thing of ``things_to_age``, once it is due
``things_to_age``   override it: a mapping of name to `airworthy.target.ageing.Thing`
``shared``          ``shared(name, make, lasts=seconds)``: made once, again when the clock has left it behind
``ledger``          `airworthy.target.ledger.Ledger`; it writes orders and bookings by itself
==================  ==================================================================================================

Fixtures of one scenario:

============================  ========================================================================================
``observe``                   ``observe("OPEN-07", "status of a duplicate confirmation", 409, exchange=…)``
``warn``                      ``warn(message, exchange=…)``: a soft check did not hold; the scenario goes on
``expects_request_finding``   ``expects_request_finding("V4-SEARCH-INFANTS", …)``: sent wrong on purpose
``scenario_capture``          exchanges and findings of the scenario so far
============================  ========================================================================================

Tags: ``@ages-NAME`` (needs ``ageing.aged("NAME")``), ``@books`` (makes orders or bookings).
"""
