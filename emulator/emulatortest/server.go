package emulatortest

import (
	"errors"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"

	"github.com/kugiri-db/kugiri/emulator"
)

// TB is the part of a test that this package uses. *testing.T, *testing.B, *testing.F and many
// others implement it. Fatalf must not return.
type TB interface {
	Helper()
	Cleanup(func())
	Fatalf(format string, args ...any)
}

// Server is an emulator that belongs to one test. Its methods are safe for concurrent use until the
// test ends.
type Server struct {
	// Emulator is the emulator itself. A server has all of its methods: Snapshot, Restore,
	// ExpireItems, Observe and others. Those that Server defines itself fail the test where the
	// emulator's would panic or return an error.
	*emulator.Emulator

	t       TB
	options options
	http    *inProcess
	client  func() *dynamodb.Client
	streams func() *dynamodbstreams.Client

	mu     sync.Mutex // protects the fields below
	server *emulator.Server
	ended  bool
}

// Start returns a new emulator without tables. It lasts until the end of the test.
func Start(t TB, opts ...Option) *Server {
	t.Helper()
	o := optionsOf(opts)
	return newServer(t, func() *emulator.Emulator { return emulator.New(o.emulator...) }, o)
}

// Fork returns a fork of an emulator. It lasts until the end of the test. The emulator need not
// belong to a test: it can be a seed that is made once for all tests.
func Fork(t TB, e *emulator.Emulator, opts ...Option) *Server {
	t.Helper()
	o := optionsOf(opts)
	return newServer(t, func() *emulator.Emulator { return e.Fork(o.emulator...) }, o)
}

// Fork returns a fork of the server's emulator, with the options of the server, changed by opts. It
// lasts until the end of the test t. The fork and the server do not see each other's later changes,
// so many parallel subtests can share data that was prepared once. See emulator.Emulator.Fork.
func (s *Server) Fork(t TB, opts ...Option) *Server {
	t.Helper()
	o := s.options
	o.emulator = nil // the fork already has the emulator's options
	for _, opt := range opts {
		opt(&o)
	}
	return newServer(t, func() *emulator.Emulator { return s.Emulator.Fork(o.emulator...) }, o)
}

// newServer returns a server until the end of the test.
func newServer(t TB, start func() *emulator.Emulator, o options) *Server {
	t.Helper()
	s := newEndless(t, start, o)
	t.Cleanup(s.end)
	expectHits(t, s.Faults())
	return s
}

// newEndless returns a server that does not end with the test.
func newEndless(t TB, start func() *emulator.Emulator, o options) *Server {
	t.Helper()
	s := &Server{t: t, options: o}
	says := refusal(func() {
		s.Emulator = start()
		s.http = &inProcess{client: s.HTTPClient(o.accessKey, o.region)}
	})
	if says != "" {
		t.Fatalf("emulatortest: %s", says)
	}
	s.client = sync.OnceValue(func() *dynamodb.Client { return o.newClient(s.http) })
	s.streams = sync.OnceValue(func() *dynamodbstreams.Client { return o.newStreamsClient(s.http) })
	return s
}

// end runs at the end of the test.
func (s *Server) end() {
	s.http.ended.Store(true)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	if s.server != nil {
		s.server.Close()
	}
}

// Client returns the SDK's client for the emulator. Each call returns the same client. It reaches
// the emulator in this process and does not sign. It retries the same errors as the SDK, with the
// same number of attempts, but without waiting. Requests fail after the test has ended.
func (s *Server) Client() *dynamodb.Client { return s.client() }

// StreamsClient is Client for the streams of tables.
func (s *Server) StreamsClient() *dynamodbstreams.Client { return s.streams() }

// ClientOf returns a client for another emulator, such as a fork, that is like Client: with the
// same access key, region and options. The functions change the options after all others. The
// HTTPClient that they find sends requests to e.
func (s *Server) ClientOf(e *emulator.Emulator, fns ...func(*dynamodb.Options)) *dynamodb.Client {
	o := s.options
	o.client = append(slices.Clip(o.client), fns...)
	return o.newClient(e.HTTPClient(o.accessKey, o.region))
}

// StreamsClientOf is ClientOf for the streams of tables.
func (s *Server) StreamsClientOf(e *emulator.Emulator,
	fns ...func(*dynamodbstreams.Options)) *dynamodbstreams.Client {
	o := s.options
	o.streams = append(slices.Clip(o.streams), fns...)
	return o.newStreamsClient(e.HTTPClient(o.accessKey, o.region))
}

// Caller returns the access key and the region of Client.
func (s *Server) Caller() (accessKey, region string) {
	return s.options.accessKey, s.options.region
}

// Config returns a configuration for other clients. They reach the emulator as Client does, but
// with the retries of the SDK.
func (s *Server) Config() aws.Config { return s.options.config(s.http) }

// URL returns the URL of a server on a free port of this machine. The first call starts the server.
// The URL is the endpoint for other processes and for code that makes its own clients. A client
// that signs with the access key and region of the server (see WithAccessKey and WithRegion), and
// any secret, sees the same tables as Client.
func (s *Server) URL() string {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		s.t.Fatalf("emulatortest: URL after the end of the test")
		return ""
	}
	if s.server == nil {
		server, err := s.Emulator.Start("127.0.0.1:0")
		if err != nil {
			s.t.Fatalf("emulatortest: no server: %v", err)
			return ""
		}
		s.server = server
	}
	return s.server.URL
}

// Clock returns the clock that the test holds. The test fails if it does not use WithClockAt.
func (s *Server) Clock() *emulator.Clock {
	s.t.Helper()
	c := s.Emulator.Clock()
	if c == nil {
		s.t.Fatalf("emulatortest: the clock goes by itself: hold it by WithClockAt")
	}
	return c
}

// inProcess is the HTTP client of the SDK's clients. It refuses requests after the end of the test.
type inProcess struct {
	client *emulator.HTTPClient
	ended  atomic.Bool
}

var errEnded = errors.New(
	"emulatortest: a request after the end of the test whose emulator it is for")

func (c *inProcess) Do(r *http.Request) (*http.Response, error) {
	if c.ended.Load() {
		return nil, errEnded
	}
	return c.client.Do(r)
}
