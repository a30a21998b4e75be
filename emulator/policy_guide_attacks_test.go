package emulator_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/conventions/policy/policytest"
	"github.com/kugiri-db/kugiri/emulator"
)

// guideKeys are keys of the guide's six patterns, with T for the tenant.
var guideKeys = [][2]string{
	{"PRODUCT#T", ulidA}, {"ORDER#T", "ORDER#" + ulidA},
	{"ORDER#T", "ORDER_ITEM#" + ulidA + "#001"},
	{"USER_TENANT#common", "T#user123"}, {"MASTER#T", "SETTING#notification#email_template"},
	{"LOG#T#2024-01", "2024-01-15T10:30:00Z#evt001"}, {"LEGACY#kind", "T#1"},
}

// oddKeys lists keys that a table may have from before a policy: the guide's mistakes, and other
// forms.
var oddKeys = [][2]string{
	{"PRODUCT", "tenant002#" + ulidA}, {"PRODUCT#", ulidA}, {"PRODUCT##x", ulidA},
	{"#tenant001", "x"}, {"#tenant002", "x"}, {"GARBAGE", "x"}, {"GARBAGE#tenant002", "x"},
	{"ORDER", "tenant002#1"}, {"ORDER-tenant002", "ORDER-1"}, {"product#tenant002", ulidA},
	{"PRODUCT#tenant002 ", ulidA}, {"PRODUCT#Tenant001", ulidA}, {"PRODUCT#tenant001 ", ulidA},
	{"PRODUCT#tenant002#more", ulidA}, {"USER_TENANT#common", "user123"},
	{"USER_TENANT", "tenant001#u"}, {"tenant001", "tenant001"},
	{"LEGACY#kind", "tenant0011#1"}, {"LEGACY", "tenant001#1"},
}

// TestAttacksFromTheGuides plays, as tenant001, each path to each item that is not its own or
// shared: keys of the guide's patterns, and what is there from before the policy. Rules on the form
// of keys may be lifted: that opens nothing.
func TestAttacksFromTheGuides(t *testing.T) {
	past := guideWorld(t)
	before := guideDump(t, past)
	for _, severity := range []policy.Severity{policy.Enforce, policy.Warn, policy.Off} {
		t.Run(severity.String(), func(t *testing.T) {
			p := policytest.Shop()
			p.Severities = map[string]policy.Severity{}
			for _, r := range policy.Rules() {
				if !strings.HasPrefix(r.ID, "tenant-") {
					p.Severities[r.ID] = severity
				}
			}
			engine, err := policy.Compile(p)
			require.NoError(t, err)
			attacks, leaks := 0, 0
			targets := append([][2]string{}, oddKeys...)
			for _, k := range guideKeys {
				targets = append(targets, ofTenant(k, "tenant002"))
			}
			for _, k := range targets {
				for path, body := range guidePaths(k[0], k[1]) {
					attacks++
					operation, _, _ := strings.Cut(path, " ")
					f := past.Fork(emulator.WithPolicy(engine))
					a := attack{Operation: operation, Body: json.RawMessage(body), Key: "AK1"}
					answer := a.send(t, f)
					ok := assert.NotContains(t, answer, "secret of others", "%s of %q", path, k) &&
						assert.Equal(t, before, guideDump(t, f), "%s of %q: %s", path, k, answer)
					if !ok {
						leaks++
					}
				}
			}
			t.Logf("%d attacks by %d paths, %d leaks", attacks, len(guidePaths("", "")), leaks)
		})
	}
}

func ofTenant(k [2]string, tenant string) [2]string {
	replace := func(text string) string {
		segments := strings.Split(text, "#")
		for i, s := range segments {
			if s == "T" {
				segments[i] = tenant
			}
		}
		return strings.Join(segments, "#")
	}
	return [2]string{replace(k[0]), replace(k[1])}
}

