package main

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

// kinesisSettings say where the records of Kinesis destinations go.
type kinesisSettings struct {
	endpoint string // a URL; "aws": AWS itself; "": nowhere
	memory   int64
}

func (s *kinesisSettings) register(f *pflag.FlagSet) {
	f.StringVar(&s.endpoint, "kinesis-endpoint", "", "`URL` of the Kinesis endpoint that tables send their changes to, or aws for AWS itself with the credentials of the environment")
	f.Int64Var(&s.memory, "kinesis-memory", 128<<20, "`bytes` of changes that wait for Kinesis before the oldest are dropped, 0 for any")
}

func (s *kinesisSettings) check() error {
	if s.memory < 0 {
		return fmt.Errorf("kinesis-memory %d: a number of bytes is not negative", s.memory)
	}
	if s.endpoint == "" || s.endpoint == "aws" {
		return nil
	}
	if u, err := url.Parse(s.endpoint); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return fmt.Errorf("kinesis-endpoint %q: a URL such as http://localhost:4567, or aws", s.endpoint)
	}
	return nil
}

// options returns the options that the settings add.
func (s *kinesisSettings) options(ctx context.Context) ([]emulator.Option, error) {
	opts := []emulator.Option{emulator.WithLimits(emulator.Limits{KinesisMemory: bound(s.memory)})}
	if s.endpoint == "" {
		return opts, nil
	}
	sink, err := s.sink(ctx)
	if err != nil {
		return nil, fmt.Errorf("kinesis-endpoint: %w", err)
	}
	return append(opts, emulator.WithKinesis(sink)), nil
}

func (s *kinesisSettings) sink(ctx context.Context) (*kinesisSink, error) {
	if s.endpoint != "aws" {
		return &kinesisSink{client: kinesis.New(kinesis.Options{BaseEndpoint: &s.endpoint, Retryer: aws.NopRetryer{},
			Credentials: credentials.NewStaticCredentialsProvider("kugiri", "kugiri", "")})}, nil
	}
	cfg, err := config.LoadDefaultConfig(ctx, config.WithRetryer(func() aws.Retryer { return aws.NopRetryer{} }))
	if err != nil {
		return nil, err
	}
	return &kinesisSink{client: kinesis.NewFromConfig(cfg)}, nil
}

// How long a request to Kinesis may take.
const (
	kinesisCheckTimeout = 5 * time.Second
	kinesisPutTimeout   = 30 * time.Second
)

// kinesisSink is an emulator.KinesisSink for an endpoint. The emulator itself tries again.
type kinesisSink struct {
	client  *kinesis.Client
	timeout time.Duration // of all requests; 0: kinesisCheckTimeout and kinesisPutTimeout
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
func (s *kinesisSink) CheckStream(ctx context.Context, streamARN string) error {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(s.timeout, kinesisCheckTimeout))
	defer cancel()
	out, err := s.client.DescribeStreamSummary(ctx, &kinesis.DescribeStreamSummaryInput{StreamName: nameOf(streamARN)}, in(streamARN))
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
	return retry.ThrottleErrorCode{Codes: retry.DefaultThrottleErrorCodes}.IsErrorThrottle(err) == aws.TrueTernary
}

// PutRecords implements emulator.KinesisSink.
func (s *kinesisSink) PutRecords(ctx context.Context, streamARN string, records []emulator.KinesisRecord) (rejected []emulator.KinesisRecord, err error) {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(s.timeout, kinesisPutTimeout))
	defer cancel()
	entries := make([]types.PutRecordsRequestEntry, len(records))
	for i := range records {
		entries[i] = types.PutRecordsRequestEntry{Data: records[i].Data, PartitionKey: &records[i].PartitionKey}
	}
	out, err := s.client.PutRecords(ctx, &kinesis.PutRecordsInput{StreamName: nameOf(streamARN), Records: entries}, in(streamARN))
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
