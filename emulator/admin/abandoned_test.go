package admin

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// abandoned holds the memory and the numbers of a process.
type abandoned struct {
	heap                    uint64
	goroutines, descriptors int
}

// held returns what the process holds once nobody asks any more.
func held(t *testing.T) (h abandoned) {
	http.DefaultClient.CloseIdleConnections()
	runtime.GC()
	runtime.GC() // frees what pools still hold after the first
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	h.heap, h.goroutines = m.HeapAlloc, runtime.NumGoroutine()
	if files, err := os.ReadDir("/proc/self/fd"); err == nil {
		h.descriptors = len(files)
	}
	t.Logf("%d KB, %d goroutines, %d descriptors", h.heap>>10, h.goroutines, h.descriptors)
	return h
}

// leaves sends a request whose client leaves after a while.
func (x *explored) leaves(after time.Duration, path, body, accessKey string) {
	ctx, leave := context.WithTimeout(x.Context(), after)
	defer leave()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, x.url+path, strings.NewReader(body))
	if !assert.NoError(x, err) {
		return
	}
	r.Header.Set("Content-Type", "application/json")
	if accessKey != "" {
		r.Header.Set("Content-Type", "application/x-amz-json-1.0")
		r.Header.Set("X-Amz-Target", "DynamoDB_20120810.GetItem")
		r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential="+accessKey+
			"/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0")
	}
	if res, err := http.DefaultClient.Do(r); err == nil {
		res.Body.Close()
	}
}

// abandon begins an exploration, and leaves it: before its first step, while it waits for one, or
// while requests of workers wait for their turn.
func (x *explored) abandon(i int) {
	var made newID
	status := 0
	for status != 201 { // an earlier one has to be gone first
		status, _ = x.post("explorations", `{`+two+`}`, &made)
		if status != 201 && !assert.Equal(x, 409, status) {
			return
		}
	}
	if i%4 == 0 {
		return
	}
	var step stepInfo
	path, after := "explorations/"+made.ID+"/next", time.Duration(i%7)*time.Millisecond
	status, text := x.do(http.MethodPost, path, "")
	if status != 200 || json.Unmarshal([]byte(text), &step) != nil || i%4 == 1 {
		x.leaves(after, "/_kugiri/"+path, "", "")
		return
	}
	var workers sync.WaitGroup
	for _, w := range step.Workers[:i%4-1] {
		workers.Add(1)
		go func() {
			defer workers.Done()
			x.leaves(after, "/", `{"TableName":"users","Key":{"id":{"S":"a"}}}`+
				strings.Repeat(" ", i<<10), w.AccessKey)
		}()
	}
	workers.Wait()
}

// TestAbandonedExplorations: of explorations whose clients have gone nothing is left.
func TestAbandonedExplorations(t *testing.T) {
	x := counterWith(t, enable(Options{}, 10*time.Millisecond))
	const rounds = 500
	run := func(n int) {
		for i := range n {
			x.abandon(i)
		}
		require.Eventually(t, func() bool {
			for _, e := range x.list() {
				if e.State == "running" {
					return false
				}
			}
			return true
		}, time.Minute, time.Millisecond)
		x.want(200, `{}`, "DELETE", "explorations", "")
	}
	run(20) // fills pools
	before := held(t)
	run(rounds)
	// if one never ends, the test reaches its time limit, which prints the goroutines
	for runtime.NumGoroutine() > before.goroutines+slack {
		http.DefaultClient.CloseIdleConnections()
		runtime.Gosched()
	}
	after := held(t)
	assert.LessOrEqual(t, after.descriptors, before.descriptors+slack)
	assert.Less(t, after.heap, before.heap+1<<20)
}

// slack is for connections that are just being closed.
const slack = 6
