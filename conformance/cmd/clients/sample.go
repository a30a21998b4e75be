package main

import (
	"errors"
	"fmt"
)

// sample is a part of the rows: all that are not sampled, and each parts-th of those that are. The
// zero value is all rows.
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
	next := 0
	for _, r := range rows {
		if !r.Sampled || s.parts == 0 {
			found = append(found, r)
			continue
		}
		if next%s.parts == s.part-1 {
			found = append(found, r)
		}
		next++
	}
	return found
}
