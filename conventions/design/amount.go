package design

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Grouped writes a number with commas between its thousands.
func Grouped(v float64, decimals int) string {
	text := strconv.FormatFloat(math.Abs(v), 'f', decimals, 64)
	whole, part, _ := strings.Cut(text, ".")
	for at := len(whole) - 3; at > 0; at -= 3 {
		whole = whole[:at] + "," + whole[at:]
	}
	if part != "" {
		whole += "." + part
	}
	if v < 0 && strings.Trim(text, "0.") != "" {
		return "-" + whole
	}
	return whole
}

// perSecond writes how often something happens in a second: with a decimal, or two digits if that
// is not enough.
func perSecond(v float64) string {
	if v < 0.1 {
		return plain(v, 2)
	}
	return Grouped(v, 1)
}

// plain writes a number with so many digits that count and no exponent, such as 1000, 16.7 or
// 0.001.
func plain(v float64, digits int) string {
	if v <= 0 {
		return "0"
	}
	text := strconv.FormatFloat(v, 'f', max(digits-1-int(math.Floor(math.Log10(v))), 0), 64)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}

// difference writes an amount of money with its sign.
func difference(v float64) string {
	if text := dollars(v); strings.HasPrefix(text, "-") {
		return text
	}
	return "+" + dollars(v)
}

// dollars writes an amount of money.
func dollars(v float64) string { return Grouped(v, 2) }

// count writes a number of things.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
