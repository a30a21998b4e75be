"""Explores programs that use a library, each on a fork of the same tables, and prints what it finds.
Ends with status 1 if that is not what a program says."""

import os
import sys

import boto3

import kugiri
from kugiri.exploration import ExplorationError

failed = False


def verdicts(library, set_up, programs):
    """programs are dictionaries: name, workers (functions of a resource by name), check, options, finds."""
    print(library)
    server = kugiri.start()
    try:
        set_up(server.resource())
        for program in programs:
            verdict(server, **program)
    finally:
        server.stop()
    sys.stdout.flush()
    os._exit(1 if failed else 0)  # threads of libraries go on


def verdict(server, name, workers, check=None, options=None, finds=None):
    global failed

    def define(run):
        for worker, work in workers.items():
            run.worker(worker, work)
        if check:
            run.check(check)

    def client(account):
        return boto3.resource("dynamodb", **account.boto3_options())
    found = None
    try:
        report = server.explore(define, client=client, name=name, command="python", **(options or {}))
    except ExplorationError as e:
        report, found = e.report, e.report.failures[0]
    print(f"  {name}: {f'{found.kind}: {found.schedule}' if found else report}")
    if found and os.environ.get("PAGES"):
        print(found.page)
    if (found.kind if found else None) != finds or not found and not report.complete:
        print(f"  expected: {finds or 'to pass in all orders'}\n{found.page if found else ''}")
        failed = True


def create_table(db, name, *keys):
    db.create_table(
        TableName=name, BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{"AttributeName": k, "AttributeType": "S"} for k in keys],
        KeySchema=[{"AttributeName": k, "KeyType": t} for k, t in zip(keys, ("HASH", "RANGE"))])
