package console

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
)

// TestRacesOfOwnRequests: what the process itself sends, such as the console's requests, is not
// recorded, and nothing is before somebody asks for it.
func TestRacesOfOwnRequests(t *testing.T) {
	e := emulator.New()
	h := Handler(Local(e, "v1", nil), everybody)
	ask := func(method string) string {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(method, Path+"races", nil))
		require.Equal(t, http.StatusOK, w.Code)
		return w.Body.String()
	}
	assert.JSONEq(t, `{"recording": false, "report": {"requests": 0, "callers": 0, "findings": []}}`,
		ask("GET"))
	assert.Contains(t, ask("POST"), `"recording":true`)
	r := httptest.NewRequest("POST", Path+"dynamodb", strings.NewReader("{}"))
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810.ListTables")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	require.Equal(t, http.StatusOK, w.Code)
	assert.Contains(t, ask("GET"), `"requests":0`)
	assert.Contains(t, ask("DELETE"), `"recording":false`)
}

// TestRecordingForRacesIsBounded: a recording that is full takes no more, and says so.
func TestRecordingForRacesIsBounded(t *testing.T) {
	var s raceSearch
	line := []byte(strings.Repeat("x", 1<<20))
	for range maxRecorded>>20 + 1 {
		n, err := s.Write(line)
		require.NoError(t, err)
		require.Equal(t, len(line), n)
	}
	assert.True(t, s.full)
	assert.LessOrEqual(t, s.text.Len(), maxRecorded)
}
