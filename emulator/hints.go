package emulator

import (
	"encoding/json"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

// WithHints has the service log to l, once for each access key, region and table, that a request
// on items names a table that is not there: which tables the access key has in the region, and
// where a table of that name is. The answer is the service's all the same. A wrong region or
// another access key is the commonest mistake of who begins with an emulator.
func WithHints(l *slog.Logger) Option {
	return func(s *settings) { s.hints = l }
}

// maxHints is how many different hints are logged. A program that asks for ever new tables does not
// fill the log.
const maxHints = 100

// hints logs hints.
type hints struct {
	of   *Emulator
	log  *slog.Logger
	mu   sync.Mutex
	said map[[3]string]bool
}

// missing logs that the body of a request names a table that is not there.
func (h *hints) missing(accessKey, region string, body []byte) {
	var in struct{ TableName string }
	if json.Unmarshal(body, &in) != nil || in.TableName == "" ||
		strings.HasPrefix(in.TableName, "arn:") {
		return
	}
	what := [3]string{strings.Clone(accessKey), strings.Clone(region), in.TableName}
	h.mu.Lock()
	said := h.said[what] || len(h.said) >= maxHints
	if !said {
		h.said[what] = true
	}
	h.mu.Unlock()
	if said {
		return
	}
	e := answering(h.of, what[0])
	text := strings.TrimPrefix(e.errNoTable(what[0], what[1], what[2]).Error(), "emulator: ")
	if places := placesOf(e, what[2]); len(places) > 0 {
		text += "; a table of that name is at " + strings.Join(places, ", ") +
			" (access key/region)"
	}
	h.log.Info(text)
}

// maxPlaces is the most places that a hint names.
const maxPlaces = 3

// placesOf returns some of the access keys and regions, as KEY/REGION, that have a table.
func placesOf(e *Emulator, table string) (places []string) {
	if e.service.Shared {
		return nil
	}
	n := &e.service.Namespaces
	n.Mu.RLock()
	accounts := maps.Clone(n.Stores)
	n.Mu.RUnlock()
	for place, account := range accounts {
		_ = account.Store.View(func(tx *storage.Tx) error { // this cannot fail
			if tables.Seen(tx, table, e.service.Clock()) != nil {
				places = append(places, place)
			}
			return nil
		})
	}
	slices.Sort(places)
	return places[:min(len(places), maxPlaces)]
}
