"""Where the legs of a journey, in whatever order they are listed, cannot follow one another."""

from collections.abc import Iterator, Sequence

Leg = tuple[str, str]
"""The airports where a leg departs and arrives, an empty string for one that is not known."""


def forks(legs: Sequence[Leg]) -> Iterator[tuple[int, str, str]]:
    """Yield the legs that leave where another one began the journey, or arrive where another one ended it.

    Each with the end of the leg, and with what the two legs do. A transfer may be to another airport, and a leg may be
    listed twice.
    """
    if len(legs) > 1:
        departures, arrivals = zip(*legs, strict=True)
        for end, these, those, what in (
            ("origin", departures, arrivals, "depart from an airport at which none arrives"),
            ("destination", arrivals, departures, "arrive at an airport from which none departs"),
        ):
            connected, first = {*those, ""}, dict[str, Leg]()
            for index, (airport, leg) in enumerate(zip(these, legs, strict=True)):
                if first.setdefault(airport, leg) != leg and airport not in connected:
                    yield index, end, what
