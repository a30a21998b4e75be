package trigger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "github.com/kugiri-db/kugiri/storage/rapidseed" // fixes the seed
)

// names returns the names of an event's records.
func names(t require.TestingT, event []byte) string {
	var in struct{ Records []string }
	require.NoError(t, json.Unmarshal(event, &in))
	return strings.Join(in.Records, "")
}

// batchOf returns a batch with a record for each letter, a second apart.
func batchOf(letters string) Batch {
	b := Batch{StreamARN: "stream", ShardID: "shard"}
	for i, letter := range letters {
		b.Records = append(b.Records,
			Record{SequenceNumber: string(letter), Time: time.Unix(int64(i), 0),
				JSON: fmt.Appendf(nil, "%q", string(letter))})
	}
	return b
}

// afterCalls fails so often, and then no more.
func afterCalls(n int) func(string) (string, error) {
	return func(string) (string, error) {
		if n--; n >= 0 {
			return "", errors.New("bad")
		}
		return "", nil
	}
}

// TestDeliver checks the calls of a function that fails in different ways, and how far the delivery
// says that it is after each.
func TestDeliver(t *testing.T) {
	failing := func(bad string) func(string) (string, error) {
		return func(batch string) (string, error) {
			if strings.ContainsAny(batch, bad) {
				return "", errors.New("bad")
			}
			return "", nil
		}
	}
	naming := func(id string) func(string) (string, error) {
		return func(string) (string, error) {
			return `{"batchItemFailures":[{"itemIdentifier":"` + id + `"}]}`, nil
		}
	}
	answering := func(failures string) func(string) (string, error) {
		return func(string) (string, error) {
			return `{"batchItemFailures":` + failures + `}`, nil
		}
	}
	report := Mapping{ReportBatchItemFailures: true}
	both := Mapping{ReportBatchItemFailures: true, BisectBatchOnFunctionError: true}
	for _, c := range []struct {
		name     string
		mapping  Mapping
		function func(batch string) (response string, err error)
		calls    string
		done     string
		given    string // up
	}{
		{"no error", Mapping{}, failing("."), "abcd", "d", ""},
		{"no retry", Mapping{}, failing("c"), "abcd", "d", "abcd RetryAttemptsExhausted 1"},
		{"two retries", Mapping{MaxRetries: 2}, failing("c"), "abcd abcd abcd", "d",
			"abcd RetryAttemptsExhausted 3"},
		{"halves", Mapping{BisectBatchOnFunctionError: true}, failing("c"), "abcd ab cd c d",
			"b c d", "c RetryAttemptsExhausted 1"},
		{"halves with a retry", Mapping{BisectBatchOnFunctionError: true, MaxRetries: 1},
			failing("a"), "abcd ab a a b cd", "a b d", "a RetryAttemptsExhausted 2"},
		{"a response that is not asked for", Mapping{}, naming("c"), "abcd", "d", ""},
		{"a failed record", Mapping{ReportBatchItemFailures: true}, naming("c"), "abcd cd", "b d",
			"cd RetryAttemptsExhausted 1"},
		{"a failed record and a retry", Mapping{ReportBatchItemFailures: true, MaxRetries: 1},
			naming("c"), "abcd cd cd", "b d", "cd RetryAttemptsExhausted 2"},
		{"a failed record is not halved",
			Mapping{ReportBatchItemFailures: true, BisectBatchOnFunctionError: true}, naming("c"),
			"abcd cd", "b d", "cd RetryAttemptsExhausted 1"},
		{"an unknown record", Mapping{ReportBatchItemFailures: true}, naming("x"), "abcd", "d",
			"abcd RetryAttemptsExhausted 1"},
		{"a failure without a name", Mapping{ReportBatchItemFailures: true}, naming(""), "abcd",
			"d", "abcd RetryAttemptsExhausted 1"},
		// Lambda Developer Guide, "Configuring partial batch response with DynamoDB and Lambda"
		{"the lowest of several records", report,
			answering(`[{"itemIdentifier":"d"},{"itemIdentifier":"b"},{"itemIdentifier":"c"}]`),
			"abcd bcd", "a d", "bcd RetryAttemptsExhausted 1"},
		{"an unknown record beside a known one", report,
			answering(`[{"itemIdentifier":"b"},{"itemIdentifier":"x"}]`), "abcd", "d",
			"abcd RetryAttemptsExhausted 1"},
		{"an empty list", report, answering(`[]`), "abcd", "d", ""},
		{"a null list", report, answering(`null`), "abcd", "d", ""},
		{"a null name", report, answering(`[{"itemIdentifier":null}]`), "abcd", "d",
			"abcd RetryAttemptsExhausted 1"},
		{"another key", report, answering(`[{"id":"b"}]`), "abcd", "d",
			"abcd RetryAttemptsExhausted 1"},
		{"the first record", report, naming("a"), "abcd", "d", "abcd RetryAttemptsExhausted 1"},
		{"the first record is not halved", both, naming("a"), "abcd", "d",
			"abcd RetryAttemptsExhausted 1"},
		// Lambda Developer Guide, "Retain discarded records": splitting does not consume retries
		{"an error is halved in spite of reports", both, failing("d"), "abcd ab cd c d", "b c d",
			"d RetryAttemptsExhausted 1"},
		{"a complete failure is halved", both, naming(""), "abcd ab a b cd c d", "a b c d",
			"a RetryAttemptsExhausted 1; b RetryAttemptsExhausted 1; " +
				"c RetryAttemptsExhausted 1; d RetryAttemptsExhausted 1"},
		{"two bad records", Mapping{BisectBatchOnFunctionError: true}, failing("ad"),
			"abcd ab a b cd c d", "a b c d",
			"a RetryAttemptsExhausted 1; d RetryAttemptsExhausted 1"},
		{"retries without end end with success", Mapping{MaxRetries: Forever}, afterCalls(5),
			"abcd abcd abcd abcd abcd abcd", "d", ""},
		{"any age", Mapping{MaxRecordAge: Forever}, failing("."), "abcd", "d", ""},
		{"too old", Mapping{MaxRecordAge: 98 * time.Second}, failing("."), "cd", "b d",
			"ab RecordAgeExceeded 0"},
		{"all too old", Mapping{MaxRecordAge: 90 * time.Second}, failing("."), "", "d",
			"abcd RecordAgeExceeded 0"},
		{"too old while it fails", Mapping{MaxRetries: Forever, MaxRecordAge: 100 * time.Second},
			failing("abcd"), "abcd bcd bcd cd cd d d", "a b c d",
			"a RecordAgeExceeded 1; b RecordAgeExceeded 3; c RecordAgeExceeded 5; d RecordAgeExceeded 7"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var calls, done, given []string
			c.mapping.Table = "t"
			c.mapping.OnFailure = func(_ context.Context, text []byte) error {
				var in struct {
					RequestContext struct {
						Condition              string
						ApproximateInvokeCount int
					}
					DDBStreamBatchInfo struct {
						StartSequenceNumber, EndSequenceNumber string
						BatchSize                              int
					}
				}
				require.NoError(t, json.Unmarshal(text, &in))
				from := strings.Index("abcd", in.DDBStreamBatchInfo.StartSequenceNumber)
				records := "abcd"[from : from+in.DDBStreamBatchInfo.BatchSize]
				assert.True(t, strings.HasSuffix(records, in.DDBStreamBatchInfo.EndSequenceNumber))
				given = append(given,
					fmt.Sprint(records, " ", in.RequestContext.Condition, " ",
						in.RequestContext.ApproximateInvokeCount))
				return nil
			}
			tr, err := New(c.mapping, "f", func(_ context.Context, event []byte) ([]byte, error) {
				calls = append(calls, names(t, event))
				response, err := c.function(calls[len(calls)-1])
				return []byte(response), err
			})
			require.NoError(t, err)
			now := time.Unix(100, 0)
			clock := Clock{Now: func() time.Time { return now },
				Log: func(string, error) {}, Sleep: func(context.Context, time.Duration) error {
					now = now.Add(500 * time.Millisecond)
					return nil
				}}
			require.NoError(
				t, tr.Deliver(t.Context(), clock, batchOf("abcd"), func(n string) error {
					done = append(done, n)
					return nil
				}))
			assert.Equal(t, c.calls, strings.Join(calls, " "))
			assert.Equal(t, c.done, strings.Join(done, " "))
			assert.Equal(t, c.given, strings.Join(given, "; "))
		})
	}
}

