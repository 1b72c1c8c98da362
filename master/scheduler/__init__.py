"""The pure scheduler: events and time in, commands out."""

from master.scheduler.limits import SchedulerOptions
from master.scheduler.scheduler import Scheduler
from master.scheduler.statuses import AnalyserStatus, JobStatus

__all__ = ["AnalyserStatus", "JobStatus", "Scheduler", "SchedulerOptions"]
