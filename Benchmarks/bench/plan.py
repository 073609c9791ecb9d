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
    distant_pushes: int = 600_000
    distant_runs: int = 1


QUICK = Plan(
    pushes=100_000, runs=3, single_runs=5, memory_sizes=(10_000, 100_000), round_trips=(80,),
    distant_pushes=100_000)
NORMAL = Plan(pushes=1_000_000, runs=5, single_runs=20, memory_sizes=(100_000, 1_000_000))
FULL = Plan(
    pushes=1_000_000, runs=5, single_runs=20, memory_sizes=(100_000, 1_000_000, 10_000_000),
    distant_pushes=3_000_000, distant_runs=3)


@dataclass(frozen=True)
class Target:
    """A figure to reach: the one that holds now, and the next one."""

    now: str = ""
    next: str = ""


NO_TARGET = Target()
SEND_RATE = Target("0.6 or more", "0.9 or more")
SEND_CPU = Target("2.5 or less", "1.7 or less")
MEMORY = Target("64 MiB, the same at every length", "32 MiB")
DUPLICATES = Target("16 bytes a token or less", "")
SINGLE_PUSH = Target("1.4 or less", "1.0 or less")
SINGLE_PUSH_SYSTEM_STORE = Target("below 1.0", "0.5 or less")
EMULATOR = Target("100,000/s", "200,000/s")
INBOX = Target("0.8 or more", "")
DISTANCE_STEADY = Target("0.95 or more", "")
DISTANCE = Target("0.85 or more", "")
CHECK = Target("1,000,000 rows/s", "3,000,000 rows/s")


def seconds_allowed(pushes: int) -> int:
    """The time limit of one process that handles so many pushes."""
    return 60 + pushes // 10_000
