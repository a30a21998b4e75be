package item

import (
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestParseDecimal(t *testing.T) {
	nines := strings.Repeat("9", 38)
	for _, c := range []struct {
		name, in, want string
		err            error
	}{
		{"zero", "-0.00", "0", nil},
		{"zeros at both ends", "00120.0340", "120.034", nil},
		{"exponent", "1.5E+3", "1500", nil},
		{"negative exponent", "-15e-4", "-0.0015", nil},
		{"leading point", ".5", "0.5", nil},
		{"trailing point", "5.", "5", nil},
		{"plus", "+5", "5", nil},
		{"largest", nines + "E+88", nines + strings.Repeat("0", 88), nil},
		{"smallest", "1E-130", "0." + strings.Repeat("0", 129) + "1", nil},
		{"zero with an exponent in range", "0E125", "0", nil},
		{"zero with a large exponent", "0E126", "", errOverflow},
		{"zero with a small exponent", "0E-131", "", errUnderflow},
		{"zero with the smallest exponent", "-0E-130", "0", nil},
		{"too large", "1E126", "", errOverflow},
		{"too small", "-1E-131", "", errUnderflow},
		{"39 digits", nines + "1", "", errPrecision},
		{"38 digits and zeros", nines + "00", nines + "00", nil},
		{"empty", "", "", errNotNumeric("", OldWording)},
		{"a word", "NaN", "", errNotNumeric("NaN", OldWording)},
		{"two points", "1.2.3", "", errNotNumeric("1.2.3", OldWording)},
		{"two signs", "--1", "", errNotNumeric("--1", OldWording)},
		{"exponent without digits", "1E", "", errNotNumeric("1E", OldWording)},
		{"exponent with two signs", "1E+-1", "", errNotNumeric("1E+-1", OldWording)},
		{"space", " 1", "", errNotNumeric(" 1", OldWording)},
		{"hexadecimal", "0x10", "", errNotNumeric("0x10", OldWording)},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, err := ParseDecimal(c.in)
			require.Equal(t, c.err, err)
			if err == nil {
				assert.Equal(t, c.want, d.String())
				assert.Equal(t, d.Size(), numberSize(c.want))
			}
		})
	}
}

// drawNumber draws a number as text: few digits or many, small exponents or large.
func drawNumber(t *rapid.T, label string) string {
	return rapid.StringMatching(
		`-?([0-9]{1,3}|[1-9][0-9]{0,19}|[0-9]{0,18}\.[0-9]{1,19})(E[+-]?([0-9]|1[01][0-9]))?`).
		Filter(func(s string) bool { _, err := ParseDecimal(s); return err == nil }).Draw(t, label)
}

func rat(t *rapid.T, s string) *big.Rat {
	r, ok := new(big.Rat).SetString(s)
	require.True(t, ok, s)
	return r
}

func TestDecimalAgainstBig(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawNumber(t, "a"), drawNumber(t, "b")
		d, _ := ParseDecimal(a)
		e, _ := ParseDecimal(b)
		assert.Zero(t, rat(t, a).Cmp(rat(t, d.String())), "normal form of %s is %s", a, d)
		assert.Equal(t, rat(t, a).Cmp(rat(t, b)), sign(d.Cmp(e)))
		check := func(got Decimal, err error, want *big.Rat) {
			if err == nil {
				assert.Zero(t, want.Cmp(rat(t, got.String())), "%s: got %s", want, got)
				again, err := ParseDecimal(got.String())
				assert.NoError(t, err)
				assert.Equal(t, got, again)
				return
			}
			// Only numbers with too many digits, or outside the range, may fail.
			_, parsed := ParseDecimal(want.FloatString(400))
			if parsed == errPrecision { // service facts 8.5
				parsed = errOverflow
			}
			assert.Equal(t, parsed, err)
		}
		sum, err := d.Add(e)
		check(sum, err, new(big.Rat).Add(rat(t, a), rat(t, b)))
		diff, err := d.Sub(e)
		check(diff, err, new(big.Rat).Sub(rat(t, a), rat(t, b)))
	})
}

func sign(n int) int {
	switch {
	case n < 0:
		return -1
	case n > 0:
		return 1
	}
	return 0
}

func TestKeyOrder(t *testing.T) {
	scalars := map[string]func(*rapid.T, string) Value{
		"S": func(t *rapid.T, label string) Value {
			return String(
				rapid.StringOfN(rapid.RuneFrom([]rune("\x00\x01ab\U0001F600￿")), 0, 6, -1).Draw(t,
					label))
		},
		"N": func(t *rapid.T, label string) Value {
			d, _ := ParseDecimal(drawNumber(t, label))
			return Number(d)
		},
		"B": func(t *rapid.T, label string) Value {
			return Binary(
				string(rapid.SliceOfN(rapid.SampledFrom([]byte{0, 1, 2, 254, 255}), 0, 6).Draw(t,
					label)))
		},
	}
	for name, draw := range scalars {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			a, b := draw(t, "a"), draw(t, "b")
			ka, kb := string(AppendKey(nil, a)), string(AppendKey(nil, b))
			assert.Equal(t, sign(Compare(a, b)), strings.Compare(ka, kb))
			assert.Equal(t, a == b, ka == kb)
			assert.Equal(t, a == b, strings.HasPrefix(kb, ka), "no key is a prefix of another")
			if name != "N" {
				assert.Equal(t, BeginsWith(b, a),
					strings.HasPrefix(kb, string(AppendKeyPrefix(nil, a))))
			}
		}))
	}
}

func TestHashKeyIsStable(t *testing.T) {
	assert.Equal(t, uint64(0xd24ec4f1a98c6e5b), HashKey("a"))
}

// TestWordingsAcceptTheSameNumbers: the wording decides the message, not whether a text is a
// number.
func TestWordingsAcceptTheSameNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(
			`[-+ ]?[0-9]{0,3}(\.[0-9]{0,3})?([eE][-+]?([0-9]{0,3}|214748364[0-9]|922337203685477580[0-9]))?`).Draw(t, "text")
		old, oldErr := readDecimal(text, OldWording)
		new, newErr := readDecimal(text, NewWording)
		require.Equal(t, old, new)
		require.Equal(t, oldErr == nil, newErr == nil)
	})
}

// TestNumberSizeIsOfTheDigitsWrittenOut compares sizes with the rule of service facts 1.7.
func TestNumberSizeIsOfTheDigitsWrittenOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, err := ParseDecimal(drawNumber(t, "number"))
		require.NoError(t, err)
		whole, fraction, _ := strings.Cut(strings.TrimPrefix(d.String(), "-"), ".")
		whole = strings.TrimLeft(whole, "0")
		if fraction == "" {
			whole = strings.TrimRight(whole, "0")
		}
		if whole == "" {
			fraction = strings.TrimLeft(fraction, "0")
		}
		want := 1 + (len(whole)+1)/2 + (len(fraction)+1)/2
		if d.Sign() < 0 {
			want++
		}
		require.Equal(t, want, d.Size())
		require.Equal(t, want, numberSize(d.String()))
	})
}
