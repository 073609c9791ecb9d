"""How much is measured, and the figures to reach."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Plan:
    """The size of a benchmark run. Counts are pushes; `…runs` are repetitions, round trips are in
    milliseconds."""

    pushes: int
    runs: int
    single_runs: int
    memory_sizes: tuple[int, ...]
    round_trips: tuple[int, ...] = (20, 80, 200)
    distant_pushes: int = 1_000_000
    distant_runs: int = 1
    fleet_pushes: int = 300_000


QUICK = Plan(
    pushes=100_000, runs=3, single_runs=5, memory_sizes=(10_000, 100_000), round_trips=(80,),
    distant_pushes=100_000, fleet_pushes=100_000)
NORMAL = Plan(pushes=1_000_000, runs=5, single_runs=20, memory_sizes=(100_000, 1_000_000))
FULL = Plan(
    pushes=1_000_000, runs=5, single_runs=20, memory_sizes=(100_000, 1_000_000, 10_000_000),
    distant_pushes=3_000_000, distant_runs=3)


@dataclass(frozen=True)
class CountLimit:
    """The most that a push may cost: references counted, both ways together, and allocations."""

    references: float
    allocations: float


@dataclass(frozen=True)
class CountPlan:
    """The lengths of the two lists whose difference is counted, and a limit for each way."""

    few: int
    many: int
    limits: tuple[CountLimit, ...]


# The limits of the first two ways are estimates: only the third has been counted since they were set.
COUNTED = CountPlan(
    few=10_000, many=30_000,
    limits=(CountLimit(80, 0.5), CountLimit(55, 0.5), CountLimit(55, 3.5)))


@dataclass(frozen=True)
class Target:
    """A figure to reach: the one asked for now, and the next one."""

    now: str = ""
    next: str = ""


NO_TARGET = Target()
SEND_RATE = Target("0.7 or more", "0.8 or more")
SEND_CPU = Target("1.45 or less", "1.25 or less")
MEMORY = Target("32 MiB, the same at every length")
DUPLICATES = Target("16 bytes a token or less")
SINGLE_PUSH_SYSTEM_STORE = Target("0.7 or less", "0.5 or less")
EMULATOR = Target("150,000/s", "200,000/s")
INBOX = Target("0.8 or more")
# Held to a long run: a shorter one spends a larger part of its time getting up to speed.
DISTANCE_STEADY = Target("0.95 or more (3,000,000 at 80 ms)")
DISTANCE = Target("0.85 or more (3,000,000 at 80 ms)")
WORKER_CPU = Target("1.3 or less", "1.0 or less")
LIBRARY_CPU = Target("1.25 or less")
LIBRARY_SINGLE = Target("60,000/s")
CHECK = Target("3,000,000 rows/s")


def seconds_allowed(pushes: int) -> int:
    """The time limit of one process that handles so many pushes."""
    return 300 + pushes // 10_000
