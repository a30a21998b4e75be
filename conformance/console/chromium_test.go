package console

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// chromium is a browser, driven by the Chrome DevTools Protocol through two pipes: messages are
// JSON, and end with a zero byte.
type chromium struct {
	cmd *exec.Cmd
	in  io.WriteCloser

	mu      sync.Mutex
	last    int
	answers map[int]chan message
	events  map[string]func(message) // functions by session
	ended   error
	over    chan struct{} // closed when ended is set
	wait    func() error  // waits for the process
	dying   bool          // it ends with the first page that a test opens

	said *tail // what it wrote last
}

type message struct {
	ID      int             `json:"id,omitempty"`
	Session string          `json:"sessionId,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

var browserFlags = []string{"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
	"--no-first-run",
	"--disable-background-networking", "--disable-component-update", "--disable-sync",
	"--disable-dev-shm-usage",
	"--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows",
	"--disable-renderer-backgrounding",
	"--force-device-scale-factor=1", "--hide-scrollbars", "--window-size=1280,800",
	"--remote-debugging-pipe"}

var shared struct {
	sync.Once
	browser *chromium
	dir     string
	err     error
}

// startChromium starts a browser. A dying one ends with the first page that a test opens.
func startChromium(path string, dying bool) (*chromium, error) {
	dir, err := os.MkdirTemp("", "kugiri-console-")
	if err != nil {
		return nil, err
	}
	shared.dir = dir
	toRead, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, toWrite, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	c := &chromium{in: in, answers: map[int]chan message{}, events: map[string]func(message){},
		over: make(chan struct{}), dying: dying, said: &tail{}}
	c.cmd = exec.Command(path, append(browserFlags, "--user-data-dir="+dir)...)
	c.cmd.Stderr = c.said
	c.cmd.WaitDelay = time.Second                  // its own processes may still have the other end
	c.cmd.ExtraFiles = []*os.File{toRead, toWrite} // 3 and 4
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	c.wait = sync.OnceValue(c.cmd.Wait)
	toRead.Close()
	toWrite.Close()
	go c.receive(bufio.NewReader(out))
	return c, nil
}

// endChromium ends the browser, if one was started, and removes what it wrote.
func endChromium() {
	if c := shared.browser; c != nil {
		if c.call("", "Browser.close", nil, nil) != nil { // the pipe ends with it
			c.cmd.Process.Kill()
		}
		c.wait()
	}
	if shared.dir != "" {
		os.RemoveAll(shared.dir)
	}
}

func (c *chromium) receive(from *bufio.Reader) {
	for {
		text, err := from.ReadBytes(0)
		if err != nil {
			c.end(err)
			return
		}
		var m message
		if err := json.Unmarshal(text[:len(text)-1], &m); err != nil {
			c.end(err)
			return
		}
		c.mu.Lock()
		answer, event := c.answers[m.ID], c.events[m.Session]
		delete(c.answers, m.ID)
		c.mu.Unlock()
		switch {
		case answer != nil:
			answer <- m
		case event != nil && m.Method != "":
			event(m)
		}
	}
}

// end has all calls fail, now and later.
func (c *chromium) end(err error) {
	if errors.Is(err, io.EOF) {
		err = c.wait() // it says more
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	defer close(c.over)
	c.ended = fmt.Errorf("the browser has ended: %v; it wrote last:\n%s", err, c.said)
	for _, answer := range c.answers {
		close(answer)
	}
	c.answers = nil
}

// hasEnded returns why the browser has ended, nil while it runs.
func (c *chromium) hasEnded() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ended
}

// call calls a method of a session, "" for the browser itself. It fails if the answer takes longer
// than patience, as that of a promise that the page never keeps, or of a browser that hangs.
func (c *chromium) call(session, method string, params, result any) error {
	text, err := json.Marshal(params)
	if err != nil {
		return err
	}
	answer := make(chan message, 1)
	c.mu.Lock()
	if c.ended != nil {
		c.mu.Unlock()
		return c.ended
	}
	c.last++
	m := message{ID: c.last, Session: session, Method: method, Params: text}
	if params == nil {
		m.Params = nil
	}
	c.answers[m.ID] = answer
	text, err = json.Marshal(m)
	if err == nil {
		_, err = c.in.Write(append(text, 0))
	}
	c.mu.Unlock()
	if err != nil {
		<-c.over
		return c.hasEnded()
	}
	if c.dying && method == "Page.navigate" {
		go c.call("", "Browser.crash", nil, nil)
	}
	var got message
	var ok bool
	select {
	case got, ok = <-answer:
	case <-time.After(patience()):
		c.mu.Lock()
		delete(c.answers, m.ID)
		c.mu.Unlock()
		return fmt.Errorf("%s: there is no answer after %s", method, patience())
	}
	switch {
	case !ok:
		return c.hasEnded()
	case got.Error != nil:
		return fmt.Errorf("%s: %s", method, got.Error.Message)
	case result != nil:
		return json.Unmarshal(got.Result, result)
	}
	return nil
}
