package emulator_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/emulator"
)

// isolatedWorld is an emulator with tables and items of all tenants, without a policy.
var isolatedWorld = sync.OnceValue(func() *emulator.Emulator {
	e := emulator.New(emulator.WithSharedData(), emulator.WithLogger(slog.New(slog.DiscardHandler)))
	must := func(operation string, body object) {
		if status, answer := callAs(e, "admin", "", operation, body); status != http.StatusOK {
			panic(operation + " " + answer)
		}
	}
	for table, names := range isolatedTables {
		must("CreateTable", isolatedTable(table, names))
	}
	put := func(table, pk, sk string, more object) {
		names := isolatedTables[table]
		it := object{
			names[0]: str(pk), names[1]: str(sk), "note": str("secret of " + pk + sk),
			"tmp": str("C#b#k"),
		}
		if table == "binary" {
			it[names[0]] = object{"B": base64.StdEncoding.EncodeToString([]byte(pk))}
		}
		maps.Copy(it, more)
		must("PutItem", object{"TableName": table, "Item": it})
	}
	for _, tenant := range isolatedTenants {
		put("data", "P#"+tenant, "i1",
			object{"email": str("x@example.com"), "gsi1pk": str("C#" + tenant + "#k"),
				"gsi1sk": str("i1")})
		put("data", "P#"+tenant, "i2",
			object{"gsi1pk": str("S#common"), "gsi1sk": str(tenant + "#u1")})
		put("data", "UT#common", tenant+"#u1",
			object{"gsi1pk": str("K"), "gsi1sk": str("i1"), "email": str("x@example.com")})
		put("data", "Z#"+tenant, "i1", nil)
		put("misnamed", "P#"+tenant, "i1", object{"pk": str("P#" + tenant), "sk": str("i1")})
		for _, table := range []string{"binary", "undeclared", "open"} {
			put(table, "P#"+tenant, "i1", nil)
		}
	}
	for _, pk := range []string{"U#common", "P#common", "ACT#u1"} {
		put("data", pk, "i1", nil)
	}
	put("data", "U#common", "i2", object{"gsi1pk": str("C#b#k"), "gsi1sk": str("i2")})
	return e
})

func isolatedTable(table string, names [2]string) object {
	kind := "S"
	if table == "binary" {
		kind = "B"
	}
	schema := func(pk, sk string) []any {
		all := []any{object{"AttributeName": pk, "KeyType": "HASH"}}
		if sk != "" {
			all = append(all, object{"AttributeName": sk, "KeyType": "RANGE"})
		}
		return all
	}
	attribute := func(name, kind string) object {
		return object{"AttributeName": name, "AttributeType": kind}
	}
	in := object{"TableName": table, "BillingMode": "PAY_PER_REQUEST",
		"KeySchema":            schema(names[0], names[1]),
		"AttributeDefinitions": []any{attribute(names[0], kind), attribute(names[1], "S")}}
	if table == "data" {
		in["AttributeDefinitions"] = append(in["AttributeDefinitions"].([]any),
			attribute("gsi1pk", "S"), attribute("gsi1sk", "S"), attribute("email", "S"))
		all := object{"ProjectionType": "ALL"}
		in["GlobalSecondaryIndexes"] = []any{object{"IndexName": "by-category",
			"KeySchema": schema("gsi1pk", "gsi1sk"), "Projection": all},
			object{"IndexName": "by-email", "KeySchema": schema("email", ""), "Projection": all}}
		in["StreamSpecification"] = object{
			"StreamEnabled": true, "StreamViewType": "NEW_AND_OLD_IMAGES",
		}
	}
	return in
}

// door is where requests come to an emulator: its own, which its policy guards if it has one, or a
// gateway's.
type door func(*emulator.Emulator, string) interface {
	Do(*http.Request) (*http.Response, error)
}

// ownDoor takes requests of an access key.
func ownDoor(e *emulator.Emulator, accessKey string) interface {
	Do(*http.Request) (*http.Response, error)
} {
	return e.HTTPClient(accessKey, "us-east-1")
}

