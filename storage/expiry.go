package storage

import (
	"math"
	"strconv"

	"github.com/kugiri-db/kugiri/storage/item"
)

// expiry orders the items of a table by the time in one attribute. Items without such a time are
// not in it.
type expiry struct {
	attribute string
	tree      sorted[Expiring]
}

// Expiring is the key of an item and the time, in Unix seconds, in its expiry attribute.
type Expiring struct {
	At  int64
	Key Key
}

func (e Expiring) less(other Expiring) bool {
	if e.At != other.At {
		return e.At < other.At
	}
	return e.Key.less(other.Key)
}

func newExpiry(attribute string) *expiry {
	return &expiry{attribute, newSorted(Expiring.less)}
}

func (x *expiry) fork() *expiry {
	if x == nil {
		return nil
	}
	return &expiry{x.attribute, x.tree.Copy()}
}

// at returns the time in an item's expiry attribute. ok is false if it holds no time. Only numbers
// count (Developer Guide, "Using time to live (TTL) in DynamoDB").
func (x *expiry) at(it item.Item) (second int64, ok bool) {
	v := it.Get(x.attribute)
	if v.Type() != item.N {
		return 0, false
	}
	second, err := strconv.ParseInt(v.Num(), 10, 64)
	if err == nil {
		return second, true
	}
	f, err := strconv.ParseFloat(v.Num(), 64)
	f = math.Floor(f)
	return int64(f), err == nil && math.Abs(f) < 1<<53
}

// replace updates the order after the item at a key was replaced. Either item may be "".
func (x *expiry) replace(k Key, old, new item.Item) {
	from, was := x.at(old)
	to, is := x.at(new)
	if was && is && from == to {
		return
	}
	if was {
		x.tree.Delete(Expiring{from, k})
	}
	if is {
		x.tree.Set(Expiring{to, k})
	}
}
