"""Workers on a history in PostgreSQL, beside the same list sent with SQLite."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

from . import plan as goal
from .database import Database
from .plan import Plan, seconds_allowed
from .processes import Failed, Measurement, measure
from .rows import Row, microseconds, per_second
from .senders import Fanfare, Sample, Sink
from .series import Series, interleave

FLEETS = (1, 2, 4)


def workers(workbench, fanfare: Fanfare, plan: Plan) -> list[Row]:
    if not fanfare.offers("work", "--lease"):
        return []
    count = plan.fleet_pushes
    with Database(workbench) as database:
        fleet = Fleet(workbench, fanfare, database, count)
        senders = {"SQLite": lambda: fanfare.send_everything(count)}
        senders |= {
            str(size): lambda size=size: fleet.send(size) for size in FLEETS}
        series = interleave(plan.runs, senders)
    one, alone = series["1"], series["SQLite"]
    rows = [
        Row(f"`fanfare send` of {count:,} with SQLite", alone.describe("process_rate", per_second), "1"),
        Row("CPU per push", alone.describe("cpu", microseconds), "1"),
        Row(f"`fanfare send --enqueue` of {count:,}", fleet.enqueued.describe("rate", per_second),
            fleet.enqueued.ratio("process_rate", alone)),
        Row("CPU per recipient", fleet.enqueued.describe("cpu", microseconds),
            fleet.enqueued.ratio("cpu", alone)),
        Row(f"`fanfare work` of {count:,}, one worker", one.describe("process_rate", per_second),
            one.ratio("process_rate", alone)),
        Row("CPU per push, of the worker alone", one.describe("cpu", microseconds),
            one.ratio("cpu", alone), goal.WORKER_CPU),
    ]
    return rows + [
        Row(f"{size} workers together", series[str(size)].describe("process_rate", per_second),
            series[str(size)].ratio("process_rate", alone))
        for size in FLEETS[1:]]


class Fleet:
    """Enqueues a list and has workers send it to a fresh sink."""

    def __init__(self, workbench, fanfare: Fanfare, database: Database, count: int):
        self._workbench, self._fanfare, self._count = workbench, fanfare, count
        self._history = ("--history", database.url)
        self.enqueued = Series()

    def send(self, size: int) -> Sample:
        bench = self._workbench
        with Sink(bench, seconds_allowed(self._count)) as sink:
            place = [("--server", sink.url), self._history]
            self.enqueued.add(lambda: self._enqueue(place))
            if self.enqueued.failure:
                raise Failed(f"enqueuing {self.enqueued.failure}")
            began = time.monotonic()
            with ThreadPoolExecutor(size) as pool:
                works = list(pool.map(lambda name: self._work(place, name), range(size)))
            wall = time.monotonic() - began
        sink.require_requests(self._count)
        cpu = sum(work.cpu for work in works) / self._count * 1e6
        rate = self._count / wall
        return Sample(
            rate=rate, process_rate=rate, cpu=cpu, resident=max(work.resident for work in works),
            milliseconds=wall * 1e3)

    def _enqueue(self, place: list[tuple]) -> Sample:
        bench, fanfare = self._workbench, self._fanfare
        command = fanfare.command(
            "send", ("--enqueue",), *place, *fanfare.credentials(),
            *fanfare.notification(bench.template_payload), ("--json",),
            ("--tokens", bench.recipient_list(self._count)))
        run = measure(bench, command, limit=seconds_allowed(self._count))
        return Sample.of(run, self._count, self._count / run.wall)

    def _work(self, place: list[tuple], number: int) -> Measurement:
        command = self._fanfare.command(
            "work", *place, ("--ca", self._workbench.ca), *self._fanfare.credentials(),
            ("--name", f"worker-{number + 1}"))
        return measure(
            self._workbench, command, limit=seconds_allowed(self._count), name=f"worker-{number}")
