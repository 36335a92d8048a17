"""Settings of all unit tests."""

from hypothesis import settings

# No test depends on the speed of the machine.
settings.register_profile("without deadline", deadline=None)
settings.load_profile("without deadline")
