"""The store: jobs, trial results, fold snapshots and answers, durable in one SQLite file."""

from master.store.answers import AnswerRow
from master.store.errors import DamagedError, JobBusyError, StoreError, UnknownJobError
from master.store.lock import JobLock
from master.store.records import Goal, JobEnd, JobRecord, NewJob, RunsIn
from master.store.store import JOB_MAX, Store
from master.store.writer import GroupWriter, Ticket

__all__ = [
    "JOB_MAX",
    "AnswerRow",
    "DamagedError",
    "Goal",
    "GroupWriter",
    "JobBusyError",
    "JobEnd",
    "JobLock",
    "JobRecord",
    "NewJob",
    "RunsIn",
    "Store",
    "StoreError",
    "Ticket",
    "UnknownJobError",
]
