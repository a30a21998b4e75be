package trigger

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// destination returns options with a destination of failures.
func destination(to string) string {
	return ` {"DestinationConfig": {"OnFailure": {"Destination": "` + to + `"}}}`
}

func TestParse(t *testing.T) {
	const url = "http://localhost:9000/2015-03-31/functions/function/invocations"
	plain := NewMapping("orders")
	for _, c := range []struct {
		name, text string
		want       Definition
	}{
		{"a table and a URL", "orders -> " + url, Definition{Mapping: plain, Function: url}},
		{"without blanks", "orders->" + url, Definition{Mapping: plain, Function: url}},
		{"an ARN", "arn:aws:dynamodb:us-east-1:000000000000:table/orders -> " + url,
			Definition{Mapping: NewMapping("arn:aws:dynamodb:us-east-1:000000000000:table/orders"),
				Function: url}},
		{"all options",
			"orders -> " + url +
				` {"BatchSize": 10, "MaximumBatchingWindowInSeconds": 5, "StartingPosition": "LATEST",
			"FilterCriteria": {"Filters": [{"Pattern": "{\"eventName\":[\"INSERT\"]}"}]}, "ParallelizationFactor": 2,
			"BisectBatchOnFunctionError": true, "MaximumRecordAgeInSeconds": 60, "MaximumRetryAttempts": 0,
			"FunctionResponseTypes": ["ReportBatchItemFailures"], "DestinationConfig": {"OnFailure": {"Destination": "failures.jsonl"}}}`,
			Definition{Function: url, Failures: "failures.jsonl", Mapping: Mapping{
				Table: "orders", BatchSize: 10, BatchWindow: 5 * time.Second,
				StartingPosition: Latest,
				Filters:          []string{`{"eventName":["INSERT"]}`}, ParallelizationFactor: 2,
				BisectBatchOnFunctionError: true,
				MaxRecordAge:               time.Minute, ReportBatchItemFailures: true}}},
		{"a bucket", "orders -> " + url + destination("arn:aws:s3:::failures"),
			Definition{Function: url, Mapping: plain, Failures: "arn:aws:s3:::failures"}},
		{"retries without end", "orders -> " + url + ` {"MaximumRetryAttempts": -1}`,
			Definition{Function: url, Mapping: plain}},
		{"no retries", "orders -> " + url + ` {"MaximumRetryAttempts": 0}`,
			Definition{Function: url, Mapping: Mapping{Table: "orders"}}},
		{"a tumbling window", "orders -> " + url + ` {"TumblingWindowInSeconds": 60}`,
			Definition{Function: url, Mapping: Mapping{Table: "orders", MaxRetries: Forever,
				TumblingWindow: time.Minute}}},
		{"records of a minute", "orders -> " + url + ` {"MaximumRecordAgeInSeconds": 60}`,
			Definition{Function: url, Mapping: Mapping{Table: "orders", MaxRetries: Forever,
				MaxRecordAge: time.Minute}}},
		{"records of any age", "orders -> " + url + ` {"MaximumRecordAgeInSeconds": -1}`,
			Definition{Function: url,
				Mapping: Mapping{Table: "orders", MaxRetries: Forever, MaxRecordAge: Forever}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Parse(c.text)
			require.NoError(t, err)
			assert.Equal(t, c.want, got)
		})
	}
}

