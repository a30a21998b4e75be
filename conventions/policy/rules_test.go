package policy_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/conventions/policy/policytest"
	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage/item"
)

// check is one case: what is checked, and the one rule that it breaks ("" for none).
type check struct {
	name  string
	found func(t *testing.T, e *policy.Engine) []policy.Finding
	rule  *policy.Rule
}

func put(table string, i item.Item) func(*testing.T, *policy.Engine) []policy.Finding {
	return func(_ *testing.T, e *policy.Engine) []policy.Finding {
		return e.CheckRequest(&request.Request{
			Caller: tenant1, Amends: true,
			Writes: []request.Write{{Table: table, Kind: request.Put, Item: i}},
		}, nil)
	}
}

func putData(pairs ...string) func(*testing.T, *policy.Engine) []policy.Finding {
	return put("data", it(append(pairs, "version", "=1")...))
}

// writeAs returns a function that has the engine check a caller's write.
func writeAs(c request.Caller, w request.Write) func(*testing.T, *policy.Engine) []policy.Finding {
	return func(_ *testing.T, e *policy.Engine) []policy.Finding {
		return e.CheckRequest(&request.Request{Caller: c, Amends: true, Writes: []request.Write{w}},
			nil)
	}
}

// put1 puts an item of version 1.
func put1(table, pk, sk string) request.Write {
	return request.Write{
		Table: table, Kind: request.Put, Item: it("pk", pk, "sk", sk, "version", "=1"),
	}
}

func putKey(pk, sk string) func(*testing.T, *policy.Engine) []policy.Finding {
	return putData("pk", pk, "sk", sk)
}

func read(r request.Read) func(*testing.T, *policy.Engine) []policy.Finding {
	return readAs(tenant1, r)
}

func readAs(c request.Caller, r request.Read) func(*testing.T, *policy.Engine) []policy.Finding {
	return func(_ *testing.T, e *policy.Engine) []policy.Finding {
		return e.CheckRequest(&request.Request{Caller: c, Reads: []request.Read{r}}, nil)
	}
}

func get(pk, sk string) func(*testing.T, *policy.Engine) []policy.Finding {
	return read(request.Read{Table: "data", Key: key(pk, sk)})
}

func query(index string, terms ...expr.KeyTerm) func(*testing.T, *policy.Engine) []policy.Finding {
	return read(request.Read{Table: "data", Index: index, Terms: terms})
}

func eq(name, value string) expr.KeyTerm {
	return expr.KeyTerm{Name: name, Op: "=", Value: item.String(value)}
}

func begins(name, value string) expr.KeyTerm {
	return expr.KeyTerm{Name: name, Op: "begins_with", Value: item.String(value)}
}

func between(name, low, high string) expr.KeyTerm {
	return expr.KeyTerm{Name: name, Op: "BETWEEN", Value: item.String(low), Hi: item.String(high)}
}

func in(name string, values ...string) expr.KeyTerm {
	list := make([]item.Value, len(values))
	for i, v := range values {
		list[i] = item.String(v)
	}
	return expr.KeyTerm{Name: name, Op: "IN", Value: item.List(list...)}
}

// operation is a request for no items.
func operation(c request.Caller, name, table string) func(*testing.T,
	*policy.Engine) []policy.Finding {
	return func(_ *testing.T, e *policy.Engine) []policy.Finding {
		return e.CheckRequest(&request.Request{Operation: name, Caller: c, Table: table}, nil)
	}
}

func write(w request.Write) func(*testing.T, *policy.Engine) []policy.Finding {
	return writes(request.Request{Caller: tenant1, Amends: true, Writes: []request.Write{w}})
}

func writes(r request.Request) func(*testing.T, *policy.Engine) []policy.Finding {
	return func(_ *testing.T, e *policy.Engine) []policy.Finding { return e.CheckRequest(&r, nil) }
}

func transaction(w ...request.Write) func(*testing.T, *policy.Engine) []policy.Finding {
	return writes(request.Request{Caller: tenant1, Amends: true, Writes: w, Transaction: true})
}

