package conformance

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
)

// TestInsightsRequests: what the operations on contributor insights say of requests that cannot
// succeed, and of tables without insights.
func TestInsightsRequests(t *testing.T) {
	t.Parallel()
	x := newTable(t,
		keys("pk:S", "sk:S", "lk:S")+`,"LocalSecondaryIndexes":[`+
			index("by-l", "ALL", "pk", "lk")+`]`)
	request := func(table, members string) string {
		return `{"TableName":"` + table + `"` + members + `}`
	}
	const enable, disable = `,"ContributorInsightsAction":"ENABLE"`, `,"ContributorInsightsAction":"DISABLE"`
	notFound := func(index string) string {
		return "ResourceNotFoundException: Requested resource not found: Index: " + index +
			" not found for table: " + x.name
	}
	const noTable = noSuchTableNamed
	run(t, defaults{src: "ack-api-quirks, DDB-TABLE-094"}, []kase{
		{name: "insights of no table", op: "UpdateContributorInsights",
			in: request("no-such-table", enable), err: noTable},
		{name: "insights of no index", op: "UpdateContributorInsights",
			in: request(x.name, enable+`,"IndexName":"none"`), err: notFound("none")},
		{name: "insights of a local index", op: "UpdateContributorInsights",
			in: request(x.name, enable+`,"IndexName":"by-l"`), err: notFound("by-l")},
		{name: "insights of a local index described", op: "DescribeContributorInsights",
			in: request(x.name, `,"IndexName":"by-l"`), err: notFound("by-l")},
		{name: "insights disabled that never were enabled", src: "ack-api-quirks, DDB-TABLE-091",
			op: "UpdateContributorInsights", in: request(x.name, disable),
			want: `{"TableName":"` + x.name + `","ContributorInsightsStatus":"DISABLED"}`},
		{name: "insights in no mode", src: "API Reference", op: "UpdateContributorInsights",
			in:  request(x.name, enable+`,"ContributorInsightsMode":"NONE"`),
			err: "ValidationException: 1 validation error detected: Value 'NONE' at 'contributorInsightsMode' failed to satisfy constraint: Member must satisfy enum value set: [THROTTLED_KEYS, ACCESSED_AND_THROTTLED_KEYS]"},
		{name: "no action", src: "API Reference", op: "UpdateContributorInsights",
			in: request(x.name, ""), raw: true,
			err: "ValidationException: 1 validation error detected: Value null at 'contributorInsightsAction' failed to satisfy constraint: Member must not be null"},
		{name: "too many summaries", src: "API Reference", op: "ListContributorInsights",
			in:  `{"MaxResults":101}`,
			err: "ValidationException: 1 validation error detected: Value '101' at 'maxResults' failed to satisfy constraint: Member must have value less than or equal to 100"},
		{name: "no summaries", src: "API Reference", op: "ListContributorInsights",
			in: `{"MaxResults":0}`, raw: true, err: "ValidationException: 1 validation error detected: Value '0' at 'maxResults' failed to satisfy constraint: Member must have value greater than or equal to 1"},
		{name: "a token that is none", src: "API Reference", op: "ListContributorInsights",
			in: `{"NextToken":"x"}`, err: "ValidationException: *"},
	})
}

