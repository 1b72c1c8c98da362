"""What each batch system is told, in its own words."""

import re

import pytest

from master.fleets.batch.batch_systems import SYSTEMS, WALLTIME, WALLTIME_PATTERN, option_lines


def test_options_of_the_user_are_the_last_ones_and_so_they_count() -> None:
    assert option_lines("sge", "-P dice; -l h_vmem=1G\n;").splitlines() == [
        "#$ -r y",
        "#$ -notify",
        "#$ -o /dev/null",
        "#$ -e /dev/null",
        "#$ -P dice",
        "#$ -l h_vmem=1G",
    ]
    assert option_lines("pbs", "-A dice").endswith("#PBS -e /dev/null\n#PBS -A dice")
    assert option_lines("condor", 'accounting_group = "dice"').endswith(
        'log = /dev/null\naccounting_group = "dice"'
    )


@pytest.mark.parametrize("kind", SYSTEMS)
def test_job_may_be_restarted_and_prints_nowhere(kind: str) -> None:
    lines = option_lines(kind, "")
    assert "/dev/null" in lines
    assert re.search(r"-r\b", lines) or kind == "condor", "HTCondor restarts jobs unasked"


@pytest.mark.parametrize(
    ("kind", "said", "name"),
    [
        ("pbs", "Server: pbs1\n    server_state = Active\n    server_host = pbs1.x\n", "pbs1"),
        ("lsf", "IBM Spectrum LSF 10.1\nMy cluster name is c\nMy master name is m1\n", "m1"),
        ("sge", "head.example\n", "head.example"),
        ("condor", "cm.example:9618?sock=collector, cm2.example\n", "cm.example"),
    ],
)
def test_machine_that_rules_is_found(kind: str, said: str, name: str) -> None:
    found = re.search(SYSTEMS[kind].server_pattern, said, re.MULTILINE)
    assert found is not None
    assert found[1] == name


def test_wall_time_is_one() -> None:
    assert WALLTIME_PATTERN.fullmatch(WALLTIME)
    assert not WALLTIME_PATTERN.fullmatch("12h")
