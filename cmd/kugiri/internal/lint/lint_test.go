package lint_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/ratelimit"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/lint"
	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/emulator"
	_ "github.com/kugiri-db/kugiri/storage/rapidseed" // fixes the seed
)

// engine returns a policy without tenants: lint sees items, and nobody who asks for them.
func engine(t testing.TB) *policy.Engine {
	e, err := policy.Compile(policy.Policy{Tables: []policy.Table{
		{Name: "data", Role: policy.Data,
			Entities: []policy.Entity{
				{Name: "order", Prefix: "ORDER", Sort: policy.Pattern("ORDER#{id}"),
					MaxPartitions: 2},
			}},
		{Name: "documents", Role: policy.Plain, Tenant: policy.TenantNone,
			Latest: &policy.Latest{}},
		{Name: "loose", Role: policy.Plain},
		{Name: "users", Role: policy.Plain,
			Entities: []policy.Entity{
				{Name: "user", Prefix: "USER", Partition: policy.Pattern("{id}"),
					Sort: policy.Pattern("profile"), MaxPartitions: 2},
			}},
	}})
	require.NoError(t, err)
	return e
}

func newClient(t testing.TB) *dynamodb.Client {
	c := dynamodb.New(dynamodb.Options{Region: "us-east-1",
		BaseEndpoint: aws.String("http://localhost"), Credentials: aws.AnonymousCredentials{},
		HTTPClient: emulator.New().HTTPClient("AK", "us-east-1")})
	for _, name := range []string{"data", "documents", "loose", "users"} {
		_, err := c.CreateTable(t.Context(), &dynamodb.CreateTableInput{
			TableName: aws.String(name), BillingMode: types.BillingModePayPerRequest,
			AttributeDefinitions: []types.AttributeDefinition{
				{AttributeName: aws.String("pk"), AttributeType: "S"},
				{AttributeName: aws.String("sk"), AttributeType: "S"},
			},
			KeySchema: []types.KeySchemaElement{
				{AttributeName: aws.String("pk"), KeyType: "HASH"},
				{AttributeName: aws.String("sk"), KeyType: "RANGE"},
			},
		})
		require.NoError(t, err)
	}
	return c
}

// put writes an item whose attributes are strings, except version, which is a number.
func put(t testing.TB, c *dynamodb.Client, table, pk, sk string, more ...string) {
	it := map[string]types.AttributeValue{
		"pk": &types.AttributeValueMemberS{Value: pk},
		"sk": &types.AttributeValueMemberS{Value: sk},
	}
	for i := 0; i < len(more); i += 2 {
		it[more[i]] = &types.AttributeValueMemberS{Value: more[i+1]}
		if more[i] == "version" {
			it[more[i]] = &types.AttributeValueMemberN{Value: more[i+1]}
		}
	}
	_, err := c.PutItem(context.Background(), &dynamodb.PutItemInput{TableName: &table, Item: it})
	require.NoError(t, err)
}

// small reads pages of few items. It fails after left pages.
type small struct {
	*dynamodb.Client
	limit int32
	left  atomic.Int64
}

var errBroken = errors.New("the line is broken")

func (s *small) Scan(ctx context.Context, in *dynamodb.ScanInput,
	options ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error) {
	if s.left.Add(-1) < 0 {
		return nil, errBroken
	}
	in.Limit = aws.Int32(s.limit)
	return s.Client.Scan(ctx, in, options...)
}

func pages(c *dynamodb.Client, n int64) *small {
	s := &small{Client: c, limit: 2}
	s.left.Store(n)
	return s
}

// seen returns the counts of a report by rule, entity and tenant.
func seen(r *lint.Report) map[string]int64 {
	counts := map[string]int64{}
	for _, g := range r.Groups {
		counts[strings.Join([]string{g.Severity, g.Rule, g.Table, g.Entity, g.Tenant},
			" ")] += g.Count
	}
	return counts
}

