package conformance

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// probes is the source of what answers of the operations on policies say.
const probes = "ack-api-quirks, services/dynamodb, probes of October 2026: "

// policyInput returns a request with a policy, in which @arn is the ARN of a table.
func policyInput(arn, policy string) string {
	quoted, _ := json.Marshal(strings.ReplaceAll(policy, "@arn", arn))
	return `{"ResourceArn":"` + arn + `","Policy":` + string(quoted) + `}`
}

// statementFor returns a policy of one statement.
func statementFor(members string) string {
	return `{"Version":"2012-10-17","Statement":[{` + members + `}]}`
}

// TestResourcePolicyRequests: what PutResourcePolicy, GetResourcePolicy and DeleteResourcePolicy
// refuse.
func TestResourcePolicyRequests(t *testing.T) {
	t.Parallel()
	x := newTable(t, keys("pk:S"))
	const document = "ValidationException: One or more parameter values were invalid: Invalid policy document: "
	put := func(policy string) string { return policyInput(x.arn, policy) }
	of := func(arn string) string { return `{"ResourceArn":"` + arn + `"}` }
	missing := strings.Replace(x.arn, x.name, "no-such-table", 1)
	other := strings.Replace(x.arn, ":table/", "0:table/", 1)
	account := strings.Split(x.arn, ":")[4]
	foreign := strings.Replace(x.arn, account, "999999999999", 1)
	region := strings.Split(x.arn, ":")[3]
	bare := statementFor(`"Effect":"Allow","Principal":"` + account +
		`","Action":"dynamodb:GetItem","Resource":"*"`)
	run(t, defaults{src: probes + "DDB-TABLE-205, 211, 212, 356", op: "PutResourcePolicy"}, []kase{
		{name: "no JSON", in: put(`{not json`),
			err: document + "This policy contains invalid Json"},
		{name: "an empty text", in: put(``), err: document + "This policy contains invalid Json"},
		{name: "no statement", in: put(`{"Version":"2012-10-17","Statement":[]}`),
			err: document + "Could not parse the policy: Statement is empty!"},
		{name: "no resource",
			in:  put(statementFor(`"Effect":"Deny","Principal":"*","Action":"dynamodb:GetItem"`)),
			err: document + "Missing required field Resource"},
		{name: "no action", in: put(statementFor(`"Effect":"Deny","Principal":"*","Resource":"*"`)),
			err: document + "Missing required field Action"},
		{name: "no principal",
			in:  put(statementFor(`"Effect":"Deny","Action":"dynamodb:GetItem","Resource":"*"`)),
			err: document + "Missing required field Principal"},
		{name: "an effect that there is not",
			in: put(statementFor(
				`"Effect":"Maybe","Principal":"*","Action":"dynamodb:GetItem","Resource":"*"`)),
			err: document + "Syntax errors in policy."},
		{name: "an unknown operator",
			in: put(statementFor(
				`"Effect":"Deny","Principal":"*","Action":"dynamodb:GetItem","Resource":"*","Condition":{"Equals":{"aws:username":"a"}}`)), err: document + "Invalid Condition type : Equals"},
		{name: "an account as the principal",
			in: put(bare),
			err: document + fmt.Sprintf("Syntax error at position (1,%d)",
				strings.Index(bare, account)+len(account)+2)},
		{name: "one Sid twice", in: put(
			`{"Version":"2012-10-17","Statement":[{"Sid":"a","Effect":"Deny","Principal":"*","Action":"dynamodb:GetItem","Resource":"*"},` +
				`{"Sid":"a","Effect":"Deny","Principal":"*","Action":"dynamodb:PutItem","Resource":"*"}]}`), err: document + "The Statement Ids in the policy are not unique"},
		{name: "actions on streams",
			in: put(statementFor(
				`"Effect":"Deny","Principal":"*","Action":["dynamodb:GetRecords","dynamodb:DescribeStream"],"Resource":"*"`)),
			err: document +
				`The following action names are invalid: "dynamodb:GetRecords", "dynamodb:DescribeStream"`},
		{name: "an action on backups",
			in: put(statementFor(
				`"Effect":"Deny","Principal":"*","Action":"dynamodb:DescribeBackup","Resource":"*"`)),
			src: "Developer Guide, DynamoDB API operations supported by resource-based policies",
			err: document + `The following action names are invalid: "dynamodb:DescribeBackup"`},
		{name: "an action of statements",
			in: put(statementFor(
				`"Effect":"Deny","Principal":"*","Action":"dynamodb:ExecuteStatement","Resource":"*"`)),
			src: "Developer Guide, DynamoDB API operations supported by resource-based policies",
			err: document + `The following action names are invalid: "dynamodb:ExecuteStatement"`},
		{name: "a stream of the table",
			in: put(statementFor(
				`"Effect":"Deny","Principal":"*","Action":"dynamodb:GetItem","Resource":"@arn/stream/2026-01-01T00:00:00.000"`)),
			err: document + `The relative-id "table/` + x.name +
				`/stream/2026-01-01T00:00:00.000" is invalid for ARN "` + x.arn +
				`/stream/2026-01-01T00:00:00.000"`},
		{name: "a stream of the table before an action", src: "service facts F.35",
			in: put(statementFor(
				`"Effect":"Deny","Principal":"*","Action":"dynamodb:GetRecords","Resource":"@arn/stream/2026-01-01T00:00:00.000"`)),
			err: document + `The relative-id "table/` + x.name +
				`/stream/2026-01-01T00:00:00.000" is invalid for ARN "` + x.arn +
				`/stream/2026-01-01T00:00:00.000"`},
		{name: "anybody",
			in: put(statementFor(
				`"Effect":"Allow","Principal":"*","Action":"dynamodb:GetItem","Resource":"*"`)),
			err: "ValidationException: Resource-based policy grants unbounded access in one or more elements. Please revise the policy to ensure least-privilege form of access"},
		{name: "anybody of AWS",
			in: put(statementFor(
				`"Effect":"Allow","Principal":{"AWS":"*"},"Action":"dynamodb:GetItem","Resource":"*"`)),
			err: "ValidationException: Resource-based policy grants unbounded access in one or more elements. Please revise the policy to ensure least-privilege form of access"},
		{name: "a principal with a wildcard",
			in: put(statementFor(`"Effect":"Deny","Principal":{"AWS":"arn:aws:iam::` + account +
				`:user/*"},"Action":"dynamodb:GetItem","Resource":"*"`)),
			err: "ValidationException: One or more parameter values were invalid: Invalid principal in policy document."},
		{name: "too many bytes",
			in: put(statementFor(
				`"Effect":"Deny","Principal":"*","Action":"dynamodb:GetItem","Resource":"*"`) + strings.Repeat(" ", 20480)),
			err: "ValidationException: One or more parameter values were invalid: Maximum policy size of 20480 bytes exceeded"},
		{name: "a policy that its author cannot change", src: probes + "DDB-TABLE-210",
			in: put(statementFor(
				`"Effect":"Deny","Principal":"*","Action":"dynamodb:PutResourcePolicy","Resource":"*"`)),
			err: "AccessDeniedException: The new resource policy will not allow you to update the resource policy in the future."},
		{name: "an expected revision without a policy",
			in: strings.Replace(
				put(statementFor(
					`"Effect":"Deny","Principal":"*","Action":"dynamodb:GetItem","Resource":"*"`)),
				"{", `{"ExpectedRevisionId":"123456789",`, 1),
			err: "PolicyNotFoundException: Resource-based policy not found for the provided ResourceArn: Requested update for policy with revision id 123456789, but table " + x.name + " has no associated*"},

		{name: "get without a policy", op: "GetResourcePolicy", in: of(x.arn),
			err: "PolicyNotFoundException: Resource-based policy not found for the provided ResourceArn: " + x.arn},
		{name: "delete without a policy", op: "DeleteResourcePolicy", in: of(x.arn), want: `{}`},
		{name: "delete an expected revision without a policy", op: "DeleteResourcePolicy",
			in:  strings.Replace(of(x.arn), "{", `{"ExpectedRevisionId":"123456789",`, 1),
			err: "PolicyNotFoundException: Resource-based policy not found for the provided ResourceArn: Requested update for policy with revision id 123456789, but table " + x.name + " has no associated*"},
		{name: "a name", op: "GetResourcePolicy", in: of(x.name),
			err: "ValidationException: One or more parameter values were invalid: ARNs must start with 'arn:': " + x.name},
		{name: "no table", op: "GetResourcePolicy", in: of(missing),
			err: noSuchTableNamed},
		{name: "delete from no table", op: "DeleteResourcePolicy", in: of(missing),
			err: noSuchTableNamed},
		{name: "put on no table",
			in: policyInput(missing,
				statementFor(
					`"Effect":"Deny","Principal":"*","Action":"dynamodb:GetItem","Resource":"*"`)),
			err: noSuchTableNamed},
		{name: "another account", op: "GetResourcePolicy", in: of(foreign),
			err: "ValidationException: This action is only supported by accounts that match the resource owner’s account."},
		{name: "no account", op: "GetResourcePolicy", in: of(other), err: "ValidationException: *"},
		{name: "another region", op: "GetResourcePolicy",
			in:  of(strings.Replace(x.arn, region, "xx-west-9", 1)),
			err: "ValidationException: One or more parameter values were invalid: Invalid resource Arn: " + strings.Replace(x.arn, region, "xx-west-9", 1)},
		{name: "an index", op: "GetResourcePolicy", in: of(x.arn + "/index/by-name"),
			err: "ValidationException: One or more parameter values were invalid: Invalid resource arn provided, only table or stream is accepted. Provided resource arn: " + x.arn + "/index/by-name"},
		{name: "a backup", op: "GetResourcePolicy",
			in:  of(x.arn + "/backup/01489602797149-73d8d5bc"),
			err: "ValidationException: One or more parameter values were invalid: Provided Arn is not a DynamoDB resource arn: " + x.arn + "/backup/01489602797149-73d8d5bc"},
		{name: "no stream", op: "GetResourcePolicy",
			in:  of(x.arn + "/stream/2000-01-01T00:00:00.000"),
			err: "ResourceNotFoundException: Requested resource not found: Stream: 2000-01-01T00:00:00.000 not found for Table: " + x.name},
	})
}

