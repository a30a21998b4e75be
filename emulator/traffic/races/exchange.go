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
	Status    int             `json:"status"`           // of HTTP; 0 if the answer was lost
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
	mu  sync.Mutex
	out io.Writer
	err error
}

// NewRecorder returns a Recorder that writes a line of JSON to out for each request on items, and
// for each CreateTable.
func NewRecorder(out io.Writer) *Recorder { return &Recorder{out: out} }

// Err returns the first error of the writer. Nothing is written after it.
func (r *Recorder) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
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
	if r.err == nil && err == nil {
		_, err = r.out.Write(append(line, '\n'))
	}
	if r.err == nil {
		r.err = err
	}
}

// Read reads what a Recorder has written. A last line that is cut off is left out.
func Read(in io.Reader) ([]Exchange, error) {
	limited := &io.LimitedReader{R: in, N: MaxBytes + 1}
	d := json.NewDecoder(limited)
	var list []Exchange
	for {
		var x Exchange
		err := d.Decode(&x)
		switch {
		case limited.N <= 0:
			return nil, fmt.Errorf("races: more than %d bytes", MaxBytes)
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF) && len(list) > 0:
			return list, nil
		case err != nil:
			return nil, fmt.Errorf("races: request %d: %w", len(list)+1, err)
		case x.Operation == "":
			return nil, fmt.Errorf("races: request %d has no operation", len(list)+1)
		case len(list) == MaxExchanges:
			return nil, fmt.Errorf("races: more than %d requests", MaxExchanges)
		}
		list = append(list, x)
	}
}
