"""Powertools for AWS Lambda: a function that charges once for each order."""

import os
from types import SimpleNamespace

os.environ["POWERTOOLS_TRACE_DISABLED"] = "true"

from aws_lambda_powertools.utilities.idempotency import DynamoDBPersistenceLayer, IdempotencyConfig, idempotent
from aws_lambda_powertools.utilities.idempotency.exceptions import (IdempotencyAlreadyInProgressError,
                                                                    IdempotencyValidationError)

from steps import advance, create_table, equal, items, raised, run

TABLE = "idempotency"
charged = []


def context(left=60_000):
    return SimpleNamespace(get_remaining_time_in_millis=lambda: left)


def function(work=lambda event: None, **options):
    """A function in a process of its own: no record is in its memory."""
    config = IdempotencyConfig(event_key_jmespath="order", **options)

    @idempotent(persistence_store=DynamoDBPersistenceLayer(table_name=TABLE), config=config)
    def handler(event, context):
        work(event)
        charged.append(event["order"])
        return {"receipt": len(charged)}
    return handler


def once():
    first = function()({"order": "once"}, context())
    again = function()({"order": "once"}, context())
    equal((first, again, charged.count("once")), ({"receipt": 1}, {"receipt": 1}, 1))
    function()({"order": "another"}, context())
    equal(charged, ["once", "another"])


def in_progress():
    """The event comes again while the function works."""
    refused = []

    def meanwhile(event):
        refused.append(raised(IdempotencyAlreadyInProgressError, function(), event, context()))
    function(meanwhile)({"order": "busy"}, context())
    equal((len(refused), charged.count("busy")), (1, 1))
    function()({"order": "busy"}, context())
    equal(charged.count("busy"), 1)



def die(event):
    os._exit(0)


def dies(order, left):
    """Runs the function in a child that dies in the midst of its work."""
    if child := os.fork():
        os.waitpid(child, 0)
        return
    function(die)({"order": order}, context(left))


def lost_time():
    """A function dies: its record holds until its time is over."""
    dies("slow", 60_000)
    raised(IdempotencyAlreadyInProgressError, function(), {"order": "slow"}, context())
    equal(charged.count("slow"), 0)
    dies("late", -1000)
    function()({"order": "late"}, context())
    equal(charged.count("late"), 1)


def payload():
    checked = {"payload_validation_jmespath": "amount"}
    function(**checked)({"order": "paid", "amount": 5}, context())
    function(**checked)({"order": "paid", "amount": 5}, context())
    raised(IdempotencyValidationError, function(**checked), {"order": "paid", "amount": 6}, context())
    equal(charged.count("paid"), 1)


def failure():
    """An order that failed is charged when it comes again."""
    def refuse(event):
        raise LookupError("no card")
    equal(str(raised(LookupError, function(refuse), {"order": "failed"}, context())), "no card")
    function()({"order": "failed"}, context())
    equal(charged.count("failed"), 1)


def expiry():
    function(expires_after_seconds=3600)({"order": "old"}, context())
    advance("30m")
    function()({"order": "old"}, context())
    equal(charged.count("old"), 1)
    advance("96h")
    equal(items(TABLE), [])
    function()({"order": "old"}, context())
    equal(charged.count("old"), 2)


create_table(TABLE, "id", ttl="expiration")
run("aws-lambda-powertools", once, in_progress, lost_time, payload, failure, expiry)
