package trigger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Function handles an event, which is JSON: {"Records": [...]} with records as Lambda passes them.
// An error means that it handled none of them. The response matters only with
// Mapping.ReportBatchItemFailures; nil is none. The method Invoke of a handler of
// github.com/aws/aws-lambda-go/lambda is such a function.
type Function func(ctx context.Context, event []byte) (response []byte, err error)

// Discarded receives the records that a mapping gives up. Text is a line of JSON as Lambda sends it
// to a queue. After an error the mapping goes on without the records.
type Discarded func(ctx context.Context, text []byte) error

// The positions from which a stream is read that is older than its mapping.
const (
	TrimHorizon = "TRIM_HORIZON" // from its oldest record
	Latest      = "LATEST"       // only what is written from now on
)

// Forever is a limit of Mapping that limits nothing.
const Forever = -1

// Mapping says which records of a table's stream a function gets. NewMapping makes one.
type Mapping struct {
	Table string // its name, for a table in any account and region, or its ARN

	BatchSize             int           // at most so many records a call: 1 to 10,000; 0 is 100
	BatchWindow           time.Duration // how long a batch waits for more records: up to 300 s
	StartingPosition      string        // TrimHorizon or Latest; "" is TrimHorizon
	Filters               []string      // patterns in JSON; a record that matches none is passed over. Up to 10
	ParallelizationFactor int           // calls at a time for each shard, with different items: 1 to 10; 0 is 1

	// After an error the same batch comes again, until one of these ends it.
	BisectBatchOnFunctionError bool          // the halves of a failed batch come one after the other
	MaxRecordAge               time.Duration // of records: Forever, 0 for it, or 60 s to 7 days
	MaxRetries                 int           // Forever, or up to 10,000. NewMapping sets Forever
	ReportBatchItemFailures    bool          // the response names the record from which on to try again
	OnFailure                  Discarded     // gets what is given up; nil: nobody does
}

// The limits of mappings (Lambda API Reference, CreateEventSourceMapping; Lambda quotas).
const (
	defaultBatchSize = 100
	maxBatchSize     = 10_000
	maxBatchWindow   = 300 * time.Second
	maxFilters       = 10
	maxPattern       = 4096 // characters
	maxFactor        = 10
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
		value, least, most int64
	}{
		{"BatchSize", int64(m.BatchSize), 0, maxBatchSize},
		{"MaximumBatchingWindowInSeconds", int64(m.BatchWindow), 0, int64(maxBatchWindow)},
		{"ParallelizationFactor", int64(m.ParallelizationFactor), 0, maxFactor},
		{"MaximumRetryAttempts", int64(m.MaxRetries), Forever, maxRetries},
	} {
		if limit.value < limit.least || limit.value > limit.most {
			return fmt.Errorf("%s is out of range", limit.name)
		}
	}
	switch {
	case m.Table == "":
		return errors.New("there is no table")
	case m.MaxRecordAge != Forever && m.MaxRecordAge != 0 && (m.MaxRecordAge < minAge || m.MaxRecordAge > maxAge):
		return errors.New("MaximumRecordAgeInSeconds is -1, or between 60 and 604800")
	case !slices.Contains([]string{"", TrimHorizon, Latest}, m.StartingPosition):
		return fmt.Errorf("StartingPosition is %q: a stream of DynamoDB has TRIM_HORIZON and LATEST", m.StartingPosition)
	case len(m.Filters) > maxFilters:
		return fmt.Errorf("there are more than %d filters", maxFilters)
	}
	_, err := newFilters(m.Filters)
	return err
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
	Failures string // where what is given up goes: a URL, the name of a file, or ""
}

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
	DestinationConfig          struct {
		OnFailure struct{ Destination string }
	}
}

// Parse reads a definition: a table, "->" and the URL of a function, and then perhaps a JSON object
// with members of Lambda's CreateEventSourceMapping:
//
//	orders -> http://localhost:9000/2015-03-31/functions/function/invocations {"BatchSize": 10}
//
// The destination of failures is a URL or the name of a file.
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
	if options = strings.TrimSpace(options); options != "" {
		decoder := json.NewDecoder(strings.NewReader(options))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&in); err != nil {
			return d, fmt.Errorf("the options of the trigger of %s: %w", table, err)
		}
		if rest := strings.TrimSpace(options[decoder.InputOffset():]); rest != "" {
			return d, fmt.Errorf("the options of the trigger of %s are followed by %q", table, rest)
		}
	}
	d = Definition{Mapping: NewMapping(table), Function: url, Failures: in.DestinationConfig.OnFailure.Destination}
	if err := in.set(&d.Mapping); err != nil {
		return d, fmt.Errorf("the trigger of %s: %w", table, err)
	}
	return d, nil
}

func isURL(text string) bool {
	return strings.HasPrefix(text, "http://") || strings.HasPrefix(text, "https://")
}

// set gives the members to a mapping, and checks it.
func (in *members) set(m *Mapping) error {
	for _, member := range []struct {
		name string
		from *int
		to   *int
	}{{"BatchSize", in.BatchSize, &m.BatchSize}, {"ParallelizationFactor", in.ParallelizationFactor, &m.ParallelizationFactor}} {
		if member.from == nil {
			continue
		}
		if *member.from == 0 {
			return fmt.Errorf("%s is out of range", member.name)
		}
		*member.to = *member.from
	}
	if in.MaximumRetryAttempts != nil {
		m.MaxRetries = *in.MaximumRetryAttempts
	}
	if age := in.MaximumRecordAgeInSeconds; age != nil {
		m.MaxRecordAge = time.Duration(*age) * time.Second
		if *age == Forever {
			m.MaxRecordAge = Forever
		}
	}
	m.BatchWindow = time.Duration(in.MaximumBatchingWindowInSeconds) * time.Second
	m.StartingPosition = in.StartingPosition
	m.BisectBatchOnFunctionError = in.BisectBatchOnFunctionError
	for _, f := range in.FilterCriteria.Filters {
		m.Filters = append(m.Filters, f.Pattern)
	}
	for _, kind := range in.FunctionResponseTypes {
		if kind != "ReportBatchItemFailures" {
			return fmt.Errorf("FunctionResponseTypes has %q: there is only ReportBatchItemFailures", kind)
		}
		m.ReportBatchItemFailures = true
	}
	return m.Check()
}