// The best practices and anti-patterns of the three documents, by their passages.
func TestDocuments(t *testing.T) {
	latestItem := it("documentVersion", "latest", "content", "text", "actualVersion", "v2")
	conditional := condition(t, "attribute_not_exists(documentVersion)")
	for _, c := range []check{
		{"guide, best practice 1, good: a declared prefix", putKey("PRODUCT#tenant001", ulid1),
			nil},
		{"guide, best practice 1, avoid: a magic string", putKey("PRODUCTS#tenant001", ulid1),
			policy.RuleUndeclaredPrefix},
		{"guide, best practice 2, good: a ULID", putKey("PRODUCT#tenant001", ulid1), nil},
		{"guide, best practice 2, avoid: another id", putKey("PRODUCT#tenant001", "product-1"),
			policy.RuleULID},
		{"guide, best practice 3, good: an order's items by prefix",
			query("", eq("pk", "ORDER#tenant001"), begins("sk", "ORDER_ITEM#"+ulid1)), nil},
		{"guide, best practice 3, avoid: a scan",
			readAs(request.Caller{AccessKey: "AK1"}, request.Read{Table: "loose", Index: "open"}),
			policy.RuleScan},
		{"guide, best practice 4, good: bounded by tenants", putKey("PRODUCT#tenant001", ulid1),
			nil},
		{"guide, best practice 4, avoid: unbounded by users", thirdUser, policy.RuleUnbounded},
		{"guide, best practice 4, avoid: a user where the tenant should be",
			putData("pk", "PRODUCT#user123", "sk", ulid1), policy.RuleTenantMissing},
		{"guide, best practice 5, good: the tenant in the partition key",
			putKey("PRODUCT#tenant001", ulid1), nil},
		{"guide, best practice 5, avoid: no tenant", putKey("PRODUCT", ulid1),
			policy.RuleTenantMissing},
		{"guide, best practice 5, avoid: the tenant in the sort key",
			putKey("PRODUCT", "tenant001#productId"), policy.RuleTenantInSortKey},
		{"guide, best practice 5, avoid: the tenant declared in the sort key",
			putKey("LEGACY#book", "tenant001#productId"), policy.RuleTenantInSortKey},
		{"guide, best practice 6, good: users are shared", putKey("USER#common", "sso#userId"),
			nil},
		{"guide, best practice 6, good: an association",
			putKey("USER_TENANT#common", "tenant001#userId"), nil},
		{"guide, best practice 6, avoid: shared data of a tenant",
			putKey("USER#tenant001", "sso#userId"), policy.RuleTenantCommon},
		{"guide, anti-pattern 1, avoid: an overloaded key",
			putKey("ORDER#tenant001", "ORDER#2024-01-15#electronics#high-priority#"+ulid1),
			policy.RuleOverloaded},
		{"guide, anti-pattern 1, better: attributes",
			putData("pk", "ORDER#tenant001", "sk", "ORDER#"+ulid1, "date", "2024-01-15", "category",
				"electronics", "priority", "high"), nil},
		{"guide, anti-pattern 2, avoid: a status",
			putKey("ORDER#tenant001", "ORDER#pending#"+ulid1), policy.RuleMutable},
		{"guide, anti-pattern 2, better: an attribute",
			putData("pk", "ORDER#tenant001", "sk", "ORDER#"+ulid1, "status", "pending"), nil},
		{"guide, anti-pattern 3, avoid: mixed separators",
			putKey("ORDER#tenant001", "ORDER-01HX7M_item:001"), policy.RuleSeparator},
		{"guide, anti-pattern 3, good: one separator",
			putKey("ORDER#tenant001", "ORDER_ITEM#"+ulid1+"#001"), nil},
		{"guide, anti-pattern 4, avoid: getItem with a version",
			get("PRODUCT#tenant001", ulid1+"@3"), policy.RuleVersionInDataKey},
		{"guide, anti-pattern 4, good: the version removed", get("PRODUCT#tenant001", ulid1), nil},
		{"guide, version management: a command without a version",
			put("command-orders", key("ORDER#tenant001", "ORDER#"+ulid1)),
			policy.RuleVersionMissing},
		{"guide, version management: a command",
			put("command-orders", it("pk", "ORDER#tenant001", "sk", "ORDER#"+ulid1+"@1",
				"version", "=1")), nil},

		{"table design, primary keys: one partition takes everything",
			putKey("DOCUMENT", "2024-01-15T10:30:00Z"), policy.RuleFixedPartition},
		{"table design, merging models: a prefix that several models have",
			query("", eq("pk", "ORDER#tenant001"), begins("sk", "ORDER")), policy.RuleMixedRead},
		{"table design, merging models: a prefix of one model",
			query("", eq("pk", "ORDER#tenant001"), begins("sk", "ORDER#")), nil},
		{"table design, access patterns: an access pattern without a key",
			readAs(request.Caller{AccessKey: "AK1"}, request.Read{Table: "loose", Index: "open"}),
			policy.RuleScan},

		{"latest, solution: version and latest in one transaction", transaction(
			request.Write{Table: "documents", Kind: request.Put,
				Item: it("documentVersion", "v2", "content", "text")},
			request.Write{Table: "documents", Kind: request.Put, Item: latestItem,
				Condition: conditional}), nil},
		{"latest, solution: a version alone",
			put("documents", it("documentVersion", "v2", "content", "text")),
			policy.RuleLatestMissing},
		{"latest, solution: other content", transaction(
			request.Write{Table: "documents", Kind: request.Put,
				Item: it("documentVersion", "v2", "content", "other")},
			request.Write{Table: "documents", Kind: request.Put, Item: latestItem,
				Condition: conditional}), policy.RuleLatestContent},
		{"latest, points: no condition", transaction(
			request.Write{Table: "documents", Kind: request.Put,
				Item: it("documentVersion", "v2", "content", "text")},
			request.Write{Table: "documents", Kind: request.Put, Item: latestItem}),
			policy.RuleLatestCondition},
		{"latest, points: another actual version", transaction(
			request.Write{Table: "documents", Kind: request.Put,
				Item: it("documentVersion", "v3", "content", "text")},
			request.Write{Table: "documents", Kind: request.Put, Item: latestItem,
				Condition: conditional}), policy.RuleLatestVersion},
		{"latest, bad solution: a fixed partition with createdAt", fixedPartition,
			policy.RuleFixedPartition},
	} {
		t.Run(c.name, c.run)
	}
}

