package conformance

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/kugiri-db/kugiri/emulator"
)

// TestKinesisRequests: what the operations on Kinesis destinations say of requests that cannot
// succeed.
func TestKinesisRequests(t *testing.T) {
	t.Parallel()
	x := newTable(t, keys("pk:S"))
	const stream = `"StreamArn":"arn:aws:kinesis:us-east-1:000000000000:stream/none"`
	const notFound = noSuchTableNamed
	const state = "ValidationException: Table is not in a valid state to enable Kinesis Streaming Destination: "
	const micro = `"UpdateKinesisStreamingConfiguration":{"ApproximateCreationDateTimePrecision":"MICROSECOND"}`
	const nothing = "ValidationException: Streaming destination cannot be updated with given parameters: " +
		"UpdateKinesisStreamingConfiguration cannot be null or contain only null values"
	table := func(members ...string) string {
		return `{"TableName":"` + x.name + `",` + strings.Join(members, ",") + `}`
	}
	none := `{"TableName":"no-such-table",` + stream + `}`
	run(t, defaults{src: "API Reference"}, []kase{
		{name: "enable for no table", op: "EnableKinesisStreamingDestination", in: none,
			err: notFound},
		{name: "disable for no table", op: "DisableKinesisStreamingDestination", in: none,
			err: notFound},
		{name: "update for no table", op: "UpdateKinesisStreamingDestination",
			in: strings.Replace(none, "}", ","+micro+"}", 1), err: notFound},
		{name: "an ARN that is too short", op: "EnableKinesisStreamingDestination",
			in:  table(`"StreamArn":"not-an-arn"`),
			err: "ValidationException: 1 validation error detected: Value 'not-an-arn' at 'streamArn' failed to satisfy constraint: Member must have length greater than or equal to 37"},
		{name: "an unknown precision", op: "EnableKinesisStreamingDestination",
			in: table(stream,
				`"EnableKinesisStreamingConfiguration":{"ApproximateCreationDateTimePrecision":"SECOND"}`),
			err: "ValidationException: 1 validation error detected: Value 'SECOND' at 'enableKinesisStreamingConfiguration.approximateCreationDateTimePrecision' failed to satisfy constraint: Member must satisfy enum value set: [MILLISECOND, MICROSECOND]"},
		{name: "disable what was never enabled", src: "ack-api-quirks, DDB-TABLE-302",
			op: "DisableKinesisStreamingDestination", in: table(stream),
			err: state +
				"KinesisStreamingDestination must be ACTIVE to perform DISABLE operation."},
		{name: "disable with a configuration", src: "ack-api-quirks, DDB-TABLE-301",
			op: "DisableKinesisStreamingDestination",
			in: table(stream,
				`"EnableKinesisStreamingConfiguration":{"ApproximateCreationDateTimePrecision":"MICROSECOND"}`),
			err: "ValidationException: Stream cannot be disabled using EnableKinesisStreamingConfiguration parameters"},
		{name: "update what was never enabled", src: "service facts M.8",
			op: "UpdateKinesisStreamingDestination", in: table(stream, micro),
			err: state +
				"No streaming destination with streamArn: arn:aws:kinesis:us-east-1:000000000000:stream/none found for table with tableName: " + x.name},
		{name: "update nothing", src: "ack-api-quirks, DDB-TABLE-300",
			op: "UpdateKinesisStreamingDestination", in: table(stream), err: nothing},
		{name: "update with an empty configuration", src: "ack-api-quirks, DDB-TABLE-300",
			op: "UpdateKinesisStreamingDestination",
			in: table(stream, `"UpdateKinesisStreamingConfiguration":{}`), err: nothing},
	})
}

// streamsOfTest is a KinesisSink with one stream, which takes everything.
type streamsOfTest struct{}

const kinesisStream = "arn:aws:kinesis:eu-west-3:000000000000:stream/music"

