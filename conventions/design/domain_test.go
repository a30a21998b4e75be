package design

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// domains is a design whose attributes have names of many domains.
func domains(names ...string) *Design {
	m := Model{Name: "Customer", Key: []string{"id"}, TTL: "expires", Attributes: []Attribute{
		{Name: "id", Type: String, Format: ULID}, {Name: "order", Type: String, Format: UUID},
		{Name: "at", Type: String, Format: Timestamp}, {Name: "price", Type: Number},
		{Name: "expires", Type: Number}}}
	for _, name := range names {
		m.Attributes = append(m.Attributes, Attribute{Name: name, Type: String})
	}
	return &Design{Table: "shop", Models: []Model{m}}
}

// TestDomainSamples shows what samples look like, by the names of attributes and of the model.
func TestDomainSamples(t *testing.T) {
	for _, c := range []struct{ attribute, first, second string }{
		{"name", "Ann Berg", "Anna Bergman"},
		{"author", "ann", "anna"},
		{"firstName", "Ann", "Anna"},
		{"email", "ann@example.com", "anna@example.com"},
		{"contactEmail", "ann@example.com", "anna@example.com"},
		{"city", "York", "Yorkville"},
		{"shipping_address", "12 Mill Lane", "12 Mill Lane, flat 3"},
		{"bookTitle", "The Old Lighthouse", "The Old Lighthouse, Revisited"},
		{"productName", "Desk lamp", "Desk lamp, brass"},
		{"dishes", "Desk lamp", "Desk lamp, brass"},
		{"status", "open", "in progress"},
		{"day", "2026-01-01", "2026-01-02"},
		{"geohash", "u33d4b", "u33d4c"},
		{"phone", "+49 30 5550000", "+49 30 5550001"},
		{"photo", "https://example.com/customer/1001", "https://example.com/customer/1002"},
		{"orderId", "order-1001", "order-1002"},
		{"number", "customer-1001", "customer-1002"},
		{"sku", "sku-1001", "sku-1002"},
		{"id", "01KDVDNA0000KC7J8G6XWVJZTB", "01KDW6E9Z800KC7J8GDVSQ5ZMP"},
		{"at", "2026-01-01T00:00:00.000Z", "2026-01-01T00:00:00.000Z"},
		{"price", "499", "749"},
		{"expires", "2100000000", "2100086400"},
	} {
		t.Run(c.attribute, func(t *testing.T) {
			d := domains()
			if d.Models[0].Attribute(c.attribute) == nil {
				d = domains(c.attribute)
			}
			s := NewDomainSamples(d, map[string]int64{"Customer": 100}, 1)
			a := d.Models[0].Attribute(c.attribute)
			assert.Equal(t, c.first, fmt.Sprint(s.number(a, "Customer", 0)))
			assert.Equal(t, c.second, fmt.Sprint(s.number(a, "Customer", 1)))
		})
	}
}

// TestDomainSamplesDiffer checks that no two values of an attribute are equal, and that no text is
// one of the hostile ones, which are for tests.
func TestDomainSamplesDiffer(t *testing.T) {
	names := []string{"id", "order", "price", "expires", "gate", "x", "_"}
	for _, v := range vocabularies {
		names = append(names, v.words...)
	}
	for _, name := range append(names, "email", "phone", "url", "day", "geohash", "hash", "path") {
		d := domains()
		if d.Models[0].Attribute(name) == nil {
			d = domains(name)
		}
		s := NewDomainSamples(d, map[string]int64{"Customer": 1000}, 1)
		seen := map[string]bool{}
		for n := range int64(1000) {
			text := fmt.Sprint(s.number(d.Models[0].Attribute(name), "Customer", n))
			assert.False(t, seen[text], "%s: %s is there twice", name, text)
			seen[text] = true
			assert.False(t, slices.Contains(sharp, text), "%s: %s", name, text)
			assert.NotEmpty(t, strings.TrimSpace(text), name)
		}
	}
}
