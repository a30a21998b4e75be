"""The scenario with the resource and the client of boto3."""

import time
from decimal import Decimal

import boto3
from boto3.dynamodb.conditions import Attr, Key
from boto3.dynamodb.types import Binary
from botocore.exceptions import ClientError

from scenario import admin, equal, run, unprocessed

db = boto3.resource("dynamodb")
client = boto3.client("dynamodb")
streams = boto3.client("dynamodbstreams")
table = db.Table("orders")


def tables():
    made = db.create_table(
        TableName="orders", BillingMode="PAY_PER_REQUEST", Tags=[{"Key": "team", "Value": "shop"}],
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        AttributeDefinitions=[{"AttributeName": n, "AttributeType": t} for n, t in (("pk", "S"), ("sk", "N"), ("state", "S"), ("total", "N"))],
        GlobalSecondaryIndexes=[{"IndexName": "by-state", "Projection": {"ProjectionType": "ALL"},
                                 "KeySchema": [{"AttributeName": "state", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}]}],
        LocalSecondaryIndexes=[{"IndexName": "by-total", "Projection": {"ProjectionType": "KEYS_ONLY"},
                                "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "total", "KeyType": "RANGE"}]}],
        StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"})
    made.wait_until_exists()
    made.load()
    equal(made.table_status, "ACTIVE")
    equal([i["IndexName"] for i in made.local_secondary_indexes], ["by-total"])
    equal(client.list_tags_of_resource(ResourceArn=made.table_arn)["Tags"], [{"Key": "team", "Value": "shop"}])
    client.update_time_to_live(TableName="orders", TimeToLiveSpecification={"Enabled": True, "AttributeName": "expires"})
    equal(client.describe_time_to_live(TableName="orders")["TimeToLiveDescription"],
          {"TimeToLiveStatus": "ENABLED", "AttributeName": "expires"})
    made.update(AttributeDefinitions=[{"AttributeName": "customer", "AttributeType": "S"}], GlobalSecondaryIndexUpdates=[
        {"Create": {"IndexName": "by-customer", "KeySchema": [{"AttributeName": "customer", "KeyType": "HASH"}],
                    "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["total"]}}}])
    made.wait_until_exists()
    made.reload()
    equal(sorted(i["IndexName"] for i in made.global_secondary_indexes), ["by-customer", "by-state"])
    equal([t for page in client.get_paginator("list_tables").paginate() for t in page["TableNames"]], ["orders"])


def conditions():
    table.put_item(Item={"pk": "c", "sk": 1, "version": 1})
    try:
        table.put_item(Item={"pk": "c", "sk": 1, "version": 9}, ConditionExpression=Attr("version").eq(8),
                       ReturnValuesOnConditionCheckFailure="ALL_OLD")
        raise AssertionError("the condition held")
    except client.exceptions.ConditionalCheckFailedException as e:
        equal(e.response["Error"]["Message"], "The conditional request failed")
        equal(e.response["Item"], {"pk": {"S": "c"}, "sk": {"N": "1"}, "version": {"N": "1"}})
    equal(table.get_item(Key={"pk": "c", "sk": 1}, ConsistentRead=True)["Item"]["version"], 1)
    table.put_item(Item={"pk": "c", "sk": 1, "version": 2}, ConditionExpression=Attr("version").eq(1) & Attr("gone").not_exists())
    equal(table.get_item(Key={"pk": "c", "sk": 1})["Item"]["version"], 2)


def updates():
    table.put_item(Item={"pk": "u", "sk": 1, "n": 5, "list": ["a"], "tags": {"x", "y"}, "gone": True})
    answer = table.update_item(
        Key={"pk": "u", "sk": 1}, ReturnValues="ALL_NEW",
        UpdateExpression="SET n = n + :two, #l = list_append(#l, :b), made = if_not_exists(made, :two) REMOVE gone ADD hits :two DELETE tags :x",
        ExpressionAttributeNames={"#l": "list"}, ExpressionAttributeValues={":two": 2, ":b": ["b"], ":x": {"x"}})
    equal(answer["Attributes"], {"pk": "u", "sk": 1, "n": 7, "list": ["a", "b"], "tags": {"y"}, "made": 2, "hits": 2})
    equal(table.update_item(Key={"pk": "u", "sk": 1}, UpdateExpression="SET n = :n", ExpressionAttributeValues={":n": 1},
                            ReturnValues="UPDATED_OLD")["Attributes"], {"n": 7})
    equal(table.delete_item(Key={"pk": "u", "sk": 1}, ReturnValues="ALL_OLD")["Attributes"]["n"], 1)


def pages():
    with table.batch_writer() as batch:
        for i in range(10):
            batch.put_item(Item={"pk": "p", "sk": i, "state": "open" if i % 2 else "paid", "total": 10 - i})
    found = client.get_paginator("query").paginate(
        TableName="orders", KeyConditionExpression="pk = :p", ExpressionAttributeValues={":p": {"S": "p"}}, PaginationConfig={"PageSize": 3})
    counts = [page["Count"] for page in found]
    equal(counts, [3, 3, 3, 1])
    back, start = [], {}
    while True:
        answer = table.query(KeyConditionExpression=Key("pk").eq("p") & Key("sk").between(1, 8), ScanIndexForward=False, Limit=3, **start)
        back += [int(i["sk"]) for i in answer["Items"]]
        if "LastEvaluatedKey" not in answer:
            break
        start = {"ExclusiveStartKey": answer["LastEvaluatedKey"]}
    equal(back, [8, 7, 6, 5, 4, 3, 2, 1])
    answer = table.query(IndexName="by-state", KeyConditionExpression=Key("state").eq("open"), FilterExpression=Attr("total").gt(4))
    equal(([int(i["sk"]) for i in answer["Items"]], answer["ScannedCount"]), ([1, 3, 5], 5))
    answer = table.query(IndexName="by-total", KeyConditionExpression=Key("pk").eq("p") & Key("total").lt(4))
    equal([int(i["total"]) for i in answer["Items"]], [1, 2, 3])
    equal(table.query(Select="COUNT", KeyConditionExpression=Key("pk").eq("p"))["Count"], 10)


def parallel_scan():
    with table.batch_writer() as batch:
        for i in range(200):
            batch.put_item(Item={"pk": f"scan{i}", "sk": i})
    found = []
    for segment in range(4):
        for page in client.get_paginator("scan").paginate(TableName="orders", Segment=segment, TotalSegments=4,
                                                          FilterExpression="begins_with(pk, :s)", ExpressionAttributeValues={":s": {"S": "scan"}}):
            found += [i["pk"]["S"] for i in page["Items"]]
    equal(sorted(found), sorted(f"scan{i}" for i in range(200)))


def batches():
    with unprocessed("BatchWriteItem"), table.batch_writer() as batch:
        for i in range(60):
            batch.put_item(Item={"pk": "b", "sk": i})
    with unprocessed("BatchGetItem"):
        wanted = [{"pk": "b", "sk": i} for i in range(60)] + [{"pk": f"scan{i}", "sk": i} for i in range(70)]
        found = []
        while wanted:
            asked, wanted = wanted[:100], wanted[100:]
            answer = db.batch_get_item(RequestItems={"orders": {"Keys": asked}})
            found += answer["Responses"]["orders"]
            wanted += answer["UnprocessedKeys"].get("orders", {}).get("Keys", [])
    equal(len({(i["pk"], i["sk"]) for i in found}), 130)


def transactions():
    def put(sk, **more):
        return {"Put": {"TableName": "orders", "Item": {"pk": {"S": "t"}, "sk": {"N": str(sk)}}, **more}}
    client.transact_write_items(TransactItems=[put(1), put(2)])
    try:
        client.transact_write_items(TransactItems=[
            put(3), put(1, ConditionExpression="attribute_not_exists(pk)", ReturnValuesOnConditionCheckFailure="ALL_OLD")])
        raise AssertionError("the transaction succeeded")
    except client.exceptions.TransactionCanceledException as e:
        reasons = e.response["CancellationReasons"]
        equal([r["Code"] for r in reasons], ["None", "ConditionalCheckFailed"])
        equal(reasons[1]["Item"], {"pk": {"S": "t"}, "sk": {"N": "1"}})
    add = [{"Update": {"TableName": "orders", "Key": {"pk": {"S": "t"}, "sk": {"N": "1"}}, "UpdateExpression": "ADD n :one",
                       "ExpressionAttributeValues": {":one": {"N": "1"}}}},
           {"Delete": {"TableName": "orders", "Key": {"pk": {"S": "t"}, "sk": {"N": "2"}}}},
           {"ConditionCheck": {"TableName": "orders", "Key": {"pk": {"S": "t"}, "sk": {"N": "3"}}, "ConditionExpression": "attribute_not_exists(pk)"}}]
    for _ in range(2):
        client.transact_write_items(TransactItems=add, ClientRequestToken="a-token")
    answer = client.transact_get_items(TransactItems=[{"Get": {"TableName": "orders", "Key": {"pk": {"S": "t"}, "sk": {"N": str(i)}}}} for i in (1, 2)])
    equal([r.get("Item") for r in answer["Responses"]], [{"pk": {"S": "t"}, "sk": {"N": "1"}, "n": {"N": "1"}}, None])


def partiql():
    for i in range(5):
        client.execute_statement(Statement="INSERT INTO orders VALUE {'pk': ?, 'sk': ?, 'n': 0}", Parameters=[{"S": "q"}, {"N": str(i)}])
    found, token = [], {}
    while True:
        answer = client.execute_statement(Statement="SELECT sk FROM orders WHERE pk = ?", Parameters=[{"S": "q"}], Limit=2, **token)
        found += [int(i["sk"]["N"]) for i in answer["Items"]]
        if "NextToken" not in answer:
            break
        token = {"NextToken": answer["NextToken"]}
    equal(found, [0, 1, 2, 3, 4])
    answer = client.execute_statement(Statement="UPDATE orders SET n = n + 1 WHERE pk = 'q' AND sk = 1 RETURNING ALL NEW *")
    equal(answer["Items"][0]["n"], {"N": "1"})
    answer = client.batch_execute_statement(Statements=[{"Statement": "INSERT INTO orders VALUE {'pk': 'q', 'sk': 5}"},
                                                        {"Statement": "INSERT INTO orders VALUE {'pk': 'q', 'sk': 1}"}])
    equal(["Error" in r for r in answer["Responses"]], [False, True])
    equal(answer["Responses"][1]["Error"]["Code"], "DuplicateItem")
    client.execute_transaction(TransactStatements=[{"Statement": f"DELETE FROM orders WHERE pk = 'q' AND sk = {i}"} for i in (0, 1)])
    equal(table.query(Select="COUNT", KeyConditionExpression=Key("pk").eq("q"))["Count"], 4)


def read_stream():
    arn = streams.list_streams(TableName="orders")["Streams"][0]["StreamArn"]
    records = []
    for shard in streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"]:
        iterator = streams.get_shard_iterator(StreamArn=arn, ShardId=shard["ShardId"], ShardIteratorType="TRIM_HORIZON")["ShardIterator"]
        while iterator:
            answer = streams.get_records(ShardIterator=iterator)
            if not answer["Records"]:
                break
            records += answer["Records"]
            iterator = answer.get("NextShardIterator")
    return records


def stream():
    table.put_item(Item={"pk": "s", "sk": 1, "n": 1})
    table.put_item(Item={"pk": "s", "sk": 1, "n": 2})
    table.delete_item(Key={"pk": "s", "sk": 1})
    found = [r for r in read_stream() if r["dynamodb"]["Keys"]["pk"]["S"] == "s"]
    equal([r["eventName"] for r in found], ["INSERT", "MODIFY", "REMOVE"])
    equal((found[1]["dynamodb"]["OldImage"]["n"], found[1]["dynamodb"]["NewImage"]["n"]), ({"N": "1"}, {"N": "2"}))
    numbers = [int(r["dynamodb"]["SequenceNumber"]) for r in found]
    equal(numbers, sorted(numbers))


def numbers():
    edges = ["12345678901234567890123456789012345678", "1E+125", "-1E-130", "0", "-0.5"]
    client.put_item(TableName="orders", Item={"pk": {"S": "n"}, "sk": {"N": "1"}, "edges": {"L": [{"N": n} for n in edges]}})
    answer = client.get_item(TableName="orders", Key={"pk": {"S": "n"}, "sk": {"N": "1"}})
    equal([Decimal(n["N"]) for n in answer["Item"]["edges"]["L"]], [Decimal(n) for n in edges])
    exact = [Decimal("1234567890123456789012345678.9012345678"), Decimal("-1E-128"), Decimal("1E+37")]  # as the resource can hold them
    table.put_item(Item={"pk": "n", "sk": 2, "exact": exact})
    equal(table.get_item(Key={"pk": "n", "sk": 2})["Item"]["exact"], exact)
    try:
        client.put_item(TableName="orders", Item={"pk": {"S": "n"}, "sk": {"N": "2"}, "n": {"N": "1" * 39}})
        raise AssertionError("39 digits were accepted")
    except ClientError as e:
        equal(e.response["Error"]["Message"], "1 validation error detected: Attempting to store more than 38 significant digits in a Number")


def values():
    item = {"pk": "v", "sk": 1, "strings": {"a", "b"}, "numbers": {Decimal(1), Decimal("2.5")}, "binaries": {Binary(b"a"), Binary(b"b")},
            "map": {"list": [1, "x", {"deep": [None, True, False]}], "empty": {}}, "empty": "", "bytes": Binary(b""), "none": None}
    table.put_item(Item=item)
    equal(table.get_item(Key={"pk": "v", "sk": 1})["Item"], item)


def expiry():
    table.put_item(Item={"pk": "e", "sk": 1, "expires": int(time.time()) - 60})
    equal(admin("POST", "expire", {})["deleted"], 1)
    assert "Item" not in table.get_item(Key={"pk": "e", "sk": 1})
    equal(read_stream()[-1]["userIdentity"], {"PrincipalId": "dynamodb.amazonaws.com", "Type": "Service"})


def deletion():
    table.delete()
    table.wait_until_not_exists()
    try:
        table.load()
        raise AssertionError("the table is still there")
    except client.exceptions.ResourceNotFoundException as e:
        equal(e.response["Error"]["Message"], "Requested resource not found: Table: orders not found")


run(boto3.__version__, {
    "tables": tables, "conditions": conditions, "updates": updates, "pages": pages, "parallel scan": parallel_scan, "batches": batches,
    "transactions": transactions, "PartiQL": partiql, "streams": stream, "numbers": numbers, "values": values, "expiry": expiry, "deletion": deletion,
})
