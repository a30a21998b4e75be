package conventions

import "slices"

// PatternKind names one of the guide's patterns.
type PatternKind string

// The guide's patterns ("Common key patterns").
const (
	KindSimple            PatternKind = "simple"
	KindHierarchical      PatternKind = "hierarchical"
	KindVariant           PatternKind = "variant"
	KindTenantAssociation PatternKind = "tenant-association"
	KindMasterData        PatternKind = "master-data"
	KindTimeSeries        PatternKind = "time-series"
)

// Pattern describes the structure of the keys of an entity. The patterns are values and safe for
// concurrent use. Each has a method that builds keys, and Parse, which returns the parts that the
// keys were built from.
//
// The keys that a pattern builds have no version: for a table that keeps versions see
// Keys.AtVersion. The keys that it parses may have one.
type Pattern interface {
	// Kind names the pattern.
	Kind() PatternKind
	// Validate returns an error for a wrong declaration: a name that cannot be a segment, or one
	// that is declared twice. The other methods do not check the declaration again.
	Validate() error
	// Check returns an error if the keys do not follow the pattern.
	Check(pk, sk string) error
}

var (
	_ Pattern = Simple{}
	_ Pattern = Hierarchical{}
	_ Pattern = Variant{}
	_ Pattern = TenantAssociation{}
	_ Pattern = MasterData{}
	_ Pattern = TimeSeries{}
)

// checkNames returns an error for a declared name that is not a segment or occurs twice.
func checkNames(part string, names ...string) error {
	for i, name := range names {
		if err := checkSegment(part, name); err != nil {
			return err
		}
		if slices.Contains(names[:i], name) {
			return keyError(part, name, ErrDeclaredTwice)
		}
	}
	return nil
}

// checkDeclared returns an error if name is not declared.
func checkDeclared(part, name string, declared []string) error {
	if slices.Contains(declared, name) {
		return nil
	}
	return keyError(part, name, ErrUndeclared)
}

// buildKeys builds the partition key PREFIX#tenant and a sort key from segments.
func buildKeys(prefix, tenant string, segments ...string) (Keys, error) {
	pk, err := PartitionKey(prefix, tenant)
	if err != nil {
		return Keys{}, err
	}
	sk, err := SortKey(segments...)
	if err != nil {
		return Keys{}, err
	}
	return NewKeys(pk, sk)
}

// parseKeys takes a partition key PREFIX#tenant[#rest] and a sort key apart. rest is the number of
// segments after the tenant, and segments the number of those in the sort key.
func parseKeys(pk, sk, prefix string, rest, segments int) (PartitionKeyParts, SortKeyParts, error) {
	p, err := ParsePartitionKey(pk)
	if err != nil {
		return p, SortKeyParts{}, err
	}
	s, err := ParseSortKey(sk)
	switch {
	case err != nil:
	case p.Prefix != prefix:
		err = keyError("prefix", p.Prefix, ErrUndeclared)
	case len(p.Rest) != rest:
		err = keyError("partition key", pk, ErrSegments)
	case len(s.Segments) != segments:
		err = keyError("sort key", sk, ErrSegments)
	}
	return p, s, err
}
