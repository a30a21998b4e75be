package replication

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/storage/item"
)

// TestStampedTimesAscend: each write of an item has a later time than the one before, whatever the
// clock says and whatever a client has written.
func TestStampedTimesAscend(t *testing.T) {
	now := time.UnixMilli(1_602_518_560_314)
	of := func(v item.Value) item.Item {
		return item.New(item.Attribute{Name: updateTime, Value: v})
	}
	for _, c := range []struct {
		name string
		old  item.Item
		want string
	}{
		{"a new item", "", "1602518560.314001"},
		{"an older item", of(`{"N":"1602518560.313001"}`), "1602518560.314001"},
		{"an item of the same time", of(`{"N":"1602518560.314001"}`), "1602518560.314002"},
		{"a newer item", of(`{"N":"1602518561.5"}`), "1602518561.500001"},
		{"an item with a text", of(item.String("x")), "1602518560.314001"},
		{"an item with a time that never comes", of(`{"N":"1E+30"}`), "1602518560.314001"},
	} {
		t.Run(c.name, func(t *testing.T) {
			it := Stamped(c.old, item.New(item.Attribute{Name: "pk", Value: item.String("a")}),
				"us-east-1", now)
			assert.Equal(t, c.want, it.Get(updateTime).Num())
			assert.Equal(t, "us-east-1", it.Get(updateRegion).Str())
			assert.Equal(t, item.Boolean(false), it.Get(deleting))
		})
	}
}

func TestNames(t *testing.T) {
	o := arn.Owner{Account: "111122223333", Region: "us-east-1"}
	assert.Equal(t, "us-east-1/111122223333", Name(o))
	assert.Equal(t, o, OwnerOf(Name(o)))
}
