# The scenario with the AWS CLI. --query and --output text take the place of a program's own values.
set -uo pipefail
export AWS_PAGER= PATH=$PWD/awscli/bin:$PATH AWS_CLI_FILE_ENCODING=UTF-8
db() { aws dynamodb "$@"; }
ask() { db "$@" --output text; }

equal() { [ "$1" = "$2" ] || { echo "'$1' is not '$2'" >&2; return 1; }; }
refused() { # TEXT COMMAND...
    local want=$1 said
    shift
    if said=$("$@" 2>&1); then echo "it was not refused" >&2; return 1; fi
    [[ $said == *"$want"* ]] || { echo "$said" >&2; return 1; }
}
step() { # NAME FUNCTION
    local text
    text=$(set -e; "$2" 2>&1 >/dev/null) # set -e has no effect in the condition of an if
    if [ $? = 0 ]; then echo "ok $1"; else echo "failed $1: ${text//$'\n'/ }"; fi
}

tables() {
    db create-table --table-name orders --billing-mode PAY_PER_REQUEST --tags Key=team,Value=shop \
        --key-schema AttributeName=pk,KeyType=HASH AttributeName=sk,KeyType=RANGE \
        --attribute-definitions AttributeName=pk,AttributeType=S AttributeName=sk,AttributeType=N AttributeName=state,AttributeType=S \
        --global-secondary-indexes 'IndexName=by-state,KeySchema=[{AttributeName=state,KeyType=HASH},{AttributeName=sk,KeyType=RANGE}],Projection={ProjectionType=ALL}' \
        --local-secondary-indexes 'IndexName=by-local,KeySchema=[{AttributeName=pk,KeyType=HASH},{AttributeName=state,KeyType=RANGE}],Projection={ProjectionType=KEYS_ONLY}' \
        --stream-specification StreamEnabled=true,StreamViewType=NEW_AND_OLD_IMAGES
    db wait table-exists --table-name orders
    equal "$(ask list-tags-of-resource --resource-arn "$(ask describe-table --table-name orders --query Table.TableArn)" --query 'Tags[].[Key,Value]')" "team	shop"
    db update-time-to-live --table-name orders --time-to-live-specification Enabled=true,AttributeName=expires
    equal "$(ask describe-time-to-live --table-name orders --query TimeToLiveDescription.AttributeName)" expires
    db update-table --table-name orders --attribute-definitions AttributeName=customer,AttributeType=S --global-secondary-index-updates \
        '[{"Create": {"IndexName": "by-customer", "KeySchema": [{"AttributeName": "customer", "KeyType": "HASH"}], "Projection": {"ProjectionType": "ALL"}}}]'
    db wait table-exists --table-name orders
    equal "$(ask describe-table --table-name orders --query 'sort(Table.GlobalSecondaryIndexes[].IndexName)')" "by-customer	by-state"
    equal "$(ask list-tables --query TableNames)" orders
}

conditions() {
    db put-item --table-name orders --item '{"pk": {"S": "c"}, "sk": {"N": "1"}}'
    refused "(ConditionalCheckFailedException) when calling the PutItem operation: The conditional request failed" \
        db put-item --table-name orders --item '{"pk": {"S": "c"}, "sk": {"N": "1"}}' --condition-expression 'attribute_not_exists(pk)'
    db put-item --table-name orders --item '{"pk": {"S": "c"}, "sk": {"N": "1"}, "n": {"N": "2"}}' --condition-expression 'attribute_exists(pk)'
    equal "$(ask get-item --consistent-read --table-name orders --key '{"pk": {"S": "c"}, "sk": {"N": "1"}}' --query Item.n.N)" 2
}

updates() {
    db put-item --table-name orders --item '{"pk": {"S": "u"}, "sk": {"N": "1"}, "n": {"N": "5"}, "tags": {"SS": ["x", "y"]}, "gone": {"BOOL": true}}'
    equal "$(ask update-item --table-name orders --key '{"pk": {"S": "u"}, "sk": {"N": "1"}}' --return-values ALL_NEW \
        --update-expression 'SET n = n + :two, made = if_not_exists(made, :two) REMOVE gone ADD hits :two DELETE tags :x' \
        --expression-attribute-values '{":two": {"N": "2"}, ":x": {"SS": ["x"]}}' --query 'Attributes.[n.N,made.N,hits.N,tags.SS[0],gone]')" "7	2	2	y	None"
    equal "$(ask delete-item --table-name orders --key '{"pk": {"S": "u"}, "sk": {"N": "1"}}' --return-values ALL_OLD --query Attributes.n.N)" 7
}

