"""The scenario with aioboto3, whose resources and paginators are asynchronous."""

import asyncio
import time
from decimal import Decimal
from importlib.metadata import version

import aioboto3
from boto3.dynamodb.conditions import Attr, Key
from boto3.dynamodb.types import Binary
from botocore.exceptions import ClientError

from scenario import admin, equal, run_async, unprocessed


class Scenario:
    def __init__(self, db, client, streams, table):
        self.db, self.client, self.streams, self.table = db, client, streams, table

    async def tables(self):
        made = await self.db.create_table(
            TableName="orders", BillingMode="PAY_PER_REQUEST", Tags=[{"Key": "team", "Value": "shop"}],
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
            AttributeDefinitions=[{"AttributeName": n, "AttributeType": t} for n, t in (("pk", "S"), ("sk", "N"), ("state", "S"), ("total", "N"))],
            GlobalSecondaryIndexes=[{"IndexName": "by-state", "Projection": {"ProjectionType": "ALL"},
                                     "KeySchema": [{"AttributeName": "state", "KeyType": "HASH"}]}],
            LocalSecondaryIndexes=[{"IndexName": "by-total", "Projection": {"ProjectionType": "ALL"},
                                    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "total", "KeyType": "RANGE"}]}],
            StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"})
        await made.wait_until_exists()
        await self.client.get_waiter("table_exists").wait(TableName="orders")
        answer = await self.client.list_tags_of_resource(ResourceArn=await made.table_arn)
        equal(answer["Tags"], [{"Key": "team", "Value": "shop"}])
        await self.client.update_time_to_live(TableName="orders", TimeToLiveSpecification={"Enabled": True, "AttributeName": "expires"})
        ttl = await self.client.describe_time_to_live(TableName="orders")
        equal(ttl["TimeToLiveDescription"]["AttributeName"], "expires")
        await self.client.update_table(TableName="orders", AttributeDefinitions=[{"AttributeName": "customer", "AttributeType": "S"}],
                                       GlobalSecondaryIndexUpdates=[{"Create": {"IndexName": "by-customer", "Projection": {"ProjectionType": "KEYS_ONLY"},
                                                                                "KeySchema": [{"AttributeName": "customer", "KeyType": "HASH"}]}}])
        await self.client.get_waiter("table_exists").wait(TableName="orders")
        found = await self.client.describe_table(TableName="orders")
        equal(sorted(i["IndexName"] for i in found["Table"]["GlobalSecondaryIndexes"]), ["by-customer", "by-state"])
        equal([name async for page in self.client.get_paginator("list_tables").paginate() for name in page["TableNames"]], ["orders"])

    async def conditions(self):
        await self.table.put_item(Item={"pk": "c", "sk": 1, "version": 1})
        try:
            await self.table.put_item(Item={"pk": "c", "sk": 1, "version": 9}, ConditionExpression=Attr("version").eq(8),
                                      ReturnValuesOnConditionCheckFailure="ALL_OLD")
            raise AssertionError("the condition held")
        except self.client.exceptions.ConditionalCheckFailedException as e:
            equal(e.response["Item"]["version"], {"N": "1"})
        await self.table.put_item(Item={"pk": "c", "sk": 1, "version": 2}, ConditionExpression=Attr("version").eq(1))
        equal((await self.table.get_item(Key={"pk": "c", "sk": 1}, ConsistentRead=True))["Item"]["version"], 2)

    async def updates(self):
        await self.table.put_item(Item={"pk": "u", "sk": 1, "n": 5, "list": ["a"], "tags": {"x", "y"}, "gone": True})
        answer = await self.table.update_item(
            Key={"pk": "u", "sk": 1}, ReturnValues="ALL_NEW",
            UpdateExpression="SET n = n - :two, #l = list_append(#l, :b), made = if_not_exists(made, :two) REMOVE gone ADD hits :two DELETE tags :x",
            ExpressionAttributeNames={"#l": "list"}, ExpressionAttributeValues={":two": 2, ":b": ["b"], ":x": {"x"}})
        equal(answer["Attributes"], {"pk": "u", "sk": 1, "n": 3, "list": ["a", "b"], "tags": {"y"}, "made": 2, "hits": 2})
        answer = await self.table.delete_item(Key={"pk": "u", "sk": 1}, ReturnValues="ALL_OLD")
        equal(answer["Attributes"]["n"], 3)

    async def pages(self):
        async with self.table.batch_writer() as batch:
            for i in range(10):
                await batch.put_item(Item={"pk": "p", "sk": i, "state": "open" if i % 2 else "paid", "total": 10 - i})
        found = self.client.get_paginator("query").paginate(TableName="orders", KeyConditionExpression="pk = :p", ScanIndexForward=False,
                                                            ExpressionAttributeValues={":p": {"S": "p"}}, PaginationConfig={"PageSize": 3})
        back = [[int(i["sk"]["N"]) for i in page["Items"]] async for page in found]
        equal(back, [[9, 8, 7], [6, 5, 4], [3, 2, 1], [0]])
        answer = await self.table.query(IndexName="by-state", KeyConditionExpression=Key("state").eq("open"), FilterExpression=Attr("total").gt(4))
        equal(sorted(int(i["sk"]) for i in answer["Items"]), [1, 3, 5])
        answer = await self.table.query(IndexName="by-total", KeyConditionExpression=Key("pk").eq("p") & Key("total").lt(4))
        equal([int(i["total"]) for i in answer["Items"]], [1, 2, 3])
        equal((await self.table.query(Select="COUNT", KeyConditionExpression=Key("pk").eq("p")))["Count"], 10)

    async def parallel_scan(self):
        async with self.table.batch_writer() as batch:
            for i in range(200):
                await batch.put_item(Item={"pk": f"scan{i}", "sk": i})

        async def segment(n):
            pages = self.client.get_paginator("scan").paginate(TableName="orders", Segment=n, TotalSegments=4, PaginationConfig={"PageSize": 20})
            return [i["pk"]["S"] async for page in pages for i in page["Items"]]
        found = [name for names in await asyncio.gather(*map(segment, range(4))) for name in names if name.startswith("scan")]
        equal(sorted(found), sorted(f"scan{i}" for i in range(200)))

    async def batches(self):
        with unprocessed("BatchWriteItem"):
            async with self.table.batch_writer() as batch:
                for i in range(60):
                    await batch.put_item(Item={"pk": "b", "sk": i})
        with unprocessed("BatchGetItem"):
            wanted, found = [{"pk": "b", "sk": i} for i in range(60)] + [{"pk": f"scan{i}", "sk": i} for i in range(70)], []
            while wanted:
                asked, wanted = wanted[:100], wanted[100:]
                answer = await self.db.batch_get_item(RequestItems={"orders": {"Keys": asked}})
                found += answer["Responses"]["orders"]
                wanted += answer["UnprocessedKeys"].get("orders", {}).get("Keys", [])
        equal(len({(i["pk"], i["sk"]) for i in found}), 130)

    async def transactions(self):
        def put(sk, **more):
            return {"Put": {"TableName": "orders", "Item": {"pk": {"S": "t"}, "sk": {"N": str(sk)}}, **more}}
        for _ in range(2):
            await self.client.transact_write_items(TransactItems=[put(1, ConditionExpression="attribute_not_exists(pk)"), put(2)], ClientRequestToken="a-token")
        try:
            await self.client.transact_write_items(TransactItems=[
                put(3), put(1, ConditionExpression="attribute_not_exists(pk)", ReturnValuesOnConditionCheckFailure="ALL_OLD")])
            raise AssertionError("the transaction succeeded")
        except self.client.exceptions.TransactionCanceledException as e:
            reasons = e.response["CancellationReasons"]
            equal([r["Code"] for r in reasons], ["None", "ConditionalCheckFailed"])
            equal(reasons[1]["Item"], {"pk": {"S": "t"}, "sk": {"N": "1"}})
        answer = await self.client.transact_get_items(TransactItems=[
            {"Get": {"TableName": "orders", "Key": {"pk": {"S": "t"}, "sk": {"N": str(i)}}}} for i in (1, 3)])
        equal(["Item" in r for r in answer["Responses"]], [True, False])

    async def partiql(self):
        for i in range(5):
            await self.client.execute_statement(Statement="INSERT INTO orders VALUE {'pk': ?, 'sk': ?}", Parameters=[{"S": "q"}, {"N": str(i)}])
        found, token = [], {}
        while True:
            answer = await self.client.execute_statement(Statement="SELECT sk FROM orders WHERE pk = 'q'", Limit=2, **token)
            found += [int(i["sk"]["N"]) for i in answer["Items"]]
            if "NextToken" not in answer:
                break
            token = {"NextToken": answer["NextToken"]}
        equal(found, [0, 1, 2, 3, 4])
        answer = await self.client.batch_execute_statement(Statements=[{"Statement": f"SELECT * FROM orders WHERE pk = 'q' AND sk = {i}"} for i in (1, 9)])
        equal(["Item" in r for r in answer["Responses"]], [True, False])
        await self.client.execute_transaction(TransactStatements=[{"Statement": f"DELETE FROM orders WHERE pk = 'q' AND sk = {i}"} for i in (0, 1)])
        equal((await self.table.query(Select="COUNT", KeyConditionExpression=Key("pk").eq("q")))["Count"], 3)

    async def records(self):
        listed = await self.streams.list_streams(TableName="orders")
        arn, records = listed["Streams"][0]["StreamArn"], []
        for shard in (await self.streams.describe_stream(StreamArn=arn))["StreamDescription"]["Shards"]:
            answer = await self.streams.get_shard_iterator(StreamArn=arn, ShardId=shard["ShardId"], ShardIteratorType="TRIM_HORIZON")
            iterator = answer["ShardIterator"]
            while iterator:
                answer = await self.streams.get_records(ShardIterator=iterator)
                if not answer["Records"]:
                    break
                records += answer["Records"]
                iterator = answer.get("NextShardIterator")
        return records

    async def stream(self):
        await self.table.put_item(Item={"pk": "s", "sk": 1, "n": 1})
        await self.table.put_item(Item={"pk": "s", "sk": 1, "n": 2})
        await self.table.delete_item(Key={"pk": "s", "sk": 1})
        found = [r for r in await self.records() if r["dynamodb"]["Keys"]["pk"]["S"] == "s"]
        equal([r["eventName"] for r in found], ["INSERT", "MODIFY", "REMOVE"])
        equal((found[1]["dynamodb"]["OldImage"]["n"], found[1]["dynamodb"]["NewImage"]["n"]), ({"N": "1"}, {"N": "2"}))

    async def numbers(self):
        edges = ["12345678901234567890123456789012345678", "1E+125", "-1E-130", "0", "-0.5"]
        await self.client.put_item(TableName="orders", Item={"pk": {"S": "n"}, "sk": {"N": "1"}, "edges": {"L": [{"N": n} for n in edges]}})
        answer = await self.client.get_item(TableName="orders", Key={"pk": {"S": "n"}, "sk": {"N": "1"}})
        equal([Decimal(n["N"]) for n in answer["Item"]["edges"]["L"]], [Decimal(n) for n in edges])
        exact = [Decimal("1234567890123456789012345678.9012345678"), Decimal("-1E-128"), Decimal("1E+37")]
        await self.table.put_item(Item={"pk": "n", "sk": 2, "exact": exact})
        equal((await self.table.get_item(Key={"pk": "n", "sk": 2}))["Item"]["exact"], exact)
        try:
            await self.client.put_item(TableName="orders", Item={"pk": {"S": "n"}, "sk": {"N": "2"}, "n": {"N": "1" * 39}})
            raise AssertionError("39 digits were accepted")
        except ClientError as e:
            equal(e.response["Error"]["Code"], "ValidationException")

    async def values(self):
        item = {"pk": "v", "sk": 1, "strings": {"a", "b"}, "numbers": {Decimal(1), Decimal("2.5")}, "binaries": {Binary(b"a"), Binary(b"b")},
                "map": {"list": [1, "x", {"deep": [None, True, False]}], "empty": {}}, "empty": "", "bytes": Binary(b""), "none": None}
        await self.table.put_item(Item=item)
        equal((await self.table.get_item(Key={"pk": "v", "sk": 1}))["Item"], item)

    async def expiry(self):
        await self.table.put_item(Item={"pk": "e", "sk": 1, "expires": int(time.time()) - 60})
        equal(admin("POST", "expire", {})["deleted"], 1)
        assert "Item" not in await self.table.get_item(Key={"pk": "e", "sk": 1})

    async def deletion(self):
        await self.table.delete()
        await self.table.wait_until_not_exists()
        try:
            await self.client.describe_table(TableName="orders")
            raise AssertionError("the table is still there")
        except self.client.exceptions.ResourceNotFoundException as e:
            equal(e.response["Error"]["Message"], "Requested resource not found: Table: orders not found")


async def main():
    session = aioboto3.Session()
    async with session.resource("dynamodb") as db, session.client("dynamodb") as client, session.client("dynamodbstreams") as streams:
        s = Scenario(db, client, streams, await db.Table("orders"))
        await run_async(version("aioboto3"), {
            "tables": s.tables, "conditions": s.conditions, "updates": s.updates, "pages": s.pages, "parallel scan": s.parallel_scan,
            "batches": s.batches, "transactions": s.transactions, "PartiQL": s.partiql, "streams": s.stream, "numbers": s.numbers,
            "values": s.values, "expiry": s.expiry, "deletion": s.deletion,
        })


asyncio.run(main())
