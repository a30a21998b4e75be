package conformance

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/iam"
)

const (
	withGet   = "PutResourcePolicy"
	pendingOf = resourceInUse + "Table is pending previous resource-based policy update: table"
)

// puts is a PutResourcePolicy of a document for the table "table", in which @arn is its ARN.
func puts(name, document, err string) step {
	return step{name: name, op: withGet, body: policyInput(probedTable, document), err: err}
}

// allows returns a policy whose statement has members besides Effect.
func allows(members string) string {
	return `{"Version":"2012-10-17","Statement":[{"Effect":"Allow",` + members + `}]}`
}

// TestProbesOfPolicyText: the service rewrites the text of a policy (ack-api-quirks, DDB-TABLE-207,
// 208 and 351–355, probes of the service).
func TestProbesOfPolicyText(t *testing.T) {
	t.Parallel()
	const root = `"Principal":{"AWS":"arn:aws:iam::000000000000:root"}`
	const get, all = `"Action":"dynamodb:GetItem"`, `"Resource":"*"`
	for _, tc := range []struct{ name, sent, kept string }{
		{"spaces and order", "{\n\t\"Statement\" : [ { \"Resource\":\"*\", " + get + ", " + root + ", \"Effect\":\"Allow\", \"Sid\":\"a\" } ],\"Version\":\"2012-10-17\"}",
			`{"Version":"2012-10-17","Statement":[{"Sid":"a","Effect":"Allow",` + root + `,` + get + `,` + all + `}]}`},
		{"lists of one", allows(root + `,"Action":["dynamodb:GetItem"],"Resource":["@arn"]`),
			allows(root + `,` + get + `,"Resource":"@arn"`)},
		{"lists of two", allows(root + `,"Action":["dynamodb:Query","dynamodb:GetItem"],"Resource":["@arn/index/*","@arn"]`), ""},
		{"an action twice", allows(root + `,"Action":["dynamodb:GetItem","dynamodb:GetItem"],` + all), ""},
		{"small letters", allows(root + `,"Action":"dynamodb:getitem",` + all), ""},
		{"no action", allows(root + `,"NotAction":"dynamodb:DeleteTable",` + all), ""},
		{"a condition", allows(root + `,` + get + `,` + all + `,"Condition":{"StringEquals":{"aws:PrincipalAccount":["000000000000"]}}`),
			allows(root + `,` + get + `,` + all + `,"Condition":{"StringEquals":{"aws:PrincipalAccount":"000000000000"}}`)},
		{"an account", allows(`"Principal":{"AWS":"000000000000"},` + get + `,` + all), allows(root + `,` + get + `,` + all)},
		{"an account twice", allows(`"Principal":{"AWS":["000000000000","arn:aws:iam::000000000000:root"]},` + get + `,` + all),
			allows(root + `,` + get + `,` + all)},
		{"an effect in small letters", `{"Version":"2012-10-17","Statement":[{"Effect":"allow",` + root + `,` + get + `,` + all + `}]}`,
			allows(root + `,` + get + `,` + all)},
		{"one statement", `{"Version":"2012-10-17","Statement":{"Effect":"Allow",` + root + `,` + get + `,` + all + `}}`,
			allows(root + `,` + get + `,` + all)},
		{"an escape", `{"Version":"2012-10-17","Statement":[{"Sid":"\u0056x","Effect":"Allow",` + root + `,` + get + `,` + all + `}]}`,
			`{"Version":"2012-10-17","Statement":[{"Sid":"Vx","Effect":"Allow",` + root + `,` + get + `,` + all + `}]}`},
		{"another table", allows(root + `,` + get + `,"Resource":"arn:aws:dynamodb:eu-west-3:000000000000:table/other"`), ""},
		{"an index", allows(root + `,` + get + `,"Resource":"@arn/index/x"`), ""},
		{"the old version", `{"Version":"2008-10-17","Statement":[{"Effect":"Allow",` + root + `,` + get + `,` + all + `}]}`, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			x := newQuotaTest(t)
			put := func(document string) any {
				answer, err := x.send("KEY", withGet, policyInput(probedTable, document))
				require.NoError(t, err)
				return answer["RevisionId"]
			}
			kept := strings.ReplaceAll(tc.kept, "@arn", probedTable)
			if kept == "" {
				kept = strings.ReplaceAll(tc.sent, "@arn", probedTable)
			}
			revision := put(tc.sent)
			got, err := x.send("KEY", "GetResourcePolicy", ofARN)
			require.NoError(t, err)
			assert.Equal(t, map[string]any{"Policy": kept, "RevisionId": revision}, got)
			x.clock.Advance(time.Minute)
			assert.Equal(t, revision, put(kept), "what is kept is the same policy")
			assert.Equal(t, revision, put(tc.sent), "the same again")
		})
	}
}

