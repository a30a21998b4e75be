package cbor

import (
	"math/big"
	"strconv"
	"strings"
)

// maxBig limits the bytes of a whole number: DynamoDB's greatest one has 53.
const maxBig = 64

// Number reads a number in any form, and returns it as a decimal text, such as -12, 1.5 or 12E-3.
// "NaN", "Infinity" and "-Infinity" are such texts, too.
func (r *Reader) Number() (string, error) {
	switch r.Major() {
	case Uint, Nint:
		return r.whole()
	case Other:
		f, err := r.Float()
		if err != nil {
			return "", err
		}
		text := strconv.FormatFloat(f, 'g', -1, 64)
		return strings.NewReplacer("+Inf", "Infinity", "-Inf", "-Infinity").Replace(text), nil
	case Tag:
		tag, err := r.Tag()
		if err != nil {
			return "", err
		}
		return r.Tagged(tag)
	}
	return "", ErrMalformed
}

// Tagged reads a number behind its tag: see Number.
func (r *Reader) Tagged(tag uint64) (string, error) {
	switch tag {
	case TagPosBig, TagNegBig:
		return r.big(tag)
	case TagDecimal:
		return r.decimal()
	}
	return "", ErrMalformed
}

func (r *Reader) whole() (string, error) {
	head, n, err := r.head()
	switch {
	case err != nil:
		return "", err
	case head&majorMask == Uint:
		return strconv.FormatUint(n, 10), nil
	case n == 1<<64-1:
		return "-18446744073709551616", nil
	}
	return "-" + strconv.FormatUint(n+1, 10), nil
}

func (r *Reader) big(tag uint64) (string, error) {
	data, err := r.Bytes()
	if err != nil || len(data) > maxBig {
		return "", ErrMalformed
	}
	n := new(big.Int).SetBytes(data)
	if tag == TagNegBig {
		n.Not(n) // -1 - n
	}
	return n.String(), nil
}

// decimal reads [exponent, mantissa].
func (r *Reader) decimal() (string, error) {
	var exponent int64
	var mantissa string
	count := 0
	err := r.Each(func(i, _ int) (err error) {
		count++
		switch i {
		case 0:
			exponent, err = r.Int()
		case 1:
			if r.Major() == Tag {
				var tag uint64
				if tag, err = r.Tag(); err == nil {
					if tag == TagDecimal {
						return ErrMalformed
					}
					mantissa, err = r.Tagged(tag)
				}
				return err
			}
			if r.Major() != Uint && r.Major() != Nint {
				return ErrMalformed
			}
			mantissa, err = r.whole()
		default:
			err = ErrMalformed
		}
		return err
	})
	if err != nil || count != 2 {
		return "", ErrMalformed
	}
	if exponent == 0 {
		return mantissa, nil
	}
	return mantissa + "E" + strconv.FormatInt(exponent, 10), nil
}
