"""Counting what a push costs: instructions, references counted, memory allocated. It needs no idle
machine: callgrind runs the program and counts."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

from . import library
from .plan import CountLimit, CountPlan
from .senders import Fanfare
from .tools import Missing

# The functions of Swift's runtime, and of the C library, that are counted.
RETAIN = re.compile(r"swift_(bridgeObject|unknownObject|nonatomic_)?[rR]etain(_n)?$")
RELEASE = re.compile(r"swift_(bridgeObject|unknownObject|nonatomic_)?[rR]elease(_n)?$")
ALLOCATION = re.compile(r"(malloc|calloc|realloc|posix_memalign|aligned_alloc)$")

KINDS = (RETAIN, RELEASE, ALLOCATION)


@dataclass(frozen=True)
class Counts:
    """What was counted for some pushes, or for one."""

    instructions: float
    retains: float
    releases: float
    allocations: float

    def per_push(self, start: Counts, pushes: int) -> Counts:
        """What each of so many pushes added to a run that was as long as `start` without them."""
        return Counts(*(
            (mine - other) / pushes for mine, other in zip(vars(self).values(), vars(start).values())))


class Profile:
    """What callgrind wrote of a run: how often each function was called, and from where."""

    def __init__(self, folder: Path):
        self.instructions = 0
        self.calls: Counter[tuple[str, str]] = Counter()
        for file in folder.glob("callgrind.out.*"):
            self._read(file)

    def _read(self, file: Path) -> None:
        names: dict[str, str] = {}

        def name(text: str) -> str:
            # A name is written once, and only its number afterwards.
            number, _, rest = text.partition(" ")
            return names.setdefault(number, rest) if rest else names[number]

        caller = called = ""
        for line in file.open():
            if line.startswith("fn="):
                caller = name(line[3:].rstrip())
            elif line.startswith("cfn="):
                called = name(line[4:].rstrip())
            elif line.startswith("calls="):
                self.calls[caller, called] += int(line[6:].split()[0])
            elif line.startswith("totals:"):
                self.instructions += int(line[7:])

    def counts(self) -> Counts:
        def number(kind: re.Pattern) -> int:
            # One of these calling another counts once.
            return sum(
                calls for (caller, called), calls in self.calls.items()
                if kind.match(called) and not kind.match(caller))

        return Counts(self.instructions, number(RETAIN), number(RELEASE), number(ALLOCATION))

    def busiest(self, start: Profile, pushes: int, most: int) -> list[str]:
        """The functions that called the counted ones most often for a push."""
        more = Counter({
            call: (calls - start.calls[call]) / pushes for call, calls in self.calls.items()
            if any(kind.match(call[1]) and not kind.match(call[0]) for kind in KINDS)})
        return [
            f"{calls:7.2f}  {called}  {caller}"
            for (caller, called), calls in more.most_common(most)]


def counted(workbench, send) -> Profile:
    """Runs a sender under callgrind."""
    folder = workbench.path("counted")
    folder.mkdir()
    usual = workbench.tools
    workbench.tools = replace(usual, client_pin=(
        "valgrind", "--tool=callgrind", "--quiet", "--trace-children=yes",
        f"--callgrind-out-file={folder}/callgrind.out.%p"))
    try:
        send()
        return Profile(folder)
    finally:
        workbench.tools = usual
        for file in folder.iterdir():
            file.unlink()
        folder.rmdir()


def strip_programs(workbench) -> None:
    """Takes copies of the programs that keep the functions' names alone: valgrind cannot read the rest
    of what Swift's compiler tells debuggers."""
    folder = workbench.path("stripped")
    folder.mkdir()
    programs = workbench.tools.fanfare.parent
    for name in (workbench.tools.fanfare.name, "library-benchmark"):
        command = ["strip", "--strip-debug", "-o", str(folder / name), str(programs / name)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Missing(f"strip failed: {done.stderr.strip()}")
    workbench.tools = replace(
        workbench.tools, fanfare=folder / workbench.tools.fanfare.name)


def ways(workbench):
    """The ways a push goes: a name, and a function that sends so many."""
    fanfare = Fanfare(workbench)
    # So that the help is not read while something is counted.
    fanfare.offers("send", "--history")
    return {
        "`fanfare send`: list, template, rules, history": fanfare.send_everything,
        "`fanfare send`: list, one payload for all, rules": fanfare.send_plainly,
        "the library: a list with `for try await`":
            lambda pushes: library.send(workbench, "list", pushes),
    }


@dataclass(frozen=True)
class CountedRow:
    """What a push costs on one way, and the most that is allowed."""

    way: str
    counts: Counts
    limit: CountLimit

    @property
    def is_excessive(self) -> bool:
        return (self.counts.retains + self.counts.releases > self.limit.references
                or self.counts.allocations > self.limit.allocations)


def count(workbench, plan: CountPlan, callers: int) -> list[CountedRow]:
    """Sends a shorter and a longer list each way: what both cost does not count."""
    strip_programs(workbench)
    rows = []
    for (way, send), limit in zip(ways(workbench).items(), plan.limits):
        print(f"{way} ...", file=sys.stderr)
        start = counted(workbench, lambda: send(plan.few))
        whole = counted(workbench, lambda: send(plan.many))
        pushes = plan.many - plan.few
        rows.append(CountedRow(way, whole.counts().per_push(start.counts(), pushes), limit))
        for line in whole.busiest(start, pushes, callers):
            print(line, file=sys.stderr)
    return rows


def table(rows: list[CountedRow]) -> list[str]:
    return [
        "| a push | instructions | retained | released | allowed together | allocated | allowed |",
        "| --- | --- | --- | --- | --- | --- | --- |",
        *(f"| {row.way} | {row.counts.instructions:,.0f} | {row.counts.retains:.1f} "
          f"| {row.counts.releases:.1f} | {row.limit.references:.0f} | {row.counts.allocations:.2f} "
          f"| {row.limit.allocations:.1f} |" for row in rows)]