// TestResourcePolicy: a policy is read as it is kept, and the same policy again changes nothing
// (ack-api-quirks, DDB-TABLE-207 to 209 and 351 to 355).
func TestResourcePolicy(t *testing.T) {
	t.Parallel()
	send := private(t)
	follow(t, send,
		[]step{{name: "create", op: "CreateTable",
			body: `{"TableName":"policies",` + keys("pk:S") + `}`}})
	described, err := send("KEY", "DescribeTable", `{"TableName":"policies"}`)
	require.NoError(t, err)
	arn := described["Table"].(map[string]any)["TableArn"].(string)
	account := strings.Split(arn, ":")[4]
	const kept = `{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"AWS":"arn:aws:iam::@account:root"},"Action":"dynamodb:GetItem","Resource":"@arn"}]}`
	canonical := strings.NewReplacer("@account", account, "@arn", arn).Replace(kept)
	revisionOf := func(policy string) string {
		answer, err := send("KEY", "PutResourcePolicy", policyInput(arn, policy))
		require.NoError(t, err)
		return answer["RevisionId"].(string)
	}
	revision := revisionOf(canonical)
	for name, same := range map[string]string{
		"again": canonical,
		"an order, lists, and the account's number": `{ "Statement": [{"Resource":["@arn"], "Action":["dynamodb:GetItem"], "Principal":{"AWS":["` + account + `"]}, "Effect":"allow"}], "Version":"2012-10-17" }`,
		"a statement without a list":                `{"Version":"2012-10-17","Statement":{"Effect":"Allow","Principal":{"AWS":"` + account + `"},"Action":"dynamodb:GetItem","Resource":"@arn"}}`,
	} {
		assert.Equal(t, revision, revisionOf(same), name)
	}
	got, err := send("KEY", "GetResourcePolicy", `{"ResourceArn":"`+arn+`"}`)
	require.NoError(t, err)
	assert.Equal(t, map[string]any{"Policy": canonical, "RevisionId": revision}, got)

	expecting := func(id, policy string) string {
		return strings.Replace(policyInput(arn, policy), "{", `{"ExpectedRevisionId":"`+id+`",`, 1)
	}
	another := strings.Replace(canonical, "GetItem", "PutItem", 1)
	follow(t, send, []step{
		{name: "expect no policy", op: "PutResourcePolicy", body: expecting("NO_POLICY", another),
			err: "PolicyNotFoundException: Resource-based policy not found for the provided ResourceArn: *"},
		{name: "expect another revision", op: "PutResourcePolicy", body: expecting("1", another),
			err: "PolicyNotFoundException: Resource-based policy not found for the provided ResourceArn: Requested update for policy with revision id 1, but the policy associated to target ta*"},
		{name: "expect the revision", op: "PutResourcePolicy", body: expecting(revision, another),
			has: `{}`},
		{name: "delete an old revision", op: "DeleteResourcePolicy",
			body: `{"ResourceArn":"` + arn + `","ExpectedRevisionId":"` + revision + `"}`,
			err:  "PolicyNotFoundException: *"},
	})
	deleted, err := send("KEY", "DeleteResourcePolicy", `{"ResourceArn":"`+arn+`"}`)
	require.NoError(t, err)
	assert.Greater(t, deleted["RevisionId"], revision, "that of the deleted policy")
	again, err := send("KEY", "DeleteResourcePolicy", `{"ResourceArn":"`+arn+`"}`)
	require.NoError(t, err)
	assert.Greater(t, again["RevisionId"], deleted["RevisionId"], "that of the deletion")
	follow(t, send,
		[]step{{name: "expect none", op: "PutResourcePolicy",
			body: expecting("NO_POLICY", canonical), has: `{}`}})
}
