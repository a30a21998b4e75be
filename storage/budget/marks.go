package budget

import "fmt"

// MaxMarks is how many marks a text of YAML or JSON has at most that is parsed as a whole: see
// CheckMarks.
const MaxMarks = 1 << 17

// CheckMarks returns an error if a text of YAML or JSON has more than MaxMarks marks: commas,
// colons and the like, before or behind each value. What a parser makes takes some hundred bytes
// for each value, and a value may have two bytes.
func CheckMarks(text []byte) error {
	n := 0
	for i, c := range text {
		switch c {
		case ',', ':', '[', '{', '\n':
			n++
		case '-': // an element of a list, or a new document
			if i+1 < len(text) && (text[i+1] == ' ' || text[i+1] == '-') {
				n++
			}
		}
	}
	if n > MaxMarks {
		return fmt.Errorf("it has %d commas, colons, brackets, dashes and lines, and may have %d: "+
			"divide it", n, MaxMarks)
	}
	return nil
}
