"""Stand-ins for PBS, Torque, LSF and HTCondor, which Debian does not have.

Programs of the same names that start a submitted script as a process at once, answer in the formats
that these systems document, and end a job by the signals that they do.  What such a system makes of
it all, nobody has seen here.
"""

import os
import sys
from dataclasses import dataclass
from pathlib import Path

KINDS = ("pbs", "torque", "lsf", "condor")

NAMES = {
    "pbs": ("qsub", "qstat", "qdel"),
    "torque": ("qsub", "qstat", "qdel"),
    "lsf": ("bsub", "bjobs", "bkill", "lsid"),
    "condor": ("condor_submit", "condor_q", "condor_rm", "condor_config_val"),
}

_HEAD = """\
#!{python} -IS
import json, os, re, shlex, shutil, signal, subprocess, sys
from pathlib import Path

KIND, HOME = {kind!r}, Path({home!r})
PROGRAM, ARGV = Path(sys.argv[0]).name, sys.argv[1:]
"""

_BODY = '''
def state(job):
    """Return a letter: R runs, C is over, an empty one is not known."""
    found = HOME / number(job) / "process"
    if not found.exists():
        return ""
    try:
        words = Path(f"/proc/{found.read_text()}/stat").read_text().split()
        return "C" if words[2] in "ZX" else "R"
    except OSError:
        return "C"

def number(job):
    return re.match("[0-9]*", job)[0]

def start(argv, variable, options, script, cwd, more=()):
    (HOME / "count").open("a").write("x")
    own = str((HOME / "count").stat().st_size)
    folder = HOME / own
    folder.mkdir()
    (folder / "options").write_text("\\n".join(options))
    (folder / "script").write_text(script)
    name = own + (".server" if KIND in ("pbs", "torque") else "")
    environ = {"PATH": os.environ["PATH"], **dict(more)}
    environ |= {key: text.replace("$(Cluster)", own) for key, text in environ.items()}
    if variable:
        environ[variable] = name
    log = (folder / "log").open("wb")
    process = subprocess.Popen(
        argv, cwd=cwd or folder, env=environ, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
        start_new_session=True,
    )
    (folder / "process").write_text(str(process.pid))
    return name

def options_of(script, prefix):
    """Return the options of a script, which end where its commands begin."""
    found = []
    for line in script.splitlines():
        if line.startswith(prefix):
            found.append(line.removeprefix(prefix).strip())
        elif line.strip() and not line.startswith("#"):
            break
    return found

def refuse(code, text):
    print(text, file=sys.stderr)
    sys.exit(code)

def end(job, *signals):
    for each in signals:
        os.killpg(int((HOME / number(job) / "process").read_text()), each)

def qsub():
    script = Path(ARGV[-1]).read_text()
    queue = ARGV[ARGV.index("-q") + 1] if "-q" in ARGV else ""
    if queue == "gold":
        refuse(170, "qsub: Unknown queue")
    options = [*options_of(script, "#PBS "), f"-q {queue}"]
    print(start(["bash", ARGV[-1]], "PBS_JOBID", options, script, None))

def qstat():
    if ARGV[:2] == ["-B", "-f"]:
        print("Server: localhost\\n    server_state = Active\\n    server_host = localhost")
        return
    jobs = [word for word in ARGV if word[0].isdigit()]
    known = {job: state(job) for job in jobs}
    if KIND == "pbs":
        assert ARGV[:4] == ["-x", "-f", "-F", "json"], ARGV
        table = {job: {"Job_Name": "a", "job_state": word.replace("C", "F"), "server": "server"}
                 for job, word in known.items() if word}
        print(json.dumps({"timestamp": 0, "pbs_version": "23.06", "Jobs": table}))
    elif any(known.values()):
        print("Job ID                    Name             User            Time Use S Queue")
        print("------------------------- ---------------- --------------- -------- - -----")
        for job, word in known.items():
            if word:
                print(f"{job:25} {'a':16} {'root':15} 00:00:00 {word} batch")
    for job, word in known.items():
        if not word:
            print(f"qstat: Unknown Job Id {'Error ' * (KIND == 'torque')}{job}", file=sys.stderr)
    sys.exit(0 if all(known.values()) else 153)

def qdel():
    for job in ARGV:
        if state(job) != "R":
            refuse(153, f"qdel: Unknown Job Id {job}")
        end(job, signal.SIGTERM)

def bsub():
    script = sys.stdin.read()
    options = options_of(script, "#BSUB ")
    if "-q gold" in options:
        refuse(255, "gold: No such queue. Job not submitted.")
    own = start(["bash", "-c", script], "LSB_JOBID", options, script, os.getcwd())
    print(f"Job <{own}> is submitted to default queue <normal>.")

def bjobs():
    assert ARGV[:3] == ["-noheader", "-o", "jobid stat"], ARGV
    known = {job: state(job) for job in ARGV[3:]}
    for job, word in known.items():
        if word:
            print(job, {"R": "RUN", "C": "DONE"}[word])
        else:
            print(f"Job <{job}> is not found", file=sys.stderr)
    sys.exit(0 if all(known.values()) else 255)

def bkill():
    for job in ARGV:
        if state(job) != "R":
            refuse(255, f"Job <{job}>: No matching job found")
        end(job, signal.SIGINT)
        print(f"Job <{job}> is being terminated")

def lsid():
    print("IBM Spectrum LSF Standard 10.1\\nMy cluster name is c\\nMy master name is localhost")

def condor_submit():
    text = Path(ARGV[-1]).read_text()
    words = {key.strip(): value.strip() for key, _, value in
             (line.partition("=") for line in text.splitlines() if "=" in line)}
    environ = dict(re.findall(r"(\\w+)='([^']*)'", words["environment"]))
    here = HOME / f"scratch-{len(list(HOME.iterdir()))}"
    here.mkdir()
    for name in words["transfer_input_files"].split(","):
        shutil.copy(name, here)
    argv = [words["executable"], words["arguments"]]
    script = (here / words["arguments"]).read_text()
    own = start(argv, "", text.splitlines(), script, here, environ.items())
    print(f"Submitting job(s).\\n1 job(s) submitted to cluster {own}.")

def condor_q():
    for job in ARGV[:ARGV.index("-af:jr")]:
        if state(job) == "R":
            print(job, 2)

def condor_rm():
    jobs = [job for job in ARGV if job != "-forcex"]
    live = [job for job in jobs if state(job) == "R"]
    for job in live:
        if "-forcex" not in ARGV:
            end(job, signal.SIGTERM)
        print(f"Job {job} marked for removal")
    if live != jobs:
        refuse(1, "Couldn't find/remove all jobs matching constraint")

def condor_config_val():
    print("localhost:9618")

globals()[PROGRAM]()
'''