// guideWorld has the items of two tenants and those of nobody, without a policy.
func guideWorld(t *testing.T) *emulator.Emulator {
	e := emulator.New(emulator.WithSharedData(),
		emulator.WithLogger(slog.New(slog.DiscardHandler)))
	do := func(operation, body string) {
		a := attack{Operation: operation, Body: json.RawMessage(body), Key: "PAST"}
		require.NotContains(t, a.send(t, e), "__type", body)
	}
	do("CreateTable", `{"TableName":"data","BillingMode":"PAY_PER_REQUEST","KeySchema":[
		{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
		"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},
		{"AttributeName":"sk","AttributeType":"S"},{"AttributeName":"gsi1pk","AttributeType":"S"},
		{"AttributeName":"gsi1sk","AttributeType":"S"}],
		"GlobalSecondaryIndexes":[{"IndexName":"by-category","Projection":{"ProjectionType":"ALL"},
		"KeySchema":[{"AttributeName":"gsi1pk","KeyType":"HASH"},
			{"AttributeName":"gsi1sk","KeyType":"RANGE"}]}]}`)
	put := func(k [2]string, whose string) {
		do("PutItem", fmt.Sprintf(`{"TableName":"data","Item":{"pk":{"S":%q},"sk":{"S":%q},
			"version":{"N":"1"},"secret":{"S":"secret of %s"},
			"gsi1pk":{"S":%q},"gsi1sk":{"S":%q}}}`, k[0], k[1], whose, k[0], k[1]))
	}
	for _, k := range guideKeys {
		put(ofTenant(k, "tenant001"), "tenant001")
		put(ofTenant(k, "tenant002"), "others")
	}
	for _, k := range oddKeys {
		put(k, "others")
	}
	put([2]string{"USER#common", "local#user123"}, "all")
	return e
}

// guideDump returns all stored items.
func guideDump(t *testing.T, e *emulator.Emulator) string {
	a := attack{Operation: "Scan", Body: json.RawMessage(`{"TableName":"data"}`), Key: "PAST"}
	return a.send(t, e.Fork(emulator.WithPolicy(nil)))
}

