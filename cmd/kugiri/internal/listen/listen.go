// Package listen has the flags that say where a command listens, and serves HTTP there until the
// command ends.
package listen

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"syscall"
	"time"

	"github.com/spf13/pflag"
	"golang.org/x/net/netutil"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/terminal"
)

// Address holds the flags that say where a command listens.
type Address struct {
	Host string
	Port int
}

// Register makes the flags.
func (a *Address) Register(f *pflag.FlagSet, port int) {
	f.StringVar(&a.Host, "host", "localhost",
		"`address` to listen at, 0.0.0.0 for all of the machine's")
	f.IntVarP(&a.Port, "port", "p", port, "`number` of the port to listen at, 0 for any")
}

// Check checks the flags.
func (a *Address) Check() error {
	if a.Port < 0 || a.Port > 65535 {
		return fmt.Errorf("port %d: a port is 0 to 65535", a.Port)
	}
	return nil
}

// String returns the address as net.Listen takes it.
func (a *Address) String() string { return net.JoinHostPort(a.Host, strconv.Itoa(a.Port)) }

// Listen opens the port. Of more than maxConns clients the next ones wait until others leave.
func (a *Address) Listen() (net.Listener, error) {
	l, err := net.Listen("tcp", a.String())
	if err != nil {
		return nil, InUse(err)
	}
	return netutil.LimitListener(l, maxConns), nil
}

// InUse says more of an error of listening at a port that another process has.
func InUse(err error) error {
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("%w: stop what listens there, or choose another with --port", err)
	}
	return err
}

// NewServer returns a server with limits for what a client can hold open, and for the memory that
// the large bodies of all clients take.
func NewServer(h http.Handler, logger *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           withRoom(h),
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       time.Minute,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(logger.Handler(), slog.LevelDebug),
	}
}

// Reachable returns an address at which this machine reaches a listener.
func Reachable(a net.Addr) string {
	if tcp, ok := a.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return net.JoinHostPort("127.0.0.1", strconv.Itoa(tcp.Port))
	}
	return a.String()
}

// ServeUntil serves until ctx ends, and then as long as requests take that are under way, within a
// limit. It says on out that it has stopped.
func ServeUntil(ctx context.Context, l net.Listener, server *http.Server, out io.Writer) error {
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
		return errors.Join(
			fmt.Errorf("stopping: requests that took longer than %v are cut off", serverGrace),
			server.Close())
	}
	SayStopped(out)
	return nil
}

// SayStopped says that a server has stopped.
func SayStopped(out io.Writer) {
	cli.Say(out, terminal.StyleOf(out).Bold("kugiri:"), "stopped")
}

// serverGrace is how long requests may take to finish when a server is stopped: less than what
// container runtimes grant.
const serverGrace = 8 * time.Second
