"""Parallel search of game trees: who searches what, and what it proves.  Pure."""

from master.search.limits import Costs
from master.search.scheduler import SearchScheduler
from master.search.state import SearchSpec
from master.search.strategies import STRATEGIES, Strategy

__all__ = ["STRATEGIES", "Costs", "SearchScheduler", "SearchSpec", "Strategy"]
