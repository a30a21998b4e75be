package agent

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The limits of what an agent sends.
const (
	maxMessage = 2 << 20 // bytes of a message or a batch
	maxBatch   = 16      // messages of a batch
	maxWaiting = 64      // calls of a session that are not answered
)

// stopWait is how long a session may take to end when its context does.
const stopWait = time.Second

// Serve serves one session over a reader and a writer, until the reader or ctx ends. It reads no
// further while maxWaiting calls have no answer that the agent has read.
func Serve(ctx context.Context, server *mcp.Server, in io.Reader, out io.Writer) error {
	session := bounded{&mcp.IOTransport{
		Reader: io.NopCloser(&batchReader{Reader: in}), Writer: withoutClose{out},
		MaxLineLength: maxMessage,
	}}
	ended := make(chan error, 1)
	go func() { ended <- server.Run(ctx, session) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-ended:
		return err
	case <-time.After(stopWait): // an answer that nobody reads is not waited for
		return ctx.Err()
	}
}

// withoutClose is a writer that the end of a session does not close.
type withoutClose struct{ io.Writer }

func (withoutClose) Close() error { return nil }

// Handler serves requests over HTTP, each in a session of its own.
func Handler(server *mcp.Server) http.Handler {
	h := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{
			Stateless: true, JSONResponse: true, MaxRequestBodyBytes: maxMessage,
		})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxMessage))
		var large *http.MaxBytesError
		if errors.As(err, &large) {
			http.Error(w, fmt.Sprintf("a message has at most %d bytes", maxMessage),
				http.StatusRequestEntityTooLarge)
			return
		}
		if err == nil {
			err = new(batches).check(body)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		h.ServeHTTP(w, r)
	})
}

// errBatch says that a batch has too many messages: the answers of all would be held until the last
// one is there.
var errBatch = fmt.Errorf("a batch has at most %d messages", maxBatch)

// batchReader reads messages, and fails at a batch of more than maxBatch messages.
type batchReader struct {
	io.Reader
	seen batches
}

func (b *batchReader) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if over := b.seen.check(p[:n]); over != nil {
		return 0, over
	}
	return n, err
}

// batches counts the messages of the batches in a text of JSON. It is given the text in parts.
type batches struct {
	depth    int  // how many objects and arrays are open
	batch    bool // the outermost value is an array
	messages int  // how many the batch has so far
	text     bool // within a string
	escaped  bool // after a backslash in it
}

// check takes the next part of the text.
func (b *batches) check(part []byte) error {
	for _, c := range part {
		b.count(c)
		if b.messages > maxBatch {
			return errBatch
		}
	}
	return nil
}

// count takes the next byte.
func (b *batches) count(c byte) {
	if b.text {
		b.text = b.escaped || c != '"'
		b.escaped = !b.escaped && c == '\\'
		return
	}
	switch c {
	case '"':
		b.text = true
	case '{', '[':
		if b.depth == 0 {
			b.batch, b.messages = c == '[', 1
		}
		b.depth++
	case '}', ']':
		b.depth = max(b.depth-1, 0)
	case ',':
		if b.batch && b.depth == 1 {
			b.messages++
		}
	}
}

// bounded is a transport whose connections have at most maxWaiting calls without an answer.
type bounded struct{ mcp.Transport }

func (b bounded) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := b.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &boundedConn{
		Connection: c, room: make(chan struct{}, maxWaiting), closed: make(chan struct{}),
		waiting: map[jsonrpc.ID]bool{},
	}, nil
}

// boundedConn counts the calls of a connection. A call has room from when it is read until its
// answer is written.
type boundedConn struct {
	mcp.Connection
	room   chan struct{}
	once   sync.Once
	closed chan struct{}

	mu      sync.Mutex
	waiting map[jsonrpc.ID]bool // the calls that have room
}

func (c *boundedConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := c.Connection.Read(ctx)
	r, ok := m.(*jsonrpc.Request)
	if err != nil || !ok || !r.IsCall() || !c.wait(r.ID) {
		return m, err
	}
	select {
	case c.room <- struct{}{}:
		return m, nil
	case <-c.closed:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// wait marks a call as one that waits for its answer. It returns false for the number of a call
// that waits: that one is answered, and the other one refused without an answer.
func (c *boundedConn) wait(id jsonrpc.ID) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.waiting[id] {
		return false
	}
	c.waiting[id] = true
	return true
}

func (c *boundedConn) Write(ctx context.Context, m jsonrpc.Message) error {
	err := c.Connection.Write(ctx, m)
	if r, ok := m.(*jsonrpc.Response); ok {
		c.mu.Lock()
		had := c.waiting[r.ID]
		delete(c.waiting, r.ID)
		c.mu.Unlock()
		if had {
			<-c.room
		}
	}
	return err
}

func (c *boundedConn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Connection.Close()
}
