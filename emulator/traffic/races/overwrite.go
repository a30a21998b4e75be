package races

import (
	"fmt"
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
		if v != "" && v != old && !isTime(v, at) {
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