func TestParseErrors(t *testing.T) {
	const url = "orders -> http://localhost:9000/ "
	for _, c := range []struct{ name, text, want string }{
		{"no arrow", "orders http://localhost", "write TABLE -> URL"},
		{"no table", "-> http://localhost", "write TABLE -> URL"},
		{"no URL", "orders ->", "write TABLE -> URL"},
		{"no URL of HTTP", "orders -> localhost:9000", "begins with http:// or https://"},
		{"an unknown option", url + `{"Size": 1}`, `unknown field "Size"`},
		{"a wrong type", url + `{"BatchSize": "1"}`, "cannot unmarshal string"},
		{"something behind", url + `{} x`, `are followed by "x"`},
		{"a batch of nothing", url + `{"BatchSize": 0}`, "BatchSize is 0: want 1 to 10000"},
		{"a batch that is too large", url + `{"BatchSize": 10001}`,
			"BatchSize is 10001: want 1 to 10000"},
		{"a long window", url + `{"MaximumBatchingWindowInSeconds": 301}`,
			"MaximumBatchingWindowInSeconds is 5m1s: want 0s to 5m0s"},
		{"a window beyond all durations", url + `{"MaximumBatchingWindowInSeconds": 18446744074}`,
			"want 0s to 5m0s"},
		{"no batches of a shard", url + `{"ParallelizationFactor": 0}`,
			"ParallelizationFactor is 0: want 1 to 10"},
		{"eleven batches of a shard", url + `{"ParallelizationFactor": 11}`,
			"ParallelizationFactor is 11: want 1 to 10"},
		{"too many retries", url + `{"MaximumRetryAttempts": 10001}`,
			"MaximumRetryAttempts is 10001: want -1 to 10000"},
		{"no age", url + `{"MaximumRecordAgeInSeconds": 0}`, "between 60 and 604800"},
		{"an age below -1", url + `{"MaximumRecordAgeInSeconds": -2}`, "between 60 and 604800"},
		{"retries below -1", url + `{"MaximumRetryAttempts": -2}`,
			"MaximumRetryAttempts is -2: want -1 to 10000"},
		{"an age of over a week", url + `{"MaximumRecordAgeInSeconds": 604801}`,
			"between 60 and 604800"},
		{"a long tumbling window", url + `{"TumblingWindowInSeconds": 901}`,
			"TumblingWindowInSeconds is 15m1s: want 0s to 15m0s"},
		{"a tumbling window of less than nothing", url + `{"TumblingWindowInSeconds": -1}`,
			"TumblingWindowInSeconds is -1s: want 0s to 15m0s"},
		{"a tumbling window and parts of shards",
			url + `{"TumblingWindowInSeconds": 60, "ParallelizationFactor": 2}`,
			"a tumbling window has a ParallelizationFactor of 1"},
		{"eleven filters", url + `{"FilterCriteria": {"Filters": [` +
			strings.TrimSuffix(strings.Repeat(`{"Pattern": "{}"},`, 11), ",") + `]}}`,
			"more than 10 filters"},
		{"a short age", url + `{"MaximumRecordAgeInSeconds": 59}`, "between 60 and 604800"},
		{"an age beyond all durations", url + `{"MaximumRecordAgeInSeconds": 18446744134}`,
			"between 60 and 604800"},
		{"a position of Kinesis", url + `{"StartingPosition": "AT_TIMESTAMP"}`,
			"has TRIM_HORIZON and LATEST"},
		{"a bad filter", url + `{"FilterCriteria": {"Filters": [{"Pattern": "{"}]}}`,
			"unexpected EOF"},
		{"a queue", url + destination("arn:aws:sqs:us-east-1:000000000000:failures"),
			"give a URL, a file, or arn:aws:s3:::BUCKET"},
		{"an object of a bucket", url + destination("arn:aws:s3:::failures/orders"),
			"give a URL, a file, or arn:aws:s3:::BUCKET"},
		{"no bucket", url + destination("arn:aws:s3:::"),
			"give a URL, a file, or arn:aws:s3:::BUCKET"},
		{"an unknown response", url + `{"FunctionResponseTypes": ["All"]}`,
			"there is only ReportBatchItemFailures"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse(c.text)
			assert.ErrorContains(t, err, c.want)
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add(`orders -> http://localhost {"BatchSize": 1}`)
	f.Fuzz(func(t *testing.T, text string) {
		if d, err := Parse(text); err == nil {
			assert.NoError(t, d.Mapping.Check())
		}
	})
}
