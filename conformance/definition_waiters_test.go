package conformance

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
)

// waiting is a tool that waits, with a clock that moves while it does.
type waiting struct {
	*testing.T
	clock *emulator.Clock
	send  func(key, op, body string) (map[string]any, error)
}

func newWaiting(t *testing.T) *waiting {
	clock := emulator.NewClock(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	return &waiting{t, clock, private(t, emulator.WithHeldClock(clock), emulator.WithQuotas(),
		emulator.WithTableDelays(10*time.Second, 10*time.Second, 10*time.Second))}
}

// polls is how often a tool asks before it gives up, every other second.
const polls = 30

// retry sends a request until it is taken. Other errors than those that the tool knows fail.
func (w *waiting) retry(op, body string, known ...string) {
	w.Helper()
	for range polls {
		_, err := w.send("KEY", op, body)
		if err == nil {
			return
		}
		_, text := codeAndText(err)
		require.True(w, slices.ContainsFunc(known, func(k string) bool {
			return strings.Contains(text, k)
		}), "%s: %s", op, text)
		w.clock.Advance(2 * time.Second)
	}
	w.Fatalf("%s %s is never taken", op, body)
}

// state is the part of a description that a tool waits for.
type state struct {
	op      string
	path    string   // to the state in the answer
	pending []string // others than these and the target fail, as in the provider
	target  string   // "" for what is gone
}

// until asks until the state is there.
func (w *waiting) until(s state) {
	w.Helper()
	for range polls {
		answer, err := w.send("KEY", s.op, `{"TableName":"orders"}`)
		is := ""
		if err == nil {
			is = fieldAt(answer, strings.Split(s.path, "."))
		} else {
			_, text := codeAndText(err)
			require.Contains(w, text, "ResourceNotFoundException", s.path)
		}
		if is == s.target {
			return
		}
		require.Contains(w, s.pending, is, "%s of %s", s.path, s.op)
		w.clock.Advance(2 * time.Second)
	}
	w.Fatalf("%s of %s is never %q", s.path, s.op, s.target)
}

// fieldAt returns the text at a path, of the first one of lists, or "".
func fieldAt(v any, path []string) string {
	if list, ok := v.([]any); ok {
		if len(list) == 0 {
			return ""
		}
		v = list[0]
	}
	if members, ok := v.(map[string]any); ok && len(path) > 0 {
		return fieldAt(members[path[0]], path[1:])
	}
	text, _ := v.(string)
	return text
}

func codeAndText(err error) (code, text string) {
	o, _ := outcomeOf(nil, err)
	code, _, _ = strings.Cut(o.err, ":")
	return code, o.err
}

var (
	tableActive = state{"DescribeTable", "Table.TableStatus", []string{"CREATING", "UPDATING"},
		"ACTIVE"}
	tableGone = state{"DescribeTable", "Table.TableStatus", []string{"ACTIVE", "DELETING"}, ""}
	indexPath = "Table.GlobalSecondaryIndexes.IndexStatus"
	replica   = "Table.Replicas.ReplicaStatus"
)

// toolChange is a change that definitions of tables ask for, and the states in which Terraform
// waits for it: hashicorp/terraform-provider-aws, internal/service/dynamodb/wait.go and status.go.
type toolChange struct {
	name, op, members string
	waits             []state
}

// toolChanges are all that have states, in an order in which a table can have them.
var toolChanges = []toolChange{
	{"recovery", "UpdateContinuousBackups",
		`"PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}`,
		[]state{{"DescribeContinuousBackups",
			"ContinuousBackupsDescription.PointInTimeRecoveryDescription.PointInTimeRecoveryStatus",
			[]string{"DISABLED"}, "ENABLED"}}},
	{"TTL", "UpdateTimeToLive",
		`"TimeToLiveSpecification":{"Enabled":true,"AttributeName":"t"}`,
		[]state{{"DescribeTimeToLive", "TimeToLiveDescription.TimeToLiveStatus",
			[]string{"DISABLED", "ENABLING"}, "ENABLED"}}},
	{"capacity", "UpdateTable",
		`"ProvisionedThroughput":{"ReadCapacityUnits":7,"WriteCapacityUnits":7}`,
		[]state{tableActive}},
	{"an index", "UpdateTable",
		`"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},
			{"AttributeName":"a","AttributeType":"S"}],"GlobalSecondaryIndexUpdates":[{"Create":{
			"IndexName":"by-a","KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],
			"Projection":{"ProjectionType":"ALL"},
			"ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1}}}]`,
		[]state{{"DescribeTable", indexPath, []string{"CREATING", "UPDATING"}, "ACTIVE"},
			tableActive}},
	{"its capacity", "UpdateTable",
		`"GlobalSecondaryIndexUpdates":[{"Update":{"IndexName":"by-a",
			"ProvisionedThroughput":{"ReadCapacityUnits":2,"WriteCapacityUnits":2}}}]`,
		[]state{{"DescribeTable", indexPath, []string{"CREATING", "UPDATING"}, "ACTIVE"},
			tableActive}},
	{"no index", "UpdateTable",
		`"GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"by-a"}}]`,
		[]state{{"DescribeTable", indexPath, []string{"ACTIVE", "DELETING", "UPDATING"}, ""},
			tableActive}},
	{"a mode", "UpdateTable", `"BillingMode":"PAY_PER_REQUEST"`, []state{tableActive}},
	{"warm throughput", "UpdateTable",
		`"WarmThroughput":{"ReadUnitsPerSecond":13000,"WriteUnitsPerSecond":5000}`,
		[]state{{"DescribeTable", "Table.WarmThroughput.Status", []string{"CREATING", "UPDATING"},
			"ACTIVE"}, tableActive}},
	{"a stream", "UpdateTable",
		`"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"}`,
		[]state{tableActive}},
	{"a class", "UpdateTable", `"TableClass":"STANDARD_INFREQUENT_ACCESS"`, []state{tableActive}},
	{"encryption", "UpdateTable", `"SSESpecification":{"Enabled":true}`,
		[]state{{"DescribeTable", "Table.SSEDescription.Status",
			[]string{"DISABLING", "ENABLING", "UPDATING"}, "ENABLED"}, tableActive}},
	{"insights", "UpdateContributorInsights", `"ContributorInsightsAction":"ENABLE"`,
		[]state{{"DescribeContributorInsights", "ContributorInsightsStatus", []string{"ENABLING"},
			"ENABLED"}}},
	{"protection", "UpdateTable", `"DeletionProtectionEnabled":true`, []state{tableActive}},
	{"no protection", "UpdateTable", `"DeletionProtectionEnabled":false`, []state{tableActive}},
	{"a replica", "UpdateTable", `"ReplicaUpdates":[{"Create":{"RegionName":"us-west-2"}}]`,
		[]state{{"DescribeTable", replica, []string{"CREATING"}, "ACTIVE"}, tableActive}},
	{"no replica", "UpdateTable", `"ReplicaUpdates":[{"Delete":{"RegionName":"us-west-2"}}]`,
		[]state{{"DescribeTable", replica, []string{"CREATING", "UPDATING", "DELETING"}, ""},
			tableActive}},
}

const createOrders = `{"TableName":"orders","BillingMode":"PROVISIONED",
	"ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":5},
	"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],
	"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]}`

// TestToolsWait makes a table, changes it and deletes it as tools do, where each change takes time
// and quotas count. Terraform, and Pulumi with the same provider, send a change until no error that
// passes is left, and wait for its own state. ACK (aws-controllers-k8s/dynamodb-controller,
// pkg/resource/table/hooks.go) and the handler of AWS::DynamoDB::Table, which CDK uses, wait until
// the table is ACTIVE, send the next change, and come back after any error that passes.
func TestToolsWait(t *testing.T) {
	t.Parallel()
	const inUse, limit = "ResourceInUseException", "LimitExceededException"
	const backups, throttled = "ContinuousBackupsUnavailableException", "ThrottlingException"
	for _, tool := range []struct {
		name  string
		known []string // errors that pass
		wait  func(*waiting, []state)
	}{
		{"Terraform and Pulumi", []string{backups, throttled}, func(w *waiting, waits []state) {
			for _, s := range waits {
				w.until(s)
			}
		}},
		{"ACK and CDK", []string{inUse, limit, backups, throttled},
			func(w *waiting, _ []state) { w.until(tableActive) }},
	} {
		t.Run(tool.name, func(t *testing.T) {
			w := newWaiting(t)
			w.retry("CreateTable", createOrders)
			w.until(tableActive)
			for _, c := range toolChanges {
				w.retry(c.op, `{"TableName":"orders",`+c.members+`}`, tool.known...)
				tool.wait(w, c.waits)
			}
			w.retry("DeleteTable", `{"TableName":"orders"}`, inUse)
			w.until(tableGone)
		})
	}
}
