package main

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/emulator/emulatortest"
)

// ask is a request that is made in every place, one after another.
type ask struct {
	text string
	do   clientRequest

	// plain says that a place that sees requests only can say of it all that the server says: it
	// has, or can get, the conditions that make sure of what is stored.
	plain bool
	// alike says that such a place decides by the request alone, as of a read.
	alike bool
}

// ofStored are the rules that only the server sees: they need the item before a write, or another
// table.
var ofStored = map[string]bool{"version-command": true, "key-mutable": true}

// TestPolicySequencesProperty: of whatever requests in whatever order under whatever policy with
// versions, latest items and indexes
//
//   - the guard and the gateway say the same,
//   - they send nothing that the server refuses, except what needs the stored item (ofStored),
//   - they refuse nothing that the server takes, except what they cannot make sure of,
//   - the rule on keys or tenants that refuses a request is the same at all of them,
//   - and lint finds nothing wrong in what the server took.
func TestPolicySequencesProperty(t *testing.T) {
	policies, requests, refused := 0, 0, map[string]int{}
	rapid.Check(t, func(r *rapid.T) {
		c := placeCase{policy: anySequencePolicy(r)}
		c.caller = rapid.SampledFrom([]string{"AK1", "AK1", "AK1", "AK2", "ADMIN"}).Draw(r,
			"caller")
		server, inFront := c.start(t, inServer), map[place]*site{}
		for _, at := range []place{inGuard, inGateway} {
			inFront[at] = c.start(t, at)
		}
		policies++
		for range rapid.IntRange(1, 12).Draw(r, "requests") {
			a := anyAsk(r)
			requests++
			// a new item may then have any version, and whether it is new is not seen
			a.plain = a.plain && !strings.Contains(c.policy, "version-first: ")
			want, answer := verdictOf(t, a.do(t.Context(), server.client))
			refused[want]++
			said := map[place]string{}
			for at, s := range inFront {
				var err error
				said[at], err = verdictOf(t, a.do(t.Context(), s.client))
				if want == "latest-content" && said[at] == "" &&
					strings.Contains(c.policy, "latest-version: ") {
					continue // the latest item may then name a version that only the server sees
				}
				a.compare(r, want, said[at], reasonsOf(t, err), fmt.Sprintf(
					"%s at the %s\nserver: %v\nthere: %v", a.text, at, answer, err))
			}
			require.Equal(r, said[inGuard], said[inGateway], a.text)
			if want != "" && said[inGateway] == "" {
				return // what is stored is no longer the same
			}
			if want == "" && said[inGateway] != "" {
				for _, s := range inFront {
					require.NoError(r, a.do(t.Context(), emulatortest.NewClient(s.emulator)))
				}
			}
			for at, s := range inFront {
				require.Equal(r, server.dump(t), s.dump(t), "%s: stored behind the %s", a.text, at)
			}
		}
		require.Empty(r, c.wrong(server.enforced(t)), "lint finds nothing wrong in what the server took")
	})
	t.Logf("the places agreed on %d requests under %d policies: %v", requests, policies, refused)
}

// compare holds what a place in front of a database says to what the server says. Of a transaction
// the server judges requests first and then what they leave; the other judges both at once.
func (a *ask) compare(t require.TestingT, server, there string, reasons []string, text string) {
	ofKeys := func(rule string) bool {
		return strings.HasPrefix(rule, "key-") || strings.HasPrefix(rule, "tenant-")
	}
	// it is not seen which key the item gets in the index, or, of half a key, whether it is there
	half := strings.Contains(a.text, "gsi1pk = :i") && !strings.Contains(a.text, "gsi1sk = ")
	hidden := (there == "tenant-crossing" || half) && strings.Contains(a.text, "gsi1") &&
		strings.Contains(a.text, "update")
	switch {
	case server == invalidRequest:
	case a.alike:
		require.Equal(t, server, there, text)
	case server == "" && a.plain:
		require.Empty(t, there, text)
	case server == "":
		require.True(t, hidden || !ofKeys(there), text)
	case ofStored[server]:
	case ofKeys(server) && !hidden:
		require.Contains(t, reasons, server, text)
	default:
		require.NotEmpty(t, there, text)
	}
}

