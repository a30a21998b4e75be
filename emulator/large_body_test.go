package emulator

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/internal/httpd"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
)

// expecting is how many connections of a server have memory reserved for large bodies.
func expecting(s *Server) int {
	_, _, n := s.conns.Count()
	return n
}

// stall sends the begin of a large body, and waits for the answer or the end of the connection.
func stall(t *testing.T, addr, head string) (status func() int) {
	conn, err := net.Dial("tcp", addr)
	require.NoError(t, err)
	answer := make(chan int, 1)
	go func() {
		defer conn.Close()
		// the server may have no room for the body
		go io.WriteString(conn, head+strings.Repeat(" ", httpd.Trusted+1))
		r, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			answer <- 0
			return
		}
		answer <- r.StatusCode
	}()
	return func() int { return <-answer }
}

// TestStalledLargeBodies: clients that announce much and stop hold a bounded part of the memory,
// for a bounded time, and are in nobody's way who sends a small request.
func TestStalledLargeBodies(t *testing.T) {
	const size, fit, clients = 1 << 20, 4, 13
	for name, head := range map[string]string{
		"of a known length": callHead + fmt.Sprintf("Content-Length: %d\r\n\r\n", size),
		"in chunks":         chunkedCall + fmt.Sprintf("%x\r\n", size),
	} {
		t.Run(name, func(t *testing.T) {
			limits := Limits(serve.StandardLimits)
			limits.BodyBytes = size
			e := New(WithLimits(limits))
			e.front.Transit = httpd.NewTransit(fit * size)
			s, err := e.Start("127.0.0.1:0")
			require.NoError(t, err)
			defer s.Close()
			addr := strings.TrimPrefix(s.URL, "http://")
			var answers []func() int
			for range clients {
				answers = append(answers, stall(t, addr, head))
			}
			for expecting(s) < fit {
				runtime.Gosched()
			}
			small, err := net.Dial("tcp", addr)
			require.NoError(t, err)
			defer small.Close()
			assert.Contains(t, answered(t, small, goodCall), goodAnswer)

			statuses := make(chan int, clients)
			for _, answer := range answers {
				go func() { statuses <- answer() }()
			}
			// The second tick ends those that have memory, and the next ones get it.
			for over := 0; over < clients; {
				ending := min(fit, clients-over)
				for expecting(s) != ending {
					assert.LessOrEqual(t, expecting(s), fit)
					runtime.Gosched()
				}
				s.conns.Sweep()
				s.conns.Sweep()
				for range ending {
					assert.Equal(t, http.StatusRequestTimeout, <-statuses)
					over++
				}
			}
			require.NoError(t, e.front.Transit.Reserve(t.Context(), fit*size), "all is given back")
			e.front.Transit.Release(fit * size)
			large, err := net.Dial("tcp", addr)
			require.NoError(t, err)
			defer large.Close()
			assert.Contains(t, answered(t, large, withBody("{}"+strings.Repeat(" ", size-2))),
				goodAnswer)
		})
	}
}

// TestTooManyLargeBodies: who has waited for long enough is told to try again.
func TestTooManyLargeBodies(t *testing.T) {
	e := New()
	e.front.Transit.Wait = time.Microsecond
	s, err := e.Start("127.0.0.1:0")
	require.NoError(t, err)
	defer s.Close()
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
	require.NoError(t, err)
	defer conn.Close()
	require.True(t, e.front.Transit.TryReserve(httpd.TransitMemory))
	body := "{}" + strings.Repeat(" ", httpd.Trusted)
	answer := answered(t, conn, withBody(body))
	assert.Contains(t, answer, "503 Service Unavailable")
	assert.Contains(t, answer, "ServiceUnavailable")
	e.front.Transit.Release(httpd.TransitMemory)
	again, err := net.Dial("tcp", conn.RemoteAddr().String())
	require.NoError(t, err)
	defer again.Close()
	assert.Contains(t, answered(t, again, withBody(body)), goodAnswer)
}