// TestDeliverEachRecord checks that every record is handled or given up exactly once as far as the
// delivery says, in order, whatever the function answers.
func TestDeliverEachRecord(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		const letters = "abcdefgh"
		m := Mapping{Table: "t", MaxRetries: rapid.IntRange(0, 3).Draw(rt, "retries"),
			BisectBatchOnFunctionError: rapid.Bool().Draw(rt, "bisect"),
			ReportBatchItemFailures:    rapid.Bool().Draw(rt, "report")}
		bad := rapid.StringMatching("[a-h]{0,3}").Draw(rt, "bad")
		var given string
		m.OnFailure = func(_ context.Context, text []byte) error {
			var in struct {
				DDBStreamBatchInfo struct {
					StartSequenceNumber string
					BatchSize           int
				}
			}
			require.NoError(rt, json.Unmarshal(text, &in))
			from := strings.Index(letters, in.DDBStreamBatchInfo.StartSequenceNumber)
			given += letters[from : from+in.DDBStreamBatchInfo.BatchSize]
			return nil
		}
		handled, at := "", ""
		tr, err := New(m, "f", func(_ context.Context, event []byte) ([]byte, error) {
			batch := names(rt, event)
			first := strings.IndexAny(batch, bad)
			switch {
			case first < 0:
				handled += batch
			case m.ReportBatchItemFailures:
				handled += batch[:first]
				return fmt.Appendf(nil, `{"batchItemFailures":[{"itemIdentifier":%q}]}`,
					batch[first:first+1]), nil
			default:
				return nil, errors.New("bad")
			}
			return nil, nil
		})
		require.NoError(rt, err)
		clock := Clock{
			Now: time.Now, Log: func(string, error) {},
			Sleep: func(context.Context, time.Duration) error { return nil },
		}
		require.NoError(
			rt, tr.Deliver(context.Background(), clock, batchOf(letters), func(n string) error {
				require.Greater(rt, n, at, "it only advances")
				at = n
				return nil
			}))
		assert.Equal(rt, "h", at)
		assert.Len(rt, handled+given, len(letters))
		for _, letter := range letters {
			assert.Equal(rt, 1, strings.Count(handled+given, string(letter)), "%c", letter)
		}
		if m.BisectBatchOnFunctionError && !m.ReportBatchItemFailures {
			for _, letter := range given {
				assert.Contains(rt, bad, string(letter), "only what is bad is given up")
			}
		}
	})
}

