package search

import (
	"fmt"
	"strconv"
	"strings"
)

// PartEnvironment is the variable that says which part of a search to run: 3/8.
const PartEnvironment = "KUGIRI_EXPLORE_PART"

// Part is one of several equal parts of a search. The zero value is the whole.
type Part struct {
	Number int `json:"number"` // its number, from 1
	Of     int `json:"of"`
}

// maxParts bounds the beginnings that each part walks.
const maxParts = 256

// ParsePart reads a part, such as 3/8.
func ParsePart(text string) (p Part, err error) {
	number, of, found := strings.Cut(text, "/")
	if found {
		if p.Number, err = strconv.Atoi(number); err == nil {
			p.Of, err = strconv.Atoi(of)
		}
	}
	if !found || err != nil || p.Of < 1 || p.Of > maxParts || p.Number < 1 || p.Number > p.Of {
		return Part{}, fmt.Errorf("%q is no part of a search: 3/8 is the third of eight, of %d at most",
			text, maxParts)
	}
	return p, nil
}

func (p Part) String() string { return fmt.Sprintf("part %d of %d", p.Number, p.Of) }

// divided reports whether there are other parts.
func (p Part) divided() bool { return p.Of > 1 }

// owns reports whether a beginning belongs to the part.
func (p Part) owns(beginning int) bool { return beginning%p.Of == p.Number-1 }
