package mask

import (
	"slices"
	"sort"
	"sync"
	"unicode"
	"unicode/utf8"
)

// alphabet is a set of characters that stand for each other. All have the same length in UTF-8.
type alphabet struct {
	ranges []runes
	size   int
}

// runes is a range of characters. before is how many characters the alphabet has before it.
type runes struct {
	first, last rune
	before      int
}

func newAlphabet(pairs ...rune) *alphabet {
	a := &alphabet{}
	for p := range slices.Chunk(pairs, 2) {
		a.add(p[0], p[1])
	}
	return a
}

func (a *alphabet) add(first, last rune) {
	if n := len(a.ranges); n > 0 && a.ranges[n-1].last == first-1 {
		a.ranges[n-1].last = last
		a.size += int(last-first) + 1
		return
	}
	a.ranges = append(a.ranges, runes{first, last, a.size})
	a.size += int(last-first) + 1
}

// index returns the place of a character, -1 if the alphabet lacks it.
func (a *alphabet) index(r rune) int {
	i := sort.Search(len(a.ranges), func(i int) bool { return a.ranges[i].last >= r })
	if i == len(a.ranges) || r < a.ranges[i].first {
		return -1
	}
	return a.ranges[i].before + int(r-a.ranges[i].first)
}

// at returns the character at a place.
func (a *alphabet) at(index int) rune {
	i := sort.Search(len(a.ranges), func(i int) bool { return a.ranges[i].before > index }) - 1
	return a.ranges[i].first + rune(index-a.ranges[i].before)
}

var (
	decimal  = newAlphabet('0', '9')
	nonzero  = newAlphabet('1', '9')
	lowerHex = newAlphabet('0', '9', 'a', 'f')
	upperHex = newAlphabet('0', '9', 'A', 'F')
	octal    = newAlphabet('0', '7')
	crock    = newAlphabet('0', '9', 'A', 'H', 'J', 'K', 'M', 'N', 'P', 'T', 'V', 'Z')
)

// scripts returns the letters and digits of the scripts that are told apart. Those of all other
// scripts stand for each other if they have the same length in UTF-8.
var scripts = sync.OnceValue(func() []*alphabet {
	return withOthers(
		decimal, newAlphabet('a', 'z'), newAlphabet('A', 'Z'),
		newAlphabet('À', 'Ö', 'Ø', 'Þ'), newAlphabet('ß', 'ö', 'ø', 'ÿ'), newAlphabet('Ā', 'ſ'),
		newAlphabet('Α', 'Ρ', 'Σ', 'Ω'), newAlphabet('α', 'ω'),
		newAlphabet('А', 'Я'), newAlphabet('а', 'я'),
		newAlphabet('א', 'ת'), newAlphabet('ء', 'غ', 'ف', 'ي'),
		newAlphabet('अ', 'ह'), newAlphabet('ก', 'ฮ'),
		newAlphabet('ぁ', 'ゖ'), newAlphabet('ァ', 'ヺ'), newAlphabet('ｦ', 'ﾝ'),
		newAlphabet('一', '鿿'), newAlphabet('가', '힣'),
		newAlphabet('０', '９'), newAlphabet('Ａ', 'Ｚ'), newAlphabet('ａ', 'ｚ'),
	)
})

// withOthers adds alphabets of all other letters and numbers, by their length in UTF-8.
func withOthers(known ...*alphabet) []*alphabet {
	others := map[int]*alphabet{1: {}, 2: {}, 3: {}, 4: {}}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if isWord(r) &&
			!slices.ContainsFunc(known, func(a *alphabet) bool { return a.index(r) >= 0 }) {
			others[utf8.RuneLen(r)].add(r, r)
		}
	}
	for length := 2; length <= utf8.UTFMax; length++ {
		known = append(known, others[length])
	}
	return known
}

// isWord reports whether a character can say who or what something is.
func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// alphabetOf returns the alphabet of a character, nil if it is neither a letter nor a number.
func alphabetOf(r rune) *alphabet {
	if !isWord(r) {
		return nil
	}
	for _, a := range scripts() {
		if a.index(r) >= 0 {
			return a
		}
	}
	return nil
}
