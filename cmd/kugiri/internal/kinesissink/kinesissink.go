// Package kinesissink sends the changes of tables to an endpoint of Kinesis.
package kinesissink

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/kinesis"
	"github.com/aws/aws-sdk-go-v2/service/kinesis/types"
	"github.com/aws/smithy-go"
	"github.com/spf13/pflag"

	"github.com/kugiri-db/kugiri/emulator"
)

// Settings say where the records of Kinesis destinations go.
type Settings struct {
	Endpoint string // a URL; "aws": AWS itself; "": nowhere
	Memory   int64
}

// Register makes the flags.
func (s *Settings) Register(f *pflag.FlagSet) {
	f.StringVar(&s.Endpoint, "kinesis-endpoint", "",
		"`URL` of the Kinesis endpoint that tables send their changes to, or aws for AWS itself with the credentials of the environment")
	f.Int64Var(&s.Memory, "kinesis-memory", 128<<20,
		"`bytes` of changes that wait for Kinesis before the oldest are dropped, 0 for any")
}

// Check finds what is wrong with the settings.
func (s *Settings) Check() error {
	if s.Memory < 0 {
		return fmt.Errorf("kinesis-memory %d: a number of bytes is not negative", s.Memory)
	}
	if s.Endpoint == "" || s.Endpoint == "aws" {
		return nil
	}
	if u, err := url.Parse(s.Endpoint); err != nil || u.Host == "" || u.Scheme != "http" &&
		u.Scheme != "https" {
		return fmt.Errorf("kinesis-endpoint %q: a URL such as http://localhost:4567, or aws",
			s.Endpoint)
	}
	return nil
}

// Options returns the options that the settings add.
func (s *Settings) Options(ctx context.Context) ([]emulator.Option, error) {
	if s.Endpoint == "" {
		return nil, nil
	}
	sink, err := s.Sink(ctx)
	if err != nil {
		return nil, fmt.Errorf("kinesis-endpoint: %w", err)
	}
	return []emulator.Option{emulator.WithKinesis(sink)}, nil
}

// Sink returns the sink of an endpoint.
func (s *Settings) Sink(ctx context.Context) (*Sink, error) {
	if s.Endpoint != "aws" {
		return &Sink{client: kinesis.New(kinesis.Options{BaseEndpoint: &s.Endpoint,
			Retryer:     aws.NopRetryer{},
			Credentials: credentials.NewStaticCredentialsProvider("kugiri", "kugiri", "")})}, nil
	}
	cfg, err := config.LoadDefaultConfig(ctx,
		config.WithRetryer(func() aws.Retryer { return aws.NopRetryer{} }))
	if err != nil {
		return nil, err
	}
	return &Sink{client: kinesis.NewFromConfig(cfg)}, nil
}

// How long a request to Kinesis may take.
const (
	kinesisCheckTimeout = 5 * time.Second
	kinesisPutTimeout   = 30 * time.Second
)

// Sink is an emulator.KinesisSink for an endpoint. The emulator itself tries again.
type Sink struct {
	client  *kinesis.Client
	Timeout time.Duration // of all requests; 0: kinesisCheckTimeout and kinesisPutTimeout
}

// in makes a request go to the region of a stream.
func in(streamARN string) func(*kinesis.Options) {
	return func(o *kinesis.Options) { o.Region = strings.Split(streamARN, ":")[3] }
}

// nameOf returns the name of a stream. Endpoints other than that of AWS do not know all ARNs.
func nameOf(streamARN string) *string {
	_, name, _ := strings.Cut(streamARN, ":stream/")
	return &name
}

// CheckStream implements emulator.KinesisSink.
func (s *Sink) CheckStream(ctx context.Context, streamARN string) error {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(s.Timeout, kinesisCheckTimeout))
	defer cancel()
	out, err := s.client.DescribeStreamSummary(ctx,
		&kinesis.DescribeStreamSummaryInput{StreamName: nameOf(streamARN)}, in(streamARN))
	if err != nil {
		var answer smithy.APIError
		if errors.As(err, &answer) && answer.ErrorFault() == smithy.FaultClient && !throttled(err) {
			return fmt.Errorf("%w: %w", emulator.ErrNoKinesisStream, err)
		}
		return err
	}
	switch out.StreamDescriptionSummary.StreamStatus {
	case types.StreamStatusActive, types.StreamStatusUpdating:
		return nil
	}
	return emulator.ErrNoKinesisStream
}

// throttled reports whether an error is a throttle, which says nothing about the stream.
func throttled(err error) bool {
	return retry.ThrottleErrorCode{
		Codes: retry.DefaultThrottleErrorCodes,
	}.IsErrorThrottle(err) == aws.TrueTernary
}

// PutRecords implements emulator.KinesisSink.
func (s *Sink) PutRecords(ctx context.Context, streamARN string,
	records []emulator.KinesisRecord) (rejected []emulator.KinesisRecord, err error) {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(s.Timeout, kinesisPutTimeout))
	defer cancel()
	entries := make([]types.PutRecordsRequestEntry, len(records))
	for i := range records {
		entries[i] = types.PutRecordsRequestEntry{
			Data: records[i].Data, PartitionKey: &records[i].PartitionKey,
		}
	}
	out, err := s.client.PutRecords(ctx,
		&kinesis.PutRecordsInput{StreamName: nameOf(streamARN), Records: entries}, in(streamARN))
	if err != nil {
		return nil, err
	}
	for i := range min(len(records), len(out.Records)) {
		if out.Records[i].ErrorCode != nil {
			rejected = append(rejected, records[i])
		}
	}
	return append(rejected, records[min(len(records), len(out.Records)):]...), nil
}