func (streamsOfTest) CheckStream(_ context.Context, stream string) error {
	if stream != kinesisStream {
		return emulator.ErrNoKinesisStream
	}
	return nil
}

func (streamsOfTest) PutRecords(context.Context, string,
	[]emulator.KinesisRecord) ([]emulator.KinesisRecord, error) {
	return nil, nil
}

// TestKinesisStates: ack-api-quirks, DDB-TABLE-236, -268, -299, -300, -301 and -318, which are
// probes of the service.
func TestKinesisStates(t *testing.T) {
	t.Parallel()
	clock := emulator.NewClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	send := private(t, emulator.WithHeldClock(clock),
		emulator.WithTableDelays(10*time.Second, 10*time.Second, 10*time.Second),
		emulator.WithKinesis(streamsOfTest{}))
	const table, stream = `{"TableName":"music"}`, `{"TableName":"music","StreamArn":"` +
		kinesisStream + `"}`
	none := strings.Replace(stream, "/music", "/none", 1)
	precision := func(p string) string {
		return strings.TrimSuffix(stream, "}") +
			`,"UpdateKinesisStreamingConfiguration":{"ApproximateCreationDateTimePrecision":"` +
			p + `"}}`
	}
	const state = "ValidationException: Table is not in a valid state to enable Kinesis Streaming Destination: "
	const notDisabled = state +
		"EnableKinesisStreamingDestination must be DISABLED or ENABLE_FAILED to perform ENABLE operation."
	const notEnabled = state +
		"KinesisStreamingDestination must be ACTIVE to perform DISABLE operation."
	const notActive = state +
		"Kinesis streaming is not in ACTIVE state. Updates are only allowed in ACTIVE state. TableName: music, kdsArn: " + kinesisStream
	is := func(destinations string) step {
		return step{
			name: destinations, op: "DescribeKinesisStreamingDestination", body: table,
			has: `{"KinesisDataStreamDestinations":[` + destinations + `]}`,
		}
	}
	in := func(status, more string) string {
		return `{"StreamArn":"` + kinesisStream + `","DestinationStatus":"` +
			status + `"` + more + `}`
	}
	const failed = `{"StreamArn":"arn:aws:kinesis:eu-west-3:000000000000:stream/none","DestinationStatus":"ENABLE_FAILED",` +
		`"DestinationStatusDescription":"User does not have a permission to use kinesis stream"}`
	refused := func(enable, disable, update string) []step {
		return []step{
			{name: "enable", op: "EnableKinesisStreamingDestination", body: stream, err: enable},
			{name: "enable another", op: "EnableKinesisStreamingDestination", body: none,
				err: enable},
			{name: "disable", op: "DisableKinesisStreamingDestination", body: stream, err: disable},
			{name: "update", op: "UpdateKinesisStreamingDestination",
				body: precision("MICROSECOND"), err: update},
		}
	}
	const notFound = "ResourceNotFoundException: Requested resource not found: Table: music not found"
	follow(t, send,
		[]step{{name: "create", op: "CreateTable",
			body: `{"TableName":"music",` + keys("pk:S") + `}`}})
	follow(t, send, refused(notFound, notFound, notFound))
	clock.Advance(10 * time.Second)
	follow(t, send, []step{
		{name: "enable no stream", op: "EnableKinesisStreamingDestination", body: none,
			has: `{"DestinationStatus":"ENABLING"}`},
	})
	clock.Advance(10 * time.Second)
	follow(t, send, []step{
		is(failed),
		{name: "enable", op: "EnableKinesisStreamingDestination", body: stream,
			has: `{"TableName":"music","StreamArn":"` + kinesisStream +
				`","DestinationStatus":"ENABLING","EnableKinesisStreamingConfiguration":{}}`},
		is(in("ENABLING", "") + "," + failed),
	})
	follow(t, send, refused(notDisabled, notEnabled, notActive))
	clock.Advance(10 * time.Second)
	follow(t, send, []step{
		is(in("ACTIVE", "") + "," + failed),
		{name: "enable twice", op: "EnableKinesisStreamingDestination", body: stream,
			err: notDisabled},
		{name: "enable a second", op: "EnableKinesisStreamingDestination", body: none,
			err: notDisabled},
		{name: "the precision that it has", op: "UpdateKinesisStreamingDestination",
			body: precision("MILLISECOND"),
			err:  "ValidationException: Invalid Request: Precision is already set to the desired value of MILLISECOND for tableId: *"},
		{name: "update", op: "UpdateKinesisStreamingDestination", body: precision("MICROSECOND"),
			has: `{"TableName":"music","StreamArn":"` + kinesisStream +
				`","DestinationStatus":"UPDATING","UpdateKinesisStreamingConfiguration":{"ApproximateCreationDateTimePrecision":"MICROSECOND"}}`},
		is(in("UPDATING", `,"ApproximateCreationDateTimePrecision":"MICROSECOND"`) + "," + failed),
	})
	follow(t, send, refused(notDisabled, notEnabled, notActive))
	clock.Advance(10 * time.Second)
	follow(t, send, []step{
		is(in("ACTIVE", `,"ApproximateCreationDateTimePrecision":"MICROSECOND"`) + "," + failed),
		{name: "disable", op: "DisableKinesisStreamingDestination", body: stream,
			has: `{"TableName":"music","StreamArn":"` + kinesisStream +
				`","DestinationStatus":"DISABLING"}`},
		{name: "disable again", op: "DisableKinesisStreamingDestination", body: stream,
			has: `{"DestinationStatus":"DISABLING"}`},
		{name: "enable too early", op: "EnableKinesisStreamingDestination", body: stream,
			err: notDisabled},
		{name: "update too late", op: "UpdateKinesisStreamingDestination",
			body: precision("MICROSECOND"), err: notActive},
	})
	clock.Advance(10 * time.Second)
	follow(t, send, []step{
		is(in("DISABLED", "") + "," + failed),
		{name: "disable what is disabled", op: "DisableKinesisStreamingDestination", body: stream,
			err: notEnabled},
		{name: "enable once more", op: "EnableKinesisStreamingDestination", body: stream},
	})
	clock.Advance(10 * time.Second)
	follow(t, send, []step{
		is(in("ACTIVE", "") + "," + failed),
		{name: "delete the table", op: "DeleteTable", body: table},
		is(in("ACTIVE", "") + "," + failed),
		{name: "update at first", op: "UpdateKinesisStreamingDestination",
			body: precision("MICROSECOND")},
		{name: "enable at first", op: "EnableKinesisStreamingDestination", body: none,
			err: notDisabled},
	})
	clock.Advance(2500 * time.Millisecond) // the first quarter of the deletion
	follow(t, send, []step{is(in("UPDATING", "") + "," + failed)})
	follow(t, send, refused(notDisabled, notEnabled, notActive))
	clock.Advance(7500 * time.Millisecond)
	follow(t, send, []step{
		{name: "gone", op: "DescribeKinesisStreamingDestination", body: table, err: notFound},
	})
}

// TestKinesisWithoutEndpoint: a service without Kinesis has no streams.
func TestKinesisWithoutEndpoint(t *testing.T) {
	t.Parallel()
	send := private(t)
	follow(t, send, []step{
		{name: "create", op: "CreateTable", body: `{"TableName":"music",` + keys("pk:S") + `}`},
		{name: "enable", op: "EnableKinesisStreamingDestination",
			body: `{"TableName":"music","StreamArn":"` + kinesisStream + `"}`},
		{name: "failed", op: "DescribeKinesisStreamingDestination",
			body: `{"TableName":"music"}`,
			has: `{"KinesisDataStreamDestinations":[{"StreamArn":"` + kinesisStream + `",
			"DestinationStatus":"ENABLE_FAILED","DestinationStatusDescription":"User does not have a permission to use kinesis stream"}]}`},
	})
}
