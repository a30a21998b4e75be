package conventions

import "strings"

// Keys are the keys of an item and its id.
type Keys struct {
	PK string
	SK string // the sort key, with its version if the table keeps versions
	ID string // PK#SK without the version
}

// NewKeys returns a partition key and a sort key together with their id.
func NewKeys(pk, sk string) (Keys, error) {
	id, err := ID(pk, sk)
	if err != nil {
		return Keys{}, err
	}
	return Keys{PK: pk, SK: sk, ID: id}, nil
}

// AtVersion returns the keys of a version of the item, whatever version k has. The id stays the
// same.
func (k Keys) AtVersion(v int) (Keys, error) {
	sk, err := AddVersion(k.SK, v)
	if err != nil {
		return Keys{}, err
	}
	k.SK = sk
	return k, nil
}

// ID builds the id of an item: pk#sk without the version.
func ID(pk, sk string) (string, error) {
	if _, err := ParsePartitionKey(pk); err != nil {
		return "", err
	}
	if _, err := ParseSortKey(sk); err != nil {
		return "", err
	}
	return pk + KeySeparator + RemoveVersion(sk), nil
}

// ParseID takes an id apart. The id does not show how many of its segments belong to the partition
// key, so the caller says: 2 for PREFIX#tenant, 3 for a month of a time series.
func ParseID(id string, partitionSegments int) (pk, sk string, err error) {
	if partitionSegments < 2 {
		return "", "", keyError("id", id, ErrNoTenant)
	}
	end := -1
	for range partitionSegments {
		i := strings.Index(id[end+1:], KeySeparator)
		if i < 0 {
			return "", "", keyError("id", id, ErrSegments)
		}
		end += 1 + i
	}
	pk, sk = id[:end], id[end+1:]
	if HasVersion(sk) {
		return "", "", keyError("id", id, ErrVersioned)
	}
	_, err = ID(pk, sk)
	return pk, sk, err
}

// EntityID builds the keys of an entity with the given sort key ("Key helper functions").
// ULIDs.EntityID makes a new ULID for the sort key.
func EntityID(prefix, tenant, sk string) (Keys, error) {
	pk, err := PartitionKey(prefix, tenant)
	if err != nil {
		return Keys{}, err
	}
	return NewKeys(pk, sk)
}
