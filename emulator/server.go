package emulator

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/kugiri-db/kugiri/emulator/internal/front"
	"github.com/kugiri-db/kugiri/emulator/internal/httpd"
)

// Server serves an Emulator over HTTP until Close or Shutdown.
type Server struct {
	// URL is the address of the server, for example http://127.0.0.1:8000. It is the base endpoint
	// for SDKs.
	URL string

	http     *http.Server
	conns    httpd.Conns
	stopping atomic.Bool
	done     chan struct{}
}

// maxHeaderBytes limits the first line and the headers of a request. It is more than
// httpd.HeadTooLong accepts.
const maxHeaderBytes = 64 << 10

// Start serves e at a TCP address, "127.0.0.1:0" for any free port. It returns after the server has
// begun to answer. "localhost:8000" means both 127.0.0.1 and ::1. Start returns an error if it
// cannot listen. Several servers may be started. Each must be ended by Close or Shutdown.
func (e *Emulator) Start(addr string) (*Server, error) { return e.start(addr, nil) }

// StartTLS is Start over TLS. config must have at least one certificate. The server supports only
// HTTP/1.1, as the service does, whatever config says.
func (e *Emulator) StartTLS(addr string, config *tls.Config) (*Server, error) {
	config = config.Clone()
	config.NextProtos = []string{"http/1.1"}
	return e.start(addr, config)
}

// start serves over TLS if config is not nil.
func (e *Emulator) start(addr string, config *tls.Config) (*Server, error) {
	listeners, err := httpd.Listen(addr)
	if err != nil {
		return nil, err
	}
	s := &Server{URL: "http://" + httpd.Reachable(listeners[0].Addr()), done: make(chan struct{})}
	if config != nil {
		s.URL = "https" + strings.TrimPrefix(s.URL, "http")
	}
	s.http = &http.Server{
		Handler:                      e.handler,
		DisableGeneralOptionsHandler: true, // OPTIONS * is answered like any other request
		MaxHeaderBytes:               maxHeaderBytes,
		ErrorLog: slog.NewLogLogger(e.service.Logger.Handler(),
			slog.LevelDebug),
		ConnState:   s.conns.Changed,
		ConnContext: httpd.ConnContext,
		BaseContext: func(net.Listener) context.Context {
			return context.WithValue(context.Background(), front.StoppingKey{}, &s.stopping)
		},
	}
	s.http.RegisterOnShutdown(s.conns.EndUnused)
	go s.conns.Watch(s.done)
	if e.settings.held == nil {
		go e.expireUntil(s.done)
	}
	var serving sync.WaitGroup
	for _, l := range listeners {
		l = httpd.Listener{Listener: l, Secure: config != nil}
		if config != nil {
			l = tls.NewListener(l, config)
		}
		serving.Add(1)
		go func() {
			defer serving.Done()
			if err := s.http.Serve(l); !errors.Is(err, http.ErrServerClosed) {
				e.service.Logger.Error("server stopped", slog.Any("error", err))
			}
		}()
	}
	go func() {
		defer close(s.done)
		serving.Wait()
	}()
	return s, nil
}

// Close stops the server at once and closes the connections of requests in progress. The Emulator
// and its data remain. A second call does nothing.
func (s *Server) Close() error {
	s.stopping.Store(true)
	s.conns.EndUnused() // also has a connection that waits for room not wait
	err := s.http.Close()
	<-s.done
	return err
}

// Shutdown stops the server: it accepts no more connections, closes idle ones, and waits for
// requests in progress. If ctx ends first, it closes their connections and returns the error of
// ctx. From its beginning GET /readyz answers 503.
func (s *Server) Shutdown(ctx context.Context) error {
	s.stopping.Store(true)
	err := s.http.Shutdown(ctx)
	if err != nil {
		s.http.Close()
	}
	<-s.done
	return err
}
