//go:build unix

package explore

import (
	"context"
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// fourEach is three workers of four requests.
func fourEach(x *X) {
	for i := range 3 {
		x.Go(fmt.Sprint("w", i), func(ctx context.Context, db *dynamodb.Client) error {
			m := &machine{db: db}
			for _, a := range []action{{"get", i, 0, 1}, {"put", i, 0, 1}, {"get", i, 0, 1},
				{"put", i, 0, 2}} {
				if err := m.do(ctx, a); err != nil {
					return err
				}
			}
			return nil
		})
	}
}

// BenchmarkRun runs three workers of four requests. A bubble needs a *testing.T.
func BenchmarkRun(b *testing.B) {
	b.ReportAllocs()
	cpu := func() time.Duration {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			b.Fatal(err)
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	var used time.Duration
	runs := 0
	AsTest("run", func(t *testing.T) {
		s := newSearch(t, newSmall(t), fourEach, optionsOf([]Option{Budget(b.N)}))
		s.Naive, s.Unjudged = true, true
		b.ResetTimer()
		used = cpu()
		runs = s.Explore().Runs
		b.StopTimer()
		used = cpu() - used
	})
	b.ReportMetric(float64(runs)/used.Seconds(), "runs/cpu-s")
}
