"""What the programs of the rows share: the lines that they print, and the server's clock."""

import json
import os
import urllib.request
from importlib.metadata import version

import boto3

SERVER = os.environ["MATRIX_SERVER"]
client = boto3.client("dynamodb")


def run(package, *steps):
    """Runs the functions, whose names are those of the steps, each after the other."""
    print("version", version(package))
    for step in steps:
        name = step.__name__.replace("_", " ")
        try:
            step()
            print("ok", name)
        except Exception as e:  # the other steps run all the same
            print(f"failed {name}: {type(e).__name__}: {e}".replace("\n", " "))


def advance(by):
    """Moves the clock of the server, such as by "25h"."""
    request = urllib.request.Request(f"{SERVER}/_kugiri/clock/advance", method="POST",
                                     data=json.dumps({"by": by}).encode(),
                                     headers={"Content-Type": "application/json"})
    urllib.request.urlopen(request).close()


def create_table(name, *keys, ttl):
    """Makes a table with keys that are strings, whose items expire."""
    client.create_table(
        TableName=name, BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{"AttributeName": key, "AttributeType": "S"} for key in keys],
        KeySchema=[{"AttributeName": key, "KeyType": kind}
                   for key, kind in zip(keys, ("HASH", "RANGE"))])
    client.update_time_to_live(TableName=name, TimeToLiveSpecification={"Enabled": True, "AttributeName": ttl})


def items(table):
    """All items of a table."""
    pages = client.get_paginator("scan").paginate(TableName=table, ConsistentRead=True)
    return [item for page in pages for item in page["Items"]]


def equal(got, want):
    assert got == want, f"{got!r} is not {want!r}"


def raised(kind, call, *args, **kwargs):
    """The exception of a kind that a call raises."""
    try:
        value = call(*args, **kwargs)
    except kind as e:
        return e
    raise AssertionError(f"no {kind.__name__}: {value!r}")
