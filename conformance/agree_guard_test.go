package conformance

import (
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/guard"
	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/emulator"
)

// guardedPair has one policy in two places: in a server, and in the client of a server that has
// none. Both must take the same requests, and then hold the same items.
type guardedPair struct {
	*testing.T
	gen            *requestGen
	server, client *dynamodb.Client // the policy is in
	held, plain    *dynamodb.Client // clients of a privileged caller, who sees what is there
	requests       int
}

// guardedPolicy has a table of each role, and an open one. Its keys are as short as those that the
// generator of requests draws, so that requests meet.
func guardedPolicy() policy.Policy {
	entities := []policy.Entity{
		{Name: "order", Prefix: "ORDER", Sort: policy.Pattern("A#{id}"),
			Mutable: []string{"title"}},
		{Name: "line", Prefix: "ORDER", Sort: policy.Pattern("B#{id}#{n:number}")},
		{Name: "user", Prefix: "USER", Tenant: policy.TenantCommon, Writable: true,
			Sort: policy.Pattern("{kind:local|sso}#{id}")},
		{Name: "master", Prefix: "MASTER", Tenant: policy.TenantCommon,
			Sort: policy.Pattern("{id}")},
	}
	return policy.Policy{
		Tenants: policy.Tenants{Callers: map[string]string{"AK1": "t1", "OPS": "operations"},
			Privileged: []string{"operations"}, Known: []string{"t1", "t2"}},
		Tables: []policy.Table{
			{Name: "data", Role: policy.Data, Entities: entities},
			{Name: "command", Role: policy.Command, Entities: entities},
			{Name: "plain", Role: policy.Plain, Entities: entities},
			{Name: "open", Open: true},
		},
	}
}

var guardedTables = []string{"data", "command", "plain", "open", "other"}

// handlerClient is a client whose requests go to a handler without a listener.
type handlerClient struct{ http.Handler }

func (c handlerClient) Do(r *http.Request) (*http.Response, error) {
	rec := httptest.NewRecorder()
	c.ServeHTTP(rec, r)
	return rec.Result(), nil
}

func newGuardedPair(t *testing.T, gen *requestGen) *guardedPair {
	engine, err := policy.Compile(guardedPolicy())
	require.NoError(t, err)
	of := func(e *emulator.Emulator, key string, o ...func(*dynamodb.Options)) *dynamodb.Client {
		return dynamodb.New(dynamodb.Options{Region: "eu-west-3", RetryMaxAttempts: 1,
			BaseEndpoint: aws.String("http://kugiri"), HTTPClient: handlerClient{e.Handler()},
			Credentials: credentials.NewStaticCredentialsProvider(key, "secret", "")}, o...)
	}
	silent := emulator.WithLogger(slog.New(slog.DiscardHandler))
	held := emulator.New(emulator.WithPolicy(engine), emulator.WithSharedData(), silent)
	plain := emulator.New(emulator.WithSharedData(), silent)
	p := &guardedPair{T: t, gen: gen, server: of(held, "AK1"), held: of(held, "OPS"),
		client: of(plain, "AK1", guard.New(engine, guard.Config{}).Options),
		plain:  of(plain, "OPS")}
	for _, client := range []*dynamodb.Client{p.held, p.plain} {
		for _, table := range guardedTables {
			_, err := invoke(t.Context(), client, "CreateTable",
				`{"TableName":"`+table+`",`+keys("pk:S", "sk:S")+`}`)
			require.NoError(t, err)
		}
	}
	return p
}

