package soak

import (
	"context"
	"math/rand/v2"
	"net/http"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
)

// lengthVariable names the environment variable with the duration of the test.
const lengthVariable = "KUGIRI_SOAK"

// The size of a round, in a short and in a long run.
const (
	shortRounds = 3
	shortWork   = 30   // operations of each worker
	longWork    = 2000 // the changes of a round use memory until its end
)

// soak is a server and the load on it.
type soak struct {
	*testing.T
	clock   *emulator.Clock
	service *emulator.Emulator
	direct  client // bypasses the listeners that drop connections
	// waits until the server has come to what was sent before; nil does not: it is as slow
	pace func()

	done, dropped atomic.Int64 // numbers of operations and connections
}

func TestSoak(t *testing.T) {
	clock := emulator.NewClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	goroutines := runtime.NumGoroutine()
	s := &soak{T: t, clock: clock, service: emulator.New(emulator.WithHeldClock(clock))}
	s.direct = client{s.service.HTTPClient("any", "us-east-1"), "http://service"}
	work, until := shortWork, time.Now()
	if text, long := os.LookupEnv(lengthVariable); long {
		length, err := time.ParseDuration(text)
		require.NoError(t, err, lengthVariable)
		work, until = longWork, until.Add(length)
	}
	s.round(0, work) // fills pools and caches
	memory := s.rest()
	rounds := 1
	for ; rounds < shortRounds || time.Now().Before(until); rounds++ {
		s.round(rounds, work)
	}
	// if one never ends, the test reaches its time limit, which prints the goroutines
	for runtime.NumGoroutine() > goroutines {
		runtime.Gosched()
	}
	after := s.rest()
	assert.Less(t, after, memory+memory/4+256<<10,
		"bytes in use after the last round and after the first")
	t.Logf("%d rounds, %d operations, %d connections dropped; %d KiB in use after the first round, %d after the last",
		rounds, s.done.Load(), s.dropped.Load(), memory>>10, after>>10)
}

// rest returns how many bytes are in use when the server is idle and has no tables.
func (s *soak) rest() uint64 {
	// makes the server remove streams that ended a day ago
	s.create()
	// makes the server remove expired tokens
	s.call("TransactWriteItems", nil, "%s", transferBody(rand.New(rand.NewPCG(0, 0))))
	s.remove()
	runtime.GC()
	runtime.GC() // frees what pools still hold after the first
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

// round makes the tables, loads the server, and shuts it down. The shutdown waits for requests
// whose connections were dropped. Then round checks the tables and deletes them.
func (s *soak) round(number, work int) {
	s.create()
	server, err := s.service.Start("127.0.0.1:0")
	require.NoError(s, err)
	l := s.load(number, work, server.URL)
	require.NoError(s, server.Shutdown(context.Background()))
	s.check(l)
	s.remove()
	s.clock.Advance(25 * time.Hour) // expires streams and tokens of transactions
	if s.Failed() {
		s.FailNow()
	}
}

// load starts all workers and returns when they have finished.
func (s *soak) load(number, work int, url string) *load {
	l := &load{
		soak: s, client: client{&http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 100}},
			url},
	}
	ctx, stop := context.WithCancel(context.Background())
	var workers, droppers sync.WaitGroup
	for i, drop := range l.droppers() {
		random := rand.New(rand.NewPCG(uint64(number), uint64(i)))
		droppers.Go(func() {
			for once := true; once || ctx.Err() == nil; once = false {
				drop(random)
				s.dropped.Add(1)
				if s.pace != nil {
					s.pace()
				}
			}
		})
	}
	for i, act := range l.workers() {
		random := rand.New(rand.NewPCG(uint64(number), uint64(100+i)))
		workers.Go(func() {
			for range work {
				act(random)
				s.done.Add(1)
			}
		})
	}
	workers.Wait()
	stop()
	droppers.Wait()
	l.http.(*http.Client).CloseIdleConnections()
	return l
}
