package item

import (
	"strconv"
	"strings"
)

// The range of numbers, Developer Guide, "Supported data types and naming rules", Number.
const (
	maxDigits = 38
	maxExp    = 126  // 9.9…E+125 is 0.99…E+126
	minExp    = -129 // 1E-130 is 0.1E-129
)

// NumberError says why a text, or a sum, is no DynamoDB number. It is the text of a
// ValidationException.
type NumberError string

func (e NumberError) Error() string { return string(e) }

const (
	errOverflow  NumberError = "Number overflow. Attempting to store a number with magnitude larger than supported range"
	errUnderflow NumberError = "Number underflow. Attempting to store a number with magnitude smaller than supported range"
	errPrecision NumberError = "Attempting to store more than 38 significant digits in a Number"
)

func errNotNumeric(s string, w Wording) NumberError {
	if s == "" && w == OldWording {
		return "The parameter cannot be converted to a numeric value"
	}
	return NumberError("The parameter cannot be converted to a numeric value: " + s)
}

// Decimal is a DynamoDB number: zero, or up to 38 significant digits with a magnitude from 1E-130
// to 9.9…E+125. Two Decimals are equal exactly if == says so.
type Decimal struct {
	neg    bool
	exp    int    // the value is 0.digits × 10^exp
	digits string // significant digits without zeros at either end; "" for zero
}

// ParseDecimal reads a number in any form that the service accepts ("1", "-01.50", "1E+3"). Its
// error is a NumberError in the old wording.
func ParseDecimal(s string) (Decimal, error) { return readDecimal(s, OldWording) }

// readDecimal is ParseDecimal in either wording. Both accept the same numbers. Their messages
// differ in how they read an exponent far out of range (service facts 1.4, 1.6).
func readDecimal(s string, w Wording) (Decimal, error) {
	d := Decimal{}
	rest := s
	if rest != "" && (rest[0] == '-' || rest[0] == '+') {
		d.neg = rest[0] == '-'
		rest = rest[1:]
	}
	mantissa, exp, ok := splitExponent(rest)
	whole, frac, _ := strings.Cut(mantissa, ".")
	if !ok || whole == "" && frac == "" || !allDigits(whole) || !allDigits(frac) ||
		w == OldWording && !javaExponent(exp, len(frac)) {
		return Decimal{}, errNotNumeric(s, w)
	}
	written, digits := exp, whole+frac
	if strings.Trim(whole, "0") == "" { // 0.00123: no joining needed
		digits, exp = frac, exp-len(whole)
	}
	digits, exp = trimDigits(digits, exp+len(whole))
	if digits == "" {
		exp = written + 1 // 0e126 and 0.0e126 are too large (service facts 1.5)
	}
	if w == OldWording {
		exp = int(int32(exp+1)) - 1 // 1e2147483646 becomes too small (service facts F.58)
	}
	return d.inRange(digits, exp)
}

// javaExponent reports whether a java.math.BigDecimal can hold a number with an exponent and that
// many digits behind the point. Its scale has 32 bits.
func javaExponent(exp, fraction int) bool {
	scale := fraction - exp
	return exp == int(int32(exp)) && scale == int(int32(scale))
}

// trimDigits removes leading and trailing zeros from 0.digits × 10^exp.
func trimDigits(digits string, exp int) (string, int) {
	trimmed := strings.TrimLeft(digits, "0")
	if trimmed == "" {
		return "", exp
	}
	return strings.TrimRight(trimmed, "0"), exp - (len(digits) - len(trimmed))
}

// normal returns d with the given digits, which may have leading and trailing zeros.
func (d Decimal) normal(digits string, exp int) (Decimal, error) {
	digits, exp = trimDigits(digits, exp)
	if digits == "" {
		return Decimal{}, nil
	}
	return d.inRange(digits, exp)
}

// inRange returns d with the given digits (none for zero) if DynamoDB accepts the number.
func (d Decimal) inRange(digits string, exp int) (Decimal, error) {
	switch {
	case exp > maxExp:
		return Decimal{}, errOverflow
	case exp < minExp:
		return Decimal{}, errUnderflow
	case len(digits) > maxDigits:
		return Decimal{}, errPrecision
	case digits == "":
		return Decimal{}, nil
	}
	d.digits, d.exp = digits, exp
	return d, nil
}

// farExponent is greater than the exponent of any number that fits into a request.
const farExponent = 1 << 40

// splitExponent splits "1.5E+3" into "1.5" and 3. An exponent beyond farExponent is cut to that.
func splitExponent(s string) (mantissa string, exp int, ok bool) {
	i := strings.IndexAny(s, "eE")
	if i < 0 {
		return s, 0, true
	}
	n, err := strconv.ParseInt(s[i+1:], 10, 64)
	return s[:i], int(max(-farExponent, min(n, farExponent))), err == nil
}

