package emulator_test

import (
	"encoding/base64"
	"maps"
	"strings"

	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/conventions/policy"
)

// The tenants. One is called as another one begins.
var isolatedTenants = []string{"a", "ab", "b"}

// readsStream stands for DescribeStream, GetShardIterator and GetRecords of the stream of data.
const readsStream = "reads a stream"

// isolatedTables are the tables and the names of their keys. The policy knows misnamed by other
// names, binary by another type, and undeclared not at all.
var isolatedTables = map[string][2]string{
	"data": {"pk", "sk"}, "misnamed": {"PK", "SK"}, "binary": {"pk", "sk"},
	"undeclared": {"pk", "sk"}, "open": {"pk", "sk"},
}

func isolations() *rapid.Generator[isolation] {
	return rapid.Custom(func(t *rapid.T) isolation {
		return isolation{isolatedPolicy(t),
			rapid.SliceOfN(rapid.Custom(anyRequest), 1, 12).Draw(t, "requests")}
	})
}

func one[T any](t *rapid.T, label string, of ...T) T { return rapid.SampledFrom(of).Draw(t, label) }

// isolatedPolicy tells tenants in one way or another, and describes more or less of the tables.
func isolatedPolicy(t *rapid.T) policy.Policy {
	p := policy.Policy{Tenants: policy.Tenants{Privileged: []string{"admin"}}}
	if rapid.Bool().Draw(t, "by header") {
		p.Tenants.Header = "x-tenant"
	} else {
		p.Tenants.Callers = map[string]string{
			"AKa": "a", "AKab": "ab", "AKb": "b", "AKadmin": "admin",
		}
	}
	if rapid.Bool().Draw(t, "known") {
		p.Tenants.Known = isolatedTenants
	}
	if rapid.Bool().Draw(t, "lenient on keys") {
		p.Severities = map[string]policy.Severity{}
		for _, r := range []*policy.Rule{policy.RuleUndeclaredPrefix, policy.RuleSegments,
			policy.RuleValue, policy.RuleOverloaded, policy.RuleFixedPartition} {
			p.Severities[r.ID] = policy.Warn
		}
	}
	data := policy.Table{Name: "data", Role: policy.Plain}
	product := policy.Entity{Name: "product", Prefix: "P", Sort: policy.Pattern("{id}")}
	for _, e := range []policy.Entity{
		{Name: "user", Prefix: "U", Tenant: policy.TenantCommon, Sort: policy.Pattern("{id}")},
		{Name: "user-tenant", Prefix: "UT", Tenant: policy.TenantCommon,
			Sort: policy.Pattern("{tenant:tenant}#{user}")},
		{Name: "activity", Prefix: "ACT", Tenant: policy.TenantNone,
			Partition: policy.Pattern("{user}"), Sort: policy.Pattern("{id}")},
	} {
		if rapid.IntRange(0, 3).Draw(t, e.Name) > 0 {
			data.Entities = append(data.Entities, e)
		}
	}
	if len(data.Entities) > 0 { // else all of the table is tenants'
		data.Entities = append(data.Entities, product)
	}
	if x := isolatedIndex(t); x.Name != "" {
		data.Indexes = append(data.Indexes, x)
	}
	p.Tables = []policy.Table{data, {Name: "misnamed", Role: policy.Plain},
		{Name: "binary", Role: policy.Plain}, {Name: "open", Open: true}}
	return p
}

// isolatedIndex describes the index of data in one way or another, or not at all.
func isolatedIndex(t *rapid.T) policy.Index {
	x := policy.Index{
		Name: "by-category", Key: policy.KeySchema{Partition: "gsi1pk", Sort: "gsi1sk"},
	}
	category := policy.Entity{
		Name: "category", Prefix: "C", Partition: policy.Pattern("{category}"),
		Sort: policy.Pattern("{id}"),
	}
	switch one(t, "index", "entity", "tenant", "sort", "none", "entity of none", "undeclared") {
	case "entity":
		x.Entities = []policy.Entity{category}
	case "sort":
		x.Entities = []policy.Entity{
			{Name: "shared", Prefix: "S", Tenant: policy.TenantCommon,
				Sort: policy.Pattern("{tenant:tenant}#{id}")}, category,
		}
	case "none":
		x.Tenant = policy.TenantNone
	case "entity of none":
		x.Entities = []policy.Entity{category,
			{Name: "kind", Prefix: "K", Tenant: policy.TenantNone, Sort: policy.Pattern("{id}")}}
	case "undeclared":
		return policy.Index{}
	}
	return x
}

func str(s string) object { return object{"S": s} }

func anyTenant(t *rapid.T) string { return one(t, "tenant", "a", "ab", "b", "b", "common") }

func anyPartition(t *rapid.T) string {
	switch one(t, "partition", "P", "P", "P", "UT", "U", "ACT", "Z", "bare") {
	case "UT":
		return "UT#common"
	case "U":
		return "U#common"
	case "ACT":
		return "ACT#u1"
	case "Z":
		return "Z#" + anyTenant(t)
	case "bare":
		return "P"
	}
	return "P#" + anyTenant(t)
}

