package design

import (
	"fmt"
	"math/big"
	"strings"
)

// maxDecimals is how many digits after its point a number in a key has at most.
const maxDecimals = 9

// digitsOf returns the part of a key that is a number with digits, as strings sort.
func (a *Attribute) digitsOf(name string) Part {
	return Part{Attribute: name, Digits: Digits, Decimals: a.Decimals, Negative: a.Negative}
}

// scaled writes a number with the digits of a part: without its point, and from the lowest number
// on if it may be negative.
func (part Part) scaled(number string) (string, error) {
	n, ok := new(big.Rat).SetString(number)
	if !ok {
		return "", fmt.Errorf("%s is %s, which is no number", part.Attribute, number)
	}
	n.Mul(n, new(big.Rat).SetInt(tenTo(part.Decimals)))
	whole := n.IsInt()
	if part.Negative {
		n.Add(n, new(big.Rat).SetInt(new(big.Int).Div(tenTo(part.Digits), big.NewInt(2))))
	}
	if text := n.RatString(); whole && n.Sign() >= 0 && len(text) <= part.Digits {
		return strings.Repeat("0", part.Digits-len(text)) + text, nil
	}
	return "", fmt.Errorf("%s is %s: only %s can be part of a string", part.Attribute, number,
		part.numbers())
}

// numbers says which numbers a part can have.
func (part Part) numbers() string {
	text := fmt.Sprintf("whole numbers of up to %d digits", part.Digits)
	if part.Decimals > 0 {
		text = fmt.Sprintf("numbers of up to %d digits, %d of them after the point", part.Digits,
			part.Decimals)
	}
	if part.Negative {
		return text + ", half of them below 0,"
	}
	return text + ", not below 0,"
}

// tenTo returns a power of ten.
func tenTo(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

// checkNumber checks what an attribute says of its numbers.
func checkNumber(c *checker, m *Model, a *Attribute, field string) {
	switch {
	case a.Decimals < 0 || a.Decimals > maxDecimals:
		c.add(field+".decimals", "want 0 to %d", maxDecimals)
	case a.Decimals > 0 && a.Type != Number:
		c.add(field+".decimals", "only numbers have decimals")
	case a.Negative && a.Type != Number:
		c.add(field+".negative", "only numbers are negative")
	case (a.Decimals > 0 || a.Negative) && len(m.Key) > 0 && m.isVersion(a.Name):
		c.add(field, "%s is the version of %s: a whole number that counts up", a.Name, m.Name)
	}
}
