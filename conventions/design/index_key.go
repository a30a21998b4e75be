package design

import "slices"

// MaxKeyAttributes is how many attributes the partition key, and the sort key, of a global index
// have at most (Developer Guide, "Multi-attribute keys pattern").
const MaxKeyAttributes = 4

// Key names the attributes of a key. Sort is "" if there is no sort key.
type Key struct {
	Partition, Sort string
	// the further attributes of the key of a global index that has several, which no text joins
	MorePartition, MoreSort []string `json:",omitempty"`
}

// Partitions returns the attributes of the partition key, in their order.
func (k Key) Partitions() []string { return append([]string{k.Partition}, k.MorePartition...) }

// Sorts returns the attributes of the sort key, in their order: none without a sort key.
func (k Key) Sorts() []string {
	if k.Sort == "" {
		return nil
	}
	return append([]string{k.Sort}, k.MoreSort...)
}

// Names returns the attributes of a key: those of the partition key, then those of the sort key.
func (k Key) Names() []string { return append(k.Partitions(), k.Sorts()...) }

// Has reports whether an attribute is in a key.
func (k Key) Has(name string) bool { return name != "" && slices.Contains(k.Names(), name) }

// Equal reports whether two keys have the same attributes in the same places.
func (k Key) Equal(o Key) bool {
	return slices.Equal(k.Partitions(), o.Partitions()) && slices.Equal(k.Sorts(), o.Sorts())
}

// Several reports whether a partition key or a sort key has several attributes.
func (k Key) Several() bool { return len(k.MorePartition)+len(k.MoreSort) > 0 }
