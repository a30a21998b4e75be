"""Runs the workers of a program in every order of their requests: see kugiri.Server.explore.

    def program(run):
        run.worker("alice", lambda db: reserve(db, "sku1"))
        run.worker("bob", lambda db: reserve(db, "sku1"))

A worker is a function that gets a client. Each runs in a thread of its own; coroutines run in one
event loop. What a worker returns or raises is its result, and no failure by itself, unless it is an
AssertionError.
"""

from __future__ import annotations

import asyncio
import dataclasses
import inspect
import json
import os
import re
import threading
from pathlib import Path
from typing import Any, Callable, Sequence

import kugiri

__all__ = ["Allowed", "CachedReads", "ExplorationError", "Failure", "Options", "Report", "Run"]

Work = Callable[..., Any]  # of a client; of an event and a client for a consumer

# How many characters the error and the value of a worker have in reports.
_LONGEST = 4000
_MISSING: Any = object()


@dataclasses.dataclass
class CachedReads:
    """Workers that read and write through an accelerator."""

    workers: Sequence[str] = ()
    """Their names. Without it, all."""
    item_ttl: str = "5m"
    """How long items live; 0 is for good."""
    query_ttl: str = "5m"
    """How long answers of Query and Scan live; 0 is not at all."""
    lag: str = "0"
    """After which time nodes hear of each other, 1s for example. With 0 there is one node."""

    def _json(self) -> dict[str, Any]:
        return {"workers": list(self.workers), "itemTTL": self.item_ttl, "queryTTL": self.query_ttl, "lag": self.lag}


@dataclasses.dataclass
class Allowed:
    """Lost updates of a table that are no failures."""

    table: str
    reason: str
    """Why they are none, for the report."""
    kind: str = "lost update"


@dataclasses.dataclass
class Options:
    """What an exploration tries, and what is a failure."""

    client: Callable[[kugiri.Account], Any] | None = None
    """Makes the client of a worker, or of the checks: a client of boto3 without it. One that is an
    asynchronous context manager, as those of aioboto3 are, is entered."""
    faults: int = 0
    """How many requests of a run may be hit by faults."""
    kinds: Sequence[str] = ()
    """The faults: lost, error, throttled, unprocessed, conflict, stale1, stale2, stale3, cached,
    dies-before, dies-after, later, later-kept, expired, redelivered. Without it, all."""
    clock_moves: str | None = None
    """By how much the faults later and later-kept move the clock of the service: 90s."""
    cached_reads: CachedReads | None = None
    """Workers that read and write through an accelerator (DAX): the answers of its cache may be old, which
    is the fault cached."""
    serializable: bool = False
    """Each run has to end as some serial order of the workers."""
    ignore: Sequence[str] = ()
    """Attributes that serializable leaves out."""
    project: Callable[[str, Any, BaseException | None], Any] | None = None
    """What matters of a result, given the worker, its value and its error."""
    aborts: Callable[[BaseException], bool] | None = None
    """Whether an error of a worker says that it has done nothing."""
    all: bool = False
    """Go on after a failure, up to all distinct ones."""
    budget: int = 0
    """How many runs there may be: 10,000 without it."""
    within: str | None = None
    """In which time runs begin: 30s. Without it, at any time."""
    allow: Sequence[Allowed] = ()
    """Lost updates that are no failures. The report counts them."""
    longest: int = 0
    """How many requests a run may have: 200 without it."""
    seed: int = 0
    """The seed of random orders."""
    schedule: str = dataclasses.field(default_factory=lambda: os.environ.get("KUGIRI_EXPLORE", ""))
    """A schedule to run in place of a search."""
    patience: str | None = None
    """How long a worker may neither send a request nor end: 10s without it."""
    pages: str | os.PathLike[str] = dataclasses.field(default_factory=lambda: os.environ.get("KUGIRI_EXPLORE_PAGES", ""))
    """The directory for failures as pages of HTML."""
    name: str = "exploration"
    """The name of the test, for reports."""
    command: str = "pytest"
    """The command that runs it."""


@dataclasses.dataclass(frozen=True)
class Failure:
    """A run that went wrong: the shortest one."""

    kind: str
    text: str
    schedule: str
    requests: int
    switches: int
    faults: int
    page: str
    html: str


@dataclasses.dataclass(frozen=True)
class Report:
    """What an exploration has tried, and found."""

    text: str
    complete: bool
    runs: int
    orders: int
    faults: int
    faults_left: int
    pairs: int
    both_orders: int
    cut: int
    astray: int
    replayed: bool
    failures: list[Failure]

    def __str__(self) -> str:
        return self.text


class ExplorationError(AssertionError):
    """An exploration has found a failure."""

    def __init__(self, report: Report, pages: Sequence[str]) -> None:
        super().__init__("\n\n".join(pages))
        self.report = report


@dataclasses.dataclass
class _Worker:
    work: Work
    mortal: bool
    restart: Work | None
    consumes: str | None = None
    mapping: dict[str, Any] | None = None


