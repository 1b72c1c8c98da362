"""The pure scheduler: events and time in, commands out."""

from master.scheduler.limits import SchedulerOptions
from master.scheduler.scheduler import Scheduler
from master.scheduler.standings import AnalyserStanding, JobStanding

__all__ = ["AnalyserStanding", "JobStanding", "Scheduler", "SchedulerOptions"]
