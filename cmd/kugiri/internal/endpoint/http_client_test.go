package endpoint

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"runtime"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestAnswersAreBounded asks endpoints whose answers have no end.
func TestAnswersAreBounded(t *testing.T) {
	for _, c := range []struct {
		name, begin, more string
		status            int
	}{
		{"text", `{"TableNames":["`, "a", http.StatusOK},
		{"list", `{"TableNames":[`, `"aaaa",`, http.StatusOK},
		{"depth", `{"TableNames":`, "[", http.StatusOK},
		{"error", `{"__type":"x","message":"`, "a", http.StatusBadRequest},
		{"error of a server", `{"__type":"x","message":"`, "a", http.StatusInternalServerError},
	} {
		t.Run(c.name, func(t *testing.T) {
			asked := 0
			server := httptest.NewServer(http.HandlerFunc(
				func(w http.ResponseWriter, r *http.Request) {
					asked++
					w.WriteHeader(c.status)
					_, err := w.Write([]byte(c.begin))
					for part := bytes.Repeat([]byte(c.more), 1<<16); err == nil; {
						_, err = w.Write(part)
					}
				}))
			defer server.Close()
			client := dynamodb.New(dynamodb.Options{
				BaseEndpoint: &server.URL, Region: "us-east-1",
				Credentials: aws.AnonymousCredentials{}, HTTPClient: InOnePiece(server.Client()),
			})
			var before, since runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := client.ListTables(t.Context(), nil)
			runtime.ReadMemStats(&since)
			require.ErrorContains(t, err, errLongAnswer.Error())
			assert.Equal(t, 1, asked)
			assert.Less(t, since.TotalAlloc-before.TotalAlloc, uint64(20*mostAnswer+64<<20))
		})
	}
}