class Run:
    """Describes a run: a program adds its workers and checks."""

    def __init__(self) -> None:
        self._workers: dict[str, _Worker] = {}
        self._checks: list[Work] = []
        self._always: list[Work] = []

    def worker(self, name: str, work: Work, *, restart: Work | bool | None = _MISSING) -> None:
        """Adds a worker. With restart it may die at a request, and then begins anew: with the same
        function (True), with another one, or not at all (None)."""
        again = work if restart is True else None if isinstance(restart, bool) or restart is _MISSING else restart
        self._add(name, _Worker(work, restart is not _MISSING, again))

    def consumer(self, name: str, table: str, handle: Callable[[Any, Any], Any],
                 mapping: dict[str, Any] | None = None) -> None:
        """Adds a consumer: a worker whose function gets the records that a run adds to the stream of a
        table, as a Lambda function with an event source mapping does: handle(event, client). If it
        raises, or dies at a request, it gets the batch again. What it returns is its response, for
        ReportBatchItemFailures. mapping has members of Lambda's CreateEventSourceMapping."""
        self._add(name, _Worker(handle, False, None, table, mapping))

    def _add(self, name: str, worker: _Worker) -> None:
        if name in self._workers:
            raise kugiri.Error(f"there are two workers {name!r}")
        self._workers[name] = worker

    def check(self, check: Work) -> Work:
        """Adds a check of what the workers have left behind. What it raises is a failure."""
        self._checks.append(check)
        return check

    def always(self, holds: Work) -> Work:
        """Adds what has to hold between requests: it is called before the first request of a run, and
        after each one that changes something. Its client only reads. What it raises is a failure."""
        self._always.append(holds)
        return holds


def explore(account: kugiri.Account, program: Callable[[Run], Any], options: Options) -> Report:
    """Explores with forks of what an account sees."""
    __tracebackhide__ = True
    exploration = _Exploration(account, program, options)
    try:
        report = exploration.loop()
    finally:
        exploration.close()
    if report.failures:
        raise ExplorationError(report, _write_pages(report, options))
    return report


