package emulator

import (
	"maps"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/httpd"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
)

// TestOwnedInputsKeepTheirStrings: an operation that owns its input may keep a string of it. The
// requests that follow reuse the memory of the one before.
func TestOwnedInputsKeepTheirStrings(t *testing.T) {
	for _, c := range []struct {
		name string
		pad  int // bytes of white space in front of a body
	}{
		{"small bodies", 0},
		{"the largest bodies that are copied", httpd.Trusted - len(`{"TableName":"alpha-one"}`)},
		{"large bodies", 2 * httpd.Trusted},
		{"bodies that are too large for the pool", 3 << 20},
	} {
		t.Run(c.name, func(t *testing.T) {
			var seen []string
			keeps := serve.Owns("DescribeTable", serve.ShowsFiltered,
				func(_ *serve.Call, in *api.DescribeTableInput) (*api.DescribeTableOutput, error) {
					seen = append(seen, string(*in.TableName))
					return &api.DescribeTableOutput{}, nil
				}, func(*api.DescribeTableInput, *serve.Targets) {})
			e := New()
			target := "DynamoDB_20120810.DescribeTable"
			e.front.Operations = maps.Clone(e.front.Operations)
			e.front.Operations[target] = &keeps
			names := []string{"alpha-one", "bravo-two", "candy-six"}
			for _, name := range names {
				r := httptest.NewRequest("POST", "/",
					strings.NewReader(strings.Repeat(" ", c.pad)+`{"TableName":"`+name+`"}`))
				r.Header.Set("X-Amz-Target", target)
				r.Header.Set("Content-Type", "application/x-amz-json-1.0")
				r.Header.Set("Authorization", "AWS4-HMAC-SHA256 "+
					"Credential=AKIDEXAMPLE/20260101/us-east-1/dynamodb/aws4_request, "+
					"SignedHeaders=host;x-amz-date, Signature=0")
				r.Header.Set("X-Amz-Date", "20260101T000000Z")
				w := httptest.NewRecorder()
				e.Handler().ServeHTTP(w, r)
				assert.Equal(t, 200, w.Code, w.Body.String())
			}
			assert.Equal(t, names, seen)
		})
	}
}
