package remote

import (
	"context"
	"crypto/sha256"
	"runtime"
	"slices"

	"github.com/kugiri-db/kugiri/emulator/explore/search"
	"github.com/kugiri-db/kugiri/emulator/trigger"
)

// reply is how a call of a consumer has ended.
type reply struct {
	response []byte
	err      error
}

// consumer has a worker of a run consume a stream.
func (h *host) consumer(w *search.Worker, m trigger.Mapping) {
	t, err := trigger.New(m, w.Name, func(ctx context.Context, event []byte) ([]byte, error) {
		search.Next(ctx)
		return h.call(w, event)
	})
	if err != nil {
		panic("explore: the mapping of a consumer: " + err.Error())
	}
	w.Trigger = t
}

// Deliver starts a goroutine that carries a batch to a consumer.
func (h *host) Deliver(_ *search.Run, d *search.Delivery) {
	d.Client.Exit = runtime.Goexit
	go d.Carry()
}

// call has the program handle an event, and waits until it has. If its run ends meanwhile, so does
// the goroutine.
func (h *host) call(w *search.Worker, event []byte) ([]byte, error) {
	l := h.invoke(w, event)
	if l == nil {
		runtime.Goexit()
	}
	select {
	case r := <-l.reply:
		return r.response, r.err
	case <-l.ctx.Done():
	case <-h.done:
	}
	runtime.Goexit()
	return nil, nil
}

// invoke tells the program to handle an event. It returns nil if the worker's run is over.
func (h *host) invoke(w *search.Worker, event []byte) *life {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.run == nil || !slices.Contains(h.run.Workers(), w) {
		return nil
	}
	at := place{w.Name, 0}
	for l := h.lives[at]; l != nil && !l.ended; l = h.lives[at] {
		at.slot++ // batches of different shards overlap
	}
	if h.keys[at] == "" {
		h.newKeyOf(at)
	}
	h.deliveries++
	l := h.newLife(w, false)
	l.heard, l.delivery, l.reply = sha256.Sum256(event), h.deliveries, make(chan reply, 1)
	h.lives[at] = l
	h.publish(&Step{Do: Handle, Run: h.number, Workers: []Access{{w.Name, h.keys[at]}},
		Delivery: l.delivery, Event: event})
	return l
}

// handled ends the call of a consumer. If its handler has died, that is an error to Lambda.
func (h *host) handled(l *life, r Result) {
	gate, end := h.run.Gate(), reply{}
	l.ended = true
	switch {
	case l.client.Dead():
		gate.Died(l.worker)
		end.err = errDied
	case r.Broken:
		gate.Break(l.worker, r.Error)
	case r.Failed:
		end.err = &failure{r.Error, r.Aborted}
	case r.Response != "":
		end.response = []byte(r.Response)
	}
	l.reply <- end
}
