"""The measured clients: their command lines, and what their output says."""

from __future__ import annotations

import json
import re
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from .plan import seconds_allowed
from .processes import Failed, Measurement, Server, measure
from .workbench import BUNDLE_ID, KEY_ID, PLAIN_PAYLOAD, TEAM_ID, token_of_usual_size

APNS_ID = "6f2b0a52-4a1c-4c0e-9d3f-1f0c2d3e4f5a"


@dataclass(frozen=True)
class Sample:
    """One run of a client. Rates are pushes a second; CPU is microseconds a push.

    `connections` and `timeline` (requests in each tenth of a second) are the sink's own counts.
    """

    rate: float
    process_rate: float
    cpu: float
    resident: int
    milliseconds: float
    unsuccessful: int = 0
    connections: int = 0
    timeline: tuple[int, ...] = ()

    @staticmethod
    def of(run: Measurement, pushes: int, rate: float, unsuccessful: int = 0) -> Sample:
        return Sample(
            rate=rate, process_rate=pushes / run.wall, cpu=run.cpu / pushes * 1e6,
            resident=run.resident, milliseconds=run.wall * 1e3, unsuccessful=unsuccessful)


class Sink(Server):
    """A fresh sink, which ends by itself a minute after `limit` seconds."""

    def __init__(self, workbench, limit: int):
        super().__init__(workbench, [
            workbench.sink, "--cert", workbench.path("server.pem"),
            "--key", workbench.path("server.key"), "--seconds", limit + 60])

    @property
    def url(self) -> str:
        return f"https://127.0.0.1:{self.ready['port']}"

    def require_requests(self, expected: int) -> None:
        """Once it has ended: its own count must be what was sent."""
        counted = self.last.get("requests")
        if counted != expected:
            raise Failed(f"the sink counted {counted} requests, not {expected}")


class Delay(Server):
    """A proxy that puts so many milliseconds of round trip between a client and a sink."""

    def __init__(self, workbench, sink: Sink, round_trip: int, limit: int):
        super().__init__(workbench, [
            workbench.delay, "--to", sink.ready["port"], "--round-trip", round_trip,
            "--seconds", limit + 60])

    @property
    def url(self) -> str:
        return f"https://127.0.0.1:{self.ready['port']}"


# ---- h2load and curl


def headers(provider_token: str) -> list[str]:
    fields = {
        "apns-topic": BUNDLE_ID, "apns-push-type": "alert", "apns-priority": "10",
        "apns-id": APNS_ID, "authorization": f"bearer {provider_token}"}
    return [part for name, value in fields.items() for part in ("-H", f"{name}: {value}")]


def h2load(workbench, url: str, pushes: int, provider_token: str = "") -> Sample:
    """The ceiling: the same request over and over, with nothing to decide."""
    command = [
        "h2load", "-n", pushes, "-c", 1, "-m", 1000, "-t", 1, "-d", workbench.plain_payload,
        *headers(provider_token or token_of_usual_size()),
        f"{url}/3/device/{workbench.device_token()}"]
    run = measure(workbench, command, limit=seconds_allowed(pushes))
    rate = re.search(r"finished in .*?, ([0-9.]+) req/s", run.output)
    good = re.search(r"status codes: ([0-9]+) 2xx", run.output)
    if not rate or not good:
        raise Failed("h2load printed no result")
    return Sample.of(run, pushes, float(rate[1]), unsuccessful=pushes - int(good[1]))


def h2load_to_sink(workbench, pushes: int) -> Sample:
    with Sink(workbench, seconds_allowed(pushes)) as sink:
        sample = h2load(workbench, sink.url, pushes)
    sink.require_requests(pushes)
    if sample.unsuccessful:
        raise Failed(f"{sample.unsuccessful} requests of h2load were not answered with 2xx")
    return sample


def curl(workbench, url: str, certificates: Path, provider_token: str) -> Sample:
    """One push with curl, the provider token made beforehand."""
    command = [
        "curl", "--http2", "--silent", "--show-error", "--fail", "--output", "/dev/null",
        "--cacert", certificates, "--data", PLAIN_PAYLOAD, *headers(provider_token),
        f"{url}/3/device/{workbench.device_token()}"]
    run = measure(workbench, command, limit=seconds_allowed(1))
    return Sample.of(run, 1, 1 / run.wall)


# ---- fanfare


