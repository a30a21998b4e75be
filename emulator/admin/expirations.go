package admin

import (
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"github.com/kugiri-db/kugiri/emulator"
)

type expirationInfo struct {
	AccessKey string          `json:"accessKey,omitempty"`
	Region    string          `json:"region,omitempty"`
	Table     string          `json:"table"`
	Attribute string          `json:"attribute"`
	Time      time.Time       `json:"time"`
	Key       json.RawMessage `json:"key"`
}

// Limits of the expirations that are listed.
const (
	usualExpirations = 100
	maxExpirations   = 1000
)

// listExpirations lists the items that expire next.
func listExpirations(e *emulator.Emulator, r *http.Request) (int, any, error) {
	limit := usualExpirations
	if text := r.URL.Query().Get("limit"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > maxExpirations {
			return failed(
				badRequest("the limit %q: 1 to %d expirations can be asked for", text,
					maxExpirations))
		}
		limit = n
	}
	list := []expirationInfo{}
	for _, x := range e.Inspect().Expirations(limit) {
		list = append(list,
			expirationInfo{x.AccessKey, x.Region, x.Table, x.Attribute, x.Time, rawItem(x.Key)})
	}
	return http.StatusOK, map[string]any{"clock": clock{e}.info(), "expirations": list}, nil
}

// expire deletes the expired items.
func expire(e *emulator.Emulator, r *http.Request) (int, any, error) {
	if err := nothing(r); err != nil {
		return failed(err)
	}
	return http.StatusOK, map[string]int{"deleted": e.ExpireItems()}, nil
}
