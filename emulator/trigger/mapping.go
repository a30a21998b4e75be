package trigger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/storage/budget"
)

// Function handles an event, which is JSON: {"Records": [...]} with records as Lambda passes them.
// An error means that it handled none of them. The response matters only with
// Mapping.ReportBatchItemFailures, and may be nil. The method Invoke of a handler of
// github.com/aws/aws-lambda-go/lambda is such a function.
type Function func(ctx context.Context, event []byte) (response []byte, err error)

// Discarded receives the records that a mapping gives up. Text is a line of JSON as Lambda sends it
// to a queue. After an error the mapping goes on without the records.
type Discarded func(ctx context.Context, text []byte) error

// The positions from which a stream is read that is older than its mapping.
const (
	TrimHorizon = "TRIM_HORIZON" // the first record is the stream's oldest one
	Latest      = "LATEST"       // only what is written from now on
)

// Forever is a limit of Mapping that limits nothing.
const Forever = -1

// Mapping says which records of a table's stream a function gets. NewMapping makes one.
type Mapping struct {
	Table string // its name, for a table in any account and region, or its ARN

	BatchSize        int           // the most records of a call: 1 to 10,000; 0 is 100
	BatchWindow      time.Duration // how long a batch waits for more records: up to 300 s
	StartingPosition string        // TrimHorizon or Latest; "" is TrimHorizon
	// patterns in JSON; a record that matches none is passed over. Up to 10
	Filters []string
	// calls at a time for each shard, with different items: 1 to 10; 0 is 1
	ParallelizationFactor int
	// the length of tumbling windows, whose calls share a state: up to 900 s; 0 for no windows
	TumblingWindow time.Duration

	// After an error the function gets the same batch again, within these limits.
	// the halves of a failed batch come one after the other
	BisectBatchOnFunctionError bool
	MaxRecordAge               time.Duration // 60 s to 7 days; Forever or 0 for any age
	MaxRetries                 int           // Forever, or up to 10,000. NewMapping sets Forever
	// the response names the record from which on to try again
	ReportBatchItemFailures bool
	OnFailure               Discarded // gets the records that are given up; nil for nobody
	// OnFailure gets the event as well, in the member payload, as buckets of S3 do
	OnFailurePayload bool
}

// The limits of mappings (Lambda API Reference, CreateEventSourceMapping; Lambda quotas).
const (
	defaultBatchSize = 100
	maxBatchSize     = 10_000
	maxBatchWindow   = 300 * time.Second
	maxFilters       = 10
	maxPattern       = 4096 // characters
	maxFactor        = 10
	maxTumbling      = 900 * time.Second
	minAge           = 60 * time.Second
	maxAge           = 7 * 24 * time.Hour
	maxRetries       = 10_000
)

// NewMapping returns the mapping of a table that Lambda makes by default: a failed batch is tried
// again without end.
func NewMapping(table string) Mapping { return Mapping{Table: table, MaxRetries: Forever} }

// Check returns why the mapping is not valid, or nil.
func (m *Mapping) Check() error {
	for _, limit := range []struct {
		name               string
		value, least, most int
	}{
		{"BatchSize", m.batchSize(), 1, maxBatchSize},
		{"ParallelizationFactor", m.factor(), 1, maxFactor},
		{"MaximumRetryAttempts", m.MaxRetries, Forever, maxRetries},
	} {
		if err := checkRange(limit.name, limit.value, limit.least, limit.most); err != nil {
			return err
		}
	}
	switch {
	case m.Table == "":
		return errors.New("there is no table")
	case m.BatchWindow < 0 || m.BatchWindow > maxBatchWindow:
		return fmt.Errorf("MaximumBatchingWindowInSeconds is %v: want 0s to %v", m.BatchWindow,
			maxBatchWindow)
	case m.TumblingWindow < 0 || m.TumblingWindow > maxTumbling ||
		m.TumblingWindow%time.Second != 0:
		return fmt.Errorf("TumblingWindowInSeconds is %v: want 0s to %v", m.TumblingWindow,
			maxTumbling)
	case m.TumblingWindow > 0 && m.factor() > 1:
		return errors.New("a tumbling window has a ParallelizationFactor of 1")
	case m.MaxRecordAge != Forever && m.MaxRecordAge != 0 &&
		(m.MaxRecordAge < minAge || m.MaxRecordAge > maxAge):
		return errMaxAge
	case !slices.Contains([]string{"", TrimHorizon, Latest}, m.StartingPosition):
		return fmt.Errorf(
			"StartingPosition is %q: a stream of DynamoDB has TRIM_HORIZON and LATEST",
			m.StartingPosition)
	case len(m.Filters) > maxFilters:
		return fmt.Errorf("there are more than %d filters", maxFilters)
	}
	_, err := newFilters(m.Filters)
	return err
}

