"""Judge live traffic in a separate process, so that a slow or failing check never delays or breaks the traffic.

::

    mitmproxy's process                             the judge process
    addons -> raw_exchange -> JudgeProcess  =pipe=>  judge_worker -> TrafficJudge -> TrafficMonitor
           <- results, tallies              <=pipe=

The addons are in ``proxy_addons/``. An exchange that cannot be judged is counted with the reason.
"""