func (c check) run(t *testing.T) {
	e := compile(t, policytest.Shop())
	want := []string{}
	if c.rule != nil {
		want = append(want, c.rule.ID)
	}
	found := c.found(t, e)
	require.Equal(t, want, ids(found), "%v", found)
	for _, f := range found {
		assert.NotEmpty(t, f.Message)
		assert.NotEmpty(t, f.Remedy)
		assert.Equal(t, f.Rule.Default, f.Severity)
		assert.True(t, strings.HasPrefix(f.Error(), f.Rule.ID+": "), f.Error())
	}
}

// restated is a commit that changes the attribute whose value the key of a master item has.
func restated(kind request.WriteKind, before, after string) func(*testing.T,
	*policy.Engine) []policy.Finding {
	master := func(version, value string) item.Item {
		return it("pk", "MASTER#tenant001", "sk", "DATA#kind#"+before, "version", version, "value",
			value)
	}
	return commitOf(imaged("data", kind, master("=1", before), master("=2", after)))
}

// What parts two entities is said: a prefix, an index, or what to declare.
func TestMixedReadRemedies(t *testing.T) {
	p := policytest.Shop()
	p.Tables = append(p.Tables,
		policy.Table{Name: "blog", Role: policy.Plain, Entities: []policy.Entity{
			{Name: "post", Prefix: "BLOG", Sort: policy.Pattern("{at:timestamp}")},
			{Name: "comment", Prefix: "BLOG", Sort: policy.Pattern("{id:ulid}")},
		}, Indexes: []policy.Index{
			{Name: "posts", Key: policy.KeySchema{Partition: "a"},
				Entities: []policy.Entity{{Name: "post", Prefix: "POST"}}},
		}})
	of := func(table, pk string) *policy.Finding {
		found := read(request.Read{Table: table, Terms: []expr.KeyTerm{eq("pk", pk)}})(t,
			compile(t, p))
		require.Equal(t, []string{policy.RuleMixedRead.ID}, ids(found))
		return &found[0]
	}
	orders := of("data", "ORDER#tenant001")
	assert.Equal(t, "the key condition can select items of the entities order and order-item",
		orders.Message)
	assert.Equal(t,
		`let the sort key begin with "ORDER#" for order or "ORDER_ITEM#" for order-item`,
		orders.Remedy)
	assert.Equal(t, "query an index that has one of them only: posts",
		of("blog", "BLOG#tenant001").Remedy)
	p.Tables[len(p.Tables)-1].Indexes = nil
	assert.Contains(t, of("blog", "BLOG#tenant001").Remedy,
		"begin the sort key of each entity with a segment of its own")
}

// thirdUser writes to a third partition of an entity that may have two.
func thirdUser(t *testing.T, e *policy.Engine) []policy.Finding {
	s := e.NewState()
	for i := range 2 {
		r := &request.Request{Caller: tenant1,
			Amends: true, Writes: []request.Write{{Table: "data", Kind: request.Put,
				Item: it("pk", fmt.Sprintf("USER_ACTIVITY#user%d", i), "sk", "2024-01-15T10:30:00Z",
					"version", "=1")}}}
		require.Empty(t, e.CheckRequest(r, s))
		e.RecordRequest(s, r)
		e.RecordRequest(s, r)
		require.Empty(t, e.CheckRequest(r, s), "a partition that is known")
	}
	return e.CheckRequest(&request.Request{Caller: tenant1,
		Amends: true, Writes: []request.Write{{Table: "data", Kind: request.Put,
			Item: it("pk", "USER_ACTIVITY#user123", "sk", "2024-01-15T10:30:00Z", "version",
				"=1")}}},
		s)
}

// fixedPartition fills one partition of a table that says nothing of its keys.
func fixedPartition(t *testing.T, e *policy.Engine) []policy.Finding {
	s := e.NewState()
	event := func(i int) item.Item {
		return it("pk", "documents", "sk", fmt.Sprintf("2024-01-15T10:30:%05dZ", i))
	}
	for i := range policy.FixedPartitionItems {
		require.Empty(t, e.CheckItem("events", event(i), s))
	}
	return e.CheckItem("events", event(policy.FixedPartitionItems), s)
}

