"""What a user waits for."""

import statistics
from pathlib import Path
from typing import Callable, Dict, List, NamedTuple, Optional

from .program import Program, chain, fan, serial
from .sides import Bazel, Failure, Script

_CRATES = 50
_MANY_KERNELS = 512


class Scenario(NamedTuple):
    """One row of the table."""

    name: str
    goal: Optional[float]  # for Bazel's time as a ratio of that by hand
    change: Callable[[], Program]  # what happens before each build


class Seconds(NamedTuple):
    """Of one scenario: all times of each side, and how many processes Bazel ran in each build."""

    scenario: Scenario
    by_side: Dict[str, List[float]]
    processes: List[int]

    def median(self, side: str) -> float:
        """Seconds."""
        return statistics.median(self.by_side[side])

    def ratio(self, side: str) -> float:
        """Bazel's time, as a ratio of that of another side."""
        return self.median("bazel") / self.median(side)


def scenarios(root: Path, edited: Program) -> List[Scenario]:
    """Of a workspace and a program that all sides have built."""
    many = Program(root, "many", kernels=_MANY_KERNELS)
    chained, fanned = Program(root, "chain", chain(_CRATES)), Program(root, "fan", fan(_CRATES))

    def edit(program: Program, name: str) -> Callable[[], Program]:
        def change() -> Program:
            getattr(program, name)()
            return program

        return change

    return [
        # A package of a new name, since Bazel has to load and analyse it and has nothing of it.
        Scenario("new program", 1.0, lambda: Program(root, f"new_{serial()}")),
        Scenario("comment in the host part", 0.5, edit(edited, "edit_comment")),
        Scenario("logic of the host part", 0.5, edit(edited, "edit_host")),
        Scenario("body of a kernel", 1.1, edit(edited, "edit_kernel")),
        Scenario("new instance of a kernel", None, edit(edited, "edit_instance")),
        Scenario(f"{_MANY_KERNELS} kernels: logic of the host part", 0.5, edit(many, "edit_host")),
        Scenario(f"{_MANY_KERNELS} kernels: body of a kernel", 1.1, edit(many, "edit_kernel")),
        Scenario(f"chain of {_CRATES} crates, all edited", None, edit(chained, "edit_libraries")),
        Scenario(f"fan of {_CRATES} crates, all edited", None, edit(fanned, "edit_libraries")),
    ]


def measure_first(sides: list, program: Program, archs: List[str]) -> Seconds:
    """The first build for an arch, core included, each time for another one that nobody has built for before."""
    found = Seconds(Scenario("first build for an arch", 1.0, lambda: program), {side.name: [] for side in sides}, [])
    for turn, arch in enumerate(archs):
        for side in _in_turn(sides, turn):
            found.by_side[side.name].append(side.first_build(program, arch))
            _note_processes(side, found)
    return found


def measure(sides: list, scenario: Scenario, arch: str, iterations: int) -> Seconds:
    """All sides build after each change, so that what else the machine does hits all; who is first alternates."""
    found = Seconds(scenario, {side.name: [] for side in sides}, [])
    for side in sides:
        side.build(scenario.change(), arch)
    for turn in range(iterations):
        program = scenario.change()
        for side in _in_turn(sides, turn):
            found.by_side[side.name].append(side.build(program, arch))
            _note_processes(side, found)
    return found


def measure_no_op(bazel: Bazel, program: Program, arch: str, iterations: int) -> List[float]:
    """Nothing has changed since the last build."""
    bazel.build(program, arch)
    seconds = []
    for _ in range(iterations):
        seconds.append(bazel.build(program, arch))
        if bazel.processes():
            raise Failure(f"nothing had changed, and Bazel built:\n{bazel.log}")
    return seconds


class Archs(NamedTuple):
    """The build after an edit of a kernel, for a number of arches."""

    count: int
    seconds: List[float]
    critical_path: List[float]
    processes: List[int]


def measure_archs(bazel: Bazel, program: Program, archs: List[str], iterations: int) -> List[Archs]:
    """For 1, 2, 4 and 8 of them, in turns. Core is there, and so is the analysis."""
    found = [Archs(count, [], [], []) for count in (1, 2, 4, 8) if count <= len(archs)]
    bazel.build(program, *archs)
    for _ in range(iterations):
        for row in found:
            bazel.build(program, *archs[: row.count])
            program.edit_kernel()
            row.seconds.append(bazel.build(program, *archs[: row.count]))
            row.critical_path.append(bazel.critical_path())
            row.processes.append(bazel.processes())
    return found


def same_machine_code(bazel: Bazel, by_hand: Script, program: Program, arch: str) -> bool:
    """Whether the code that LLVM's tools link for Bazel is what rustc has put into the executable by hand."""
    by_hand.build(program, arch)
    bazel.build(program, arch, flags=["--@rules_rust_offload//offload/settings:embed=llvm"])
    image = next(bazel.folder(program, arch).glob(f"app.{arch}.*"))
    return image.read_bytes() in (by_hand.folder(program, arch) / "app").read_bytes()


def same_device_image(bazel: Bazel, by_hand: Script, program: Program, arch: str) -> bool:
    """Whether rustc's Device pass has made the same bytes."""
    image = bazel.folder(program, arch) / "device.bin"
    return image.read_bytes() == (by_hand.folder(program, arch) / "device/device.bin").read_bytes()


def _in_turn(sides: list, turn: int) -> list:
    """What the first side reads from disk, the others find in memory."""
    first = turn % len(sides)
    return sides[first:] + sides[:first]


def _note_processes(side: object, found: Seconds) -> None:
    if isinstance(side, Bazel):
        found.processes.append(side.processes())
        if not found.processes[-1]:
            raise Failure(f"{found.scenario.name}: something had changed, and Bazel built nothing:\n{side.log}")
