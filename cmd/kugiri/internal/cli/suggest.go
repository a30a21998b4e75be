package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// DidYouMean adds the word that is most like an unknown one to an error, with the text before in
// front of it, such as $ or --.
func DidYouMean(err error, before, word string, words []string) error {
	if best := closest(word, words); best != "" {
		return fmt.Errorf("%w: did you mean %s%s?", err, before, best)
	}
	return err
}

// closest returns the word that a typo most likely stands for, "" if none is near. A word is near
// when a third of the typo is to be edited at most, or when it begins with what was typed.
func closest(typed string, words []string) string {
	byDistance := slices.SortedFunc(slices.Values(words), func(a, b string) int {
		return cmp.Or(cmp.Compare(distance(typed, a), distance(typed, b)), strings.Compare(a, b))
	})
	for _, word := range byDistance {
		if distance(typed, word) <= len(typed)/3 || len(typed) > 2 &&
			strings.HasPrefix(word, typed) {
			return word
		}
	}
	return ""
}

// distance is how many letters are to be inserted, deleted, replaced or swapped with the next one
// to make b of a (the optimal string alignment distance).
func distance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row[0] = i + 1
		for j := range len(b) {
			replaced := last[j]
			if a[i] != b[j] {
				replaced++
			}
			row[j+1] = min(last[j+1]+1, row[j]+1, replaced)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

// FlagNames are the names of flags.
func FlagNames(flags *pflag.FlagSet) (names []string) {
	flags.VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return names
}
