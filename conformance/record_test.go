package conformance

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	recordFlag = flag.String("record", "",
		"`file` for the answers to the cases, as lines of JSON")
	recordedFlag = flag.String("recorded", "",
		"`file` of recorded answers to compare with, in place of what the cases expect")
)

// sighting is the answer to a case in the form of recordings, without the parts that differ from
// run to run.
type sighting struct {
	Test      string          `json:"test"`
	Source    string          `json:"source"`
	Operation string          `json:"operation"`
	Request   json.RawMessage `json:"request"`
	Answer    json.RawMessage `json:"answer,omitempty"`
	Error     string          `json:"error,omitempty"` // "Code: message"
}

// sightings holds the recording in the making, and the one to compare with.
var sightings struct {
	sync.Mutex
	made, known map[string]*sighting
}

// openRecordings reads the recording to compare with, if there is one.
func openRecordings() error {
	sightings.made = map[string]*sighting{}
	if *recordedFlag == "" {
		return nil
	}
	text, err := os.ReadFile(*recordedFlag)
	if err != nil {
		return err
	}
	sightings.known, err = parseRecording(text)
	return err
}

func parseRecording(text []byte) (map[string]*sighting, error) {
	known := map[string]*sighting{}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 64<<20)
	for n := 1; lines.Scan(); n++ {
		s := new(sighting)
		if err := json.Unmarshal(lines.Bytes(), s); err != nil {
			return nil, fmt.Errorf("line %d of the recording: %w", n, err)
		}
		known[s.Test] = s
	}
	return known, lines.Err()
}

// writeRecording writes the recording that was made, in the order of the tests' names.
func writeRecording() error {
	if *recordFlag == "" {
		return nil
	}
	var text bytes.Buffer
	out := json.NewEncoder(&text)
	out.SetEscapeHTML(false)
	for _, name := range slices.Sorted(maps.Keys(sightings.made)) {
		if err := out.Encode(sightings.made[name]); err != nil {
			return err
		}
	}
	return os.WriteFile(*recordFlag, text.Bytes(), 0o644)
}

// see records the answer to a case. It reports whether a recording settles the expected answer. If
// so, it has compared the answer with it.
func (k *kase) see(t assert.TestingT, name, in, key string, answer map[string]any,
	err error) (settled bool) {
	s := &sighting{
		Test: name, Source: k.src, Operation: k.op, Request: json.RawMessage(unvaried(in, key)),
	}
	if len(in) > 4<<10 || !json.Valid([]byte(in)) {
		s.Request = json.RawMessage(encode(unvaried(shorten(in), key)))
	}
	if err != nil {
		s.Error = unvaried(errorText(err), key)
	} else {
		s.Answer = json.RawMessage(unvaried(encode(normal(answer)), key))
	}
	sightings.Lock()
	defer sightings.Unlock()
	sightings.made[name] = s // the last answer of a read that was repeated
	known := sightings.known[name]
	// the recording lacks the case, or the case has changed since
	if known == nil || string(known.Request) != string(s.Request) {
		return false
	}
	assert.Equal(t, known.Error, s.Error, "the recorded error of %s %s", k.op, shorten(in))
	// in other cases parts of the answer differ from run to run
	if k.want != "" && known.Answer != nil && s.Answer != nil {
		assert.JSONEq(t, string(known.Answer), string(s.Answer), "the recorded answer to %s %s",
			k.op, shorten(in))
	}
	return true
}

var variations = []struct {
	pattern *regexp.Regexp
	with    string
}{
	{regexp.MustCompile(`kugiri-conformance-[a-z0-9]{10}`), "kugiri-conformance"},
	{regexp.MustCompile(`arn:aws[a-z-]*:dynamodb:[a-z0-9-]+:[0-9]{12}:`),
		"arn:aws:dynamodb:REGION:ACCOUNT:"},
	{regexp.MustCompile(`\bk[0-9]{11}\b`), "@key"},
	{regexp.MustCompile(`(com\.amazonaws\.[A-Za-z0-9_.]+)@[0-9a-f]+`), "$1@HASH"},
	{regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`), "UUID"},
}

// unvaried replaces the parts that differ from run to run: names of tables, ARNs, keys, hashes.
func unvaried(text, key string) string {
	text = strings.ReplaceAll(text, key, "$k")
	for _, v := range variations {
		text = v.pattern.ReplaceAllString(text, v.with)
	}
	return text
}

// mark tells the scorecard how the expectation of a case is known.
func (k *kase) mark(t *testing.T) {
	t.Attr("source", strings.ReplaceAll(k.src, "\n", " "))
	t.Attr("known", k.known())
}

// known tells how the expectation is known. An error with only a part on record is inferred,
// whatever the source of its rule.
func (k *kase) known() string {
	for _, either := range strings.Split(k.err, " || ") {
		if strings.HasSuffix(either, "*") {
			return "inferred"
		}
	}
	switch {
	case strings.HasPrefix(k.src, "service facts"), strings.Contains(k.src, "ack-api-quirks"):
		return "service facts"
	case strings.Contains(k.src, "model"):
		return "model"
	}
	return "manual"
}

// TestRecording records an answer twice and compares the recordings.
func TestRecording(t *testing.T) {
	if target.aws {
		t.Skip("it is about recordings, not about the service")
	}
	first := &sighting{
		Test: "TestX/case", Source: "here", Operation: "GetItem",
		Request: json.RawMessage(`{"a":1}`), Error: "ValidationException: no",
	}
	text, err := json.Marshal(first)
	require.NoError(t, err)
	known, err := parseRecording(append(text, '\n'))
	require.NoError(t, err)
	assert.Equal(t, map[string]*sighting{"TestX/case": first}, known)
	_, err = parseRecording([]byte("{}\n{"))
	assert.ErrorContains(t, err, "line 2 of the recording")

	key, other := newKey(), newKey()
	varying := fmt.Sprintf(
		`{"pk":"%s","other":"%s","table":"%s-hash","arn":"arn:aws:dynamodb:eu-west-1:123456789012:table/%s-hash"}`, key, other, runID, runID)
	assert.Equal(t,
		`{"pk":"$k","other":"@key","table":"kugiri-conformance-hash","arn":"arn:aws:dynamodb:REGION:ACCOUNT:table/kugiri-conformance-hash"}`, unvaried(varying, key))
}

func TestKnown(t *testing.T) {
	for _, c := range []struct{ src, err, want string }{
		{"API Reference, Query", "", "manual"},
		{"service facts 3.5", "ValidationException: no", "service facts"},
		{"ack-api-quirks, DDB-TABLE-107", "ValidationException: no", "service facts"},
		{"service facts 3.5", "ValidationException: *", "inferred"},
		{"Developer Guide", "A: exact || B: start*", "inferred"},
		{"API model of November 2026", "", "model"},
	} {
		k := kase{src: c.src, err: c.err}
		assert.Equal(t, c.want, k.known(), "%s, %s", c.src, c.err)
	}
}
