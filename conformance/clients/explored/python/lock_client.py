"""python-dynamodb-lock: a balance that is read and written under a lock."""

from datetime import timedelta

from explored import create_table, verdicts
from python_dynamodb_lock.python_dynamodb_lock import DynamoDBLockClient, DynamoDBLockError

MOMENT = timedelta(milliseconds=1)
ANN = {"id": "ann"}


def under_lock(db, work):
    locks = DynamoDBLockClient(db, table_name="locks")
    try:
        lock = locks.acquire_lock("ann", retry_period=MOMENT, retry_timeout=MOMENT)  # tries twice
        try:
            work()
        finally:
            lock.release(best_effort=True)
    finally:
        locks._shutting_down = True  # close() waits for threads that sleep


def subtract(db):
    accounts = db.Table("accounts")

    def work():
        it = accounts.get_item(Key=ANN, ConsistentRead=True)["Item"]
        accounts.put_item(Item={**it, "balance": it["balance"] - 1})
    under_lock(db, work)


def is_free(db):
    """A lock that nobody holds can be taken."""
    under_lock(db, lambda: None)


def set_up(db):
    create_table(db, "locks", "lock_key", "sort_key")
    create_table(db, "accounts", "id")
    db.Table("accounts").put_item(Item={**ANN, "balance": 10})


def refused(error):
    return isinstance(error, DynamoDBLockError) and error.code == DynamoDBLockError.ACQUIRE_TIMEOUT


BOTH = {"alice": subtract, "bob": subtract}
STALE = {"faults": 1, "kinds": ["stale1", "stale2", "stale3"]}
verdicts("python-dynamodb-lock", set_up, [
    {"name": "two holders, one after the other", "workers": BOTH, "check": is_free},
    {"name": "two holders, a read of the lock is stale", "workers": BOTH, "check": is_free, "options": STALE},
    {"name": "one holder, one answer lost", "workers": {"alice": subtract}, "check": is_free,
     "options": {"faults": 1, "kinds": ["lost"]}, "finds": "check"},
    {"name": "one holder, one throttled request", "workers": {"alice": subtract}, "check": is_free,
     "options": {"faults": 1, "kinds": ["throttled"]}},
])