// TestDeliverEnds checks that a context that ends, ends a delivery without giving anything up.
func TestDeliverEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	m := NewMapping("t")
	m.MaxRetries = 0
	m.OnFailure = func(context.Context, []byte) error { return errors.New("nothing is given up") }
	tr, err := New(m, "f", func(context.Context, []byte) ([]byte, error) {
		cancel()
		return nil, errors.New("it ends")
	})
	require.NoError(t, err)
	clock := Clock{
		Now: time.Now, Log: func(string, error) {},
		Sleep: func(context.Context, time.Duration) error { return nil },
	}
	err = tr.Deliver(ctx, clock, batchOf("ab"),
		func(string) error { return errors.New("nothing is done") })
	assert.ErrorIs(t, err, context.Canceled)
}

// TestResponses checks which responses mean that all is well (Lambda Developer Guide, "Configuring
// partial batch response with DynamoDB and Lambda", Success and failure conditions).
func TestResponses(t *testing.T) {
	for _, c := range []struct {
		response string
		want     []string
		fails    bool
	}{
		{"", nil, false}, {"null", nil, false}, {"{}", nil, false},
		{`{"batchItemFailures":[]}`, nil, false}, {`{"batchItemFailures":null}`, nil, false},
		{`{"batchItemFailures":[{"itemIdentifier":"1"},{"itemIdentifier":"2"}]}`,
			[]string{"1", "2"}, false},
		{`{"batchItemFailures":[{"itemIdentifier":""}]}`, nil, true},
		{`{"batchItemFailures":[{"itemIdentifier":null}]}`, nil, true},
		{`{"batchItemFailures":[{"id":"1"}]}`, nil, true}, {`"text"`, nil, true},
		{`no JSON`, nil, true},
	} {
		t.Run(c.response, func(t *testing.T) {
			ids, err := failuresOf([]byte(c.response))
			assert.Equal(t, c.fails, err != nil)
			assert.Equal(t, c.want, ids)
		})
	}
}

