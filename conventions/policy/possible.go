package policy

import (
	"errors"
	"fmt"
	"strings"
)

// The service's limits of names, keys and indexes (Developer Guide, "Quotas in DynamoDB").
const (
	minName, maxName       = 3, 255
	maxAttributeName       = 255
	maxPartitionKey        = 2048 // bytes
	maxSortKey             = 1024
	maxIndexes, maxLocal   = 20, 5
	nameCharacters         = "a-z, A-Z, 0-9, _, - and ."
	lengthOfULID, ofMonth  = 26, 7
	lengthOfDate, ofMoment = 10, 20
)

// Possible returns an error if a policy declares what no table can have: a name, a key or a number
// of indexes beyond the limits of the service. The error joins a conventions.FieldError for each.
func Possible(p Policy) error {
	c := &compiler{}
	for i := range p.Tables {
		t, field := &p.Tables[i], fmt.Sprintf("tables[%d]", i)
		if isPattern(t.Name) {
			c.checkCharacters(field+".name", strings.NewReplacer("*", "", "?", "", "[", "", "]", "",
				`\`, "", "^", "").Replace(t.Name))
		} else {
			c.checkName(field+".name", "table", t.Name)
		}
		key := t.Key
		if key == (KeySchema{}) {
			key = defaultKey
		}
		c.checkKeyNames(field+".key", key)
		c.checkLengths(field, t.Entities)
		c.checkIndexes(field+".indexes", t, key)
	}
	return errors.Join(c.errs...)
}

func (c *compiler) checkIndexes(field string, t *Table, key KeySchema) {
	global := 0
	for i := range t.Indexes {
		x, at := &t.Indexes[i], fmt.Sprintf("%s[%d]", field, i)
		c.checkName(at+".name", "index", x.Name)
		c.checkKeyNames(at+".key", x.Key)
		c.checkLengths(at, x.Entities)
		if x.Key.Partition != key.Partition {
			global++
		}
	}
	if global > maxIndexes || len(t.Indexes) > maxIndexes+maxLocal {
		c.fail(field, "a table has at most %d global and %d local indexes, and these are %d",
			maxIndexes, maxLocal, len(t.Indexes))
	}
}

func (c *compiler) checkName(field, of, name string) {
	if len(name) < minName || len(name) > maxName {
		c.fail(field, "the name of a %s has %d to %d characters, and %.100q has %d", of, minName,
			maxName, name, len(name))
	}
	c.checkCharacters(field, name)
}

func (c *compiler) checkCharacters(field, name string) {
	if strings.ContainsFunc(name, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
			strings.ContainsRune("_-.", r))
	}) {
		c.fail(field, "%.100q is no name: names have %s", name, nameCharacters)
	}
}

func (c *compiler) checkKeyNames(field string, key KeySchema) {
	for _, x := range [...]struct{ part, name string }{{"partition", key.Partition},
		{"sort", key.Sort}} {
		if len(x.name) > maxAttributeName {
			c.fail(field+"."+x.part, "the name of a key attribute has at most %d bytes, not %d",
				maxAttributeName, len(x.name))
		}
	}
}

// checkLengths finds entities whose shortest keys are too long.
func (c *compiler) checkLengths(field string, entities []Entity) {
	for i := range entities {
		e, at := &entities[i], fmt.Sprintf("%s.entities[%d]", field, i)
		n := len(e.Prefix) + shortest(e.Partition)
		if e.Tenant != TenantNone {
			n += 2
		}
		if n > maxPartitionKey {
			part := ".partition"
			if len(e.Prefix) > maxPartitionKey {
				part = ".prefix"
			}
			c.fail(at+part, "a partition key has at most %d bytes, and this one at least %d",
				maxPartitionKey, n)
		}
		if n := shortest(e.Sort); n > maxSortKey {
			c.fail(at+".sort", "a sort key has at most %d bytes, and this one at least %d",
				maxSortKey, n)
		}
	}
}

// shortest returns the length of the shortest key of some segments.
func shortest(segments []Segment) (n int) {
	for i := range segments {
		s := &segments[i]
		n += len(s.Lead)
		switch {
		case s.isFixed():
			least := len(s.Values[0])
			for _, v := range s.Values {
				least = min(least, len(v))
			}
			n += least
		case s.Type == ULID:
			n += lengthOfULID
		case s.Type == Month:
			n += ofMonth
		case s.Type == Date:
			n += lengthOfDate
		case s.Type == Timestamp:
			n += ofMoment
		default:
			n++
		}
	}
	return n + max(0, len(segments)-1)
}
