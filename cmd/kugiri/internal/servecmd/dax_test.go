package servecmd

import (
	"io"
	"log/slog"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
)

func TestDAXSettings(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
		want string // "" for no error
	}{
		{"none", nil, ""},
		{"all", []string{"--dax-port=8111", "--dax-tls-port=9111", "--dax-nodes=3",
			"--dax-item-ttl=0", "--dax-query-ttl=1s", "--dax-advertise=::1"}, ""},
		{"no port", []string{"--dax-port=65536"},
			"dax-port 65536: the ports of all nodes are 1 to 65535"},
		{"no ports for the nodes", []string{"--dax-port=65534", "--dax-nodes=3"},
			"dax-port 65534: the ports of all nodes are 1 to 65535"},
		{"no nodes", []string{"--dax-nodes=0"}, "dax: 0 nodes: a cluster has 1 to 11"},
		{"many nodes", []string{"--dax-nodes=12"}, "dax: 12 nodes: a cluster has 1 to 11"},
		{"a negative time", []string{"--dax-item-ttl=-1s"},
			"dax: the TTLs of the caches and the lag of nodes are not negative"},
		{"a name to advertise", []string{"--dax-advertise=localhost"},
			`dax-advertise "localhost": it is no IP address`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var s daxSettings
			f := pflag.NewFlagSet("", pflag.ContinueOnError)
			s.register(f)
			require.NoError(t, f.Parse(c.args))
			err := s.check(&tlsSettings{selfSigned: true})
			if c.want == "" {
				assert.NoError(t, err)
				return
			}
			assert.EqualError(t, err, c.want)
		})
	}
	s := daxSettings{tlsPort: 9111, nodes: 1}
	assert.EqualError(t, s.check(&tlsSettings{}),
		"dax-tls-port: TLS needs --tls-cert or --tls-self-signed")
}

// TestNoAccelerator: without a port nothing starts, and nothing is said.
func TestNoAccelerator(t *testing.T) {
	var s daxSettings
	s.register(pflag.NewFlagSet("", pflag.ContinueOnError))
	closer, err := s.start(emulator.New(), "127.0.0.1", &tlsSettings{}, io.Discard,
		slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	assert.IsType(t, noAccelerator{}, closer)
	assert.NoError(t, closer.Close())
	assert.Nil(t, s.counts())
	assert.Nil(t, s.cluster)
}
