package servecmd

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/spf13/pflag"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/listen"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/terminal"
	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/dax"
	"github.com/kugiri-db/kugiri/emulator/metrics"
)

// daxSettings hold the flags of the accelerator.
type daxSettings struct {
	port, tlsPort int
	nodes         int
	itemTTL       time.Duration
	queryTTL      time.Duration
	lag           time.Duration
	memory        int64
	advertise     string
	// what counts is of, once it has started; nil without counts
	cluster *atomic.Pointer[dax.Cluster]
}

// counts tells what the caches have done, for metrics; it is nil without an accelerator.
func (s *daxSettings) counts() func() []metrics.CacheCount {
	if !s.on() {
		return nil
	}
	s.cluster = new(atomic.Pointer[dax.Cluster])
	return func() (counts []metrics.CacheCount) {
		cluster := s.cluster.Load()
		if cluster == nil {
			return nil
		}
		for _, t := range cluster.Stats() {
			add := func(cache, result string, n int64) {
				counts = append(counts,
					metrics.CacheCount{Table: t.Table, Cache: cache, Result: result, Count: n})
			}
			add("item", "hit", t.ItemHits)
			add("item", "miss", t.ItemMisses)
			add("item", "eviction", t.ItemEvictions)
			add("query", "hit", t.QueryHits)
			add("query", "miss", t.QueryMisses)
			add("query", "eviction", t.QueryEvictions)
		}
		return counts
	}
}

func (s *daxSettings) register(f *pflag.FlagSet) {
	d := dax.DefaultConfig()
	f.IntVar(&s.port, "dax-port", 0,
		"`number` of the port at which clients of DAX reach the accelerator by dax://, 0 for none")
	f.IntVar(&s.tlsPort, "dax-tls-port", 0,
		"`number` of the port for daxs://, with --tls-cert or --tls-self-signed, 0 for none")
	f.IntVar(&s.nodes, "dax-nodes", d.Nodes,
		"`number` of nodes, each with caches of its own; further ones have the ports after the first")
	f.DurationVar(&s.itemTTL, "dax-item-ttl", d.ItemTTL,
		"`duration` for which the item cache keeps an item, 0 for any")
	f.DurationVar(&s.queryTTL, "dax-query-ttl", d.QueryTTL,
		"`duration` for which the query cache keeps a result, 0 for none")
	f.DurationVar(&s.lag, "dax-replication-lag", d.ReplicationLag,
		"`duration` after which a node hears of what others have read and written")
	f.Int64Var(&s.memory, "dax-cache-memory", d.CacheBytes,
		"`bytes` of each cache of each node, beyond which what was used least recently leaves")
	f.StringVar(&s.advertise, "dax-advertise", "",
		"IP `address` at which clients reach the nodes, if it is not the one that they connect to")
}

func (s *daxSettings) on() bool { return s.port != 0 || s.tlsPort != 0 }

func (s *daxSettings) config() dax.Config {
	return dax.Config{
		ItemTTL: s.itemTTL, QueryTTL: s.queryTTL, Nodes: s.nodes, ReplicationLag: s.lag,
		CacheBytes: s.memory, Advertise: net.ParseIP(s.advertise),
	}
}

func (s *daxSettings) check(t *tlsSettings) error {
	config := s.config()
	for _, port := range [...]struct {
		name   string
		number int
	}{{"dax-port", s.port}, {"dax-tls-port", s.tlsPort}} {
		if port.number < 0 || port.number+s.nodes-1 > 65535 {
			return fmt.Errorf("%s %d: the ports of all nodes are 1 to 65535", port.name,
				port.number)
		}
	}
	switch err := config.Check(); {
	case err != nil:
		return fmt.Errorf("dax: %w", err)
	case s.tlsPort != 0 && !t.on():
		return errors.New("dax-tls-port: TLS needs --tls-cert or --tls-self-signed")
	case s.advertise != "" && config.Advertise == nil:
		return fmt.Errorf("dax-advertise %q: it is no IP address", s.advertise)
	}
	return nil
}

// noAccelerator stands for the accelerator of a server that has none.
type noAccelerator struct{}

func (noAccelerator) Close() error { return nil }

// start starts the accelerator of e, if there is one, and says where it is.
func (s *daxSettings) start(e *emulator.Emulator, host string, t *tlsSettings, out io.Writer,
	logger *slog.Logger) (io.Closer, error) {
	if !s.on() {
		return noAccelerator{}, nil
	}
	cluster, err := dax.New(e, s.config())
	if err != nil {
		return nil, err
	}
	if s.cluster != nil {
		s.cluster.Store(cluster)
	}
	say := func(scheme, at string) {
		cli.Say(out, terminal.StyleOf(out).Bold("kugiri:"), "accelerator at", scheme+"://"+at)
	}
	if s.port != 0 {
		at, err := cluster.Listen(net.JoinHostPort(host, strconv.Itoa(s.port)), nil)
		if err != nil {
			return nil, errors.Join(listen.InUse(err), cluster.Close())
		}
		say("dax", at)
	}
	if s.tlsPort != 0 {
		config, err := t.config(host, logger)
		if err != nil {
			return nil, errors.Join(err, cluster.Close())
		}
		at, err := cluster.Listen(net.JoinHostPort(host, strconv.Itoa(s.tlsPort)), config)
		if err != nil {
			return nil, errors.Join(listen.InUse(err), cluster.Close())
		}
		say("daxs", at)
	}
	return cluster, nil
}
