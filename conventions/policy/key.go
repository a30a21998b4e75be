package policy

import (
	"strings"

	"github.com/kugiri-db/kugiri/conventions"
	"github.com/kugiri-db/kugiri/storage/item"
)

const separator = '#' // conventions.KeySeparator, as a byte

// nextSegment splits the first segment off a key. more is false if it was the last.
func nextSegment(key string) (segment, rest string, more bool) {
	i := strings.IndexByte(key, separator)
	if i < 0 {
		return key, "", false
	}
	return key[:i], key[i+1:], true
}

// segmentAt returns a segment of a key, counted from 0, or "" if there are fewer.
func segmentAt(key string, n int) string {
	more := true
	for ; n > 0 && more; n-- {
		_, key, more = nextSegment(key)
	}
	if !more {
		return ""
	}
	segment, _, _ := nextSegment(key)
	return segment
}

func countSegments(key string) int { return 1 + strings.Count(key, conventions.KeySeparator) }

// tenantOf returns the tenant in a key with the mode, or "" if it names none.
func tenantOf(mode TenantMode, pk string) string {
	if mode == TenantNone {
		return ""
	}
	tenant, _ := conventions.Tenant(pk)
	return tenant
}

// splitVersion splits the version off a sort key. ok is false if it has none.
func splitVersion(sk string) (base string, version int, ok bool) {
	version = conventions.Version(sk)
	if version == conventions.VersionLatest {
		return sk, version, false
	}
	return conventions.RemoveVersion(sk), version, true
}

// looksVersioned reports whether a sort key ends in "@" and text that may be taken for a version:
// digits, a sign, or nothing.
func looksVersioned(sk string) bool {
	i := strings.LastIndex(sk, conventions.VersionSeparator)
	return i >= 0 && strings.Trim(strings.TrimLeft(sk[i+1:], "+-"), "0123456789") == ""
}

// keyText returns the text of a key attribute. ok is false if the attribute is absent or not a
// string: the conventions cover strings only.
func keyText(v item.Value) (text string, ok bool) {
	if v.Type() != item.S {
		return "", false
	}
	return v.Str(), true
}

// keyItem returns a primary key as an item.
func keyItem(names KeySchema, pk, sk string) item.Item {
	return item.New(item.Attribute{Name: names.Partition, Value: item.String(pk)},
		item.Attribute{Name: names.Sort, Value: item.String(sk)})
}

// statusWords are words for the status of something.
type statusWords struct {
	forms   map[string]bool // the words, in each letter case that the rules look for
	longest int             // length in bytes of the longest of them
}

// add adds a word in its letter case, in small letters, in capitals and with an initial capital.
func (w *statusWords) add(word string) {
	lower := strings.ToLower(word)
	for _, form := range []string{word, lower, strings.ToUpper(word),
		strings.ToUpper(lower[:1]) + lower[1:]} {
		w.forms[form] = true
		w.longest = max(w.longest, len(form))
	}
}

// isIn reports whether a segment of a key is exactly a status word, with no fixed text before it
// and no version after it.
func (w *statusWords) isIn(key string) bool {
	for more := true; more; {
		var segment string
		segment, key, more = nextSegment(key)
		if len(segment) <= w.longest && w.forms[segment] {
			return true
		}
	}
	return false
}
