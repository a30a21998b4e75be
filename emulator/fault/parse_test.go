package fault

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// texts holds faults and their text forms.
var texts = []struct {
	name  string
	fault Fault
	text  string
}{
	{"effect alone", Fault{Do: InternalServerError()}, `{"do":"internalServerError"}`},
	{"unavailable", Fault{Do: ServiceUnavailable(), Seed: 1<<64 - 1},
		`{"do":"serviceUnavailable","seed":18446744073709551615}`},
	{"must hit", MustHit(Fault{Do: LoseResponse()}), `{"do":"loseResponse","mustHit":true}`},
	{"throttle", Fault{When: Operation("PutItem"), Do: Throttle("")},
		`{"when":{"operation":"PutItem"},"do":{"throttle":{}}}`},
	{"throttle with a reason",
		Fault{Do: ThrottleIndex("IndexWriteProvisionedThroughputExceeded", "by-name")},
		`{"do":{"throttle":{"reason":"IndexWriteProvisionedThroughputExceeded","index":"by-name"}}}`},
	{"account", Fault{Do: RequestLimitExceeded()},
		`{"do":{"throttle":{"reason":"AccountLimitExceeded"}}}`},
	{"latency", Fault{When: Table("a", "b"), Do: Latency(1500 * time.Millisecond)},
		`{"when":{"table":["a","b"]},"do":{"latency":"1.5s"}}`},
	{"dropped", Fault{When: Index("i"), Do: DropConnection()},
		`{"when":{"index":"i"},"do":"dropConnection"}`},
	{"lost", Fault{When: Key("pk", "ü\"\n"), Do: LoseResponse()},
		`{"when":{"key":{"pk":"ü\"\n"}},"do":"loseResponse"}`},
	{"recall", Fault{When: Table("products"), Do: Recall(0.9), Seed: 7},
		`{"when":{"table":"products"},"do":{"recall":0.9},"seed":7}`},
	{"unprocessed", Fault{When: Writes(), Do: Unprocessed(0.25)},
		`{"when":{"access":"write"},"do":{"unprocessed":0.25}}`},
	{"conflict", Fault{When: Reads(), Do: TransactionConflict()},
		`{"when":{"access":"read"},"do":"transactionConflict"}`},
	{"in progress", Fault{When: Nth(3), Do: TransactionInProgress()},
		`{"when":{"nth":3},"do":"transactionInProgress"}`},
	{"stale", Fault{When: Every(2), Do: StaleReads(Bound{Writes: 3, Time: time.Second})},
		`{"when":{"every":2},"do":{"staleReads":{"writes":3,"time":"1s"}}}`},
	{"lagging", Fault{When: First(1), Do: LaggingIndexes(Bound{Time: time.Minute})},
		`{"when":{"first":1},"do":{"laggingIndexes":{"time":"1m0s"}}}`},
	{"partition", Fault{Do: PartitionRegion("us-west-2")},
		`{"do":{"partitionRegion":{"region":"us-west-2"}}}`},
	{"duplicates", Fault{When: Table("songs"), Do: DuplicateKinesisRecord(), Seed: 7},
		`{"when":{"table":"songs"},"do":"duplicateKinesisRecord","seed":7}`},
	{"Kinesis stream", Fault{When: KinesisStream("arn:a", "arn:b"), Do: DisorderKinesisRecord()},
		`{"when":{"kinesisStream":["arn:a","arn:b"]},"do":"disorderKinesisRecord"}`},
	{"disorder", Fault{Do: DisorderKinesisRecord()}, `{"do":"disorderKinesisRecord"}`},
	{"delay of replication", Fault{Do: DelayReplication("", time.Second)},
		`{"do":{"delayReplication":{"delay":"1s"}}}`},
	{"conflict of regions", Fault{Do: ReplicatedWriteConflict()},
		`{"do":"replicatedWriteConflict"}`},
	{"short pages", Fault{When: Probability(1e-9), Do: ShortPages(0)},
		`{"when":{"probability":1e-09},"do":{"shortPages":0}}`},
	{"expired", Fault{When: Times(2, Writes()), Do: ExpiredIterator()},
		`{"when":{"times":{"count":2,"when":{"access":"write"}}},"do":"expiredIterator"}`},
	{"limit", Fault{When: After(0, Not(Writes())), Do: LimitExceeded()},
		`{"when":{"after":{"count":0,"when":{"not":{"access":"write"}}}},"do":"limitExceeded"}`},
	{"rate", Fault{When: Operation("CreateTable"), Do: RateExceeded()},
		`{"when":{"operation":"CreateTable"},"do":"rateExceeded"}`},
	{"joined", Fault{When: And(Or(Reads(), Table("a")), First(1)), Do: DropConnection()},
		`{"when":{"and":[{"or":[{"access":"read"},{"table":"a"}]},{"first":1}]},"do":"dropConnection"}`},
}