// callAs sends a request of a tenant past all gateways.
func callAs(e *emulator.Emulator, tenant, header, operation string, body object) (int, string) {
	return callAt(ownDoor, e, tenant, header, operation, body)
}

// callAt sends a request of a tenant, which is known by its access key and the header. It returns
// the status and the body of the answer.
func callAt(at door, e *emulator.Emulator, tenant, header, operation string, body object) (int,
	string) {
	encoded, err := json.Marshal(body)
	if err != nil {
		panic(err)
	}
	r, err := http.NewRequest(http.MethodPost, "http://localhost/", bytes.NewReader(encoded))
	if err != nil {
		panic(err)
	}
	service := "DynamoDB_20120810."
	if slices.Contains([]string{"DescribeStream", "GetShardIterator", "GetRecords", "ListStreams"},
		operation) {
		service = "DynamoDBStreams_20120810."
	}
	r.Header.Set("X-Amz-Target", service+operation)
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	if header != "" && tenant != "stranger" {
		r.Header.Set(header, tenant)
	}
	answer, err := at(e, "AK"+tenant).Do(r)
	if err != nil {
		panic(err)
	}
	defer answer.Body.Close()
	out, err := io.ReadAll(answer.Body)
	if err != nil {
		panic(err)
	}
	return answer.StatusCode, string(out)
}

// stock holds the items of the tables, by table and key.
type stock map[string]object

// stockOf looks at an emulator past its policy.
func stockOf(e *emulator.Emulator) stock {
	past, all := e.Fork(emulator.WithPolicy(nil)), stock{}
	for table, names := range isolatedTables {
		status, body := callAs(past, "admin", "", "Scan", object{"TableName": table})
		var out struct{ Items []object }
		if err := json.Unmarshal([]byte(body), &out); err != nil || status != http.StatusOK {
			continue // it is gone, which is for the caller to see
		}
		all[table] = object{}
		for _, it := range out.Items {
			key, err := json.Marshal([]any{table, it[names[0]], it[names[1]]})
			if err != nil {
				panic(err)
			}
			all[string(key)] = it
		}
	}
	return all
}

func stringOf(it object, name string) string {
	v, _ := it[name].(object)
	if b, ok := v["B"].(string); ok {
		decoded, _ := base64.StdEncoding.DecodeString(b)
		return string(decoded)
	}
	s, _ := v["S"].(string)
	return s
}

// segment returns the nth segment of a key, from 0, or "".
func segment(key string, n int) string {
	if parts := strings.Split(key, "#"); n < len(parts) {
		return parts[n]
	}
	return ""
}

// isolatedTruth knows whose items are, by the policy as people read it.
type isolatedTruth struct {
	entities map[string]bool
	index    *policy.Index
	// ofRequests says that whoever guards the items sees requests only. When an update moves a
	// caller's own item within a partition of an index, it cannot know that somebody privileged put
	// the item among the shared ones there.
	ofRequests bool
}

func truthOf(p *policy.Policy) isolatedTruth {
	truth := isolatedTruth{entities: map[string]bool{}}
	for _, e := range p.Tables[0].Entities {
		truth.entities[e.Name] = true
	}
	if len(p.Tables[0].Indexes) > 0 {
		truth.index = &p.Tables[0].Indexes[0]
	}
	return truth
}

// owner is whose an item is, "" if tenants share it.
func (truth *isolatedTruth) owner(table string, it object) string {
	names := isolatedTables[table]
	pk, sk := stringOf(it, names[0]), stringOf(it, names[1])
	owner := segment(pk, 1)
	switch {
	case table == "open":
		return ""
	case table != "data": // nobody can tell, but the test
	case pk == "UT#common" && truth.entities["user-tenant"]:
		owner = segment(sk, 0)
	case segment(pk, 0) == "ACT" && truth.entities["activity"]:
		return ""
	}
	if owner == "common" {
		return ""
	}
	return owner
}

