package keys

import (
	"math/bits"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/storage"
)

// Segment is one of the equal parts into which a parallel scan divides the hashes of partition
// keys. The zero Segment stands for all of them.
type Segment struct{ Number, Total uint64 }

// NewSegment checks the parameters Segment and TotalSegments (API Reference, Scan).
func NewSegment(number *api.ScanSegment, total *api.ScanTotalSegments) (Segment, error) {
	switch {
	case number == nil && total == nil:
		return Segment{}, nil
	case total == nil:
		return Segment{}, apierr.Invalid(
			"The TotalSegments parameter is required but was not present in the request when Segment parameter is present")
	case number == nil:
		return Segment{}, apierr.Invalid(
			"The Segment parameter is required but was not present in the request when parameter TotalSegments is present")
	case int64(*number) >= int64(*total):
		return Segment{}, apierr.Invalid(
			"The Segment parameter is zero-based and must be less than parameter TotalSegments: "+
				"Segment: %d is not less than TotalSegments: %d", *number, *total)
	}
	return Segment{uint64(*number), uint64(*total)}, nil
}

// Bounds returns the range of a table or index that is in the segment.
func (s Segment) Bounds() storage.Range {
	if s.Total <= 1 {
		return storage.Range{HiOpen: true}
	}
	lo, _ := bits.Div64(s.Number, 0, s.Total)
	r := storage.Range{Lo: storage.Key{Hash: lo}}
	if s.Number+1 == s.Total {
		r.HiOpen = true
	} else {
		r.Hi.Hash, _ = bits.Div64(s.Number+1, 0, s.Total)
	}
	return r
}
