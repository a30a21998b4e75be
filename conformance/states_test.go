package conformance

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/bucket"
)

// stateChange is a section of states.md of the facts: a change in progress.
type stateChange struct {
	while   string
	shows   map[string]string // members of the answers of operations
	answers map[string]string // answers of requests: an error, or "" if the request is taken
}

// readChanges reads the page of facts.
func readChanges(t *testing.T) (changes []*stateChange) {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("facts", "states.md"))
	require.NoError(t, err)
	missing := map[string]string{}
	kind := ""
	for _, line := range strings.Split(string(page), "\n") {
		if while, ok := strings.CutPrefix(line, "## While "); ok {
			changes = append(changes,
				&stateChange{while, map[string]string{}, map[string]string{}})
			continue
		}
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		if len(cells) != 2 || len(changes) == 0 {
			continue
		}
		x, text := changes[len(changes)-1], strings.ReplaceAll(cells[1], "`", "")
		switch {
		case text == "Shows" || text == "Answer":
			kind = text
		case kind == "Shows":
			x.shows[cells[0]] = text
		default:
			for _, request := range strings.Split(cells[0], "; ") {
				switch text {
				case "taken":
					x.answers[request] = ""
				case "as if there were no such table":
					x.answers[request] = missing[request]
				default:
					x.answers[request] = text
				}
				if len(changes) == 1 {
					missing[request] = text
				}
			}
		}
	}
	require.Greater(t, len(changes), 30, "sections of the page")
	return changes
}

// statesTest is a server whose changes last 12 seconds, in eu-west-3 unless a region is given.
type statesTest struct {
	*testing.T
	clock  *emulator.Clock
	url    string
	backup string // the ARN of a backup of another table
	policy string // the action that the policy denies
	tags   string // a request that changes no tags
	ttl    string // a request that changes TTL
	stream string // the ARN of the destination
	// the end of a request to become PROVISIONED
	withGSI string
}

func newStatesTest(t *testing.T) *statesTest {
	buckets := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(buckets, "bucket"), 0o777))
	clock := emulator.NewClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	server, err := emulator.New(emulator.WithHeldClock(clock), emulator.WithQuotas(),
		emulator.WithTableDelays(12*time.Second, 12*time.Second, 12*time.Second),
		emulator.WithPolicyInterval(15*time.Second), emulator.WithTTLInterval(time.Minute),
		emulator.WithKinesis(streamsOfTest{}), emulator.WithLogger(slog.New(slog.DiscardHandler)),
		emulator.WithBuckets(bucket.New(bucket.Dir(buckets)))).Start("127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, server.Close()) })
	return &statesTest{T: t, clock: clock, url: server.URL,
		policy: "DeleteItem", tags: withTags, ttl: withTTL,
		stream: kinesisStream, withGSI: `,` + ofGSINow + oneUnit + `}}]`}
}

// send sends a request to a region, "" for eu-west-3.
func (x *statesTest) send(region, op, body string) (map[string]any, error) {
	if region == "" {
		region = "eu-west-3"
	}
	return invoke(context.Background(), dynamodb.New(dynamodb.Options{
		BaseEndpoint: aws.String(x.url), Region: region, RetryMaxAttempts: 1,
		Credentials: credentials.NewStaticCredentialsProvider("KEY", "secret", ""),
	}), op, body)
}

// do sends requests that are taken.
func (x *statesTest) do(requests ...[2]string) {
	x.Helper()
	for _, r := range requests {
		_, err := x.send("", r[0], r[1])
		require.NoError(x, err, "%s %s", r[0], r[1])
	}
}

// update sends an UpdateTable that is taken.
func (x *statesTest) update(members string) {
	x.Helper()
	x.do([2]string{"UpdateTable", aTable + members + `}`})
}

func (x *statesTest) wait(seconds int) { x.clock.Advance(time.Duration(seconds) * time.Second) }

