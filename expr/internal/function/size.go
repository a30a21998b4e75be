package function

import (
	"strconv"
	"sync"

	"github.com/kugiri-db/kugiri/storage/item"
)

// Sizes below this one are kept as values, ready for comparisons.
const sizesReady = 1024

var sizes = sync.OnceValue(func() *[sizesReady]item.Value {
	var values [sizesReady]item.Value
	for i := range values {
		values[i] = newSizeValue(i)
	}
	return &values
})

func sizeValue(n int) item.Value {
	if n < sizesReady {
		return sizes()[n]
	}
	return newSizeValue(n)
}

func newSizeValue(n int) item.Value {
	d, err := item.ParseDecimal(strconv.Itoa(n))
	if err != nil {
		panic(err) // every count of bytes or elements is in range
	}
	return item.Number(d)
}
