package conformance

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kugiri-db/kugiri/emulator"
)

// endingStreams is a KinesisSink whose one stream may be deleted.
type endingStreams struct {
	streamsOfTest
	gone atomic.Bool
}

func (s *endingStreams) CheckStream(ctx context.Context, stream string) error {
	if s.gone.Load() {
		return emulator.ErrNoKinesisStream
	}
	return s.streamsOfTest.CheckStream(ctx, stream)
}

// TestProbesOfDestinations: ack-api-quirks, DDB-TABLE-234, 235, 271, 302, 303, 319 and 460, probes
// of the service.
func TestProbesOfDestinations(t *testing.T) {
	t.Parallel()
	clock := emulator.NewClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	sink := new(endingStreams)
	x := &changingTest{t, clock, private(t, emulator.WithHeldClock(clock), emulator.WithKinesis(
		sink),
		emulator.WithTableDelays(10*time.Second, 10*time.Second, 10*time.Second))}
	const stream = `{"TableName":"table","StreamArn":"` + kinesisStream + `"}`
	const state = "ValidationException: Table is not in a valid state to enable Kinesis Streaming Destination: "
	micro := strings.TrimSuffix(stream, "}") + `,"UpdateKinesisStreamingConfiguration":{"ApproximateCreationDateTimePrecision":"MICROSECOND"}}`
	is := func(name, members string) step {
		return step{name: name, op: "DescribeKinesisStreamingDestination", body: ofTable,
			has: `{"TableName":"table","KinesisDataStreamDestinations":[` + members + `]}`}
	}
	in := func(status string) string {
		return `{"StreamArn":"` + kinesisStream + `","DestinationStatus":"` + status + `"}`
	}
	op := func(op, body string) step {
		return step{name: op, op: op + "KinesisStreamingDestination", body: body}
	}
	wait := func() { clock.Advance(10 * time.Second) }
	x.create()
	wait()
	x.follow(is("none", ""), changes("another class", infrequent, ""), op("Enable", stream),
		step{name: "insights", op: "UpdateContributorInsights", body: withReports},
		shows("still changing", `{"TableStatus":"UPDATING","StreamSpecification":null,"LatestStreamArn":null}`))
	wait()
	x.follow(is("active", in("ACTIVE")), shows("active too", `{"TableStatus":"ACTIVE"}`),
		step{name: "insights now", op: "DescribeContributorInsights", body: ofTable, has: `{"ContributorInsightsStatus":"ENABLED"}`},
		step{name: "disable none", op: "DisableKinesisStreamingDestination",
			body: strings.Replace(stream, "stream/music", "stream/none", 1),
			err:  state + "KinesisStreamingDestination must be ACTIVE to perform DISABLE operation."},
		step{name: "disable what is no stream", op: "DisableKinesisStreamingDestination",
			body: `{"TableName":"table","StreamArn":"this is not the ARN of any stream of Kinesis"}`,
			err:  state + "KinesisStreamingDestination must be ACTIVE to perform DISABLE operation."},
		changes("a stream", aStream, ""))
	wait()
	x.follow(is("beside a stream", in("ACTIVE")),
		changes("no stream", `"StreamSpecification":{"StreamEnabled":false}`, ""))
	wait()
	sink.gone.Store(true)
	x.follow(is("its stream is gone", in("ACTIVE")), op("Update", micro), is("updating", in(
		"UPDATING")))
	wait()
	x.follow(is("updated", in("ACTIVE")), op("Disable", stream))
	wait()
	sink.gone.Store(false)
	x.follow(is("disabled", in("DISABLED")), op("Enable", stream))
	wait()
	x.follow(is("enabled again", in("ACTIVE")), is("the precision from before", `{"ApproximateCreationDateTimePrecision":null}`),
		op("Disable", stream))
	wait()
	x.follow(op("Enable", stream),
		step{name: "delete while it is enabled", op: "DeleteTable", body: ofTable},
		is("enabling", in("ENABLING")))
	wait()
	x.create()
	wait()
	x.follow(is("another table of that name", ""))
}