func TestText(t *testing.T) {
	for _, tc := range texts {
		t.Run(tc.name, func(t *testing.T) {
			assert.Equal(t, tc.text, tc.fault.String())
			marshaled, err := json.Marshal(tc.fault)
			require.NoError(t, err)
			assert.Equal(t, tc.text, string(marshaled))
			parsed, err := Parse([]byte(tc.text))
			require.NoError(t, err)
			assert.Equal(t, []Fault{tc.fault}, parsed)
		})
	}
}

func TestParse(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"several", ` [{"do":"loseResponse"}, {"do":"dropConnection"}] `,
			`{"do":"loseResponse"} {"do":"dropConnection"}`},
		{"none", `[]`, ``},
		{"a kind without parameters as an object", `{"do":{"loseResponse":{}}}`,
			`{"do":"loseResponse"}`},
		{"a kind whose parameters are optional as a string", `{"do":"throttle"}`,
			`{"do":{"throttle":{}}}`},
		{"what counts comes last",
			`{"do":"loseResponse","when":{"first":1,"probability":0.5,"table":"a","operation":"PutItem"}}`,
			`{"when":{"and":[{"operation":"PutItem"},{"table":"a"},{"probability":0.5},{"first":1}]},"do":"loseResponse"}`},
		{"several attributes", `{"when":{"key":{"pk":"a","sk":"1"}},"do":"loseResponse"}`,
			`{"when":{"and":[{"key":{"pk":"a"}},{"key":{"sk":"1"}}]},"do":"loseResponse"}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			faults, err := Parse([]byte(tc.text))
			require.NoError(t, err)
			var printed []string
			for _, f := range faults {
				printed = append(printed, f.String())
			}
			assert.Equal(t, tc.want, strings.Join(printed, " "))
		})
	}
}

func TestParseRefuses(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"no text", ``, `fault: the text is no JSON`},
		{"no JSON", `{"do":"loseResponse",}`, `fault: the text is no JSON`},
		{"half a surrogate pair", `{"when":{"table":"\ud800"},"do":"loseResponse"}`,
			`fault: the text is no JSON`},
		{"no UTF-8", "{\"do\":\"\xff\"}", `fault: the text is no JSON`},
		{"more text", `{"do":"loseResponse"} {}`, `fault: the text is no JSON`},
		{"no object", `"loseResponse"`, `fault: number 1: must be an object`},
		{"no effect", `[{"do":"loseResponse"},{}]`, `fault: number 2: the member "do" is missing`},
		{"unknown effect", `{"do":"boom"}`, `fault: number 1: do: there is no effect "boom"`},
		{"two effects", `{"do":{"loseResponse":{},"dropConnection":{}}}`,
			`fault: number 1: do: must be the name of an effect, or an object with one member that has that name`},
		{"unknown member", `{"do":"loseResponse","then":1}`,
			`fault: number 1: there is no member "then"`},
		{"another case", `{"Do":"loseResponse"}`, `fault: number 1: there is no member "Do"`},
		{"a member twice", `{"do":"loseResponse","do":"loseResponse"}`,
			`fault: the member "do" is there twice`},
		{"parameters of nothing", `{"do":{"loseResponse":{"x":1}}}`,
			`fault: number 1: do: loseResponse: there is no member "x"`},
		{"unknown parameter", `{"do":{"throttle":{"limit":"x"}}}`,
			`fault: number 1: do: throttle: there is no member "limit"`},
		{"bad parameter", `{"do":{"throttle":{"reason":"x"}}}`,
			`fault: number 1: do: throttle: "x" is no reason for throttling, such as TableWriteProvisionedThroughputExceeded`},
		{"parameters missing", `{"do":"latency"}`,
			`fault: number 1: do: latency: must be a string`},
		{"no duration", `{"do":{"latency":"5"}}`,
			`fault: number 1: do: latency: "5" is no duration such as "50ms"`},
		{"no share", `{"do":{"unprocessed":"all"}}`,
			`fault: number 1: do: unprocessed: must be a number`},
		{"a share out of range", `{"do":{"unprocessed":1e999}}`,
			`fault: number 1: do: unprocessed: 1e999 is out of range`},
		{"no integer", `{"do":{"shortPages":1.5}}`,
			`fault: number 1: do: shortPages: 1.5 is no integer of 32 bits`},
		{"no seed", `{"do":"loseResponse","seed":-1}`,
			`fault: number 1: seed: -1 is no integer from 0 on of 64 bits`},
		{"no truth value", `{"do":"loseResponse","mustHit":1}`,
			`fault: number 1: mustHit: must be true or false`},
		{"an operation that there is not", `{"do":"loseResponse","when":{"operation":"PutItems"}}`,
			`fault: number 1: when: operation: there is no operation "PutItems": did you mean PutItem?`},
		{"the beginning of an operation", `{"do":"loseResponse","when":{"operation":"putit"}}`,
			`there is no operation "putit": did you mean PutItem?`},
		{"no word of an operation", `{"do":"loseResponse","when":{"operation":"xyz"}}`,
			`there is no operation "xyz"`},
		{"no matcher", `{"do":"loseResponse","when":null}`,
			`fault: number 1: when: must be an object`},
		{"empty matcher", `{"do":"loseResponse","when":{}}`,
			`fault: number 1: when: there is nothing in it`},
		{"unknown matcher", `{"do":"loseResponse","when":{"who":"me"}}`,
			`fault: number 1: when: there is no matcher "who"`},
		{"function",
			Fault{When: Func(func(string, *Target) bool { return true }),
				Do: LoseResponse()}.String(),
			`fault: number 1: when: there is no matcher "func"`},
		{"names", `{"do":"loseResponse","when":{"table":[]}}`,
			`fault: number 1: when: table: names are missing`},
		{"no names", `{"do":"loseResponse","when":{"table":1}}`,
			`fault: number 1: when: table: must be a string, or an array of strings`},
		{"key", `{"do":"loseResponse","when":{"key":{"pk":1}}}`,
			`fault: number 1: when: key: pk: must be a string`},
		{"access", `{"do":"loseResponse","when":{"access":"r"}}`,
			`fault: number 1: when: access: must be "read" or "write"`},
		{"Kinesis stream of a request",
			`{"do":"loseResponse","when":{"times":{"count":1,"when":{"or":[{"not":{"kinesisStream":"arn:a"}}]}}}}`,
			`fault: number 1: loseResponse: kinesisStream chooses changes on their way to Kinesis, which cannot have it`},
		{"count", `{"do":"loseResponse","when":{"first":0}}`,
			`fault: number 1: when: first: must be at least 1`},
		{"part", `{"do":"loseResponse","when":{"times":{"count":1}}}`,
			`fault: number 1: when: times: the member "when" is missing`},
		{"inside", `{"do":"loseResponse","when":{"and":[{"or":[]}]}}`,
			`fault: number 1: when: and: or: matchers are missing`},
		{"deep", `{"do":"loseResponse","when":` +
			strings.Repeat(`{"not":`, 40) + `{"first":1}` + strings.Repeat(`}`, 41),
			`nested too deep, the limit is 32`},
		{"very deep", strings.Repeat(`[`, 1000) + strings.Repeat(`]`, 1000),
			`fault: the JSON is nested too deep`},
		{"too many",
			`[` + strings.Repeat(`{"do":"loseResponse"},`, maxFaults) + `{"do":"loseResponse"}]`,
			`fault: there are more than 1000 faults`},
		{"too long", strings.Repeat(` `, maxText) + `[]`,
			`fault: the text is longer than 1048576 bytes`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			faults, err := Parse([]byte(tc.text))
			assert.ErrorContains(t, err, tc.want)
			assert.Nil(t, faults)
		})
	}
}

// FuzzParse: Parse returns valid faults, and their text form parses to the same faults.
func FuzzParse(f *testing.F) {
	for _, tc := range texts {
		f.Add([]byte(tc.text))
	}
	f.Add([]byte(`[{"do":"throttle","when":{"first":1,"key":{"a":"b","c":"d"}}}]`))
	f.Fuzz(func(t *testing.T, text []byte) {
		faults, err := Parse(text)
		if err != nil {
			return
		}
		for _, fault := range faults {
			require.NoError(t, fault.Validate())
			again, err := Parse([]byte(fault.String()))
			require.NoError(t, err, fault.String())
			require.Equal(t, []Fault{fault}, again)
			require.Equal(t, fault.String(), again[0].String())
		}
	})
}
