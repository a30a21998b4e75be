package mask

import (
	"encoding/binary"
	"errors"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// As says what becomes of a value.
type As string

// What becomes of a value.
const (
	Keep     As = "keep"     // it stays
	Drop     As = "drop"     // its attribute is left out
	Constant As = "constant" // it becomes the Value of the method
	Text     As = "text"     // it becomes another one of its format
	Email    As = "email"    // an e-mail address becomes one of a domain that ends in .example
	// a date, or a time in numbers, is moved by days that the secret decides
	Date As = "date"
)

// Method is a way to mask values.
type Method struct {
	As    As
	First int    // how many letters and digits at the beginning stay, of Text
	Last  int    // how many at the end stay, of Text
	Days  int    // Date: by how many days a date moves at most; 0 is DefaultDays
	Value string // Constant: the value

	// Domain tells values apart that have nothing to do with each other: in two domains, the same
	// value has two pseudonyms.
	Domain string
}

// DefaultDays is by how many days a date moves at most unless a Method says otherwise.
const DefaultDays = 30

// unique reports whether different values stay different.
func (m *Method) unique() bool { return m.As != Drop && m.As != Constant }

// pseudonyms makes the pseudonyms of a method.
type pseudonyms struct {
	*Method
	key key
}

func (m *Method) with(secret key) pseudonyms {
	return pseudonyms{m, secret.derive("domain " + m.Domain)}
}

// errNoDate refuses a value that is to be masked as a date and is not one.
var errNoDate = errors.New(
	"a value is no date such as 2026-01-31 or 2026-01-31T12:00:00Z, and no time in seconds")

// text masks a text.
func (p pseudonyms) text(s string) (string, error) {
	switch p.As {
	case Keep:
		return s, nil
	case Constant:
		return p.Value, nil
	case Email:
		return p.email(s), nil
	case Date:
		return p.date(s)
	}
	return p.key.permuteText(s, p.First, p.Last), nil
}

// email masks an e-mail address. Nobody has an address in .example (RFC 2606), so that no message
// reaches a stranger.
func (p pseudonyms) email(s string) string {
	local, domain, ok := strings.Cut(s, "@")
	if !ok || local == "" || domain == "" || strings.ContainsAny(domain, "@ ") {
		return p.key.permuteText(s, 0, 0)
	}
	return p.key.permuteText(local, 0, 0) + "@" + p.key.permuteText(domain, 0, 0) + ".example"
}

// days returns by how many days dates move.
func (p pseudonyms) days() int {
	most := p.Days
	if most == 0 {
		most = DefaultDays
	}
	sum := p.key.sum([]byte("days"))
	days := 1 + int(binary.BigEndian.Uint32(sum)%uint32(most))
	if sum[4]&1 == 1 {
		return -days
	}
	return days
}

// date moves a text that begins with a date.
func (p pseudonyms) date(s string) (string, error) {
	for _, layout := range []string{"2006-01-02", "20060102"} {
		if len(s) < len(layout) {
			continue
		}
		day, err := time.Parse(layout, s[:len(layout)])
		if err != nil {
			continue
		}
		if day = day.AddDate(0, 0, p.days()); day.Year() < 1 || day.Year() > 9999 {
			return "", errNoDate
		}
		return day.Format(layout) + s[len(layout):], nil
	}
	return "", errNoDate
}

// units are the times that are numbers, by how large they are: a second has so many of a unit.
var units = []struct {
	from, below float64
	second      int64
}{{0, 1e11, 1}, {1e11, 1e14, 1e3}, {1e14, 1e17, 1e6}, {1e17, math.MaxInt64, 1e9}}

// number masks a number.
func (p pseudonyms) number(n string) (string, error) {
	switch p.As {
	case Keep:
		return n, nil
	case Constant:
		return p.Value, nil
	case Date:
		return p.time(n)
	}
	return p.key.permuteNumber(n, p.First, p.Last), nil
}

// time moves a time since 1970, in seconds, or in a smaller unit if it is large.
func (p pseudonyms) time(n string) (string, error) {
	seconds, fraction, _ := strings.Cut(n, ".")
	at, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil || at < 0 {
		return "", errNoDate
	}
	for _, unit := range units {
		if t := float64(at); t < unit.from || t >= unit.below {
			continue
		}
		at += int64(p.days()) * 24 * 60 * 60 * unit.second
		if t := float64(at); t < unit.from || t >= unit.below {
			return "", errNoDate // it would be a time in another unit
		}
		break
	}
	if fraction != "" {
		fraction = "." + fraction
	}
	return strconv.FormatInt(at, 10) + fraction, nil
}

// scalar masks a value that has no other values in it, or is a set.
func (p pseudonyms) scalar(v types.AttributeValue) (types.AttributeValue, error) {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		s, err := p.text(v.Value)
		return &types.AttributeValueMemberS{Value: s}, err
	case *types.AttributeValueMemberN:
		n, err := p.number(v.Value)
		return &types.AttributeValueMemberN{Value: n}, err
	case *types.AttributeValueMemberB:
		return &types.AttributeValueMemberB{Value: p.bytes(v.Value)}, nil
	case *types.AttributeValueMemberSS:
		all, err := set(v.Value, p.text)
		return &types.AttributeValueMemberSS{Value: all}, err
	case *types.AttributeValueMemberNS:
		all, err := set(v.Value, p.number)
		return &types.AttributeValueMemberNS{Value: all}, err
	case *types.AttributeValueMemberBS:
		all, err := set(v.Value, func(b []byte) ([]byte, error) { return p.bytes(b), nil })
		return &types.AttributeValueMemberBS{Value: all}, err
	}
	return v, nil // true, false and null say nothing about a person
}

func (p pseudonyms) bytes(b []byte) []byte {
	switch p.As {
	case Keep:
		return b
	case Constant:
		return []byte(p.Value)
	}
	return p.key.permuteBytes(b)
}

// set masks the elements of a set. Elements that become equal are one.
func set[T any](values []T, mask func(T) (T, error)) (masked []T, err error) {
	for _, v := range values {
		m, err := mask(v)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(masked, func(other T) bool { return reflect.DeepEqual(m, other) }) {
			masked = append(masked, m)
		}
	}
	return masked, nil
}
