package policy_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/conventions/policy/policytest"
	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage/item"
)

const (
	productPK = "PRODUCT#tenant001"
	orderPK   = "ORDER#tenant001"
)

func product(pairs ...string) item.Item {
	return it(append([]string{"pk", productPK, "sk", ulid1}, pairs...)...)
}

func command(version string, pairs ...string) item.Item {
	return it(append([]string{"pk", orderPK, "sk", "ORDER#" + ulid1 + "@" + version}, pairs...)...)
}

// Versions, as far as a request says.
func TestVersionRulesOfRequests(t *testing.T) {
	plain := func(w request.Write) func(*testing.T, *policy.Engine) []policy.Finding {
		return writes(request.Request{Caller: tenant1, Writes: []request.Write{w}})
	}
	puts := func(i item.Item, cond string) func(*testing.T, *policy.Engine) []policy.Finding {
		w := request.Write{Table: "data", Kind: request.Put, Item: i}
		if cond != "" {
			w.Condition = condition(t, cond)
		}
		return plain(w)
	}
	updates := func(src, cond string) func(*testing.T, *policy.Engine) []policy.Finding {
		w := request.Write{
			Table: "data", Kind: request.Update, Key: key(productPK, ulid1), Update: update(t, src),
		}
		if cond != "" {
			w.Condition = condition(t, cond)
		}
		return plain(w)
	}
	for _, c := range []check{
		{"a first version", puts(product("version", "=0"), "attribute_not_exists(pk)"), nil},
		{"a first version whatever is stored", puts(product("version", "=0"), ""),
			policy.RuleVersionSequence},
		{"the first command's version",
			puts(product("version", "=1"), "attribute_not_exists(version) OR version = :zero"),
			nil},
		{"no version", puts(product(), ""), policy.RuleVersionFirst},
		{"a version without a condition", puts(product("version", "=4"), ""),
			policy.RuleVersionSequence},
		{"the version that follows", puts(product("version", "=4"), "version = :three"), nil},
		{"the version that was read",
			puts(product("version", "=3"), "#v = :three AND attribute_exists(pk)"),
			policy.RuleVersionSequence},
		{"a version that does not follow", puts(product("version", "=5"), "version = :three"),
			policy.RuleVersionSequence},
		{"a condition that lets other versions through",
			puts(product("version", "=4"), "version = :three OR version = :two"),
			policy.RuleVersionSequence},
		{"no number", puts(product("version", "three"), ""), policy.RuleVersionFirst},
		{"a fraction", puts(product("version", "=1.5"), ""), policy.RuleVersionFirst},
		{"a condition on what is no number", puts(product("version", "=4"), "version = :text"),
			policy.RuleVersionSequence},
		{"an update that raises it", updates("SET a = :text, version = version + :one", ""), nil},
		{"an update that adds to it", updates("SET a = :text ADD version :one", ""), nil},
		{"an update that raises it by two", updates("ADD version :two", ""),
			policy.RuleVersionSequence},
		{"an update that leaves it", updates("SET a = :text", ""), policy.RuleVersionNotRaised},
		{"an update under a condition on what was read that leaves it",
			updates("SET a = :text", "version = :three"), policy.RuleVersionNotRaised},
		{"an update that removes it", updates("REMOVE version", "version = :three"),
			policy.RuleVersionNotRaised},
		{"an update that raises it from a later first one",
			updates("SET version = if_not_exists(version, :five) + :one", ""),
			policy.RuleVersionFirst},
		{"an update that raises it from the first",
			updates("SET version = if_not_exists(version, :zero) + :one", ""), nil},
		{"an update that sets it", updates("SET version = :four", "version = :three"), nil},
		{"an update that sets it whatever is stored", updates("SET version = :four", ""),
			policy.RuleVersionSequence},
		{"an update that sets another", updates("SET version = :five", "version = :three"),
			policy.RuleVersionSequence},
		{"an update without changes",
			write(request.Write{Table: "data", Kind: request.Update, Key: key(productPK, ulid1)}),
			policy.RuleVersionNotRaised},
		{"a deletion",
			plain(request.Write{Table: "data", Kind: request.Delete, Key: key(productPK, ulid1)}),
			policy.RuleVersionDeleted},
		{"a deletion of what was read",
			plain(request.Write{Table: "data", Kind: request.Delete, Key: key(productPK, ulid1),
				Condition: condition(t, "version = :three")}), nil},
		{"a deletion of what is there",
			plain(request.Write{Table: "data", Kind: request.Delete, Key: key(productPK, ulid1),
				Condition: condition(t, "attribute_exists(version)")}), policy.RuleVersionDeleted},
		{"a caller that adds the condition", writes(request.Request{Caller: tenant1,
			Amends: true, Writes: []request.Write{
				{Table: "data", Kind: request.Put, Item: product("version", "=4")}}}), nil},
		{"a caller that cannot add the condition", writes(request.Request{Caller: tenant1,
			Amends: true, Writes: []request.Write{
				{Table: "data", Kind: request.Put, Item: product("version", "=4"), Fixed: true}}}),
			policy.RuleVersionSequence},
		{"where images will be seen", writes(request.Request{Caller: tenant1,
			Images: true, Writes: []request.Write{
				{Table: "data", Kind: request.Put, Item: product("version", "=4")}}}), nil},

		{"a command", put("command-orders", command("1", "version", "=1")), nil},
		{"a later command alone", put("command-orders", command("3", "version", "=3")),
			policy.RuleVersionSequence},
		{"a later command in a transaction",
			transaction(
				request.Write{Table: "command-orders", Kind: request.Put,
					Item: command("3", "version", "=3")}), nil},
		{"a command that cannot be conditional",
			write(request.Write{Table: "command-orders", Kind: request.Put,
				Item: command("1", "version", "=1"), Fixed: true}), policy.RuleHistory},
		{"a command that is inserted",
			write(request.Write{Table: "command-orders", Kind: request.Put,
				Item: command("1", "version", "=1"), Fixed: true, Insert: true}), nil},
		{"a command with another version", put("command-orders", command("1", "version", "=2")),
			policy.RuleVersionAttribute},
		{"a command without the attribute", put("command-orders", command("1")),
			policy.RuleVersionAttribute},
		{"history", put("history", command("1", "version", "=1")), nil},
		{"history without the attribute", put("history", command("1")),
			policy.RuleVersionAttribute},
		{"history without a version", put("history", key(orderPK, "ORDER#"+ulid1)),
			policy.RuleVersionMissing},
		{"a command with a malformed version", put("command-orders", command("x")),
			policy.RuleULID},
		{"a command that is changed",
			write(request.Write{Table: "command-orders", Kind: request.Update, Key: command("3"),
				Update: update(t, "SET a = :one")}), policy.RuleHistory},
		{"a command's bookkeeping",
			write(request.Write{Table: "command-orders", Kind: request.Update, Key: command("3"),
				Update:    update(t, "SET #s = :text, updatedAt = :text"),
				Condition: condition(t, "attribute_exists(pk)")}), nil},
		{"bookkeeping of a command that may not be there",
			plain(request.Write{Table: "command-orders", Kind: request.Update, Key: command("3"),
				Update: update(t, "SET #s = :text")}), policy.RuleHistory},
		{"bookkeeping of a command that is demanded to be there",
			writes(request.Request{Caller: tenant1, Amends: true, Writes: []request.Write{
				{Table: "command-orders", Kind: request.Update, Key: command("3"),
					Update: update(t, "SET #s = :text")}}}), nil},
		{"bookkeeping and something else",
			write(request.Write{Table: "command-orders", Kind: request.Update, Key: command("3"),
				Update:    update(t, "SET #s = :text, attributes.a = :text"),
				Condition: condition(t, "attribute_exists(pk)")}), policy.RuleHistory},
		{"an update of a command without changes",
			write(request.Write{Table: "command-orders", Kind: request.Update, Key: command("3")}),
			policy.RuleHistory},
		{"history that is deleted",
			write(request.Write{Table: "history", Kind: request.Delete, Key: command("3")}),
			policy.RuleHistory},
		{"a version in a query of a data table",
			query("", eq("pk", productPK), begins("sk", ulid1+"@3")), policy.RuleVersionInDataKey},
		{"all versions in a query of a data table",
			query("", eq("pk", productPK), begins("sk", ulid1+"@")), policy.RuleVersionInDataKey},
		{"the versions between two in a query of a data table",
			query("", eq("pk", productPK), between("sk", ulid1+"@1", ulid1+"@9")),
			policy.RuleVersionInDataKey},
		{"the keys between two, whatever they end in",
			query("", eq("pk", productPK), between("sk", ulid1, ulid1+"@9")), nil},
		{"the versions between two of a command",
			read(request.Read{Table: "command-x", Terms: []expr.KeyTerm{eq("pk", productPK),
				between("sk", ulid1+"@1", ulid1+"@9")}}), nil},
		{"versions in a query of a data table without entities",
			read(request.Read{Table: "loose", Terms: []expr.KeyTerm{eq("pk", productPK),
				begins("sk", ulid1+"@3")}}), policy.RuleVersionInDataKey},
		{"what may be taken for a version", putKey("USER#common", "sso#user@01"),
			policy.RuleVersionInDataKey},
	} {
		t.Run(c.name, func(t *testing.T) {
			// it has none, and what it has is no ULID
			if c.name == "a command with a malformed version" {
				assert.Equal(t, []string{policy.RuleULID.ID, policy.RuleVersionMissing.ID},
					ids(c.found(t, compile(t, policytest.Shop()))))
				return
			}
			c.run(t)
		})
	}
}

