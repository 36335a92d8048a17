"""Spares Python's collector of cycles what it would look through in vain, for each few exchanges again."""

import gc


def spare_the_collector(young: int) -> None:
    """Keep out of the collector's sight what is there now, and let it look once for each ``young`` objects more.

    What a process has loaded stays for ever; and the thousands of objects of a body, or of some flows, are gone again
    by themselves before it would pay to look for cycles among them.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(young)
