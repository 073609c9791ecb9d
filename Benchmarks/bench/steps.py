"""What is measured, row by row."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import Callable

from . import plan as goal
from .plan import NO_TARGET, Plan, Target, seconds_allowed
from .distance import at_distances, first_push
from .fleet import workers
from .library import library
from .processes import Failed, Server, measure
from .rows import Row, mebibytes, microseconds, milliseconds, per_second
from .senders import Fanfare, Sample, Sink, curl, h2load, h2load_to_sink
from .series import Series, interleave
from .workbench import token_of_usual_size


@dataclass
class Results:
    rows: list[Row] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def run_all(workbench, plan: Plan) -> Results:
    """Runs every step. A step that fails becomes a row that says why, and the rest goes on."""
    results = Results()
    fanfare = Fanfare(workbench)
    for title, step in STEPS.items():
        print(f"{title} ...", file=sys.stderr)
        try:
            results.rows += step(workbench, fanfare, plan)
        except (Failed, OSError) as failed:
            results.rows.append(Row(title, f"failed: {failed}"))
    if fanfare.left_out:
        left_out = ", ".join(sorted(fanfare.left_out))
        results.notes.append(f"Left out, as the help does not list them: {left_out}.")
    return results


# ---- Many pushes


def many_pushes(workbench, fanfare: Fanfare, plan: Plan) -> list[Row]:
    count = plan.pushes
    is_whole = fanfare.offers("send", "--history")
    senders = {"h2load": lambda: h2load_to_sink(workbench, count)}
    if is_whole:
        senders["everything"] = lambda: fanfare.send_everything(count)
    senders["plainly"] = lambda: fanfare.send_plainly(count)
    series = interleave(plan.runs, senders)
    ceiling = series["h2load"]
    rows = [
        Row(f"`h2load`, {count:,} requests", ceiling.describe("rate", per_second), "1"),
        Row("CPU per request", ceiling.describe("cpu", microseconds), "1"),
    ]
    if is_whole:
        what = f"`fanfare send` of {count:,} (list, template, rules, history)"
        rows += sending_rows(what, series["everything"], ceiling, goal.SEND_RATE, goal.SEND_CPU)
    # Without templates and history there is less to do: the targets stand beside it all the same.
    what = f"`fanfare send` of {count:,} (list, one payload for all, rules; no history)"
    targets = (NO_TARGET, NO_TARGET) if is_whole else (goal.SEND_RATE, goal.SEND_CPU)
    return rows + sending_rows(what, series["plainly"], ceiling, *targets)


def sending_rows(
        what: str, sent: Series, ceiling: Series, rate: Target, cpu: Target) -> list[Row]:
    first = Row(what, sent.describe("rate", per_second), sent.ratio("rate", ceiling), rate)
    if sent.failure:
        return [first]
    return [
        first,
        Row("the same, from process start to exit", sent.describe("process_rate", per_second),
            sent.ratio("process_rate", ceiling)),
        Row("CPU per push", sent.describe("cpu", microseconds), sent.ratio("cpu", ceiling), cpu),
    ]


# ---- Memory


def memory(workbench, fanfare: Fanfare, plan: Plan) -> list[Row]:
    smallest, largest = plan.memory_sizes[0], plan.memory_sizes[-1]
    resident = {
        size: resident_bytes(fanfare, size, "send") for size in plan.memory_sizes}
    rows = [
        Row(f"resident memory, {size:,} tokens, `--duplicates send`", mebibytes(resident[size]),
            f"{resident[size] / resident[smallest]:.2f}", goal.MEMORY)
        for size in plan.memory_sizes]
    extra = resident_bytes(fanfare, largest, "first") - resident[largest]
    return rows + [Row(
        f"the same, {largest:,} tokens, duplicates found",
        f"{mebibytes(resident[largest] + extra)}, {extra / largest:.1f} bytes a token more",
        "", goal.DUPLICATES)]


def resident_bytes(fanfare: Fanfare, size: int, duplicates: str) -> int:
    return fanfare.send_all_it_can(size, ("--duplicates", duplicates)).resident


# ---- One push


def one_push(workbench, fanfare: Fanfare, plan: Plan) -> list[Row]:
    with Sink(workbench, limit=600) as sink:
        senders = single_senders(workbench, fanfare, sink.url)
        # Makes the history, if there is one, and the cached provider token, and warms the file caches.
        warm = interleave(1, senders)
        series = interleave(plan.single_runs, senders)
    runs = [*warm.values(), *series.values()]
    # A failed push may have reached the sink or not: then there is no number to compare with.
    if not any(each.failure for each in runs):
        sink.require_requests(sum(len(each.samples) for each in runs))
    return single_rows(series)


def single_senders(workbench, fanfare: Fanfare, url: str) -> dict[str, Callable[[], Sample]]:
    provider_token = token_of_usual_size()
    is_whole = fanfare.offers("send", "--history")
    kept = [("--history", workbench.path("single.sqlite"))] if is_whole else []

    def push(*options: tuple, environment=None) -> Sample:
        return fanfare.send(
            url, 1, *fanfare.notification(workbench.plain_payload),
            ("--to", workbench.device_token()), *options, environment=environment)

    def push_with_system_store() -> Sample:
        # OpenSSL's own variable: the directory it looks certificates up in, one by one.
        directory = workbench.environment(SSL_CERT_DIR=str(workbench.system_directory()))
        return push(*kept, environment=directory)

    return {
        "curl": lambda: curl(workbench, url, workbench.ca, provider_token),
        "fanfare": lambda: push(("--ca", workbench.ca), *kept),
        "curl, system": lambda: curl(workbench, url, workbench.system_bundle(), provider_token),
        "system": push_with_system_store,
    }


def single_rows(series: dict[str, Series]) -> list[Row]:
    def row(what: str, name: str, base: str, target: Target = NO_TARGET) -> Row:
        mine, other = series[name], series[base]
        ratio = "1" if mine is other else mine.ratio("milliseconds", other)
        return Row(what, mine.describe("milliseconds", milliseconds), ratio, target)

    return [
        row("one push, process start to exit: `curl`, one CA", "curl", "curl"),
        row("`fanfare send`, one CA", "fanfare", "curl"),
        row("`curl`, the system's CA store", "curl, system", "curl, system"),
        row("`fanfare send`, the system's CA store", "system", "curl, system",
            goal.SINGLE_PUSH_SYSTEM_STORE),
    ]


# ---- The emulator and the check


def emulator(workbench, fanfare: Fanfare, plan: Plan) -> list[Row]:
    count = plan.pushes
    provider_token = fanfare.provider_token()

    def load(*options: tuple) -> Sample:
        with Server(workbench, fanfare.command("emulator", *options)) as server:
            url = server.ready.get("url")
            if not url:
                raise Failed("its first line has no `url`")
            return h2load(workbench, url, count, provider_token)

    def row(what: str, series: Series, ratio: str, target: Target) -> Row:
        others = sum(sample.unsuccessful for sample in series.samples)
        measured = series.describe("rate", per_second)
        if not series.failure:
            measured += f", {others} answers of {count * len(series.samples):,} not 2xx"
        return Row(what, measured, ratio, target)

    senders = {"off": load}
    if fanfare.offers("emulator", "--inbox"):
        senders["on"] = lambda: load(("--inbox", "0"))
    series = interleave(plan.runs, senders)
    rows = [row(f"`fanfare emulator` under {count:,} requests of `h2load`", series["off"], "",
                goal.EMULATOR)]
    if inbox := series.get("on"):
        rows.append(row("the same with `--inbox`", inbox, inbox.ratio("rate", series["off"]),
                        goal.INBOX))
    return rows


def check(workbench, fanfare: Fanfare, plan: Plan) -> list[Row]:
    count = plan.pushes
    if not fanfare.offers("check", "--tokens"):
        return []
    is_whole = fanfare.offers("send", "--history")
    payload = workbench.template_payload if is_whole else workbench.plain_payload
    recipients = workbench.recipient_list(count) if is_whole else workbench.token_list(count)
    command = fanfare.command(
        "check", *fanfare.notification(payload), ("--tokens", recipients), ("--json",))

    def run() -> Sample:
        done = measure(workbench, command, limit=seconds_allowed(count))
        return Sample.of(done, count, count / done.wall)

    series = interleave(plan.runs, {"check": run})["check"]
    return [Row(f"`fanfare check` of {count:,} rows", series.describe("rate", per_second), "",
                goal.CHECK)]


STEPS = {
    "many pushes": many_pushes,
    "memory": memory,
    "one push": one_push,
    "at a distance": at_distances,
    "one push at a distance": first_push,
    "workers": workers,
    "the library": library,
    "the emulator": emulator,
    "`fanfare check`": check,
}
