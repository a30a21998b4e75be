package races

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/storage/item"
)

// overwrites says what of the item that was read a write replaces, whatever the item has become,
// "" for nothing.
func overwrites(r lastRead, t *target, at time.Time) string {
	var names []string
	if t.write.Kind == request.Put && t.write.Item != r.item {
		names = carried(r, t, at)
	}
	for name, old := range r.item.All() {
		if t.key.Get(name) != "" {
			continue
		}
		var v item.Value
		switch {
		case t.write.Kind == request.Put:
			v = t.write.Item.Get(name)
		case t.write.Update != nil:
			v = t.write.Update.Assigned(name)
		}
		if v != "" && v != old && !isTime(v, at) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	if len(names) > 5 {
		names = append(names[:5], "…")
	}
	return fmt.Sprintf("A write replaces what was read of %s, and no condition says that it is "+
		"still the same.", strings.Join(names, ", "))
}

// carried returns the attributes that a put, which changes something, writes as they were read: a
// change of another program is taken back.
func carried(r lastRead, t *target, at time.Time) (names []string) {
	for name, old := range r.item.All() {
		if t.key.Get(name) == "" && t.write.Item.Get(name) == old && !isTime(old, at) {
			names = append(names, name)
		}
	}
	return names
}

// same reports whether a write leaves all that it writes as it was read.
func same(read item.Item, t *target) bool {
	switch {
	case t.write.Kind == request.Put:
		return t.write.Item == read
	case t.write.Update == nil:
		return false
	}
	assigned := 0
	for _, name := range t.write.Update.Attributes() {
		if t.key.Get(name) != "" {
			continue
		}
		v := t.write.Update.Assigned(name)
		if v == "" || v != read.Get(name) {
			return false
		}
		assigned++
	}
	return assigned > 0
}

// addressed reports whether the key of a put has the digest of an attribute: every put of this key
// is the same.
func addressed(t *target) bool {
	var key strings.Builder
	for _, v := range t.key.All() {
		if v.Type() == item.S {
			key.WriteString(strings.ToLower(v.Str()) + " ")
		}
	}
	for name, v := range t.write.Item.All() {
		if t.key.Get(name) != "" || v.Type() != item.S {
			continue
		}
		for _, h := range [...]hash.Hash{sha256.New(), sha1.New(), md5.New()} {
			_, _ = io.WriteString(h, v.Str())
			if strings.Contains(key.String(), hex.EncodeToString(h.Sum(nil))) {
				return true
			}
		}
	}
	return false
}

// isTime reports whether a value is a time near that of the request, as of an expiry: such a value
// is not computed from the one that it replaces.
func isTime(v item.Value, at time.Time) bool {
	const near = 400 * 24 * time.Hour
	switch v.Type() {
	case item.N:
		n, err := strconv.ParseFloat(v.Num(), 64)
		if err != nil {
			return false
		}
		for _, unit := range [...]float64{1, 1e3, 1e6, 1e9} {
			if d := n/unit - float64(at.Unix()); d > -near.Seconds() && d < near.Seconds() {
				return true
			}
		}
	case item.S:
		read, err := time.Parse(time.RFC3339Nano, v.Str())
		return err == nil && read.Sub(at).Abs() < near
	}
	return false
}
