package emulator

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/replication"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

// borrowOf returns the data of an owner: with WithIAM those of the account in the region, and
// otherwise those of the access key there. They stay until giveBack.
func (c *call) borrowOf(o arn.Owner) *accountData {
	owner := c.accessKey
	if c.service.iam != nil {
		owner = o.Account
	}
	return c.service.namespaces.borrowOf(owner, o.Region)
}

// at calls f with the call as it would be for another owner.
func (c *call) at(o arn.Owner, f func(there *call) error) error {
	data := c.borrowOf(o)
	defer data.giveBack()
	return f(c.in(o, data))
}

// in returns the call as it would be for another owner, with the data there.
func (c *call) in(o arn.Owner, data *accountData) *call {
	there := *c
	there.Owner, there.store, there.account = o, data.store, data
	there.watch = nil // replication is not judged
	return &there
}

// inRegions returns the owner of the call's resources in several regions.
func (c *call) inRegions(regions []string) (owners []arn.Owner) {
	for _, region := range regions {
		owners = append(owners, c.In(region))
	}
	return owners
}

func (c *call) groupOwners(name string, further []arn.Owner) (owners []arn.Owner) {
	c.store.View(func(tx *storage.Tx) error { // which cannot fail
		owners = c.ownersOf(tx, name, further)
		return nil
	})
	return owners
}

// ownersOf returns the owners of a table, of its replicas and of further ones, in the order of the
// names of replicas.
func (c *call) ownersOf(tx *storage.Tx, name string, further []arn.Owner) []arn.Owner {
	owners := append([]arn.Owner{c.Owner}, further...)
	if t := tx.Table(name); t != nil {
		owners = append(owners, tables.SettingsOf(tx, t).Global.Owners(c.Owner)...)
	}
	sortOwners(owners)
	return slices.Compact(owners)
}

// sortOwners sorts owners by the names of replicas, which is the order in which stores are locked.
func sortOwners(owners []arn.Owner) {
	slices.SortFunc(owners, func(a, b arn.Owner) int { return cmp.Compare(replication.Name(a), replication.Name(b)) })
}

// globalTable returns the global table of a table, or an empty one.
func (c *call) globalTable(name string) (g *tables.GlobalTable) {
	c.store.View(func(tx *storage.Tx) error { // which cannot fail
		if t := tx.Table(name); t != nil {
			g = tables.SettingsOf(tx, t).Global
		}
		return nil
	})
	if g == nil {
		g = new(tables.GlobalTable)
	}
	return g
}

// canReplicate reports whether a table can have a replica in a region, or has one there: a table of a
// made-up region has replicas in others, which can delete the one in that region.
func (c *call) canReplicate(table, region string) bool {
	return region == c.Region || c.HasPeer(region) || slices.Contains(c.groupOwners(table, nil), c.In(region))
}

// restoreRegion returns the other region of a restore's source, or "" if the source is in the
// caller's region or its ARN is none that a restore can read.
func (c *call) restoreRegion(source string) string {
	part := strings.SplitN(source, ":", 6)
	if len(part) < 6 || part[3] == c.Region || c.service.shared || !c.HasPeer(part[3]) {
		return ""
	}
	return part[3]
}
