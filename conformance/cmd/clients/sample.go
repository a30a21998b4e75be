package main

import (
	"errors"
	"fmt"
)

// sample is a part of the rows: all that are neither nightly nor sampled, and each parts-th of
// those that are sampled. The zero value is all rows.
type sample struct{ part, parts int }

// Set reads a sample such as "2/5": the second of five parts.
func (s *sample) Set(text string) error {
	var read sample
	if _, err := fmt.Sscanf(text, "%d/%d", &read.part, &read.parts); err != nil ||
		read.String() != text || read.part < 1 || read.part > read.parts {
		return errors.New("a sample is a part and the number of parts, such as 2/5")
	}
	*s = read
	return nil
}

func (s *sample) String() string {
	if s.parts == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.part, s.parts)
}

// of returns the rows of the sample. Each sampled row is in one of the parts.
func (s *sample) of(rows []*row) (found []*row) {
	if s.parts == 0 {
		return rows
	}
	next := 0
	for _, r := range rows {
		mine := !r.Sampled
		if r.Sampled {
			mine = next%s.parts == s.part-1
			next++
		}
		if mine && !r.project.Nightly {
			found = append(found, r)
		}
	}
	return found
}
