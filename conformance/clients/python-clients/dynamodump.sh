# Dumps a table with dynamodump, and restores it under another name. dynamodump asks the region
# "local" whenever it has --host: namespaces are apart by region, so --shared serves it.
set -euo pipefail
tool() { dynamodump/bin/dynamodump --region local --host 127.0.0.1 --port "${DYNAMODB_ENDPOINT##*:}" --accessKey x --secretKey x "$@" >>log 2>&1 || { cat log; exit 1; }; }
rm -rf dump log

echo "version $(dynamodump/bin/python -c 'import importlib.metadata as m; print(m.version("dynamodump"))')"
boto3/bin/python - <<'END'
import boto3
db = boto3.resource("dynamodb")
t = db.create_table(TableName="orders", BillingMode="PAY_PER_REQUEST", KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
                    AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}, {"AttributeName": "state", "AttributeType": "S"}],
                    GlobalSecondaryIndexes=[{"IndexName": "by-state", "Projection": {"ProjectionType": "ALL"},
                                             "KeySchema": [{"AttributeName": "state", "KeyType": "HASH"}]}])
with t.batch_writer() as batch:
    for i in range(120):
        batch.put_item(Item={"id": str(i), "state": "open", "tags": {"a", "b"}, "bytes": b"x"})
END
tool --mode backup --srcTable orders --dumpPath dump
test "$(cat dump/orders/data/*.json | grep -o '"state"' | wc -l)" = 120
echo "ok dump"

tool --mode restore --srcTable orders --destTable copy --dumpPath dump --billingMode PAY_PER_REQUEST --noConfirm
boto3/bin/python - <<'END'
import boto3
db = boto3.resource("dynamodb")
scan = lambda name: sorted(db.Table(name).scan()["Items"], key=lambda i: i["id"])
assert scan("copy") == scan("orders") and len(scan("copy")) == 120
assert db.Table("copy").global_secondary_indexes[0]["IndexName"] == "by-state"
END
echo "ok restore"