// wrong leaves out what lint finds because the policy does not enforce another rule, as a gap where
// versions may be deleted, and because a privileged caller has put it there.
func (c *placeCase) wrong(found []string) []string {
	lenient := func(rules string) bool {
		return regexp.MustCompile(`[ {](` + rules + `)-[\w-]+: (warn|off)`).MatchString(c.policy)
	}
	return slices.DeleteFunc(found, func(text string) bool {
		switch {
		case strings.HasPrefix(text, "latest-missing") && c.caller == "ADMIN":
			return true // it has removed the document, and not its older versions
		case strings.HasPrefix(text, "latest-"):
			return lenient("latest")
		case strings.HasPrefix(text, "version-"):
			return lenient("version|history")
		}
		return false
	})
}

// enforced are the enforced rules that lint finds broken.
func (s *site) enforced(t *testing.T) (rules []string) {
	for _, g := range s.report(t).Groups {
		if g.Severity == "enforce" {
			rules = append(rules, g.Rule+": "+g.Examples[0].String())
		}
	}
	return rules
}

func anySequencePolicy(t *rapid.T) string {
	severities := []string{}
	for _, rule := range []string{"key-value", "key-segments", "key-undeclared-prefix", "key-id",
		"tenant-shared", "version-first", "version-sequence", "version-not-raised",
		"version-deleted", "version-attribute", "history-immutable", "latest-missing",
		"latest-version", "latest-content", "latest-condition", "latest-rewritten"} {
		if s := rapid.SampledFrom([]string{"", "", "", "", "", "", "", "warn", "off"}).Draw(t,
			rule); s != "" {
			severities = append(severities, rule+": "+s)
		}
	}
	one := func(name string, of ...string) string { return rapid.SampledFrom(of).Draw(t, name) }
	return `
severities: {` + strings.Join(severities, ", ") + `}
tenants:
  callers: {AK1: tenant001, AK2: tenant002, ADMIN: admin}
  privileged: [admin]
  ` + one("known", "", "known: [tenant001, tenant002]") + `
tables:
  - name: data
    role: data
    ` + one("tied", "", "", "commands: command") + `
    entities:
      - {name: order, prefix: ORDER, sort: "ORDER#{order:number}", mutable: [status]}
      - {name: user-tenant, prefix: USER_TENANT, tenant: common, sort: "{tenant:tenant}#{user}"}
      - {name: country, prefix: COUNTRY, tenant: common, sort: "{country}"` +
		one("writable", "", ", writable: true") + `}
    indexes:
      - name: by-category
        key: {partition: gsi1pk, sort: gsi1sk}
        ` + one("category", `tenant: required`, `open: true`,
		`entities: [{name: category, prefix: CATEGORY, sort: "{product}"}]`,
		`entities: [{name: category, prefix: CATEGORY, sort: "{product}"}, {name: offer, prefix: OFFER, tenant: common, sort: "{product}", writable: true}]`,
		`entities: [{name: offer, prefix: CATEGORY, tenant: none, partition: "{category}", sort: "{tenant:tenant}#{product}"}]`) + `
      - {name: by-text, key: {partition: pk, sort: gsi1sk}}
  - name: command
    role: command
    entities: [{name: order, prefix: ORDER, sort: "ORDER#{order:number}"}]
    ` + one("bookkeeping", "", "bookkeeping: []", "bookkeeping: [a]") + `
  - name: history
    role: history
    entities: [{name: order, prefix: ORDER, sort: "ORDER#{order:number}"}]
  - name: documents
    role: plain
    tenant: none
    key: {partition: documentVersion}
    latest: {` + one("content", "", "content: [content]", "actual-version: a") + `}
`
}

// anyAsk is a request for one of the tables.
func anyAsk(t *rapid.T) ask {
	switch rapid.IntRange(0, 5).Draw(t, "table") {
	case 0, 1:
		return anyDataRequest(t)
	case 2:
		return anyCommandRequest(t)
	case 3, 4:
		return anyDocumentRequest(t)
	}
	return anyReading(t)
}

func drawn(t *rapid.T, name string, of ...string) string {
	return rapid.SampledFrom(of).Draw(t, name)
}

