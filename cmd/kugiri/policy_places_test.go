package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/lint"
	"github.com/kugiri-db/kugiri/conventions/gateway"
	"github.com/kugiri-db/kugiri/conventions/guard"
	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/conventions/policy/policyfile"
	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/emulatortest"
)

// place is where a policy runs.
type place string

// The places. The server sees what is stored, the guard and the gateway see requests, and lint sees
// items at rest: what the request of a case leaves behind where no policy runs.
const (
	inServer  place = "server"
	inGuard   place = "guard"
	inGateway place = "gateway"
	inLint    place = "lint"
)

// placeCase is a request that is made in every place. All of them are to say the same of it.
type placeCase struct {
	name   string
	policy string        // "": placesPolicy. It declares tables among those of placesTables.
	stored []types.Put   // what is stored before the request
	caller string        // access key; "": AK1, of tenant001
	do     clientRequest // one request
	want   string        // id of the rule that refuses it, "": none does
	except []difference  // places that say something else

	unamended bool // the gateway adds no conditions
}

// difference says what a place finds that does not find what the others do.
type difference struct {
	place  place
	want   string
	reason string // why it cannot say the same
}

// unseen is the difference of a place that cannot see that a rule is broken.
func unseen(in place, reason string) difference { return difference{in, "", reason} }

// traceless is for what leaves nothing behind that lint could find.
func traceless(reason string) []difference { return []difference{unseen(inLint, reason)} }

// placesPolicy is a file, as people write one: the places read it by package policyfile. Its orders
// have ids of any kind, so that a case that breaks one rule does not break that for ids as well.
const placesPolicy = `
tenants:
  callers: {AK1: tenant001, AK2: tenant002, ADMIN: admin}
  privileged: [admin]
tables:
  - name: data
    role: data
    entities:
      - {name: order, prefix: ORDER, sort: "ORDER#{order}", mutable: [status]}
      - {name: product, prefix: PRODUCT, sort: "{product:ulid}"}
      - {name: user-tenant, prefix: USER_TENANT, tenant: common, sort: "{tenant:tenant}#{user}"}
      - {name: user, prefix: USER, tenant: common, sort: "{user}", writable: true}
      - {name: country, prefix: COUNTRY, tenant: common, sort: "{country}"}
    indexes:
      - name: by-category
        key: {partition: gsi1pk, sort: gsi1sk}
        entities:
          - {name: category, prefix: CATEGORY, sort: "{product}"}
          - {name: offer, prefix: OFFER, tenant: common, sort: "{product}", writable: true}
      - {name: by-text, key: {partition: pk, sort: gsi1sk}}
  - name: command
    role: command
    entities: [{name: order, prefix: ORDER, sort: "ORDER#{order}"}]
  - name: history
    role: history
    entities: [{name: order, prefix: ORDER, sort: "ORDER#{order}"}]
  - name: documents
    role: plain
    tenant: none
    key: {partition: documentVersion}
    latest: {}
`

// placesTables are the tables of all cases, whatever their policies declare: the names of their key
// attributes.
var placesTables = map[string][]string{
	"data": {"pk", "sk", "gsi1pk", "gsi1sk"}, "command": {"pk", "sk"}, "history": {"pk", "sk"},
	"documents": {"documentVersion"},
	"other":     {"pk", "sk"},
}

// TestPolicyPlaces holds the server, the guard, the gateway and lint to one verdict. It has a case
// for each rule.
func TestPolicyPlaces(t *testing.T) {
	broken := map[string]bool{}
	for _, c := range slices.Concat(versionPlaces, latestPlaces, declaredPlaces, tiedPlaces,
		tenantPlaces, lenientPlaces, updatePlaces, definedPlaces) {
		broken[c.want] = true
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for _, at := range []place{inServer, inGuard, inGateway, inLint} {
				t.Run(string(at), func(t *testing.T) { c.run(t, at) })
			}
		})
	}
	for _, r := range policy.Rules() {
		assert.NotEqual(t, broken[r.ID], slices.Contains(casedElsewhere, r),
			"a case breaks the rule %s here, or elsewhere", r.ID)
	}
}

