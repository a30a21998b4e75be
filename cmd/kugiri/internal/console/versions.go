package console

import (
	"cmp"
	"encoding/json"
	"net/http"
)

// serveVersions answers with the tables of a caller, each with a text that changes with its items.
// A page asks for it again and again, to notice what programs write.
func serveVersions(l *local) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		as, ok := callerOf(w, r)
		if !ok {
			return
		}
		versions := l.versions(as)
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		json.NewEncoder(w).Encode(versions) // an error means that the client is gone
	})
}

func (l *local) versions(as Caller) map[string]string {
	s := l.Session()
	return l.emulator.Inspect().TableVersions(
		cmp.Or(as.AccessKey, s.AccessKey), cmp.Or(as.Region, s.Region))
}

// versionHeader is in the answer to a read: the text of the table from before the read.
const versionHeader = "X-Kugiri-Table-Version"

// tellVersion adds the version of the table that a request reads to the answer. A page compares it
// with later ones: what was written before is in what the page shows.
func (l *local) tellVersion(w http.ResponseWriter, as Caller, body []byte) {
	var in struct{ TableName string }
	if json.Unmarshal(body, &in) != nil {
		return // the endpoint says what is wrong
	}
	if v, ok := l.versions(as)[in.TableName]; ok {
		w.Header().Set(versionHeader, v)
	}
}
