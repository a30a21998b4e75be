package transfer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"golang.org/x/sync/errgroup"
	"golang.org/x/time/rate"
)

// Exporter reads all items of a table.
type Exporter struct {
	Client   *dynamodb.Client
	Table    string
	Segments int         // parallel segments of the scan; at least 1
	Units    float64     // read capacity units a second; 0 for no limit
	Progress func(n int) // called with the number of further items; nil for none

	// Position is where the run begins, nil for the beginning of the table. The run advances it.
	Position *Position

	// Reached, if set, is called at the beginning, from time to time, and when a run fails. All
	// items before the Position are written by then, and no others.
	Reached func(*Position) error

	limiter *rate.Limiter

	mu    sync.Mutex // protects the fields below, the Position and the Writer
	out   Writer
	torn  bool // a part of a page is written
	saves schedule
}

// Position is how far a scan is.
type Position struct {
	Items    int64     `json:"items"`
	Segments []Segment `json:"segments"`
}

// Segment is how far a segment of a scan is.
type Segment struct {
	Last json.RawMessage `json:"last,omitempty"` // LastEvaluatedKey
	Done bool            `json:"done,omitempty"`
}

// Run writes all items to a Writer, by a strongly consistent scan. It does not close the Writer. It
// returns the number of items before its Position, even if it fails.
func (e *Exporter) Run(ctx context.Context, out Writer) (items int64, err error) {
	e.limiter, e.out, e.torn, e.saves = NewLimiter(e.Units), out, false, newSchedule()
	if e.Position == nil {
		e.Position = &Position{Segments: make([]Segment, max(1, e.Segments))}
	}
	if err := e.reached(); err != nil {
		return e.Position.Items, err
	}
	group, scanning := errgroup.WithContext(ctx)
	for segment := range e.Position.Segments {
		group.Go(func() error { return e.scan(scanning, segment) })
	}
	if err = group.Wait(); err != nil && !e.torn {
		err = errors.Join(err, e.reached())
	}
	return e.Position.Items, err
}

func (e *Exporter) reached() error {
	if e.Reached == nil {
		return nil
	}
	return e.Reached(e.Position)
}

// scan reads the rest of a segment page by page.
func (e *Exporter) scan(ctx context.Context, segment int) error {
	s := &e.Position.Segments[segment]
	for !s.Done {
		in := &dynamodb.ScanInput{
			TableName:              &e.Table,
			ConsistentRead:         aws.Bool(true),
			Segment:                aws.Int32(int32(segment)),
			TotalSegments:          aws.Int32(int32(len(e.Position.Segments))),
			ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
		}
		if s.Last != nil {
			key, err := UnmarshalItem(s.Last)
			if err != nil {
				return fmt.Errorf("the position in %s to resume at: %w", e.Table, err)
			}
			in.ExclusiveStartKey = key
		}
		page, err := e.Client.Scan(ctx, in, Patient)
		if err != nil {
			return fmt.Errorf("reading %s: %w", e.Table, err)
		}
		if err := e.write(page, s); err != nil {
			return err
		}
		if err := Spend(ctx, e.limiter, page.ConsumedCapacity); err != nil {
			return err
		}
	}
	return nil
}

// write writes a page and advances its segment.
func (e *Exporter) write(page *dynamodb.ScanOutput, s *Segment) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, item := range page.Items {
		if err := e.out.Write(item); err != nil {
			e.torn = true
			return err
		}
	}
	e.Position.Items += int64(len(page.Items))
	s.Last, s.Done = nil, page.LastEvaluatedKey == nil
	if !s.Done {
		s.Last = MarshalItem(page.LastEvaluatedKey)
	}
	if e.Progress != nil {
		e.Progress(len(page.Items))
	}
	if e.saves.due(pagesBetweenSaves) {
		return e.reached()
	}
	return nil
}

// Patient makes a client try longer than usual: throttling for some seconds should not end a run of
// hours.
func Patient(o *dynamodb.Options) { o.RetryMaxAttempts = 10 }

// NewLimiter allows a number of units a second. It returns nil, which means no limit, unless units
// is positive.
func NewLimiter(units float64) *rate.Limiter {
	if units <= 0 {
		return nil
	}
	return rate.NewLimiter(rate.Limit(units), max(1, int(units)))
}

// Spend waits until the limit allows the consumed units.
func Spend(ctx context.Context, l *rate.Limiter, consumed ...*types.ConsumedCapacity) error {
	if l == nil {
		return nil
	}
	units := 0.0
	for _, c := range consumed {
		if c != nil {
			units += aws.ToFloat64(c.CapacityUnits)
		}
	}
	for left := int(units + 0.5); left > 0; left -= l.Burst() {
		if err := l.WaitN(ctx, min(left, l.Burst())); err != nil {
			return err
		}
	}
	return nil
}
