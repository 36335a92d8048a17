"""The documented service in test mode, on the local machine.

::

    with SandboxServer() as sandbox:
        requests.get(sandbox.base_url, verify=sandbox.ca_bundle)
"""

from airworthy.sandbox.app import SandboxSettings, create_app
from airworthy.sandbox.dialects.named import Dialect, dialect
from airworthy.sandbox.faults import Fault, faults
from airworthy.sandbox.server import SandboxServer

__all__ = ["Dialect", "Fault", "SandboxServer", "SandboxSettings", "create_app", "dialect", "faults"]
