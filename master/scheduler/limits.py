"""The scheduler's named limits, each with the reason for its size, and its options."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from master.contract.commands import Command
from master.contract.events import Event

Log: TypeAlias = Callable[[float, Sequence[Event], Sequence[Command]], None]
"""Called at every turn with its time, the events, and the commands."""

AnswerFault: TypeAlias = Callable[[str, str], str]
"""Takes a question and an answer; see engine_ext.validation.answer_fault."""

TICK_INTERVAL_S = 0.25
"""Lateness, stalls and paces are checked this often while parts are out."""

TICK_QUESTIONS_S = 0.05
"""And this often while a user waits for answers: twenty times a second."""

TICK_ANALYSER_S = 0.00025
"""But for each analyser so much later: a tick goes through all of them."""

# Parts and windows.
PART_TARGET_S = 1.0
"""A part lasts about this long: a result arrives about every second."""

PART_TRIALS_MAX = 4096
"""Trials in a part: few are repeated after a crash."""

WINDOW_MAX = 64
"""Parts outstanding at one analyser, or two a worker if that is more."""

WINDOW_OUTSTANDING_MAX = 4096
"""The protocol's limit of parts outstanding at one analyser."""

PREFETCH_S = 2.0
"""Of longer parts only one waits at an analyser, not one for each worker."""

LATENCY_MAX_S = 1.0
"""A longer delay is not the line's: it must not blow the window up."""

TAIL_SHARE = 0.5
"""A part takes at most this share of its worker's share of the trials left."""

TAIL_FACTOR = 2.0
"""In the tail, an analyser gets no part if it would need this many times the time of all."""

# Pace: the observed rate of an analyser in a job.
PACE_MEMORY_S = 10.0
"""Older observations count less than a half."""

PACE_FIRST_S = 0.02
"""The first rate is taken after this: short jobs must not end before."""

# Fold lead: only seq < folded + lead is handed out.
LEAD_S = 8.0
"""Lead in seconds of the fleet's rate: several parts, and a late head's replacement."""

LEAD_TRIALS_MIN = 256
"""Before rates are known."""

LEAD_CAPACITIES = 2
"""And at least twice the trials that all windows hold: they can always be filled."""

LEAD_TRIALS_MAX = 65536
"""Bounds the results held in memory (a few hundred bytes each)."""

LEAD_FEED_SHARE = 0.125
"""A held-up fleet is fed when this share of the lead is free again."""

# Lateness: the part that holds the others up is handed to an idle analyser as well.
LATE_FACTOR = 2.0
"""Late: this many times the expected time..."""

LATE_SLACK_S = 1.0
"""... and this much more."""

LATE_UNKNOWN_S = 10.0
"""Late, when no rate is known yet."""

TWINS_MAX = 2
"""Attempts of one part at work at a time."""

HEDGES_PER_TICK_MAX = 256
"""Bounds the work of one tick."""

# Questions: each is a part by itself and timed by itself.
QUESTIONS_REMEMBERED = 64
"""A rate is a mean over about this many: their costs differ widely."""

QUESTION_QUEUE_S = 0.1
"""Short ones wait this long at an analyser: a line's delay is hidden."""

QUESTION_S_MIN = 1e-6
"""Keeps rates finite where many answers arrive together."""

POWER_QUESTION_S_MIN = 5e-3
"""Shorter ones are mostly waiting, and say little of an engine's power."""

POWER_SEEN_S_MIN = 0.05
"""Of answers, before they say how fast an engine is in other work."""

REASSIGN_FACTOR = 1.1
"""An idle worker takes over questions that would be answered later by more than this factor."""

EVERYBODY_MAX = 40
"""Events compare all analysers of a fleet of up to forty; larger ones are compared at times."""

OUTSTANDING_AT_ONCE_MAX = 64
"""Of more questions the last is searched at ticks only."""

KINDS_MAX = 16
"""Classes of work whose paces are kept between jobs: 200 kB each, of a thousand."""

RATES_MAX = 4096
"""(analyser, class of work) whose rate is remembered: a fleet of forty, often."""

RATE_AGE_S_MAX = 600.0
"""An older rate may be that of a machine that was busy then."""

RATE_WEIGHT = 8.0
"""Of a remembered rate, in questions: a few new ones outweigh it."""

# Stalls: a part whose step counter stands still is taken for hung.
STALL_FACTOR = 2.0
"""Times the expected time of a trial..."""

STALL_S_MIN = 6.0
"""... but at least six of the analyser's progress lines."""

STALL_S_MAX = 60.0
"""... and at most a minute."""

# Poison: trials that analysers die of, or fail at.
DEATHS_MAX = 3
"""Losses at one trial until it is repeated here, which decides; alone after the first."""

DEATH_PAUSE_S = 0.5
"""A trial rests so long after a loss, and losses within it are one: when a network fails, a
thousand connections are dead before the first of their ends is read."""

UNJUDGED_DEATHS_MAX = 16
"""Losses at one trial until its job fails where it cannot be repeated: machines that come and go
are lost a few times in the time of a trial, and each loss of a poisoned one costs a machine."""

JUDGED_MAX = 64
"""Trials that wait to be repeated here, in all; the others go back to the analysers."""

REFUSALS_MAX = 2
"""Analysers that call a context bad until it is tried here: one may be mistaken."""

CONFIRM_WAIT_S = 3.0
"""Without a sign of life, of which one a second is due: no user waits longer."""

HALT_WAIT_S = 5.0
"""A halted job waits this long for the last results of its parts."""


@dataclass(frozen=True, slots=True)
class SchedulerOptions:
    """Fixed sizes instead of adapted ones, as the network bench uses them.

    Args:
        window: parts outstanding at each analyser; None: adapted, 1 to WINDOW_MAX.
        part_trials: trials in each part; None: adapted to the observed rate.
        log: called at every turn with its time, the events, and the commands; None: no log.
        answer_fault: returns why a question cannot have an answer, empty if it can; depends on
            both texts alone.  None: any text will do.
    """

    window: int | None = None
    part_trials: int | None = None
    log: Log | None = None
    answer_fault: AnswerFault | None = None