// commitOf returns a function that has CheckWrites check writes with images, where nothing else is
// stored.
func commitOf(w ...request.ImagedWrite) func(*testing.T, *policy.Engine) []policy.Finding {
	return commitOn(nil, w...)
}

// commitOn is commitOf where items are stored.
func commitOn(stored []item.Item, w ...request.ImagedWrite) func(*testing.T,
	*policy.Engine) []policy.Finding {
	return func(_ *testing.T, e *policy.Engine) []policy.Finding {
		return e.CheckWrites(&policy.Commit{Caller: tenant1, Writes: w,
			Transaction: true, Lookup: func(_ string, k item.Item) item.Item {
				for _, i := range stored {
					matches := true
					for name, v := range k.All() {
						matches = matches && i.Get(name) == v
					}
					if matches {
						return i
					}
				}
				return ""
			}})
	}
}

func imaged(table string, kind request.WriteKind, before, after item.Item) request.ImagedWrite {
	w := &request.Write{Table: table, Kind: kind, Item: after, Key: before}
	if kind != request.Put {
		w.Item, w.Key = "", before.Only("pk", "sk")
	}
	return request.ImagedWrite{Write: w, Old: before, New: after}
}

// Versions, where the items are seen.
func TestVersionRulesOfWrites(t *testing.T) {
	puts := func(before, after item.Item) func(*testing.T, *policy.Engine) []policy.Finding {
		return commitOf(imaged("data", request.Put, before, after))
	}
	under := func(w request.ImagedWrite, cond, src string) request.ImagedWrite {
		if cond != "" {
			w.Condition = condition(t, cond)
		}
		if src != "" {
			w.Update = update(t, src)
		}
		return w
	}
	at3, at4 := product("version", "=3"), product("version", "=4")
	for _, c := range []struct {
		check
		conflict bool
	}{
		{check{"a new item", puts("", product("version", "=1")), nil}, false},
		{check{"a new item's later version", puts("", at4), policy.RuleVersionFirst}, false},
		{check{"a new item without a version", puts("", product()), policy.RuleVersionFirst},
			false},
		{check{"the next version", puts(at3, at4), nil}, false},
		{check{"the same again", puts(at3, at3), policy.RuleVersionSequence}, true},
		{check{"a version that is skipped", puts(at3, product("version", "=5")),
			policy.RuleVersionSequence}, true},
		{check{"the version that a racer wrote", puts(at4, product("version", "=4", "a", "b")),
			policy.RuleVersionSequence}, true},
		{check{"an older version", puts(at4, at3), policy.RuleVersionSequence}, true},
		{check{"an update without the version",
			commitOf(under(
				imaged("data", request.Update, at3, product("version", "=3", "a", "text")), "",
				"SET a = :text")),
			policy.RuleVersionNotRaised}, false},
		{check{"an update that is conditional",
			commitOf(under(
				imaged("data", request.Update, at3, product("version", "=3", "a", "text")),
				"version = :three", "SET a = :text")),
			policy.RuleVersionNotRaised}, false},
		{check{"an update that sets the stored version",
			commitOf(under(
				imaged("data", request.Update, at3, product("version", "=3", "a", "text")), "",
				"SET a = :text, version = :three")),
			policy.RuleVersionSequence}, true},
		{check{"a conditional update that skips one",
			commitOf(under(imaged("data", request.Update, at3, product("version", "=5")),
				"version = :three", "SET version = :five")),
			policy.RuleVersionSequence}, false},
		{check{"the version removed", puts(at3, product("a", "b")), policy.RuleVersionFirst},
			false},
		{check{"an item from before there were versions",
			puts(product("a", "b"), product("version", "=1")), nil}, false},
		{check{"a deletion", commitOf(imaged("data", request.Delete, at3, "")), nil}, false},
		{check{"an update that puts a mutable value into view",
			commitOf(under(imaged("data", request.Update,
				it("pk", orderPK, "sk", "ORDER_ITEM#"+ulid1+"#picked", "version", "=1"),
				it("pk", orderPK, "sk", "ORDER_ITEM#"+ulid1+"#picked", "version", "=2", "stage",
					"picked")), "", "SET stage = :text ADD version :one")), policy.RuleMutable},
			false},

		{check{"a first command", commitOf(imaged("history", request.Put, "", command("1"))), nil},
			false},
		{check{"a command that follows",
			commitOn([]item.Item{command("1")}, imaged("history", request.Put, "", command("2"))),
			nil}, false},
		{check{"two commands at once",
			commitOf(imaged("history", request.Put, "", command("1")),
				imaged("history", request.Put, "", command("2"))), nil}, false},
		{check{"a command that follows none",
			commitOn([]item.Item{command("1")}, imaged("history", request.Put, "", command("3"))),
			policy.RuleVersionSequence}, true},
		{check{"a command that is there",
			commitOf(imaged("history", request.Put, command("2"), command("2", "a", "b"))),
			policy.RuleHistory}, true},
		{check{"a command put again with another ttl",
			commitOf(imaged("history", request.Put, command("2", "requestId", "r", "a", "b"),
				command("2", "requestId", "r", "a", "b", "ttl", "=1"))), nil}, false},
		{check{"a command put with another ttl, by whomever",
			commitOf(imaged("history", request.Put, command("2", "a", "b"),
				command("2", "a", "b", "ttl", "=1"))), policy.RuleHistory}, true},
		{check{"a copy of a command put again with another ttl",
			commitOf(imaged("history", request.Put, command("2", "csk", "ORDER#"+ulid1+"@2"),
				command("2", "csk", "ORDER#"+ulid1+"@2", "ttl", "=1"))), nil}, false},
		{check{"a command of a request put again",
			commitOf(imaged("command-orders", request.Put, command("2", "requestId", "r"),
				command("2", "requestId", "r"))), nil}, false},
		{check{"a command of another request",
			commitOf(imaged("command-orders", request.Put, command("2", "requestId", "r"),
				command("2", "requestId", "s"))), policy.RuleHistory}, true},
		{check{"a command put again without its status",
			commitOf(imaged("history", request.Put, command("2", "requestId", "r", "status", "b"),
				command("2", "requestId", "r"))), nil}, false},
		{check{"a command put again without an attribute",
			commitOf(imaged("history", request.Put, command("2", "a", "b"), command("2"))),
			policy.RuleHistory}, true},
		{check{"bookkeeping of a command that is not there",
			commitOf(under(imaged("history", request.Update, "", command("2", "status", "text")),
				"", "SET #s = :text")),
			policy.RuleHistory}, false},
		{check{"bookkeeping of a command",
			commitOf(under(
				imaged("history", request.Update, command("2"), command("2", "status", "text")), "",
				"SET #s = :text")), nil}, false},
		{check{"a command put again",
			commitOf(imaged("history", request.Put, command("2"), command("2"))),
			policy.RuleHistory}, true},
		{check{"a version before the first",
			commitOn([]item.Item{command("1")}, imaged("history", request.Put, "", command("0"))),
			policy.RuleVersionSequence}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.run(t)
			for _, f := range c.found(t, compile(t, policytest.Shop())) {
				assert.Equal(t, c.conflict, f.Conflict)
			}
		})
	}
}