var errMaxAge = errors.New("MaximumRecordAgeInSeconds is -1, or between 60 and 604800")

func checkRange(name string, value, least, most int) error {
	if value < least || value > most {
		return fmt.Errorf("%s is %d: want %d to %d", name, value, least, most)
	}
	return nil
}

// factor returns how many calls there may be at a time for a shard.
func (m *Mapping) factor() int {
	if m.ParallelizationFactor == 0 {
		return 1
	}
	return m.ParallelizationFactor
}

// batchSize returns the number of records of a full batch.
func (m *Mapping) batchSize() int {
	if m.BatchSize == 0 {
		return defaultBatchSize
	}
	return m.BatchSize
}

// Definition is a mapping as Parse reads it.
type Definition struct {
	Mapping  Mapping
	Function string // a URL
	// where what is given up goes: a URL, the ARN of a bucket, the name of a file, or ""
	Failures string
}

// Bucket returns the name of the bucket to which what is given up goes, or "".
func (d Definition) Bucket() string {
	bucket, is := strings.CutPrefix(d.Failures, bucketARN)
	if !is {
		return ""
	}
	return bucket
}

// bucketARN is the beginning of the ARN of a bucket.
const bucketARN = "arn:aws:s3:::"

// members are the members of CreateEventSourceMapping that a definition may have.
type members struct {
	BatchSize                      *int
	MaximumBatchingWindowInSeconds int
	StartingPosition               string
	FilterCriteria                 struct {
		Filters []struct{ Pattern string }
	}
	ParallelizationFactor      *int
	BisectBatchOnFunctionError bool
	MaximumRecordAgeInSeconds  *int
	MaximumRetryAttempts       *int
	FunctionResponseTypes      []string
	TumblingWindowInSeconds    int
	DestinationConfig          struct {
		OnFailure struct{ Destination string }
	}
}

// Parse reads a definition: a table, "->" and the URL of a function, and then perhaps a JSON object
// with members of Lambda's CreateEventSourceMapping:
//
//	orders -> http://localhost:9000/2015-03-31/functions/function/invocations {"BatchSize": 10}
//
// The destination of failures is a URL, the ARN of a bucket, or the name of a file.
func Parse(text string) (d Definition, err error) {
	table, rest, found := strings.Cut(text, "->")
	url, options, _ := strings.Cut(strings.TrimSpace(rest), " ")
	if table = strings.TrimSpace(table); !found || table == "" || url == "" {
		return d, fmt.Errorf("%q is no trigger: write TABLE -> URL", text)
	}
	if !isURL(url) {
		return d, fmt.Errorf("the function %q is no URL: it begins with http:// or https://", url)
	}
	var in members
	if err := in.read(table, options); err != nil {
		return d, err
	}
	d = Definition{
		Mapping: NewMapping(table), Function: url,
		Failures: in.DestinationConfig.OnFailure.Destination,
	}
	if err := errors.Join(d.checkFailures(), in.set(&d.Mapping)); err != nil {
		return d, fmt.Errorf("the trigger of %s: %w", table, err)
	}
	return d, nil
}

