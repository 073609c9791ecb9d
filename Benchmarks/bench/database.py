"""A PostgreSQL server of the benchmark's own."""

from __future__ import annotations

import glob
import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path

from .processes import Failed, first_words

BESIDE_PATH = ("/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin")


class Database:
    """A server with its usual settings, on the server's core. Use it in a `with`; `url` names it."""

    def __init__(self, workbench):
        self._workbench = workbench

    def __enter__(self) -> Database:
        # The path of a Unix socket has 103 bytes at most.
        self._folder = Path(tempfile.mkdtemp(prefix="fanfare-pg-", dir="/tmp"))
        try:
            # PostgreSQL does not run as root.
            if os.geteuid() == 0:
                shutil.chown(self._folder, "nobody")
            self._run("initdb", "--username=fanfare", "--auth=trust", "--encoding=UTF8")
            self._run(
                "pg_ctl", "start", "--wait", f"--log={self._folder}/log",
                f"--options=-c listen_addresses= -c unix_socket_directories={self._folder} "
                "-c shared_buffers=256MB")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_) -> None:
        try:
            self._run("pg_ctl", "stop", "--mode=immediate")
        except (Failed, OSError):
            pass
        shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def url(self) -> str:
        return f"postgresql:///postgres?host={self._folder}&user=fanfare"

    def _run(self, program: str, *words: str) -> None:
        command = [
            *self._workbench.tools.server_pin, *as_nobody(), self._path(program),
            f"--pgdata={self._folder}/data", *words]
        with (self._folder / "output").open("w+") as output:
            done = subprocess.run(
                command, cwd="/", stdin=subprocess.DEVNULL, stdout=output, stderr=output, check=False)
            output.seek(0)
            if done.returncode != 0:
                raise Failed(f"{program} failed: {first_words(output.read(), self._workbench)}")

    @staticmethod
    def _path(program: str) -> str:
        found = [
            path for folder in BESIDE_PATH for path in sorted(glob.glob(f"{folder}/{program}"))]
        path = shutil.which(program) or (found[-1] if found else None)
        if path is None:
            raise Failed(f"{program} of PostgreSQL not found")
        return path


def as_nobody() -> list[str]:
    if os.geteuid() != 0:
        return []
    nobody = pwd.getpwnam("nobody")
    return ["setpriv", f"--reuid={nobody.pw_uid}", f"--regid={nobody.pw_gid}", "--clear-groups"]
