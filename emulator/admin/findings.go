package admin

import (
	"net/http"

	"github.com/kugiri-db/kugiri/emulator"
)

// listFindings lists the findings of the policy. A reset removes them.
func listFindings(e *emulator.Emulator, r *http.Request) (int, any, error) {
	list, err := e.Inspect().FindingsOf(r.URL.Query())
	if err != nil {
		return failed(badRequest("%v", err))
	}
	return http.StatusOK, map[string]any{"findings": list}, nil
}

// findings serves the findings of an emulator at emulator.FindingsPath. Without a policy the list
// is empty.
func findings(e *emulator.Emulator) http.Handler {
	return answer(func(r *http.Request) (int, any, error) {
		if !e.Inspect().HasPolicy() || r.URL.Path != emulator.FindingsPath {
			return fail(http.StatusNotFound, "there is nothing at this path")
		}
		if r.Method != http.MethodGet {
			return fail(http.StatusMethodNotAllowed, "not by the method "+r.Method)
		}
		return listFindings(e, r)
	})
}
