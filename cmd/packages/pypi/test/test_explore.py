"""Tests of explorations with the installed package."""

import asyncio
import re

import pytest

import kugiri
from kugiri.exploration import Allowed, CachedReads, ExplorationError

KEY = {"id": {"S": "a"}}


@pytest.fixture
def shop(kugiri_fork):
    """A counter: 10."""
    db = kugiri_fork.client()
    db.create_table(TableName="counters", BillingMode="PAY_PER_REQUEST", KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
                    AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}])
    db.put_item(TableName="counters", Item={**KEY, "n": {"N": "10"}})
    return kugiri_fork


def read(db):
    return db.get_item(TableName="counters", Key=KEY)["Item"]["n"]["N"]


def subtract(db, condition=None):
    """Takes one from the number that it has read, under a condition or without."""
    n = read(db)
    guard = {"ConditionExpression": condition, "ExpressionAttributeValues": {":n": {"N": n}}} if condition else {}
    db.put_item(TableName="counters", Item={**KEY, "n": {"N": str(int(n) - 1)}}, **guard)


def add(db):
    db.update_item(TableName="counters", Key=KEY, UpdateExpression="ADD n :d", ExpressionAttributeValues={":d": {"N": "-1"}})


def is_eight(db):
    assert read(db) == "8"


def both(work, *checks):
    def program(run):
        run.worker("alice", work)
        run.worker("bob", work)
        for check in checks:
            run.check(check)
    return program


def failure_of(explore, program, **options):
    with pytest.raises(ExplorationError) as caught:
        explore(program, **options)
    return caught.value.report.failures[0]


def test_lost_update(shop, kugiri_explore, monkeypatch):
    found = failure_of(kugiri_explore, both(subtract))
    assert found.kind == "lost update"
    assert "the condition n = :read on this PutItem would have refused it" in found.page
    assert "KUGIRI_EXPLORE='alice,bob,bob,alice' pytest test_explore.py::test_lost_update" in found.page
    assert "returns nil" not in found.page
    monkeypatch.setenv("KUGIRI_EXPLORE", found.schedule)
    assert failure_of(kugiri_explore, both(subtract)).schedule == found.schedule
    kugiri.start().stop()  # the process that runs it again starts a server, too


def test_condition(shop, kugiri_explore):
    def aborts(error):
        return "ConditionalCheckFailed" in str(error)
    report = kugiri_explore(both(lambda db: subtract(db, "n = :n")), serializable=True, aborts=aborts)
    assert report.complete and "all orders were tried" in str(report)


def test_checks_and_faults(shop, kugiri_explore):
    assert kugiri_explore(both(add, is_eight)).runs == 2
    found = failure_of(kugiri_explore, both(add, is_eight), faults=1, kinds=["lost"])
    assert found.kind == "check" and "fault: lost" in found.page


def test_cached_reads(shop, kugiri_explore):
    def twice(db):
        before, after = read(db), read(db)
        assert (before, after) != ("9", "10"), "the number went back up"

    def program(run):
        run.worker("reader", twice)
        run.worker("writer", add)
    one = {"faults": 1, "kinds": ["cached"]}
    found = failure_of(kugiri_explore, program, cached_reads=CachedReads(["reader"], lag="1s"), **one)
    assert found.kind == "worker" and "reads n: 10, which is old" in found.page
    assert ":cached1" in found.schedule
    assert kugiri_explore(program, cached_reads=CachedReads(["reader"]), **one).complete


def test_restart(shop, kugiri_explore):
    restarts = []

    def again(db):
        restarts.append(1)
        add(db)

    def program(restart):
        def define(run):
            run.worker("alice", add, restart=restart)

            @run.check
            def nine(db):
                assert read(db) == "9"
        return define

    options = {"faults": 1, "kinds": ["dies-after"]}
    assert "fault: dies-after" in failure_of(kugiri_explore, program(again), **options).page
    assert restarts
    assert failure_of(kugiri_explore, program(True), **options).kind == "check"
    assert kugiri_explore(program(None), **options).complete


def test_results_of_serial_orders(shop, kugiri_explore):
    def program(run):
        run.worker("reader", lambda db: [read(db), read(db)])
        run.worker("writer", add)
    found = failure_of(kugiri_explore, program, serializable=True)
    assert re.search(r'in no serial order reader returns\s+\["10", "9"\]', found.text)
    kugiri_explore(program, serializable=True, project=lambda worker, value, error: worker)


def test_assertions_and_errors(shop, kugiri_explore):
    def wrong(db):
        assert read(db) == "11"

    def sold_out(db):
        read(db)
        raise ValueError("sold out")
    assert failure_of(kugiri_explore, lambda run: run.worker("alice", wrong)).kind == "worker"
    assert kugiri_explore(lambda run: run.worker("alice", sold_out)).complete
    with pytest.raises(Exception, match="(?s)no worker has sent a request.*alice throws .*getItm"):
        kugiri_explore(lambda run: run.worker("alice", lambda db: db.getItm()))


