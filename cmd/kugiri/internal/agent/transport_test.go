package agent_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/agent"
	"github.com/kugiri-db/kugiri/storage/growth"
)

const (
	mostWaiting = 64      // calls without an answer
	mostBytes   = 2 << 20 // the size of a message

	begin = `{"jsonrpc":"2.0","id":"first","method":"initialize","params":{` +
		`"protocolVersion":"2025-03-26","capabilities":{},` +
		`"clientInfo":{"name":"x","version":"1"}}}` + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
	ping   = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	pinged = `{"jsonrpc":"2.0","id":1,"result":{}}`
)

// sending is an endpoint that answers every request by a function.
func sending(answer func() []byte) agent.Endpoint {
	return agent.Endpoint{Send: func(context.Context, string, []byte, string) ([]byte, error) {
		return answer(), nil
	}}
}

// call is a call of a tool that asks the endpoint once.
func call(id int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":`+
		`{"name":"get_item","arguments":{"table":"t","key":{"id":{"S":"1"}}}}}`, id)
}

// batchOf is a batch of pings.
func batchOf(n int) string {
	var list []string
	for i := range n {
		list = append(list, strings.Replace(ping, "1,", fmt.Sprintf("%d,", i), 1))
	}
	return "[" + strings.Join(list, ",\n") + "]"
}

// hostile has messages that no agent should send, and what is said of each.
var hostile = []struct {
	name, send string
	says       string // over a reader and a writer
	status     int    // over HTTP
	answers    string // over HTTP
}{
	{"a ping", ping, pinged, http.StatusOK, pinged},
	{"a method that there is not", strings.Replace(ping, "ping", "x/y", 1),
		`method not found: \"x/y\"`, http.StatusBadRequest, `"x/y"`},
	{"a tool that there is not", strings.Replace(call(1), "get_item", "y", 1), `unknown tool \"y\"`,
		http.StatusOK, `unknown tool \"y\"`},
	{"arrays that nest", strings.Repeat("[", 1<<20), "exceeded max depth", http.StatusBadRequest,
		"exceeded maximum nesting depth"},
	{"arguments that nest", strings.Replace(call(1), `"1"`,
		strings.Repeat(`{"L":[`, 1<<17)+strings.Repeat("]}", 1<<17), 1), "exceeded max depth",
		http.StatusBadRequest, "exceeded maximum nesting depth"},
	{"a number that is long", strings.Replace(ping, "1,", strings.Repeat("9", 1<<20)+",", 1),
		"cannot unmarshal", http.StatusBadRequest, "cannot unmarshal"},
	{"a number that is a long text",
		strings.Replace(ping, "1,", `"`+strings.Repeat("9", 1<<20)+`",`, 1), `99","result":{}}`,
		http.StatusOK, `99","result":{}}`},
	{"no JSON", "GARBAGE", "invalid character 'G'", http.StatusBadRequest, "malformed payload"},
	{"a text that does not end", `{"jsonrpc":"` + strings.Repeat("x", mostBytes),
		"exceeded the configured maximum line length", http.StatusRequestEntityTooLarge,
		"a message has at most 2097152 bytes"},
	{"blanks that do not end", strings.Repeat(" ", mostBytes+1) + ping,
		"exceeded the configured maximum line length", http.StatusRequestEntityTooLarge,
		"a message has at most 2097152 bytes"},
	{"a batch", batchOf(16), `"id":15,"result":{}}]`, http.StatusOK, `"id":15,"result":{}}]`},
	{"a batch of too many", batchOf(17), "a batch has at most 16 messages", http.StatusBadRequest,
		"a batch has at most 16 messages"},
	{"a batch of empty messages", "[" + strings.Repeat("{},", 1<<19) + "{}]",
		"a batch has at most 16 messages", http.StatusBadRequest, "a batch has at most 16 messages"},
	{"a batch behind texts that look like its end",
		`["]","\"]","\\",` + strings.Repeat("{},", 16) + "{}]", "a batch has at most 16 messages",
		http.StatusBadRequest, "a batch has at most 16 messages"},
	{"an array in a message", strings.Replace(ping, `"method"`,
		`"params":{"_meta":{"a":[`+strings.Repeat("1,", 100)+`1]}},"method"`, 1), pinged,
		http.StatusOK, pinged},
}

// TestHostileAgents sends what no agent should, in place of its messages.
func TestHostileAgents(t *testing.T) {
	e := sending(func() []byte { return []byte("{}") })
	for _, c := range hostile {
		t.Run(c.name, func(t *testing.T) {
			said, err := session(t, agent.New(e, agent.None, "1"), strings.NewReader(c.send+"\n"))
			assert.Contains(t, fmt.Sprint(said, err), c.says)
		})
	}
}

