package races

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/kugiri-db/kugiri/conventions/catalog"
	"github.com/kugiri-db/kugiri/emulator"
)

const (
	// MaxBytes is how many bytes of a file Read reads.
	MaxBytes = 256 << 20
	// MaxExchanges is how many requests Read reads.
	MaxExchanges = 1_000_000
)

// Exchange is a recorded request with its answer.
type Exchange struct {
	Time      time.Time       `json:"time"`
	Took      time.Duration   `json:"took"` // nanoseconds
	Operation string          `json:"operation"`
	AccessKey string          `json:"accessKey,omitempty"`
	Region    string          `json:"region,omitempty"`
	Remote    string          `json:"remote,omitempty"` // the client's address and port
	Trace     string          `json:"trace,omitempty"`  // X-Amzn-Trace-Id, as of a Lambda
	Status    int             `json:"status"`           // HTTP's status; 0 if the answer was lost
	Error     string          `json:"error,omitempty"`
	Items     []Touched       `json:"items,omitempty"`
	Request   json.RawMessage `json:"request"`
	Answer    json.RawMessage `json:"answer,omitempty"`
}

// Touched is an item that a request gets, writes or checks by its key.
type Touched struct {
	Table string          `json:"table"`
	Key   json.RawMessage `json:"key"` // partition key first
}

// UnmarshalJSON refuses an item without a table or a key: a list of such ones would take many times
// the memory of its text.
func (t *Touched) UnmarshalJSON(text []byte) error {
	type touched Touched
	if err := json.Unmarshal(text, (*touched)(t)); err != nil {
		return err
	}
	if t.Table == "" || len(t.Key) == 0 {
		return errors.New("an item has no table or no key")
	}
	return nil
}

// caller is who sent the request.
func (x *Exchange) caller() string {
	who := x.Trace
	if who == "" {
		if host, _, err := net.SplitHostPort(x.Remote); err == nil {
			who = host
		}
	}
	return x.AccessKey + "/" + x.Region + "/" + who
}

// done reports that the request was answered without an error.
func (x *Exchange) done() bool { return x.Status == http.StatusOK }

// unsure reports that the caller cannot know whether the request was executed.
func (x *Exchange) unsure() bool { return x.Status == 0 || x.Status >= 500 }

// Recorder writes exchanges. Its methods are safe for concurrent use.
type Recorder struct {
	mu       sync.Mutex
	out      io.Writer
	err      error // the first error
	broken   bool  // nothing can be written any more
	ended    bool
	failed   func(error)
	requests int
	lost     int
}

// end is the last line of a recording: how many requests it has, and how many it should have
// besides.
type end struct {
	Requests int `json:"requests"`
	Lost     int `json:"lost,omitempty"`
}

// NewRecorder returns a Recorder that writes a line of JSON to out for each request on items, and
// for each CreateTable. End writes the last line.
func NewRecorder(out io.Writer) *Recorder { return &Recorder{out: out} }

// OnError has f be called with the first error, at once. Call it before the first Observe.
func (r *Recorder) OnError(f func(error)) { r.failed = f }

// End writes the last line of the recording, which says how many requests it has, and returns Err.
// What is observed later is not recorded.
func (r *Recorder) End() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.ended && !r.broken {
		line, err := json.Marshal(map[string]end{"end": {r.requests, r.lost}})
		if err == nil {
			_, err = r.out.Write(append(line, '\n'))
		}
		r.fail(err)
	}
	r.ended = true
	return r.err
}

// fail keeps the first error, and says it. The caller holds the lock.
func (r *Recorder) fail(err error) {
	if err == nil || r.err != nil {
		return
	}
	r.err = err
	if r.failed != nil {
		r.failed(err)
	}
}

// Observe writes an event. Pass it to emulator.Emulator.Observe.
func (r *Recorder) Observe(ev *emulator.Event) {
	sent := ev.Exchange()
	operation, known := catalog.Named(ev.Operation)
	if !known || operation.Subject != catalog.Items && ev.Operation != "CreateTable" ||
		!json.Valid([]byte(sent.Request)) {
		return
	}
	x := Exchange{
		Time: ev.Time, Took: ev.Duration, Operation: ev.Operation, AccessKey: ev.AccessKey,
		Region: ev.Region, Remote: ev.Remote, Trace: sent.Header.Get("X-Amzn-Trace-Id"),
		Status: ev.Status, Error: ev.Error,
		Request: json.RawMessage(sent.Request), Answer: sent.Answer,
	}
	for _, it := range ev.Items() {
		x.Items = append(x.Items, Touched{it.Table, json.RawMessage(it.Key)})
	}
	line, err := json.Marshal(&x)
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.ended || r.broken:
		return
	case err != nil:
		r.lost++
		r.fail(fmt.Errorf("a request of %s is left out of the recording: %w", x.Operation, err))
		return
	}
	if _, err = r.out.Write(append(line, '\n')); err != nil {
		r.broken = true
		r.fail(fmt.Errorf("the recording ends after %d requests: %w", r.requests, err))
		return
	}
	r.requests++
}

// Recording holds what a Recorder has written.
type Recording struct {
	Exchanges []*Exchange
	// Partial says why the recording does not have all requests, or may not. It is "" if it ended
	// well and has all.
	Partial string
}

// Read reads what a Recorder has written. A last line that is cut off is left out: Partial says so.
func Read(in io.Reader) (*Recording, error) {
	limited := &io.LimitedReader{R: in, N: MaxBytes + 1}
	d := json.NewDecoder(limited)
	r := &Recording{}
	for {
		var x struct {
			Exchange
			End *end `json:"end"`
		}
		err := d.Decode(&x)
		n := len(r.Exchanges)
		switch {
		case limited.N <= 0:
			return nil, fmt.Errorf("races: more than %d bytes", MaxBytes)
		case errors.Is(err, io.EOF):
			r.Partial = "it has no end: the server still runs, was killed, or could not write"
			return r, nil
		case errors.Is(err, io.ErrUnexpectedEOF) && n > 0:
			r.Partial = "its last request is cut off: the server was killed, or could not write"
			return r, nil
		case err != nil:
			return nil, fmt.Errorf("races: request %d: %w", n+1, err)
		case x.End != nil:
			r.Partial = x.End.partial(n)
			return r, nil
		case x.Operation == "":
			return nil, fmt.Errorf("races: request %d has no operation", n+1)
		case x.Request == nil:
			return nil, fmt.Errorf("races: request %d has no body", n+1)
		case n == MaxExchanges:
			return nil, fmt.Errorf("races: more than %d requests", MaxExchanges)
		}
		r.Exchanges = append(r.Exchanges, &x.Exchange)
	}
}

// partial says why a recording with an end and n requests does not have all of them, or "".
func (e *end) partial(n int) string {
	switch {
	case e.Lost > 0:
		return fmt.Sprintf("%s could not be written", counted(e.Lost, "request"))
	case e.Requests != n:
		return fmt.Sprintf("it ended with %s, and has %d", counted(e.Requests, "request"), n)
	}
	return ""
}