func anyDataRequest(t *rapid.T) ask {
	key := []string{"pk", drawn(t, "pk", "ORDER#tenant001", "ORDER#tenant001", "ORDER#tenant001",
		"ORDER#tenant002", "ORDER#common", "ORDER", "COUNTRY#common", "USER_TENANT#common"),
		"sk", drawn(t, "sk", "ORDER#1", "ORDER#1", "ORDER#1", "ORDER#2", "ORDER#1@1", "ORDER#x",
			"jp", "tenant001#u", "tenant002#u", "common#u")}
	version := drawn(t, "version", "=0", "=1", "=2", "=3", "=4", "one", "")
	condition := drawn(t, "condition", "", "", "version = :n0", "version = :n1", "version = :n2",
		"attribute_not_exists(pk)", "attribute_not_exists(version)", "attribute_exists(pk)",
		"version = :n1 OR version = :n2", "NOT version = :n1", "attribute_not_exists(pk) OR version = :n1")
	var more []string
	if version != "" {
		more = append(more, "version", version)
	}
	if rapid.Bool().Draw(t, "indexed") {
		more = append(more, "gsi1pk", drawn(t, "gsi1pk", indexValues[:]...), "gsi1sk",
			drawn(t, "gsi1sk", "p", "tenant001#p", "tenant002#p"))
	}
	more = append(more, anyMore(t)...)
	w := put("data", condition, append(slices.Clone(key), more...)...)
	plain := true
	switch drawn(t, "kind", "put", "put", "update", "update", "delete") {
	case "update":
		expression := drawn(t, "update", "ADD version :n1", "SET version = version + :n1",
			"SET version = :n1", "SET version = :n2", "SET version = :n3", "SET a = :sx",
			"ADD version :n2", "REMOVE version", "SET version = if_not_exists(version, :n0) + :n1",
			"SET version = if_not_exists(version, :n3) + :n1", "SET version = a",
			"SET gsi1pk = :i0, gsi1sk = :sp ADD version :n1",
			"SET gsi1pk = :i1, gsi1sk = :sp ADD version :n1",
			"SET gsi1pk = :i2 ADD version :n1", "SET gsi1pk = :i3 ADD version :n1",
			"SET gsi1sk = :sp ADD version :n1", "SET gsi1pk = a ADD version :n1",
			"REMOVE gsi1pk ADD version :n1", "SET #kid = :sx ADD version :n1")
		w = update("data", condition, strings.ReplaceAll(expression, "#kid", "id"), key...)
		addIndexValues(w.Update)
		// an update does not show the former index key, the copied value, or a missing item
		plain = !strings.Contains(expression, "gsi1") && expression != "SET version = a" &&
			expression != "REMOVE version" && expression != "ADD version :n2" &&
			// nobody sees in front of the server that the item is there, and needs no first version
			!strings.Contains(expression, "if_not_exists(version, :n3)")
	case "delete":
		w = remove("data", condition, key...)
	}
	return anyOperation(t, plain, w)
}

// anyMore are attributes beside the key and the version.
func anyMore(t *rapid.T) []string {
	return [][]string{nil, nil, {"a", "x"}, {"status", "1"}, {"id", "ORDER#tenant001#ORDER#1"},
		{"csk", "ORDER#1@1"}, {"csk", "ORDER#1@2"}, {"requestId", "r"}}[rapid.IntRange(0, 7).Draw(t,
		"more")]
}

// indexValues are partition keys of the index, :i0 and so on in expressions.
var indexValues = [...]string{"CATEGORY#tenant001", "CATEGORY#tenant002", "CATEGORY#common",
	"OFFER#common", "books", "CATEGORY#books"}

func addIndexValues(u *types.Update) {
	for _, m := range regexp.MustCompile(`:i(\d)`).FindAllStringSubmatch(*u.UpdateExpression, -1) {
		if u.ExpressionAttributeValues == nil {
			u.ExpressionAttributeValues = map[string]types.AttributeValue{}
		}
		u.ExpressionAttributeValues[m[0]] = value(indexValues[m[1][0]-'0'])
	}
}

