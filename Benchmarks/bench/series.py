"""Repeated runs of several clients, one after the other, and their statistics."""

from __future__ import annotations

import sys
from statistics import median
from typing import Callable

from .processes import Failed
from .senders import Sample


class Series:
    """The samples of one client. After a failure the client is not run again."""

    def __init__(self) -> None:
        self.samples: list[Sample] = []
        self.failure: str | None = None

    def add(self, send: Callable[[], Sample]) -> None:
        if self.failure is not None:
            return
        try:
            self.samples.append(send())
        except (Failed, OSError) as failed:
            self.failure = str(failed)

    def values(self, figure: str) -> list[float]:
        return [getattr(sample, figure) for sample in self.samples]

    def median(self, figure: str) -> float:
        return median(self.values(figure))

    def ratio(self, figure: str, base: Series) -> str:
        """The median ratio to the run of `base` just before: the machine's drift cancels out."""
        if self.failure or base.failure:
            return ""
        pairs = zip(self.values(figure), base.values(figure))
        return f"{median(mine / other for mine, other in pairs):.2f}"

    def describe(self, figure: str, form: Callable[[float], str]) -> str:
        """The median and the range, or why there is none."""
        if self.failure:
            return f"failed: {self.failure}"
        values = self.values(figure)
        return f"{form(median(values))} [{form(min(values))} to {form(max(values))}]"


def interleave(runs: int, senders: dict[str, Callable[[], Sample]]) -> dict[str, Series]:
    """Runs every sender in turn, `runs` times."""
    series = {name: Series() for name in senders}
    for run in range(1, runs + 1):
        print(f"  run {run} of {runs}", file=sys.stderr)
        for name, send in senders.items():
            series[name].add(send)
    return series