// isShared reports whether an item's place in the index is one that its owner shares with all, or
// with a tenant.
func (truth *isolatedTruth) isShared(table string, it object, tenant string) bool {
	pk, sk := stringOf(it, "gsi1pk"), stringOf(it, "gsi1sk")
	if table != "data" || truth.index == nil || pk == "" || sk == "" {
		return false
	}
	named := truth.namedInIndex(pk, sk)
	return named == "common" || named == tenant
}

// namedInIndex is the tenant that a key of the index names.
func (truth *isolatedTruth) namedInIndex(pk, sk string) string {
	if len(truth.index.Entities) > 0 && truth.index.Entities[0].Name == "shared" &&
		pk == "S#common" {
		return segment(sk, 0)
	}
	return segment(pk, 1)
}

func tableOfKey(key string) string {
	var parts []any
	if err := json.Unmarshal([]byte(key), &parts); err != nil {
		return ""
	}
	return parts[0].(string)
}

// censor is a fork without the items that a tenant must not see.
func (truth *isolatedTruth) censor(e *emulator.Emulator, all stock, tenant string,
	engine *policy.Engine) *emulator.Emulator {
	past := e.Fork(emulator.WithPolicy(nil))
	for key, it := range all {
		table := tableOfKey(key)
		if table == "" || truth.mayRead(table, it, tenant) {
			continue
		}
		names := isolatedTables[table]
		callAs(past, "admin", "", "DeleteItem",
			object{"TableName": table,
				"Key": object{names[0]: it[names[0]], names[1]: it[names[1]]}})
	}
	return past.Fork(emulator.WithPolicy(engine))
}

func (truth *isolatedTruth) mayRead(table string, it object, tenant string) bool {
	if tenant == "stranger" {
		return table == "open"
	}
	owner := truth.owner(table, it)
	return owner == "" && table != "undeclared" || owner == tenant ||
		truth.isShared(table, it, tenant)
}

// compare returns an error if a tenant's request has changed what is another's, or put something
// into its part of the index.
func (truth *isolatedTruth) compare(before, after stock, tenant string) error {
	for key, it := range before {
		table := tableOfKey(key)
		if now := after[key]; !reflect.DeepEqual(it, now) &&
			(table == "" || !truth.mayWrite(table, it, tenant)) {
			return fmt.Errorf("%s was %v and is %v", key, it, now)
		}
	}
	for key, it := range after {
		table := tableOfKey(key)
		if table == "" || reflect.DeepEqual(it, before[key]) {
			continue
		}
		if !truth.mayWrite(table, it, tenant) {
			return fmt.Errorf("%s is new: %v", key, it)
		}
		if pk, sk := stringOf(it, "gsi1pk"), stringOf(it, "gsi1sk"); table == "data" &&
			truth.index != nil && pk != "" && sk != "" && truth.index.Tenant != policy.TenantNone {
			if named := truth.namedInIndex(pk,
				sk); (slices.Contains(isolatedTenants, named) || named == "common") &&
				named != tenant && !truth.sameInIndex(before[key], it) {
				return fmt.Errorf("%s is planted in the index: %v", key, it)
			}
		}
	}
	return nil
}

// sameInIndex reports whether two states of an item have one place in the index, as far as whoever
// guards them can see.
func (truth *isolatedTruth) sameInIndex(before, after object) bool {
	pk := stringOf(after, "gsi1pk")
	return stringOf(before, "gsi1pk") == pk &&
		(stringOf(before, "gsi1sk") == stringOf(after, "gsi1sk") ||
			truth.ofRequests && segment(pk, 1) == "common")
}

// mayWrite reports whether an item is a tenant's to change. What all of them share is not.
func (truth *isolatedTruth) mayWrite(table string, it object, tenant string) bool {
	return truth.isOf(table, it, tenant) && (table == "open" || !truth.isCommon(table, it))
}

// isCommon reports whether the key of an item names the tenant common as its owner.
func (truth *isolatedTruth) isCommon(table string, it object) bool {
	names := isolatedTables[table]
	pk, sk := stringOf(it, names[0]), stringOf(it, names[1])
	if pk == "UT#common" && truth.entities["user-tenant"] {
		return segment(sk, 0) == "common"
	}
	return segment(pk, 1) == "common" && !(segment(pk, 0) == "ACT" && truth.entities["activity"])
}

