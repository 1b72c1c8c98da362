"""The pure scheduler: events and time in, commands out."""

from master.scheduler.limits import SchedulerOptions
from master.scheduler.scheduler import Scheduler
from master.scheduler.views import AnalyserView, JobView

__all__ = ["AnalyserView", "JobView", "Scheduler", "SchedulerOptions"]
