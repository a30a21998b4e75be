package replication

import (
	"strings"

	"github.com/kugiri-db/kugiri/emulator/internal/arn"
)

// Name returns the name in storage of the replica that belongs to an owner. Names order like
// regions.
func Name(o arn.Owner) string { return o.Region + "/" + o.Account }

// OwnerOf returns the owner of the replica with a name.
func OwnerOf(name string) arn.Owner {
	region, account, _ := strings.Cut(name, "/")
	return arn.Owner{Account: account, Region: region}
}
