"""What is measured at a distance: how fast, how soon that fast, and with how many connections."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import Callable

from . import plan as goal
from .plan import Plan
from .rows import Row, mebibytes, milliseconds, per_second
from .senders import Delay, Fanfare, Sample, Sink, curl
from .series import Series, interleave
from .workbench import token_of_usual_size

FIXED = ("1", "2", "4", "8", "16")
STREAMS = 1000  # what the sink allows a connection
SECONDS = 5     # a fixed number of connections sends for about so long, or everything
MEMORY_ROUND_TRIP = 80  # where memory is reported


# ---- Many pushes


def at_distances(workbench, fanfare: Fanfare, plan: Plan) -> list[Row]:
    """Everything that `fanfare send` does, and the same without a history, at each distance."""
    ways = {"no history": fanfare.send_plainly}
    if fanfare.offers("send", "--history"):
        ways = {"history": fanfare.send_everything, **ways}
    return [
        row for round_trip in plan.round_trips for name, send in ways.items()
        for row in rows_at(round_trip, name, send, plan)]


def rows_at(
        round_trip: int, name: str, send: Callable[..., Sample], plan: Plan) -> list[Row]:
    def sender(connections: str, pushes: int, *options: tuple) -> Callable[[], Sample]:
        return lambda: send(
            pushes, ("--connections", connections), *options, round_trip=round_trip)

    # A few connections take minutes for what many send in seconds, and are no faster at the end.
    counts = {
        fixed: min(plan.distant_pushes, int(fixed) * STREAMS * 1000 // round_trip * SECONDS)
        for fixed in FIXED}
    # Without the search for duplicates, as in the rows about memory. Auto keeps its defaults, so
    # the comparison never flatters it.
    each_row = ("--duplicates", "send")
    senders = {fixed: sender(fixed, count, each_row) for fixed, count in counts.items()}
    series = interleave(
        plan.distant_runs, {**senders, "auto": sender("auto", plan.distant_pushes)})
    auto, fixed = series.pop("auto"), series
    where = f"{round_trip} ms of round trip, {name}"
    return [
        *auto_rows(where, auto, fixed, round_trip, plan),
        *(Row(f"{where}: `--connections {number}`, {counts[number]:,} pushes",
              each.describe("rate", per_second)) for number, each in fixed.items()),
        *memory_rows(where, fixed[FIXED[-1]], round_trip, counts[FIXED[-1]])]


def memory_rows(where: str, most: Series, round_trip: int, pushes: int) -> list[Row]:
    """What the largest number of connections needs, from runs that are measured anyway."""
    if round_trip != MEMORY_ROUND_TRIP:
        return []
    what = f"{where}: resident memory, `--connections {FIXED[-1]}`, {pushes:,} tokens"
    return [Row(f"{what}, `--duplicates send`", most.describe("resident", mebibytes))]


def auto_rows(
        where: str, auto: Series, fixed: dict[str, Series], round_trip: int, plan: Plan
) -> list[Row]:
    first = f"{where}: `--connections auto`, {plan.distant_pushes:,} pushes"
    if auto.failure:
        return [Row(first, auto.describe("rate", per_second))]
    best = best_of(fixed, lambda sample: sample.rate)
    best_steady = best_of(fixed, lambda sample: Ramp.of(sample, round_trip).steady)
    ramps = [Ramp.of(sample, round_trip) for sample in auto.samples]
    steady = middle([ramp.steady for ramp in ramps])
    soon = middle([ramp.seconds for ramp in ramps])
    most = max(sample.connections for sample in auto.samples)
    return [
        Row(first, auto.describe("rate", per_second), ratio(auto.median("rate"), best),
            goal.DISTANCE),
        Row("the same, once at full speed", f"{per_second(steady)}, {most} connections",
            ratio(steady, best_steady), goal.DISTANCE_STEADY),
        Row("the same, from its first connection to full speed",
            f"{soon:.1f} s, {soon * 1000 / round_trip:.0f} round trips"),
    ]


def best_of(fixed: dict[str, Series], figure: Callable[[Sample], float]) -> float:
    medians = [middle([figure(sample) for sample in each.samples]) for each in fixed.values()]
    return max(medians)


def middle(values: list[float]) -> float:
    """The median; the upper one of two, and 0 of none."""
    return sorted(values)[len(values) // 2] if values else 0.0


def ratio(value: float, base: float) -> str:
    return f"{value / base:.2f}" if base else ""


@dataclass(frozen=True)
class Ramp:
    """The rate once it no longer grows, and how many seconds it took to reach nine tenths of it."""

    steady: float
    seconds: float

    @staticmethod
    def of(sample: Sample, round_trip: int) -> Ramp:
        """From the sink's counts of each tenth of a second, averaged over two round trips."""
        width = max(1, ceil(2 * round_trip / 100))
        counts = sample.timeline[:-1]  # The last one is not whole.
        rates = [
            sum(counts[end - width:end]) / width * 10 for end in range(width, len(counts) + 1)]
        if not rates:
            return Ramp(sample.rate, 0.0)
        steady = middle(rates[len(rates) // 2:])
        first = next(place for place, rate in enumerate(rates) if rate >= 0.9 * steady)
        return Ramp(steady, (first + width) / 10)


# ---- One push


def first_push(workbench, fanfare: Fanfare, plan: Plan) -> list[Row]:
    """What a push costs before any connection is open, in round trips."""
    return [row for round_trip in plan.round_trips for row in first_rows(
        workbench, fanfare, round_trip, min(5, plan.single_runs))]


def first_rows(workbench, fanfare: Fanfare, round_trip: int, runs: int) -> list[Row]:
    def row(what: str, name: str) -> Row:
        far, near = series[name, round_trip], series[name, 0]
        if far.failure or near.failure:
            return Row(what, far.describe("milliseconds", milliseconds))
        trips = (far.median("milliseconds") - near.median("milliseconds")) / round_trip
        return Row(what, f"{far.describe('milliseconds', milliseconds)}, {trips:.1f} round trips",
                   "1" if name == "curl" else far.ratio(
                       "milliseconds", series["curl", round_trip]))

    with Sink(workbench, limit=600) as sink, \
            Delay(workbench, sink, 0, limit=600) as near, \
            Delay(workbench, sink, round_trip, limit=600) as far:
        senders = {
            **distant_senders(workbench, fanfare, near.url, 0),
            **distant_senders(workbench, fanfare, far.url, round_trip)}
        interleave(1, senders)  # Fills the file caches and makes the cached provider token.
        series = interleave(runs, senders)
    return [
        row(f"one push at {round_trip} ms of round trip: `curl`", "curl"),
        row("`fanfare send`", "fanfare")]


def distant_senders(
        workbench, fanfare: Fanfare, url: str, round_trip: int
) -> dict[tuple[str, int], Callable[[], Sample]]:
    provider_token = token_of_usual_size()

    def push() -> Sample:
        quiet = [("--no-history",)] if fanfare.offers("send", "--no-history") else []
        return fanfare.send(
            url, 1, *fanfare.notification(workbench.plain_payload), ("--ca", workbench.ca),
            ("--to", workbench.device_token()), *quiet)

    return {
        ("curl", round_trip): lambda: curl(workbench, url, workbench.ca, provider_token),
        ("fanfare", round_trip): push}
