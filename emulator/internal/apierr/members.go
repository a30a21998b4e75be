package apierr

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/conventions/wire"
)

// Report is which violations of the model's constraints an operation reports.
type Report uint8

const (
	ReportAll   Report = iota
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
	ReportActions // transactions: in stages (service facts F.25)
)

// emptyTable is the message of control operations for an empty TableName (ack-api-quirks,
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
// constraints before the others, which it leaves to the old layer (service facts 0.7, F.16).
func (o Form) members(f *ParameterError) string {
	vs := f.Members
	switch f.Report {
	case ReportTable, ReportLengths, ReportSearch, ReportItemsLast:
		var text string
		if vs, text = f.Report.own(vs); text != "" {
			return text
		}
	case ReportActions:
		var first bool
		if vs, first = ofActions(vs); first && f.First != "" {
			return f.First
		}
	}
	if unreadable(vs, f.Report) {
		o = OldForm
	}
	if o == OldForm {
		return detected(texts(vs, oldViolation))
	}
	return o.newMembers(vs, f)
}

// unreadable reports whether the new layer leaves a request to the old one because a member is
// missing (service facts 0.11, F.16).
func unreadable(vs []wire.Violation, r Report) bool {
	return slices.ContainsFunc(vs, func(v wire.Violation) bool {
		return v.Kind == wire.RuleNotNull &&
			(v.Path == "tableName" || v.Path == "key" && r == ReportUpdate)
	})
}

// own returns the violations that a report is about, or the text for them.
func (r Report) own(vs []wire.Violation) (of []wire.Violation, text string) {
	switch r {
	case ReportTable:
		if of := about(vs, "tableName"); of != nil {
			vs = of
			if vs[0].Kind == wire.RuleNotNull {
				return nil, "The parameter 'TableName' is required but was not present in the request"
			}
		}
		if len(vs) == 1 && vs[0].Path == "tableName" && vs[0].Java() == "''" {
			return nil, emptyTable
		}
	case ReportLengths:
		for _, v := range vs {
			if name := measured[v.Type]; name != "" && v.Kind == wire.RuleRange &&
				!strings.Contains(v.Path, ".") {
				return nil,
					name + " must be at least 3 characters long and at most 255 characters long"
			}
		}
	case ReportSearch:
		return nil, searchViolation(vs)
	case ReportItemsLast:
		if others := except(vs, "requestItems"); others != nil {
			return others, ""
		}
		if vs[0].Path == "requestItems" && vs[0].Java() == "'{}'" {
			return nil, "The requestItems parameter is required for BatchWriteItem"
		}
	}
	return vs, ""
}

// searchViolation returns the message of SearchVectors: the first length or range in the new words
// (service facts V.4.2), then other members, and the name of the table last, in the old words
// without an envelope (service facts F.74, F.76).
func searchViolation(vs []wire.Violation) string {
	for i := range vs {
		if v := &vs[i]; v.Kind == wire.RuleRange && (v.Path != "tableName" || v.Java() == "''") {
			return Envelope + earlyViolation(v)
		}
	}
	if others := except(vs, "tableName"); others != nil {
		return oldViolation(&others[0])
	}
	return oldViolation(&lengthsFirst(vs)[0])
}

// ofActions returns the violations that a transaction reports: the number of actions alone, then
// all that are not about the names of tables in actions, then those, for which first is true
// (service facts F.25).
func ofActions(vs []wire.Violation) (of []wire.Violation, first bool) {
	if of := about(vs, "transactItems"); of != nil {
		return of, false
	}
	for _, v := range vs {
		if v.Kind == wire.RuleNotNull || !strings.HasSuffix(v.Path, ".tableName") {
			of = append(of, v)
		}
	}
	if of != nil {
		return of, false
	}
	return lengthsFirst(vs), true
}

// lengthsFirst puts the length of a name before its pattern (service facts F.26).
func lengthsFirst(vs []wire.Violation) []wire.Violation {
	vs = slices.Clone(vs)
	for i := 1; i < len(vs); i++ {
		if vs[i-1].Path == vs[i].Path && vs[i].Kind == wire.RuleRange {
			vs[i-1], vs[i] = vs[i], vs[i-1]
		}
	}
	return vs
}

// newMembers words the violations of an operation of the new layer.
func (o Form) newMembers(vs []wire.Violation, f *ParameterError) string {
	var early []wire.Violation
	for i := range vs {
		if checkedEarly(&vs[i]) {
			early = append(early, vs[i])
		}
	}
	if early != nil {
		slices.SortStableFunc(early, func(a, b wire.Violation) int {
			return strings.Compare(a.BigPath, b.BigPath) // the order of service facts F.16
		})
		return detected(texts(early, newViolation))
	}
	if f.Report != ReportUpdate {
		vs = slices.DeleteFunc(slices.Clone(vs), func(v wire.Violation) bool {
			return v.Kind == wire.RulePattern && len(about(vs, v.Path)) > 1 // service facts F.22
		})
	}
	if text := o.alone(vs, f); text != "" {
		return text
	}
	list := texts(f.withoutLate(vs), newViolation)
	if f.Also != "" {
		list = append(list, f.Also)
	}
	return detected(list)
}

