package console

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/kugiri-db/kugiri/conventions/design/designfile"
	"github.com/kugiri-db/kugiri/emulator"
)

func TestDesigns(t *testing.T) {
	h := Handler(Local(emulator.New(), "v1", nil), everybody)
	example := string(designfile.Example())
	for _, c := range []struct {
		name, method, query, body string
		status                    int
		has                       string
	}{
		{"the example", "GET", "", "", 200, "models:"},
		{"a plan", "POST", "?do=plan", example, 200, `"table":"posts"`},
		{"a plan of nothing", "POST", "?do=plan", "", 400, "DesignException"},
		{"a plan of something else", "POST", "?do=plan", "table: 1\nmodels: 2", 400, "models"},
		{"nothing to do", "POST", "", example, 400, "the parameter do is"},
		{"a model of nobody", "POST", "?do=from", "{}", 400, "DesignException"},
		{"a text that is too long", "POST", "?do=plan", strings.Repeat("#", maxDesign+1), 400,
			"too large"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest(c.method, Path+"design"+c.query,
				strings.NewReader(c.body)))
			assert.Equal(t, c.status, w.Code)
			assert.Contains(t, w.Body.String(), c.has)
			assert.Equal(t, "no-store", w.Header().Get("Cache-Control"))
		})
	}
}
