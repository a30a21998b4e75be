package emulator

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/feature/items"
	"github.com/kugiri-db/kugiri/emulator/internal/keys"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// Expiration is an item that TTL will delete.
type Expiration struct {
	AccessKey, Region string // the place of the table; both are "" with WithSharedData
	Table, Attribute  string // the attribute that holds the time
	Time              time.Time
	Key               item.Item
}

// lastSecond is the last one that RFC 3339 can write.
const lastSecond = 253402300799

// Expirations returns the items that ExpireItems will delete next, at most limit, in the order of
// their times. With WithIAM their access key is the first of the account's.
func (i Inspector) Expirations(limit int) []Expiration {
	all := []Expiration{}
	accounts := i.service.Namespaces.Keyed()
	for _, key := range slices.Sorted(maps.Keys(accounts)) {
		if !i.service.Shows(key) {
			continue
		}
		owner, region, _ := strings.Cut(key, "/")
		for _, x := range i.expirationsIn(accounts[key], limit) {
			if keys := i.accessKeysOf(owner); len(keys) > 0 {
				x.AccessKey = keys[0]
			}
			x.Region = region
			all = append(all, x)
		}
	}
	slices.SortStableFunc(all,
		func(a, b Expiration) int { return cmp.Compare(a.Time.Unix(), b.Time.Unix()) })
	return all[:min(len(all), limit)]
}

// expirationsIn returns the next expirations of each table of an account and region.
func (i Inspector) expirationsIn(a *serve.Account, limit int) (list []Expiration) {
	now := i.service.Clock()
	oldest := storage.Expiring{At: now.AddDate(-5, 0, 0).Unix()}
	a.Store.View(func(tx *storage.Tx) error { // an error of the journal shows with the next write
		for _, name := range tx.Tables().Names() {
			t := tx.Table(name)
			if !items.Expires(tx, t, now) || i.service.Policy.KeepsExpired(name) {
				continue
			}
			attribute := tables.SettingsOf(tx, t).TTL.Attribute
			for _, x := range tx.Expiring(t, oldest, lastSecond+1, limit) {
				key := tx.Get(t, x.Key).Only(keys.NamesOf(&t.Key)...)
				list = append(list,
					Expiration{
						Table: name, Attribute: attribute, Time: time.Unix(x.At, 0).UTC(), Key: key,
					})
			}
		}
		return nil
	})
	return list
}
