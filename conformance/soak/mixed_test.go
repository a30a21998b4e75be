package soak

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/dax/cbor"
	"github.com/kugiri-db/kugiri/emulator/dax/protocol"
)

// mixed is the load of all that a server has besides its operations: DAX, explorations that are
// abandoned, designs, bulk puts and forks.
type mixed struct {
	*testing.T
	client
	dax, profiles string // addresses
	process       *exec.Cmd

	mu   sync.Mutex
	done map[string]int // counts by kind
}

// TestSoakOfEverything loads a process with all kinds of work at once. When nobody asks any more it
// has as many goroutines and descriptors as at first, and about as much memory. With KUGIRI_SOAK it
// is built with the race detector, which ends it at once when it finds something.
func TestSoakOfEverything(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("what a process holds is read from /proc")
	}
	length, acts := time.Duration(0), 1
	build := []string{"build"}
	if text, long := os.LookupEnv(lengthVariable); long {
		var err error
		length, err = time.ParseDuration(text)
		require.NoError(t, err, lengthVariable)
		build, acts = append(build, "-race"), 5
	}
	m := startMixed(t, build)
	s := &soak{T: t, direct: m.client}
	// clients that drop connections would get more of the machine than the process
	s.pace = func() {
		_, err := m.send(t.Context(), "UpdateItem", addition("paced"))
		assert.NoError(t, err)
	}
	s.create()
	round := func(number int) {
		var others sync.WaitGroup
		for i, act := range []func(*rand.Rand){m.accelerate, m.explore, m.design, m.put, m.fork} {
			random := rand.New(rand.NewPCG(uint64(number), uint64(i)))
			others.Go(func() {
				for range acts {
					act(random)
				}
			})
		}
		l := s.load(number, shortWork, m.url)
		others.Wait()
		l.client = m.client
		l.audit(nil)
	}
	round(0) // fills pools and caches
	first := m.rest()
	rounds, until := 1, time.Now().Add(length)
	for ; rounds < shortRounds || time.Now().Before(until); rounds++ {
		round(rounds)
		if t.Failed() {
			t.FailNow()
		}
		if rounds%50 == 0 {
			t.Log(rounds, m.rest(), m.done)
		}
	}
	last := m.rest()
	t.Logf("%d rounds, %d operations, %d connections dropped, %v: at first %v, at last %v",
		rounds, s.done.Load(), s.dropped.Load(), m.done, first, last)
	assert.LessOrEqual(t, last.goroutines, first.goroutines+slack)
	assert.LessOrEqual(t, last.descriptors, first.descriptors+slack)
	assert.Less(t, last.heap, first.heap+bounded)
	require.NoError(t, m.process.Process.Signal(os.Interrupt))
	require.NoError(t, m.process.Wait())
}

const (
	slack   = 8         // idle connections, and what answers them
	bounded = 300 << 20 // changes that streams keep (128 MB), and DAX's two caches (64 MB each)
)

// startMixed starts a process with all ports.
func startMixed(t *testing.T, build []string) *mixed {
	dir := t.TempDir()
	program := filepath.Join(dir, "kugiri")
	out, err := exec.Command("go", append(build, "-o", program,
		"github.com/kugiri-db/kugiri/cmd/kugiri")...).CombinedOutput()
	require.NoError(t, err, string(out))
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "s3", "in", "src"), 0o700))
	var lines strings.Builder
	for i := range 200 {
		fmt.Fprintf(&lines, `{"Item":{"pk":{"S":"bulk"},"sk":{"N":"%d"},"n":{"N":"1"}}}`+"\n", i)
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "s3", "in", "src", "data.json"),
		[]byte(lines.String()), 0o600))
	m := &mixed{T: t, dax: freeAddress(t), profiles: freeAddress(t), done: map[string]int{}}
	m.process = exec.Command(program, "serve", "--host", "127.0.0.1", "--port", "0", "--admin",
		"--console", "--pprof", m.profiles, "--s3-dir", filepath.Join(dir, "s3"), "--dax-port",
		m.dax[strings.LastIndexByte(m.dax, ':')+1:])
	m.process.Env = append(os.Environ(), "GORACE=halt_on_error=1")
	m.process.Stderr = os.Stderr
	stdout, err := m.process.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, m.process.Start())
	t.Cleanup(func() { m.process.Process.Kill() })
	line, err := bufio.NewReader(stdout).ReadString('\n')
	require.NoError(t, err)
	_, url, ok := strings.Cut(strings.TrimSpace(line), "listening at ")
	require.True(t, ok, line)
	m.client = client{http.DefaultClient, url}
	return m
}