func seed(t testing.TB, c *dynamodb.Client) {
	put(t, c, "data", "ORDER#tenant001", "ORDER#1", "version", "0")
	put(t, c, "data", "ORDER#tenant001", "ORDER#2@1", "version", "1")
	put(t, c, "data", "ORDER#tenant001", "ORDER#3@1", "version", "1")
	put(t, c, "data", "ORDER#tenant002", "ORDER#1")
	put(t, c, "data", "ORDR#tenant002", "ORDER#1", "version", "0")

	put(t, c, "documents", "a", "1", "text", "x")
	put(t, c, "documents", "a", "latest", "text", "x", "actualVersion", "1")
	put(t, c, "documents", "b", "1", "text", "x")
	put(t, c, "documents", "b", "latest", "text", "y", "actualVersion", "1")
	put(t, c, "documents", "c", "latest", "text", "y", "actualVersion", "7")
	put(t, c, "documents", "d", "latest", "text", "y")
	put(t, c, "documents", "e", "1")
	put(t, c, "documents", "e", "2")
}

var seeded = map[string]int64{
	"enforce version-in-data-key data order tenant001": 2,
	"enforce version-first data order tenant002":       1,
	"enforce key-undeclared-prefix data  tenant002":    1,
	"enforce latest-content documents  ":               1,
	"enforce latest-version documents  ":               2,
	"enforce latest-missing documents  ":               1,
}

// TestRunOnShapes covers faults in keys, indexes, versions and commands that a single item does not
// show.
func TestRunOnShapes(t *testing.T) {
	orders := []policy.Entity{{Name: "order", Prefix: "ORDER", Sort: policy.Pattern("ORDER#{id}")}}
	e, err := policy.Compile(policy.Policy{Tables: []policy.Table{
		{Name: "data", Entities: orders, Commands: "documents",
			Indexes: []policy.Index{{Name: "by-a", Key: policy.KeySchema{Partition: "a"}}}},
		{Name: "documents", Role: policy.Command, Entities: orders},
		{Name: "loose", Key: policy.KeySchema{Partition: "PK", Sort: "sk"}},
		{Name: "users",
			Indexes: []policy.Index{
				{Name: "by-version", Key: policy.KeySchema{Partition: "version"}},
			}},
	}})
	require.NoError(t, err)
	c := newClient(t)
	put(t, c, "data", "ORDER#tenant001", "ORDER#1", "version", "2", "a", "CATEGORY#tenant001")
	put(t, c, "data", "ORDER#tenant001", "ORDER#2", "version", "2", "a", "CATEGORY#tenant002")
	put(t, c, "data", "ORDER#tenant001", "ORDER#3", "version", "0", "a", "CATEGORY#common")
	for _, version := range []string{"1@1", "1@2", "2@1", "2@3", "3@2", "3@3", "4@0", "4@1"} {
		put(t, c, "documents", "ORDER#tenant001", "ORDER#"+version, "version", version[2:])
	}
	for i := range 12 { // @10 sorts before @2
		put(t, c, "documents", "ORDER#tenant002", fmt.Sprintf("ORDER#1@%d", i+1), "version",
			fmt.Sprint(i+1))
	}
	put(t, c, "loose", "ORDER#tenant001", "1", "version", "0")
	put(t, c, "users", "USER#tenant001", "1", "version", "0")
	for _, read := range []lint.Client{c, pages(c, 1000)} {
		l := lint.Linter{
			Client: read, Policy: e, Tables: []string{"data", "documents", "loose", "users"},
			Segments: 2,
		}
		r, err := l.Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, map[string]int64{
			"enforce version-command data order tenant001": 1, // ORDER#2@2 is missing
			"enforce tenant-crossing data  tenant002":      1,
			// ORDER#2 has a gap, and ORDER#3 has no first version
			"enforce version-sequence documents order tenant001": 2,
			// the table has the key pk instead of PK
			"enforce key-schema loose  ":            1,
			"enforce key-undeclared-prefix loose  ": 1,
			// the key of the index is a number
			"enforce key-undeclared-prefix users  ": 1,
		}, seen(r))
	}
}