// TestLargeBodiesTogether: right requests wait for each other, and all are answered.
func TestLargeBodiesTogether(t *testing.T) {
	limits := Limits(serve.StandardLimits)
	limits.BodyBytes = 2 << 20
	e := New(WithLimits(limits))
	e.front.Transit = httpd.NewTransit(2 * limits.BodyBytes)
	transit := e.front.Transit
	s, err := e.Start("127.0.0.1:0")
	require.NoError(t, err)
	defer s.Close()
	var all sync.WaitGroup
	for i := range 12 {
		all.Add(1)
		go func() {
			defer all.Done()
			c, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
			if !assert.NoError(t, err) {
				return
			}
			defer c.Close()
			body := "{}" + strings.Repeat(" ", int(e.service.Limits.BodyBytes)-2)
			if i%2 == 0 {
				assert.Contains(t, answered(t, c, withBody(body)), goodAnswer)
				return
			}
			assert.Contains(t,
				answered(t, c, chunkedCall+fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(body), body)),
				goodAnswer)
		}()
	}
	all.Wait()
	require.NoError(t, transit.Reserve(t.Context(), transit.Size), "all is given back")
}

// TestLargeBodiesUntilAnswered: a body takes its memory until it is answered, also if only what it
// stands for is large.
func TestLargeBodiesUntilAnswered(t *testing.T) {
	body := "{}" + strings.Repeat(" ", 4*httpd.Trusted)
	small := string(httpd.Codings[0].Compress(nil, []byte(body)))
	require.Less(t, len(small), httpd.Trusted)
	zipped := "Content-Encoding: gzip\r\n"
	for name, call := range map[string]string{
		"of a known length": withBody(body),
		"in chunks": chunkedCall + fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(body),
			body),
		"small when compressed": strings.Replace(withBody(small), "\r\n", "\r\n"+zipped, 1),
		"compressed, and chunked": strings.Replace(chunkedCall, "\r\n", "\r\n"+zipped,
			1) + fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(small), small),
	} {
		t.Run(name, func(t *testing.T) {
			e, held := New(), make(chan bool, 2)
			transit := e.front.Transit
			e.Observe(func(*Event) { held <- !transit.TryReserve(transit.Size - httpd.Trusted) })
			transit.Wait = time.Microsecond
			s, err := e.Start("127.0.0.1:0")
			require.NoError(t, err)
			defer s.Close()
			send := func() string {
				conn, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
				require.NoError(t, err)
				defer conn.Close()
				return answered(t, conn, call)
			}
			assert.Contains(t, send(), goodAnswer)
			assert.True(t, <-held, "memory is reserved while the answer is made")
			require.NoError(t, transit.Reserve(t.Context(), transit.Size), "all is given back")
			assert.Contains(t, send(), "503 Service Unavailable")
		})
	}
}

// TestLargeBodiesOfOthers: what others than the service answer has no more memory for its bodies,
// however many clients send some, and however long they wait for their answers.
func TestLargeBodiesOfOthers(t *testing.T) {
	const size, fit = 1 << 20, 2
	read, answer := make(chan error), make(chan struct{})
	reads := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, err := io.ReadAll(r.Body)
		read <- err
		<-answer
	})
	e := New(WithRoute("/route", func(*Emulator) http.Handler { return reads }))
	e.Intercept("a", reads)
	e.front.Aside = httpd.NewTransit(fit * size)
	e.front.Aside.Wait = time.Microsecond
	s, err := e.Start("127.0.0.1:0")
	require.NoError(t, err)
	defer s.Close()
	body := "{}" + strings.Repeat(" ", size-2)
	for name, call := range map[string]string{
		"calls of an access key": withBody(body),
		"calls in chunks":        chunkedCall + fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", size, body),
		"a route":                strings.Replace(withBody(body), "POST / ", "POST /route ", 1),
	} {
		t.Run(name, func(t *testing.T) {
			limits := e.service.Limits.BodyBytes
			e.service.Limits.BodyBytes = size
			defer func() { e.service.Limits.BodyBytes = limits }()
			for range fit + 1 {
				conn, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
				require.NoError(t, err)
				defer conn.Close()
				go io.WriteString(conn, call)
			}
			refused := 0
			for range fit + 1 {
				if <-read != nil {
					refused++
				}
			}
			assert.Equal(t, 1, refused)
			for range fit + 1 {
				answer <- struct{}{}
			}
			e.front.Aside.Wait = time.Minute
			require.NoError(t, e.front.Aside.Reserve(t.Context(), fit*size), "all is given back")
			e.front.Aside.Release(fit * size)
			e.front.Aside.Wait = time.Microsecond
		})
	}
}