// TestHTTP checks which answers are errors.
func TestHTTP(t *testing.T) {
	for _, c := range []struct {
		name   string
		answer http.HandlerFunc
		want   string // a part of the error, or ""
	}{
		{"a response",
			func(w http.ResponseWriter, _ *http.Request) {
				fmt.Fprint(w, `{"batchItemFailures":[]}`)
			}, ""},
		{"no response",
			func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) },
			""},
		{"a status",
			func(w http.ResponseWriter, _ *http.Request) {
				http.Error(w, "broken", http.StatusBadGateway)
			}, "502 Bad Gateway: broken"},
		{"an error of the runtime", func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, `{"errorMessage":"no","errorType":"Error","stackTrace":[]}`)
		}, "the function failed: Error: no"},
		{"an error in the header", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Amz-Function-Error", "Unhandled")
			fmt.Fprint(w, `"no"`)
		}, `the function failed: "no"`},
		{"a long response",
			func(w http.ResponseWriter, _ *http.Request) {
				_, _ = w.Write(make([]byte, maxResponse+1))
			}, "more than 6291456 bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := httptest.NewServer(c.answer)
			defer server.Close()
			_, err := HTTP(server.URL)(t.Context(), []byte(`{}`))
			if c.want == "" {
				assert.NoError(t, err)
				return
			}
			assert.ErrorContains(t, err, c.want)
		})
	}
	_, err := HTTP("http://127.0.0.1:1/")(t.Context(), nil)
	assert.ErrorContains(t, err, "connection refused")
}

// TestNobodySendsEventsElsewhere: a function and a destination of failures cannot send the server
// on to another address, and a name that leads to metadata leads nowhere.
func TestNobodySendsEventsElsewhere(t *testing.T) {
	sendTo := map[string]func(url string) error{
		"a function": func(url string) error {
			_, err := HTTP(url)(t.Context(), []byte(`{}`))
			return err
		},
		"a destination of failures": func(url string) error {
			return DiscardedToURL(url)(t.Context(), []byte(`{}`))
		},
	}
	for name, send := range sendTo {
		t.Run(name, func(t *testing.T) {
			reached := false
			inner := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
				reached = true
			}))
			defer inner.Close()
			s := httptest.NewServer(http.RedirectHandler(inner.URL, http.StatusTemporaryRedirect))
			defer s.Close()
			assert.ErrorContains(t, send(s.URL), "307 Temporary Redirect")
			assert.False(t, reached)
			// 2852039166 is 169.254.169.254, by a name that is no literal address
			assert.Error(t, send("http://2852039166/latest/meta-data/"))
		})
	}
}