// TestProbesOfPolicyVersions: ack-api-quirks, DDB-TABLE-354, a probe of the service.
func TestProbesOfPolicyVersions(t *testing.T) {
	t.Parallel()
	x := newQuotaTest(t)
	const statement = `"Statement":[{"Effect":"Allow","Principal":{"AWS":"arn:aws:iam::000000000000:root"},"Action":"dynamodb:GetItem","Resource":"*"}]}`
	var revisions []any
	put := func(document string) {
		answer, err := x.send("KEY", withGet, policyInput(probedTable, document))
		require.NoError(t, err)
		revisions = append(revisions, answer["RevisionId"])
		x.clock.Advance(time.Minute)
	}
	put(`{` + statement)
	got, err := x.send("KEY", "GetResourcePolicy", ofARN)
	require.NoError(t, err)
	assert.Equal(t, `{"Version":"2008-10-17",`+statement, got["Policy"])
	put(`{"Version":"2008-10-17",` + statement)
	put(`{` + statement)
	put(`{` + statement)
	assert.NotEqual(t, revisions[0], revisions[1], "with a version")
	assert.NotEqual(t, revisions[1], revisions[2], "without")
	assert.Equal(t, revisions[2], revisions[3], "without, again")
}

// TestProbesOfPolicies: ack-api-quirks, DDB-TABLE-205, 206, 209, 211–214, 233, 234, 236, 271, 348
// and 356, probes of the service.
func TestProbesOfPolicies(t *testing.T) {
	t.Parallel()
	const deny = `{"Version":"2012-10-17","Statement":[{"Effect":"Deny","Principal":"*","Action":"dynamodb:GetItem","Resource":"@arn"}]}`
	other := strings.Replace(deny, "GetItem", "PutItem", 1)
	get := func(name, has, err string) step {
		return step{name: name, op: "GetResourcePolicy", body: ofARN, has: has, err: err}
	}
	const none = "PolicyNotFoundException: Resource-based policy not found for the provided ResourceArn: " + probedTable
	x := newbornTest(t, "")
	x.follow(get("newborn", "", noTable), puts("put", deny, noTable),
		step{name: "delete", op: "DeleteResourcePolicy", body: ofARN, err: noTable})
	x.clock.Advance(10 * time.Second)
	x.follow(get("without a policy", "", none),
		step{name: "delete none", op: "DeleteResourcePolicy", body: ofARN},
		changes("to units", toUnits, ""), puts("while it changes", deny, ""),
		get("not yet", "", none),
		step{name: "delete too soon", op: "DeleteResourcePolicy", body: ofARN, err: pendingOf},
		puts("another too soon", other, pendingOf), puts("the same", deny, ""),
		step{name: "tag", op: "TagResource", body: withTags})
	x.clock.Advance(10 * time.Second)
	x.follow(get("now", `{"Policy":"`+strings.NewReplacer("@arn", probedTable, `"`, `\"`).Replace(
		deny)+`"}`, ""),
		step{name: "delete the table", op: "DeleteTable", body: ofTable},
		get("while it is deleted", `{}`, ""),
		puts("put then", other, resourceInUse+"Table is being deleted: table"),
		step{name: "delete then", op: "DeleteResourcePolicy", body: ofARN, err: resourceInUse +
			"Table is being deleted: table"})
	x.clock.Advance(10 * time.Second)
	x.follow(get("gone", "", noTable), puts("put to none", deny, noTable),
		step{name: "delete of none", op: "DeleteResourcePolicy", body: ofARN, err: noTable})
	x.create()
	x.clock.Advance(10 * time.Second)
	x.follow(get("another table", "", none))
}

// TestProbesOfNewPolicy: the policy of CreateTable (ack-api-quirks, DDB-TABLE-233, a probe of the
// service).
func TestProbesOfNewPolicy(t *testing.T) {
	t.Parallel()
	x := newbornTest(t, `,"ResourcePolicy":"{\"Version\":\"2012-10-17\",\"Statement\":[{\"Effect\":\"Deny\",\"Principal\":\"*\",\"Action\":\"dynamodb:GetItem\",\"Resource\":\"*\"}]}"`)
	x.follow(step{name: "newborn", op: "GetResourcePolicy", body: ofARN, err: noTable},
		shows("not described", `{"ResourcePolicy":null,"RevisionId":null}`))
	x.clock.Advance(6 * time.Second)
	x.follow(shows("being created", `{"TableStatus":"CREATING"}`),
		step{name: "readable", op: "GetResourcePolicy", body: ofARN, has: `{"RevisionId":"1767225600000"}`})
}