const (
	ofGSI    = `{"IndexName":"gsi","KeySchema":[{"AttributeName":"g","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}`
	oneUnit  = `"ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1}`
	newIndex = `"AttributeDefinitions":[{"AttributeName":"n","AttributeType":"S"}],"GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"NAME","KeySchema":[{"AttributeName":"n","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}}]`
	ofGSINow = `"GlobalSecondaryIndexUpdates":[{"Update":{"IndexName":"gsi",`
	toRegion = `"ReplicaUpdates":[{"Create":{"RegionName":"REGION"}}]`
)

// createTable creates the table, on demand or with units.
func (x *statesTest) createTable(provisioned bool) {
	x.Helper()
	body := aTable + keys("pk:S", "g:S") + `,"GlobalSecondaryIndexes":[` + ofGSI + `}],` +
		`"Tags":[{"Key":"a","Value":"1"}]}`
	if provisioned {
		body = strings.Replace(body, `"BillingMode":"PAY_PER_REQUEST"`, oneUnit, 1)
		body = strings.Replace(body, `"ALL"}`, `"ALL"},`+oneUnit, 1)
	}
	x.do([2]string{"CreateTable", body})
}

// ready creates the table, and waits until nothing changes any more. It has recovery and a policy.
func (x *statesTest) ready(provisioned bool) {
	x.Helper()
	x.createTable(provisioned)
	x.wait(18)
	x.do([2]string{"UpdateContinuousBackups", withPITR},
		[2]string{"PutResourcePolicy", policyOfState(x.policy)})
	x.wait(60)
}

// policyOfState is a request for a policy that denies an action.
func policyOfState(action string) string {
	return `{"ResourceArn":"` + probedTable + `","Policy":"{\"Version\":\"2012-10-17\",\"Statement\":[{\"Effect\":\"Deny\",\"Principal\":{\"AWS\":\"arn:aws:iam::000000000000:root\"},\"Action\":\"dynamodb:` +
		action + `\",\"Resource\":\"` + probedTable + `\"}]}"}`
}

// backUpAnother makes a backup of another table.
func (x *statesTest) backUpAnother() {
	x.Helper()
	x.do([2]string{"CreateTable", `{"TableName":"other",` + keys("pk:S") + `}`})
	x.wait(18)
	answer, err := x.send("", "CreateBackup", `{"TableName":"other","BackupName":"first"}`)
	require.NoError(x, err)
	x.backup = answer["BackupDetails"].(map[string]any)["BackupArn"].(string)
	x.wait(12)
}

// stateRequest is a request of the page.
type stateRequest struct {
	op, body string
	or       string // another error of a request that is taken
}

