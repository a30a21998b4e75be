package main

import (
	"io"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
)

// everything has tables with all that definitions can have.
const everything = `Resources:
  Orders:
    Type: AWS::DynamoDB::Table
    Properties:
      TableName: orders.of-2026
      BillingMode: PAY_PER_REQUEST
      AttributeDefinitions:
        - {AttributeName: id, AttributeType: S}
        - {AttributeName: "sort key", AttributeType: N}
        - {AttributeName: who, AttributeType: B}
        - {AttributeName: a, AttributeType: S}
        - {AttributeName: b, AttributeType: S}
      KeySchema: [{AttributeName: id, KeyType: HASH}, {AttributeName: "sort key", KeyType: RANGE}]
      GlobalSecondaryIndexes:
        - IndexName: by.who
          KeySchema: [{AttributeName: who, KeyType: HASH}]
          Projection: {ProjectionType: INCLUDE, NonKeyAttributes: [x, y]}
          OnDemandThroughput: {MaxReadRequestUnits: 5, MaxWriteRequestUnits: 6}
          ContributorInsightsSpecification: {Enabled: true, Mode: THROTTLED_KEYS}
        - IndexName: by-two
          KeySchema: [{AttributeName: a, KeyType: HASH}, {AttributeName: b, KeyType: HASH}, {AttributeName: "sort key", KeyType: RANGE}]
          Projection: {ProjectionType: ALL}
      LocalSecondaryIndexes:
        - IndexName: local
          KeySchema: [{AttributeName: id, KeyType: HASH}, {AttributeName: who, KeyType: RANGE}]
          Projection: {ProjectionType: KEYS_ONLY}
      OnDemandThroughput: {MaxReadRequestUnits: 50, MaxWriteRequestUnits: 60}
      WarmThroughput: {ReadUnitsPerSecond: 13000, WriteUnitsPerSecond: 5000}
      StreamSpecification: {StreamViewType: NEW_AND_OLD_IMAGES}
      TableClass: STANDARD_INFREQUENT_ACCESS
      DeletionProtectionEnabled: true
      SSESpecification: {SSEEnabled: true, SSEType: KMS}
      TimeToLiveSpecification: {AttributeName: expires, Enabled: true}
      PointInTimeRecoverySpecification: {PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: 7}
      ContributorInsightsSpecification: {Enabled: true}
      Tags: [{Key: "a:b", Value: "c+d"}, {Key: team, Value: shop}]
      ResourcePolicy:
        PolicyDocument:
          Version: "2012-10-17"
          Statement: [{Effect: Allow, Principal: {AWS: "arn:aws:iam::123456789012:root"}, Action: ["dynamodb:GetItem"], Resource: "arn:aws:dynamodb:us-east-1:000000000000:table/orders.of-2026"}]
  Small:
    Type: AWS::DynamoDB::Table
    Properties:
      TableName: 2small
      AttributeDefinitions: [{AttributeName: id, AttributeType: S}, {AttributeName: to, AttributeType: S}]
      KeySchema: [{AttributeName: id, KeyType: HASH}]
      ProvisionedThroughput: {ReadCapacityUnits: 3, WriteCapacityUnits: 4}
      GlobalSecondaryIndexes:
        - IndexName: to-whom
          KeySchema: [{AttributeName: to, KeyType: HASH}]
          Projection: {ProjectionType: ALL}
          ProvisionedThroughput: {ReadCapacityUnits: 1, WriteCapacityUnits: 2}
`

