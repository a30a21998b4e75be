package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"syscall"
	"time"

	"github.com/spf13/pflag"
)

// listenAddress holds the flags that say where a command listens.
type listenAddress struct {
	host string
	port int
}

// register makes the flags.
func (a *listenAddress) register(f *pflag.FlagSet, port int) {
	f.StringVar(&a.host, "host", "localhost", "`address` to listen at, 0.0.0.0 for all of the machine's")
	f.IntVarP(&a.port, "port", "p", port, "`number` of the port to listen at, 0 for any")
}

// check checks the flags.
func (a *listenAddress) check() error {
	if a.port < 0 || a.port > 65535 {
		return fmt.Errorf("port %d: a port is 0 to 65535", a.port)
	}
	return nil
}

func (a *listenAddress) String() string { return net.JoinHostPort(a.host, strconv.Itoa(a.port)) }

// listen opens the port.
func (a *listenAddress) listen() (net.Listener, error) {
	l, err := net.Listen("tcp", a.String())
	return l, inUse(err)
}

// inUse says more of an error of listening at a port that another process has.
func inUse(err error) error {
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("%w: stop what listens there, or choose another with --port", err)
	}
	return err
}

// newHTTPServer returns a server with limits for what a client can hold open.
func newHTTPServer(h http.Handler, logger *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       time.Minute,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(logger.Handler(), slog.LevelDebug),
	}
}

// reachable returns an address at which this machine reaches a listener.
func reachable(a net.Addr) string {
	if tcp, ok := a.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return net.JoinHostPort("127.0.0.1", strconv.Itoa(tcp.Port))
	}
	return a.String()
}

// serveUntil serves until ctx ends, and then as long as requests take that are under way, within a
// limit.
func serveUntil(ctx context.Context, l net.Listener, server *http.Server) error {
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	shutdown, cancel := context.WithTimeout(context.Background(), serverGrace)
	defer cancel()
	if err := server.Shutdown(shutdown); err != nil {
		return errors.Join(fmt.Errorf("stopping: requests that took longer than %v are cut off", serverGrace), server.Close())
	}
	return nil
}

// serverGrace is how long requests may take to finish when a server is stopped: less than what
// container runtimes grant.
const serverGrace = 8 * time.Second