// round sends a request to both.
func (p *guardedPair) round() {
	op, body := p.request()
	p.requests += 2
	inServer, err := invoke(p.Context(), p.server, op, body)
	a, ok := outcomeOf(inServer, err)
	if !ok {
		return // the client does not send such a request
	}
	inClient, err := invoke(p.Context(), p.client, op, body)
	b, _ := outcomeOf(inClient, err)
	what := op + " " + body
	var refused *guard.Error
	byGuard := errors.As(err, &refused)
	switch {
	case byGuard && a.err == "" && (strings.Contains(body, `"REMOVE version"`) ||
		strings.Contains(b.err, "cannot be seen from here")):
		// A guard refuses what it cannot see: whether there is an item that an update only takes
		// something from, and the other version beside a single write.
		_, err := invoke(p.Context(), p.plain, op, body)
		require.NoError(p, err, what)
	case !assert.Equal(p, a.err == "", b.err == "", "%s: server: %s, guard: %s", what, a.err,
		b.err):
		return
	case a.err == "":
		assert.Equal(p, a, b, what)
	case byGuard && ruleIn(a.err) != "":
		assert.Equal(p, ruleIn(a.err), ruleIn(b.err), "%s: server: %s, guard: %s", what, a.err,
			b.err)
	}
	for _, table := range guardedTables {
		scan := `{"TableName":"` + table + `"}`
		left, err := invoke(p.Context(), p.held, "Scan", scan)
		require.NoError(p, err)
		right, err := invoke(p.Context(), p.plain, "Scan", scan)
		require.NoError(p, err)
		assert.Equal(p, normal(left), normal(right), "%s leaves %s", what, table)
	}
}

// ruleIn returns what the rule of the policy is about that a text names: "tenant", "key", "version"
// and so on, or "" for none. Of the rules on versions, a server that sees the stored item may name
// another one.
func ruleIn(text string) string {
	for _, r := range policy.Rules() {
		if strings.Contains(text, r.ID+": ") {
			of, _, _ := strings.Cut(r.ID, "-")
			return of
		}
	}
	return ""
}

// request returns a request that a policy may refuse.
func (p *guardedPair) request() (op, body string) {
	g := p.gen
	table := `"TableName":` + quoted(g.one("data", "data", "command", "plain", "open", "other"))
	switch g.IntN(14) {
	case 0, 1, 2:
		return "PutItem", `{` + table + `,"Item":` + p.item() + p.condition() + `}`
	case 3, 4:
		return "UpdateItem", `{` + table + `,"Key":` + p.key() + p.update() + `}`
	case 5:
		return "DeleteItem", `{` + table + `,"Key":` + p.key() + p.condition() + `}`
	case 6:
		return "GetItem", `{` + table + `,"Key":` + p.key() + `}`
	case 7:
		return "Query", `{` + table + p.query() + `}`
	case 8:
		return "Scan", `{` + table + `}`
	case 9: // keys of one table: the client sends several in any order
		return "BatchGetItem", `{"RequestItems":{` + quoted(g.one("data", "command", "open")) +
			`:{"Keys":[` + p.key() + `,` + p.key() + `]}}}`
	case 10: // data and commands need conditions, which a batch cannot have
		return "BatchWriteItem", `{"RequestItems":{` + quoted(g.one("plain", "open", "other")) +
			`:[` + g.one(`{"PutRequest":{"Item":`+p.item()+`}}`,
			`{"DeleteRequest":{"Key":`+p.key()+`}}`) + `]}}`
	case 11, 12:
		return "ExecuteStatement", `{"Statement":` + quoted(p.statement()) + `}`
	}
	return "TransactWriteItems", `{"TransactItems":[` + g.list(1+g.IntN(2), func() string {
		table := `"TableName":` + quoted(g.one("data", "command", "plain", "open"))
		switch g.IntN(3) {
		case 0:
			return `{"Put":{` + table + `,"Item":` + p.item() + p.condition() + `}}`
		case 1:
			return `{"Update":{` + table + `,"Key":` + p.key() + p.update() + `}}`
		}
		return `{"Delete":{` + table + `,"Key":` + p.key() + p.condition() + `}}`
	}) + `]}`
}

