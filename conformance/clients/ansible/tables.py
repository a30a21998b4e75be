"""Runs Ansible's module of tables as its tasks do, with the sleeps of its waiters on the held clock."""

import contextlib
import functools
import io
import json
import os
import runpy
import sys
import time
import urllib.request

import boto3
from ansible.module_utils import basic
from botocore.loaders import JSONFileLoader

SERVER = os.environ["MATRIX_SERVER"]
MODULE = "ansible_collections.community.aws.plugins.modules.dynamodb_table"
KEY = {"hash_key_name": "id"}
LIMIT = 200  # how often a task may sleep

client = boto3.client("dynamodb")
basic._ANSIBLE_PROFILE = "legacy"  # as Ansible says to a module of a collection
slept = 0

# A task makes a client for each wait, which reads the SDK's model again: half of all time.
read = functools.cache(lambda path, load=JSONFileLoader.load_file: load(JSONFileLoader(), path))
JSONFileLoader.load_file = lambda self, path: read(path)


def sleep(seconds):
    """Moves the server's clock. The module, its waiters and its retries have no other sleep."""
    global slept
    slept += 1
    assert slept < LIMIT, "the task has no end"
    request = urllib.request.Request(f"{SERVER}/_kugiri/clock/advance", method="POST",
                                     data=json.dumps({"by": f"{seconds:f}s"}).encode(),
                                     headers={"Content-Type": "application/json"})
    urllib.request.urlopen(request).close()


def task(**parameters):
    """Runs the module, and returns its result and how often it slept."""
    global slept
    slept = 0
    arguments = {"ANSIBLE_MODULE_ARGS": {"name": "orders", **parameters}}
    basic._ANSIBLE_ARGS = json.dumps(arguments).encode()
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.suppress(SystemExit):
        runpy.run_module(MODULE, run_name="__main__")
    result = json.loads(output.getvalue())
    assert not result.get("failed"), result
    return result, slept


def changed(**parameters):
    """Runs a task that has to wait, and again, when there is nothing left to change."""
    result, times = task(**parameters)
    assert result["changed"] and times > 0, (result["changed"], times)
    sleep(5)  # tags are those of before until their change is done
    again, _ = task(**parameters)
    assert not again["changed"], again
    return result["table"]


def index(name, **more):
    return {"name": f"by-{name}", "type": "global_all", "hash_key_name": name, **more}


def create():
    table = changed(**KEY, billing_mode="PROVISIONED", read_capacity=5, write_capacity=5,
                    tags={"stage": "test"})
    assert table["table_status"] == "ACTIVE", table


def indexes():
    names = [index("owner"), index("state"), index("day")]
    table = changed(**KEY, indexes=names)
    found = {i["index_name"]: i["index_status"] for i in table["global_secondary_indexes"]}
    assert found == {"by-owner": "ACTIVE", "by-state": "ACTIVE", "by-day": "ACTIVE"}, found


def throughput():
    table = changed(**KEY, read_capacity=7, write_capacity=7)
    assert table["provisioned_throughput"]["read_capacity_units"] == 7, table
    table = changed(**KEY, billing_mode="PAY_PER_REQUEST")
    assert table["billing_mode"] == "PAY_PER_REQUEST", table


def table_class():
    table = changed(**KEY, table_class="STANDARD_INFREQUENT_ACCESS")
    assert table["table_class"] == "STANDARD_INFREQUENT_ACCESS", table


def tags():
    """One is new, and one is taken away, which is refused until the first is done."""
    table = changed(**KEY, tags={"owner": "shop"})
    found = client.list_tags_of_resource(ResourceArn=table["table_arn"])["Tags"]
    assert found == [{"Key": "owner", "Value": "shop"}], found


def deletion():
    result, times = task(state="absent")
    assert result["changed"] and times > 0, (result, times)
    assert client.list_tables()["TableNames"] == []


def version():
    with open("ansible_collections/community/aws/MANIFEST.json") as manifest:
        return json.load(manifest)["collection_info"]["version"]


if __name__ == "__main__":
    sys.path.insert(0, os.getcwd())
    time.sleep = sleep
    print("version", version())
    for step in (create, indexes, throughput, table_class, tags, deletion):
        name = step.__name__.removeprefix("table_")
        try:
            step()
            print("ok", name)
        except Exception as e:
            print(f"failed {name}: {type(e).__name__}: {e}".replace("\n", " "))
            break  # the next ones need this one
