package servecmd

import (
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"time"

	"github.com/kugiri-db/kugiri/emulator"
)

// servePprof serves profiles at an address of their own, never at the server's, until stop is
// called.
func servePprof(addr string, logger *slog.Logger) (stop func() error, err error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("pprof: %w", err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	server := &http.Server{Handler: emulator.AllowHosts(mux), ReadHeaderTimeout: 10 * time.Second}
	go server.Serve(l) // stop ends it
	logger.Info("profiles", slog.String("url", "http://"+l.Addr().String()+"/debug/pprof/"))
	return server.Close, nil
}