pages() {
    db batch-write-item --request-items "{\"orders\": [$(for i in $(seq 0 9); do echo "$sep{\"PutRequest\": {\"Item\": {\"pk\": {\"S\": \"p\"}, \"sk\": {\"N\": \"$i\"}, \"state\": {\"S\": \"s$((i % 2))\"}}}}"; sep=,; done)]}"
    local where=(--table-name orders --key-condition-expression 'pk = :p' --expression-attribute-values '{":p": {"S": "p"}}')
    equal "$(ask query "${where[@]}" --page-size 3 --query 'Items[].sk.N' | tr '\n' '\t')" "0	1	2	3	4	5	6	7	8	9	"
    equal "$(ask query "${where[@]}" --no-scan-index-forward --max-items 4 --query 'Items[].sk.N' | head -n 1)" "9	8	7	6"
    token=$(db query "${where[@]}" --max-items 4 --output json | python3 -c 'import json, sys; print(json.load(sys.stdin)["NextToken"])')
    equal "$(ask query "${where[@]}" --starting-token "$token" --query 'Items[].sk.N')" "4	5	6	7	8	9"
    where=(--table-name orders --index-name by-state --key-condition-expression '#s = :s' --expression-attribute-names '{"#s": "state"}')
    equal "$(ask query "${where[@]}" --expression-attribute-values '{":s": {"S": "s1"}}' --query 'Items[].sk.N')" "1	3	5	7	9"
    refused "Filter Expression can only contain non-primary key attributes: Primary key attribute: sk" \
        db query "${where[@]}" --filter-expression 'sk > :three' --expression-attribute-values '{":s": {"S": "s1"}, ":three": {"N": "3"}}'
    where=(--table-name orders --index-name by-local --key-condition-expression 'pk = :p' --expression-attribute-values '{":p": {"S": "p"}}')
    equal "$(ask query "${where[@]}" --select COUNT --query Count)" 10
}

parallel_scan() {
    for n in $(seq 0 7); do
        items=$(sep=; for i in $(seq $((n * 25)) $((n * 25 + 24))); do printf '%s' "$sep{\"PutRequest\": {\"Item\": {\"pk\": {\"S\": \"scan$i\"}, \"sk\": {\"N\": \"1\"}}}}"; sep=,; done)
        db batch-write-item --request-items "{\"orders\": [$items]}"
    done
    for s in 0 1 2 3; do
        ask scan --table-name orders --segment $s --total-segments 4 --filter-expression 'begins_with(pk, :s)' \
            --expression-attribute-values '{":s": {"S": "scan"}}' --query 'Items[].[pk.S]' >"segment$s" &
    done
    wait
    equal "$(cat segment? | sort -u | wc -l) $(cat segment? | wc -l)" "200 200"
}

transactions() {
    local token='--client-request-token a-token'
    local add='[{"Update": {"TableName": "orders", "Key": {"pk": {"S": "t"}, "sk": {"N": "1"}}, "UpdateExpression": "ADD n :one", "ExpressionAttributeValues": {":one": {"N": "1"}}}},
        {"ConditionCheck": {"TableName": "orders", "Key": {"pk": {"S": "t"}, "sk": {"N": "2"}}, "ConditionExpression": "attribute_not_exists(pk)"}}]'
    db transact-write-items --transact-items "$add" $token
    db transact-write-items --transact-items "$add" $token
    refused "Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed]" \
        db transact-write-items --transact-items '[{"Delete": {"TableName": "orders", "Key": {"pk": {"S": "t"}, "sk": {"N": "1"}}}},
            {"ConditionCheck": {"TableName": "orders", "Key": {"pk": {"S": "t"}, "sk": {"N": "2"}}, "ConditionExpression": "attribute_exists(pk)"}}]'
    equal "$(ask transact-get-items --transact-items '[{"Get": {"TableName": "orders", "Key": {"pk": {"S": "t"}, "sk": {"N": "1"}}}}]' --query 'Responses[0].Item.n.N')" 1
}