func anyCommandRequest(t *rapid.T) ask {
	table := drawn(t, "commands", "command", "command", "history")
	var writes []types.TransactWriteItem
	var versions []string
	for i := range rapid.IntRange(1, 2).Draw(t, "writes") {
		version := drawn(t, fmt.Sprint("version", i), "0", "1", "1", "2", "3", "01", "x")
		versions = append(versions, version)
		key := []string{"pk", drawn(t, fmt.Sprint("pk", i), "ORDER#tenant001", "ORDER#tenant001",
			"ORDER#tenant002"), "sk", "ORDER#1@" + version}
		condition := drawn(t, fmt.Sprint("condition", i), "", "", "attribute_not_exists(sk)",
			"attribute_exists(sk)", "attribute_not_exists(a)")
		switch drawn(t, fmt.Sprint("kind", i), "put", "put", "put", "update", "delete", "check") {
		case "update":
			writes = append(writes, update(table, condition, drawn(t, "update",
				"SET #s = :sx", "SET updatedAt = :sx", "SET a = :sx", "REMOVE updatedAt",
				"SET version = :n1", "ADD version :n1", "REMOVE version"), key...))
			u := writes[len(writes)-1].Update
			if strings.Contains(*u.UpdateExpression, "#s") {
				u.ExpressionAttributeNames = map[string]string{"#s": "status"}
			}
		case "delete":
			writes = append(writes, remove(table, condition, key...))
		case "check":
			if condition == "" {
				condition = "attribute_exists(sk)"
			}
			writes = append(writes, check(table, condition, key...))
		default:
			more := append(key, anyMore(t)...)
			own := "=" + strings.Replace(version, "x", "0", 1)
			if v := drawn(t, "attribute", own, own, own, own, "", "=2", "one"); v != "" {
				more = append(more, "version", v)
			}
			writes = append(writes, put(table, condition, more...))
		}
	}
	a := anyOperation(t, true, writes...)
	first := len(writes) == 1 && versions[0] == "1"
	a.plain = a.plain && (strings.HasPrefix(a.text, "transaction") || first) &&
		!strings.Contains(a.text, "requestId") && !strings.Contains(a.text, "csk") &&
		// which version the item has is not seen
		!regexp.MustCompile(`"[A-Z]+ version`).MatchString(a.text)
	return a
}

func anyDocumentRequest(t *rapid.T) ask {
	var writes []types.TransactWriteItem
	for i := range rapid.IntRange(1, 3).Draw(t, "writes") {
		at := func(name string) string { return fmt.Sprint(name, i) }
		version := drawn(t, at("version"), "v1", "v2", "v3", "latest", "latest")
		names := drawn(t, at("names"), "v1", "v2", "v3", "")
		more := []string{"documentVersion", version, "content",
			drawn(t, at("content"), "text", "text", "text", "other")}
		conditions := []string{"", "attribute_not_exists(documentVersion)", "actualVersion = :sv1",
			"actualVersion = :sv2", "attribute_exists(documentVersion)"}
		if version == "latest" && names != "" {
			more = append(more, "actualVersion", names, "a", names)
		}
		condition := drawn(t, at("condition"), conditions...)
		switch drawn(t, at("kind"), "put", "put", "put", "update", "delete") {
		case "update":
			writes = append(writes, update("documents", condition, drawn(t, at("update"),
				"SET content = :stext", "SET content = :sother, actualVersion = :sv2",
				"SET actualVersion = :sv1", "SET content = :stext, actualVersion = :sv2"),
				more[:2]...))
		case "delete":
			writes = append(writes, remove("documents", condition, more[:2]...))
		default:
			writes = append(writes, put("documents", condition, more...))
		}
	}
	a := anyOperation(t, false, writes...)
	a.plain = false
	return a
}

// anyOperation asks for writes by an operation that can.
func anyOperation(t *rapid.T, plain bool, writes ...types.TransactWriteItem) ask {
	text := ""
	for i := range writes {
		text += " " + textOfWrite(&writes[i])
	}
	if len(writes) > 1 || writes[0].ConditionCheck != nil {
		return ask{text: "transaction" + text, do: together(writes...), plain: plain}
	}
	w := writes[0]
	switch drawn(t, "operation", "alone", "alone", "transaction", "batch", "statement",
		"statements", "transaction of statements") {
	case "transaction":
		return ask{text: "transaction" + text, do: together(w), plain: plain}
	case "batch":
		if w.Update == nil {
			return ask{text: "batch" + text, do: batched(w)}
		}
	case "statement":
		if s := statementOf(&w); s != "" {
			return ask{text: s, do: statement(s)}
		}
	case "statements":
		if s := statementOf(&w); s != "" {
			return ask{text: "batch " + s, do: statementsInBatch(s)}
		}
	case "transaction of statements":
		if s := statementOf(&w); s != "" {
			return ask{text: "transaction of " + s, do: statementsTogether(s)}
		}
	}
	return ask{text: "alone" + text, do: alone(w), plain: plain}
}

