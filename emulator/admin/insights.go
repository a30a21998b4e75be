package admin

import (
	"net/http"

	"github.com/kugiri-db/kugiri/emulator"
)

// listInsights lists what the rules of contributor insights have found.
func listInsights(e *emulator.Emulator, _ *http.Request) (int, any, error) {
	return http.StatusOK, map[string]any{"insights": e.Inspect().ContributorInsights()}, nil
}