func anySort(t *rapid.T) string {
	return one(t, "sort", "i1", "i1", "i2", "a#u1", "ab#u1", "b#u1", "b")
}

// anyKey is a key by the names that the table has or by those that the policy knows.
func anyKey(t *rapid.T, table string) object {
	names := isolatedTables[table]
	if table == "misnamed" && rapid.Bool().Draw(t, "by the policy's names") {
		names = [2]string{"pk", "sk"}
	}
	pk := str(anyPartition(t))
	if table == "binary" {
		pk = object{"B": base64.StdEncoding.EncodeToString([]byte(pk["S"].(string)))}
	}
	return object{names[0]: pk, names[1]: str(anySort(t))}
}

func anyTable(t *rapid.T) string {
	return one(t, "table", "data", "data", "data", "data", "misnamed", "binary", "undeclared",
		"open")
}

// anyCategory is a partition key of the index.
func anyCategory(t *rapid.T) string {
	return one(t, "category", "C#a#k", "C#b#k", "C#ab#k", "C#common#k", "S#common", "K", "C")
}

func anyItem(t *rapid.T, table string) object {
	it := anyKey(t, table)
	if table == "misnamed" {
		maps.Copy(it, object{"pk": str(anyPartition(t)), "sk": str(anySort(t))})
	}
	for _, a := range [][2]string{{"gsi1pk", anyCategory(t)}, {"gsi1sk", anySort(t)},
		{"tmp", anyCategory(t)}, {"email", "x@example.com"}, {"note", "new"}} {
		if rapid.Bool().Draw(t, a[0]) {
			it[a[0]] = str(a[1])
		}
	}
	return it
}

func anyRequest(t *rapid.T) isolatedRequest {
	r := isolatedRequest{caller: one(t, "caller", "a", "a", "a", "ab", "stranger")}
	r.operation, r.body = anyOperation(t)
	return r
}

func anyOperation(t *rapid.T) (string, object) {
	table := anyTable(t)
	switch name := one(t, "operation", "PutItem", "UpdateItem", "DeleteItem", "GetItem", "Query",
		"Query", "Query", "Scan", "BatchGetItem", "BatchWriteItem",
		"TransactGetItems", "TransactWriteItems", "ExecuteStatement", "ExecuteStatement",
		"BatchExecuteStatement", "ExecuteTransaction", "DeleteTable",
		"UpdateTimeToLive", "TagResource", "DescribeTable", "ListTables", "ListStreams",
		readsStream); name {
	case "PutItem", "UpdateItem", "DeleteItem":
		return name, anyWriteOf(t, name[:3], table)
	case "GetItem":
		return name, object{"TableName": table, "Key": anyKey(t, table)}
	case "Query":
		return name, anyQuery(t)
	case "Scan":
		return name, anyScan(t, table)
	case "BatchGetItem":
		return name, object{"RequestItems": object{table: object{"Keys": []any{anyKey(t, table)}}}}
	case "BatchWriteItem":
		write := object{"PutRequest": object{"Item": anyItem(t, table)}}
		if rapid.Bool().Draw(t, "deletes") {
			write = object{"DeleteRequest": object{"Key": anyKey(t, table)}}
		}
		return name, object{"RequestItems": object{table: []any{write}}}
	case "TransactGetItems":
		return name, object{"TransactItems": []any{object{
			"Get": object{"TableName": "open", "Key": object{"pk": str("P#a"), "sk": str("i1")}},
		},
			object{"Get": object{"TableName": table, "Key": anyKey(t, table)}}}}
	case "TransactWriteItems":
		kind := one(t, "action", "Put", "Update", "Delete", "ConditionCheck")
		return name, object{"TransactItems": []any{object{kind: anyWriteOf(t, kind[:3], table)}}}
	case "ExecuteStatement":
		return name, object{"Statement": anyStatement(t, table)}
	case "BatchExecuteStatement":
		return name, object{"Statements": []any{object{"Statement": anyStatement(t, table)}}}
	case "ExecuteTransaction":
		return name, object{
			"TransactStatements": []any{object{"Statement": anyStatement(t, table)}},
		}
	case "UpdateTimeToLive":
		return name, object{
			"TableName":               table,
			"TimeToLiveSpecification": object{"AttributeName": "ttl", "Enabled": true},
		}
	case "TagResource":
		return name, object{
			"ResourceArn": "arn:aws:dynamodb:us-east-1:000000000000:table/" + table,
			"Tags":        []any{object{"Key": "k", "Value": "v"}},
		}
	case "DeleteTable", "DescribeTable":
		return name, object{"TableName": table}
	default:
		return name, object{}
	}
}