func document(version, content string, pairs ...string) item.Item {
	return it(append([]string{"documentVersion", version, "content", content}, pairs...)...)
}

// Latest items, where the items are seen.
func TestLatestRulesOfWrites(t *testing.T) {
	cond := condition(t, "attribute_not_exists(documentVersion) OR actualVersion = :one")
	puts := func(before, after item.Item) request.ImagedWrite {
		return request.ImagedWrite{
			Write: &request.Write{Table: "documents", Kind: request.Put, Item: after,
				Condition: cond}, Old: before, New: after,
		}
	}
	removes := func(before item.Item) request.ImagedWrite {
		return request.ImagedWrite{
			Write: &request.Write{Table: "documents", Kind: request.Delete,
				Key: before.Only("documentVersion")}, Old: before,
		}
	}
	v1, v2 := document("v1", "one"), document("v2", "two")
	latest1, latest2 := document("latest", "one", "actualVersion", "v1"), document("latest", "two",
		"actualVersion", "v2")
	for _, c := range []check{
		{"both", commitOf(puts("", v2), puts(latest1, latest2)), nil},
		{"in the other order", commitOf(puts(latest1, latest2), puts("", v2)), nil},
		{"the version alone", commitOf(puts("", v2)), policy.RuleLatestMissing},
		{"latest that goes back", commitOn([]item.Item{v1, v2}, puts(latest2, latest1)),
			policy.RuleLatestVersion},
		{"latest that goes back with the newest version",
			commitOn([]item.Item{v1, v2}, removes(v2), puts(latest2, latest1)), nil},
		{"latest of what there is not", commitOn([]item.Item{v2}, puts(latest2, latest1)),
			policy.RuleLatestVersion},
		{"latest of other content",
			commitOn([]item.Item{v1}, puts("", document("latest", "x", "actualVersion", "v1"))),
			policy.RuleLatestContent},
		{"latest with an attribute more",
			commitOn([]item.Item{v1},
				puts("", document("latest", "one", "actualVersion", "v1", "a", "b"))),
			policy.RuleLatestContent},
		{"latest that names nothing", commitOf(puts("", document("latest", "one"))),
			policy.RuleLatestVersion},
		{"latest deleted", commitOf(removes(latest1)), policy.RuleLatestMissing},
		{"the newest version deleted", commitOn([]item.Item{v1, latest1}, removes(v1)),
			policy.RuleLatestVersion},
		{"an older version deleted", commitOn([]item.Item{v1, v2, latest2}, removes(v1)), nil},
		{"the newest version changed",
			commitOn([]item.Item{v1, latest1}, puts(v1, document("v1", "x"))),
			policy.RuleLatestRewritten},
		{"the newest version deleted and named again",
			commitOn([]item.Item{v1, latest1}, removes(v1), puts(latest1, latest1)),
			policy.RuleLatestVersion},
		{"an older version changed",
			commitOn([]item.Item{v1, v2, latest2}, puts(v1, document("v1", "x"))),
			policy.RuleLatestRewritten},
	} {
		t.Run(c.name, c.run)
	}
}

