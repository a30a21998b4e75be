// Package spelling finds the name that somebody meant who wrote another one.
package spelling

import "strings"

// Hint asks whether the known name was meant that is the nearest to a name, as in
// "; did you mean items?". It returns "" if no name is near.
func Hint(name string, known []string) string {
	if len(name) > maxLength {
		return ""
	}
	best, least := "", 1+max(len(name), 3)/3
	for _, other := range known {
		if d := distance(strings.ToLower(name), strings.ToLower(other)); d < least {
			best, least = other, d
		}
	}
	if best == "" {
		return ""
	}
	return "; did you mean " + best + "?"
}

// maxLength is the length of names up to which distance compares them: its time grows with the
// product of the two.
const maxLength = 100

// distance returns how many characters have to be put in, left out, changed, or swapped with the
// next one to make one text of another.
func distance(a, b string) int {
	if len(b) > maxLength {
		return maxLength
	}
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range len(b) + 1 {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			changed := 1
			if a[i-1] == b[j-1] {
				changed = 0
			}
			d := min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+changed)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, rows[i-2][j-2]+1)
			}
			rows[i][j] = d
		}
	}
	return rows[len(a)][len(b)]
}