// guidePaths are the ways to an item. The name of a path begins with its operation.
func guidePaths(pk, sk string) map[string]string {
	key := fmt.Sprintf(`{"pk":{"S":%q},"sk":{"S":%q}}`, pk, sk)
	it := strings.TrimSuffix(key, "}") + `,"version":{"N":"2"},"secret":{"S":"x"}}`
	own := `{"pk":{"S":"PRODUCT#tenant001"},"sk":{"S":"` + ulidB + `"},"version":{"N":"0"},` +
		fmt.Sprintf(`"gsi1pk":{"S":%q},"gsi1sk":{"S":%q}}`, pk, sk)
	on := func(more string) string { return `{"TableName":"data",` + more + `}` }
	values := fmt.Sprintf(`"ExpressionAttributeValues":{":p":{"S":%q}`, pk)
	quoted := func(text string) string { return "'" + text + "'" }
	where := "pk = " + quoted(pk) + " AND sk = " + quoted(sk)
	text := func(statement string) string {
		s, _ := json.Marshal(statement)
		return string(s)
	}
	remove := `DELETE FROM data WHERE ` + where
	change := `UPDATE data SET secret = 'x' SET version = 2 WHERE ` + where
	insert := "INSERT INTO data VALUE {'pk': " + quoted(pk) + ", 'sk': " + quoted(sk+"x") + "}"
	read := `SELECT * FROM data WHERE ` + where
	return map[string]string{
		"GetItem":          on(`"Key":` + key),
		"BatchGetItem":     `{"RequestItems":{"data":{"Keys":[` + key + `]}}}`,
		"TransactGetItems": `{"TransactItems":[{"Get":{"TableName":"data","Key":` + key + `}}]}`,
		"Query":            on(`"KeyConditionExpression":"pk = :p",` + values + `}`),
		"Query by prefix": on(`"KeyConditionExpression":"pk = :p AND begins_with(sk, :s)",` + values +
			fmt.Sprintf(`,":s":{"S":%q}}`, sk[:min(3, len(sk))])),
		"Query of the index": on(`"IndexName":"by-category","KeyConditionExpression":"gsi1pk = :p",` +
			values + `}`),
		"Query count":       on(`"Select":"COUNT","KeyConditionExpression":"pk = :p",` + values + `}`),
		"Scan":              on(`"FilterExpression":"pk = :p",` + values + `}`),
		"Scan of the index": on(`"IndexName":"by-category"`),
		"PutItem":           on(`"Item":` + it + `,"ReturnValues":"ALL_OLD"`),
		"PutItem under a condition that fails": on(`"Item":` + it +
			`,"ConditionExpression":"attribute_not_exists(pk)",` +
			`"ReturnValuesOnConditionCheckFailure":"ALL_OLD"`),
		"PutItem of its own into that part of the index": on(`"Item":` + own),
		"UpdateItem": on(`"Key":` + key + `,"UpdateExpression":"SET secret = :p ADD version :n",` +
			values + `,":n":{"N":"1"}},"ReturnValues":"ALL_OLD"`),
		"DeleteItem": on(`"Key":` + key + `,"ReturnValues":"ALL_OLD",` +
			`"ConditionExpression":"version = :n","ExpressionAttributeValues":{":n":{"N":"1"}}`),
		"BatchWriteItem put":    `{"RequestItems":{"data":[{"PutRequest":{"Item":` + it + `}}]}}`,
		"BatchWriteItem delete": `{"RequestItems":{"data":[{"DeleteRequest":{"Key":` + key + `}}]}}`,
		"TransactWriteItems put": `{"TransactItems":[{"Put":{"TableName":"data","Item":` + it +
			`}}]}`,
		"TransactWriteItems delete": `{"TransactItems":[{"Delete":{"TableName":"data","Key":` + key +
			`}}]}`,
		"TransactWriteItems check": `{"TransactItems":[{"ConditionCheck":{"TableName":"data","Key":` +
			key + `,"ConditionExpression":"attribute_not_exists(pk)",` +
			`"ReturnValuesOnConditionCheckFailure":"ALL_OLD"}}]}`,
		"ExecuteStatement read": `{"Statement":` + text(read) + `}`,
		"ExecuteStatement of the index": `{"Statement":` + text(`SELECT * FROM "data"."by-category" `+
			`WHERE gsi1pk = `+quoted(pk)) + `}`,
		"ExecuteStatement either": `{"Statement":` + text("SELECT * FROM data WHERE pk IN ["+
			quoted("PRODUCT#tenant001")+", "+quoted(pk)+"]") + `}`,
		"ExecuteStatement update":      `{"Statement":` + text(change) + `}`,
		"ExecuteStatement delete":      `{"Statement":` + text(remove) + `}`,
		"BatchExecuteStatement read":   `{"Statements":[{"Statement":` + text(read) + `}]}`,
		"BatchExecuteStatement delete": `{"Statements":[{"Statement":` + text(remove) + `}]}`,
		"ExecuteTransaction read":      `{"TransactStatements":[{"Statement":` + text(read) + `}]}`,
		"ExecuteTransaction update":    `{"TransactStatements":[{"Statement":` + text(change) + `}]}`,
		"BatchExecuteStatement insert": `{"Statements":[{"Statement":` + text(insert) + `}]}`,
		"ExportTableToPointInTime": `{"S3Bucket":"b","TableArn":` +
			`"arn:aws:dynamodb:us-east-1:000000000000:table/data"}`,
		"CreateBackup":                on(`"BackupName":"mine"`),
		"DeleteTable":                 `{"TableName":"data"}`,
		"DescribeContributorInsights": `{"TableName":"data"}`,
		"ListContributorInsights":     `{}`,
	}
}