class Fanfare:
    """The measured binary. Options that its help does not list are left out, and remembered."""

    def __init__(self, workbench):
        self._workbench = workbench
        self._listed: dict[str, set[str]] = {}
        self.left_out: set[str] = set()

    def _options_listed(self, command: str) -> set[str]:
        if command not in self._listed:
            try:
                run = measure(
                    self._workbench, [self._workbench.tools.fanfare, command, "--help"], limit=20)
                listed = set(re.findall(r"--[a-z][a-z0-9-]*", run.output))
            except Failed:
                listed = set()  # This version has no such command.
            self._listed[command] = listed
        return self._listed[command]

    def offers(self, name: str, option: str) -> bool:
        """Whether this version has an option of a command."""
        return option in self._options_listed(name)

    def command(self, name: str, *options: tuple) -> list:
        listed = self._options_listed(name)
        unknown = [option[0] for option in options if option[0] not in listed]
        self.left_out.update(f"{name} {option}" for option in unknown)
        kept = [part for option in options if option[0] not in unknown for part in option]
        return [self._workbench.tools.fanfare, name, *kept]

    def credentials(self) -> list[tuple]:
        return [("--key", self._workbench.key), ("--key-id", KEY_ID), ("--team-id", TEAM_ID)]

    def notification(self, payload: Path) -> list[tuple]:
        return [("--bundle-id", BUNDLE_ID), ("--type", "alert"), ("--payload", payload)]

    def send(self, url: str, pushes: int, *options: tuple, environment=None) -> Sample:
        """`fanfare send` to a server, over one connection unless the options say otherwise.

        Every push must have been accepted.
        """
        if all(option[0] != "--connections" for option in options):
            options = (("--connections", 1), *options)
        command = self.command(
            "send", ("--server", url), *self.credentials(), ("--json",), *options)
        run = measure(
            self._workbench, command, limit=seconds_allowed(pushes), environment=environment)
        summary = summary_of(run.output)
        if summary.get("accepted") != pushes:
            raise Failed(f"{summary.get('accepted')} of {pushes} pushes were accepted")
        return Sample.of(run, pushes, float(summary.get("pushesPerSecond") or 0))

    def send_list(
            self, pushes: int, recipients: Path, payload: Path, *options: tuple,
            round_trip: int | None = None) -> Sample:
        """Sends a list to a fresh sink, at a distance or not, whose count must agree."""
        bench, limit = self._workbench, seconds_allowed(pushes)
        with Sink(bench, limit) as sink:
            way = nullcontext(sink) if round_trip is None else Delay(bench, sink, round_trip, limit)
            with way as server:
                sample = self.send(
                    server.url, pushes, ("--ca", bench.ca), *self.notification(payload),
                    ("--tokens", recipients), *options)
        sink.require_requests(pushes)
        return replace(
            sample, connections=sink.last.get("connections", 0),
            timeline=tuple(sink.last.get("timeline", ())))

    def send_everything(
            self, pushes: int, *options: tuple, round_trip: int | None = None) -> Sample:
        """The whole work: a list with variables, a template, the rules, and a new history."""
        bench = self._workbench
        recipients = bench.recipient_list(pushes)
        bench.require_space(pushes * 300)
        history = bench.path("history")
        history.mkdir(exist_ok=True)
        try:
            return self.send_list(
                pushes, recipients, bench.template_payload,
                ("--history", history / "history.sqlite"), *options, round_trip=round_trip)
        finally:
            for file in history.iterdir():
                file.unlink()

    def send_plainly(
            self, pushes: int, *options: tuple, round_trip: int | None = None) -> Sample:
        """The least: a list of tokens and one payload for all, no history."""
        bench = self._workbench
        quiet = [("--no-history",)] if self.offers("send", "--no-history") else []
        return self.send_list(
            pushes, bench.token_list(pushes), bench.plain_payload, *quiet, *options,
            round_trip=round_trip)

    def send_all_it_can(self, pushes: int, *options: tuple) -> Sample:
        """Everything, or as much of it as this version has."""
        send = self.send_everything if self.offers("send", "--history") else self.send_plainly
        return send(pushes, *options)

    def provider_token(self) -> str:
        run = measure(
            self._workbench, self.command("token", *self.credentials()), limit=20)
        token = run.output.strip()
        if not re.fullmatch(r"[\w-]+\.[\w-]+\.[\w-]+", token):
            raise Failed("`fanfare token` printed no provider token")
        return token


def summary_of(output: str) -> dict:
    """The summary of a run: all of the output, or its last line."""
    for text in (output, (output.strip().splitlines() or [""])[-1]):
        try:
            value = json.loads(text)
        except ValueError:
            continue
        if isinstance(value, dict):
            return value
    raise Failed("`--json` printed no run summary")