// Latest items in a table with sort keys, of several documents.
func TestLatestOfEntities(t *testing.T) {
	draft := func(version, content string, pairs ...string) request.Write {
		return request.Write{Table: "drafts", Kind: request.Put,
			Condition: condition(t, "attribute_not_exists(pk)"),
			Item: it(append([]string{"pk", "DRAFT#tenant001", "sk", ulid1 + "#" + version,
				"content", content}, pairs...)...)}
	}
	other := draft("latest", "text", "actualVersion", "001")
	other.Item = other.Item.With(item.Attribute{Name: "sk", Value: item.String(ulid2 + "#latest")})
	pointer := request.Write{
		Table: "drafts", Kind: request.Update, Key: key("DRAFT#tenant001", ulid1+"#latest"),
		Condition: condition(t, "actualVersion = :text"),
	}
	pointer.Update = update(t, "SET content = :text, actualVersion = :text")
	for _, c := range []check{
		{"both", transaction(draft("001", "text"), draft("latest", "text", "actualVersion", "001")),
			nil},
		{"named by all of its key",
			transaction(draft("001", "text"),
				draft("latest", "text", "actualVersion", ulid1+"#001")), nil},
		{"attributes that are not of the content",
			transaction(draft("001", "text", "a", "b"),
				draft("latest", "text", "actualVersion", "001", "c", "d")), nil},
		{"other content",
			transaction(draft("001", "text"), draft("latest", "x", "actualVersion", "001")),
			policy.RuleLatestContent},
		{"another version by an update", transaction(draft("001", "text"), pointer),
			policy.RuleLatestVersion},
		{"not in a transaction",
			writes(request.Request{Caller: tenant1, Writes: []request.Write{draft("001", "text")}}),
			policy.RuleLatestMissing},
	} {
		t.Run(c.name, c.run)
	}
	t.Run("another document's", func(t *testing.T) {
		found := transaction(draft("001", "text"), other)(t, compile(t, policytest.Shop()))
		assert.Equal(t, []string{policy.RuleLatestMissing.ID, policy.RuleLatestVersion.ID},
			ids(found))
	})
}