@dataclass(frozen=True)
class StandIns:
    """The programs of one system, and the jobs that they have."""

    kind: str
    folder: Path

    @property
    def path(self) -> str:
        """What PATH has to be."""
        return f"{self.folder / 'bin'}:{os.environ['PATH']}"

    def job(self, number: int) -> Path:
        """Return the folder of a job: its options and its script as they were received."""
        return self.folder / "jobs" / str(number)

    def process(self, number: int) -> tuple[list[bytes], bytes]:
        """Return the words and the environment of a job's process."""
        found = Path("/proc") / (self.job(number) / "process").read_text()
        return (found / "cmdline").read_bytes().split(b"\0"), (found / "environ").read_bytes()

    def options(self, number: int) -> list[str]:
        """Return the options that a job was submitted with."""
        return (self.job(number) / "options").read_text().splitlines()


def stand_ins(kind: str, folder: Path) -> StandIns:
    """Write the programs."""
    (folder / "bin").mkdir(parents=True)
    (folder / "jobs").mkdir()
    head = _HEAD.format(python=sys.executable, kind=kind, home=str(folder / "jobs"))
    for name in NAMES[kind]:
        program = folder / "bin" / name
        program.write_text(head + _BODY)
        program.chmod(0o755)
    return StandIns(kind, folder)