// TestTenantInSortKeyOnly checks that lint names the tenant of a sort key as the server does. An
// item does not say who wrote it, so lint knows the tenants that the policy lists.
func TestTenantInSortKeyOnly(t *testing.T) {
	for _, c := range []struct {
		name    string
		tenants policy.Tenants
		want    string
	}{
		{"a tenant of callers", policy.Tenants{Callers: map[string]string{"AK1": "tenant001"}},
			"enforce tenant-in-sort-key data order "},
		{"a known tenant", policy.Tenants{Known: []string{"tenant001"}, Header: "Tenant"},
			"enforce tenant-in-sort-key data order "},
		{"a tenant that is not listed",
			policy.Tenants{Callers: map[string]string{"AK2": "tenant002"}},
			"enforce tenant-missing data order "},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, err := policy.Compile(policy.Policy{Tenants: c.tenants, Tables: []policy.Table{
				{Name: "data", Entities: []policy.Entity{
					{Name: "order", Prefix: "ORDER", Sort: policy.Pattern("{id}")}}}}})
			require.NoError(t, err)
			client := newClient(t)
			put(t, client, "data", "ORDER", "tenant001#1", "version", "1")
			l := lint.Linter{Client: client, Policy: e, Tables: []string{"data"}, Segments: 1}
			r, err := l.Run(t.Context())
			require.NoError(t, err)
			assert.Equal(t, map[string]int64{c.want: 1}, seen(r))
		})
	}
}

// TestVectorIndex: an item that a search of another tenant finds is a finding of the vector index.
func TestVectorIndex(t *testing.T) {
	e, err := policy.Compile(policy.Policy{Tables: []policy.Table{{Name: "docs",
		Entities: []policy.Entity{{Name: "doc", Prefix: "DOC", Sort: policy.Pattern("DOC#{id}")}},
		Indexes:  []policy.Index{{Name: "near", Key: policy.KeySchema{Partition: "group"}}}}}})
	require.NoError(t, err)
	c := newClient(t)
	_, err = c.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: aws.String("docs"), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("pk"),
			AttributeType: "S"}, {AttributeName: aws.String("sk"), AttributeType: "S"},
			{AttributeName: aws.String("group"), AttributeType: "S"}},
		KeySchema: []types.KeySchemaElement{{AttributeName: aws.String("pk"), KeyType: "HASH"},
			{AttributeName: aws.String("sk"), KeyType: "RANGE"}},
		VectorIndexes: []types.VectorIndex{{IndexName: aws.String("near"),
			VectorAttribute: &types.VectorAttributeDefinition{AttributeName: aws.String("v")},
			SearchSchema: []types.SearchSchemaElement{
				{AttributeName: aws.String("group"),
					SearchSchemaElementType: types.SearchSchemaElementTypeHash},
			},
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll},
			Dimensions: aws.Int64(1), DistanceFunction: "COSINE"}},
	})
	require.NoError(t, err)
	put(t, c, "docs", "DOC#tenant001", "DOC#1", "version", "0", "group", "CATEGORY#tenant001")
	put(t, c, "docs", "DOC#tenant001", "DOC#2", "version", "0", "group", "CATEGORY#tenant002")
	l := lint.Linter{Client: c, Policy: e, Tables: []string{"docs"}, Segments: 1}
	report, err := l.Run(t.Context())
	require.NoError(t, err)
	require.Len(t, report.Groups, 1)
	g := report.Groups[0]
	assert.Equal(t, []any{"tenant-crossing", "docs", "near", int64(1)},
		[]any{g.Rule, g.Table, g.Index, g.Count})
}

func TestLintWholeTables(t *testing.T) {
	c := newClient(t)
	seed(t, c)
	for _, segments := range []int{1, 4} {
		items := atomic.Int64{}
		l := lint.Linter{
			Client: c, Policy: engine(t), Tables: []string{"data", "documents"}, Segments: segments,
			Units: 1e6, Progress: func(n int) { items.Add(int64(n)) },
		}
		r, err := l.Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, seeded, seen(r))
		assert.Equal(t, map[string]int64{"data": 5, "documents": 8}, r.Items)
		assert.Equal(t, int64(13), items.Load())
		assert.Equal(t, int64(8), r.Count(policy.Enforce))
		assert.Zero(t, r.Count(policy.Warn))
	}
}

func TestWholeTables(t *testing.T) {
	c := newClient(t)
	for i := range 4 {
		put(t, c, "data", fmt.Sprintf("ORDER#tenant00%d", i), "ORDER#1", "version", "0")
	}
	for i := range policy.FixedPartitionItems + 5 {
		put(t, c, "loose", "CONFIG#common", fmt.Sprint(i))
	}
	l := lint.Linter{Client: c, Policy: engine(t), Tables: []string{"data", "loose"}, Segments: 1}
	r, err := l.Run(t.Context())
	require.NoError(t, err)
	counts := map[string]int64{}
	for _, g := range r.Groups {
		counts[g.Severity+" "+g.Rule] += g.Count
		assert.LessOrEqual(t, len(g.Examples), 5)
	}
	assert.Equal(t, map[string]int64{"warn key-unbounded": 2, "enforce partition-fixed": 5}, counts)
}

