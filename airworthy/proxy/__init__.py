"""Judges live traffic beside a proxy, in a process of its own that gets each exchange as it was on the wire.

::

    mitmproxy's process                         the judge's process
    hooks -> flows.wire_of -> process.Judge  =pipe=>  judge.main -> decoding -> traffic.TrafficMonitor
             <- verdicts, tallies            <=pipe=

The addons of ``proxy_addons/`` are mitmproxy's side of it. Nothing that happens in the judge's process can harm or hold
the traffic for longer than a bounded moment; what it cannot say anything about is counted as a gap.
"""
