package policy

import (
	"strings"
	"unicode"
)

// Names of tenants are compared character by character. What is here tells names that a person
// takes for each other.

func isInvisible(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || !unicode.IsPrint(r)
}

// styled are the blocks of Unicode whose characters are ordinary ones in another form: of full or
// half width, bold, small and raised, in a circle, or joined as in a ligature.
var styled = [][2]rune{{0xaa, 0xaa}, {0xb2, 0xb3}, {0xb9, 0xba}, {0x132, 0x133}, {0x13f, 0x140},
	{0x149, 0x149}, {0x17f, 0x17f}, {0x1c4, 0x1cc}, {0x1f1, 0x1f3}, {0x2b0, 0x2b8}, {0x2e0, 0x2e4},
	{0x1d2c, 0x1d6a}, {0x1d9b, 0x1dbf}, {0x2070, 0x209c}, {0x2100, 0x218b}, {0x2460, 0x24ff},
	{0x3131, 0x318e}, {0x3200, 0x33ff}, {0xfb00, 0xfb4f}, {0xff01, 0xffee}, {0x1d400, 0x1d7ff},
	{0x1f100, 0x1f1ff}}

func isStyled(r rune) bool {
	for _, block := range styled {
		if block[0] <= r && r <= block[1] {
			return true
		}
	}
	return false
}

// composable are the scripts whose letters with a mark have a character of their own.
var composable = []*unicode.RangeTable{unicode.Latin, unicode.Greek, unicode.Cyrillic,
	unicode.Hiragana, unicode.Katakana}

// isComposed reports whether a name has no letter that NFC writes otherwise (a letter and a mark, a
// syllable of Hangul in parts, or a character that is there for compatibility) and no mark on what
// is no letter.
func isComposed(name string) bool {
	before := rune(0)
	for _, r := range name {
		switch {
		case unicode.Is(unicode.Me, r),
			unicode.Is(unicode.Mn, r) && (unicode.In(before, composable...) ||
				!unicode.In(before, unicode.L, unicode.M)),
			r >= 0x1100 && r <= 0x11ff, r >= 0xf900 && r <= 0xfaff, r >= 0x2f800 && r <= 0x2fa1f:
			return false
		}
		before = r
	}
	return true
}

// likeLatin are letters of Cyrillic and Greek, and before each the Latin one that looks like it.
const likeLatin = "aа eе oо pр cс yу xх iі jј sѕ hһ dԁ qԛ wԝ lӏ AА BВ EЕ KК MМ HН OО PР CС TТ YУ XХ " +
	"IІ JЈ SЅ QԚ WԜ GԌ aα oο vν pρ iι uυ AΑ BΒ EΕ ZΖ HΗ IΙ KΚ MΜ NΝ OΟ PΡ TΤ YΥ XΧ"

var toLatin = func() map[rune]rune {
	letters := map[rune]rune{}
	for _, pair := range strings.Fields(likeLatin) {
		of := []rune(pair)
		letters[of[1]] = of[0]
	}
	return letters
}()

// latin returns a name with Latin letters in place of those that look like them.
func latin(name string) string {
	return strings.Map(func(r rune) rune {
		if l, ok := toLatin[r]; ok {
			return l
		}
		return r
	}, name)
}

// hasForeign reports whether a name has Latin letters and others that look like them.
func hasForeign(name string) bool {
	return latin(name) != name &&
		strings.ContainsFunc(name, func(r rune) bool { return unicode.Is(unicode.Latin, r) })
}

// alike replaces digits by letters that look like them.
var alike = strings.NewReplacer("0", "O", "1", "l", "I", "l")