// throttled refuses some requests before it sends one.
type throttled struct {
	dynamodb.HTTPClient
	left atomic.Int64
}

func (c *throttled) Do(r *http.Request) (*http.Response, error) {
	if c.left.Add(-1) < 0 {
		return c.HTTPClient.Do(r)
	}
	body := `{"__type":"com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException","message":"too much"}`
	return &http.Response{
		StatusCode: http.StatusBadRequest, Header: http.Header{},
		Body: io.NopCloser(strings.NewReader(body)), Request: r,
	}, nil
}

func TestThrottledTable(t *testing.T) {
	c := newClient(t)
	seed(t, c)
	run := func(refused int64) (*lint.Report, error) {
		line := &throttled{HTTPClient: c.Options().HTTPClient}
		line.left.Store(refused)
		own := dynamodb.New(c.Options(), func(o *dynamodb.Options) {
			o.HTTPClient = line
			o.Retryer = retry.NewStandard(func(r *retry.StandardOptions) {
				r.Backoff = retry.BackoffDelayerFunc(
					func(int, error) (time.Duration, error) { return 0, nil })
				r.RateLimiter = ratelimit.None
			})
		})
		return (&lint.Linter{
			Client: own, Policy: engine(t), Tables: []string{"data"}, Segments: 1,
		}).Run(t.Context())
	}
	r, err := run(9)
	require.NoError(t, err)
	require.Equal(t, int64(5), r.Items["data"])
	_, err = run(10)
	var exceeded *types.ProvisionedThroughputExceededException
	require.ErrorAs(t, err, &exceeded)
}

// TestItemsCountOnce: an item counts once for each rule, and a finding names the key in the table
// even if the item breaks the rule in an index.
func TestItemsCountOnce(t *testing.T) {
	c := newClient(t)
	e, err := policy.Compile(policy.Policy{Tables: []policy.Table{{
		Name: "data",
		Entities: []policy.Entity{
			{Name: "order", Prefix: "ORDER", Sort: policy.Pattern("ORDER#{id}"),
				Mutable: []string{"status"}},
		},
		Indexes: []policy.Index{{Name: "by-status",
			Key: policy.KeySchema{Partition: "gsi1pk", Sort: "gsi1sk"},
			Entities: []policy.Entity{
				{Name: "status", Prefix: "STATUS", Sort: policy.Pattern("{id}")},
			}}},
	}}})
	require.NoError(t, err)
	for _, id := range []string{"1", "2"} {
		put(t, c, "data", "ORDER#tenant001", "ORDER#pending#"+id, "status", "pending", "version",
			"0")
		put(t, c, "data", "ORDER#tenant001", "ORDER#"+id, "version", "0", "gsi1pk",
			"STATE#tenant001", "gsi1sk", "x")
	}
	r, err := (&lint.Linter{Client: c, Policy: e, Tables: []string{"data"}}).Run(t.Context())
	require.NoError(t, err)
	require.Len(t, r.Groups, 2)
	assert.Equal(t, "key-mutable", r.Groups[0].Rule)
	assert.Equal(t, int64(2), r.Groups[0].Count)
	assert.Len(t, r.Groups[0].Examples, 2)
	assert.Equal(t, "by-status", r.Groups[1].Index)
	var items, keys []string
	for _, x := range r.Groups[1].Examples {
		items, keys = append(items, x.Item), append(keys, x.Key)
	}
	assert.Equal(t, []string{"ORDER#tenant001#ORDER#1", "ORDER#tenant001#ORDER#2"}, items)
	assert.Equal(t, []string{"STATE#tenant001#x", "STATE#tenant001#x"}, keys)
	validSARIF(t, r)
}