// alone words the enumeration that the new layer reports in place of everything else, if there is
// one (service facts 0.9, 0.10, F.10, F.11, F.19, F.20). The cases stand in the order in which that
// layer looks: what a request has besides does not matter to the first that applies.
func (o Form) alone(vs []wire.Violation, f *ParameterError) string {
	named := func(t reflect.Type) bool {
		return slices.ContainsFunc(vs, func(v wire.Violation) bool { return v.Type == t })
	}
	var text string
	onlyLate := f.Also == "" && len(f.withoutLate(vs)) == 0
	switch {
	case f.Report == ReportUpdate && named(failureValues):
		i := slices.IndexFunc(vs, func(v wire.Violation) bool { return v.Type == failureValues })
		return oldViolation(&vs[i])
	case named(conditionalOperator) && !f.Unjoined:
		text = newEnumeration(conditionalOperator)
	case f.Report == ReportUpdate && named(returnValues):
		text = newEnumeration(returnValues)
	case onlyLate && named(attributeAction):
		text = "Member must satisfy enum value set: [ADD, DELETE, PUT]' for Action"
	case onlyLate:
		text = "One or more parameter values were invalid: Invalid comparison operator"
	case f.Report == ReportUpdate && named(collectionMetrics) && named(consumedCapacity):
		vs = slices.DeleteFunc(slices.Clone(vs), // service facts F.23
			func(v wire.Violation) bool { return v.Type == consumedCapacity })
		return detected(texts(f.withoutLate(vs), newViolation))
	default:
		return ""
	}
	if o == BareForm {
		return text
	}
	return Envelope + text
}

// JudgesLate reports whether another fault of the request, which the operation finds before it
// judges expressions, is reported in place of the violations. It is if the new layer judges all
// violations late (see withoutLate): unknown operators and actions, and an unknown
// ConditionalOperator in a request whose parameters do not go together. In Query one such
// ConditionalOperator is enough: that its parameters do not go together is the other fault, and
// Query reports it before any violation (service facts 0.10, F.20).
func (o Form) JudgesLate(f *ParameterError) bool {
	if o == OldForm || unreadable(f.Members, f.Report) {
		return false
	}
	if len(f.withoutLate(f.Members)) == 0 {
		return true
	}
	isQuery := o == BareForm // no other operation of this form has a ConditionalOperator
	return isQuery && f.Unjoined && slices.ContainsFunc(f.Members,
		func(v wire.Violation) bool { return v.Type == conditionalOperator })
}

// withoutLate leaves out what the new layer judges only when it reads legacy conditions and
// updates, or asks which parameters go together, after all other members.
func (f *ParameterError) withoutLate(vs []wire.Violation) (others []wire.Violation) {
	for _, v := range vs {
		switch {
		case v.Type == attributeAction, v.Type == comparisonOperator,
			v.Type == conditionalOperator && f.Unjoined:
		default:
			others = append(others, v)
		}
	}
	return others
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
	failureValues       = reflect.TypeFor[api.ReturnValuesOnConditionCheckFailure]()
	collectionMetrics   = reflect.TypeFor[api.ReturnItemCollectionMetrics]()
	consumedCapacity    = reflect.TypeFor[api.ReturnConsumedCapacity]()
	conditionalOperator = reflect.TypeFor[api.ConditionalOperator]()
	comparisonOperator  = reflect.TypeFor[api.ComparisonOperator]()
	attributeAction     = reflect.TypeFor[api.AttributeAction]()
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
		return newEnumeration(v.Type)
	case v.Kind == wire.RuleElements:
		return "Value " + v.JSON() + " at '" + v.Path + "' f" + failed + v.Rule
	}
	return oldViolation(v)
}

func newEnumeration(t reflect.Type) string {
	return "F" + failed + "Member must satisfy enum value set: [" + newSets[t] + "]"
}

func earlyViolation(v *wire.Violation) string {
	return "Value at '" + v.BigPath + "' f" + failed + v.Rule
}

// texts words violations one by one.
func texts(vs []wire.Violation, word func(*wire.Violation) string) []string {
	list := make([]string, len(vs))
	for i := range vs {
		list[i] = word(&vs[i])
	}
	return list
}

// detected lists the texts of violations.
func detected(texts []string) string {
	if len(texts) == 1 {
		return Envelope + texts[0]
	}
	return strconv.Itoa(len(texts)) + " validation errors detected: " + strings.Join(texts, "; ")
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