// casedElsewhere has the rules whose cases for the guard and the gateway are in
// conventions/gateway/rules_test.go, and for the server in emulator/policy_test.go. The last two
// are in TestExampleWrites of conventions/docs.
var casedElsewhere = []*policy.Rule{
	policy.RuleSeparator, policy.RuleSegments, policy.RuleOverloaded, policy.RuleULID,
	policy.RuleUnbounded, policy.RuleFixedPartition, policy.RuleScan, policy.RuleTenantMissing,
	policy.RuleTenantInSortKey, policy.RuleTenantCommon, policy.RuleTenantScan,
	policy.RuleParentMissing, policy.RuleExpiryMissing,
}

func (c *placeCase) run(t *testing.T, at place) {
	want := c.want
	for _, d := range c.except {
		if d.place == at {
			require.NotEmpty(t, d.reason, "a difference has a reason")
			require.NotEqual(t, want, d.want, "a difference is one")
			want = d.want
		}
	}
	s := c.start(t, at)
	before := s.dump(t)
	said, err := verdictOf(t, c.do(t.Context(), s.client))
	if at == inLint {
		assert.Equal(t, want, s.lint(t, want))
		return
	}
	if said == failedCondition && at != inServer && want != "" {
		said = want // the condition was added in this place, or by the application
	}
	assert.Equal(t, want, said, "the answer is %v", err)
	if want != "" {
		assert.Equal(t, before, s.dump(t), "what is refused changes nothing")
	}
}

// site is a place at work.
type site struct {
	engine   *policy.Engine
	emulator *emulator.Emulator
	client   *dynamodb.Client // the client of the case's caller
}

// start makes a place with the case's tables and items.
func (c *placeCase) start(t *testing.T, at place) *site {
	text := c.policy
	if text == "" {
		text = placesPolicy
	}
	engine, err := policyfile.Compile([]byte(text))
	require.NoError(t, err)
	s := &site{engine: engine, emulator: emulator.New(emulator.WithSharedData())}
	past := emulatortest.NewClient(s.emulator)
	for name, key := range placesTables {
		_, err := past.CreateTable(t.Context(), placesTable(name, key))
		require.NoError(t, err)
	}
	for _, put := range c.stored {
		_, err := past.PutItem(t.Context(),
			&dynamodb.PutItemInput{TableName: put.TableName, Item: put.Item})
		require.NoError(t, err)
	}
	s.client = c.clientIn(t, s, at)
	return s
}

// clientIn is a client whose requests go through a place.
func (c *placeCase) clientIn(t *testing.T, s *site, at place) *dynamodb.Client {
	key := c.caller
	if key == "" {
		key = "AK1"
	}
	switch at {
	case inServer:
		s.emulator = s.emulator.Fork(emulator.WithPolicy(s.engine))
	case inGuard:
		return sdkClient(served(t, s.emulator.Handler()), "secret", keyed(key, "secret"),
			guard.New(s.engine, guard.Config{}).Options)
	case inGateway:
		return sdkClient(gatewayTo(t, s, c.unamended), "secret", keyed(key, "secret"))
	}
	return sdkClient(served(t, s.emulator.Handler()), "secret", keyed(key, "secret"))
}

// past is a client that no policy looks at, of what is stored at the moment.
func (s *site) past() *dynamodb.Client {
	return emulatortest.NewClient(s.emulator.Fork(emulator.WithPolicy(nil)))
}

// gatewayTo is the URL of a gateway in front of a site. An unamended one adds no conditions.
func gatewayTo(t *testing.T, s *site, unamended bool) string {
	g, err := gateway.New(gateway.Config{Upstream: served(t, s.emulator.Handler()),
		Policy: s.engine, NoConditions: unamended,
		Credentials: credentials.NewStaticCredentialsProvider("GATEWAY", "secret", "")})
	require.NoError(t, err)
	t.Cleanup(g.Close)
	return served(t, g)
}