// TestFailureRecord: what a destination of failures gets (service facts M.12).
func TestFailureRecord(t *testing.T) {
	for _, c := range []struct{ name, response, fault string }{
		{"the function fails", "", `"Unhandled"`},
		{"it names a record", `{"batchItemFailures":[{"itemIdentifier":"a"}]}`, "null"},
		{"no name", `{"batchItemFailures":[{"itemIdentifier":null}]}`, `"Unhandled"`},
		{"another key", `{"batchItemFailures":[{"id":"a"}]}`, `"Unhandled"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []byte
			m := Mapping{Table: "t", ReportBatchItemFailures: true,
				OnFailure: func(_ context.Context, text []byte) error {
					got = text
					return nil
				}}
			tr, err := New(m, "f", func(context.Context, []byte) ([]byte, error) {
				if c.response == "" {
					return nil, errors.New("thrown")
				}
				return []byte(c.response), nil
			})
			require.NoError(t, err)
			clock := Clock{Now: func() time.Time { return time.Unix(100, 5e8) },
				Log:   func(string, error) {},
				Sleep: func(context.Context, time.Duration) error { return nil }}
			require.NoError(t, tr.Deliver(t.Context(), clock, batchOf("ab"),
				func(string) error { return nil }))
			var record map[string]map[string]any
			var parts map[string]json.RawMessage
			require.NoError(t, json.Unmarshal(got, &parts))
			assert.Equal(t, `"1970-01-01T00:01:40.500Z"`, string(parts["timestamp"]))
			delete(parts, "timestamp")
			assert.Equal(t, `"1.0"`, string(parts["version"]))
			delete(parts, "version")
			rest, err := json.Marshal(parts)
			require.NoError(t, err)
			require.NoError(t, json.Unmarshal(rest, &record))
			assert.Regexp(t, `^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`,
				record["requestContext"]["requestId"])
			assert.JSONEq(t, `{"statusCode":200,"executedVersion":"$LATEST","functionError":`+
				c.fault+`}`, string(parts["responseContext"]))
			assert.Regexp(t, `^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$`,
				record["DDBStreamBatchInfo"]["approximateArrivalOfFirstRecord"])
		})
	}
}

// TestFailurePayload: in a bucket there is the event as well (service facts M.12), in objects with
// the keys of Lambda's.
func TestFailurePayload(t *testing.T) {
	const text = `orders -> http://localhost:1/ {"MaximumRetryAttempts": 0, "DestinationConfig": ` +
		`{"OnFailure": {"Destination": "arn:aws:s3:::failures"}}}`
	d, err := Parse(text)
	require.NoError(t, err)
	_, err = d.Trigger(nil)
	require.ErrorContains(t, err, "there are no buckets")

	objects := map[string]string{}
	tr, err := d.Trigger(func(_ context.Context, bucket, key string, content []byte) error {
		objects[bucket+"/"+key] = string(content)
		return nil
	})
	require.NoError(t, err)
	tr.function = func(context.Context, []byte) ([]byte, error) { return nil, errors.New("thrown") }
	clock := Clock{Now: func() time.Time { return time.Unix(100, 5e8) },
		Log:   func(string, error) {},
		Sleep: func(context.Context, time.Duration) error { return nil }}
	for range 2 {
		require.NoError(t, tr.Deliver(t.Context(), clock, batchOf("ab"),
			func(string) error { return nil }))
	}
	assert.Len(t, objects, 2, "an object for each")
	const uuid = `[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`
	for key, object := range objects {
		assert.Regexp(t, `^failures/aws/lambda/`+uuid+`/shard/1970/01/01/1970-01-01T00\.01\.40-`+
			uuid+`$`, key)
		var in struct{ Payload json.RawMessage }
		require.NoError(t, json.Unmarshal([]byte(object), &in))
		assert.JSONEq(t, string(event(batchOf("ab").Records)), string(in.Payload))
	}
}

// TestResponsesWithoutFailures: which responses say that all went well (service facts M.12).
func TestResponsesWithoutFailures(t *testing.T) {
	for _, response := range []string{"", "null", "{}", `{"batchItemFailures":[]}`,
		`{"batchItemFailures":null}`} {
		ids, err := failuresOf([]byte(response))
		require.NoError(t, err, response)
		assert.Empty(t, ids, response)
	}
}
