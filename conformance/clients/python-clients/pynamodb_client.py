"""The scenario with the models of PynamoDB."""

from datetime import datetime, timedelta, timezone
from importlib.metadata import version

from pynamodb.attributes import (BinaryAttribute, BinarySetAttribute, BooleanAttribute, JSONAttribute, ListAttribute, MapAttribute,
                                 NullAttribute, NumberAttribute, NumberSetAttribute, TTLAttribute, UnicodeAttribute,
                                 UnicodeSetAttribute, VersionAttribute)
from pynamodb.connection import Connection
from pynamodb.constants import STREAM_NEW_AND_OLD_IMAGE
from pynamodb.exceptions import DeleteError, DoesNotExist, PutError, TransactWriteError
from pynamodb.indexes import AllProjection, GlobalSecondaryIndex, KeysOnlyProjection, LocalSecondaryIndex
from pynamodb.models import Model
from pynamodb.transactions import TransactGet, TransactWrite

from scenario import admin, equal, run, unprocessed


class ByState(GlobalSecondaryIndex):
    class Meta:
        index_name = "by-state"
        projection = AllProjection()
    state = UnicodeAttribute(hash_key=True)
    sk = NumberAttribute(range_key=True)


class ByTotal(LocalSecondaryIndex):
    class Meta:
        index_name = "by-total"
        projection = KeysOnlyProjection()
    pk = UnicodeAttribute(hash_key=True)
    total = NumberAttribute(range_key=True)


class Address(MapAttribute):
    city = UnicodeAttribute()
    floor = NumberAttribute(null=True)


class Order(Model):
    class Meta:
        table_name = "orders"
        region = "us-east-1"
        billing_mode = "PAY_PER_REQUEST"
        stream_view_type = STREAM_NEW_AND_OLD_IMAGE
        tags = {"team": "shop"}
    pk = UnicodeAttribute(hash_key=True)
    sk = NumberAttribute(range_key=True)
    state = UnicodeAttribute(null=True)
    total = NumberAttribute(null=True)
    n = NumberAttribute(null=True)
    names = ListAttribute(null=True)
    tags = UnicodeSetAttribute(null=True)
    numbers = NumberSetAttribute(null=True)
    binaries = BinarySetAttribute(null=True, legacy_encoding=False)
    bytes = BinaryAttribute(null=True, legacy_encoding=False)
    address = Address(null=True)
    document = JSONAttribute(null=True)
    nothing = NullAttribute(null=True)
    done = BooleanAttribute(null=True)
    expires = TTLAttribute(null=True)
    version = VersionAttribute()
    by_state = ByState()
    by_total = ByTotal()


def tables():
    Order.create_table(wait=True)
    assert Order.exists()
    found = Order.describe_table()
    equal(found["TableStatus"], "ACTIVE")
    equal([i["IndexName"] for i in found["GlobalSecondaryIndexes"] + found["LocalSecondaryIndexes"]], ["by-state", "by-total"])
    equal(Connection().list_tables()["TableNames"], ["orders"])


def conditions():
    Order("c", 1, n=1).save()
    try:
        Order("c", 1, n=2).save(condition=Order.n > 5)
        raise AssertionError("the condition held")
    except PutError as e:
        equal((e.cause_response_code, e.cause_response_message), ("ConditionalCheckFailedException", "The conditional request failed"))
    ours, theirs = Order.get("c", 1), Order.get("c", 1, consistent_read=True)
    theirs.n = 3
    theirs.save()
    try:
        ours.delete()
        raise AssertionError("an old version was deleted")
    except DeleteError as e:
        equal(e.cause_response_code, "ConditionalCheckFailedException")
    equal((Order.get("c", 1).n, Order.get("c", 1).version), (3, 2))


def updates():
    o = Order("u", 1, n=5, names=["a"], tags={"x", "y"}, state="old")
    o.save()
    o.update(actions=[Order.n.set(Order.n + 2), Order.names.set(Order.names.append(["b"])), Order.total.set(Order.total | 9),
                      Order.state.remove(), Order.tags.delete({"x"})])
    found = Order.get("u", 1)
    equal((found.n, found.names, found.total, found.state, found.tags), (7, ["a", "b"], 9, None, {"y"}))
    found.update(actions=[Order.n.add(1)])
    equal(found.n, 8)