// served returns the URL of a listener.
func served(t *testing.T, h http.Handler) string {
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server.URL
}

// placesTable is a table with string keys and, if it has four, the index by-category, and by-text
// of the table's partitions.
func placesTable(name string, key []string) *dynamodb.CreateTableInput {
	in := &dynamodb.CreateTableInput{TableName: &name, BillingMode: types.BillingModePayPerRequest}
	schema := func(names []string) (all []types.KeySchemaElement) {
		for i, n := range names {
			all = append(all,
				types.KeySchemaElement{
					AttributeName: aws.String(n), KeyType: []types.KeyType{"HASH", "RANGE"}[i],
				})
		}
		return all
	}
	for _, n := range key {
		in.AttributeDefinitions = append(in.AttributeDefinitions,
			types.AttributeDefinition{AttributeName: aws.String(n), AttributeType: "S"})
	}
	in.KeySchema = schema(key[:min(2, len(key))])
	if len(key) == 4 {
		all := &types.Projection{ProjectionType: types.ProjectionTypeAll}
		in.GlobalSecondaryIndexes = []types.GlobalSecondaryIndex{
			{IndexName: aws.String("by-category"), KeySchema: schema(key[2:]), Projection: all},
		}
		in.LocalSecondaryIndexes = []types.LocalSecondaryIndex{
			{IndexName: aws.String("by-text"), KeySchema: schema([]string{key[0], key[3]}),
				Projection: all},
		}
	}
	return in
}