// TestResume: a run that is interrupted any number of times finds everything once.
func TestResume(t *testing.T) {
	c := newClient(t)
	seed(t, c)
	for i := range 5 {
		put(t, c, "users", fmt.Sprintf("USER#tenant001#%d", i), "profile")
	}
	tables := []string{"data", "documents", "users"}
	whole, err := (&lint.Linter{Client: c, Policy: engine(t), Tables: tables, Segments: 3}).Run(
		t.Context())
	require.NoError(t, err)
	require.Equal(t, int64(3), seen(whole)["warn key-unbounded users user tenant001"])
	rapid.Check(t, func(rt *rapid.T) {
		dir, err := os.MkdirTemp("", "lint")
		require.NoError(rt, err)
		defer func() { require.NoError(rt, os.RemoveAll(dir)) }()
		file := filepath.Join(dir, "state")
		for {
			items := atomic.Int64{}
			l := lint.Linter{
				Progress: func(n int) { items.Add(int64(n)) },
				Client:   pages(c, rapid.Int64Range(2, 20).Draw(rt, "pages")), Policy: engine(t),
				PolicyID: "p", Tables: tables, Segments: rapid.IntRange(1, 3).Draw(rt, "segments"),
				Resume: file,
			}
			r, err := l.Run(t.Context())
			if err != nil {
				require.ErrorIs(rt, err, errBroken)
				require.FileExists(rt, file)
				continue
			}
			require.Equal(rt, whole.Items, r.Items)
			require.Equal(rt, seen(whole), seen(r))
			require.NoFileExists(rt, file)
			require.Equal(rt, int64(18), items.Load(), "with those of the runs before")
			return
		}
	})
}

// TestSavesFromTimeToTime: the checkpoint of a killed process is at most some seconds old, however
// slowly it reads.
func TestSavesFromTimeToTime(t *testing.T) {
	c := newClient(t)
	seed(t, c)
	file := filepath.Join(t.TempDir(), "state")
	var reads, saves int
	now := time.Unix(0, 0)
	progress := func(int) {
		if _, err := os.Stat(file); err == nil {
			saves++
			assert.NoError(t, os.Remove(file))
		}
		if reads++; reads%2 == 0 {
			now = now.Add(5 * time.Second)
		}
	}
	l := lint.Linter{
		Client: pages(c, 100), Policy: engine(t), Tables: []string{"data", "documents"},
		Segments: 1, Resume: file, Progress: progress, Now: func() time.Time { return now },
	}
	_, err := l.Run(t.Context())
	require.NoError(t, err)
	require.GreaterOrEqual(t, reads, 6)
	require.Equal(t, (reads-1)/2, saves)
}

func TestResumeErrors(t *testing.T) {
	c := newClient(t)
	for _, x := range []struct{ name, text, says string }{
		{"no JSON", "x", "is not a checkpoint to resume from"},
		{"another policy", `{"policy":"q","segments":1}`, "is of a run with another policy"},
		{"another endpoint", `{"policy":"p","source":"aws in us-east-1","segments":1}`,
			"is of a run at aws in us-east-1"},
		{"other tables", `{"policy":"p","segments":1,"tables":[{"name":"users","segments":[{}]}]}`,
			"looks at users, too"},
		{"no segments", `{"policy":"p"}`, "is not a checkpoint to resume from"},
		{"a table without its segments",
			`{"policy":"p","segments":2,"tables":[{"name":"data","segments":[{}]}]}`,
			"a table lacks segments"},
		{"a segment of nothing",
			`{"policy":"p","segments":1,"tables":[{"name":"data","segments":[null]}]}`,
			"a segment is missing"},
		{"a finding of nothing", `{"policy":"p","segments":1,"groups":[null]}`,
			"a finding is missing"},
		{"a finding without an example", `{"policy":"p","segments":1,"groups":[{"examples":null}]}`,
			"a finding is missing"},
		{"a document of nothing",
			`{"policy":"p","segments":1,"tables":[{"name":"data","segments":[{}],"documents":{"x":null}}]}`, "a document is missing"},
		{"a place that is none",
			`{"policy":"p","segments":1,"tables":[{"name":"data","segments":[{"last":{"pk":1}}]}]}`,
			"the position in data to resume at"},
	} {
		t.Run(x.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "state")
			require.NoError(t, os.WriteFile(file, []byte(x.text), 0o600))
			_, err := (&lint.Linter{
				Client: c, Policy: engine(t), PolicyID: "p", Tables: []string{"data"}, Resume: file,
			}).Run(t.Context())
			require.ErrorContains(t, err, x.says)
			require.FileExists(t, file, "it is not taken away")
		})
	}
	_, err := (&lint.Linter{
		Client: pages(c, 0), Policy: engine(t), Tables: []string{"data"},
		Resume: filepath.Join(t.TempDir(), "absent", "state"),
	}).Run(t.Context())
	require.ErrorIs(t, err, errBroken)
	require.ErrorContains(t, err, "saving the checkpoint")
}

