"""The life cycles of the resources as the documents describe them, and the steps that traffic takes in them."""

from airworthy.contract.life_cycles.life_cycle import LifeCycle, Transition
from airworthy.contract.life_cycles.observed import Step, refusing_state, state_of_request, steps
from airworthy.contract.life_cycles.table import LIFE_CYCLES

__all__ = ["LIFE_CYCLES", "LifeCycle", "Step", "Transition", "refusing_state", "state_of_request", "steps"]
