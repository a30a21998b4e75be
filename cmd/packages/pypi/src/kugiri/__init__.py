"""Kugiri, an in-memory DynamoDB, as a process that ends with this one.

    with kugiri.start(seed="testdata") as server:
        table = server.resource().Table("orders")
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
import urllib.error
import urllib.parse
import urllib.request
import uuid
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Callable, Iterable, Mapping

if TYPE_CHECKING:
    from kugiri.exploration import Report, Run

__all__ = ["Account", "Error", "Fork", "Server", "binary", "start"]


class Error(Exception):
    """The server does not start, or refuses a request of the admin API: then status is that of the answer."""

    status = 0


def binary() -> str:
    """Returns the path of the server: that of $KUGIRI_BINARY, of the package, or on the PATH."""
    name = "kugiri.exe" if sys.platform == "win32" else "kugiri"
    own = Path(__file__).parent / "bin" / name
    found = os.environ.get("KUGIRI_BINARY") or (str(own) if own.exists() else None) or shutil.which("kugiri")
    if not found:
        raise Error("this package of kugiri has no binary, because it was installed without Go, and the PATH has no "
                    "command kugiri: name a binary with KUGIRI_BINARY, or put one on the PATH (go install ./cmd/kugiri "
                    "in a clone), or install Go and then the package again")
    if not os.access(found, os.X_OK):
        raise Error(f"KUGIRI_BINARY names {found}, which is no program: name the binary of kugiri")
    return found


def start(seed: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] = (), flags: Iterable[str] = ()) -> Server:
    """Starts a server at a free port of this machine.

    seed names files and directories of tables and items that every access key begins with. flags are
    more flags of "kugiri serve". What the server logs goes to the standard error of this process. The
    server ends with stop, with the end of a with statement, and with this process, whatever ends that.
    """
    seeds = [seed] if isinstance(seed, (str, os.PathLike)) else list(seed)
    command = [binary(), "serve", "--host", "127.0.0.1", "--port", "0", "--admin", "--exit-with-stdin"]
    command += [f"--seed={os.fspath(s)}" for s in seeds] + list(flags)
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert process.stdout  # a pipe
    before = ""
    for line in process.stdout:
        text = line.decode(errors="replace")
        _, found, url = text.strip().partition("kugiri: listening at ")
        if found:
            threading.Thread(target=_log, args=(process.stdout,), daemon=True).start()
            return Server(process, url)
        before += text
    process.communicate()
    raise Error(f"kugiri does not start: {before.strip()}")


def _log(output: IO[bytes]) -> None:
    """Copies what a server logs to standard error, until the server ends."""
    with output:
        for line in output:
            os.write(2, line)


class Account:
    """What an access key of a server sees."""

    region = "us-east-1"
    _prefix = ""

    def __init__(self, url: str, access_key: str) -> None:
        self.url, self.access_key = url, access_key

    def boto3_options(self) -> dict[str, Any]:
        """Returns the arguments of boto3.client and boto3.resource. aioboto3 takes them, too."""
        return {"endpoint_url": self.url, "region_name": self.region, "aws_access_key_id": self.access_key, "aws_secret_access_key": "x"}

    def environment(self) -> dict[str, str]:
        """Returns the environment variables by which SDKs and the AWS CLI find the server."""
        return {"AWS_ENDPOINT_URL_DYNAMODB": self.url, "AWS_ENDPOINT_URL_DYNAMODB_STREAMS": self.url, "AWS_REGION": self.region,
                "AWS_DEFAULT_REGION": self.region, "AWS_ACCESS_KEY_ID": self.access_key, "AWS_SECRET_ACCESS_KEY": "x"}

    def client(self, service: str = "dynamodb", **options: Any) -> Any:
        """Returns a client of boto3, which has to be installed."""
        import boto3
        return boto3.client(service, **{**self.boto3_options(), **options})

    def resource(self, **options: Any) -> Any:
        """Returns the DynamoDB resource of boto3, which has to be installed."""
        import boto3
        return boto3.resource("dynamodb", **{**self.boto3_options(), **options})

    def admin(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """Sends a request to the admin API: admin("POST", "clock/advance", {"by": "25h"})."""
        return _request(self.url, method, self._prefix + path, body)

    def explore(self, program: Callable[[Run], Any], **options: Any) -> Report:
        """Runs the workers of a program in every order of their requests, each time on a fork of what
        this access key sees. program is called for each run. The options are the fields of
        kugiri.exploration.Options. A failure raises kugiri.exploration.ExplorationError."""
        __tracebackhide__ = True
        from kugiri import exploration
        return exploration.explore(self, program, exploration.Options(**options))

    def _origin(self) -> str | None:
        """Returns the access key that forks of this one are made from, or None: one that nobody used has
        nothing but the seed, which every fork has."""
        there = _request(self.url, "GET", "")
        known = there["accessKeys"] + [f["accessKey"] for f in there.get("forks", [])]
        return self.access_key if self.access_key in known else None


def _request(url: str, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
    """Sends a request to the admin API, and returns its answer."""
    request = urllib.request.Request(f"{url}/_kugiri/{path}", method=method,
                                     data=None if body is None else json.dumps(body).encode(),
                                     headers={"Content-Type": "application/json"})
    try:
        with _direct.open(request) as answer:
            text = answer.read()
    except urllib.error.HTTPError as e:
        with e:
            error = Error(f"{method} {path}: {e.read().decode()}")
            error.status = e.code
            raise error from None
    return json.loads(text) if text else None


# A proxy of the environment does not reach this machine.
_direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Server(Account):
    """A server, whose tables belong to access keys. Several threads may use it."""

    def __init__(self, process: subprocess.Popen[bytes], url: str) -> None:
        super().__init__(url, "test")
        self._process = process

    def fork(self, of: str | None = None, tenant: str | None = None) -> Fork:
        """Makes a fork of what every access key begins with, or of the fork with an access key. Under a
        policy it is of the tenant, or else of that of the other fork."""
        return Fork(self, of, tenant)

    def stop(self) -> None:
        """Ends the server and throws its data away."""
        self._process.kill()
        self._process.wait()
        if self._process.stdin:
            self._process.stdin.close()

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


class Fork(Account):
    """The data of an access key of its own. It takes a millisecond to make, and ends with drop or a
    with statement."""

    def __init__(self, server: Server, of: str | None = None, tenant: str | None = None) -> None:
        super().__init__(server.url, uuid.uuid4().hex)
        self._server, self._prefix = server, f"forks/{self.access_key}/"
        more = {"from": of, "tenant": tenant}
        server.admin("POST", "forks", {"accessKey": self.access_key,
                                       **{name: text for name, text in more.items() if text}})

    def fork(self, tenant: str | None = None) -> Fork:
        """Makes a fork of this one. Under a policy it is of the tenant, or else of that of this one."""
        return Fork(self._server, self.access_key, tenant)

    def drop(self) -> None:
        """Throws the data away."""
        self._server.admin("DELETE", f"forks/{urllib.parse.quote(self.access_key)}")

    def __enter__(self) -> Fork:
        return self

    def __exit__(self, *_: object) -> None:
        self.drop()
