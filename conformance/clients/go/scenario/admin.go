package scenario

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"

	"github.com/stretchr/testify/require"
)

// Unprocessed has the server leave parts of the next batches unprocessed. The function that it
// returns requires that batches of both operations met this.
func Unprocessed(t *T) (hit func()) {
	for _, operation := range []string{"BatchWriteItem", "BatchGetItem"} {
		admin(t, "POST", "faults",
			`{"when":{"operation":"`+operation+`","first":2},"do":{"unprocessed":0.5}}`)
	}
	return func() {
		var found struct{ Faults []struct{ Hits int } }
		require.NoError(t, json.Unmarshal(admin(t, "GET", "faults", ""), &found))
		require.Len(t, found.Faults, 2)
		for _, fault := range found.Faults {
			require.Equal(t, 2, fault.Hits)
		}
		admin(t, "DELETE", "faults", "")
	}
}

// Advance moves the clock of a server that holds it, such as by "25h".
func Advance(t *T, by string) {
	admin(t, "POST", "clock/advance", `{"by":"`+by+`"}`)
}

// admin sends a request to the admin API and returns the answer.
func admin(t *T, method, path, body string) []byte {
	request, err := http.NewRequestWithContext(t, method, Server()+"/_kugiri/"+path,
		strings.NewReader(body))
	require.NoError(t, err)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Less(t, response.StatusCode, 300, string(text))
	return text
}
