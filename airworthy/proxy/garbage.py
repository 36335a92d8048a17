"""Tune Python's garbage collector for a process that creates many short-lived objects."""

import gc


def relax_garbage_collector(threshold: int) -> None:
    """Exclude all existing objects from garbage collection, and collect once per ``threshold`` new objects.

    Loaded modules live as long as the process, and reference counting frees the objects of a parsed body or of a flow
    without the collector, so the default threshold of 700 objects would only cost time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(threshold)
