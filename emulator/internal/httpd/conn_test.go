package httpd

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// deadlines is a connection that records the read deadlines that it gets.
type deadlines struct {
	net.Conn
	given []time.Time
}

func (d *deadlines) SetReadDeadline(t time.Time) error {
	d.given = append(d.given, t)
	return nil
}

func (d *deadlines) SetDeadline(t time.Time) error { return d.SetReadDeadline(t) }

// TestDeadlinesOfReading checks that a conn passes on every deadline but the one of long ago, which
// it keeps to itself while no read waits, and that it clears only what it has passed on.
func TestDeadlinesOfReading(t *testing.T) {
	var none time.Time
	future := time.Unix(1<<40, 0)
	under := &deadlines{}
	c := &conn{Conn: under}
	for _, at := range []time.Time{none, none, longAgo, longAgo, none, none, future, longAgo,
		none} {
		require.NoError(t, c.SetReadDeadline(at))
	}
	require.NoError(t, c.SetDeadline(future))
	require.NoError(t, c.SetReadDeadline(none))
	require.NoError(t, c.SetDeadline(none))
	require.NoError(t, c.SetReadDeadline(none))
	assert.Equal(t, []time.Time{future, none, future, none, none}, under.given)
}

// TestPastDeadlineEndsReads sets the deadline of long ago before a read, and while one waits. Each
// ends at once, and the next waits again when the deadline is cleared.
func TestPastDeadlineEndsReads(t *testing.T) {
	client, server := net.Pipe()
	defer client.Close()
	c := &conn{Conn: server}
	defer c.Close()
	read := func() error {
		_, err := c.Read(make([]byte, 1))
		return err
	}
	timesOut := func(err error) {
		t.Helper()
		timeout, ok := err.(net.Error)
		require.True(t, ok && timeout.Timeout(), "%v", err)
	}
	for range 3 {
		require.NoError(t, c.SetReadDeadline(longAgo))
		timesOut(read())
		timesOut(read())
		require.NoError(t, c.SetReadDeadline(time.Time{}))

		waits := make(chan error)
		go func() { waits <- read() }()
		for c.reads.count() == 0 {
			runtime.Gosched()
		}
		require.NoError(t, c.SetReadDeadline(longAgo))
		timesOut(<-waits)
		require.NoError(t, c.SetReadDeadline(time.Time{}))

		go client.Write([]byte("x"))
		require.NoError(t, read())
	}
}

// count returns how many reads wait.
func (d *readDeadline) count() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.waiting
}

// TestLongAnswersArriveWhole sends answers of all lengths around the size at which
// they are sent in two parts.
func TestLongAnswersArriveWhole(t *testing.T) {
	for _, n := range []int{0, 1, 2048, 3800, 3900, 4000, 4095, 4096, 4097, 8192, 8193, 100_000,
		2_000_000} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			body := bytes.Repeat([]byte("x"), n)
			s := &http.Server{ConnContext: ConnContext,
				Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					w.Header().Set("Content-Length", fmt.Sprint(n))
					JoinParts(r, n)
					w.Write(body)
				})}
			l, err := net.Listen("tcp", "127.0.0.1:0")
			require.NoError(t, err)
			go s.Serve(Listener{Listener: l})
			defer s.Close()
			c, err := net.Dial("tcp", l.Addr().String())
			require.NoError(t, err)
			defer c.Close()
			answers := bufio.NewReader(c)
			for range 3 { // three answers on one connection
				fmt.Fprint(c, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
				r, err := http.ReadResponse(answers, nil)
				require.NoError(t, err)
				got, err := io.ReadAll(r.Body)
				require.NoError(t, err)
				assert.True(t, bytes.Equal(body, got))
			}
		})
	}
}