// isOf reports whether an item is a tenant's, or shared.
func (truth *isolatedTruth) isOf(table string, it object, tenant string) bool {
	if tenant == "stranger" {
		return table == "open"
	}
	owner := truth.owner(table, it)
	return owner == "" && table != "undeclared" || owner == tenant
}

// readStream reads the stream of data as a tenant, who is to see all records of its own and of
// shared items that it may read, and no others.
func (truth *isolatedTruth) readStream(e *emulator.Emulator, _ door, reader isolatedRequest,
	header string, _ *policy.Engine) error {
	tenant := reader.caller
	seen, err := recordsSeen(e, tenant, header)
	if err != nil {
		return err
	}
	all, err := recordsSeen(e.Fork(emulator.WithPolicy(nil)), "admin", "")
	if err != nil {
		return err
	}
	want := []string{}
	for _, r := range all {
		if tenant != "stranger" && truth.isOf("data", r.Dynamodb.Keys, tenant) &&
			reads(e, tenant, header, r.Dynamodb.Keys) {
			want = append(want, r.String())
		}
	}
	got := []string{}
	for _, r := range seen {
		got = append(got, r.String())
	}
	if !slices.Equal(got, want) {
		return fmt.Errorf("the records are %v and should be %v", got, want)
	}
	return nil
}

// reads reports whether somebody may get the item of data with a key, or query its partition.
func reads(e *emulator.Emulator, tenant, header string, key object) bool {
	got, _ := callAs(e, tenant, header, "GetItem", object{"TableName": "data", "Key": key})
	queried, _ := callAs(e, tenant, header, "Query", object{"TableName": "data",
		"KeyConditionExpression":    "pk = :p",
		"ExpressionAttributeValues": object{":p": key["pk"]}})
	return got == http.StatusOK || queried == http.StatusOK
}

type seenRecord struct {
	EventID  string
	Dynamodb struct{ Keys, NewImage, OldImage object }
}

func (r *seenRecord) String() string { return fmt.Sprint(r.EventID, r.Dynamodb) }

// recordsSeen are the records of the stream of data that somebody is shown.
func recordsSeen(e *emulator.Emulator, tenant, header string) ([]seenRecord, error) {
	var all []seenRecord
	_, listed := callAs(e.Fork(emulator.WithPolicy(nil)), "admin", "", "ListStreams",
		object{"TableName": "data"})
	var streams struct{ Streams []struct{ StreamArn string } }
	if err := json.Unmarshal([]byte(listed), &streams); err != nil || len(streams.Streams) != 1 {
		return nil, fmt.Errorf("streams: %s", listed)
	}
	arn := streams.Streams[0].StreamArn
	_, described := callAs(e.Fork(emulator.WithPolicy(nil)), "admin", "", "DescribeStream",
		object{"StreamArn": arn})
	var stream struct {
		StreamDescription struct{ Shards []struct{ ShardId string } }
	}
	if err := json.Unmarshal([]byte(described), &stream); err != nil {
		return nil, err
	}
	for _, shard := range stream.StreamDescription.Shards {
		// The iterator of somebody else is no help.
		_, made := callAs(e.Fork(emulator.WithPolicy(nil)), "admin", "", "GetShardIterator",
			object{"StreamArn": arn, "ShardId": shard.ShardId, "ShardIteratorType": "TRIM_HORIZON"})
		status, body := callAs(e, tenant, header, "GetRecords", withIterator(made))
		if status != http.StatusOK {
			continue
		}
		var out struct{ Records []seenRecord }
		if err := json.Unmarshal([]byte(body), &out); err != nil {
			return nil, err
		}
		all = append(all, out.Records...)
	}
	return all, nil
}

func withIterator(made string) object {
	var it object
	if err := json.Unmarshal([]byte(made), &it); err != nil {
		panic(err)
	}
	return it
}
