package item

import (
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// Wording selects the wording of messages about values. The service changed some texts in 2026 for
// some of its operations (service facts 0.1, 1.1).
type Wording uint8

// The wordings.
const (
	OldWording Wording = iota
	NewWording
)

// Invalid says why well-formed JSON is no attribute value. It holds the fault and the values
// concerned, and Message returns the text.
type Invalid struct {
	Name     string   // the member of the parsed map that holds the value, "" for ParseValue
	Names    []string // all members of the parsed map, nil for ParseValue
	Fault    Fault
	Number   string   // the text of a BadNumber
	Set      Type     // the type of an EmptySet or a RepeatedElement
	Elements []string // all elements as sent, for a RepeatedElement unless Set is NS
	Depth    int      // how many lists and maps are around the deepest value, for TooDeep
	Also     *Invalid // what else is wrong, for TooDeep; nil if nothing or not known
}

// Unnamed reports whether the parsed map also has a member with an empty name.
func (e *Invalid) Unnamed() bool { return slices.Contains(e.Names, "") }

// Fault is the kind of an Invalid.
type Fault uint8

// The faults of attribute values.
const (
	NoDatatype Fault = iota
	ManyDatatypes
	FalseNull
	TooDeep
	LongName
	EmptyName // an attribute of a map in an item has no name: see Item.Unnamed
	BadNumber
	EmptySet
	RepeatedElement
)

func (e *Invalid) Error() string { return e.Message(OldWording) }

// Message returns the text of the ValidationException.
func (e *Invalid) Message(w Wording) string {
	switch e.Fault {
	case BadNumber:
		_, err := readDecimal(e.Number, w)
		return err.Error()
	case EmptySet:
		return emptySetTexts[e.Set]
	case RepeatedElement:
		return e.repeated(w)
	}
	return faultTexts[e.Fault]
}

// InvalidNoName is the message for an empty name of an attribute, of an item or of a map in it:
// Developer Guide, "Supported data types and naming rules" (service facts 5.4). Parsing reports it
// for maps only, because not every attribute map is an item: see Item.Unnamed.
const InvalidNoName = "Empty attribute name"

// MaxDepth is how many lists and maps there may be around a value (service facts 1.8), and
// MaxRead how many there are around the values that parsing reads nevertheless: an expression
// in a transaction may compare such values (service facts 1.9).
const (
	MaxDepth = 31
	MaxRead  = MaxDepth + 1
)

// readable reports whether the value was read although it has too many levels.
func (e *Invalid) readable() bool {
	return e.Fault == TooDeep && e.Depth <= MaxRead && e.Also == nil
}

var faultTexts = [...]string{
	NoDatatype:    "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes",
	ManyDatatypes: "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes",
	FalseNull:     "One or more parameter values were invalid: Null attribute value types must have the value of true",
	TooDeep:       "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit",
	// the text is unconfirmed
	LongName:  "One or more parameter values were invalid: Attribute name must not be longer than 65535 bytes",
	EmptyName: InvalidNoName,
}

var emptySetTexts = [...]string{
	SS: "One or more parameter values were invalid: An string set  may not be empty",
	NS: "One or more parameter values were invalid: An number set  may not be empty",
	BS: "One or more parameter values were invalid: Binary sets should not be empty",
}

// repeated returns the message for a set with a repeated element (service facts 1.1).
func (e *Invalid) repeated(w Wording) string {
	const parameters = "One or more parameter values were invalid: "
	switch {
	case e.Set == NS && w == OldWording:
		return "Input collection contains duplicates"
	case e.Set == NS:
		return parameters + "Input collection contains duplicates."
	}
	ofType := ""
	if e.Set == BS {
		ofType = "of type BS"
	}
	return parameters + "Input collection [" + e.listed(w) + "]" + ofType + " contains duplicates."
}

// listed lists the elements. The old wording has them as they were sent. The new one sorts those
// before the first repeated one, and quotes all.
func (e *Invalid) listed(w Wording) string {
	if w == OldWording {
		return strings.Join(e.Elements, ", ")
	}
	elements := slices.Clone(e.Elements)
	repeat, seen := 0, make(map[string]bool, len(elements))
	for repeat < len(elements) && !seen[elements[repeat]] {
		seen[elements[repeat]] = true
		repeat++
	}
	e.sort(elements[:repeat])
	for i, element := range elements {
		elements[i] = string(jsontext.AppendQuoted(nil, element))
	}
	if e.Set == BS {
		return strings.Join(elements, ",")
	}
	return strings.Join(elements, ", ")
}

// sort sorts elements of the set by the bytes that they stand for.
func (e *Invalid) sort(elements []string) {
	if e.Set != BS {
		slices.Sort(elements)
		return
	}
	type decoded struct{ bytes, element string }
	list := make([]decoded, len(elements))
	for i, element := range elements {
		list[i] = decoded{e.bytesOf(element), element}
	}
	slices.SortStableFunc(list, func(a, b decoded) int { return strings.Compare(a.bytes, b.bytes) })
	for i := range list {
		elements[i] = list[i].element
	}
}

// bytesOf returns the bytes that an element of the set stands for.
func (e *Invalid) bytesOf(element string) string {
	if e.Set == BS {
		return scalar(B, element).Bytes()
	}
	return element
}
