package transfer

import (
	"context"
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
	limiter  *rate.Limiter
}

// Run writes all items to a Writer, by a strongly consistent scan. It does not close the Writer. It
// returns the number of items that it wrote, even if it fails.
func (e *Exporter) Run(ctx context.Context, out Writer) (n int64, err error) {
	e.limiter = NewLimiter(e.Units)
	var mu sync.Mutex // protects out and n
	write := func(items []Item) error {
		mu.Lock()
		defer mu.Unlock()
		for _, item := range items {
			if err := out.Write(item); err != nil {
				return err
			}
			n++
		}
		if e.Progress != nil {
			e.Progress(len(items))
		}
		return nil
	}
	group, ctx := errgroup.WithContext(ctx)
	for segment := range max(1, e.Segments) {
		group.Go(func() error { return e.scan(ctx, segment, write) })
	}
	err = group.Wait()
	return n, err
}

// scan reads a segment page by page.
func (e *Exporter) scan(ctx context.Context, segment int, write func([]Item) error) error {
	pages := dynamodb.NewScanPaginator(e.Client, &dynamodb.ScanInput{
		TableName:              &e.Table,
		ConsistentRead:         aws.Bool(true),
		Segment:                aws.Int32(int32(segment)),
		TotalSegments:          aws.Int32(int32(max(1, e.Segments))),
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return fmt.Errorf("reading %s: %w", e.Table, err)
		}
		if err := write(page.Items); err != nil {
			return err
		}
		if err := Spend(ctx, e.limiter, page.ConsumedCapacity); err != nil {
			return err
		}
	}
	return nil
}

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
