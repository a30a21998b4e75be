package proof

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// consumerFile is the code of generated consumers, which the proof runs.
const consumerFile = "../../conventions/design/render/internal/support/stream_support.go"

// TestConsumerFaults checks that TestDesigns fails if the code of generated consumers has a fault.
func TestConsumerFaults(t *testing.T) {
	if os.Getenv("TEST_FULL") == "" {
		t.Skip("it builds packages: run it with TEST_FULL=true")
	}
	const loop = "\tfor i := range records {\n\t\tif err"
	for _, c := range []struct{ name, old, new, design string }{
		{"an older value replaces a newer one", ` + " AND " + e.Older(order, is[order])`, "",
			"testdata/lasts.yaml"},
		{"an update makes an item that was deleted",
			"ConditionExpression: s.there(e, nil, nil),\n\t\tExpressionAttributeNames: e.Names",
			"ExpressionAttributeNames: e.Names", "testdata/fleet.yaml"},
		{"only the first record of a batch", loop, "\tfor i := range records[:1] {\n\t\tif err",
			"testdata/feeds.yaml"},
		{"the last record first", loop,
			"\tfor i := range records {\n\t\ti = len(records) - 1 - i\n\t\tif err",
			"testdata/feeds.yaml"},
		{"no mark", "items := slices.Clone(w.items)", "items := w.items[:0:0]",
			"testdata/fleet.yaml"},
		{"a request that is tried again adds twice", "if err = send(); try == streamTries",
			"if err = send(); err == nil {\n_, _ = send(), send()\n}\nif try == streamTries",
			"testdata/chat.yaml"},
		{"a conflict is taken as done", "try == streamTries || !conflicts(err) {\n\t\t\treturn err",
			"try == streamTries || conflicts(err) {\n\t\t\treturn nil", "testdata/fleet.yaml"},
		{"a batch goes on behind the record that failed", "return records[i].SequenceNumber, err",
			"return records[min(i+1, len(records)-1)].SequenceNumber, err", "testdata/fleet.yaml"},
		{"a batch is not sent", "left, wait := s.batch, streamWait",
			"left, wait := s.batch[:0], streamWait", "testdata/feeds.yaml"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, err := designsWith(t, c.old, c.new, c.design)
			assert.Error(t, err)
			assert.Contains(t, out, "--- FAIL: TestDesigns/", "it fails by a design")
		})
	}
}

// designsWith runs the proof of a design with another text in the code of consumers.
func designsWith(t *testing.T, old, text, design string) (out string, err error) {
	t.Helper()
	code, err := os.ReadFile(consumerFile)
	require.NoError(t, err)
	require.Contains(t, string(code), old)
	dir := t.TempDir()
	file, overlay := filepath.Join(dir, "stream.go"), filepath.Join(dir, "overlay.json")
	at, err := filepath.Abs(consumerFile)
	require.NoError(t, err)
	replaced, err := json.Marshal(map[string]any{"Replace": map[string]string{at: file}})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file,
		[]byte(strings.Replace(string(code), old, text, 1)), 0o600))
	require.NoError(t, os.WriteFile(overlay, replaced, 0o600))
	name := ""
	for _, d := range designs {
		if d.file == design {
			name = strings.ReplaceAll(d.name, " ", "_")
		}
	}
	require.NotEmpty(t, name)
	printed, err := exec.Command("go", "test", "-vet=off", "-timeout", "5m", "-overlay", overlay,
		"-run", "^TestDesigns$/^"+name+"$", ".").CombinedOutput()
	return string(printed), err
}
