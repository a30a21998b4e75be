package admin

import "net/http"

// listInsights lists what the rules of contributor insights have found.
func (s *scope) listInsights(*http.Request) (int, any, error) {
	return http.StatusOK, map[string]any{"insights": s.emulator.ContributorInsights()}, nil
}
