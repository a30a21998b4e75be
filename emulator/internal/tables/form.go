package tables

import (
	"time"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/storage"
)

// APIKey returns a key in the form of the protocol.
func APIKey(ks storage.KeySchema) api.KeySchema {
	var out api.KeySchema
	for _, a := range ks.Hash {
		out = append(out, keyElement(a, "HASH"))
	}
	for _, a := range ks.Range {
		out = append(out, keyElement(a, "RANGE"))
	}
	return out
}

func keyElement(a storage.KeyAttribute, kind api.KeyType) api.KeySchemaElement {
	return api.KeySchemaElement{
		AttributeName: api.Ref(api.KeySchemaAttributeName(a.Name)), KeyType: &kind,
	}
}

// APIProjection returns a projection in the form of the protocol.
func APIProjection(p storage.Projection) *api.Projection {
	out := &api.Projection{ProjectionType: api.Ref(api.ProjectionType(p.Type))}
	for _, name := range p.NonKey {
		out.NonKeyAttributes = append(out.NonKeyAttributes, api.NonKeyAttributeName(name))
	}
	return out
}

// Timestamp returns a time in the form of the protocol, or nil for the zero time.
func Timestamp(t time.Time) *api.Timestamp {
	if t.IsZero() {
		return nil
	}
	return api.Ref(api.Timestamp(float64(t.UnixMilli()) / 1000))
}
