package conventions

import "strings"

// SortKeyParts are the parts of a sort key.
type SortKeyParts struct {
	Segments []string
	Version  int // VersionLatest if the key has none
}

// Key builds the sort key.
func (p SortKeyParts) Key() (string, error) {
	sk, err := SortKey(p.Segments...)
	if err != nil || p.Version == VersionLatest {
		return sk, err
	}
	return AddVersion(sk, p.Version)
}

// SortKey builds a sort key without a version from its segments. The last segment must not end like
// a version.
func SortKey(segments ...string) (string, error) {
	key := strings.Join(segments, KeySeparator)
	if key == "" {
		return "", keyError("sort key", key, ErrEmpty)
	}
	for _, s := range segments {
		if err := checkSegment("segment", s); err != nil {
			return "", err
		}
	}
	if endsLikeVersion(key) {
		return "", keyError("sort key", key, ErrReadAsVersion)
	}
	return fit("sort key", key, MaxSortKeyBytes)
}

// SortKeyPrefix builds the prefix of all sort keys that begin with the given segments and have
// more. It ends in the separator, so that ORDER_ITEM#1# does not match the items of order 10.
func SortKeyPrefix(segments ...string) (string, error) {
	if len(segments) == 0 {
		return "", keyError("sort key prefix", "", ErrEmpty)
	}
	for _, s := range segments {
		if err := checkSegment("segment", s); err != nil {
			return "", err
		}
	}
	prefix := strings.Join(segments, KeySeparator) + KeySeparator
	return fit("sort key prefix", prefix, MaxSortKeyBytes)
}

// ParseSortKey takes a sort key apart.
func ParseSortKey(sk string) (SortKeyParts, error) {
	base, version := splitVersion(sk)
	if endsLikeVersion(base) {
		return SortKeyParts{}, keyError("sort key", sk, ErrReadAsVersion)
	}
	segments := Segments(base)
	for _, s := range segments {
		if err := checkSegment("segment", s); err != nil {
			return SortKeyParts{}, err
		}
	}
	if err := checkLength("sort key", sk, MaxSortKeyBytes); err != nil {
		return SortKeyParts{}, err
	}
	return SortKeyParts{Segments: segments, Version: version}, nil
}

// TTLSortKey builds the sort key of a table's time-to-live setting.
func TTLSortKey(table string) (string, error) { return SortKey(TTLPrefix, table) }
