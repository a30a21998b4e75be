"""PyIceberg: two jobs that share a catalog of tables, whose files are in a directory."""

import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from pyiceberg.catalog.dynamodb import DynamoDbCatalog
from pyiceberg.exceptions import (NamespaceAlreadyExistsError, NamespaceNotEmptyError, NoSuchNamespaceError,
                                  NoSuchTableError, TableAlreadyExistsError)
from pyiceberg.schema import Schema
from pyiceberg.types import LongType, NestedField, StringType

from steps import equal, raised, run

ORDERS = Schema(NestedField(1, "id", LongType(), required=True), NestedField(2, "state", StringType()))
warehouse = tempfile.mkdtemp()


def catalog():
    """The catalog in a job of its own."""
    return DynamoDbCatalog("jobs", warehouse=f"file://{warehouse}", **{
        "table-name": "catalog", "py-io-impl": "pyiceberg.io.fsspec.FsspecFileIO"})


def namespaces():
    catalog().create_namespace("shop", {"owner": "ann"})
    catalog().create_namespace("log")
    raised(NamespaceAlreadyExistsError, catalog().create_namespace, "shop")
    equal(sorted(catalog().list_namespaces()), [("log",), ("shop",)])
    summary = catalog().update_namespace_properties("shop", removals={"owner", "none"}, updates={"team": "sales"})
    equal((summary.removed, summary.updated, summary.missing), (["owner"], ["team"], ["none"]))
    equal(catalog().load_namespace_properties("shop"), {"team": "sales"})
    raised(NoSuchNamespaceError, catalog().load_namespace_properties, "none")


def tables():
    made = catalog().create_table("shop.orders", ORDERS, properties={"kind": "facts"})
    found = catalog().load_table("shop.orders")
    equal((found.schema(), found.metadata_location), (made.schema(), made.metadata_location))
    assert Path(found.metadata_location.removeprefix("file://")).exists()
    raised(TableAlreadyExistsError, catalog().create_table, "shop.orders", ORDERS)
    raised(NoSuchNamespaceError, catalog().create_table, "none.orders", ORDERS)
    raised(NoSuchTableError, catalog().load_table, "shop.none")


def race():
    """Of jobs that make a table at the same time, one makes it."""
    jobs = [catalog() for _ in range(8)]

    def make(job):
        try:
            return job.create_table("shop.race", ORDERS).metadata_location
        except TableAlreadyExistsError:
            return None
    with ThreadPoolExecutor(8) as pool:
        made = [location for location in pool.map(make, jobs) if location]
    equal(made, [catalog().load_table("shop.race").metadata_location])


def rename():
    before = catalog().load_table("shop.race").metadata_location
    raised(TableAlreadyExistsError, catalog().rename_table, "shop.race", "shop.orders")
    raised(NoSuchNamespaceError, catalog().rename_table, "shop.race", "none.race")
    equal(catalog().rename_table("shop.race", "log.race").metadata_location, before)
    raised(NoSuchTableError, catalog().load_table, "shop.race")
    equal(catalog().list_tables("log"), [("log", "race")])


def pages():
    """Forty tables, whose properties are more than a page of 1 MB together."""
    catalog().create_namespace("wide")
    job = catalog()
    for i in range(40):
        job.create_table(f"wide.t{i}", ORDERS, properties={"note": "x" * 30_000})
    equal(sorted(job.list_tables("wide")), sorted(("wide", f"t{i}") for i in range(40)))


def drop():
    raised(NamespaceNotEmptyError, catalog().drop_namespace, "log")
    catalog().drop_table("log.race")
    raised(NoSuchTableError, catalog().drop_table, "log.race")
    catalog().drop_namespace("log")
    raised(NoSuchNamespaceError, catalog().drop_namespace, "log")
    equal(sorted(catalog().list_namespaces()), [("shop",), ("wide",)])


def no_commit():
    """This catalog of PyIceberg reads, but does not commit."""
    table = catalog().load_table("shop.orders")
    before = table.metadata_location
    raised(NotImplementedError, table.transaction().set_properties(kind="none").commit_transaction)
    equal(catalog().load_table("shop.orders").metadata_location, before)


run("pyiceberg", namespaces, tables, race, rename, pages, drop, no_commit)
