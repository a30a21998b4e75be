"""DAX's client for Python beside boto3: the same calls, the same answers."""

import json
import os
import urllib.request
from importlib.metadata import version

import boto3
import botocore.session
from amazondax import AmazonDaxClient
from botocore.exceptions import ClientError

http = boto3.client("dynamodb")
dax = AmazonDaxClient(botocore.session.get_session(), region_name="us-east-1", endpoints=[os.environ["DAX"]])
KEY = [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}]
http.create_table(
    TableName="orders", BillingMode="PAY_PER_REQUEST", KeySchema=KEY,
    AttributeDefinitions=[{"AttributeName": n, "AttributeType": t} for n, t in (("pk", "S"), ("sk", "N"), ("state", "S"), ("turn", "N"))],
    LocalSecondaryIndexes=[{"IndexName": "by-turn", "Projection": {"ProjectionType": "KEYS_ONLY"}, "KeySchema": [
        {"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "turn", "KeyType": "RANGE"}]}],
    GlobalSecondaryIndexes=[{"IndexName": "by-state", "Projection": {"ProjectionType": "ALL"}, "KeySchema": [
        {"AttributeName": "state", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}]}])


def advance(seconds):
    request = urllib.request.Request(f"{os.environ['DYNAMODB_ENDPOINT']}/_kugiri/clock/advance", method="POST",
                                     data=json.dumps({"by": f"{seconds}s"}).encode(), headers={"Content-Type": "application/json"})
    urllib.request.urlopen(request).close()


def answer(client, operation, **parameters):
    """The answer without what differs by nature, or the error."""
    try:
        found = dict(getattr(client, operation)(TableName="orders", **parameters) if operation.startswith(("get", "put", "up", "del", "q", "s"))
                     else getattr(client, operation)(**parameters))
    except ClientError as e:
        return e.response["Error"]["Code"], e.response["Error"]["Message"]
    found.pop("ResponseMetadata", None)
    return found


def same(operation, **parameters):
    """Calls both clients, DAX's last, and returns the answer."""
    direct, through = answer(http, operation, **parameters), answer(dax, operation, **parameters)
    assert through == direct, f"{operation}: {through!r} is not {direct!r}"
    return through


def key(pk, sk):
    return {"pk": {"S": pk}, "sk": {"N": str(sk)}}


ALL_TYPES = {
    "s": {"S": "text ü"}, "empty": {"S": ""}, "n": {"N": "12345678901234567890123456789012345678"}, "d": {"N": "-0.000125"},
    "b": {"B": b"\x00\xff"}, "t": {"BOOL": True}, "nothing": {"NULL": True}, "ss": {"SS": ["a", "b"]}, "ns": {"NS": ["1", "2.5"]},
    "bs": {"BS": [b"x"]}, "l": {"L": [{"S": "x"}, {"L": []}, {"M": {"z": {"N": "1"}}}]}, "m": {"M": {"k": {"S": "v"}, "e": {"M": {}}}}}


def items():
    for i, sk in enumerate(("0", "-12.5", "100", "0.001", "99999999999999999999", "-1")):
        dax.put_item(TableName="orders", Item={**key(f"i{i}", sk), **ALL_TYPES})
        found = same("get_item", Key=key(f"i{i}", sk))
        assert len(found["Item"]) == len(ALL_TYPES) + 2
    same("get_item", Key=key("i0", 0), ConsistentRead=True, ReturnConsumedCapacity="INDEXES")
    same("get_item", Key=key("i0", 0), ProjectionExpression="l[2].z, l[0], m.k, #n, pk", ExpressionAttributeNames={"#n": "nothing"})
    same("get_item", Key=key("none", 0))
    same("delete_item", Key=key("none", 0), ReturnValues="ALL_OLD")


def conditions():
    dax.put_item(TableName="orders", Item={**key("c", 1), "v": {"N": "1"}})
    values = {":one": {"N": "1"}, ":two": {"N": "2"}, ":p": {"S": "c"}}
    for condition in ("v = :two AND NOT (v > :one OR begins_with(pk, :p))", "v IN (:two) AND contains(pk, :p) AND v <> :one",
                      "attribute_not_exists(pk) OR v BETWEEN :two AND :two AND size(pk) < :one OR contains(pk, :p) AND v < :one"):
        used = {k: v for k, v in values.items() if k in condition}
        assert same("delete_item", Key=key("c", 1), ConditionExpression=condition, ExpressionAttributeValues=used)[0] == "ConditionalCheckFailedException"
    assert same("update_item", Key=key("c", 1), UpdateExpression="SET v = v + :p", ExpressionAttributeValues={":p": {"S": "x"}})[0] == "ValidationException"
    for _ in range(2):
        dax.delete_item(TableName="orders", Key=key("c", 1), Expected={"v": {"Exists": False}} if _ else {"v": {"Value": {"N": "1"}}})
    try:
        dax.get_item(TableName="missing", Key=key("c", 1))
        raise AssertionError("there is a table")
    except ClientError as e:
        assert e.response["Error"] == {"Code": "ResourceNotFoundException", "Message": "Requested resource not found"}, e.response


def updates():
    for returned in ("NONE", "ALL_OLD", "UPDATED_OLD", "ALL_NEW", "UPDATED_NEW"):
        found = []
        for client in (http, dax):
            client.put_item(TableName="orders", Item={**key("u", 1), "n": {"N": "5"}, "list": {"L": [{"S": "a"}]}, "tags": {"SS": ["x", "y"]}, "gone": {"S": ""}})
            found.append(answer(
                client, "update_item", Key=key("u", 1), ReturnValues=returned, ReturnConsumedCapacity="TOTAL",
                UpdateExpression="SET n = n - :two, #l = list_append(#l, :b), made = if_not_exists(made, :two) REMOVE gone ADD hits :two DELETE tags :x",
                ExpressionAttributeNames={"#l": "list"}, ExpressionAttributeValues={":two": {"N": "2"}, ":b": {"L": [{"S": "b"}]}, ":x": {"SS": ["x"]}}))
        assert found[0] == found[1], (returned, found)


def pages():
    for i in range(10):
        dax.put_item(TableName="orders", Item={**key("p", i * 10), "state": {"S": "open"}, "total": {"N": str(i)}})
    for more in ({}, {"IndexName": "by-state", "KeyConditionExpression": "#s = :p", "ExpressionAttributeNames": {"#s": "state"},
                      "ExpressionAttributeValues": {":p": {"S": "open"}}}, {"ScanIndexForward": False}, {"ProjectionExpression": "#t", "ExpressionAttributeNames": {"#t": "total"}}):
        start, counts = {}, []
        while True:
            found = same("query", **{"KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": "p"}}, "Limit": 4, **more, **start})
            counts.append(found["Count"])
            if "LastEvaluatedKey" not in found:
                break
            start = {"ExclusiveStartKey": found["LastEvaluatedKey"]}
        assert counts == [4, 4, 2], counts
    same("query", KeyConditionExpression="pk = :p AND sk BETWEEN :a AND :b", FilterExpression="#t <> :f", ReturnConsumedCapacity="TOTAL",
         ExpressionAttributeNames={"#t": "total"},
         ExpressionAttributeValues={":p": {"S": "p"}, ":a": {"N": "15"}, ":b": {"N": "75"}, ":f": {"N": "3"}})
    same("query", KeyConditionExpression="pk = :p", ExpressionAttributeValues={":p": {"S": "p"}}, Select="COUNT")
    for segment in (0, 1):
        same("scan", TotalSegments=2, Segment=segment, Limit=5)


def batches():
    wanted = [key("b", i) for i in range(20)]
    same("batch_write_item", RequestItems={"orders": [{"PutRequest": {"Item": {**k, "v": {"S": "x"}}}} for k in wanted]
                                           + [{"DeleteRequest": {"Key": key("b", 99)}}]}, ReturnConsumedCapacity="TOTAL")
    for more in ({}, {"ConsistentRead": True}, {"ProjectionExpression": "v"}):
        found = [answer(client, "batch_get_item", RequestItems={"orders": {"Keys": wanted + [key("b", 77)], **more}}) for client in (http, dax)]
        for f in found:
            f["Responses"]["orders"].sort(key=str)
        assert found[0] == found[1] and len(found[0]["Responses"]["orders"]) == 20, (more, found)


def transactions():
    put = {"Put": {"TableName": "orders", "Item": {**key("t", 1), "v": {"N": "1"}}}}
    same("transact_write_items", TransactItems=[
        put, {"Update": {"TableName": "orders", "Key": key("t", 2), "UpdateExpression": "SET v = :v", "ExpressionAttributeValues": {":v": {"N": "2"}}}},
        {"Delete": {"TableName": "orders", "Key": key("t", 3)}},
        {"ConditionCheck": {"TableName": "orders", "Key": key("t", 4), "ConditionExpression": "attribute_not_exists(pk)"}}], ReturnConsumedCapacity="INDEXES")
    put["Put"] |= {"ConditionExpression": "attribute_not_exists(pk)", "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}
    assert same("transact_write_items", TransactItems=[put])[0] == "TransactionCanceledException"
    same("transact_get_items", ReturnConsumedCapacity="TOTAL", TransactItems=[
        {"Get": {"TableName": "orders", "Key": key("t", 1)}}, {"Get": {"TableName": "orders", "Key": key("t", 9)}},
        {"Get": {"TableName": "orders", "Key": key("t", 2), "ProjectionExpression": "v"}}])


def fields():
    """What the other steps do not send: see emulator/docs/dax-protocol.md, Options and Expressions."""
    def each(operation, **parameters):
        """Calls both clients, each with the same item before."""
        found = []
        for client in (http, dax):
            client.put_item(TableName="orders", Item={**key("f", 1), "v": {"N": "1"}, "turn": {"N": "7"}, "state": {"S": "done"}})
            found.append(answer(client, operation, **parameters))
        assert found[0] == found[1], (operation, found)
        return found[1]
    sizes = {"ReturnItemCollectionMetrics": "SIZE", "ReturnConsumedCapacity": "INDEXES"}
    put = each("put_item", Item={**key("f", 1), "v": {"N": "-123456789012345678901234567890"}, "turn": {"N": "8"}}, ReturnValues="ALL_OLD", **sizes)
    assert put["Attributes"]["v"] == {"N": "1"} and put["ItemCollectionMetrics"]["ItemCollectionKey"] == {"pk": {"S": "f"}}, put
    held = {"ConditionExpression": "attribute_type(v, :t) AND v >= :low AND v <= :high AND v < :more AND attribute_exists(sk)",
            "ExpressionAttributeValues": {":t": {"S": "N"}, ":low": {"N": "1"}, ":high": {"N": "1"}, ":more": {"N": "2"}}}
    set_ = {**held, "UpdateExpression": "SET w = :high"}
    assert each("update_item", Key=key("f", 1), ReturnValues="ALL_NEW", **set_, **sizes)["Attributes"]["w"] == {"N": "1"}
    assert each("delete_item", Key=key("f", 1), ReturnValues="ALL_OLD", **held, **sizes)["Attributes"]["v"] == {"N": "1"}
    each("batch_write_item", RequestItems={"orders": [{"DeleteRequest": {"Key": key("f", 1)}}, {"PutRequest": {"Item": key("f", 2)}}]}, **sizes)
    at = {"TableName": "orders", "Key": key("f", 1)}
    each("transact_write_items", TransactItems=[{"Update": {**at, **set_}}], **sizes)
    each("transact_write_items", TransactItems=[{"Delete": {**at, **held}}], **sizes)
    for part in ({"Update": {**at, **set_}}, {"Delete": {**at, **held}}, {"ConditionCheck": {**at, **held}}):
        of, = part.values()
        of["ExpressionAttributeValues"] = {**held["ExpressionAttributeValues"], ":more": {"N": "0"}}
        of["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
        assert each("transact_write_items", TransactItems=[part])[0] == "TransactionCanceledException"
    http.put_item(TableName="orders", Item={**key("f", 1), "v": {"N": "1"}, "turn": {"N": "7"}, "state": {"S": "done"}})
    of_f = {"KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": "f"}}}
    for more in ({"ConsistentRead": True, "Select": "ALL_ATTRIBUTES", "ReturnConsumedCapacity": "INDEXES"}, {"ScanIndexForward": True},
                 {"IndexName": "by-turn", "Select": "ALL_PROJECTED_ATTRIBUTES", "ReturnConsumedCapacity": "INDEXES"},
                 {"ProjectionExpression": "v", "Select": "SPECIFIC_ATTRIBUTES"},
                 {"KeyConditionExpression": "pk = :p AND sk >= :n", "ExpressionAttributeValues": {":p": {"S": "f"}, ":n": {"N": "1"}}},
                 {"KeyConditionExpression": "pk = :p AND sk <= :n", "ExpressionAttributeValues": {":p": {"S": "f"}, ":n": {"N": "1"}}}):
        same("query", **{**of_f, **more})
    start, pages_, filtered = {}, 0, {"FilterExpression": "attribute_type(turn, :t) AND pk = :p AND contains(#s, :d)",
                                      "ExpressionAttributeNames": {"#s": "state"},
                                      "ExpressionAttributeValues": {":t": {"S": "N"}, ":p": {"S": "f"}, ":d": {"S": "on"}}}
    while True:
        found = same("scan", ConsistentRead=True, Limit=20, Select="ALL_ATTRIBUTES", **filtered, **start)
        pages_ += 1
        if "LastEvaluatedKey" not in found:
            break
        start = {"ExclusiveStartKey": found["LastEvaluatedKey"]}
    assert pages_ > 2, pages_
    page = same("scan", IndexName="by-state", Limit=3, ReturnConsumedCapacity="INDEXES", ProjectionExpression="pk, sk")
    same("scan", IndexName="by-state", ExclusiveStartKey=page["LastEvaluatedKey"], Select="COUNT")
    same("batch_get_item", RequestItems={"orders": {"Keys": [key("f", 1)], "ConsistentRead": True}}, ReturnConsumedCapacity="INDEXES")


def staleness():
    def read(**more):
        return dax.get_item(TableName="orders", Key=key("s", 1), **more).get("Item", {}).get("v")

    assert read() is None
    http.put_item(TableName="orders", Item={**key("s", 1), "v": {"S": "beside"}})
    assert read() is None, "what is not there is cached as such"
    assert read(ConsistentRead=True) == {"S": "beside"}
    dax.put_item(TableName="orders", Item={**key("s", 1), "v": {"S": "through"}})
    http.put_item(TableName="orders", Item={**key("s", 1), "v": {"S": "beside"}})
    assert read() == {"S": "through"}
    advance(300)
    assert read() == {"S": "beside"}


def clusters():
    """Infrastructure code makes a cluster, asks for its endpoint, and a client connects to that."""
    control = boto3.client("dax", endpoint_url=os.environ["DYNAMODB_ENDPOINT"])
    control.create_subnet_group(SubnetGroupName="private", SubnetIds=["subnet-11111111", "subnet-22222222"])
    control.create_parameter_group(ParameterGroupName="short", Description="a minute")
    control.update_parameter_group(ParameterGroupName="short", ParameterNameValues=[{"ParameterName": "record-ttl-millis", "ParameterValue": "60000"}])
    try:
        control.create_cluster(ClusterName="orders", NodeType="dax.r5.large", ReplicationFactor=3, ParameterGroupName="none",
                               IamRoleArn="arn:aws:iam::000000000000:role/dax")
        raise AssertionError("there is a parameter group")
    except control.exceptions.ParameterGroupNotFoundFault:
        pass
    made = control.create_cluster(
        ClusterName="orders", NodeType="dax.r5.large", ReplicationFactor=3, IamRoleArn="arn:aws:iam::000000000000:role/dax",
        ParameterGroupName="short", SubnetGroupName="private",
        ClusterEndpointEncryptionType="TLS" if os.environ["DAX"].startswith("daxs") else "NONE", Tags=[{"Key": "stage", "Value": "test"}], SSESpecification={"Enabled": True})["Cluster"]
    assert control.list_tags(ResourceName=made["ClusterArn"])["Tags"] == [{"Key": "stage", "Value": "test"}]
    found, = control.describe_clusters(ClusterNames=["orders"])["Clusters"]
    assert (found["Status"], found["ActiveNodes"], len(found["Nodes"])) == ("available", 3, 3), found
    endpoint = found["ClusterDiscoveryEndpoint"]
    client = AmazonDaxClient(botocore.session.get_session(), region_name="us-east-1", endpoints=[endpoint["URL"]])
    client.put_item(TableName="orders", Item={**key("k", 1), "v": {"S": "through"}})
    http.put_item(TableName="orders", Item={**key("k", 1), "v": {"S": "beside"}})
    advance(1)  # now all nodes have heard of it
    read = lambda: client.get_item(TableName="orders", Key=key("k", 1))["Item"]["v"]["S"]
    assert {read() for _ in range(6)} == {"through"}
    advance(60)
    assert {read() for _ in range(6)} == {"beside"}, "a minute, as the parameter group says"
    client.close()
    control.decrease_replication_factor(ClusterName="orders", NewReplicationFactor=1)
    control.delete_cluster(ClusterName="orders")
    assert control.describe_clusters()["Clusters"] == []
    assert control.describe_events()["Events"][0]["Message"] == "Cluster deleted."
    control.delete_parameter_group(ParameterGroupName="short")
    control.delete_subnet_group(SubnetGroupName="private")


print("version", version("amazon-dax-client"))
for step in (items, conditions, updates, pages, batches, transactions, fields, staleness, clusters):
    try:
        step()
        print("ok", step.__name__)
    except Exception as e:
        print(f"failed {step.__name__}: {type(e).__name__}: {e}".replace("\n", " "))
dax.close()