// TestProbesOfPolicyStreams: the policy of a stream outlives its table (ack-api-quirks,
// DDB-TABLE-206, 212 and 214, probes of the service).
func TestProbesOfPolicyStreams(t *testing.T) {
	t.Parallel()
	x := newQuotaTest(t)
	x.follow(changes("a stream", aStream, ""))
	described, err := x.send("KEY", "DescribeTable", ofTable)
	require.NoError(t, err)
	stream := described["Table"].(map[string]any)["LatestStreamArn"].(string)
	ofStream := `{"ResourceArn":"` + stream + `"}`
	none := "PolicyNotFoundException: Resource-based policy not found for the provided ResourceArn: " + stream
	document := strings.ReplaceAll(allows(`"Principal":{"AWS":"000000000000"},"Action":"dynamodb:GetRecords","Resource":"@arn"`), "@arn", stream)
	bogus := probedTable + "/stream/2000-01-01T00:00:00.000"
	x.follow(step{name: "none", op: "GetResourcePolicy", body: ofStream, err: none},
		step{name: "put", op: withGet, body: policyInput(stream, document)},
		step{name: "get", op: "GetResourcePolicy", body: ofStream, has: `{}`},
		step{name: "of the table", op: withGet, body: policyInput(stream,
			`{"Version":"2012-10-17","Statement":[{"Effect":"Deny","Principal":"*","Action":"dynamodb:GetRecords","Resource":"`+probedTable+`"}]}`),
			err: "ValidationException: One or more parameter values were invalid: Invalid policy document: The relative-id \"table/table\" is invalid for ARN \"" + probedTable + "\""},
		step{name: "no stream", op: "GetResourcePolicy", body: `{"ResourceArn":"` + bogus + `"}`,
			err: "ResourceNotFoundException: Requested resource not found: Stream: 2000-01-01T00:00:00.000 not found for Table: table"},
		step{name: "delete the policy", op: "DeleteResourcePolicy", body: ofStream},
		step{name: "delete the table", op: "DeleteTable", body: ofTable},
		step{name: "the stream is still there", op: "GetResourcePolicy", body: ofStream, err: none})
}

// TestProbesOfDenials: what a policy denies its own account (ack-api-quirks, DDB-TABLE-210, 270 and
// 432, probes of the service).
func TestProbesOfDenials(t *testing.T) {
	t.Parallel()
	d, err := iam.Parse([]byte(`{"accessKeys":{"KEY":{"account":"000000000000","user":"alice","policies":["all"]}},
		"policies":{"all":{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"dynamodb:*","Resource":"*"}}}}`))
	require.NoError(t, err)
	send := private(t, emulator.WithIAM(d))
	deny := func(action string) string {
		return `{"Version":"2012-10-17","Statement":[{"Effect":"Deny","Principal":"*","Action":` + action + `,"Resource":"*"}]}`
	}
	denied := func(action string) string {
		return "AccessDeniedException: User: arn:aws:iam::000000000000:user/alice is not authorized to perform: dynamodb:" +
			action + " on resource: " + probedTable + " with an explicit deny in a resource-based policy"
	}
	const lockout = "AccessDeniedException: The new resource policy will not allow you to update the resource policy in the future."
	confirmed := puts("confirmed", deny(`"dynamodb:PutResourcePolicy"`), "")
	confirmed.body = strings.Replace(confirmed.body, "{", `{"ConfirmRemoveSelfResourceAccess":true,`, 1)
	unconfirmed := puts("not confirmed", deny(`"dynamodb:PutResourcePolicy"`), lockout)
	unconfirmed.body = strings.Replace(unconfirmed.body, "{", `{"ConfirmRemoveSelfResourceAccess":false,`, 1)
	denyUpdate := changes("by ARN", protect, "")
	denyUpdate.body = strings.Replace(denyUpdate.body, `"table"`, `"`+probedTable+`"`, 1)
	denyUpdate.err = denied("UpdateTable")
	follow(t, send, []step{
		{name: "create", op: "CreateTable", body: aTable + keys("pk:S") + `}`},
		puts("deny updates", deny(`"dynamodb:UpdateTable"`), ""),
		refused("nothing new", exposed, denied("UpdateTable")), refused("a stream", aStream, denied(
			"UpdateTable")), denyUpdate,
		{name: "describe", op: "DescribeTable", body: ofTable},
		{name: "TTL", op: "UpdateTimeToLive", body: withTTL},
		{name: "tag", op: "TagResource", body: withTags},
		{name: "recovery", op: "UpdateContinuousBackups", body: withPITR},
		{name: "policy", op: "GetResourcePolicy", body: ofARN},
		puts("deny both", deny(`["dynamodb:PutResourcePolicy","dynamodb:DeleteResourcePolicy"]`), lockout),
		puts("deny Put", deny(`"dynamodb:PutResourcePolicy"`), lockout), unconfirmed,
		puts("deny Put to one", strings.Replace(deny(`"dynamodb:PutResourcePolicy"`),
			`"Resource":"*"`,
			`"Resource":"*","Condition":{"ArnEquals":{"aws:PrincipalArn":"arn:aws:iam::000000000000:user/alice"}}`, 1), lockout),
		puts("deny Delete", deny(`"dynamodb:DeleteResourcePolicy"`), ""),
		{name: "delete the policy", op: "DeleteResourcePolicy", body: ofARN, err: denied(
			"DeleteResourcePolicy")},
		confirmed,
		puts("locked out", deny(`"dynamodb:GetItem"`), denied("PutResourcePolicy")),
		{name: "tag still", op: "TagResource", body: withTags},
		{name: "delete still", op: "DeleteTable", body: ofTable},
	})
}