// TestInsightsStates: ack-api-quirks, DDB-TABLE-089 to -092, -094, -095, -097, -112, -116, -337,
// -339, -341 and -344, which are probes of the service; AWS CLI Command Reference,
// describe-contributor-insights.
func TestInsightsStates(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	clock := emulator.NewClock(start)
	send := private(t, emulator.WithHeldClock(clock),
		emulator.WithTableDelays(10*time.Second, 10*time.Second, 10*time.Second))
	const table, index = `{"TableName":"music"`, `{"TableName":"music","IndexName":"by-g"`
	update := func(of, action, mode string) string {
		if mode != "" {
			mode = `,"ContributorInsightsMode":"` + mode + `"`
		}
		return of + `,"ContributorInsightsAction":"` + action + `"` + mode + `}`
	}
	rules := func(at int, resource string, kinds ...string) string {
		list := ""
		for _, kind := range kinds {
			list += fmt.Sprintf(`,"DynamoDBContributorInsights-%s-%s-%d"`, kind, resource,
				start.UnixMilli()+int64(at)*1000)
		}
		return `"ContributorInsightsRuleList":[` + list[1:] + `]`
	}
	set := func(body, has string) step {
		return step{name: body, op: "UpdateContributorInsights", body: body, has: has}
	}
	is := func(of, has string) step {
		return step{name: has, op: "DescribeContributorInsights", body: of + "}", has: has}
	}
	const all, throttled = `"ContributorInsightsMode":"ACCESSED_AND_THROTTLED_KEYS"`, `"ContributorInsightsMode":"THROTTLED_KEYS"`
	follow(t, send, []step{
		{name: "create",
			op: "CreateTable", body: `{"TableName":"music",` + keys("pk:S", "sk:S",
				"g:S") + `,"GlobalSecondaryIndexes":[{"IndexName":"by-g",
			"KeySchema":[{"AttributeName":"g","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}]}`},
		{name: "much too early", op: "UpdateContributorInsights", // ack-api-quirks, DDB-TABLE-115
			body: update(table, "ENABLE", ""),
			err:  "ResourceNotFoundException: Requested resource not found: Table: music not found"},
	})
	clock.Advance(5 * time.Second)
	follow(t, send, []step{
		{name: "too early", op: "UpdateContributorInsights", body: update(table, "ENABLE", ""),
			err: "ValidationException: Table or Index is not in a valid state to update Key Access Insights: TableStatus must be ACTIVE to enable ContributorInsights."},
	})
	clock.Advance(5 * time.Second)
	follow(t, send, []step{
		is(table, `{"ContributorInsightsStatus":"DISABLED","ContributorInsightsMode":null,"LastUpdateDateTime":null,"ContributorInsightsRuleList":null}`),
		set(update(table, "ENABLE", ""),
			`{"TableName":"music","IndexName":null,"ContributorInsightsStatus":"ENABLING",`+
				all+`}`),
		set(update(index, "ENABLE", "THROTTLED_KEYS"),
			`{"TableName":"music","IndexName":"by-g","ContributorInsightsStatus":"ENABLING",`+
				throttled+`}`),
		is(table, `{"ContributorInsightsStatus":"ENABLING",`+all+`}`),
		{name: "listed", op: "ListContributorInsights",
			body: table +
				"}", has: `{"ContributorInsightsSummaries":[{"TableName":"music","ContributorInsightsStatus":"ENABLING",` + all + `},
			{"TableName":"music","IndexName":"by-g","ContributorInsightsStatus":"ENABLING",` + throttled + `}],"NextToken":null}`},
	})
	clock.Advance(10 * time.Second)
	follow(t, send, []step{
		is(table, fmt.Sprintf(
			`{"ContributorInsightsStatus":"ENABLED","LastUpdateDateTime":%d,%s,%s}`,
			start.Unix()+20, all, rules(10, "music", "PKC", "SKC", "PKT", "SKT"))),
		is(index, fmt.Sprintf(
			`{"ContributorInsightsStatus":"ENABLED","LastUpdateDateTime":%d,%s,%s}`,
			start.Unix()+20, throttled, rules(10, "music-by-g", "PKT"))),
		set(update(table, "ENABLE", ""), `{"ContributorInsightsStatus":"ENABLED",`+all+`}`),
		set(update(table, "ENABLE", "THROTTLED_KEYS"),
			`{"ContributorInsightsStatus":"ENABLING",`+throttled+`}`),
	})
	clock.Advance(10 * time.Second)
	follow(t, send, []step{
		is(table, `{"ContributorInsightsStatus":"ENABLED",`+
			throttled+`,`+rules(10, "music", "PKT", "SKT")+`}`),
		set(update(table, "ENABLE", ""), `{"ContributorInsightsStatus":"ENABLING",`+all+`}`),
	})
	clock.Advance(10 * time.Second)
	follow(t, send, []step{
		set(update(table, "DISABLE", "THROTTLED_KEYS"),
			`{"ContributorInsightsStatus":"DISABLING",`+all+`}`),
		is(table, `{"ContributorInsightsStatus":"DISABLING",`+all+`}`),
	})
	clock.Advance(10 * time.Second)
	follow(t, send, []step{
		is(table, fmt.Sprintf(
			`{"ContributorInsightsStatus":"DISABLED","ContributorInsightsRuleList":null,"LastUpdateDateTime":%d,%s}`, start.Unix()+50, all)),
		{name: "the index alone", op: "ListContributorInsights", body: table + "}",
			has: `{"ContributorInsightsSummaries":[{"IndexName":"by-g"}]}`},
		set(update(table, "ENABLE", ""), `{"ContributorInsightsStatus":"ENABLING"}`),
		{name: "delete the index", op: "UpdateTable",
			body: table + `,"GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"by-g"}}]}`},
		is(index, `{"ContributorInsightsStatus":"ENABLED","IndexName":"by-g"}`),
	})
	clock.Advance(10 * time.Second)
	follow(t, send, []step{
		{name: "the index is gone", op: "DescribeContributorInsights", body: index + "}",
			err: "ResourceNotFoundException: Requested resource not found: Index: by-g not found for table: music"},
		is(table, `{`+rules(50, "music", "PKC", "SKC", "PKT", "SKT")+`}`),
		{name: "delete the table", op: "DeleteTable", body: table + "}"},
		is(table, `{"ContributorInsightsStatus":"ENABLED"}`),
	})
	clock.Advance(2500 * time.Millisecond) // the first quarter of the deletion
	follow(t, send, []step{
		{name: "too late", op: "UpdateContributorInsights",
			body: update(table, "ENABLE", "THROTTLED_KEYS"), err: "ValidationException: Table or Index is not in a valid state to update Key Access Insights: TableStatus must be ACTIVE to enable ContributorInsights."},
		set(update(table, "DISABLE", ""), `{"ContributorInsightsStatus":"DISABLING"}`),
	})
}

