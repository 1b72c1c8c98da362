"""The pure scheduler: events and time in, commands out."""

from master.scheduler.limits import SchedulerOptions
from master.scheduler.scheduler import AnalyserStatus, JobStatus, Scheduler

__all__ = ["AnalyserStatus", "JobStatus", "Scheduler", "SchedulerOptions"]
