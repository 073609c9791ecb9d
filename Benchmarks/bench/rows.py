"""A row of the table, and its figures as text."""

from __future__ import annotations

from dataclasses import dataclass

from .plan import NO_TARGET, Target


@dataclass(frozen=True)
class Row:
    what: str
    measured: str
    ratio: str = ""
    target: Target = NO_TARGET


def per_second(value: float) -> str:
    return f"{value:,.0f}/s"


def microseconds(value: float) -> str:
    return f"{value:.2f} µs"


def milliseconds(value: float) -> str:
    return f"{value:.1f} ms"


def mebibytes(value: float) -> str:
    return f"{value / (1 << 20):.1f} MiB"
