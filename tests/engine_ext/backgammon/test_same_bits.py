"""The same bits everywhere: each kernel of this processor, and ARM under an emulator.

What is covered: the nets' kernels, on 100,000 successors of positions of real games and on
100 trials of one context, for every kernel that this processor runs; the kernels' source
compiled for aarch64, on the same kind of successors; and whole trials on ARM.
"""

from __future__ import annotations

import hashlib
import random
import shutil
import struct
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine_ext.backgammon.board import Position
from engine_ext.backgammon.evaluate import shared_evaluator
from engine_ext.backgammon.movegen import legal_moves
from engine_ext.backgammon.net import available_kernels, force_kernel, kernel_name, load_net
from engine_ext.backgammon.successors import Successors
from tests.engine_ext.arm import compiled_tree, python_of
from tests.engine_ext.backgammon import trial_bits
from tests.engine_ext.backgammon.positions import played_positions, random_roll

pytestmark = pytest.mark.slow


ROOT = Path(__file__).parents[3]
KERNEL_FOLDER = ROOT / "engine_ext/backgammon"
SUCCESSORS = 100_000
ARM_COMPILER = "aarch64-linux-gnu-gcc"
ARM_LIBRARIES = "/usr/aarch64-linux-gnu"
EMULATORS = ("qemu-aarch64", "qemu-aarch64-static")


@pytest.fixture(autouse=True)
def best_kernel_afterwards() -> Iterator[None]:
    yield
    force_kernel(available_kernels()[0])


@pytest.fixture(scope="module")
def successors() -> Successors:
    positions = played_positions(12, 5_500)
    rng = random.Random(12)
    made = Successors(shared_evaluator(), positions, [random_roll(rng) for _ in positions])
    assert made.count >= SUCCESSORS
    return made


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@pytest.mark.timeout(300)
def test_every_kernel_gives_successors_the_same_bits(successors: Successors) -> None:
    digests = {}
    for kernel in available_kernels():
        force_kernel(kernel)
        successors.run_kernel()
        contact = digest(successors.probs())
        successors.run_with_moves()
        digests[kernel] = contact, digest(successors.probs())
    assert len(set(digests.values())) == 1, digests


@pytest.mark.timeout(300)
@pytest.mark.parametrize("has_variance_reduction", [False, True])
@pytest.mark.when_changed
def test_every_kernel_gives_trials_the_same_bits(has_variance_reduction: bool) -> None:
    digests = {}
    for kernel in available_kernels():
        force_kernel(kernel)
        assert kernel_name() == kernel
        digests[kernel] = trial_bits.trials(has_variance_reduction=has_variance_reduction)
    assert len(set(digests.values())) == 1, digests


def emulator() -> str:
    """Find qemu for single programs, or skip by name."""
    found = next((path for name in EMULATORS if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip("qemu-aarch64 is not installed (Debian: qemu-user)")
    return found


@pytest.fixture(scope="module")
def arm_driver(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Compile the kernels for ARM as the extension is compiled; the command that runs them."""
    if shutil.which(ARM_COMPILER) is None:
        pytest.skip(f"{ARM_COMPILER} is not installed (Debian: gcc-aarch64-linux-gnu)")
    runner = emulator()
    program = tmp_path_factory.mktemp("arm") / "net_driver"
    sources = [Path(__file__).with_name("net_driver.c"), KERNEL_FOLDER / "net_kernel.c"]
    flags = ["-O3", "-ffp-contract=off", "-Wall", "-Werror", f"-I{KERNEL_FOLDER}"]
    subprocess.run([ARM_COMPILER, *flags, *sources, "-o", program], check=True)
    return [runner, "-L", ARM_LIBRARIES, str(program)]


def slots(position: Position) -> bytes:
    return bytes(position.on_roll + position.opponent)


def board_groups(count: int) -> list[list[bytes]]:
    """A position with the opponent on roll and its successors, `count` times."""
    rng = random.Random(13)
    return [
        [
            slots(position.swapped()),
            *(slots(move.after.swapped()) for move in legal_moves(position, random_roll(rng))),
        ]
        for position in played_positions(14, count)
    ]


def evaluated_here(name: str, groups: list[list[bytes]]) -> bytes:
    boards = [board for group in groups for board in group[1:]]
    probs = bytearray(len(boards) * 40)
    load_net(name).evaluate_boards(
        memoryview(b"".join(boards)).cast("B", [len(boards), 52]),
        memoryview(probs).cast("d", [len(boards), 5]),
    )
    return bytes(probs)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", ["contact", "race"])
def test_arm_gives_the_shipped_nets_the_same_bits(
    name: str, arm_driver: list[str], tmp_path: Path
) -> None:
    groups = board_groups(400)
    boards = tmp_path / "boards"
    boards.write_bytes(
        b"".join(struct.pack("<I", len(group) - 1) + b"".join(group) for group in groups)
    )
    net = KERNEL_FOLDER / "data" / f"{name}.net"
    done = subprocess.run([*arm_driver, net, boards], capture_output=True, check=True)
    assert done.stderr == b"portable\n"
    assert digest(done.stdout) == digest(evaluated_here(name, groups))


@pytest.mark.timeout(600)
@pytest.mark.when_changed
def test_trials_and_answers_have_the_same_bits_on_arm(tmp_path: Path) -> None:
    run = python_of(compiled_tree("backgammon", tmp_path / "tree"), tmp_path)
    shown = run(Path(trial_bits.__file__))
    assert shown["machine"] == "aarch64"
    assert shown["bits"] == trial_bits.bits()