// requestsOfStates has a request for each kind of the page.
func requestsOfStates(x *statesTest) map[string]stateRequest {
	stream := `{"TableName":"table","StreamArn":"` + x.stream + `"`
	const (
		ofIndex = `{"TableName":"table","IndexName":"idx",`
		noIndex = "ResourceNotFoundException: *"
		state   = "ValidationException: Table is not in a valid state to enable Kinesis Streaming Destination: *"
	)
	update := func(members, or string) stateRequest {
		return stateRequest{"UpdateTable", aTable + members + `}`, or}
	}
	named := func(name string) string { return strings.Replace(newIndex, "NAME", name, 1) }
	bulk := aTable + `"InputS3Configuration":{"S3Bucket":"bucket","S3KeyPrefix":"in","InputFormat":"DYNAMODB_JSON"},` +
		`"OutputS3Configuration":{"S3Bucket":"bucket","S3KeyPrefix":"out","OutputType":["ERROR"]}}`
	return map[string]stateRequest{
		"DescribeTable":     {"DescribeTable", ofTable, ""},
		"requests on items": {"GetItem", aTable + `"Key":{"pk":{"S":"1"}}}`, ""},
		"CreateTable":       {"CreateTable", aTable + keys("pk:S") + `}`, ""},
		"ImportTable": {"ImportTable", `{"ClientToken":"t","S3BucketSource":{"S3Bucket":"bucket"},"InputFormat":"DYNAMODB_JSON","TableCreationParameters":` +
			aTable + keys("pk:S") + `}}`, ""},
		"RestoreTableFromBackup to this name": {"RestoreTableFromBackup",
			`{"TargetTableName":"table","BackupArn":"` + x.backup + `"}`, ""},
		"UpdateTable ProvisionedThroughput": update(twoUnits, ""),
		"UpdateTable BillingMode": update(
			`"BillingMode":"PROVISIONED",`+oneUnit+x.withGSI, ""),
		"UpdateTable OnDemandThroughput":        update(tenReads, "ValidationException: One or more parameter values were invalid: MaxReadRequestUnits for OnDemandThroughput cannot be specified*"),
		"UpdateTable StreamSpecification":       update(aStream, ""),
		"UpdateTable TableClass":                update(infrequent, ""),
		"UpdateTable DeletionProtectionEnabled": update(protect, ""),
		"UpdateTable SSESpecification":          update(encrypted, ""),
		"UpdateTable WarmThroughput": update(
			`"WarmThroughput":{"ReadUnitsPerSecond":14000,"WriteUnitsPerSecond":6000}`, ""),
		"UpdateTable to create or delete an index": update(named("new"), "LimitExceededException: *"),
		"UpdateTable to change the throughput of an index": update(
			ofGSINow+`"OnDemandThroughput":{"MaxReadRequestUnits":5}}}]`,
			resourceInUse+"Index is being updated.  Table: table Index: gsi"),
		"UpdateTable ReplicaUpdates": update(
			strings.Replace(toRegion, "REGION", "eu-west-1", 1), ""),
		"DeleteTable": {"DeleteTable", ofTable, "ValidationException: Resource cannot be deleted as it is currently protected*"},
		"TagResource": {"TagResource", `{"ResourceArn":"` + probedTable +
			`","Tags":[{"Key":"a","Value":"2"}]}`, ""},
		"UntagResource": {"UntagResource", `{"ResourceArn":"` + probedTable +
			`","TagKeys":["a"]}`, ""},
		"TagResource that changes nothing more": {"TagResource", x.tags, ""},
		"ListTagsOfResource":                    {"ListTagsOfResource", ofARN, ""},
		"UpdateTimeToLive":                      {"UpdateTimeToLive", x.ttl, ""},
		"DescribeTimeToLive":                    {"DescribeTimeToLive", ofTable, ""},
		"UpdateContinuousBackups":               {"UpdateContinuousBackups", withPITR, ""},
		"DescribeContinuousBackups":             {"DescribeContinuousBackups", ofTable, ""},
		"CreateBackup":                          {"CreateBackup", aBackup, ""},
		"RestoreTableToPointInTime from it":     {"RestoreTableToPointInTime", `{"SourceTableName":"table","TargetTableName":"copy","UseLatestRestorableTime":true}`, ""},
		"ExportTableToPointInTime":              {"ExportTableToPointInTime", `{"TableArn":"` + probedTable + `","S3Bucket":"bucket"}`, "PointInTimeRecoveryUnavailableException: *"},
		"UpdateContributorInsights ENABLE":      {"UpdateContributorInsights", withReports, ""},
		"UpdateContributorInsights DISABLE":     {"UpdateContributorInsights", strings.Replace(withReports, "ENABLE", "DISABLE", 1), ""},
		"DescribeContributorInsights":           {"DescribeContributorInsights", ofTable, ""},
		"ListContributorInsights":               {"ListContributorInsights", ofTable, ""},
		"PutResourcePolicy": {"PutResourcePolicy",
			policyOfState("PutItem"), ""},
		"PutResourcePolicy that changes nothing": {"PutResourcePolicy",
			policyOfState(x.policy), ""},
		"DeleteResourcePolicy": {"DeleteResourcePolicy", ofARN, ""},
		"GetResourcePolicy": {"GetResourcePolicy", ofARN,
			"PolicyNotFoundException: *"},
		"EnableKinesisStreamingDestination":   {"EnableKinesisStreamingDestination", stream + `}`, ""},
		"DisableKinesisStreamingDestination":  {"DisableKinesisStreamingDestination", stream + `}`, state},
		"UpdateKinesisStreamingDestination":   {"UpdateKinesisStreamingDestination", stream + `,"UpdateKinesisStreamingConfiguration":{"ApproximateCreationDateTimePrecision":"MICROSECOND"}}`, state},
		"DescribeKinesisStreamingDestination": {"DescribeKinesisStreamingDestination", ofTable, ""},
		"StartBulkPutItems":                   {"StartBulkPutItems", bulk, "ValidationException: One or more parameter values were invalid: Bulk put items does not support global tables || " + resourceInUse + "Index is being created: idx"},
		"UpdateTableReplicaAutoScaling":       {"UpdateTableReplicaAutoScaling", aTable + `"ProvisionedWriteCapacityAutoScalingUpdate":{"AutoScalingDisabled":true}}`, ""},
		"Query or Scan of the index":          {"Scan", strings.TrimSuffix(ofIndex, ",") + `}`, "ValidationException: Scan operation not supported on this index type"},
		"SearchVectors of the index": {"SearchVectors",
			ofIndex + `"TopK":1,"SearchVector":[` + numberList(1, 0) + `]}`,
			"ValidationException: *"},
		"UpdateTable to change the index":               update(strings.Replace(ofGSINow, "gsi", "idx", 1)+`"OnDemandThroughput":{"MaxReadRequestUnits":5}}}]`, noIndex),
		"UpdateTable to delete the index":               update(`"GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"idx"}}]`, ""),
		"UpdateTable to create an index of its name":    update(named("idx"), "ValidationException: Attempting to create an index which already exists"),
		"UpdateTable to create or delete another index": update(named("new"), ""),
		"UpdateContributorInsights ENABLE of the index": {"UpdateContributorInsights",
			ofIndex + `"ContributorInsightsAction":"ENABLE"}`, noIndex},
	}
}

