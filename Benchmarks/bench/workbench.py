"""The temporary folder of a benchmark run: certificates, a key, payloads, token lists, servers."""

from __future__ import annotations

import base64
import os
import secrets
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from .processes import Failed
from .tools import Missing, Tools, compile_c

KEY_ID = "BENCH12345"
TEAM_ID = "TEAM123456"
BUNDLE_ID = "com.example.app"

# Both are 100 bytes on the wire: a name always has eight letters.
PLAIN_PAYLOAD = (
    '{"aps":{"alert":{"title":"Somebody","body":"The world of push alerts"},'
    '"sound":"default","badge":2}}')
TEMPLATE_PAYLOAD = PLAIN_PAYLOAD.replace("Somebody", "{{name}}")

BUNDLES = (
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem")
HASHED_DIRECTORIES = ("/etc/ssl/certs", "/etc/pki/tls/certs")


class Workbench:
    """Everything that is made at run time and removed afterwards. Use it in a `with`."""

    def __init__(self, tools: Tools, sources: Path):
        self.tools = tools
        self._folder = tempfile.TemporaryDirectory(prefix="fanfare-bench-")
        self.folder = Path(self._folder.name)
        self._sources = sources

    def __enter__(self) -> Workbench:
        try:
            self._build()
        except BaseException:
            self._folder.cleanup()
            raise
        return self

    def __exit__(self, *_) -> None:
        self._folder.cleanup()

    def path(self, name: str) -> Path:
        return self.folder / name

    def _build(self) -> None:
        self.sink = self.path("sink")
        self.stopwatch = self.path("stopwatch")
        self.delay = self.path("delay")
        compile_c(self._sources / "sink.c", self.sink, "libnghttp2", "openssl")
        compile_c(self._sources / "stopwatch.c", self.stopwatch)
        compile_c(self._sources / "delay.c", self.delay)
        self.key = self._make_signing_key()
        self.ca = self._make_certificates()
        self.plain_payload = self._write("plain.json", PLAIN_PAYLOAD)
        self.template_payload = self._write("template.json", TEMPLATE_PAYLOAD)

    def _write(self, name: str, text: str) -> Path:
        self.path(name).write_text(text)
        return self.path(name)

    # Nothing of the user's is read or written: no profile, no history, no token cache, no proxy.
    def environment(self, **changes: str) -> dict[str, str]:
        ignored = ("FANFARE_", "SSL_CERT_", "CURL_CA_BUNDLE", "XDG_")
        kept = {
            name: value for name, value in os.environ.items()
            if not name.startswith(ignored) and not name.lower().endswith("_proxy")}
        folder = str(self.folder)
        return {**kept, "HOME": folder, "TMPDIR": folder, "LC_ALL": "C", **changes}

    # ---- Keys and certificates

    def _openssl(self, *arguments: str) -> str:
        done = subprocess.run(
            ["openssl", *arguments], cwd=self.folder, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            reason = (done.stderr.strip() or "no reason given").splitlines()[0]
            raise Missing(f"openssl {arguments[0]} failed: {reason}")
        return done.stdout

    def _make_signing_key(self) -> Path:
        name = f"AuthKey_{KEY_ID}.p8"
        self._openssl(
            "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", name)
        self.path(name).chmod(0o600)
        return self.path(name)

    def _make_certificates(self) -> Path:
        curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
        self._write("ca.cnf", CA_CONFIGURATION)
        self._write("server.cnf", SERVER_EXTENSIONS)
        self._openssl(
            "req", "-x509", *curve, "-config", "ca.cnf", "-days", "2",
            "-keyout", "ca.key", "-out", "ca.pem")
        self._openssl(
            "req", "-new", *curve, "-config", "ca.cnf", "-subj", "/CN=localhost",
            "-keyout", "server.key", "-out", "server.csr")
        self._openssl(
            "x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key",
            "-CAcreateserial", "-days", "2", "-extfile", "server.cnf", "-out", "server.pem")
        return self.path("ca.pem")

    def system_bundle(self) -> Path:
        """The system's whole certificate bundle plus the benchmark's own, in one file."""
        found = next((Path(path) for path in BUNDLES if Path(path).is_file()), None)
        if found is None:
            raise Failed("this system has no certificate bundle")
        return self._write("system.pem", found.read_text() + self.ca.read_text())

    def system_directory(self) -> Path:
        """The system's hashed certificate directory plus the benchmark's own, as links."""
        found = next((Path(path) for path in HASHED_DIRECTORIES if any_hashed(path)), None)
        if found is None:
            raise Failed("this system has no hashed certificate directory")
        directory = self.path("system-certificates")
        directory.mkdir(exist_ok=True)
        digest = self._openssl("x509", "-noout", "-hash", "-in", "ca.pem").strip()
        links = {entry.name: entry.resolve() for entry in found.glob("*.[0-9]")}
        links[f"{digest}.0"] = self.ca
        for name, certificate in links.items():
            if not (directory / name).is_symlink():
                (directory / name).symlink_to(certificate)
        return directory

    # ---- Recipients

    def device_token(self) -> str:
        return secrets.token_hex(32)

    def token_list(self, count: int) -> Path:
        """A text list: a token a line under a comment."""
        return self._list(f"tokens-{count}.txt", "# Made by Benchmarks/run\n", count, text_rows)

    def recipient_list(self, count: int) -> Path:
        """A CSV list with a variable, `name`, of eight letters."""
        return self._list(f"recipients-{count}.csv", "token,name\n", count, csv_rows)

    def _list(self, name: str, header: str, count: int, rows) -> Path:
        path = self.path(name)
        if path.exists():
            return path
        self.require_space(count * 300)
        with path.open("w") as file:
            file.write(header)
            for start in range(0, count, 10_000):
                file.write(rows(secrets.token_bytes(32 * min(10_000, count - start)).hex()))
        return path

    def require_space(self, size: int) -> None:
        free = shutil.disk_usage(self.folder).free
        if free < size:
            raise Failed(f"needs {size >> 20} MiB of temporary space and there are {free >> 20}")


def any_hashed(directory: str) -> bool:
    return any(Path(directory).glob("*.0"))


def text_rows(digits: str) -> str:
    return "".join(digits[at:at + 64] + "\n" for at in range(0, len(digits), 64))


def csv_rows(digits: str) -> str:
    tokens = (digits[at:at + 64] for at in range(0, len(digits), 64))
    return "".join(f"{token},{token[:8]}\n" for token in tokens)


def token_of_usual_size() -> str:
    """A string shaped like a provider token, for servers that check nothing."""
    def part(data: bytes) -> str:
        return base64.urlsafe_b64encode(data).rstrip(b"=").decode()

    header = f'{{"alg":"ES256","kid":"{KEY_ID}"}}'
    claims = f'{{"iss":"{TEAM_ID}","iat":{int(time.time())}}}'
    return ".".join((part(header.encode()), part(claims.encode()), part(secrets.token_bytes(64))))


CA_CONFIGURATION = """\
[req]
distinguished_name = name
x509_extensions = extensions
prompt = no
[name]
CN = fanfare benchmark CA
[extensions]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign
subjectKeyIdentifier = hash
"""

SERVER_EXTENSIONS = """\
basicConstraints = CA:FALSE
keyUsage = digitalSignature
extendedKeyUsage = serverAuth
subjectAltName = IP:127.0.0.1, DNS:localhost
"""
