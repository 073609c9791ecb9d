"""Starting, measuring and ending processes."""

from __future__ import annotations

import json
import os
import select
import subprocess
import time
from dataclasses import dataclass

SECONDS_TO_START = 20
SECONDS_TO_END = 15


class Failed(Exception):
    """A step that could not be measured; the text is the reason, for the table."""


@dataclass(frozen=True)
class Measurement:
    """One process: seconds, bytes, and what it wrote to standard output."""

    wall: float
    cpu: float
    resident: int
    status: int
    output: str


def measure(
        workbench, command, *, limit, environment=None, statuses=(0,), name="stopwatch"
) -> Measurement:
    """Runs a client on the client's core; `limit` is in seconds. Clients that run at the same time
    need different names.

    Raises `Failed` when it ends otherwise than with one of `statuses`.
    """
    result = workbench.path(f"{name}.json")
    watched = [str(workbench.stopwatch), str(limit), str(result), *map(str, command)]
    process = subprocess.Popen(
        [*workbench.tools.client_pin, *watched], env=environment or workbench.environment(),
        cwd=workbench.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True)
    try:
        output, errors = process.communicate(timeout=limit + SECONDS_TO_END)
    except subprocess.TimeoutExpired:
        raise Failed(f"did not end within {limit} s") from None
    finally:
        end(process)
    if process.returncode != 0:
        raise Failed(f"the stopwatch failed: {first_words(errors, workbench)}")
    return read_result(json.loads(result.read_text()), output, errors, limit, statuses, workbench)


def read_result(result, output, errors, limit, statuses, workbench) -> Measurement:
    if result["timedOut"]:
        raise Failed(f"did not end within {limit} s")
    if result["status"] not in statuses:
        raise Failed(f"exit status {result['status']}: {first_words(errors or output, workbench)}")
    return Measurement(
        wall=result["wall"], cpu=result["user"] + result["system"], resident=result["resident"],
        status=result["status"], output=output)


def first_words(text: str, workbench) -> str:
    """The first line of what a program said, short, and without the temporary folder's path."""
    lines = text.replace(str(workbench.folder) + "/", "").strip().splitlines()
    return lines[0][:160] if lines else "it said nothing"


def end(process: subprocess.Popen) -> None:
    """Ends a process that may still run: politely, then for good."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


class Server:
    """A server on the server's core, which prints one JSON line when it is ready.

    Use it in a `with`. `ready` is that line; `last` what it printed when it ended.
    """

    def __init__(self, workbench, command):
        self._workbench = workbench
        self._command = [*workbench.tools.server_pin, *map(str, command)]
        self._output = b""
        self.ready: dict = {}
        self.last: dict = {}

    def __enter__(self) -> Server:
        self._errors = self._workbench.path("server.stderr").open("w+")
        self._process = subprocess.Popen(
            self._command, env=self._workbench.environment(), cwd=self._workbench.folder,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors)
        try:
            self.ready = self._first_line()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_) -> None:
        if self._process.poll() is None:
            self._process.terminate()
        try:
            output, _ = self._process.communicate(timeout=SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            output = b""
        finally:
            end(self._process)
            self._errors.close()
        self._output += output
        self.last = self._last_line()

    def _last_line(self) -> dict:
        lines = self._output.decode(errors="replace").splitlines()
        try:
            return parse_object(lines[-1]) if lines else {}
        except Failed:
            return {}

    def _first_line(self) -> dict:
        deadline = time.monotonic() + SECONDS_TO_START
        while b"\n" not in self._output:
            self._output += self._next_piece(deadline)
        return parse_object(self._output.decode(errors="replace").splitlines()[0])

    def _next_piece(self, deadline: float) -> bytes:
        stream = self._process.stdout
        wait = max(0.0, deadline - time.monotonic())
        if not select.select([stream], [], [], wait)[0]:
            raise Failed(f"the server was not ready within {SECONDS_TO_START} s")
        piece = os.read(stream.fileno(), 65536)
        if not piece:
            raise Failed(f"the server ended at once: {self._complaint()}")
        return piece

    def _complaint(self) -> str:
        self._errors.seek(0)
        return first_words(self._errors.read(), self._workbench)


def parse_object(text: str) -> dict:
    try:
        value = json.loads(text)
    except ValueError:
        raise Failed(f"expected a JSON object, not {text.strip()[:80]!r}") from None
    if not isinstance(value, dict):
        raise Failed("expected a JSON object")
    return value