// TestInsightsQuota: ack-api-quirks, DDB-TABLE-337, -339 and -341.
func TestInsightsQuota(t *testing.T) {
	t.Parallel()
	send := private(t)
	request := func(table int, members string) string {
		return fmt.Sprintf(`{"TableName":"table%03d"%s}`, table, members)
	}
	const enable, disable = `,"ContributorInsightsAction":"ENABLE"`, `,"ContributorInsightsAction":"DISABLE"`
	for i := range 26 {
		follow(t, send, []step{
			{name: "create", op: "CreateTable", body: request(i, `,`+keys("pk:S", "sk:S"))},
			{name: "enable", op: "UpdateContributorInsights", body: request(i, enable),
				has: `{"ContributorInsightsStatus":"ENABLING"}`},
		})
	}
	const failure = `"FailureException":{"ExceptionName":"LimitExceededException","ExceptionDescription":"Amazon CloudWatch Contributor Insights rule limit reached. ` +
		`Please disable Contributor Insights for other tables/indexes OR disable other CloudWatch Contributor Insights rules before retrying."}`
	follow(t, send, []step{
		{name: "the 25th", op: "DescribeContributorInsights", body: request(24, ""),
			has: `{"ContributorInsightsStatus":"ENABLED"}`},
		{name: "the 26th", op: "DescribeContributorInsights", body: request(25, ""),
			has: `{"ContributorInsightsStatus":"FAILED","ContributorInsightsRuleList":null,` +
				failure + `}`},
		{name: "listed", op: "ListContributorInsights", body: request(25, ""),
			has: `{"ContributorInsightsSummaries":[{"ContributorInsightsStatus":"FAILED"}]}`},
		{name: "again", op: "UpdateContributorInsights", body: request(25, enable),
			has: `{"ContributorInsightsStatus":"ENABLING"}`},
		{name: "again in vain", op: "DescribeContributorInsights", body: request(25, ""),
			has: `{"ContributorInsightsStatus":"FAILED"}`},
		{name: "another mode frees two rules", op: "UpdateContributorInsights",
			body: request(0, enable+`,"ContributorInsightsMode":"THROTTLED_KEYS"`)},
		{name: "for two rules", op: "UpdateContributorInsights",
			body: request(25, enable+`,"ContributorInsightsMode":"THROTTLED_KEYS"`)},
		{name: "there is room", op: "DescribeContributorInsights", body: request(25, ""),
			has: `{"ContributorInsightsStatus":"ENABLED","FailureException":null}`},
		{name: "disable", op: "UpdateContributorInsights", body: request(25, disable)},
		{name: "disabled", op: "DescribeContributorInsights", body: request(25, ""),
			has: `{"ContributorInsightsStatus":"DISABLED"}`},
	})
	pages, listed, next := 0, 0, ""
	for more := true; more; pages++ {
		answer, err := send("KEY", "ListContributorInsights", `{"MaxResults":10`+next+`}`)
		require.NoError(t, err)
		listed += len(at(t, answer, "ContributorInsightsSummaries").([]any))
		var token any
		if token, more = answer["NextToken"]; more && token != nil {
			next = `,"NextToken":"` + token.(string) + `"`
		} else {
			more = false
		}
	}
	assert.Equal(t, 25, listed)
	assert.Equal(t, 3, pages)
}

// TestEmptyInsightsPages: ack-api-quirks, DDB-TABLE-344. A page of all tables has none whose
// insights are disabled, so that it may be empty before the last one.
func TestEmptyInsightsPages(t *testing.T) {
	t.Parallel()
	send := private(t)
	for _, name := range []string{"first", "second", "third"} {
		follow(t, send,
			[]step{{name: name, op: "CreateTable",
				body: `{"TableName":"` + name + `",` + keys("pk:S") + `}`}})
	}
	follow(t, send,
		[]step{{name: "enable", op: "UpdateContributorInsights",
			body: `{"TableName":"second","ContributorInsightsAction":"ENABLE"}`}})
	var pages []int
	for next := ""; ; {
		answer, err := send("KEY", "ListContributorInsights", `{"MaxResults":1`+next+`}`)
		require.NoError(t, err)
		pages = append(pages, len(answer["ContributorInsightsSummaries"].([]any)))
		token, more := answer["NextToken"].(string)
		if !more {
			break
		}
		next = `,"NextToken":"` + token + `"`
	}
	assert.Equal(t, []int{0, 1, 0}, pages)
}
