"""The library `Fanfare`, in a program of its own, beside `fanfare send` of as many pushes."""

from __future__ import annotations

import os

from . import plan as goal
from .plan import Plan, seconds_allowed
from .processes import Failed, measure
from .rows import Row, mebibytes, microseconds, per_second
from .senders import Fanfare, Sample, Sink, h2load_to_sink, summary_of
from .series import interleave


def library(workbench, fanfare: Fanfare, plan: Plan) -> list[Row]:
    count, singles = plan.pushes, plan.memory_sizes[-2]
    series = interleave(plan.runs, {
        "h2load": lambda: h2load_to_sink(workbench, count),
        "program": lambda: fanfare.send_plainly(count),
        "list": lambda: send(workbench, "list", count),
        "single": lambda: send(workbench, "single", singles)})
    program, whole, single = series["program"], series["list"], series["single"]
    rows = [
        Row(f"the library: a list of {count:,} with `for try await`",
            whole.describe("process_rate", per_second), whole.ratio("process_rate", program)),
        Row("the same, against `h2load`", whole.describe("process_rate", per_second),
            whole.ratio("process_rate", series["h2load"])),
        Row("CPU per push, against `fanfare send` without a history",
            whole.describe("cpu", microseconds), whole.ratio("cpu", program), goal.LIBRARY_CPU),
        Row(f"the library: {singles:,} times `await send`, from 1,000 tasks",
            single.describe("rate", per_second), "", goal.LIBRARY_SINGLE),
        Row("CPU per push", single.describe("cpu", microseconds)),
    ]
    return rows + [
        memory_row(workbench, mode, size) for mode in ("list", "single")
        for size in plan.memory_sizes]


def memory_row(workbench, mode: str, size: int) -> Row:
    what = "with `for try await`" if mode == "list" else "with `await send`"
    resident = send(workbench, mode, size).resident
    return Row(f"the library: resident memory, {size:,} pushes {what}", mebibytes(resident))


def send(workbench, mode: str, count: int) -> Sample:
    """Sends to a fresh sink, whose count must agree."""
    program = workbench.tools.fanfare.parent / "library-benchmark"
    if not os.access(program, os.X_OK):
        raise Failed("library-benchmark is not built beside fanfare")
    with Sink(workbench, seconds_allowed(count)) as sink:
        command = [program, mode, sink.url, workbench.ca, workbench.key, count]
        run = measure(workbench, command, limit=seconds_allowed(count))
    sink.require_requests(count)
    summary = summary_of(run.output)
    if summary.get("accepted") != count:
        raise Failed(f"{summary.get('accepted')} of {count} pushes were accepted")
    return Sample.of(run, count, float(summary["pushesPerSecond"]))