func textOfWrite(w *types.TransactWriteItem) string {
	switch {
	case w.Put != nil:
		return fmt.Sprintf("put %s {%s} if %q", *w.Put.TableName, textOfItem(w.Put.Item),
			aws.ToString(w.Put.ConditionExpression))
	case w.Update != nil:
		return fmt.Sprintf("update %s {%s} %q if %q", *w.Update.TableName, textOfItem(w.Update.Key),
			*w.Update.UpdateExpression, aws.ToString(w.Update.ConditionExpression))
	case w.Delete != nil:
		return fmt.Sprintf("delete %s {%s} if %q", *w.Delete.TableName, textOfItem(w.Delete.Key),
			aws.ToString(w.Delete.ConditionExpression))
	}
	return fmt.Sprintf("check %s {%s} if %q", *w.ConditionCheck.TableName,
		textOfItem(w.ConditionCheck.Key), aws.ToString(w.ConditionCheck.ConditionExpression))
}

// statementOf is a write without a condition in PartiQL, or "" if the tests write none.
func statementOf(w *types.TransactWriteItem) string {
	where := func(key map[string]types.AttributeValue, condition *string) string {
		var terms []string
		for name, v := range key {
			terms = append(terms, name+" = "+literalOf(v))
		}
		slices.Sort(terms)
		if aws.ToString(condition) == "version = :n1" {
			terms = append(terms, "version = 1")
		}
		return strings.Join(terms, " AND ")
	}
	switch {
	case w.Put != nil:
		var members []string
		for name, v := range w.Put.Item {
			members = append(members, "'"+name+"': "+literalOf(v))
		}
		slices.Sort(members)
		return "INSERT INTO " + *w.Put.TableName + " VALUE {" + strings.Join(members, ", ") + "}"
	case w.Delete != nil:
		return "DELETE FROM " + *w.Delete.TableName + " WHERE " +
			where(w.Delete.Key, w.Delete.ConditionExpression)
	case w.Update != nil:
		set := map[string]string{
			"ADD version :n1": "SET version = version + 1", "SET version = :n1": "SET version = 1",
			"SET version = version + :n1": "SET version = version + 1",
			"SET version = :n2":           "SET version = 2", "SET a = :sx": "SET a = 'x'",
			"REMOVE version": "REMOVE version", "SET version = a": "SET version = a",
			"SET updatedAt = :sx":                            "SET updatedAt = 'x'",
			"SET content = :stext":                           "SET content = 'text'",
			"SET gsi1pk = :i1, gsi1sk = :sp ADD version :n1": "SET gsi1pk = 'CATEGORY#tenant002' SET gsi1sk = 'p' SET version = version + 1",
		}[*w.Update.UpdateExpression]
		if set != "" {
			return "UPDATE " + *w.Update.TableName + " " + set + " WHERE " +
				where(w.Update.Key, w.Update.ConditionExpression)
		}
	}
	return ""
}

func literalOf(v types.AttributeValue) string {
	if n, ok := v.(*types.AttributeValueMemberN); ok {
		return n.Value
	}
	return "'" + v.(*types.AttributeValueMemberS).Value + "'"
}

