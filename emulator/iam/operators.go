package iam

import (
	"bytes"
	"encoding/base64"
	"net/netip"
	"strconv"
	"strings"
	"time"
)

// tests are the condition operators (IAM User Guide, "IAM JSON policy elements: Condition
// operators"). Null is not among them.
var tests = map[string]test{
	"StringEquals":              {matches: equal, expands: true},
	"StringNotEquals":           {matches: equal, negated: true, expands: true},
	"StringEqualsIgnoreCase":    {matches: strings.EqualFold, expands: true},
	"StringNotEqualsIgnoreCase": {matches: strings.EqualFold, negated: true, expands: true},
	"StringLike":                {matches: like, globs: true, expands: true},
	"StringNotLike":             {matches: like, globs: true, negated: true, expands: true},
	"NumericEquals":             {matches: numeric(func(order int) bool { return order == 0 })},
	"NumericNotEquals": {matches: numeric(func(order int) bool { return order == 0 }),
		negated: true},
	"NumericLessThan":          {matches: numeric(func(order int) bool { return order < 0 })},
	"NumericLessThanEquals":    {matches: numeric(func(order int) bool { return order <= 0 })},
	"NumericGreaterThan":       {matches: numeric(func(order int) bool { return order > 0 })},
	"NumericGreaterThanEquals": {matches: numeric(func(order int) bool { return order >= 0 })},
	"DateEquals":               {matches: date(func(order int) bool { return order == 0 })},
	"DateNotEquals": {matches: date(func(order int) bool { return order == 0 }),
		negated: true},
	"DateLessThan":          {matches: date(func(order int) bool { return order < 0 })},
	"DateLessThanEquals":    {matches: date(func(order int) bool { return order <= 0 })},
	"DateGreaterThan":       {matches: date(func(order int) bool { return order > 0 })},
	"DateGreaterThanEquals": {matches: date(func(order int) bool { return order >= 0 })},
	"Bool":                  {matches: strings.EqualFold, expands: true},
	"BinaryEquals":          {matches: sameBytes},
	"IpAddress":             {matches: inNetwork},
	"NotIpAddress":          {matches: inNetwork, negated: true},
	"ArnEquals":             {matches: likeARN, globs: true, expands: true},
	"ArnLike":               {matches: likeARN, globs: true, expands: true},
	"ArnNotEquals":          {matches: likeARN, globs: true, negated: true, expands: true},
	"ArnNotLike":            {matches: likeARN, globs: true, negated: true, expands: true},
}

func equal(value, wanted string) bool { return value == wanted }

func like(value, pattern string) bool { return glob{pattern}.matches(value) }

// likeARN compares the six parts of two ARNs one by one.
func likeARN(value, pattern string) bool {
	parts, patterns := strings.SplitN(value, ":", 6), strings.SplitN(pattern, ":", 6)
	if len(parts) != 6 || len(patterns) != 6 {
		return false
	}
	for i := range parts {
		if !like(parts[i], patterns[i]) {
			return false
		}
	}
	return true
}

func numeric(accepts func(order int) bool) func(value, wanted string) bool {
	return func(value, wanted string) bool {
		v, err1 := strconv.ParseFloat(value, 64)
		w, err2 := strconv.ParseFloat(wanted, 64)
		switch {
		case err1 != nil || err2 != nil:
			return false
		case v < w:
			return accepts(-1)
		case v > w:
			return accepts(1)
		}
		return v == w && accepts(0)
	}
}

func date(accepts func(order int) bool) func(value, wanted string) bool {
	return func(value, wanted string) bool {
		v, ok1 := parseDate(value)
		w, ok2 := parseDate(wanted)
		return ok1 && ok2 && accepts(v.Compare(w))
	}
}

// dateForms are the W3C's forms of ISO 8601 dates.
var dateForms = []string{time.RFC3339Nano, "2006-01-02T15:04Z07:00", "2006-01-02", "2006-01",
	"2006"}

// parseDate parses a date, or the seconds since 1970. Four digits are a year.
func parseDate(text string) (time.Time, bool) {
	for _, form := range dateForms {
		if t, err := time.Parse(form, text); err == nil {
			return t, true
		}
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	return time.Unix(seconds, 0), err == nil
}

func sameBytes(value, wanted string) bool {
	v, err1 := base64.StdEncoding.DecodeString(value)
	w, err2 := base64.StdEncoding.DecodeString(wanted)
	return err1 == nil && err2 == nil && bytes.Equal(v, w)
}

// inNetwork reports whether an address is in a range such as 203.0.113.0/24, or is the address
// itself.
func inNetwork(value, network string) bool {
	address, err := netip.ParseAddr(value)
	if err != nil {
		return false
	}
	if prefix, err := netip.ParsePrefix(network); err == nil {
		return prefix.Contains(address.Unmap())
	}
	single, err := netip.ParseAddr(network)
	return err == nil && single.Unmap() == address.Unmap()
}
