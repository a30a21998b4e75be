package serve

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/replication"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

// BorrowOf returns the data of an owner: with WithIAM those of the account in the region, and
// otherwise those of the access key there. They stay until GiveBack.
func (c *Call) BorrowOf(o arn.Owner) *Account {
	owner := c.AccessKey
	if c.Service.IAM != nil {
		owner = o.Account
	}
	return c.Service.Namespaces.BorrowOf(owner, o.Region)
}

// At calls f with the call as it would be for another owner.
func (c *Call) At(o arn.Owner, f func(there *Call) error) error {
	data := c.BorrowOf(o)
	defer data.GiveBack()
	return f(c.As(o, data))
}

// As returns the call as it would be for another owner, with the data there.
func (c *Call) As(o arn.Owner, data *Account) *Call {
	there := *c
	there.Owner, there.Store, there.Data = o, data.Store, data
	there.Policy = nil // replication is not judged
	return &there
}

// InRegions returns the owner of the call's resources in several regions.
func (c *Call) InRegions(regions []string) (owners []arn.Owner) {
	for _, region := range regions {
		owners = append(owners, c.In(region))
	}
	return owners
}

func (c *Call) GroupOwners(name string, further []arn.Owner) (owners []arn.Owner) {
	c.Store.View(func(tx *storage.Tx) error { // this cannot fail
		owners = c.OwnersOf(tx, name, further)
		return nil
	})
	return owners
}

// OwnersOf returns the owners of a table, of its replicas and of further ones, in the order of the
// names of replicas.
func (c *Call) OwnersOf(tx *storage.Tx, name string, further []arn.Owner) []arn.Owner {
	owners := append([]arn.Owner{c.Owner}, further...)
	if t := tx.Table(name); t != nil {
		owners = append(owners, tables.SettingsOf(tx, t).Global.Owners(c.Owner)...)
	}
	SortOwners(owners)
	return slices.Compact(owners)
}

// SortOwners sorts owners by the names of replicas, which is the order in which stores are locked.
func SortOwners(owners []arn.Owner) {
	slices.SortFunc(owners,
		func(a, b arn.Owner) int { return cmp.Compare(replication.Name(a), replication.Name(b)) })
}

// GlobalTable returns the global table of a table, or an empty one.
func (c *Call) GlobalTable(name string) (g *tables.GlobalTable) {
	c.Store.View(func(tx *storage.Tx) error { // this cannot fail
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

// CanReplicate reports whether a table can have a replica in a region, or has one there: a table of
// a made-up region has replicas in others, which can delete the one in that region.
func (c *Call) CanReplicate(table, region string) bool {
	return region == c.Region || c.HasPeer(region) ||
		slices.Contains(c.GroupOwners(table, nil), c.In(region))
}

// RestoreRegion returns the other region of a restore's source, or "" if the source is in the
// caller's region or a restore cannot read its ARN.
func (c *Call) RestoreRegion(source string) string {
	part := strings.SplitN(source, ":", 6)
	if len(part) < 6 || part[3] == c.Region || c.Service.Shared || !c.HasPeer(part[3]) {
		return ""
	}
	return part[3]
}
