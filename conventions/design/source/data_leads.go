package source

import (
	"slices"
	"strings"
)

// manyAlike is how many words that begin keys of items with the same attributes are taken for data:
// four models rarely have the same attributes.
const manyAlike = 4

// wordFinder finds out what the words are that begin the keys of a table's items.
type wordFinder struct{ *Table }

// data returns the words that begin values of the table's key and are data, such as a state or
// the code of an airport: an attribute has the word in all of its items, or the items of many words
// have the same attributes.
func (x wordFinder) data(separator string) map[leading]bool {
	data := map[leading]bool{}
	for _, key := range []string{x.Key.Partition, x.Key.Sort} {
		by := map[string][]Item{}
		for _, it := range x.Items {
			if lead := leadOf(it.Attributes[key], separator); lead != "" {
				by[lead] = append(by[lead], it)
			}
		}
		for _, lead := range append(x.repeated(by, separator), x.sameAttributes(by)...) {
			data[leading{key, lead}] = true
		}
	}
	return data
}

// repeated returns the words that an attribute has, too, if it has two of them and does not name
// models.
func (x wordFinder) repeated(by map[string][]Item, separator string) (leads []string) {
	with := map[string][]string{} // the words by attribute
	for lead, items := range by {
		has := map[string]int{}
		for _, it := range items {
			for name, v := range it.Attributes {
				if v.Type == "S" && v.Text+separator == lead {
					has[name]++
				}
			}
		}
		for name, n := range has {
			if n == len(items) && !slices.Contains(x.keyAttributes(), name) &&
				!slices.Contains(typeAttributes, name) &&
				!slices.Contains(maybeAttributes, name) {
				with[name] = append(with[name], lead)
			}
		}
	}
	for _, words := range with {
		if len(words) > 1 {
			leads = append(leads, words...)
		}
	}
	return leads
}

// sameAttributes returns the words whose items have the same attributes, two of them at least
// besides those of keys, if there are many such words.
func (x wordFinder) sameAttributes(by map[string][]Item) (leads []string) {
	with := map[string][]string{} // the words by attributes
	for lead, items := range by {
		names := slices.DeleteFunc(attributeNames(items), func(name string) bool {
			return slices.Contains(x.keyAttributes(), name)
		})
		if len(names) > 1 {
			id := strings.Join(names, "\x00")
			with[id] = append(with[id], lead)
		}
	}
	for _, words := range with {
		if len(words) >= manyAlike {
			leads = append(leads, words...)
		}
	}
	return leads
}
