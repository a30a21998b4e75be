"""python-dynamodb-lock: two workers that lock the same orders."""

import queue
import time
from contextlib import contextmanager
from datetime import timedelta

import boto3
from python_dynamodb_lock.python_dynamodb_lock import DynamoDBLockClient, DynamoDBLockError

from steps import advance, client, equal, items, raised, run

LEASE = timedelta(seconds=1)
TRY = {"retry_period": timedelta(milliseconds=50), "retry_timeout": timedelta(milliseconds=100)}
WAIT = {"retry_period": timedelta(milliseconds=100), "retry_timeout": timedelta(seconds=20)}


@contextmanager
def worker(heartbeat=timedelta(milliseconds=200), **options):
    locks = DynamoDBLockClient(boto3.resource("dynamodb"), table_name="locks", heartbeat_period=heartbeat,
                               safe_period=LEASE * 0.8, lease_duration=LEASE, **options)
    try:
        yield locks
    finally:
        locks.close(release_locks=True)


def stop(locks):
    """Ends the heartbeats, as the death of the worker does. Its locks stay."""
    locks._shutting_down = True
    locks._heartbeat_sender_thread.join()
    locks._heartbeat_checker_thread.join()


def refused(code, call, *args, **kwargs):
    equal(raised(DynamoDBLockError, call, *args, **kwargs).code, code)


def table():
    DynamoDBLockClient.create_dynamodb_table(client, table_name="locks")
    equal(client.describe_time_to_live(TableName="locks")["TimeToLiveDescription"],
          {"TimeToLiveStatus": "ENABLED", "AttributeName": "expiry_time"})


def lease():
    with worker(owner_name="ann") as ann, worker(owner_name="bob") as bob:
        held = ann.acquire_lock("order", additional_attributes={"reason": "shipping"})
        found, = items("locks")
        equal((found["owner_name"], found["reason"]), ({"S": "ann"}, {"S": "shipping"}))
        refused("ACQUIRE_TIMEOUT", bob.acquire_lock, "order", **TRY)
        bob.acquire_lock("order", sort_key="another", **TRY).release(best_effort=False)
        held.release(best_effort=False)
        bob.acquire_lock("order", **TRY).release(best_effort=False)
    equal(items("locks"), [])


def heartbeats():
    """Who waits for longer than a lease does not get a lock whose holder lives."""
    with worker() as ann, worker() as bob:
        held = ann.acquire_lock("order")
        before = items("locks")[0]["record_version_number"]
        refused("ACQUIRE_TIMEOUT", bob.acquire_lock, "order", retry_period=TRY["retry_period"],
                retry_timeout=LEASE * 2)
        assert items("locks")[0]["record_version_number"] != before
        held.release(best_effort=False)


def takeover():
    """The holder dies. Who waits gets the lock after a lease, and the first cannot release it."""
    with worker() as bob:
        with worker() as ann:
            held = ann.acquire_lock("order")
            stop(ann)
            began = time.monotonic()
            taken = bob.acquire_lock("order", **WAIT)
            assert time.monotonic() - began > LEASE.total_seconds()
            refused("LOCK_STOLEN", held.release, best_effort=False)
        equal(items("locks")[0]["owner_name"]["S"], taken.owner_name)
        taken.release(best_effort=False)
    equal(items("locks"), [])


def callback():
    """A holder whose lock another has taken is told."""
    told = queue.Queue()
    with worker() as ann:
        ann.acquire_lock("order", app_callback=lambda code, lock: told.put(code))
        client.update_item(TableName="locks", Key={"lock_key": {"S": "order"}, "sort_key": {"S": "-"}},
                           UpdateExpression="SET record_version_number = :v, owner_name = :bob",
                           ExpressionAttributeValues={":v": {"S": "bobs"}, ":bob": {"S": "bob"}})
        equal(told.get(timeout=20), "LOCK_STOLEN")
    client.delete_item(TableName="locks", Key={"lock_key": {"S": "order"}, "sort_key": {"S": "-"}})


def expiry():
    """What a worker left that died is gone after its hour, and some days more."""
    with worker() as ann:
        ann.acquire_lock("order")
        stop(ann)
        ann._locks.clear()
    advance("30m")
    equal(len(items("locks")), 1)
    advance("96h")
    equal(items("locks"), [])


run("python-dynamodb-lock", table, lease, heartbeats, takeover, callback, expiry)