func FuzzResume(f *testing.F) {
	f.Add(`{"policy":"p","segments":1,"tables":[{"name":"data","segments":[{"done":true}],"documents":{"x":{"latest":true}}}],"state":{"data":{"partitions":{"0":[1]}}}}`)
	f.Add(`{"policy":"p","segments":1,"tables":[{"name":"data","segments":[{"done":true}],"documents":{"x":null}}],"groups":[{"examples":null}]}`)
	c := newClient(f)
	dir := f.TempDir()
	e := engine(f)
	f.Fuzz(func(t *testing.T, text string) {
		file := filepath.Join(dir, "state")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		_, _ = (&lint.Linter{
			Client: pages(c, 3), Policy: e, PolicyID: "p", Tables: []string{"data"}, Resume: file,
		}).Run(t.Context())
	})
}

// sarifSchema is part of the schema of SARIF 2.1.0, for the members in use. Section numbers are
// those of the standard.
const sarifSchema = `{
  "type": "object", "required": ["version", "runs"],
  "properties": {
    "version": {"const": "2.1.0"},
    "$schema": {"type": "string"},
    "runs": {"type": "array", "minItems": 1, "items": {
      "$comment": "3.14", "type": "object", "required": ["tool", "results"],
      "properties": {
        "tool": {"type": "object", "required": ["driver"], "properties": {"driver": {
          "$comment": "3.19", "type": "object", "required": ["name"],
          "properties": {"rules": {"type": "array", "uniqueItems": true, "items": {
            "$comment": "3.49", "type": "object", "required": ["id"],
            "properties": {"id": {"type": "string"},
              "shortDescription": {"$ref": "#/$defs/message"}, "fullDescription": {"$ref": "#/$defs/message"}, "help": {"$ref": "#/$defs/message"},
              "defaultConfiguration": {"type": "object", "properties": {"level": {"$ref": "#/$defs/level"}}, "additionalProperties": false}},
            "additionalProperties": false}}, "name": {"type": "string", "minLength": 1}}, "additionalProperties": false}}},
        "results": {"type": "array", "items": {
          "$comment": "3.27", "type": "object", "required": ["message"],
          "properties": {"ruleId": {"type": "string"}, "ruleIndex": {"type": "integer", "minimum": -1}, "level": {"$ref": "#/$defs/level"},
            "message": {"$ref": "#/$defs/message"}, "occurrenceCount": {"type": "integer", "minimum": 1},
            "partialFingerprints": {"type": "object", "additionalProperties": {"type": "string"}}, "properties": {"type": "object"},
            "locations": {"type": "array", "items": {"type": "object", "properties": {
              "physicalLocation": {"type": "object", "required": ["artifactLocation"], "properties": {
                "artifactLocation": {"type": "object", "properties": {"uri": {"type": "string", "format": "uri-reference"}}, "additionalProperties": false},
                "region": {"type": "object", "properties": {"startLine": {"type": "integer", "minimum": 1}}, "additionalProperties": false}}, "additionalProperties": false},
              "logicalLocations": {"type": "array", "uniqueItems": true, "items": {"type": "object",
                "properties": {"name": {"type": "string"}, "fullyQualifiedName": {"type": "string"}, "kind": {"type": "string"}}, "additionalProperties": false}}},
              "additionalProperties": false}}},
          "additionalProperties": false}}}, "additionalProperties": false}}},
  "additionalProperties": false,
  "$defs": {
    "message": {"type": "object", "required": ["text"], "properties": {"text": {"type": "string", "minLength": 1}}, "additionalProperties": false},
    "level": {"enum": ["none", "note", "warning", "error"]}
  }
}`