def pages():
    with Order.batch_write() as batch:
        for i in range(10):
            batch.save(Order("p", i, state="open" if i % 2 else "paid", total=10 - i))
    found = Order.query("p", page_size=3)
    equal([o.sk for o in found], list(range(10)))
    equal([o.sk for o in Order.query("p", Order.sk.between(1, 8), scan_index_forward=False, page_size=3)], [8, 7, 6, 5, 4, 3, 2, 1])
    first = Order.query("p", limit=4)
    list(first)
    equal([o.sk for o in Order.query("p", last_evaluated_key=first.last_evaluated_key)], [4, 5, 6, 7, 8, 9])
    equal([o.sk for o in Order.by_state.query("open", filter_condition=Order.total > 4)], [1, 3, 5])
    equal([o.total for o in Order.by_total.query("p", ByTotal.total < 4)], [1, 2, 3])
    equal(Order.count("p"), 10)


def parallel_scan():
    with Order.batch_write() as batch:
        for i in range(200):
            batch.save(Order(f"scan{i}", i))
    found = [o.pk for segment in range(4) for o in Order.scan(Order.pk.startswith("scan"), segment=segment, total_segments=4)]
    equal(sorted(found), sorted(f"scan{i}" for i in range(200)))


def batches():
    with unprocessed("BatchWriteItem"), Order.batch_write() as batch:
        for i in range(60):
            batch.save(Order("b", i))
    with unprocessed("BatchGetItem"):
        found = list(Order.batch_get([("b", i) for i in range(60)] + [(f"scan{i}", i) for i in range(70)]))
    equal(len({(o.pk, o.sk) for o in found}), 130)


def transactions():
    connection = Connection()
    with TransactWrite(connection=connection, client_request_token="a-token") as t:
        t.save(Order("t", 1))
        t.save(Order("t", 2))
    try:
        with TransactWrite(connection=connection) as t:
            t.save(Order("t", 3))
            t.save(Order("t", 1), condition=Order.pk.does_not_exist(), return_values="ALL_OLD")
        raise AssertionError("the transaction succeeded")
    except TransactWriteError as e:
        equal([r and r.code for r in e.cancellation_reasons], [None, "ConditionalCheckFailed"])
        equal(e.cancellation_reasons[1].raw_item["pk"], {"S": "t"})
    one = Order.get("t", 1)
    with TransactWrite(connection=connection) as t:
        t.update(one, actions=[Order.n.set(1)])
        t.delete(Order.get("t", 2))
        t.condition_check(Order, "t", 3, condition=Order.pk.does_not_exist())
    with TransactGet(connection=connection) as t:
        first, second = t.get(Order, "t", 1), t.get(Order, "t", 2)
    equal(first.get().n, 1)
    try:
        second.get()
        raise AssertionError("the item is still there")
    except DoesNotExist:
        pass


def numbers():
    for n in (0, -0.5, 1e-130, 123456789012345, 1e22):
        Order("n", 1, n=n).save(add_version_condition=False)
        equal(Order.get("n", 1).n, n)


def values():
    o = Order("v", 1, names=["a", 1, {"deep": [None, True]}], tags={"a", "b"}, numbers={1, 2.5}, binaries={b"a", b"b"}, bytes=b"",
              address=Address(city="", floor=2), document={"a": [1]}, done=False)
    o.save()
    found = Order.get("v", 1)
    for name in ("tags", "numbers", "binaries", "bytes", "document", "done"):
        equal(getattr(found, name), getattr(o, name))
    equal((found.address.city, found.address.floor, found.names), ("", 2, ["a", 1, {"deep": [None, True]}]))


def expiry():
    Order("e", 1, expires=datetime.now(timezone.utc) - timedelta(minutes=1)).save()
    equal(admin("POST", "expire", {})["deleted"], 1)
    try:
        Order.get("e", 1)
        raise AssertionError("the item is still there")
    except DoesNotExist:
        pass


def deletion():
    Order.delete_table(wait=True)
    assert not Order.exists()


run(version("pynamodb"), {
    "tables": tables, "conditions": conditions, "updates": updates, "pages": pages, "parallel scan": parallel_scan, "batches": batches,
    "transactions": transactions, "numbers": numbers, "values": values, "expiry": expiry, "deletion": deletion,
}, {"PartiQL": "has no PartiQL", "streams": "does not read streams"})
