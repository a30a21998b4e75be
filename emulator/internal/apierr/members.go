package apierr

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/wire"
)

// Report is which violations of the model's constraints an operation reports.
type Report uint8

const (
	reportAll   Report = iota
	ReportTable        // control operations: those of TableName alone (service facts 7.3, 7.4)
	// BatchWriteItem: those of RequestItems only if there are no others (service facts 4.6)
	ReportItemsLast
	ReportUpdate // UpdateItem: in the old form if Key is missing (service facts 0.11)
	// SearchVectors: the first length or range, of names too, in the new words (service facts
	// V.4.2)
	ReportSearch
	// the length of a name that is a parameter in words of its own, alone (ack-api-quirks,
	// DDB-TABLE-457)
	ReportLengths
)

// emptyTable is what control operations report of an empty TableName (ack-api-quirks,
// DDB-TABLE-457).
const emptyTable = "2 validation errors detected: Value '' at 'tableName' f" + failed +
	"Member must have length greater than or equal to 3; " +
	"Value '' at 'tableName' f" + failed + "Member must satisfy regular expression pattern: " +
	api.NamePattern

// measured are the names whose lengths ReportLengths words.
var measured = map[reflect.Type]string{
	indexName: "IndexName", reflect.TypeFor[api.TableName](): "TableName",
}

// members words violations. The old form lists them all. The new layer of validation checks some
// constraints before the others, which it leaves to the old layer, and stops at the first
// (service facts 0.7).
func (o Form) members(vs []wire.Violation, r Report) string {
	switch {
	case r == ReportTable:
		if of := about(vs, "tableName"); of != nil {
			vs = of
			if vs[0].Kind == wire.RuleNotNull {
				return "The parameter 'TableName' is required but was not present in the request"
			}
		}
		if len(vs) == 1 && vs[0].Path == "tableName" && vs[0].Java() == "''" {
			return emptyTable
		}
	case r == ReportLengths:
		for _, v := range vs {
			if name := measured[v.Type]; name != "" && v.Kind == wire.RuleRange &&
				!strings.Contains(v.Path, ".") {
				return name + " must be at least 3 characters long and at most 255 characters long"
			}
		}
	case r == ReportSearch:
		for i := range vs {
			if v := &vs[i]; v.Kind == wire.RuleRange {
				return Envelope + earlyViolation(v)
			}
		}
	case r == ReportItemsLast:
		if others := except(vs, "requestItems"); others != nil {
			vs = others
		} else if vs[0].Path == "requestItems" && vs[0].Java() == "'{}'" {
			return "The requestItems parameter is required for BatchWriteItem"
		}
	case r == ReportUpdate &&
		slices.ContainsFunc(vs, func(v wire.Violation) bool { return v.Path == "key" }):
		o = OldForm
	}
	if o == OldForm {
		return detected(vs, oldViolation)
	}
	for i := range vs {
		if v := &vs[i]; checkedEarly(v) {
			return detected(vs[i:i+1], newViolation)
		}
	}
	return o.enumerations(vs, r)
}

// enumerations words violations that the new layer finds one by one, of which only those of
// two enumerations have new words (service facts 0.9, 0.10).
func (o Form) enumerations(vs []wire.Violation, r Report) string {
	for i := range vs {
		v := &vs[i]
		if v.Type == conditionalOperator || v.Type == returnValues && r == ReportUpdate {
			if o == BareForm {
				return newViolation(v)
			}
			return detected(vs[i:i+1], newViolation)
		}
	}
	return detected(vs, newViolation)
}

// checkedEarly reports whether the new layer checks a constraint: the lengths and ranges of the
// model, but not those of names, which the model has no more for tables.
func checkedEarly(v *wire.Violation) bool {
	switch {
	case v.Kind != wire.RuleRange || v.Type == indexName:
		return false
	case v.Type == tableArn:
		return v.Java() == "''"
	}
	return true
}

var (
	tableArn            = reflect.TypeFor[api.TableArn]()
	indexName           = reflect.TypeFor[api.IndexName]()
	returnValues        = reflect.TypeFor[api.ReturnValue]()
	conditionalOperator = reflect.TypeFor[api.ConditionalOperator]()
)

// newSets are the enumerations that the new layer checks. UPDATE_NEW is the service's spelling.
var newSets = map[reflect.Type]string{
	returnValues:        "ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE",
	conditionalOperator: "ALL, OR",
}

const failed = "ailed to satisfy constraint: "

func oldViolation(v *wire.Violation) string {
	return "Value " + v.Java() + " at '" + v.Path + "' f" + failed + v.Rule
}

func newViolation(v *wire.Violation) string {
	switch {
	case checkedEarly(v):
		return earlyViolation(v)
	case newSets[v.Type] != "":
		return "F" + failed + "Member must satisfy enum value set: [" + newSets[v.Type] + "]"
	case v.Kind == wire.RuleElements:
		return "Value " + v.JSON() + " at '" + v.Path + "' f" + failed + v.Rule
	}
	return oldViolation(v)
}

func earlyViolation(v *wire.Violation) string {
	return "Value at '" + v.BigPath + "' f" + failed + v.Rule
}

// detected lists violations.
func detected(vs []wire.Violation, word func(*wire.Violation) string) string {
	texts := make([]string, len(vs))
	for i := range vs {
		texts[i] = word(&vs[i])
	}
	if len(vs) == 1 {
		return Envelope + texts[0]
	}
	return strconv.Itoa(len(vs)) + " validation errors detected: " + strings.Join(texts, "; ")
}

// about returns those of the violations that are about a member itself.
func about(vs []wire.Violation, path string) (of []wire.Violation) {
	for _, v := range vs {
		if v.Path == path {
			of = append(of, v)
		}
	}
	return of
}

// except returns those of the violations that are about neither a member nor what is in it.
func except(vs []wire.Violation, path string) (others []wire.Violation) {
	for _, v := range vs {
		if v.Path != path && !strings.HasPrefix(v.Path, path+".") {
			others = append(others, v)
		}
	}
	return others
}