// beginnings have what begins each change. The table is provisioned only where that is asked for.
var beginnings = map[string]func(x *statesTest, provisioned bool){
	"there is no such table":                       func(*statesTest, bool) {},
	"a table is in the first half of its creation": func(x *statesTest, p bool) { x.createTable(p) },
	"a table is in the second half of its creation": func(x *statesTest, p bool) {
		x.createTable(p)
		x.wait(6)
	},
	"a table is in the last sixth of its creation": func(x *statesTest, p bool) {
		x.createTable(p)
		x.wait(10)
	},
	"the table is being restored": func(x *statesTest, _ bool) {
		x.do([2]string{"RestoreTableFromBackup",
			`{"TargetTableName":"table","BackupArn":"` + x.backup + `"}`})
	},
	"the table is that of a replica which is being created": func(x *statesTest, _ bool) {
		for _, r := range [][2]string{
			{"CreateTable", aTable + keys("pk:S") + `}`},
			{"UpdateTable", aTable + strings.Replace(toRegion, "REGION", "eu-west-3", 1) + `}`},
		} {
			_, err := x.send("us-east-1", r[0], r[1])
			require.NoError(x, err)
			if r[0] == "CreateTable" {
				x.wait(12)
			}
		}
	},
	"a table is in the first quarter of its deletion": func(x *statesTest, p bool) {
		x.ready(p)
		x.do([2]string{"DeleteTable", ofTable})
	},
	"a table is in the rest of its deletion": func(x *statesTest, p bool) {
		x.ready(p)
		x.do([2]string{"DeleteTable", ofTable})
		x.wait(3)
	},
	"the throughput is being changed": func(x *statesTest, _ bool) {
		x.ready(true)
		x.update(twoUnits)
	},
	"the table is becoming PROVISIONED": func(x *statesTest, p bool) {
		x.ready(p)
		x.update(`"BillingMode":"PROVISIONED",` + oneUnit + x.withGSI)
		x.withGSI = "" // the index answers of it, not the table
	},
	"the table is becoming PAY_PER_REQUEST": func(x *statesTest, _ bool) {
		x.ready(true)
		x.update(toDemand)
	},
	"the stream is being switched":  fromReady(aStream),
	"the class is being switched":   fromReady(infrequent),
	"an index is being allocated":   fromReady(strings.Replace(newIndex, "NAME", "idx", 1)),
	"the index is being allocated":  fromReady(strings.Replace(newIndex, "NAME", "idx", 1)),
	"the index is being backfilled": fromReady(strings.Replace(newIndex, "NAME", "idx", 1), 12),
	"an index is being deleted":     withIndex(`"GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"idx"}}]`),
	"the index is being deleted":    withIndex(`"GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"idx"}}]`),
	"the throughput of the index is being changed": withIndex(
		strings.Replace(ofGSINow, "gsi", "idx", 1) + `"OnDemandThroughput":{"MaxReadRequestUnits":7}}}]`),
	"the table is getting a replica": fromReady(strings.Replace(toRegion, "REGION", "us-west-2", 1)),
	"a replica is being deleted, or another setting of a global table changes": func(x *statesTest, p bool) {
		x.ready(p)
		x.update(strings.Replace(toRegion, "REGION", "us-west-2", 1))
		x.wait(12)
		x.update(protect)
	},
	"a setting for replicas of a table in one region is being changed": fromReady(
		`"GlobalTableSettingsReplicationMode":"ENABLED"`),
	"the backups of a new table are being enabled": func(x *statesTest, p bool) {
		x.createTable(p)
		x.wait(12)
	},
	"a backup is being made": func(x *statesTest, p bool) {
		x.ready(p)
		x.do([2]string{"CreateBackup", aBackup})
	},
	"the encryption is being switched":            fromReady(encrypted),
	"the warm throughput is being raised":         fromReady(`"WarmThroughput":{"ReadUnitsPerSecond":13000,"WriteUnitsPerSecond":5000}`),
	"the policy is being changed":                 changingPolicy(0),
	"the policy changed within --policy-interval": changingPolicy(12),
	"the tags are being changed, with --quotas": func(x *statesTest, p bool) {
		x.ready(p)
		x.tags = strings.Replace(withTags, `"a"`, `"b"`, 1)
		x.do([2]string{"TagResource", x.tags})
	},
	"the protection changed in the last 15 seconds, with --quotas": fromReady(protect),
	"TTL is ENABLING or DISABLING":                                 enablingTTL(0),
	"TTL changed within --ttl-interval":                            enablingTTL(12),
	"the vector index is being allocated":                          fromReady(aVector),
	"the vector index is being backfilled":                         fromReady(aVector, 12),
	"the vector index is ACTIVE and cannot be searched yet":        fromReady(aVector, 24),
	"the vector index is being deleted":                            fromReady(aVector, 24, dropVector),
	"the stream is no destination":                                 destination(),
	"the destination is being enabled":                             destination("Enable"),
	"the destination is enabled":                                   destination("Enable", ""),
	"the destination is being updated":                             destination("Enable", "", "Update"),
	"the destination is being disabled":                            destination("Enable", "", "Disable"),
	"the destination is disabled": destination("Enable", "",
		"Disable", ""),
	"the destination could not be enabled": func(x *statesTest, p bool) {
		x.stream = strings.Replace(kinesisStream, "music", "none", 1)
		destination("Enable", "")(x, p)
	},
}