// session begins a session and sends what a reader has. It returns the next line that is answered,
// and how the session ended.
func session(t *testing.T, server *mcp.Server, send io.Reader) (said string, err error) {
	in, agentOut := io.Pipe()
	agentIn, out := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := agent.Serve(t.Context(), server, in, out)
		in.Close()
		out.Close()
		ended <- err
	}()
	go io.WriteString(agentOut, begin)
	answers := bufio.NewReader(agentIn)
	_, err = answers.ReadString('\n') // what initialize answers
	require.NoError(t, err)
	go io.Copy(agentOut, send) // the server may end before it has read all
	said, err = answers.ReadString('\n')
	if err == nil {
		agentOut.Close()
	}
	return said, <-ended
}

// TestHostileAgentsOverHTTP sends the same as bodies, and a ping after each.
func TestHostileAgentsOverHTTP(t *testing.T) {
	e := sending(func() []byte { return []byte("{}") })
	s := httptest.NewServer(agent.Handler(agent.New(e, agent.None, "1")))
	defer s.Close()
	for _, c := range hostile {
		t.Run(c.name, func(t *testing.T) {
			status, answer := post(t, s.URL, c.send)
			assert.Equal(t, c.status, status)
			assert.Contains(t, answer, c.answers)
			_, answer = post(t, s.URL, ping)
			assert.Equal(t, pinged, answer)
		})
	}
}

// post sends a body to an agent's server.
func post(t *testing.T, url, body string) (status int, answer string) {
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Mcp-Protocol-Version", "2025-03-26")
	got, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer got.Body.Close()
	text, err := io.ReadAll(got.Body)
	require.NoError(t, err)
	return got.StatusCode, string(text)
}

// TestCallsWaitForTheirReader: a session takes no more calls than have room while the agent does
// not read the answers, and goes on when it does.
func TestCallsWaitForTheirReader(t *testing.T) {
	const calls = 500
	var entered atomic.Int64
	many := make(chan struct{})
	answer := []byte(`{"Item":{"v":{"S":"` + strings.Repeat("x", 60<<10) + `"}}}`)
	server := agent.New(sending(func() []byte {
		if entered.Add(1) == mostWaiting {
			close(many)
		}
		return answer
	}), agent.None, "1")
	in, agentOut := io.Pipe()
	agentIn, out := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- agent.Serve(t.Context(), server, in, out); out.Close() }()
	go func() {
		io.WriteString(agentOut, begin)
		for i := range calls {
			io.WriteString(agentOut, call(i)+"\n")
		}
	}()
	answers := bufio.NewReader(agentIn)
	_, err := answers.ReadString('\n') // what initialize answers
	require.NoError(t, err)
	<-many
	for i := range int64(calls) {
		// one more has been written when its reader has not returned yet
		require.LessOrEqual(t, entered.Load(), i+mostWaiting+1)
		line, err := answers.ReadString('\n')
		require.NoError(t, err)
		require.Contains(t, line, `"result"`)
	}
	require.NoError(t, agentOut.Close())
	require.NoError(t, <-ended)
}

// TestStopsWithoutAReader: a session ends with its context, also when nobody reads its answers.
func TestStopsWithoutAReader(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	var entered atomic.Int64
	server := agent.New(sending(func() []byte {
		if entered.Add(1) == mostWaiting {
			stop()
		}
		return []byte("{}")
	}), agent.None, "1")
	in, agentOut := io.Pipe()
	agentIn, out := io.Pipe()
	defer agentIn.Close()
	defer agentOut.Close()
	go func() {
		io.WriteString(agentOut, begin)
		for i := range mostWaiting {
			io.WriteString(agentOut, call(i)+"\n")
		}
	}()
	ended := make(chan error, 1)
	go func() { ended <- agent.Serve(ctx, server, in, out) }()
	_, err := bufio.NewReader(agentIn).ReadString('\n') // what initialize answers
	require.NoError(t, err)
	require.ErrorIs(t, <-ended, context.Canceled)
}

// TestManyNotifications: notifications without end cost no memory.
func TestManyNotifications(t *testing.T) {
	n := 5_000
	if os.Getenv("TEST_FULL") != "" {
		n = 1_000_000
	}
	const note = `{"jsonrpc":"2.0","method":"notifications/progress","params":` +
		`{"progressToken":"a","progress":1}}` + "\n"
	thousand := strings.Repeat(note, 1000)
	var parts []io.Reader
	for range n / 1000 {
		parts = append(parts, strings.NewReader(thousand))
	}
	parts = append(parts, strings.NewReader(ping+"\n"))
	server := agent.New(sending(func() []byte { return nil }), agent.None, "1")
	peak := growth.Peak(func() {
		said, err := session(t, server, io.MultiReader(parts...))
		assert.NoError(t, err)
		assert.Equal(t, pinged+"\n", said)
	})
	assert.Less(t, peak, int64(growth.MostBytes))
}