class _Exploration:
    """An exploration of a server. The threads of workers tell it how these end."""

    def __init__(self, account: kugiri.Account, program: Callable[[Run], Any], options: Options) -> None:
        self._account, self._program, self._options = account, program, options
        self._clients: dict[str, Any] = {}
        self._entered: list[Any] = []  # clients that are asynchronous context managers
        self._lock = threading.RLock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._broken: BaseException | None = None
        self._first = self._define()
        self._path = "explorations/" + self._begin()["id"]

    def _define(self) -> Run:
        run = Run()
        self._program(run)
        return run

    def _begin(self) -> Any:
        o, run = self._options, self._first
        workers = [{"name": name, "mortal": w.mortal, "restarts": w.restart is not None}
                   | ({"consumes": w.consumes} if w.consumes else {}) | ({"mapping": w.mapping} if w.mapping else {})
                   for name, w in run._workers.items()]
        body = {"name": o.name, "command": o.command, "from": self._account._origin(), "region": self._account.region,
                "workers": workers, "checks": bool(run._checks), "patience": o.patience, "all": o.all, "budget": o.budget,
                "longest": o.longest, "schedule": o.schedule, "seed": o.seed, "faults": o.faults, "kinds": list(o.kinds),
                "clockMoves": o.clock_moves, "cachedReads": o.cached_reads and o.cached_reads._json(),
                "serializable": o.serializable, "ignore": list(o.ignore), "within": o.within,
                "allow": [dataclasses.asdict(a) for a in o.allow], "part": self._part(),
                "always": bool(run._always) or None}
        return self._send("POST", "explorations", {k: v for k, v in body.items() if v is not None})

    def _part(self) -> str | None:
        """Returns the part of the search that the environment names, if any."""
        whole = "1/1" if os.environ.get("KUGIRI_EXPLORE_REPORT") and not self._options.schedule else None
        return os.environ.get("KUGIRI_EXPLORE_PART") or whole

    def _send(self, method: str, path: str, body: Any = None) -> Any:
        return kugiri._request(self._account.url, method, path, body)

    def loop(self) -> Report:
        """Does what the server says is next, and returns the report."""
        run: Run | None = self._first
        while True:
            try:
                step = self._send("POST", self._path + "/next")
            except kugiri.Error:
                if self._broken:
                    raise self._broken from None
                raise
            if step["do"] == "run":
                current, run = run or self._define(), None
                for seat in step["workers"]:
                    threading.Thread(target=self._work, args=(current, step["run"], seat), daemon=True).start()
            elif step["do"] == "handle":
                threading.Thread(target=self._handle, args=(current, step), daemon=True).start()
            elif step["do"] == "check":
                self._end_checks(current._checks, step)
            elif step["do"] == "always":
                self._end_checks(current._always, step)
            elif step["do"] == "report":
                return _report_of(step["report"])

    def _work(self, run: Run, number: int, seat: dict[str, str]) -> None:
        """Runs a worker, and again for as long as it dies."""
        name, key = seat["name"], seat["accessKey"]
        try:
            if name not in run._workers:
                raise kugiri.Error(f"the first run has a worker {name!r}, and a later one has not")
            worker = run._workers[name]
            client, work = self._client(key), worker.work
            while True:
                end = {"run": number, "worker": name, **self._end_of(name, work, client)}
                if not self._send("POST", self._path + "/ended", end)["again"]:
                    return
                assert worker.restart  # the server knows that there is one
                work = worker.restart
        except BaseException as e:
            if isinstance(e, kugiri.Error) and e.status in (404, 409):
                return  # the run is over, and has left the worker behind
            self._broken = e
            self._delete()

    def _handle(self, run: Run, step: dict[str, Any]) -> None:
        """Has a consumer handle a batch of records."""
        seat = step["workers"][0]
        end: dict[str, Any] = {"run": step["run"], "worker": seat["name"], "delivery": step["delivery"]}
        try:
            worker = run._workers.get(seat["name"])
            if not worker or not worker.consumes:
                raise kugiri.Error(f"the first run has a consumer {seat['name']!r}, and a later one has not")
            client = self._client(seat["accessKey"])
            try:
                response = self._result(lambda c: worker.work(step["event"], c), client)
                if response is not None:
                    end["response"] = json.dumps(response)
            except BaseException as e:
                broken = isinstance(e, AssertionError) or not isinstance(e, Exception)
                end.update(error=_cut(_error_text(e)), broken=broken)
            self._send("POST", self._path + "/ended", end)
        except BaseException as e:
            if isinstance(e, kugiri.Error) and e.status in (404, 409):
                return  # the run is over
            self._broken = e
            self._delete()

    def _end_of(self, name: str, work: Work, client: Any) -> dict[str, Any]:
        """Runs a worker to its end, and describes that."""
        value, error = None, None
        try:
            value = self._result(work, client)
        except BaseException as e:
            error = e
        if self._options.project:
            value = self._options.project(name, value, error)
        end: dict[str, Any] = {} if value is None else {"values": [_cut(_text(value))]}
        if error is not None:
            aborted = self._options.aborts is not None and self._options.aborts(error)
            broken = isinstance(error, AssertionError) or not isinstance(error, Exception)
            end.update(error=_cut(_error_text(error)), aborted=bool(aborted), broken=broken)
        return end

    def _end_checks(self, checks: list[Work], step: dict[str, Any]) -> None:
        """Runs the checks, and says what they have found."""
        found: dict[str, Any] = {"run": step["run"]}
        client = self._client(step["accessKey"])
        for check in checks:
            try:
                self._result(check, client)
            except Exception as e:
                found["error"] = _cut(_error_text(e))
                break
        self._send("POST", self._path + "/checked", found)

    def _result(self, work: Work, client: Any) -> Any:
        result = work(client)
        return self._await(result) if inspect.isawaitable(result) else result

    def _await(self, what: Any) -> Any:
        """Waits for an awaitable in the event loop, which runs in a thread."""
        async def wait() -> Any:
            return await what

        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=self._loop.run_forever, daemon=True).start()
        return asyncio.run_coroutine_threadsafe(wait(), self._loop).result()

    def _client(self, key: str) -> Any:
        """Returns the client of an access key, which is made once."""
        with self._lock:  # a session of boto3 is not for several threads
            if key not in self._clients:
                account = kugiri.Account(self._account.url, key)
                client = self._options.client(account) if self._options.client else account.client()
                if hasattr(client, "__aenter__"):
                    self._entered.append(client)
                    client = self._await(client.__aenter__())
                self._clients[key] = client
            return self._clients[key]

    def _delete(self) -> None:
        try:
            self._send("DELETE", self._path)
        except (kugiri.Error, OSError):
            pass  # it is gone, or the server is

    def close(self) -> None:
        self._delete()
        for client in self._entered:
            self._await(client.__aexit__(None, None, None))
        if self._loop:
            self._loop.call_soon_threadsafe(self._loop.stop)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"


def _error_text(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


def _text(value: Any) -> str:
    """Returns a result as text. What the SDK adds to it about the request is different each time."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        value = {k: v for k, v in value.items() if k != "ResponseMetadata"}
    return json.dumps(value, default=str, ensure_ascii=False)


def _report_of(answer: dict[str, Any]) -> Report:
    part, reports = answer.pop("part", None), os.environ.get("KUGIRI_EXPLORE_REPORT")
    if part and reports:
        with open(reports, "a", encoding="utf-8") as file:
            file.write(json.dumps(part) + "\n")
    named = {re.sub("[A-Z]", lambda m: "_" + m[0].lower(), name): v for name, v in answer.items()}
    named.update(orders=int(answer["orders"]), failures=[Failure(**f) for f in answer["failures"]])
    return Report(**named)


def _write_pages(report: Report, options: Options) -> list[str]:
    """Writes the failures as pages of HTML, if there is a directory for them, and returns their texts."""
    texts = []
    for i, failure in enumerate(report.failures):
        text = failure.page
        if options.pages:
            Path(options.pages).mkdir(parents=True, exist_ok=True)
            file = Path(options.pages) / f"{re.sub(r'[/:*?<>|]', '-', options.name)[:100]}-{i + 1}.html"
            file.write_text(failure.html, encoding="utf-8")
            text += f"\nSee it: {file}"
        texts.append(text)
    return texts
