"""Parallel search of game trees: parts for analysers, and proved bounds.  Pure."""

from master.search.limits import Costs
from master.search.scheduler import SearchScheduler
from master.search.state import SearchSpec
from master.search.strategies import STRATEGIES, Strategy

__all__ = ["STRATEGIES", "Costs", "SearchScheduler", "SearchSpec", "Strategy"]
