package emulator

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// AccessKeys returns the access keys that have been used or that have tables, sorted. With
// WithSharedData it returns none, because all access keys share the data. With WithIAM it returns
// all access keys of the accounts that have been used.
func (i Inspector) AccessKeys() []string {
	i.service.Namespaces.Mu.RLock()
	defer i.service.Namespaces.Mu.RUnlock()
	known := map[string]bool{}
	for key := range i.service.Namespaces.Stores {
		if owner, _, ok := strings.Cut(key, "/"); ok {
			known[owner] = true
		}
	}
	if i.service.IAM != nil {
		known = i.service.KeysOf(known)
	}
	return slices.Sorted(maps.Keys(known))
}

// Namespace holds what the callers with an access key see in a region.
type Namespace struct {
	AccessKey string // "" with WithSharedData: all callers see the same
	Region    string // "" with WithSharedData
	Tables    int
}

// Namespaces returns the namespaces that have tables, sorted by access key and region. Those that
// Delegates have are not among them. With WithIAM there is one for each access key of an account.
func (i Inspector) Namespaces() []Namespace {
	i.service.Namespaces.Mu.RLock()
	defer i.service.Namespaces.Mu.RUnlock()
	list := []Namespace{}
	for key, a := range i.service.Namespaces.Stores {
		if !i.service.Shows(key) {
			continue
		}
		n := Namespace{Tables: a.CountTables()}
		if n.Tables == 0 {
			continue
		}
		owner, region, _ := strings.Cut(key, "/")
		for _, accessKey := range i.accessKeysOf(owner) {
			n.AccessKey, n.Region = accessKey, region
			list = append(list, n)
		}
	}
	slices.SortFunc(list, func(a, b Namespace) int {
		return cmp.Or(cmp.Compare(a.AccessKey, b.AccessKey), cmp.Compare(a.Region, b.Region))
	})
	return list
}

// accessKeysOf returns the access keys of an owner of tables, sorted.
func (i Inspector) accessKeysOf(owner string) []string {
	if i.service.IAM == nil || i.service.Shared {
		return []string{owner}
	}
	return slices.Sorted(maps.Keys(i.service.KeysOf(map[string]bool{owner: true})))
}

// CountTables returns how many tables requests can see, and how many they cannot: those in a
// journal of an Emulator with the other setting of WithSharedData, or belong to no account of
// WithIAM.
func (i Inspector) CountTables() (seen, unseen int) {
	i.service.Namespaces.Mu.RLock()
	defer i.service.Namespaces.Mu.RUnlock()
	for key, h := range i.service.Namespaces.Stores {
		count := &seen
		if !i.service.Shows(key) {
			count = &unseen
		}
		*count += h.CountTables()
	}
	return seen, unseen
}