// freeAddress returns an address at which nobody listens.
func freeAddress(t *testing.T) string {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer free.Close()
	return free.Addr().String()
}

// did counts something done.
func (m *mixed) did(kind string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.done[kind]++
}

// ask sends a request past the operations, and returns the answer.
func (m *mixed) ask(method, path, body string, want int) []byte {
	at := m.url
	if strings.HasPrefix(path, "/debug/") {
		at = "http://" + m.profiles
	}
	r, err := http.NewRequest(method, at+path, strings.NewReader(body))
	if !assert.NoError(m, err) {
		return nil
	}
	r.Header.Set("Content-Type", "application/json")
	res, err := m.http.Do(r)
	if !assert.NoError(m, err) {
		return nil
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	assert.NoError(m, err)
	assert.Equal(m, want, res.StatusCode, "%s %s: %.300s", method, path, answer)
	return answer
}

// encode appends text, bytes and numbers.
func encode(dst []byte, items ...any) []byte {
	for _, it := range items {
		switch v := it.(type) {
		case string:
			dst = cbor.AppendText(dst, v)
		case []byte:
			dst = cbor.AppendBytes(dst, v)
		case int64:
			dst = cbor.AppendInt(dst, v)
		case protocol.Method:
			dst = cbor.AppendInt(cbor.AppendInt(dst, protocol.Service), int64(v))
		case nil:
			dst = append(dst, cbor.Null)
		}
	}
	return dst
}

// greeting returns the bytes with which a client of DAX begins.
func greeting() []byte {
	hello := append(encode(nil, "J7yne5G", int64(0), []byte("session")), cbor.Map)
	return encode(hello, int64(0), protocol.AuthorizeConnection, "any", "signature",
		[]byte("AWS4-HMAC-SHA256\n"+date+"\n20260101/us-east-1/dax/aws4_request\n"), nil, "soak")
}

// accelerate writes and reads over DAX, and sends what is no message.
func (m *mixed) accelerate(r *rand.Rand) {
	defer m.did("DAX")
	conn, err := net.Dial("tcp", m.dax)
	if !assert.NoError(m, err) {
		return
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(5 * time.Minute))
	hello := greeting()
	if r.IntN(4) == 0 { // what is no message closes the connection
		conn.Write(append(hello, 0xff, 0xfe, 0xfd))
		_, err = io.Copy(io.Discard, conn)
		assert.NoError(m, err)
		return
	}
	in := cbor.NewSource(bufio.NewReader(conn), func(int) bool { return true })
	conn.Write(append(hello, append(encode(nil, protocol.DefineAttributeListID),
		encode([]byte{cbor.Array | 1}, fmt.Sprint("a", r.IntN(1000)))...)...))
	answer, err := in.AppendItem(nil, 1<<20)
	if !assert.NoError(m, err) || !assert.Equal(m, []byte{cbor.Array}, answer) {
		return
	}
	list, err := in.AppendItem(nil, 1<<20)
	assert.NoError(m, err)
	key := []byte(fmt.Sprint("dax", r.IntN(1000)))
	item := append(list, encode(nil, strings.Repeat("x", r.IntN(100_000)))...)
	conn.Write(encode(nil, protocol.PutItem, []byte("accounts"), key, item, nil))
	answer, err = in.AppendItem(nil, 1<<20)
	assert.NoError(m, err)
	assert.Equal(m, []byte{cbor.Array}, answer)
	_, err = in.AppendItem(nil, 1<<20)
	assert.NoError(m, err)
	for range 20 {
		conn.Write(encode(nil, protocol.GetItem, []byte("accounts"), key, nil))
		answer, err = in.AppendItem(nil, 1<<20)
		assert.NoError(m, err)
		assert.Equal(m, []byte{cbor.Array}, answer)
		_, err = in.AppendItem(nil, 1<<20)
		assert.NoError(m, err)
	}
}

// explore begins explorations and their first runs, and forgets about them. It removes them when
// there are some.
func (m *mixed) explore(r *rand.Rand) {
	for range 1 + r.IntN(12) {
		var begun struct{ ID string }
		text := m.ask("POST", "/_kugiri/explorations",
			`{"name":"x","from":"any","workers":[{"name":"a"},{"name":"b"}]}`, 201)
		if !assert.NoError(m, json.Unmarshal(text, &begun)) {
			return
		}
		if r.IntN(2) == 0 {
			m.ask("POST", "/_kugiri/explorations/"+begun.ID+"/next", "{}", 200)
		}
		m.did("explorations")
	}
	var list struct{ Explorations []struct{ ID, State string } }
	text := m.ask("GET", "/_kugiri/explorations", "", 200)
	if !assert.NoError(m, json.Unmarshal(text, &list)) {
		return
	}
	for _, x := range list.Explorations {
		if x.State == "running" {
			m.ask("DELETE", "/_kugiri/explorations/"+x.ID, "", 200)
		}
	}
}

// design plans a design, and sometimes leaves while another is verified.
func (m *mixed) design(r *rand.Rand) {
	defer m.did("designs")
	const path = "/_kugiri/console/design"
	var example struct{ Design string }
	if !assert.NoError(m, json.Unmarshal(m.ask("GET", path, "", 200), &example)) {
		return
	}
	m.ask("POST", path+"?do=plan", example.Design, 200)
	if r.IntN(5) > 0 {
		return
	}
	ctx, leave := context.WithTimeout(m.Context(), time.Duration(r.IntN(100))*time.Millisecond)
	defer leave()
	verify, err := http.NewRequestWithContext(ctx, "POST", m.url+path+"?do=verify",
		strings.NewReader(example.Design))
	if !assert.NoError(m, err) {
		return
	}
	res, err := m.http.Do(verify)
	if err != nil {
		return // it has left
	}
	defer res.Body.Close()
	io.Copy(io.Discard, res.Body)
}

// put puts the objects of a bucket into the table of the stream.
func (m *mixed) put(*rand.Rand) {
	defer m.did("bulk puts")
	_, err := m.send(m.Context(), "StartBulkPutItems", `{"TableName":"items",`+
		`"InputS3Configuration":{"S3Bucket":"in","S3KeyPrefix":"src",`+
		`"InputFormat":"DYNAMODB_JSON"},`+
		`"OutputS3Configuration":{"S3Bucket":"out","S3KeyPrefix":"r","OutputType":["ERROR"]}}`)
	assert.NoError(m, err)
}

// fork makes a fork, writes to it and removes it.
func (m *mixed) fork(r *rand.Rand) {
	defer m.did("forks")
	key := fmt.Sprintf("fork%d", r.Uint64())
	m.ask("POST", "/_kugiri/forks", `{"accessKey":"`+key+`","from":"any"}`, 201)
	m.ask("POST", "/_kugiri/snapshots", `{"name":"`+key+`"}`, 201)
	m.ask("DELETE", "/_kugiri/snapshots/"+key, "", 200)
	m.ask("DELETE", "/_kugiri/forks/"+key, "", 200)
}

// resting counts what a process holds when nobody asks.
type resting struct{ goroutines, descriptors, heap, resident int }

func (r resting) String() string {
	return fmt.Sprintf("%d goroutines, %d descriptors, %d MB in use, %d MB resident", r.goroutines,
		r.descriptors, r.heap>>20, r.resident>>20)
}

var (
	total  = regexp.MustCompile(`goroutine profile: total (\d+)`)
	alive  = regexp.MustCompile(`# HeapAlloc = (\d+)`)
	memory = regexp.MustCompile(`VmRSS:\s*(\d+) kB`)
)

// rest returns what the process holds.
func (m *mixed) rest() (r resting) {
	http.DefaultClient.CloseIdleConnections()
	number := func(re *regexp.Regexp, text []byte) int {
		found := re.FindSubmatch(text)
		require.NotNil(m, found, re.String())
		n, err := strconv.Atoi(string(bytes.TrimSpace(found[1])))
		require.NoError(m, err)
		return n
	}
	r.heap = number(alive, m.ask("GET", "/debug/pprof/heap?gc=1&debug=1", "", 200))
	r.goroutines = number(total, m.ask("GET", "/debug/pprof/goroutine?debug=1", "", 200))
	proc := fmt.Sprintf("/proc/%d/", m.process.Process.Pid)
	status, err := os.ReadFile(proc + "status")
	require.NoError(m, err)
	r.resident = number(memory, status) << 10
	files, err := os.ReadDir(proc + "fd")
	require.NoError(m, err)
	r.descriptors = len(files)
	return r
}
