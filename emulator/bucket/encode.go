package bucket

import (
	"strconv"

	"github.com/kugiri-db/kugiri/emulator/transfers"
	"github.com/kugiri-db/kugiri/storage/item"
)

// encoder appends a record of an export, without the end of its line.
type encoder func(dst []byte, r *transfers.ExportRecord, incremental bool) ([]byte, error)

// appendJSON is the encoder of DynamoDB JSON.
func appendJSON(dst []byte, r *transfers.ExportRecord, incremental bool) ([]byte, error) {
	if !incremental {
		dst = append(append(dst, `{"Item":`...), r.New...)
		return append(dst, '}'), nil
	}
	dst = append(dst, `{"Metadata":{"WriteTimestampMicros":{"N":"`...)
	dst = append(strconv.AppendInt(dst, r.Written.UnixMicro(), 10), `"}},"Keys":`...)
	dst = append(dst, r.Keys...)
	for _, image := range [...]struct {
		name string
		json item.JSON
	}{{"OldImage", r.Old}, {"NewImage", r.New}} {
		if image.json != "" {
			dst = append(append(dst, `,"`+image.name+`":`...), image.json...)
		}
	}
	return append(dst, '}'), nil
}