// checkFailures refuses the ARNs of what nobody can send to: no file is called so.
func (d Definition) checkFailures() error {
	name := d.Bucket()
	if !strings.HasPrefix(d.Failures, "arn:") || name != "" && !strings.Contains(name, "/") {
		return nil
	}
	return fmt.Errorf("the destination of failures is %q: give a URL, a file, or %sBUCKET",
		d.Failures, bucketARN)
}

// ParseMapping reads the mapping of a table: a JSON object with members of Lambda's
// CreateEventSourceMapping, as those of Parse, or nothing. It has no destination of failures and no
// tumbling windows.
func ParseMapping(table, options string) (m Mapping, err error) {
	var in members
	m = NewMapping(table)
	if err := in.read(table, options); err != nil {
		return m, budget.Brief(err)
	}
	if in.DestinationConfig.OnFailure.Destination != "" {
		return m, fmt.Errorf("the trigger of %s: a destination of failures is not possible here", table)
	}
	if in.TumblingWindowInSeconds != 0 {
		return m,
			fmt.Errorf("the trigger of %s: a tumbling window is not possible here", table)
	}
	if err := in.set(&m); err != nil {
		return m, budget.Brief(fmt.Errorf("the trigger of %s: %w", table, err))
	}
	return m, nil
}

// read reads the options of a trigger.
func (in *members) read(table, options string) error {
	if options = strings.TrimSpace(options); options == "" {
		return nil
	}
	decoder := json.NewDecoder(strings.NewReader(options))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(in); err != nil {
		return fmt.Errorf("the options of the trigger of %s: %w", table, err)
	}
	if rest := strings.TrimSpace(options[decoder.InputOffset():]); rest != "" {
		return fmt.Errorf("the options of the trigger of %s are followed by %q", table, rest)
	}
	return nil
}

func isURL(text string) bool {
	return strings.HasPrefix(text, "http://") || strings.HasPrefix(text, "https://")
}

// seconds returns a duration, or the longest one if there are more seconds than it has.
func seconds(n int) time.Duration {
	const most = math.MaxInt64 / int64(time.Second)
	return time.Duration(max(-most, min(int64(n), most))) * time.Second
}

// set gives the members to a mapping, and checks it.
func (in *members) set(m *Mapping) error {
	for _, member := range []struct {
		name     string
		from, to *int
		most     int
	}{
		{"BatchSize", in.BatchSize, &m.BatchSize, maxBatchSize},
		{"ParallelizationFactor", in.ParallelizationFactor, &m.ParallelizationFactor, maxFactor},
	} {
		if member.from == nil {
			continue
		}
		// 0 is no default here
		if err := checkRange(member.name, *member.from, 1, member.most); err != nil {
			return err
		}
		*member.to = *member.from
	}
	if in.MaximumRetryAttempts != nil {
		m.MaxRetries = *in.MaximumRetryAttempts
	}
	if age := in.MaximumRecordAgeInSeconds; age != nil {
		switch m.MaxRecordAge = seconds(*age); *age {
		case Forever:
			m.MaxRecordAge = Forever
		case 0: // zero is no default here
			return errMaxAge
		}
	}
	m.BatchWindow = seconds(in.MaximumBatchingWindowInSeconds)
	m.TumblingWindow = seconds(in.TumblingWindowInSeconds)
	m.StartingPosition = in.StartingPosition
	m.BisectBatchOnFunctionError = in.BisectBatchOnFunctionError
	for _, f := range in.FilterCriteria.Filters {
		m.Filters = append(m.Filters, f.Pattern)
	}
	for _, kind := range in.FunctionResponseTypes {
		if kind != "ReportBatchItemFailures" {
			return fmt.Errorf("FunctionResponseTypes has %q: there is only ReportBatchItemFailures",
				kind)
		}
		m.ReportBatchItemFailures = true
	}
	return m.Check()
}