const (
	dropVector    = `"VectorIndexUpdates":[{"Delete":{"IndexName":"idx"}}]`
	noGlobalIndex = "ValidationException: Cannot update an index that is not a GlobalSecondaryIndex: *"
)

var aVector = `"VectorIndexUpdates":[{"Create":` + vectorIndex("idx", "COSINE", 2, "ALL") + `}]`

// fromReady begins an UpdateTable of a table that is ready. After it may come how many seconds to
// wait, and another one.
func fromReady(members string, then ...any) func(*statesTest, bool) {
	return func(x *statesTest, provisioned bool) {
		x.ready(provisioned)
		x.update(members)
		for _, step := range then {
			switch step := step.(type) {
			case int:
				x.wait(step)
			case string:
				x.update(step)
			}
		}
	}
}

// withIndex begins an UpdateTable of a table with an index.
func withIndex(members string) func(*statesTest, bool) {
	return fromReady(strings.Replace(newIndex, "NAME", "idx", 1), 24, members)
}

// changingPolicy begins a change of the policy some seconds ago.
func changingPolicy(ago int) func(*statesTest, bool) {
	return func(x *statesTest, provisioned bool) {
		x.ready(provisioned)
		x.policy = "UpdateItem"
		x.do([2]string{"PutResourcePolicy", policyOfState(x.policy)})
		x.wait(ago)
	}
}