// TestTablesAsDefinitions checks that what "kugiri tables" writes defines the tables that there
// are, and makes the same ones elsewhere.
func TestTablesAsDefinitions(t *testing.T) {
	url := served(t, emulator.New().Handler())
	dir := t.TempDir()
	source := filepath.Join(dir, "everything.yaml")
	require.NoError(t, os.WriteFile(source, []byte(everything), 0o600))
	_, _, err := runs(t, "apply", "--endpoint", url, source)
	require.NoError(t, err)
	for format, name := range map[string]string{
		"cloudformation": "template.yaml", "terraform": "tables.tf", "cdk": "tables.ts",
	} {
		t.Run(format, func(t *testing.T) {
			text, said, err := runs(t, "tables", "--endpoint", url, "--format", format)
			require.NoError(t, err)
			assert.Regexp(t,
				`^orders.of-2026: is encrypted with arn:aws:kms:\S+: remove the key from the definition if it is alias/aws/dynamodb\n$`, said)
			golden := filepath.Join("testdata", "definitions", name)
			if os.Getenv("KUGIRI_UPDATE") != "" {
				require.NoError(t, os.MkdirAll(filepath.Dir(golden), 0o755))
				require.NoError(t, os.WriteFile(golden, []byte(text), 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			require.Equal(t, string(want), text)
			if format == "cdk" {
				return // TypeScript is not read
			}
			out, _, err := runs(t, "apply", "--endpoint", url, "--dry-run", golden)
			require.NoError(t, err)
			assert.Equal(t, 2, strings.Count(out, "as defined already"), out)

			other := served(t, emulator.New().Handler())
			_, _, err = runs(t, "apply", "--endpoint", other, golden)
			require.NoError(t, err)
			again, _, err := runs(t, "tables", "--endpoint", other, "--format", format)
			require.NoError(t, err)
			if format == "terraform" { // what other resources than the table's have is not read
				text, again = tablesOnly(text), tablesOnly(again)
			}
			assert.Equal(t, text, again)
		})
	}
	_, said, err := runs(t, "tables", "--endpoint", served(t, emulator.New().Handler()), "--format",
		"cdk")
	require.NoError(t, err)
	assert.Contains(t, said, "no tables of the access key")
}

// lacking returns a server in front of another that does not have some operations. It answers as
// DynamoDB Local does.
func lacking(t *testing.T, server string, operations ...string) string {
	target, err := url.Parse(server)
	require.NoError(t, err)
	forward := httputil.NewSingleHostReverseProxy(target)
	return served(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
		if slices.Contains(operations, operation) {
			w.WriteHeader(http.StatusBadRequest)
			io.WriteString(w,
				`{"__type":"com.amazonaws.dynamodb.v20120810#UnknownOperationException","Message":"An unknown operation was requested."}`)
			return
		}
		forward.ServeHTTP(w, r)
	}))
}

// TestTablesOfAnotherEngine: an engine that lacks operations has tables all the same, without what
// these describe.
func TestTablesOfAnotherEngine(t *testing.T) {
	server := served(t, emulator.New().Handler())
	file := filepath.Join(t.TempDir(), "t.yaml")
	require.NoError(t, os.WriteFile(file, []byte(appliedTemplate), 0o600))
	_, _, err := runs(t, "apply", "--endpoint", server, file)
	require.NoError(t, err)
	for _, c := range []struct{ operation, part, change string }{
		{"ListTagsOfResource", "Tags:", "set tags"},
		{"DescribeTimeToLive", "TimeToLiveSpecification:", "turn TTL by expires on"},
		{"DescribeContinuousBackups", "PointInTimeRecoverySpecification:",
			"turn point-in-time recovery on"},
		{"DescribeContributorInsights", "ContributorInsightsSpecification:",
			"turn contributor insights on"},
		{"GetResourcePolicy", "ResourcePolicy:", "put the resource-based policy"},
		{"DescribeKinesisStreamingDestination", "KinesisStreamSpecification:",
			"as defined already"},
	} {
		t.Run(c.operation, func(t *testing.T) {
			engine := lacking(t, server, c.operation)
			text, said, err := runs(t, "tables", "--endpoint", engine, "--format", "cloudformation")
			require.NoError(t, err)
			assert.Equal(t,
				"orders-dev: is described without what "+c.operation+
					" says, which the endpoint does not have\n", said)
			assert.Contains(t, text, "TableName: orders-dev")
			assert.NotContains(t, text, c.part)
			out, _, err := runs(t, "apply", "--endpoint", engine, "--dry-run", file)
			require.NoError(t, err)
			assert.Contains(t, out, c.change)
		})
	}
}

// tablesOnly returns the resources that are tables.
func tablesOnly(text string) string {
	var tables []string
	for _, resource := range strings.Split(text, "resource ") {
		if strings.HasPrefix(resource, `"aws_dynamodb_table"`) {
			tables = append(tables, strings.TrimSpace(resource))
		}
	}
	return strings.Join(tables, "\n")
}