// dump returns the items of all tables.
func (s *site) dump(t *testing.T) string {
	var lines []string
	past := s.past()
	for name := range placesTables {
		out, err := past.Scan(t.Context(), &dynamodb.ScanInput{TableName: &name})
		require.NoError(t, err)
		for _, it := range out.Items {
			lines = append(lines, name+" "+textOfItem(it))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func textOfItem(it map[string]types.AttributeValue) string {
	var parts []string
	for name, v := range it {
		switch v := v.(type) {
		case *types.AttributeValueMemberS:
			parts = append(parts, name+"="+v.Value)
		case *types.AttributeValueMemberN:
			parts = append(parts, name+":"+v.Value)
		default:
			parts = append(parts, fmt.Sprintf("%s %#v", name, v))
		}
	}
	slices.Sort(parts)
	return strings.Join(parts, " ")
}

// lint is a rule that lint finds broken in what is stored: the one that is wanted if it is among
// several.
func (s *site) lint(t *testing.T, want string) string {
	var found []string
	for _, g := range s.report(t).Groups {
		found = append(found, g.Rule)
	}
	switch {
	case len(found) == 0:
		return ""
	case slices.Contains(found, want):
		return want
	}
	return found[0]
}

// report returns the findings of lint in the stored items.
func (s *site) report(t *testing.T) *lint.Report {
	l := &lint.Linter{Client: s.past(), Policy: s.engine}
	out, err := s.past().ListTables(t.Context(), &dynamodb.ListTablesInput{})
	require.NoError(t, err)
	for _, name := range out.TableNames {
		if s.engine.Covers(name) {
			l.Tables = append(l.Tables, name)
		}
	}
	report, err := l.Run(t.Context())
	require.NoError(t, err)
	return report
}

// What else than a rule is said of a request.
const (
	failedCondition = "a condition failed"
	invalidRequest  = "the database refuses it"
)

var findingText = regexp.MustCompile(
	`^(?:The conditional request failed: )?([a-z]+(?:-[a-z]+)+): .*; instead, `)

// reasonsOf are the rules that the reasons of a cancelled transaction name, or the one of another
// refusal.
func reasonsOf(t *testing.T, err error) (rules []string) {
	var cancelled *types.TransactionCanceledException
	if !errors.As(err, &cancelled) {
		said, _ := verdictOf(t, err)
		return []string{said}
	}
	for _, r := range cancelled.CancellationReasons {
		if m := findingText.FindStringSubmatch(aws.ToString(r.Message)); m != nil {
			rules = append(rules, m[1])
		}
	}
	return rules
}

// verdictOf is the id of the rule for which a request was refused, "" if it was not. It returns the
// error, too.
func verdictOf(t *testing.T, err error) (string, error) {
	if err == nil {
		return "", nil
	}
	var answer smithy.APIError
	require.ErrorAs(t, err, &answer)
	code, message := answer.ErrorCode(), answer.ErrorMessage()
	var cancelled *types.TransactionCanceledException
	if errors.As(err, &cancelled) {
		for _, r := range cancelled.CancellationReasons {
			if aws.ToString(r.Code) != "None" {
				code, message = aws.ToString(r.Code), aws.ToString(r.Message)
				break
			}
		}
	}
	if m := findingText.FindStringSubmatch(message); m != nil {
		return m[1], err
	}
	if strings.HasPrefix(code, "ConditionalCheckFailed") {
		return failedCondition, err
	}
	return invalidRequest, err
}

// clientRequest is a request of a client.
type clientRequest func(context.Context, *dynamodb.Client) error

// attributes are strings by name and value. A value that begins with "=" is a number.
func attributes(pairs ...string) map[string]types.AttributeValue {
	it := map[string]types.AttributeValue{}
	for i := 0; i < len(pairs); i += 2 {
		it[pairs[i]] = value(pairs[i+1])
	}
	return it
}

func value(text string) types.AttributeValue {
	if n, ok := strings.CutPrefix(text, "="); ok {
		return &types.AttributeValueMemberN{Value: n}
	}
	return &types.AttributeValueMemberS{Value: text}
}

// valuesIn are the values that expressions name: :n3 is the number 3 and :sv2 the string v2.
func valuesIn(expressions ...string) map[string]types.AttributeValue {
	var values map[string]types.AttributeValue
	for _, m := range regexp.MustCompile(`:([ns])(\w+)`).FindAllStringSubmatch(
		strings.Join(expressions, " "), -1) {
		if values == nil {
			values = map[string]types.AttributeValue{}
		}
		values[m[0]] = value(map[string]string{"n": "=", "s": ""}[m[1]] + m[2])
	}
	return values
}

func stored(table string, pairs ...string) types.Put {
	return types.Put{TableName: &table, Item: attributes(pairs...)}
}

// put, update, remove and check are effects, to be asked for by an operation. A condition may be
// "".
func put(table, condition string, pairs ...string) types.TransactWriteItem {
	p := stored(table, pairs...)
	p.ConditionExpression, p.ExpressionAttributeValues = optional(condition), valuesIn(condition)
	return types.TransactWriteItem{Put: &p}
}

func update(table, condition, expression string, key ...string) types.TransactWriteItem {
	return types.TransactWriteItem{Update: &types.Update{TableName: &table, Key: attributes(key...),
		UpdateExpression:          &expression,
		ConditionExpression:       optional(condition),
		ExpressionAttributeValues: valuesIn(condition, expression)}}
}

// updateOfNothing returns an update without an expression, which creates a missing item.
func updateOfNothing(table string, key ...string) types.TransactWriteItem {
	return types.TransactWriteItem{
		Update: &types.Update{TableName: &table, Key: attributes(key...)}}
}

func remove(table, condition string, key ...string) types.TransactWriteItem {
	return types.TransactWriteItem{Delete: &types.Delete{TableName: &table, Key: attributes(key...),
		ConditionExpression: optional(condition), ExpressionAttributeValues: valuesIn(condition)}}
}

func check(table, condition string, key ...string) types.TransactWriteItem {
	return types.TransactWriteItem{ConditionCheck: &types.ConditionCheck{TableName: &table,
		Key:                 attributes(key...),
		ConditionExpression: optional(condition), ExpressionAttributeValues: valuesIn(condition)}}
}

func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// alone asks for an effect by PutItem, UpdateItem or DeleteItem.
func alone(w types.TransactWriteItem) clientRequest {
	return func(ctx context.Context, c *dynamodb.Client) (err error) {
		switch {
		case w.Put != nil:
			_, err = c.PutItem(
				ctx, &dynamodb.PutItemInput{TableName: w.Put.TableName, Item: w.Put.Item,
					ConditionExpression:       w.Put.ConditionExpression,
					ExpressionAttributeValues: w.Put.ExpressionAttributeValues})
		case w.Update != nil:
			_, err = c.UpdateItem(
				ctx, &dynamodb.UpdateItemInput{TableName: w.Update.TableName, Key: w.Update.Key,
					UpdateExpression:          w.Update.UpdateExpression,
					ConditionExpression:       w.Update.ConditionExpression,
					ExpressionAttributeValues: w.Update.ExpressionAttributeValues})
		case w.Delete != nil:
			_, err = c.DeleteItem(
				ctx, &dynamodb.DeleteItemInput{TableName: w.Delete.TableName, Key: w.Delete.Key,
					ConditionExpression:       w.Delete.ConditionExpression,
					ExpressionAttributeValues: w.Delete.ExpressionAttributeValues})
		}
		return err
	}
}

// together asks for effects by TransactWriteItems.
func together(writes ...types.TransactWriteItem) clientRequest {
	return func(ctx context.Context, c *dynamodb.Client) error {
		_, err := c.TransactWriteItems(ctx,
			&dynamodb.TransactWriteItemsInput{TransactItems: writes})
		return err
	}
}

// batched asks for puts and deletions by BatchWriteItem.
func batched(writes ...types.TransactWriteItem) clientRequest {
	return func(ctx context.Context, c *dynamodb.Client) error {
		items := map[string][]types.WriteRequest{}
		for _, w := range writes {
			if w.Put != nil {
				items[*w.Put.TableName] = append(items[*w.Put.TableName],
					types.WriteRequest{PutRequest: &types.PutRequest{Item: w.Put.Item}})
			} else {
				items[*w.Delete.TableName] = append(items[*w.Delete.TableName],
					types.WriteRequest{DeleteRequest: &types.DeleteRequest{Key: w.Delete.Key}})
			}
		}
		_, err := c.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: items})
		return err
	}
}

// statement asks by ExecuteStatement.
func statement(text string, parameters ...string) clientRequest {
	return func(ctx context.Context, c *dynamodb.Client) error {
		_, err := c.ExecuteStatement(ctx,
			&dynamodb.ExecuteStatementInput{Statement: &text, Parameters: parametersOf(parameters)})
		return err
	}
}

// statementsInBatch asks by BatchExecuteStatement, and returns the error of its first statement
// that has one.
func statementsInBatch(texts ...string) clientRequest {
	return func(ctx context.Context, c *dynamodb.Client) error {
		in := &dynamodb.BatchExecuteStatementInput{}
		for i := range texts {
			in.Statements = append(in.Statements, types.BatchStatementRequest{Statement: &texts[i]})
		}
		out, err := c.BatchExecuteStatement(ctx, in)
		if err != nil {
			return err
		}
		for _, r := range out.Responses {
			if r.Error != nil {
				return &smithy.GenericAPIError{
					Code: string(r.Error.Code), Message: aws.ToString(r.Error.Message),
				}
			}
		}
		return nil
	}
}

// statementsTogether asks by ExecuteTransaction.
func statementsTogether(texts ...string) clientRequest {
	return func(ctx context.Context, c *dynamodb.Client) error {
		in := &dynamodb.ExecuteTransactionInput{}
		for i := range texts {
			in.TransactStatements = append(in.TransactStatements,
				types.ParameterizedStatement{Statement: &texts[i]})
		}
		_, err := c.ExecuteTransaction(ctx, in)
		return err
	}
}

// expire enables TTL.
func expire(table string) clientRequest {
	return func(ctx context.Context, c *dynamodb.Client) error {
		_, err := c.UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{TableName: &table,
			TimeToLiveSpecification: &types.TimeToLiveSpecification{
				AttributeName: aws.String("ttl"), Enabled: aws.Bool(true),
			}})
		return err
	}
}

func parametersOf(values []string) (list []types.AttributeValue) {
	for _, v := range values {
		list = append(list, value(v))
	}
	return list
}
