package httpd

import (
	"io"
	"net"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// piped is a connection of a server, and what its client has.
func piped(t *testing.T) (c *conn, client net.Conn) {
	ours, client := net.Pipe()
	t.Cleanup(func() {
		ours.Close()
		client.Close()
	})
	return &conn{Conn: ours}, client
}

// TestConnectionsAreBounded: beyond the most connections there may be, the next one waits until
// another ends. The one that was not used for the longest time ends for it.
func TestConnectionsAreBounded(t *testing.T) {
	for _, c := range []struct {
		name    string
		prepare func(cs *Conns, first, second *conn)
		ended   bool // the first one, by the server
		free    func(cs *Conns, first, second *conn)
	}{
		{"another ends", func(cs *Conns, first, second *conn) {
			cs.Changed(first, http.StateActive)
			cs.Changed(second, http.StateActive)
			cs.Sweep()
		}, false, func(cs *Conns, _, second *conn) { cs.Changed(second, http.StateClosed) }},
		{"another is unused", func(cs *Conns, first, second *conn) {
			cs.Changed(first, http.StateIdle)
			cs.Sweep()
			cs.Changed(second, http.StateIdle)
		}, true, func(cs *Conns, first, _ *conn) { cs.Changed(first, http.StateClosed) }},
		{"another becomes unused", func(cs *Conns, first, second *conn) {
			cs.Changed(first, http.StateIdle)
			cs.Changed(second, http.StateActive)
		}, true, func(cs *Conns, first, _ *conn) {
			cs.Sweep()
			cs.Changed(first, http.StateClosed)
		}},
		{"the server ends", func(cs *Conns, first, second *conn) {
			cs.Changed(first, http.StateActive)
			cs.Changed(second, http.StateActive)
		}, false, func(cs *Conns, _, _ *conn) { cs.EndUnused() }},
	} {
		t.Run(c.name, func(t *testing.T) {
			cs := &Conns{most: 2}
			first, client := piped(t)
			second, _ := piped(t)
			third, _ := piped(t)
			cs.Changed(first, http.StateNew)
			cs.Changed(second, http.StateNew)
			c.prepare(cs, first, second)
			added := make(chan struct{})
			go func() {
				defer close(added)
				cs.Changed(third, http.StateNew)
			}()
			if c.ended && c.name != "another becomes unused" {
				_, err := client.Read(make([]byte, 1))
				require.ErrorIs(t, err, io.EOF)
			}
			select {
			case <-added:
				assert.Fail(t, "there was no room yet")
			default:
			}
			c.free(cs, first, second)
			<-added
			open, _, _ := cs.Count()
			assert.LessOrEqual(t, open, 3)
			if c.name != "the server ends" {
				assert.Equal(t, 2, open)
			}
		})
	}
}
