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

	asked, refused int // how often a state was not the target yet, and a request was not taken
}

func newWaiting(t *testing.T, options ...emulator.Option) *waiting {
	clock := emulator.NewClock(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	return &waiting{T: t, clock: clock,
		send: private(t, append(options, emulator.WithHeldClock(clock))...)}
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
		w.refused++
		w.clock.Advance(2 * time.Second)
	}
	w.Fatalf("%s %s is never taken", op, body)
}

// state is the part of a description that a tool waits for.
type state struct {
	op      string
	path    string   // the path to the state in the answer
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
		w.asked++
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

// tool is how a tool makes changes.
type tool struct {
	name  string
	known []string // errors that pass
	wait  func(*waiting, []state)

	// The changes that are taken at once, and whose states this tool does not have to wait for.
	atOnce []string
	// The changes that are refused at first, because the tool did not wait for the end of others.
	late []string
}

var tools = []tool{
	{"Terraform and Pulumi",
		[]string{"ContinuousBackupsUnavailableException", "ThrottlingException"},
		func(w *waiting, waits []state) {
			for _, s := range waits {
				w.until(s)
			}
		},
		[]string{"recovery", "protection", "no protection"},
		[]string{"recovery", "no protection"}},
	{"ACK and CDK", []string{"ResourceInUseException", "LimitExceededException",
		"ContinuousBackupsUnavailableException", "ThrottlingException"},
		func(w *waiting, _ []state) { w.until(tableActive) },
		[]string{"recovery", "TTL", "its capacity", "warm throughput", "encryption", "insights",
			"protection", "no protection"},
		[]string{"recovery", "no protection"}},
}

// run makes the table, all changes and the deletion. It returns the changes that the tool waited
// for, and those that it had to send again.
func (tool *tool) run(w *waiting) (waited, again []string) {
	note := func(name string, change func()) {
		w.asked, w.refused = 0, 0
		change()
		if w.asked > 0 {
			waited = append(waited, name)
		}
		if w.refused > 0 {
			again = append(again, name)
		}
	}
	note("create", func() {
		w.retry("CreateTable", createOrders)
		w.until(tableActive)
	})
	for _, c := range toolChanges {
		note(c.name, func() {
			w.retry(c.op, `{"TableName":"orders",`+c.members+`}`, tool.known...)
			tool.wait(w, c.waits)
		})
	}
	note("delete", func() {
		w.retry("DeleteTable", `{"TableName":"orders"}`, "ResourceInUseException")
		w.until(tableGone)
	})
	return waited, again
}

// TestToolsWait makes a table, changes it and deletes it as tools do, where each change takes time
// and quotas count. Terraform, and Pulumi with the same provider, send a change until no error that
// passes is left, and wait for its own state. ACK (aws-controllers-k8s/dynamodb-controller,
// pkg/resource/table/hooks.go) and the handler of AWS::DynamoDB::Table, which CDK uses, wait until
// the table is ACTIVE, send the next change, and come back after any error that passes. Each state
// passes, and is there to be waited for; without delays there is nothing to wait for.
//
// This is a transcription, because the code of these tools cannot be fetched: the Go module proxy
// serves no version of ACK's controller, and of Terraform's provider only v1.60.0 of 2019;
// CloudFormation's handler is not published. The tools that a registry has run themselves, in
// conformance/clients/cdk (CDK's replicas, Amplify) and conformance/clients/ansible.
func TestToolsWait(t *testing.T) {
	t.Parallel()
	var all []string
	for _, c := range toolChanges {
		all = append(all, c.name)
	}
	all = append(append([]string{"create"}, all...), "delete")
	for _, tool := range tools {
		t.Run(tool.name, func(t *testing.T) {
			waited, again := tool.run(newWaiting(t, emulator.WithQuotas(),
				emulator.WithTableDelays(10*time.Second, 10*time.Second, 10*time.Second)))
			want := slices.DeleteFunc(slices.Clone(all),
				func(name string) bool { return slices.Contains(tool.atOnce, name) })
			require.Equal(t, want, waited, "the changes that a state shows")
			require.Equal(t, tool.late, again, "the changes that are not taken at first")
		})
		t.Run(tool.name+", without delays", func(t *testing.T) {
			waited, again := tool.run(newWaiting(t))
			require.Empty(t, waited)
			require.Empty(t, again)
		})
	}
}
