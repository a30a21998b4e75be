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
	AsTest("run", func(t *testing.T) {
		s := &search{options: optionsOf(nil), t: t, server: newSmall(t), program: fourEach}
		s.prepare()
		n := &naive{}
		b.ResetTimer()
		used = cpu()
		for range b.N {
			o := s.run(n.next(), nil)
			n.back(o.steps)
		}
		b.StopTimer()
		used = cpu() - used
	})
	b.ReportMetric(float64(b.N)/used.Seconds(), "runs/cpu-s")
}