// enablingTTL begins to enable TTL some seconds ago.
func enablingTTL(ago int) func(*statesTest, bool) {
	return func(x *statesTest, provisioned bool) {
		x.ready(provisioned)
		x.do([2]string{"UpdateTimeToLive", withTTL})
		x.ttl = strings.Replace(withTTL, "true", "false", 1)
		x.wait(ago)
	}
}

// destination begins operations on a Kinesis destination; "" waits until one ends.
func destination(operations ...string) func(*statesTest, bool) {
	return func(x *statesTest, provisioned bool) {
		x.ready(provisioned)
		for _, op := range operations {
			if op == "" {
				x.wait(12)
				continue
			}
			r := requestsOfStates(x)[op+"KinesisStreamingDestination"]
			x.do([2]string{r.op, r.body})
		}
	}
}

// begin makes a server in which a change is in progress.
func (c *stateChange) begin(t *testing.T, provisioned bool) *statesTest {
	x := newStatesTest(t)
	x.backUpAnother()
	beginning := beginnings[c.while]
	require.NotNil(t, beginning, "no test of: while %s", c.while)
	beginning(x, provisioned)
	return x
}

// words fills the names into a text of the page. What it does not know may be anything.
func (x *statesTest) words(text string) string {
	status := "CREATING"
	if strings.Contains(x.Name(), "deletion") {
		status = "DELETING"
	}
	resource := probedTable
	if strings.Contains(text, "Kinesis") {
		resource = x.stream
	}
	const class = "TableClassUpdateInProgress: STANDARD_INFREQUENT_ACCESS"
	text = strings.NewReplacer("{table}", "table", "{resource}", resource, "{region}", "eu-west-3",
		"{replica}", "us-west-2", "{status}", status, "{indexes}", "Table: table Indexes: [idx]",
		"{names}", "[idx]", "{index}", "idx", "{class}", "Table: table "+class, "{to class}", class,
		"{Place}", "Table", "{place}", "table", "{name}", "table", "{interval}", "15000",
		"{source}", x.backup).Replace(text)
	if known, _, cut := strings.Cut(text, "{"); cut {
		return known + "*"
	}
	return text
}

// TestStates: while a table changes, each request answers what states.md of the facts says, and
// descriptions show it.
func TestStates(t *testing.T) {
	t.Parallel()
	for _, c := range readChanges(t) {
		if c.while == "a bulk put is in progress" {
			continue // a bucket has to wait for it: TestBulkPutsAndGlobalTables
		}
		t.Run(c.while, func(t *testing.T) {
			t.Parallel()
			x := c.begin(t, false)
			requests := requestsOfStates(x)
			for request, shown := range c.shows {
				answer, err := x.send("", requests[request].op, requests[request].body)
				require.NoError(t, err, request)
				assertHas(t, shown, answer)
			}
			for request, want := range c.answers {
				if strings.Contains(c.while, "vector") && request == "UpdateTable to delete the index" {
					requests[request] = stateRequest{"UpdateTable", aTable + dropVector + `}`, ""}
				}
				r, known := requests[request]
				if strings.Contains(c.while, "vector") && !strings.Contains(c.while, "deleted") &&
					request == "UpdateTable to change the index" {
					r.or = noGlobalIndex
				}
				require.True(t, known, "no request: %s", request)
				if want != "" { // a refused request changes nothing
					_, err := x.send("", r.op, r.body)
					assertError(t, x.words(want), err, request)
					continue
				}
				taken := c.begin(t, request == "UpdateTable ProvisionedThroughput")
				if strings.Contains(r.body, "ARN") || !strings.Contains(c.while, "vector") {
					r = requestsOfStates(taken)[request] // the names are those of that server
				}
				_, err := taken.send("", r.op, r.body)
				if err != nil {
					require.NotEmpty(t, r.or, "%s: %s", request, err)
					assertError(t, r.or, err, request)
				}
			}
		})
	}
}
