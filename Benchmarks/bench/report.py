"""The table, and the part of a document it replaces."""

from __future__ import annotations

import os
import platform
from datetime import date
from pathlib import Path

from .plan import Plan
from .steps import Results, Row
from .tools import Missing, Tools, first_line

# The parts of a document that are replaced, by the comments around them.
MEASURED = ("<!-- bench:begin -->", "<!-- bench:end -->")
COUNTS = ("<!-- counts:begin -->", "<!-- counts:end -->")


def render(results: Results, tools: Tools, plan: Plan) -> str:
    heading = [
        "| what | measured | ratio | target now | target next |",
        "| --- | --- | --- | --- | --- |"]
    lines = [*conditions(tools, plan), "", *heading, *map(table_row, results.rows)]
    if results.notes:
        lines += ["", *results.notes]
    return "\n".join(lines)


def table_row(row: Row) -> str:
    cells = (row.what, row.measured, row.ratio, row.target.now, row.target.next)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def conditions(tools: Tools, plan: Plan) -> list[str]:
    """Under what the figures were taken: they mean nothing without it."""
    pinning = (
        "Client and server each pinned to a core of its own." if tools.pinned
        else "Nothing was pinned to a core: `taskset` or a second core is missing.")
    versions = f"{first_line('h2load', '--version')}; {curl_version()}"
    return [
        f"Measured on {date.today().isoformat()}: {machine()}; {versions}.",
        f"{pinning} One connection. Median of {plan.runs} runs ({plan.single_runs} for one push),",
        "the range in brackets. A ratio is the median of the ratios to the run of `h2load` or",
        "`curl` just before; for memory, to the shortest list."]


def curl_version() -> str:
    return " ".join(first_line("curl", "--version").split()[:2])


def machine() -> str:
    return f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, {processor()}"


def processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return first_line("sysctl", "-n", "machdep.cpu.brand_string")
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else "unknown processor"


# ---- The document


def require_markers(document: Path, markers: tuple[str, str] = MEASURED) -> None:
    """Before anything is measured: that the result will have a place."""
    begin, end = markers
    if not document.is_file():
        raise Missing(f"there is no {document} to write to.")
    text = document.read_text()
    if not 0 <= text.find(begin) < text.find(end):
        raise Missing(f"{document} lacks the comments {begin} and {end}, in this order.")


def write(table: str, document: Path, markers: tuple[str, str] = MEASURED) -> None:
    begin, end = markers
    text = document.read_text()
    before, rest = text.split(begin, 1)
    after = rest.split(end, 1)[1]
    document.write_text(f"{before}{begin}\n{table}\n{end}{after}")
