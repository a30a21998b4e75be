package console

import (
	"cmp"
	"net/http"

	"github.com/kugiri-db/kugiri/conventions/catalog"
	"github.com/kugiri-db/kugiri/emulator"
)

// Local returns the Endpoint that is an emulator in this process, with a policy that has entities.
func Local(e *emulator.Emulator, version string, entities []Entity) Endpoint {
	return &local{emulator: e, version: version, entities: entities}
}

type local struct {
	emulator *emulator.Emulator
	version  string
	entities []Entity
	races    raceSearch
}

// Session begins with the namespace that has the most tables.
func (l *local) Session() Session {
	of := l.emulator.Inspect()
	s := Session{
		AccessKey: "test", Region: "us-east-1",
		Choice: !of.SharesData() || of.HasPolicy(), Version: l.version,
		Entities: l.entities,
	}
	most := 0
	for _, n := range of.Namespaces() {
		if n.AccessKey != "" && n.Tables > most {
			s.AccessKey, s.Region, most = n.AccessKey, n.Region, n.Tables
		}
	}
	return s
}

func (l *local) Send(r *http.Request, as Caller, o catalog.Operation) (*http.Response, error) {
	s := l.Session()
	as = Caller{cmp.Or(as.AccessKey, s.AccessKey), cmp.Or(as.Region, s.Region)}
	out, err := http.NewRequestWithContext(r.Context(), http.MethodPost, "http://localhost/",
		r.Body)
	if err != nil {
		return nil, err
	}
	setTarget(out, o)
	return l.emulator.HTTPClient(as.AccessKey, as.Region).Do(out)
}

// setTarget makes a request one of an operation.
func setTarget(r *http.Request, o catalog.Operation) {
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", o.Target())
	r.Header.Set("User-Agent", "kugiri-console")
}
