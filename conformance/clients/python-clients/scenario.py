"""What the programs of the rows share: the lines that they print, and the admin API."""

import asyncio
import json
import os
import urllib.request
from contextlib import contextmanager

SERVER = os.environ["MATRIX_SERVER"]


def run(version, steps, left_out=()):
    """Runs functions by the names of their steps, each after the other."""
    print("version", version)
    for name, step in steps.items():
        try:
            result = step()
            if asyncio.iscoroutine(result):
                asyncio.run(result)
            print("ok", name)
        except Exception as e:  # the other steps run all the same
            print(f"failed {name}: {type(e).__name__}: {e}".replace("\n", " "))
    for name, reason in dict(left_out).items():
        print(f"left out {name}: {reason}")


async def run_async(version, steps, left_out=()):
    """run for coroutines that share a loop."""
    print("version", version)
    for name, step in steps.items():
        try:
            await step()
            print("ok", name)
        except Exception as e:
            print(f"failed {name}: {type(e).__name__}: {e}".replace("\n", " "))
    for name, reason in dict(left_out).items():
        print(f"left out {name}: {reason}")


def admin(method, path, body=None):
    """Calls the admin API."""
    request = urllib.request.Request(f"{SERVER}/_kugiri/{path}", method=method,
                                     data=json.dumps(body).encode() if body is not None else None,
                                     headers={"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


@contextmanager
def unprocessed(operation):
    """Leaves half of what the first two calls of an operation ask for unprocessed."""
    admin("POST", "faults", {"when": {"operation": operation, "first": 2}, "do": {"unprocessed": 0.5}})
    yield
    hits = sum(f["hits"] for f in admin("DELETE", "faults")["faults"])
    assert hits == 2, f"{hits} requests were left unprocessed"


def equal(got, want):
    assert got == want, f"{got!r} is not {want!r}"