func TestKeyRules(t *testing.T) {
	for _, c := range []check{
		{"hierarchy: the parent", putKey("ORDER#tenant001", "ORDER#"+ulid1), nil},
		{"hierarchy: a child", putKey("ORDER#tenant001", "ORDER_ITEM#"+ulid1+"#001"), nil},
		{"master data", putKey("MASTER#tenant001", "SETTING#notification#email_template"), nil},
		{"master data that looks like a date", putKey("MASTER#tenant001", "COPY#backup#2024-01-01"),
			nil},
		{"time series", putKey("LOG#tenant001#2024-01", "2024-01-15T10:30:00Z#evt001"), nil},
		{"time series with milliseconds",
			putKey("LOG#tenant001#2024-01", "2024-01-15T10:30:00.000Z#evt001"), nil},
		{"an address with @", putKey("USER#common", "sso#user@example.com"), policy.RuleAtSign},
		{"an encoded address", putKey("USER#common", "sso#user%40example.com"), nil},
		{"common master data",
			writeAs(admin, put1("data", "MASTER#common", "DATA#product_category#clothing")), nil},

		{"undeclared prefix of the sort key", putKey("ORDER#tenant001", "INVOICE#"+ulid1),
			policy.RuleUndeclaredPrefix},
		{"undeclared variant", putKey("USER#common", "saml#user123"), policy.RuleUndeclaredPrefix},
		{"a prefix in other case", putKey("product#tenant001", ulid1), policy.RuleUndeclaredPrefix},
		{"a key that is no string", putData("pk", "=1", "sk", ulid1), policy.RuleTenantUndeclared},
		{"the partition key with another separator", putKey("PRODUCT-tenant001", ulid1),
			policy.RuleSeparator},
		{"a longer name than a declared one", putKey("PRODUCT_KIND#tenant001", ulid1),
			policy.RuleUndeclaredPrefix},
		{"a longer name in the sort key", putKey("ORDER#tenant001", "ORDER_LINE#"+ulid1),
			policy.RuleUndeclaredPrefix},
		{"another separator than the only one", putKey("PRODUCT_kind", ulid1),
			policy.RuleSeparator},
		{"another separator behind a name and a tenant", putKey("PRODUCT_tenant001#more", ulid1),
			policy.RuleSeparator},
		{"a segment with another separator", putKey("ORDER#tenant001", "ORDER#"+ulid1+"_2"),
			policy.RuleSeparator},
		{"the last separator is another one", putKey("ORDER#tenant001", "ORDER_ITEM#"+ulid1+":001"),
			policy.RuleSeparator},
		{"a segment is missing", putKey("ORDER#tenant001", "ORDER_ITEM#"+ulid1),
			policy.RuleSegments},
		{"a segment is empty", putKey("ORDER#tenant001", "ORDER_ITEM##001"), policy.RuleSegments},
		{"the last segment is empty", putKey("ORDER#tenant001", "ORDER#"+ulid1+"#"),
			policy.RuleSegments},
		{"a segment too many", putKey("ORDER#tenant001", "ORDER_ITEM#"+ulid1+"#001#x"),
			policy.RuleSegments},
		{"the partition key has a segment too many", putKey("PRODUCT#tenant001#x", ulid1),
			policy.RuleSegments},
		{"the partition key has one too few",
			putKey("LOG#tenant001", "2024-01-15T10:30:00Z#evt001"), policy.RuleSegments},
		{"a segment repeats an attribute",
			putData("pk", "ORDER#tenant001", "sk", "ORDER#"+ulid1+"#electronics", "category",
				"electronics"), policy.RuleOverloaded},
		{"a code that is a word of state", putKey("MASTER#tenant001", "DATA#order_status#active"),
			nil},
		{"an event that is a word of state",
			putKey("LOG#tenant001#2024-01", "2024-01-15T10:30:00Z#failed"), nil},
		{"a declared state", put("states", it("pk", "ORDER#tenant001", "sk", "pending#"+ulid1)),
			policy.RuleMutable},
		{"a declared state that is none of the words",
			put("states", it("pk", "ORDER#tenant001", "sk", "packed#"+ulid1)), policy.RuleMutable},
		{"a state that an update changes", restated(request.Update, "active", "inactive"),
			policy.RuleMutable},
		{"a state that a put changes", restated(request.Put, "active", "inactive"),
			policy.RuleMutable},
		{"a state that stays", restated(request.Put, "active", "active"), nil},
		{"a text that an update changes",
			restated(request.Update, "electronics", "electronics and more"), nil},
		{"an id", putData("pk", "ORDER#tenant001", "sk", "ORDER#"+ulid1, "id",
			"ORDER#tenant001#ORDER#"+ulid1), nil},
		{"an id of another item",
			putData("pk", "ORDER#tenant001", "sk", "ORDER#"+ulid1, "id",
				"ORDER#tenant001#ORDER#"+ulid2), policy.RuleID},
		{"an id that is none", putData("pk", "ORDER#tenant001", "sk", "ORDER#"+ulid1, "id", ulid1),
			policy.RuleID},
		{"an id with a version",
			put("command-orders",
				it("pk", "ORDER#tenant001", "sk", "ORDER#"+ulid1+"@1", "id",
					"ORDER#tenant001#ORDER#"+ulid1+"@1", "version", "=1")), policy.RuleID},
		{"a command's id",
			put("command-orders",
				it("pk", "ORDER#tenant001", "sk", "ORDER#"+ulid1+"@1", "id",
					"ORDER#tenant001#ORDER#"+ulid1, "version", "=1")), nil},
		{"an id in a table of no role", put("events", it("pk", "a", "sk", "b", "id", "c")), nil},
		{"an id that an update sets", write(request.Write{Table: "data", Kind: request.Update,
			Key:    key("PRODUCT#tenant001", ulid1),
			Update: update(t, "SET id = :text ADD version :one")}), policy.RuleID},
		{"an id that an update sets, seen", commitOf(request.ImagedWrite{
			Write: &request.Write{Table: "data", Kind: request.Update,
				Key:    key("PRODUCT#tenant001", ulid1),
				Update: update(t, "SET id = :text ADD version :one")},
			Old: it("pk", "PRODUCT#tenant001", "sk", ulid1, "version", "=1"),
			New: it("pk", "PRODUCT#tenant001", "sk", ulid1, "version", "=2", "id", "text")}),
			policy.RuleID},
		{"the command of an item",
			putData("pk", "ORDER#tenant001", "sk", "ORDER#"+ulid1, "cpk", "ORDER#tenant001", "csk",
				"ORDER#"+ulid1+"@1"), nil},
		{"no command, as publishSync has none",
			putData("pk", "ORDER#tenant001", "sk", "ORDER#"+ulid1, "cpk", "ORDER#tenant001", "csk",
				"ORDER#"+ulid1), nil},
		{"another version's command",
			putData("pk", "ORDER#tenant001", "sk", "ORDER#"+ulid1, "cpk", "ORDER#tenant001", "csk",
				"ORDER#"+ulid1+"@2"), policy.RuleVersionCommand},
		{"another item's command",
			putData("pk", "ORDER#tenant001", "sk", "ORDER#"+ulid1, "cpk", "ORDER#tenant001", "csk",
				"ORDER#"+ulid2+"@1"), policy.RuleVersionCommand},
		{"another partition's command",
			putData("pk", "ORDER#tenant001", "sk", "ORDER#"+ulid1, "cpk", "ORDER#tenant002"),
			policy.RuleVersionCommand},
		{"the whole partition of one entity", query("", eq("pk", "PRODUCT#tenant001")), nil},
		{"the whole partition of an entity in several variants", query("", eq("pk", "USER#common")),
			nil},
		{"the whole partition of two entities", query("", eq("pk", "ORDER#tenant001")),
			policy.RuleMixedRead},
		{"a range of one entity",
			query("", eq("pk", "ORDER#tenant001"), between("sk", "ORDER#", "ORDER#~")), nil},
		{"a range of two entities",
			query("", eq("pk", "ORDER#tenant001"), between("sk", "ORDER#", "ORDER_ITEM#~")),
			policy.RuleMixedRead},
		{"from an entity's beginning on",
			query("", eq("pk", "ORDER#tenant001"),
				expr.KeyTerm{Name: "sk", Op: ">", Value: item.String("ORDER_")}), nil},
		{"from before two entities on",
			query("", eq("pk", "ORDER#tenant001"),
				expr.KeyTerm{Name: "sk", Op: ">=", Value: item.String("A")}), policy.RuleMixedRead},
		{"up to between two entities",
			query("", eq("pk", "ORDER#tenant001"),
				expr.KeyTerm{Name: "sk", Op: "<", Value: item.String("ORDER_")}), nil},
		{"up to behind two entities",
			query("", eq("pk", "ORDER#tenant001"),
				expr.KeyTerm{Name: "sk", Op: "<=", Value: item.String("P")}), policy.RuleMixedRead},
		{"text in front parts two entities",
			read(request.Read{Table: "states",
				Terms: []expr.KeyTerm{eq("pk", "BLOG#tenant001"), begins("sk", "Post_2021")}}),
			nil},
		{"no text parts them",
			read(request.Read{Table: "states", Terms: []expr.KeyTerm{eq("pk", "BLOG#tenant001")}}),
			policy.RuleMixedRead},
		{"a query of what no entity begins with",
			read(request.Read{Table: "data",
				Terms: []expr.KeyTerm{eq("pk", "PRODUCT#tenant001"), begins("sk", "product-")}}),
			policy.RuleUndeclaredPrefix},
		{"a query of the beginning of an id",
			query("", eq("pk", "PRODUCT#tenant001"), begins("sk", "01HX7")), nil},
		{"one product's commands",
			read(request.Read{Table: "command-x",
				Terms: []expr.KeyTerm{eq("pk", "PRODUCT#tenant001"), begins("sk", ulid1+"@")}}),
			nil},
		{"one command's versions",
			read(request.Read{Table: "command-x",
				Terms: []expr.KeyTerm{eq("pk", "ORDER#tenant001"),
					begins("sk", "ORDER#"+ulid1+"@")}}), nil},
		{"all commands",
			read(request.Read{Table: "command-x",
				Terms: []expr.KeyTerm{eq("pk", "ORDER#tenant001")}}), policy.RuleMixedRead},
		{"a month that is not that of the time",
			putKey("LOG#tenant001#2024-01", "2024-02-15T10:30:00Z#evt001"), policy.RuleValue},
		{"a month that is not that of the time, read",
			get("LOG#tenant001#2024-01", "2023-01-15T10:30:00Z#evt001"), policy.RuleValue},
		{"a day that is not that of the time",
			put("states", it("pk", "DAY#tenant001#2024-01-15", "sk", "2024-01-16T10:30:00Z")),
			policy.RuleValue},
		{"a day and a time in it",
			put("states", it("pk", "DAY#tenant001#2024-01-15", "sk", "2024-01-15T10:30:00Z")), nil},
		{"text in front of a time",
			put("states", it("pk", "BLOG#tenant001", "sk", "Post_2021-12-03T10:06:57.650Z")), nil},
		{"text in front of something else",
			put("states", it("pk", "BLOG#tenant001", "sk", "Post_2021")), policy.RuleValue},
		{"other text in front",
			put("states", it("pk", "BLOG#tenant001", "sk", "Poster_2021-12-03T10:06:57.650Z")),
			policy.RuleUndeclaredPrefix},
		{"a query of other text in front",
			read(request.Read{Table: "states",
				Terms: []expr.KeyTerm{eq("pk", "BLOG#tenant001"), begins("sk", "Like_")}}),
			policy.RuleUndeclaredPrefix},
		{"a mutable attribute's value",
			putData("pk", "ORDER#tenant001", "sk", "ORDER_ITEM#"+ulid1+"#picked", "stage",
				"picked"), policy.RuleMutable},
		{"a mutable attribute's number",
			putData("pk", "ORDER#tenant001", "sk", "ORDER_ITEM#"+ulid1+"#17", "stage", "=17"), nil},
		{"a mutable attribute's value where a number stands",
			put("states", it("pk", "ITEM#tenant001", "sk", "2", "quantity", "2")), nil},
		{"a value of another type", putKey("LOG#tenant001#2024-13", "2024-01-15T10:30:00Z#evt001"),
			policy.RuleValue},
		{"a time with an offset",
			putKey("LOG#tenant001#2024-01", "2024-01-15T10:30:00+09:00#evt001"), policy.RuleValue},
		{"a ULID in small letters", putKey("PRODUCT#tenant001", strings.ToLower(ulid1)),
			policy.RuleULID},

		{"an index's key",
			putData("pk", "PRODUCT#tenant001", "sk", ulid1, "gsi1pk", "CATEGORY#tenant001#books",
				"gsi1sk", ulid1), nil},
		{"an index's key with an undeclared prefix",
			putData("pk", "PRODUCT#tenant001", "sk", ulid1, "gsi1pk", "KIND#tenant001#books",
				"gsi1sk", ulid1), policy.RuleUndeclaredPrefix},
		{"an index's key without a tenant",
			putData("pk", "PRODUCT#tenant001", "sk", ulid1, "gsi1pk", "CATEGORY", "gsi1sk", ulid1),
			policy.RuleTenantMissing},
		{"a word of state in an index, which changes with the item",
			putData("pk", "PRODUCT#tenant001", "sk", ulid1, "gsi1pk", "CATEGORY#tenant001#pending",
				"gsi1sk", ulid1), nil},
		{"a query of an index by state",
			query("by-category", eq("gsi1pk", "CATEGORY#tenant001#pending")), nil},
		{"a word of state in an index where something else belongs",
			putData("pk", "PRODUCT#tenant001", "sk", ulid1, "gsi1pk", "CATEGORY#tenant001#books",
				"gsi1sk", "pending"), policy.RuleULID},
		{"an item that is not in the index",
			putData("pk", "PRODUCT#tenant001", "sk", ulid1, "gsi1pk", "CATEGORY"), nil},
		{"an update of an index's key", write(request.Write{Table: "data", Kind: request.Update,
			Key:    key("PRODUCT#tenant001", ulid1),
			Update: update(t, "SET gsi1pk = :text, gsi1sk = :text ADD version :one")}),
			policy.RuleUndeclaredPrefix},
		{"an update of an index's partition key alone", write(request.Write{Table: "data",
			Kind: request.Update, Key: key("PRODUCT#tenant001", ulid1),
			Update: update(t, "SET gsi1pk = :text ADD version :one")}),
			policy.RuleUndeclaredPrefix},
		{"an update of an index's partition key alone, seen", commitOf(request.ImagedWrite{
			Write: &request.Write{Table: "data", Kind: request.Update,
				Key:    key("PRODUCT#tenant001", ulid1),
				Update: update(t, "SET gsi1pk = :text ADD version :one")},
			Old: it("pk", "PRODUCT#tenant001", "sk", ulid1, "version", "=1", "gsi1sk", ulid1),
			New: it("pk", "PRODUCT#tenant001", "sk", ulid1, "version", "=2", "gsi1sk", ulid1,
				"gsi1pk", "CATEGORY#tenant002#books")}), policy.RuleTenantCrossing},
		{"a table that is not declared", put("other", key("X", "y")), policy.RuleTenantUndeclared},
	} {
		t.Run(c.name, c.run)
	}
}

