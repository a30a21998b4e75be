package wire

import (
	"unsafe"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/storage/item"
)

// Depth returns the number of levels of the deepest value in a decoded shape that is nested too
// deep. It returns 0 if no value is.
func Depth(v any) int {
	p, pl := open(v)
	return depth(pl, p)
}

func depth(pl *plan, p unsafe.Pointer) (deepest int) {
	if pl.absent(p) {
		return 0
	}
	switch pl.kind {
	case kindAttributes:
		return depthOf((*item.Attributes)(p).Invalid)
	case kindAttributeValue:
		return depthOf((*api.AttributeValue)(p).Invalid)
	case kindPointer:
		return depth(pl.elem, *(*unsafe.Pointer)(p))
	case kindStruct:
		for i := range pl.members {
			m := &pl.members[i]
			deepest = max(deepest, depth(m.plan, unsafe.Add(p, m.offset)))
		}
	case kindList, kindMap:
		for i := range (*collection)(p).len {
			_, elem := pl.at(p, i)
			deepest = max(deepest, depth(pl.elem, elem))
		}
	}
	return deepest
}

func depthOf(e *item.Invalid) int {
	if e == nil {
		return 0
	}
	return e.Depth
}
