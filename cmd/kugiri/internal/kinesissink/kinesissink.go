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
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/smithy-go"
	"github.com/spf13/pflag"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/endpoint"
	"github.com/kugiri-db/kugiri/conventions/outgoing"
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
		return &Sink{client: client{
			at:          func(context.Context, string) (string, error) { return s.Endpoint, nil },
			credentials: credentials.NewStaticCredentialsProvider("kugiri", "kugiri", ""),
			signer:      v4.NewSigner(),
			http:        endpoint.RestrictedClient(nil, s.Endpoint)}}, nil
	}
	cfg, err := config.LoadDefaultConfig(ctx)
	if err != nil {
		return nil, err
	}
	return &Sink{aws: true, client: client{
		at:          endpointsOfAWS(cfg),
		credentials: cfg.Credentials,
		signer:      v4.NewSigner(),
		http:        endpoint.RestrictedClient(cfg.HTTPClient, outgoing.AWS)}}, nil
}

// How long a request to Kinesis may take.
const (
	kinesisCheckTimeout = 5 * time.Second
	kinesisPutTimeout   = 30 * time.Second
)

// Sink is an emulator.KinesisSink for an endpoint. The emulator itself tries again.
type Sink struct {
	client  client
	aws     bool          // regions of streams become parts of hosts
	Timeout time.Duration // the time of all requests; 0: kinesisCheckTimeout and kinesisPutTimeout
}

// regionOf returns the region in the ARN of a stream.
func regionOf(streamARN string) string { return strings.Split(streamARN, ":")[3] }

// nameOf returns the name of a stream. Endpoints other than that of AWS do not know all ARNs.
func nameOf(streamARN string) string {
	_, name, _ := strings.Cut(streamARN, ":stream/")
	return name
}

// CheckStream implements emulator.KinesisSink.
func (s *Sink) CheckStream(ctx context.Context, streamARN string) error {
	if s.aws && !outgoing.IsRegion(regionOf(streamARN)) {
		return emulator.ErrNoKinesisStream
	}
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(s.Timeout, kinesisCheckTimeout))
	defer cancel()
	var out struct {
		StreamDescriptionSummary struct{ StreamStatus string }
	}
	err := s.client.do(ctx, regionOf(streamARN), "DescribeStreamSummary",
		map[string]string{"StreamName": nameOf(streamARN)}, &out)
	if err != nil {
		var answer smithy.APIError
		if errors.As(err, &answer) && answer.ErrorFault() == smithy.FaultClient && !throttled(err) {
			return fmt.Errorf("%w: %w", emulator.ErrNoKinesisStream, err)
		}
		return err
	}
	switch out.StreamDescriptionSummary.StreamStatus {
	case "ACTIVE", "UPDATING":
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
	type entry struct {
		Data         []byte
		PartitionKey string
	}
	in := struct {
		StreamName string
		Records    []entry
	}{nameOf(streamARN), make([]entry, len(records))}
	for i := range records {
		in.Records[i] = entry{records[i].Data, records[i].PartitionKey}
	}
	var out struct{ Records []struct{ ErrorCode *string } }
	if err := s.client.do(ctx, regionOf(streamARN), "PutRecords", in, &out); err != nil {
		return nil, err
	}
	for i := range min(len(records), len(out.Records)) {
		if out.Records[i].ErrorCode != nil {
			rejected = append(rejected, records[i])
		}
	}
	return append(rejected, records[min(len(records), len(out.Records)):]...), nil
}