func TestTenantRules(t *testing.T) {
	foreign := key("PRODUCT#tenant002", ulid1)
	several := item.List(item.String("PRODUCT#tenant001"), item.String("PRODUCT#tenant002"))
	for _, c := range []check{
		{"its own", get("PRODUCT#tenant001", ulid1), nil},
		{"shared", get("USER#common", "sso#userId"), nil},
		{"another's, GetItem", get("PRODUCT#tenant002", ulid1), policy.RuleTenantCrossing},
		{"another's, Query", query("", eq("pk", "PRODUCT#tenant002")), policy.RuleTenantCrossing},
		{"another's, Query of one item", query("", eq("pk", "PRODUCT#tenant002"), eq("sk", ulid1)),
			policy.RuleTenantCrossing},
		{"its own, through an index",
			query("by-category", eq("gsi1pk", "CATEGORY#tenant001#books")), nil},
		{"another's, through an index",
			query("by-category", eq("gsi1pk", "CATEGORY#tenant002#books")),
			policy.RuleTenantCrossing},
		{"its own, through an index that is not declared",
			query("other", eq("x", "CATEGORY#tenant001#books")), policy.RuleTenantUndeclared},
		{"another's, through an index that is not declared", query("other", eq("x", "books")),
			policy.RuleTenantUndeclared},
		{"its own partition, through an index that is not declared",
			query("other", eq("pk", "PRODUCT#tenant001")), nil},
		{"another's, one of several partitions",
			query("", expr.KeyTerm{Name: "pk", Op: "IN", Value: several}),
			policy.RuleTenantCrossing},
		{"another's, PutItem", putKey("PRODUCT#tenant002", ulid1), policy.RuleTenantCrossing},
		{"another's, DeleteItem",
			write(request.Write{Table: "data", Kind: request.Delete, Key: foreign,
				Condition: condition(t, "version = :three")}), policy.RuleTenantCrossing},
		{"another's, ConditionCheck",
			write(request.Write{Table: "data", Kind: request.Check, Key: foreign}),
			policy.RuleTenantCrossing},
		{"another's, in a table without entities",
			write(request.Write{Table: "loose", Kind: request.Put,
				Item: it("pk", "X#tenant002", "sk", "y", "version", "=0")}),
			policy.RuleTenantCrossing},
		{"shared, PutItem", putKey("MASTER#common", "DATA#a#b"), policy.RuleTenantShared},
		{"shared, DeleteItem",
			write(request.Write{Table: "data", Kind: request.Delete,
				Key:       key("MASTER#common", "DATA#a#b"),
				Condition: condition(t, "version = :three")}), policy.RuleTenantShared},
		{"shared, ConditionCheck",
			write(request.Write{Table: "data", Kind: request.Check,
				Key: key("MASTER#common", "DATA#a#b")}), nil},
		{"shared, in a table without entities", writeAs(tenant1, put1("loose", "X#common", "y")),
			policy.RuleTenantShared},
		{"shared, by an administrator", writeAs(admin, put1("data", "MASTER#common", "DATA#a#b")),
			nil},
		{"shared, that tenants may write", putKey("USER#common", "sso#u"), nil},
		{"an association with what tenants share", putKey("USER_TENANT#common", "common#user"),
			policy.RuleTenantShared},
		{"its own association, PutItem", putKey("USER_TENANT#common", "tenant001#user"), nil},
		{"a header that names what tenants share",
			writeAs(request.Caller{Header: "common"}, put1("data", "USER#common", "sso#u")),
			policy.RuleTenantCaller},
		{"a header that names what tenants share, for an administrator",
			writeAs(request.Caller{AccessKey: "ADMIN", Header: "common"},
				put1("data", "MASTER#common", "DATA#a#b")), policy.RuleTenantCaller},
		{"a program that names what tenants share",
			readAs(request.Caller{Tenant: "common"},
				request.Read{Table: "data", Key: key("USER#common", "sso#u")}),
			policy.RuleTenantCaller},
		{"another's association", putKey("USER_TENANT#common", "tenant002#user"),
			policy.RuleTenantCrossing},
		{"reading another's association", get("USER_TENANT#common", "tenant002#user"),
			policy.RuleTenantCrossing},
		{"reading its own association", get("USER_TENANT#common", "tenant001#user"), nil},
		{"all associations", query("", eq("pk", "USER_TENANT#common")), policy.RuleTenantCrossing},
		{"its own associations",
			query("", eq("pk", "USER_TENANT#common"), begins("sk", "tenant001#")), nil},
		{"its own associations, and those of tenant0010",
			query("", eq("pk", "USER_TENANT#common"), begins("sk", "tenant001")),
			policy.RuleTenantCrossing},
		{"another's associations",
			query("", eq("pk", "USER_TENANT#common"), begins("sk", "tenant002#")),
			policy.RuleTenantCrossing},
		{"its own associations, from one to another",
			query("", eq("pk", "USER_TENANT#common"), between("sk", "tenant001#a", "tenant001#b")),
			nil},
		{"its own associations and another's",
			query("", eq("pk", "USER_TENANT#common"), between("sk", "tenant001#a", "tenant002#b")),
			policy.RuleTenantCrossing},
		{"associations after one",
			query("", eq("pk", "USER_TENANT#common"),
				expr.KeyTerm{Name: "sk", Op: ">", Value: item.String("tenant001#")}),
			policy.RuleTenantCrossing},
		{"one of its own associations",
			query("", eq("pk", "USER_TENANT#common"), eq("sk", "tenant001#user")), nil},
		{"some of its own associations",
			query("", eq("pk", "USER_TENANT#common"), in("sk", "tenant001#a", "tenant001#b")), nil},
		{"an association of its own and another's",
			query("", eq("pk", "USER_TENANT#common"), in("sk", "tenant001#a", "tenant002#b")),
			policy.RuleTenantCrossing},
		{"a key by other attributes",
			read(request.Read{Table: "data", Key: it("PK", "PRODUCT#tenant001", "SK", ulid1)}),
			policy.RuleTenantUndeclared},
		{"a query by other attributes", query("", eq("PK", "PRODUCT#tenant001")),
			policy.RuleTenantUndeclared},
		{"a table with another key", write(request.Write{Table: "loose", Kind: request.Put,
			Schema: policy.KeySchema{Partition: "PK"},
			Item:   it("pk", "X#tenant001", "sk", "y", "PK", "X#tenant002", "version", "=0")}),
			policy.RuleTenantUndeclared},
		{"a binary partition key", write(request.Write{Table: "loose",
			Kind: request.Delete, Key: item.New(
				item.Attribute{Name: "pk", Value: item.Value(`{"B":"WCN0ZW5hbnQwMDI="}`)},
				item.Attribute{Name: "sk", Value: item.String("y")}),
			Condition: condition(t, "version = :three")}), policy.RuleTenantUndeclared},
		{"a query of a binary partition key",
			query("", expr.KeyTerm{Name: "pk", Op: "=",
				Value: item.Value(`{"B":"WCN0ZW5hbnQwMDI="}`)}), policy.RuleTenantUndeclared},
		{"an index's key that another attribute has", write(request.Write{Table: "data",
			Kind: request.Update, Key: key("PRODUCT#tenant001", ulid1),
			Update: update(t, "SET gsi1pk = tmp ADD version :one")}), policy.RuleTenantCrossing},
		{"an index's key that may be there", write(request.Write{Table: "data",
			Kind: request.Update, Key: key("PRODUCT#tenant001", ulid1),
			Update: update(t, "SET gsi1pk = if_not_exists(nope, :text) ADD version :one")}),
			policy.RuleTenantCrossing},
		{"a shared item that moves in an index, nobody sees whose part",
			write(request.Write{Table: "data", Kind: request.Update,
				Key:    key("USER#common", "sso#abc"),
				Update: update(t, "SET gsi1sk = :text ADD version :one")}),
			policy.RuleTenantCrossing},
		{"an item that leaves an index", write(request.Write{Table: "data", Kind: request.Update,
			Key:    key("PRODUCT#tenant001", ulid1),
			Update: update(t, "REMOVE gsi1pk ADD version :one")}), nil},
		{"CreateTable", operation(tenant1, "CreateTable", ""), policy.RuleTenantOperation},
		{"DeleteTable", operation(tenant1, "DeleteTable", "data"), policy.RuleTenantOperation},
		{"an unknown caller's PutResourcePolicy",
			operation(request.Caller{AccessKey: "X"}, "PutResourcePolicy", "data"),
			policy.RuleTenantOperation},
		{"an administrator's DeleteTable", operation(admin, "DeleteTable", "data"), nil},
		{"DescribeTable", operation(tenant1, "DescribeTable", "data"), nil},
		{"DescribeTable of a table that is not declared",
			operation(tenant1, "DescribeTable", "other"), policy.RuleTenantUndeclared},
		{"an unknown caller's DescribeTable",
			operation(request.Caller{AccessKey: "X"}, "DescribeTable", "data"),
			policy.RuleTenantCaller},
		{"DescribeEndpoints", operation(tenant1, "DescribeEndpoints", ""), nil},
		{"ListTables, whose answer nobody filters", operation(tenant1, "ListTables", ""),
			policy.RuleTenantOperation},
		{"GetRecords, whose answer nobody filters", operation(tenant1, "GetRecords", ""),
			policy.RuleTenantOperation},
		{"a scan", read(request.Read{Table: "data"}), policy.RuleTenantScan},
		{"a scan of an index", read(request.Read{Table: "data", Index: "by-category"}),
			policy.RuleTenantScan},
		{"a query without the partition key", query("", eq("sk", ulid1)), policy.RuleTenantScan},
		{"what partition keys begin with is no partition",
			query("", begins("pk", "PRODUCT#tenant001")), policy.RuleTenantScan},
		{"an administrator's scan", readAs(admin, request.Read{Table: "data"}), nil},
		{"an administrator's read", readAs(admin, request.Read{Table: "data", Key: foreign}), nil},
		{"an administrator for a tenant",
			readAs(request.Caller{AccessKey: "ADMIN", Header: "tenant001"},
				request.Read{Table: "data", Key: foreign}), policy.RuleTenantCrossing},
		{"the header's own",
			readAs(request.Caller{Header: "tenant002"}, request.Read{Table: "data", Key: foreign}),
			nil},
		{"another's than the header's",
			readAs(request.Caller{Header: "tenant001"}, request.Read{Table: "data", Key: foreign}),
			policy.RuleTenantCrossing},
		{"a header cannot change a caller's tenant",
			readAs(request.Caller{AccessKey: "AK1", Header: "tenant002"},
				request.Read{Table: "data", Key: foreign}), policy.RuleTenantCrossing},
		{"a header makes nobody an administrator",
			readAs(request.Caller{Header: "admin"}, request.Read{Table: "data", Key: foreign}),
			policy.RuleTenantCaller},
		{"a tenant that is not known",
			readAs(request.Caller{Header: "tenant003"},
				request.Read{Table: "data", Key: key("USER#common", "sso#abc")}),
			policy.RuleTenantCaller},
		{"an unknown caller",
			readAs(request.Caller{AccessKey: "X"}, request.Read{Table: "data", Key: foreign}),
			policy.RuleTenantCaller},
		{"an unknown caller's scan",
			readAs(request.Caller{AccessKey: "X"}, request.Read{Table: "data"}),
			policy.RuleTenantCaller},
		{"an unknown caller where there are no tenants",
			readAs(request.Caller{AccessKey: "X"},
				request.Read{Table: "events", Key: key("a", "b")}), policy.RuleTenantCaller},
		{"a table without entities",
			put("loose", it("pk", "X#tenant001", "sk", "y", "version", "=0")), nil},
		{"a table without entities, no tenant",
			put("loose", it("pk", "X", "sk", "y", "version", "=0")), policy.RuleTenantMissing},
		{"a query of a table without entities, no tenant",
			read(request.Read{Table: "loose", Terms: []expr.KeyTerm{eq("pk", "X")}}),
			policy.RuleTenantMissing},
		{"a query without a tenant", query("", eq("pk", "PRODUCT")), policy.RuleTenantMissing},
	} {
		t.Run(c.name, c.run)
	}
}
