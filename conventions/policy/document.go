package policy

import (
	"strings"

	"github.com/kugiri-db/kugiri/conventions"
	"github.com/kugiri-db/kugiri/storage/item"
)

// document identifies the document that an item belongs to, and the version of it.
type document struct {
	other   item.Value // value of the other key attribute
	group   string     // the versioned key attribute without its last segment
	version string     // the last segment of the versioned key attribute
	whole   string     // the whole versioned key attribute

	isPointer bool
}

// document returns the document of an item, read from its key.
func (l *latestRule) document(it item.Item) (d document) {
	if l.other != "" {
		d.other = it.Get(l.other)
	}
	d.whole = it.Get(l.Attribute).Str()
	d.version = d.whole
	if i := strings.LastIndex(d.whole, conventions.KeySeparator); i >= 0 {
		d.group, d.version = d.whole[:i], d.whole[i+1:]
	}
	d.isPointer = d.version == l.Pointer
	return d
}

// isOf reports whether two items belong to the same document.
func (d *document) isOf(o *document) bool { return d.other == o.other && d.group == o.group }

// named reports whether a pointer's actual version names this version, by its last segment or by
// its whole key attribute.
func (d *document) named(actual string) bool {
	return actual != "" && (actual == d.version || actual == d.whole)
}

// covers reports whether the rule applies to a key: items with such keys have a latest item.
func (l *latestRule) covers(k *checkedKey) bool {
	return l.Entity == "" || k.entity != nil && k.entity.Name == l.Entity
}

// keyOf returns the key of a version of a document.
func (l *latestRule) keyOf(d *document, version string) item.Item {
	if d.group != "" && !strings.HasPrefix(version, d.group+conventions.KeySeparator) {
		version = d.group + conventions.KeySeparator + version
	}
	attributes := []item.Attribute{{Name: l.Attribute, Value: item.String(version)}}
	if l.other != "" {
		attributes = append(attributes, item.Attribute{Name: l.other, Value: d.other})
	}
	return item.New(attributes...)
}