def test_asyncio(shop, kugiri_explore):
    """Workers that are coroutines share an event loop, and may send several requests at a time."""
    loops = set()

    async def parallel(db):
        loops.add(asyncio.get_running_loop())
        await asyncio.gather(asyncio.to_thread(subtract, db), asyncio.to_thread(subtract, db))
    found = failure_of(kugiri_explore, lambda run: (run.worker("alice", parallel), run.check(is_eight)))
    assert "alice~1" in found.schedule and len(loops) == 1

    async def one(db):
        await asyncio.to_thread(subtract, db)
    assert failure_of(kugiri_explore, both(one)).kind == "lost update"


def test_asynchronous_clients(shop, kugiri_explore):
    """A client that is an asynchronous context manager is entered and left, as one of aioboto3."""
    left = []

    class Client:
        def __init__(self, account):
            self._db = account.client()

        async def __aenter__(self):
            return self

        async def __aexit__(self, *_):
            left.append(self)

        async def add(self):
            await asyncio.to_thread(add, self._db)
    assert kugiri_explore(both(lambda db: db.add()), client=Client).runs == 2
    assert len(left) == 2


def test_deadlock(shop, kugiri_explore):
    import threading
    found = failure_of(kugiri_explore, lambda run: run.worker("alice", lambda db: threading.Event().wait()), patience="50ms")
    assert found.kind == "deadlock" and "alice wait forever" in found.text


def test_pages(shop, kugiri_explore, tmp_path):
    with pytest.raises(ExplorationError, match=r"See it: .*test_pages-1\.html"):
        kugiri_explore(both(subtract), pages=tmp_path)
    assert "overwrites the change" in (tmp_path / "test_pages-1.html").read_text(encoding="utf-8")


def test_mistakes(shop, kugiri_explore):
    def broken(account):
        raise ValueError("no client")
    with pytest.raises(kugiri.Error, match="1 to 64"):
        kugiri_explore(lambda run: None)
    with pytest.raises(kugiri.Error, match="two workers 'alice'"):
        kugiri_explore(lambda run: (run.worker("alice", add), run.worker("alice", add)))
    with pytest.raises(kugiri.Error, match="carol"):
        kugiri_explore(both(add), schedule="carol")
    with pytest.raises(ValueError, match="no client"):
        kugiri_explore(both(add), client=broken)
    with pytest.raises(TypeError, match="fault"):
        kugiri_explore(both(add), fault=1)


def test_consumer(shop, kugiri_explore):
    """A consumer gets the records of a run, and a batch twice."""
    shop.client().update_table(TableName="counters", StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"})
    seen = []

    def handle(event, db):
        seen.append(event["Records"][0]["dynamodb"]["NewImage"]["id"]["S"])
        add(db)

    def is_nine(db):
        assert read(db) == "9"

    def program(run):
        run.worker("shop", lambda db: db.put_item(TableName="counters", Item={"id": {"S": "b"}}))
        run.consumer("invoices", "counters", handle, {
            "MaximumRetryAttempts": 0, "FilterCriteria": {"Filters": [{"Pattern": '{"eventName":["INSERT"]}'}]}})
        run.check(is_nine)

    assert "all orders were tried" in kugiri_explore(program).text
    found = failure_of(kugiri_explore, program, faults=1, kinds=["redelivered"])
    assert found.kind == "check"
    assert "fault: redelivered" in found.page
    assert set(seen) == {"b"}


def test_always(shop, kugiri_explore):
    """What has to hold between requests does not after the first one."""
    def is_ten(db):
        assert read(db) == "10"

    def program(run):
        run.worker("alice", add)
        run.always(is_ten)

    found = failure_of(kugiri_explore, program)
    assert found.kind == "invariant"
    assert "after request 1 of alice" in found.text


def test_parts(shop, kugiri_explore, monkeypatch, tmp_path):
    """Two parts of a search add their reports to a file; lost updates are allowed."""
    monkeypatch.setenv("KUGIRI_EXPLORE_REPORT", str(tmp_path / "parts"))
    for part in ("1/2", "2/2"):
        monkeypatch.setenv("KUGIRI_EXPLORE_PART", part)
        assert "all its orders were tried" in kugiri_explore(both(add), within="1h").text
    lines = (tmp_path / "parts").read_text().splitlines()
    assert ['"number": 1' in lines[0], '"number": 2' in lines[1]] == [True, True]
    monkeypatch.delenv("KUGIRI_EXPLORE_PART")
    allow = [Allowed("counters", "the last one wins")]
    assert "allowed: the last one wins" in kugiri_explore(both(subtract), allow=allow).text