partiql() {
    db execute-statement --statement "INSERT INTO orders VALUE {'pk': 'q', 'sk': 1, 'n': ?}" --parameters '[{"N": "0"}]'
    equal "$(ask execute-statement --statement "UPDATE orders SET n = n + 1 WHERE pk = 'q' AND sk = 1 RETURNING ALL NEW *" --query 'Items[0].n.N')" 1
    equal "$(ask batch-execute-statement --statements '[{"Statement": "SELECT * FROM orders WHERE pk = '"'q'"' AND sk = 1"}]' --query 'Responses[0].Item.n.N')" 1
    db execute-transaction --transact-statements '[{"Statement": "DELETE FROM orders WHERE pk = '"'q'"' AND sk = 1"}]'
    equal "$(ask execute-statement --statement "SELECT * FROM orders WHERE pk = 'q'" --query 'length(Items)')" 0
}

streams() {
    db put-item --table-name orders --item '{"pk": {"S": "s"}, "sk": {"N": "1"}}'
    db delete-item --table-name orders --key '{"pk": {"S": "s"}, "sk": {"N": "1"}}'
    arn=$(aws dynamodbstreams list-streams --table-name orders --query 'Streams[0].StreamArn' --output text)
    shard=$(aws dynamodbstreams describe-stream --stream-arn "$arn" --query 'StreamDescription.Shards[0].ShardId' --output text)
    iterator=$(aws dynamodbstreams get-shard-iterator --stream-arn "$arn" --shard-id "$shard" --shard-iterator-type TRIM_HORIZON --output text)
    equal "$(aws dynamodbstreams get-records --shard-iterator "$iterator" --output text \
        --query "Records[?dynamodb.Keys.pk.S=='s'].[eventName,dynamodb.Keys.sk.N]" | tr '\n' ' ')" "INSERT	1 REMOVE	1 "
}

numbers() {
    db put-item --table-name orders --item '{"pk": {"S": "n"}, "sk": {"N": "1"}, "n": {"L": [{"N": "12345678901234567890123456789012345678"}, {"N": "-1E-130"}, {"N": "0.50"}]}}'
    local key='{"pk": {"S": "n"}, "sk": {"N": "1"}}'
    equal "$(ask get-item --table-name orders --key "$key" --query 'Item.n.L[0].N')" 12345678901234567890123456789012345678
    equal "$(ask get-item --table-name orders --key "$key" --query 'Item.n.L[2].N')" 0.5
    refused "Attempting to store more than 38 significant digits in a Number" \
        db put-item --table-name orders --item '{"pk": {"S": "n"}, "sk": {"N": "2"}, "n": {"N": "111111111111111111111111111111111111111"}}'
}

values() {
    local item='{"pk": {"S": "v"}, "sk": {"N": "1"}, "b": {"B": "a"}, "bs": {"BS": ["a", "b"]}, "ns": {"NS": ["1", "2.5"]}, "e": {"S": ""}, "m": {"M": {"l": {"L": [{"NULL": true}, {"BOOL": false}]}}}}'
    db put-item --table-name orders --item "$item"
    equal "$(db get-item --table-name orders --key '{"pk": {"S": "v"}, "sk": {"N": "1"}}' \
        --query 'Item.[b.B,sort(bs.BS),sort(ns.NS),e.S,m.M.l.L[0].NULL,m.M.l.L[1].BOOL]' --output json | tr -d ' \n')" \
        '["YQ==",["YQ==","Yg=="],["1","2.5"],"",true,false]'
}

expiry() {
    db put-item --table-name orders --item '{"pk": {"S": "e"}, "sk": {"N": "1"}, "expires": {"N": "'$(($(date +%s) - 60))'"}}'
    curl -sf -X POST "$MATRIX_SERVER/_kugiri/expire" -d '{}'
    equal "$(ask get-item --table-name orders --key '{"pk": {"S": "e"}, "sk": {"N": "1"}}')" ""
}

deletion() {
    db delete-table --table-name orders
    db wait table-not-exists --table-name orders
    refused "(ResourceNotFoundException) when calling the DescribeTable operation: Requested resource not found: Table: orders not found" \
        db describe-table --table-name orders
}

echo "version $(aws --version 2>&1 | sed 's#aws-cli/\([^ ]*\) .*#\1#')"
sep=
step tables tables
step conditions conditions
step updates updates
step pages pages
step "parallel scan" parallel_scan
echo "left out batches: leaves retries of unprocessed items to the caller"
step transactions transactions
step PartiQL partiql
step streams streams
step numbers numbers
step values values
step expiry expiry
step deletion deletion