// An amended write passes where the version before is stored, and nowhere else.
func TestVersionCondition(t *testing.T) {
	e := compile(t, policytest.Shop())
	for _, c := range []struct {
		name   string
		write  request.Write
		passes []string // stored versions, "" for no item
		want   bool
	}{
		{"first", request.Write{Table: "data", Kind: request.Put, Item: product("version", "=0")},
			[]string{""}, true},
		{"a first condition on something else",
			request.Write{Table: "data", Kind: request.Put, Item: product("version", "=3"),
				Condition: condition(t, "attribute_exists(pk)")}, []string{"=2"}, true},
		{"the first command's",
			request.Write{Table: "data", Kind: request.Put, Item: product("version", "=1")},
			[]string{"", "=0"}, true},
		{"later", request.Write{Table: "data", Kind: request.Put, Item: product("version", "=3")},
			[]string{"=2"}, true},
		{"an update",
			request.Write{Table: "data", Kind: request.Update, Key: key(productPK, ulid1),
				Update: update(t, "SET version = :three")}, []string{"=2"}, true},
		{"an update that raises it",
			request.Write{Table: "data", Kind: request.Update, Key: key(productPK, ulid1),
				Update: update(t, "ADD version :one")}, nil, false},
		{"a command", request.Write{Table: "history", Kind: request.Put, Item: command("1")},
			[]string{""}, true},
		{"conditional already",
			request.Write{Table: "data", Kind: request.Put, Item: product("version", "=3"),
				Condition: condition(t, "version = :two")}, nil, false},
		{"a batch",
			request.Write{Table: "data", Kind: request.Put, Item: product("version", "=3"),
				Fixed: true}, nil, false},
		{"a deletion",
			request.Write{Table: "data", Kind: request.Delete, Key: key(productPK, ulid1)}, nil,
			false},
		{"a plain table", request.Write{Table: "events", Kind: request.Put, Item: key("a", "b")},
			nil, false},
		{"a table that is not declared",
			request.Write{Table: "x", Kind: request.Put, Item: key("a", "b")}, nil, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			all := e.Amendments(&request.Request{Writes: []request.Write{c.write}})
			if !c.want {
				require.Empty(t, all)
				return
			}
			require.Len(t, all, 1)
			cond := amended(t, all[0])
			for _, stored := range []string{"", "=0", "=1", "=2", "=3", "=4"} {
				i := item.New()
				if stored != "" {
					i = product("version", stored)
				}
				assert.Equal(t, contains(c.passes, stored), cond.Match(i), "with %q stored", stored)
			}
		})
	}
}

func contains(list []string, s string) bool {
	for _, e := range list {
		if e == s {
			return true
		}
	}
	return false
}
