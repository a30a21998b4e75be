package explore

import (
	"context"
	"fmt"
	"net/http"
	"runtime"
	"runtime/debug"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"

	"github.com/kugiri-db/kugiri/emulator/explore/search"
	"github.com/kugiri-db/kugiri/emulator/trigger"
)

// Handler does a consumer's work with an event: see trigger.Function. Its context ends when it
// returns. It may be called concurrently with batches of different shards.
type Handler func(ctx context.Context, db *dynamodb.Client, event []byte) (response []byte,
	err error)

// Consume adds a consumer: a worker whose handler gets the records that a run adds to the stream of
// a table, as a Lambda function with an event source mapping does. The search lets a batch go like
// a request: with whatever records there are by then, up to Mapping.BatchSize, so that
// Mapping.BatchWindow and StartingPosition make no difference. Batches of different shards may
// overlap. A run ends when all workers have ended and no record waits.
//
// A handler that returns an error gets the batch again, by the rules of the mapping. Among the
// faults are Redelivered, and DiesBefore and DiesAfter at each of the handler's requests: the batch
// then comes again. The table has a stream before the run: Lambda makes no mapping without one.
// Consume panics if the mapping is not valid.
func (x *X) Consume(name string, m trigger.Mapping, handle Handler) {
	w := &worker{Worker: &search.Worker{Name: name, Mortal: true}, handle: handle}
	t, err := trigger.New(m, name, func(ctx context.Context, event []byte) ([]byte, error) {
		return x.host.call(search.Next(ctx), w, event)
	})
	if err != nil {
		panic("explore: Consume: " + err.Error())
	}
	w.Trigger = t
	x.add(w)
}

// Streams returns a client for the streams of tables. Its requests wait like those of the worker
// whose context they have. Those with another context, such as that of a Check, do not wait.
func (x *X) Streams() *dynamodbstreams.Client {
	x.streams = true
	h := x.host
	send := byContext(func(r *http.Request) (*http.Response, error) {
		fork := h.run.Fork().HTTPClient(h.server.Caller())
		if client, ok := r.Context().Value(workerKey{}).(*search.WorkerClient); ok {
			return client.Send(r, fork)
		}
		return fork.Do(r)
	})
	return h.server.StreamsClientOf(h.server.Emulator,
		func(o *dynamodbstreams.Options) { o.HTTPClient = send })
}

// byContext is an HTTP client.
type byContext func(*http.Request) (*http.Response, error)

func (f byContext) Do(r *http.Request) (*http.Response, error) { return f(r) }

// Deliver starts a goroutine that carries a batch to a consumer.
func (h *host) Deliver(_ *search.Run, d *search.Delivery) {
	d.Client.Exit = runtime.Goexit
	go d.Carry()
}

// call calls the handler of a consumer. If the handler dies, that is an error to Lambda.
func (h *host) call(d *search.Delivery, w *worker, event []byte) (response []byte, err error) {
	client := h.run.Client(w.Worker)
	client.Exit = runtime.Goexit
	client.Bound = bound
	ctx, cancel := context.WithCancel(context.WithValue(background, workerKey{}, client))
	broken := leftGoroutine
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer func() {
			if p := recover(); p != nil {
				broken = fmt.Sprintf("panic: %v\n%s", p, debug.Stack())
			}
		}()
		response, err = w.handle(ctx, h.client(h.run, client), event)
		broken = ""
	}()
	<-ended
	cancel()
	switch {
	case client.Dead():
		h.run.Gate().Died(w.Worker)
		return nil, errDied
	case broken != "":
		h.run.Gate().Break(w.Worker, broken)
		return nil, nil
	}
	return response, err
}
