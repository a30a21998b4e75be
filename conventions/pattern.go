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

// Pattern is how the keys of an entity are made up. The patterns are values, safe for concurrent use. Each has a method
// that builds keys, and Parse, which gives back what they were built of.
//
// What a pattern builds has no version: for a table that keeps versions see Keys.AtVersion. What it parses may have one.
type Pattern interface {
	// Kind names the pattern.
	Kind() PatternKind
	// Validate says what is wrong with the declaration: a name that cannot be a segment, or one that is declared twice.
	// The other methods do not repeat it.
	Validate() error
	// Check says why the keys are none of the pattern's.
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

// checkNames says what is wrong with declared names.
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

// checkDeclared says whether a name is none of those declared.
func checkDeclared(part, name string, declared []string) error {
	if slices.Contains(declared, name) {
		return nil
	}
	return keyError(part, name, ErrUndeclared)
}

// buildKeys builds the keys of PREFIX#tenant and the segments of a sort key.
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

// parseKeys takes keys of PREFIX#tenant[#rest] and a sort key apart, with the given numbers of segments after the tenant
// and in the sort key.
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
