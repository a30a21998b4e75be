package emulator

import (
	"slices"
	"strconv"
	"strings"

	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

// TableVersions returns the tables that the callers with an access key see in a region, each with a
// text that is another one when an item of the table was written, or when the table is another one
// of its name. If a Delegate answers the access key, the tables are the Delegate's.
func (i Inspector) TableVersions(accessKey, region string) map[string]string {
	if to := i.delegates.Of(accessKey); to != nil {
		return to.Inspect().TableVersions(accessKey, region)
	}
	versions := map[string]string{}
	i.service.Namespaces.Mu.RLock()
	defer i.service.Namespaces.Mu.RUnlock()
	now := i.service.Clock()
	for key, a := range i.service.Namespaces.Stores {
		owner, of, named := strings.Cut(key, "/")
		if !i.service.Shows(key) || named &&
			(of != region || !slices.Contains(i.accessKeysOf(owner), accessKey)) {
			continue
		}
		a.Store.View(func(tx *storage.Tx) error { // this cannot fail
			for _, name := range tx.Tables().Names() {
				if t := tables.Seen(tx, name, now); t != nil {
					versions[name] = t.ID + "." + strconv.FormatUint(tx.Tables().Writes(t), 10)
				}
			}
			return nil
		})
	}
	return versions
}