// anyReading reads a table or an index.
func anyReading(t *rapid.T) ask {
	pk := drawn(t, "pk", "ORDER#tenant001", "ORDER#tenant002", "ORDER#common", "COUNTRY#common",
		"USER_TENANT#common", "ORDER", "x")
	sk := drawn(t, "sk", "ORDER#1", "ORDER#", "ORDER#1@1", "tenant001#", "tenant001#u", "tenant",
		"tenant002#u", "")
	index := drawn(t, "index", "", "", "by-category", "by-text")
	table := drawn(t, "table", "data", "data", "data", "command")
	if table == "command" {
		index = ""
	}
	if index == "by-category" {
		pk = drawn(t, "category", indexValues[:]...)
	}
	names := map[string][2]string{"": {"pk", "sk"}, "by-category": {"gsi1pk", "gsi1sk"},
		"by-text": {"pk", "gsi1sk"}}[index]
	source := table
	if index != "" {
		source = `"` + table + `"."` + index + `"`
	}
	switch kind := drawn(t, "kind", "get", "query", "query", "query", "scan", "select", "select",
		"select", "batch", "transaction"); kind {
	case "get", "batch", "transaction":
		if sk != "" {
			return ask{text: kind + " " + pk + " " + sk, do: gottenBy(kind, table, pk, sk),
				alike: true}
		}
		fallthrough
	case "query":
		condition := drawn(t, "condition", "", "=", "begins_with", "BETWEEN", "<")
		return ask{text: fmt.Sprintf("query %s %s %s %s", source, pk, condition, sk),
			do: querying(table, index, names, pk, condition, sk), alike: true}
	case "select":
		where := drawn(t, "where", "", "WHERE P = 'p'", "WHERE P = 'p' AND S = 's'",
			"WHERE P IN ['p', 'ORDER#tenant001']", "WHERE P = 'p' OR P = 'ORDER#tenant001'",
			"WHERE P = 'p' AND begins_with(S, 's')", "WHERE begins_with(P, 'p')",
			"WHERE S = 's'", "WHERE P = 'p' OR a = 'x'", "WHERE NOT P = 'p'",
			"WHERE P > 'p'", "WHERE P = 'p' AND (S = 's' OR S = 'tenant002#u')",
			"WHERE pk = 'ORDER#tenant001'", "WHERE P = 'p' AND pk = 'ORDER#tenant001'")
		where = strings.NewReplacer("'p'", "'"+pk+"'", "'s'", "'"+sk+"'", "P", names[0], "S ",
			names[1]+" ", "(S", "("+names[1]).Replace(where)
		text := "SELECT * FROM " + source + " " + where
		return ask{text: text, do: statement(text), alike: true}
	}
	return ask{text: "scan " + source, alike: true,
		do: func(ctx context.Context, c *dynamodb.Client) error {
			_, err := c.Scan(ctx, &dynamodb.ScanInput{TableName: &table,
				IndexName: optional(index)})
			return err
		}}
}

// gottenBy gets an item by one of three operations.
func gottenBy(kind, table, pk, sk string) clientRequest {
	key := attributes("pk", pk, "sk", sk)
	return func(ctx context.Context, c *dynamodb.Client) (err error) {
		switch kind {
		case "get":
			_, err = c.GetItem(ctx, &dynamodb.GetItemInput{TableName: &table, Key: key})
		case "batch":
			_, err = c.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{
				RequestItems: map[string]types.KeysAndAttributes{
					table: {Keys: []map[string]types.AttributeValue{key}}}})
		default:
			_, err = c.TransactGetItems(ctx, &dynamodb.TransactGetItemsInput{
				TransactItems: []types.TransactGetItem{
					{Get: &types.Get{TableName: &table, Key: key}}}})
		}
		return err
	}
}

// querying asks a table or an index by a partition and a condition on the sort key.
func querying(table, index string, names [2]string, pk, condition, sk string) clientRequest {
	return func(ctx context.Context, c *dynamodb.Client) error {
		in := &dynamodb.QueryInput{TableName: &table, IndexName: optional(index),
			KeyConditionExpression:    aws.String(names[0] + " = :p"),
			ExpressionAttributeValues: map[string]types.AttributeValue{":p": value(pk)}}
		if condition != "" && sk != "" {
			text := names[1] + " " + condition + " :s"
			switch condition {
			case "begins_with":
				text = "begins_with(" + names[1] + ", :s)"
			case "BETWEEN":
				text = names[1] + " BETWEEN :s AND :z"
				in.ExpressionAttributeValues[":z"] = value(sk + "z")
			}
			*in.KeyConditionExpression += " AND " + text
			in.ExpressionAttributeValues[":s"] = value(sk)
		}
		_, err := c.Query(ctx, in)
		return err
	}
}