// statement returns a statement on one item. Changes have conditions of their own, because a guard
// can add none.
func (p *guardedPair) statement() string {
	g := p.gen
	table := `"` + g.one("data", "data", "command", "plain", "open", "other") + `"`
	pk, sk := p.partition(), p.sort()
	where := " WHERE pk = '" + pk + "' AND sk = '" + sk + "'"
	was := " AND version = " + g.one("0", "1", "2")
	switch g.IntN(5) {
	case 0:
		return "SELECT * FROM " + table + g.one(where, where, " WHERE pk = '"+pk+"'", "")
	case 1:
		return "INSERT INTO " + table + " VALUE {'pk': '" + pk + "', 'sk': '" + sk +
			"', 'version': " + g.one("0", "1", "2", "'x'") + "}"
	case 2:
		return "DELETE FROM " + table + where + was
	case 3:
		return "UPDATE " + table + " SET title = 'x'" + where
	}
	return "UPDATE " + table + " SET title = 'x' SET version = " + g.one("0", "1", "2", "3") +
		where + was
}

func (p *guardedPair) partition() string {
	return p.gen.mostly(
		[]string{"ORDER#t1", "ORDER#t1", "USER#common", "MASTER#common", "ORDER#t2"},
		"ORDER", "ORDER#t1#x", "order#t1", "OTHER#t1", "#", "USER#t1", "ORDER#common")
}

func (p *guardedPair) sort() string {
	return p.gen.mostly([]string{"A#1", "A#1", "A#1@1", "A#1@2", "B#1#2", "local#a", "x"},
		"A", "A#", "B#1#x", "A#1@", "A#1@x", "A#1@0", "@1", "A#é")
}

func (p *guardedPair) key() string {
	return `{"pk":{"S":` + quoted(p.partition()) + `},"sk":{"S":` + quoted(p.sort()) + `}}`
}

func (p *guardedPair) item() string {
	it := strings.TrimSuffix(p.key(), "}")
	if !p.gen.rarely(4) {
		it += `,"version":` + p.gen.mostly(
			[]string{`{"N":"0"}`, `{"N":"1"}`, `{"N":"2"}`, `{"N":"3"}`},
			`{"S":"1"}`, `{"N":"1.5"}`, `{"N":"-1"}`)
	}
	return it + `,"title":{"S":` + quoted(p.gen.text()) + `}}`
}

// condition returns a condition of a write, or nothing.
func (p *guardedPair) condition() string {
	switch p.gen.IntN(3) {
	case 0:
		return `,"ConditionExpression":"attribute_not_exists(pk)"`
	case 1:
		return `,"ConditionExpression":"version = :was","ExpressionAttributeValues":{":was":{"N":` +
			quoted(p.gen.one("0", "1", "2")) + `}}`
	}
	return ""
}

func (p *guardedPair) update() string {
	update := p.gen.one("SET title = :x", "ADD version :one", "SET title = :x ADD version :one",
		"SET version = :two", "SET version = version + :one", "REMOVE version", "SET title = :x",
		"SET sk = :x")
	condition, values := "", []string{}
	if p.gen.rarely(2) {
		condition = `,"ConditionExpression":"version = :was"`
		values = append(values, `":was":{"N":`+quoted(p.gen.one("0", "1", "2"))+`}`)
	}
	for _, v := range [][2]string{{":x", `{"S":"y"}`}, {":one", `{"N":"1"}`},
		{":two", `{"N":"2"}`}} {
		if strings.Contains(update, v[0]) {
			values = append(values, quoted(v[0])+`:`+v[1])
		}
	}
	more := ""
	if len(values) > 0 {
		more = `,"ExpressionAttributeValues":{` + strings.Join(values, ",") + `}`
	}
	return `,"UpdateExpression":` + quoted(update) + condition + more
}

func (p *guardedPair) query() string {
	values := `":p":{"S":` + quoted(p.partition()) + `}`
	condition := "pk = :p"
	more := p.gen.one("", " AND begins_with(sk, :s)", " AND sk = :s", " AND sk > :s")
	if more != "" {
		condition += more
		values += `,":s":{"S":` + quoted(p.sort()) + `}`
	}
	return `,"KeyConditionExpression":` + quoted(condition) +
		`,"ExpressionAttributeValues":{` + values + `}`
}