// anyWriteOf is a write of a kind by the first letters of its name.
func anyWriteOf(t *rapid.T, kind, table string) object {
	w := object{"TableName": table}
	switch kind {
	case "Put":
		w["Item"] = anyItem(t, table)
	case "Upd":
		w["Key"] = anyKey(t, table)
		w["UpdateExpression"] = one(t, "update", "SET note = :c", "SET gsi1pk = :c, gsi1sk = :s",
			"SET gsi1pk = tmp, gsi1sk = :s", "SET tmp = :c, gsi1sk = :s",
			"SET gsi1pk = if_not_exists(nope, :c), gsi1sk = :s", "SET gsi1sk = :s",
			"REMOVE gsi1pk SET note = :c")
		values := object{}
		for _, v := range [][2]string{{":c", anyCategory(t)}, {":s", anySort(t)}} {
			if strings.Contains(w["UpdateExpression"].(string), v[0]) {
				values[v[0]] = str(v[1])
			}
		}
		w["ExpressionAttributeValues"] = values
	default:
		w["Key"] = anyKey(t, table)
	}
	if kind == "Con" || rapid.Bool().Draw(t, "conditional") {
		w["ConditionExpression"] = one(t, "condition", "attribute_exists(note)",
			"attribute_not_exists(note)")
		w["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
	}
	return w
}

func anyQuery(t *rapid.T) object {
	table := anyTable(t)
	names := isolatedTables[table]
	q, pk := object{"TableName": table}, anyPartition(t)
	if table == "data" && rapid.Bool().Draw(t, "of the index") {
		q["IndexName"], names, pk = "by-category", [2]string{"gsi1pk", "gsi1sk"}, anyCategory(t)
	} else if table == "data" && rapid.IntRange(0, 3).Draw(t, "of the other index") == 0 {
		q["IndexName"], names, pk = "by-email", [2]string{"email"}, "x@example.com"
	}
	value := str(pk)
	if table == "binary" {
		value = object{"B": base64.StdEncoding.EncodeToString([]byte(pk))}
	}
	if names[1] != "" && rapid.IntRange(0, 3).Draw(t, "legacy") == 0 {
		q["KeyConditions"] = object{names[0]: object{"ComparisonOperator": "EQ",
			"AttributeValueList": []any{value}},
			names[1]: object{"ComparisonOperator": one(t, "operator", "GE", "BEGINS_WITH"),
				"AttributeValueList": []any{str(one(t, "from", "a", "a#", "i"))}}}
		return q
	}
	condition, values := names[0]+" = :p", object{":p": value}
	if names[1] != "" {
		part := one(t, "part", "", "", " AND S = :l", " AND begins_with(S, :l)", " AND S > :l",
			" AND S BETWEEN :l AND :h")
		condition += strings.ReplaceAll(part, "S", names[1])
		if strings.Contains(part, ":l") {
			values[":l"] = str(one(t, "low", "a", "a#", "a#u1", "b#", "i1"))
		}
		if strings.Contains(part, ":h") {
			values[":h"] = str(one(t, "high", "a#z", "ab#z", "b", "z"))
		}
	}
	q["KeyConditionExpression"], q["ExpressionAttributeValues"] = condition, values
	return q
}

func anyScan(t *rapid.T, table string) object {
	s := object{"TableName": table}
	if table == "data" {
		if index := one(t, "index", "", "by-category", "by-email"); index != "" {
			s["IndexName"] = index
		}
	}
	return s
}

func anyStatement(t *rapid.T, table string) string {
	names, source := isolatedTables[table], table
	pk, sk := "'"+anyPartition(t)+"'", "'"+anySort(t)+"'"
	if table == "binary" {
		pk = "'x'"
	}
	at := " WHERE " + names[0] + " = " + pk + " AND " + names[1] + " = " + sk
	if table == "data" && rapid.Bool().Draw(t, "of an index") {
		source = one(t, "index", `data."by-category"`, `data."by-email"`)
	}
	category := "'" + anyCategory(t) + "'"
	switch one(t, "statement", "one", "partition", "several", "either", "category", "all", "insert",
		"update", "plant", "delete", "exists") {
	case "one":
		return "SELECT * FROM " + source + at
	case "partition":
		return "SELECT * FROM " + source + " WHERE " + names[0] + " = " + pk
	case "several":
		return "SELECT * FROM " + table + " WHERE " + names[0] + " = " + pk + " AND " + names[1] +
			" IN ['a#u1', " + sk + "]"
	case "either":
		return "SELECT * FROM " + source + " WHERE " + names[0] + " = 'P#a' OR " + names[0] +
			" = " + pk
	case "category":
		return "SELECT * FROM " + source + " WHERE gsi1pk = " + category
	case "all":
		return "SELECT * FROM " + source
	case "insert":
		return "INSERT INTO " + table + " VALUE {'" + names[0] + "': " + pk + ", '" + names[1] +
			"': " + sk + ", 'gsi1pk': " + category + ", 'gsi1sk': 'i1'}"
	case "update":
		return "UPDATE " + table + " SET gsi1pk = " + category + " SET gsi1sk = " + sk + at
	case "plant":
		return "UPDATE " + table + " SET gsi1pk = tmp SET gsi1sk = " + sk + at +
			" RETURNING ALL NEW *"
	case "delete":
		return "DELETE FROM " + table + at + " RETURNING ALL OLD *"
	}
	return "EXISTS(SELECT * FROM " + table + at + " AND note = 'new')"
}