func allDigits(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// Sign returns -1, 0 or 1.
func (d Decimal) Sign() int {
	switch {
	case d.digits == "":
		return 0
	case d.neg:
		return -1
	}
	return 1
}

// Cmp returns a negative number, zero or a positive one as d is less than, equal to or greater than
// e.
func (d Decimal) Cmp(e Decimal) int {
	if s := d.Sign() - e.Sign(); s != 0 || d.Sign() == 0 {
		return s
	}
	c := d.cmpMagnitude(e)
	if d.neg {
		return -c
	}
	return c
}

func (d Decimal) cmpMagnitude(e Decimal) int {
	if d.exp != e.exp {
		return d.exp - e.exp
	}
	return strings.Compare(d.digits, e.digits)
}

// Neg returns -d.
func (d Decimal) Neg() Decimal {
	d.neg = !d.neg && d.digits != ""
	return d
}

// Sub returns d - e; see Add.
func (d Decimal) Sub(e Decimal) (Decimal, error) { return d.Add(e.Neg()) }

// Add returns d + e exactly. It fails with a NumberError if the sum is no DynamoDB number.
func (d Decimal) Add(e Decimal) (Decimal, error) {
	if a, ok := d.small(); ok {
		if b, ok := e.small(); ok {
			return fromInt(a + b), nil
		}
	}
	switch {
	case d.digits == "":
		return e, nil
	case e.digits == "":
		return d, nil
	case d.neg == e.neg:
		return d.addMagnitudes(e)
	}
	switch c := d.cmpMagnitude(e); {
	case c == 0:
		return Decimal{}, nil
	case c < 0:
		d, e = e, d
	}
	return d.subMagnitude(e)
}

// small returns d as an integer if it is one of at most 18 digits.
func (d Decimal) small() (int64, bool) {
	if d.exp > 18 || len(d.digits) > d.exp && d.digits != "" {
		return 0, false
	}
	var n int64
	for i := range d.exp {
		n *= 10
		if i < len(d.digits) {
			n += int64(d.digits[i] - '0')
		}
	}
	if d.neg {
		n = -n
	}
	return n, true
}

// fromInt returns an integer of at most 19 digits as a Decimal.
func fromInt(n int64) Decimal {
	d := Decimal{neg: n < 0}
	if n < 0 {
		n = -n
	}
	digits := strconv.FormatInt(n, 10)
	d, _ = d.normal(digits, len(digits))
	return d
}

// aligned writes the digits of d and e into columns of the same weight. The first column has the
// weight 10^(top-1).
func (d Decimal) aligned(e Decimal) (a, b []byte, top int) {
	top = max(d.exp, e.exp)
	bottom := min(d.exp-len(d.digits), e.exp-len(e.digits))
	columns := make([]byte, 2*(top-bottom))
	a, b = columns[:top-bottom], columns[top-bottom:]
	for i := range len(d.digits) {
		a[top-d.exp+i] = d.digits[i] - '0'
	}
	for i := range len(e.digits) {
		b[top-e.exp+i] = e.digits[i] - '0'
	}
	return a, b, top
}

func (d Decimal) addMagnitudes(e Decimal) (Decimal, error) {
	a, b, top := d.aligned(e)
	carry := byte(0)
	for i := len(a) - 1; i >= 0; i-- {
		sum := a[i] + b[i] + carry
		carry = 0
		if sum > 9 {
			sum, carry = sum-10, 1
		}
		a[i] = '0' + sum
	}
	if carry > 0 {
		a = append([]byte{'1'}, a...)
		top++
	}
	return d.ofSum(string(a), top)
}

// subMagnitude subtracts a smaller magnitude; the sign stays that of d.
func (d Decimal) subMagnitude(e Decimal) (Decimal, error) {
	a, b, top := d.aligned(e)
	borrow := byte(0)
	for i := len(a) - 1; i >= 0; i-- {
		diff := 10 + a[i] - b[i] - borrow
		borrow = 1
		if diff >= 10 {
			diff, borrow = diff-10, 0
		}
		a[i] = '0' + diff
	}
	return d.ofSum(string(a), top)
}

// ofSum returns the normal form of a sum with the sign of d. A sum with too many digits overflows
// (service facts 8.5).
func (d Decimal) ofSum(digits string, exp int) (Decimal, error) {
	sum, err := d.normal(digits, exp)
	if err == errPrecision {
		err = errOverflow
	}
	return sum, err
}

// String returns the normal form: plain notation without superfluous zeros.
func (d Decimal) String() string {
	return string(d.Append(make([]byte, 0, 24)))
}

// Append appends the normal form to dst.
func (d Decimal) Append(dst []byte) []byte {
	if d.digits == "" {
		return append(dst, '0')
	}
	if d.neg {
		dst = append(dst, '-')
	}
	switch n := len(d.digits); {
	case d.exp <= 0:
		dst = append(dst, "0."...)
		dst = appendZeros(dst, -d.exp)
		return append(dst, d.digits...)
	case d.exp >= n:
		dst = append(dst, d.digits...)
		return appendZeros(dst, d.exp-n)
	}
	dst = append(dst, d.digits[:d.exp]...)
	dst = append(dst, '.')
	return append(dst, d.digits[d.exp:]...)
}

func appendZeros(dst []byte, n int) []byte {
	for range n {
		dst = append(dst, '0')
	}
	return dst
}

// Size returns the number's share of an item's size: one byte, one more if it is negative, and the
// bytes of the digits before and behind the point, packed separately (service facts 1.7).
func (d Decimal) Size() int {
	size, n := 1, len(d.digits)
	if d.neg {
		size = 2
	}
	if d.exp <= 0 || d.exp >= n {
		return size + packed(n, 0)
	}
	return size + packed(d.exp, n-d.exp)
}

// packed returns the bytes that digits before and behind a point take, at two digits a byte.
func packed(whole, fraction int) int { return (whole+1)/2 + (fraction+1)/2 }