// validSARIF returns a report in SARIF, after checking it against the schema.
func validSARIF(t *testing.T, r *lint.Report) any {
	var b bytes.Buffer
	require.NoError(t, r.Write(&b, "sarif", "a policy.yaml", false))
	schema, err := jsonschema.UnmarshalJSON(strings.NewReader(sarifSchema))
	require.NoError(t, err)
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	require.NoError(t, compiler.AddResource("sarif.json", schema))
	compiled, err := compiler.Compile("sarif.json")
	require.NoError(t, err)
	log, err := jsonschema.UnmarshalJSON(&b)
	require.NoError(t, err)
	require.NoError(t, compiled.Validate(log))
	return log
}

func TestWrite(t *testing.T) {
	c := newClient(t)
	seed(t, c)
	r, err := (&lint.Linter{
		Client: c, Policy: engine(t), Tables: []string{"data", "documents"},
	}).Run(t.Context())
	require.NoError(t, err)
	in := func(format string) string {
		var b bytes.Buffer
		require.NoError(t, r.Write(&b, format, "a policy.yaml", false))
		return b.String()
	}
	text := in("text")
	assert.Contains(t, text,
		"enforce version-in-data-key: 2 in data (entity order, tenant tenant001)\n")
	assert.Contains(t, text, `  - "ORDER#tenant001#ORDER#2@1": the sort key`)
	assert.Contains(t, text, "data: 5 items\ndocuments: 8 items\n8 to be refused, 0 warnings\n")

	var again lint.Report
	require.NoError(t, json.Unmarshal([]byte(in("json")), &again))
	assert.Equal(t, r, &again)

	log := validSARIF(t, r)
	run := log.(map[string]any)["runs"].([]any)[0].(map[string]any)
	rules := run["tool"].(map[string]any)["driver"].(map[string]any)["rules"].([]any)
	results := run["results"].([]any)
	assert.Len(t, results, len(r.Groups))
	for _, x := range results {
		result := x.(map[string]any)
		index, err := result["ruleIndex"].(json.Number).Int64()
		require.NoError(t, err)
		assert.Equal(t, result["ruleId"], rules[index].(map[string]any)["id"])
	}
	assert.Contains(t, in("sarif"), `"uri": "a%20policy.yaml"`)
	require.ErrorContains(t, r.Write(&bytes.Buffer{}, "xml", "", false),
		"use one of text, json, sarif")
}

// TestWorstFirst: of a thousand tenants the report shows the worst, or all on request, and always a
// summary of all.
func TestWorstFirst(t *testing.T) {
	r := &lint.Report{Items: map[string]int64{"data": 5000}}
	for i := range 1000 {
		r.Groups = append(r.Groups,
			&lint.Group{
				Rule: "key-mutable", Severity: "enforce", Table: "data",
				Tenant: fmt.Sprintf("t%03d", i), Count: 3,
			})
	}
	r.Groups = append(r.Groups,
		&lint.Group{Rule: "key-ulid", Severity: "warn", Table: "data", Count: 7})
	for _, c := range []struct {
		all   bool
		shown int
	}{{false, 10}, {true, 1001}} {
		var b bytes.Buffer
		require.NoError(t, r.Write(&b, "text", "", c.all))
		assert.Equal(t, c.shown, strings.Count(b.String(), "  instead, "))
		assert.Equal(t, !c.all,
			strings.Contains(b.String(),
				"991 more groups of findings are not shown: --all shows them"))
		assert.Contains(t, b.String(),
			"SEVERITY  RULE         TABLE  ITEMS  TENANTS\nenforce   key-mutable  data    3000     1000\n"+
				"warn      key-ulid     data       7        0\n\ndata: 5000 items\n3000 to be refused, 7 warnings\n")
	}
}

func TestGroupsAreSorted(t *testing.T) {
	c := newClient(t)
	seed(t, c)
	put(t, c, "data", "ORDER#t1", "ORDER#1@1")
	put(t, c, "data", "ORDER#t2", "ORDER#1@1")
	put(t, c, "data", "ORDER#t2", "ORDER#2@1")
	r, err := (&lint.Linter{
		Client: c, Policy: engine(t), Tables: []string{"data"}, Segments: 1,
	}).Run(t.Context())
	require.NoError(t, err)
	require.Greater(t, len(r.Groups), 2)
	for i, g := range r.Groups[1:] {
		before := r.Groups[i]
		assert.True(t,
			before.Severity < g.Severity || before.Severity == g.Severity &&
				before.Count >= g.Count, "%+v before %+v", before, g)
	}
}
