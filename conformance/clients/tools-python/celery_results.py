"""Celery: a worker that keeps its results in a table, for an hour."""

from celery import Celery, chord
from celery.contrib.testing.worker import start_worker
from celery.exceptions import TimeoutError

from steps import advance, client, equal, items, raised, run

app = Celery("shop", broker="memory://", backend="dynamodb://@us-east-1/results?ttl_seconds=3600")


@app.task
def total(prices):
    return sum(prices)


@app.task
def price(article):
    return len(article)


@app.task
def refuse():
    raise ValueError("there is no such article")


def table():
    app.backend.client  # makes the table
    equal(client.describe_table(TableName="results")["Table"]["TableStatus"], "ACTIVE")
    equal(client.describe_time_to_live(TableName="results")["TimeToLiveDescription"],
          {"TimeToLiveStatus": "ENABLED", "AttributeName": "ttl"})


def results():
    equal(price.delay("chair").get(timeout=20), 5)
    failed = refuse.delay()
    equal(str(raised(ValueError, failed.get, timeout=20)), "there is no such article")
    equal((failed.state, failed.result.args), ("FAILURE", ("there is no such article",)))
    raised(TimeoutError, app.AsyncResult("another").get, timeout=0.2)


def chord_():
    """The body runs once, when the counter in the table says that the last part is done."""
    articles = ["chair", "table", "lamp", "bed"] * 3
    equal(chord([price.s(a) for a in articles])(total.s()).get(timeout=20), 51)
    raised(Exception, chord([price.s("chair"), refuse.s()])(total.s()).get, timeout=20)


def forget():
    kept, gone = price.delay("chair"), price.delay("lamp")
    equal((kept.get(timeout=20), gone.get(timeout=20)), (5, 4))
    gone.forget()
    states = [app.AsyncResult(result.id).state for result in (kept, gone)]
    equal(states, ["SUCCESS", "PENDING"])


def expiry():
    result = price.delay("bed")
    equal(result.get(timeout=20), 3)
    advance("30m")
    equal(app.AsyncResult(result.id).get(timeout=1), 3)
    advance("96h")  # the service may take days to delete what has expired
    equal(app.AsyncResult(result.id).state, "PENDING")
    equal(items("results"), [])


chord_.__name__ = "chord"
with start_worker(app, pool="solo", perform_ping_check=False, loglevel="ERROR", shutdown_timeout=30):
    run("celery", table, results, chord_, forget, expiry)
