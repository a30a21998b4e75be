package emulatortest

import (
	"context"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"

	"github.com/kugiri-db/kugiri/emulator"
)

// Option is an option of Start and Fork.
type Option func(*options)

type options struct {
	emulator  []emulator.Option
	accessKey string
	region    string
	client    []func(*dynamodb.Options)
	streams   []func(*dynamodbstreams.Options)
}

func optionsOf(opts []Option) options {
	o := options{accessKey: "test", region: "us-east-1"}
	for _, opt := range opts {
		opt(&o)
	}
	return o
}

// WithEmulator passes options to the emulator.
func WithEmulator(opts ...emulator.Option) Option {
	return func(o *options) { o.emulator = append(slices.Clip(o.emulator), opts...) }
}

// WithClockAt gives the emulator a clock of its own that shows at and moves only when the test
// moves it: see Server.Clock. Servers that share a clock take emulator.WithHeldClock by
// WithEmulator.
func WithClockAt(at time.Time) Option {
	return func(o *options) { WithEmulator(emulator.WithHeldClock(emulator.NewClock(at)))(o) }
}

// WithAccessKey sets the access key of Client. The access key selects the account whose tables
// Client sees. The default is "test".
func WithAccessKey(key string) Option { return func(o *options) { o.accessKey = key } }

// WithRegion sets the region of Client. The default is us-east-1.
func WithRegion(region string) Option { return func(o *options) { o.region = region } }

// WithClientOptions calls functions that change the options of the SDK's client. It calls them
// after all other options are set.
func WithClientOptions(fns ...func(*dynamodb.Options)) Option {
	return func(o *options) { o.client = append(slices.Clip(o.client), fns...) }
}

// WithStreamsClientOptions is WithClientOptions for StreamsClient.
func WithStreamsClientOptions(fns ...func(*dynamodbstreams.Options)) Option {
	return func(o *options) { o.streams = append(slices.Clip(o.streams), fns...) }
}

// NewClient returns an SDK client like that of Server.Client, for an emulator that belongs to no
// test. The client works until the process ends. Use it to fill a seed.
func NewClient(e *emulator.Emulator, opts ...Option) *dynamodb.Client {
	o := optionsOf(opts)
	return o.newClient(e.HTTPClient(o.accessKey, o.region))
}

// endpoint is the endpoint of clients that send requests in process.
const endpoint = "http://kugiri.invalid"

func (o *options) config(c aws.HTTPClient) aws.Config {
	return aws.Config{
		Region:       o.region,
		BaseEndpoint: aws.String(endpoint),
		HTTPClient:   c,
		Credentials:  aws.AnonymousCredentials{},
	}
}

func (o *options) newClient(c aws.HTTPClient) *dynamodb.Client {
	atOnce := func(s *dynamodb.Options) { s.Retryer = noDelay{s.Retryer} }
	return dynamodb.NewFromConfig(o.config(c),
		append([]func(*dynamodb.Options){atOnce}, o.client...)...)
}

func (o *options) newStreamsClient(c aws.HTTPClient) *dynamodbstreams.Client {
	atOnce := func(s *dynamodbstreams.Options) { s.Retryer = noDelay{s.Retryer} }
	return dynamodbstreams.NewFromConfig(o.config(c),
		append([]func(*dynamodbstreams.Options){atOnce}, o.streams...)...)
}

// noDelay retries as a Retryer does, with the same number of attempts, but without delays.
type noDelay struct{ aws.Retryer }

func (noDelay) RetryDelay(int, error) (time.Duration, error) { return 0, nil }

// GetAttemptToken calls that of the Retryer, if it has one (see aws.RetryerV2).
func (r noDelay) GetAttemptToken(ctx context.Context) (func(error) error, error) {
	if v2, ok := r.Retryer.(aws.RetryerV2); ok {
		return v2.GetAttemptToken(ctx)
	}
	return r.GetInitialToken(), nil
}
