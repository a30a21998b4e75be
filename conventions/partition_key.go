package conventions

import "strings"

// PartitionKeyParts are the parts of a partition key.
type PartitionKeyParts struct {
	Prefix string   // the kind of entity
	Tenant string   // its tenant; TenantCommon for shared data
	Rest   []string // further segments, such as the month of a time series; usually none
}

// Key builds the partition key.
func (p PartitionKeyParts) Key() (string, error) {
	return PartitionKey(p.Prefix, p.Tenant, p.Rest...)
}

// PartitionKey builds PREFIX#tenant, and further segments if there are any ("Generating keys").
func PartitionKey(prefix, tenant string, rest ...string) (string, error) {
	if err := checkSegment("prefix", prefix); err != nil {
		return "", err
	}
	if err := checkSegment("tenant", tenant); err != nil {
		return "", err
	}
	key := prefix + KeySeparator + tenant
	for _, s := range rest {
		if err := checkSegment("segment", s); err != nil {
			return "", err
		}
		key += KeySeparator + s
	}
	return fit("partition key", key, MaxPartitionKeyBytes)
}

// ParsePartitionKey takes a partition key apart. It returns ErrNoTenant for a key without a tenant.
func ParsePartitionKey(pk string) (PartitionKeyParts, error) {
	segments := Segments(pk)
	if len(segments) < 2 && pk != "" {
		return PartitionKeyParts{}, keyError("partition key", pk, ErrNoTenant)
	}
	for _, s := range segments {
		if err := checkSegment("segment", s); err != nil {
			return PartitionKeyParts{}, err
		}
	}
	if err := checkLength("partition key", pk, MaxPartitionKeyBytes); err != nil {
		return PartitionKeyParts{}, err
	}
	parts := PartitionKeyParts{Prefix: segments[0], Tenant: segments[1]}
	if len(segments) > 2 {
		parts.Rest = segments[2:]
	}
	return parts, nil
}

// Tenant returns the tenant of a partition key. It is the second segment, whatever follows:
// tenant001 in LOG#tenant001#2024-01 ("Extracting the tenant code"). ok is false for a key without
// one.
func Tenant(pk string) (tenant string, ok bool) {
	prefix, rest, _ := strings.Cut(pk, KeySeparator)
	tenant, _, _ = strings.Cut(rest, KeySeparator)
	if prefix == "" || tenant == "" {
		return "", false
	}
	return tenant, true
}

// MasterKey builds the partition key of master data. The default tenant is DefaultTenant.
func MasterKey(tenant ...string) (string, error) { return builtInKey(MasterPrefix, tenant) }

// SequenceKey builds the partition key of sequences. The default tenant is DefaultTenant.
func SequenceKey(tenant ...string) (string, error) { return builtInKey(SequencePrefix, tenant) }

func builtInKey(prefix string, tenant []string) (string, error) {
	switch len(tenant) {
	case 0:
		return PartitionKey(prefix, DefaultTenant)
	case 1:
		return PartitionKey(prefix, tenant[0])
	}
	return "", keyError("tenant", strings.Join(tenant, KeySeparator), ErrSegments)
}
