package emulator

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/kugiri-db/kugiri/emulator/internal/httpd"
)

// Server is an Emulator served over HTTP, until Close or Shutdown.
type Server struct {
	// URL is where the server listens, for example http://127.0.0.1:8000: the base endpoint to give
	// to an SDK.
	URL string

	http     *http.Server
	conns    httpd.Conns
	stopping atomic.Bool
	done     chan struct{}
}

// serverKey is the key of the context of a Server's requests that has the Server.
type serverKey struct{}

// maxHeaderBytes is how much of a request's first line and headers is read: more than
// httpd.HeadTooLong takes.
const maxHeaderBytes = 64 << 10

// Start serves e at a TCP address, "127.0.0.1:0" for any free port, and returns once the server
// answers. "localhost:8000" is both 127.0.0.1 and ::1. The error is that of listening. More than
// one server may be started; each must be ended by Close or Shutdown.
func (e *Emulator) Start(addr string) (*Server, error) { return e.start(addr, nil) }

// StartTLS is Start over TLS, with at least a certificate in config. HTTP/1.1 is
// spoken, as the service does, and no HTTP/2, whatever config says.
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
	s := &Server{URL: "http://" + reachable(listeners[0].Addr()), done: make(chan struct{})}
	if config != nil {
		s.URL = "https" + strings.TrimPrefix(s.URL, "http")
	}
	s.http = &http.Server{
		Handler:                      e.handler,
		DisableGeneralOptionsHandler: true, // OPTIONS * is answered like any other request
		MaxHeaderBytes:               maxHeaderBytes,
		ErrorLog:                     slog.NewLogLogger(e.logger.Handler(), slog.LevelDebug),
		ConnState:                    s.conns.Changed,
		ConnContext:                  httpd.ConnContext,
		BaseContext:                  func(net.Listener) context.Context { return context.WithValue(context.Background(), serverKey{}, s) },
	}
	s.http.RegisterOnShutdown(s.conns.EndUnused)
	go s.conns.Watch(s.done)
	if e.held == nil {
		go e.expireUntil(s.done)
	}
	var serving sync.WaitGroup
	for _, l := range listeners {
		l = httpd.Listener{Listener: l, Secure: config != nil}
		if config != nil {
			l = tls.NewListener(l, config)
		}
		serving.Go(func() {
			if err := s.http.Serve(l); !errors.Is(err, http.ErrServerClosed) {
				e.logger.Error("server stopped", slog.Any("error", err))
			}
		})
	}
	go func() {
		defer close(s.done)
		serving.Wait()
	}()
	return s, nil
}

// Close stops the server at once; requests that are being served lose their
// connections. The Emulator and its data stay. Closing twice does nothing.
func (s *Server) Close() error {
	s.stopping.Store(true)
	err := s.http.Close()
	<-s.done
	return err
}

// Shutdown stops the server: it takes no more connections, ends those that wait for a request, and
// waits until all requests are served, or until ctx ends, whose error it then returns. What is not
// served by then is cut off. From its beginning GET /readyz is answered with 503.
func (s *Server) Shutdown(ctx context.Context) error {
	s.stopping.Store(true)
	err := s.http.Shutdown(ctx)
	if err != nil {
		s.http.Close()
	}
	<-s.done
	return err
}

// reachable is an address to reach a listener at, from this machine if it listens everywhere.
func reachable(a net.Addr) string {
	if tcp, ok := a.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return net.JoinHostPort("127.0.0.1", strconv.Itoa(tcp.Port))
	}
	return a.String()
}
