"""The programs a benchmark needs, and the cores it pins them to."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

NEEDED = ("h2load", "curl", "openssl", "cc", "pkg-config")


class Missing(Exception):
    """Something without which nothing can be measured; the text is one sentence."""


@dataclass(frozen=True)
class Tools:
    """Where the measured binary is, and whether cores can be chosen."""

    fanfare: Path
    client_pin: tuple[str, ...]
    server_pin: tuple[str, ...]

    @staticmethod
    def find(fanfare: Path) -> Tools:
        absent = [name for name in NEEDED if shutil.which(name) is None]
        if absent:
            raise Missing(
                f"{', '.join(absent)} not found; Scripts/install-dependencies --development "
                "installs what is missing.")
        if not os.access(fanfare, os.X_OK) or fanfare.is_dir():
            raise Missing(
                f"there is no fanfare binary at {fanfare}; build it with "
                "'swift build -c release', or name another with --fanfare.")
        return Tools(fanfare.resolve(), *pins())

    @property
    def pinned(self) -> bool:
        return bool(self.client_pin)


def pins() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The command prefixes that keep the client and the server on a core of their own."""
    if shutil.which("taskset") is None or not hasattr(os, "sched_getaffinity"):
        return (), ()
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2:
        return (), ()
    return tuple(("taskset", "-c", str(core)) for core in cores[:2])


def release_binary(package: Path) -> Path:
    """Where SwiftPM puts the release build; the folder depends on the build system and platform."""
    command = ["swift", "build", "-c", "release", "--show-bin-path"]
    try:
        done = subprocess.run(command, cwd=package, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise Missing(
            "'swift build -c release --show-bin-path' failed; name a binary with --fanfare.") from error
    return Path(done.stdout.strip()) / "fanfare"


def first_line(*command: str) -> str:
    """What a tool says of its own version."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return (done.stdout or done.stderr).strip().split("\n")[0]


def compile_c(source: Path, binary: Path, *packages: str) -> None:
    """Compiles one C file against the named pkg-config packages."""
    flags = pkg_config(*packages) if packages else []
    command = ["cc", "-O2", "-Wall", "-Wextra", "-Werror", "-o", str(binary), str(source), *flags]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Missing(f"cannot compile {source.name}: {done.stderr.strip().splitlines()[0]}")


def pkg_config(*packages: str) -> list[str]:
    command = ["pkg-config", "--cflags", "--libs", *packages]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Missing(
            f"pkg-config does not know {' and '.join(packages)}; "
            "Scripts/install-dependencies installs them.")
    return done.stdout.split()
