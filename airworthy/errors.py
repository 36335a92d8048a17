"""The mistakes that a user can make, each shown as one clear line.

::

    AirworthyError          anything that ends a command with one line and no traceback
     +-- UsageError         exit code 2: an option, a profile or a file has to be changed
     +-- TargetError        exit code 3: the target could not be examined (down, not TLS, refuses the key)
"""


class AirworthyError(Exception):
    """Ends a command with one line and no traceback.

    The message names what to change (file, key, value) and never holds a secret.
    """

    exit_code = 4


class UsageError(AirworthyError):
    """The user has to change an option, a profile or a file."""

    exit_code = 2


class TargetError(AirworthyError):
    """The target could not be examined; nothing can be said about its conformance."""

    exit_code = 3
