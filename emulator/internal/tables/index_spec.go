package tables

import (
	"strings"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/storage"
)

// IndexSpec is the definition of an index of either kind in a request of any operation.
type IndexSpec struct {
	Name        string
	Local       bool
	Key         api.KeySchema
	Projection  *api.Projection
	Provisioned *api.ProvisionedThroughput
	OnDemand    *api.OnDemandThroughput
	Warm        *api.WarmThroughput
}

// Schema returns a checked index in the form of storage. It shares no memory with the request.
func (ix *IndexSpec) Schema(definitions []api.AttributeDefinition) storage.IndexSchema {
	p := storage.Projection{Type: strings.Clone(string(*ix.Projection.ProjectionType))}
	for _, name := range ix.Projection.NonKeyAttributes {
		p.NonKey = append(p.NonKey, strings.Clone(string(name)))
	}
	return storage.IndexSchema{
		Name: strings.Clone(ix.Name), Local: ix.Local, Key: StorageKey(ix.Key, definitions),
		Projection: p,
	}
}

// StorageKey returns a checked key schema in the form of storage. It shares no memory with the
// request.
func StorageKey(ks api.KeySchema, definitions []api.AttributeDefinition) (key storage.KeySchema) {
	for _, e := range ks {
		a := storage.KeyAttribute{
			Name: strings.Clone(string(*e.AttributeName)),
			Type: TypeOf(*e.AttributeName, definitions),
		}
		if *e.KeyType == "HASH" {
			key.Hash = append(key.Hash, a)
		} else {
			key.Range = append(key.Range, a)
		}
	}
	return key
}
