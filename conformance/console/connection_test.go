package console

import (
	"bufio"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// restarted is a server that a test stops and starts again at the same address.
type restarted struct {
	*server
	args []string
	cmd  *exec.Cmd
}

// serveAt is serve, for a server that can be started again with the same tables.
func serveAt(t *testing.T) *restarted {
	browser(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	_, port, err := net.SplitHostPort(l.Addr().String())
	require.NoError(t, err)
	require.NoError(t, l.Close())
	r := &restarted{args: []string{"serve", "--console", "--port", port, "--data-dir", t.TempDir()}}
	r.run(t)
	t.Cleanup(func() { r.stop(t) })
	return r
}

func (r *restarted) run(t *testing.T) {
	r.cmd = exec.Command(binary(t), r.args...)
	r.cmd.Stderr = os.Stderr
	out, err := r.cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, r.cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	_, url, ok := strings.Cut(strings.TrimSpace(line), " at ")
	require.True(t, ok, line)
	url, _, _ = strings.Cut(url, "/_kugiri/console/")
	r.server = &server{url: url, db: client(url, "test")}
}

func (r *restarted) stop(t *testing.T) {
	if r.cmd.ProcessState == nil {
		require.NoError(t, r.cmd.Process.Signal(os.Interrupt))
		_ = r.cmd.Wait() // it ends by the signal
	}
}

// TestServerAway: the page says that the server is away, keeps what is typed, opens views that it
// has not shown yet, and goes on by itself when the server is back.
func TestServerAway(t *testing.T) {
	t.Parallel()
	s := serveAt(t)
	s.createTable(t, "shop")
	p := open(t, s.server, "#/tables/shop/items")
	p.see("There are no items")
	p.eventually(func() bool {
		var loaded bool
		return p.tryEval(`performance.getEntriesByType("resource").some((r) => r.name.includes("codemirror"))`,
			&loaded) == nil && loaded
	}, "the editor is loaded ahead")
	p.click("button", "New item")
	p.fill("Value of pk", "typed while the server was there")
	s.stop(t)
	p.see("The server does not answer")
	p.accessible()
	p.picture("away")
	p.fill("Value of sk", "typed while it was away")
	p.click("button", "Add to the changes")
	p.click("button", "1 change")
	p.click("button", "Send 1 change")
	p.see("so nobody knows whether it has done this")
	p.click("link", "PartiQL")
	p.await("textbox", "Statements")
	p.click("link", "Tables")
	p.click("link", "shop")
	s.run(t)
	p.eventually(func() bool {
		// the page also asks by itself
		if now := p.find("button", "Ask now"); len(now) > 0 {
			p.tryClick(now[0])
		}
		return p.shows("The server answers again")
	}, "the server answers again")
	p.miss("The server does not answer")
	p.click("button", "1 change")
	p.click("button", "Send 1 change")
	p.see("1 change is applied")
	require.NotEmpty(t,
		s.order(t, "typed while the server was there", "typed while it was away"))
}
