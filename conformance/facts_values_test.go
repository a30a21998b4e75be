package conformance

import (
	"strconv"
	"strings"
	"testing"
)

// faulty is an attribute value that the service refuses, with the texts of the new layer of
// validation and of the old one.
type faulty struct{ name, value, new, old string }

var faultyValues = []faulty{
	{"a word", `{"N":"abc"}`, "The parameter cannot be converted to a numeric value: abc", ""},
	{"no number", `{"N":""}`, "The parameter cannot be converted to a numeric value: ",
		"The parameter cannot be converted to a numeric value"},
	{"a blank before", `{"N":" 7"}`, "The parameter cannot be converted to a numeric value:  7",
		""},
	{"a member of a set", `{"NS":["1","two"]}`,
		"The parameter cannot be converted to a numeric value: two", ""},
	{"in a map in a list", `{"L":[{"M":{"a":{"N":"1e"}}}]}`,
		"The parameter cannot be converted to a numeric value: 1e", ""},
	{"too large", `{"N":"9.99E+126"}`, overflowText, ""},
	{"too small", `{"N":"-9.9E-131"}`, underflowText, ""},
	{"too precise", `{"N":"1.` + strings.Repeat("2", 38) + `"}`,
		"Attempting to store more than 38 significant digits in a Number", ""},
	{"an exponent at the end of 32 bits", `{"N":"1e2147483647"}`, overflowText, underflowText},
	{"an exponent past 32 bits", `{"N":"4e9999999999"}`, overflowText,
		"The parameter cannot be converted to a numeric value: 4e9999999999"},
	{"a negative exponent past 32 bits", `{"N":"4e-2147483648"}`, underflowText,
		"The parameter cannot be converted to a numeric value: 4e-2147483648"},
	{"a scale past 32 bits", `{"N":"0.4e-2147483647"}`, underflowText,
		"The parameter cannot be converted to a numeric value: 0.4e-2147483647"},
	{"an exponent past 64 bits", `{"N":"1e9223372036854775808"}`,
		"The parameter cannot be converted to a numeric value: 1e9223372036854775808", ""},
	{"zero, its exponent too large", `{"N":"0e126"}`, overflowText, ""},
	{"zero, its exponent too small", `{"N":"-0e-131"}`, underflowText, ""},
	{"zero with a fraction, its exponent too large", `{"N":"0.00e128"}`, overflowText, ""},
	{"zero with a fraction, its exponent too small", `{"N":"0.0e-131"}`, underflowText, ""},
	{"repeated strings", `{"SS":["y","x","y"]}`,
		`One or more parameter values were invalid: Input collection ["x", "y", "y"] contains duplicates.`, "One or more parameter values were invalid: Input collection [y, x, y] contains duplicates."},
	{"repeated strings before others", `{"SS":["c","b","c","a"]}`,
		`One or more parameter values were invalid: Input collection ["b", "c", "c", "a"] contains duplicates.`, "One or more parameter values were invalid: Input collection [c, b, c, a] contains duplicates."},
	{"repeated binaries", `{"BS":["/w==","AQ==","AQ=="]}`,
		`One or more parameter values were invalid: Input collection ["AQ==","/w==","AQ=="]of type BS contains duplicates.`, "One or more parameter values were invalid: Input collection [/w==, AQ==, AQ==]of type BS contains duplicates."},
	{"repeated numbers", `{"NS":["1","10e-1"]}`,
		"One or more parameter values were invalid: Input collection contains duplicates.",
		"Input collection contains duplicates"},
	{"two types and no number", `{"S":"a","N":""}`,
		"The parameter cannot be converted to a numeric value: ",
		"The parameter cannot be converted to a numeric value"},
	{"null that says no", `{"NULL":"no"}`,
		"One or more parameter values were invalid: Null attribute value types must have the value of true", ""},
	{"32 lists around a value",
		strings.Repeat(`{"L":[`, 32) + `{"S":"x"}` + strings.Repeat(`]}`, 32), nestingText, ""},
}

const (
	overflowText  = "Number overflow. Attempting to store a number with magnitude larger than supported range"
	underflowText = "Number underflow. Attempting to store a number with magnitude smaller than supported range"
)

// TestFaultyValues checks the error of each operation for a faulty value, in each place of a
// request.
func TestFaultyValues(t *testing.T) {
	t.Parallel()
	const wrapper = "ExpressionAttributeValues contains invalid value: "
	for _, at := range []struct {
		name, op, in string
		new          bool   // the operation belongs to the new layer
		wrapped      bool   // the old layer wraps the text
		unlike       string // the name of values with another answer for this operation
	}{
		{name: "item", op: "PutItem", in: `{"Item":{@pk,"a":VALUE}}`, new: true},
		{name: "key", op: "DeleteItem", in: `{"Key":{"pk":VALUE}}`, new: true},
		{name: "expression value of a put", op: "PutItem",
			in: `{"Item":{@pk},"ConditionExpression":"a = :v","ExpressionAttributeValues":{":v":VALUE}}`, new: true},
		{name: "expression value of an update", op: "UpdateItem",
			in:  `{@key,"UpdateExpression":"SET a = :v","ExpressionAttributeValues":{":v":VALUE}}`,
			new: true},
		{name: "AttributeUpdates", op: "UpdateItem",
			in: `{@key,"AttributeUpdates":{"a":{"Value":VALUE}}}`, new: true},
		{name: "Expected", op: "DeleteItem", in: `{@key,"Expected":{"a":{"Value":VALUE}}}`,
			new: true},
		{name: "key of a get", op: "GetItem", in: `{"Key":{"pk":VALUE}}`, new: true},
		{name: "key of a batch", op: "BatchGetItem",
			in: `{"RequestItems":{"@hash":{"Keys":[{"pk":VALUE}]}}}`, new: true},
		{name: "expression value of a query", op: "Query",
			in:  `{"KeyConditionExpression":"pk = :v","ExpressionAttributeValues":{":v":VALUE}}`,
			new: true},
		{name: "expression value of a scan", op: "Scan",
			in:      `{"FilterExpression":"a = :v","ExpressionAttributeValues":{":v":VALUE}}`,
			wrapped: true},
		{name: "filter of a scan", op: "Scan",
			in: `{"ScanFilter":{"a":{"ComparisonOperator":"EQ","AttributeValueList":[VALUE]}}}`},
		{name: "item of a batch", op: "BatchWriteItem",
			in: `{"RequestItems":{"@hash":[{"PutRequest":{"Item":{@pk,"a":VALUE}}}]}}`},
		{name: "item of a transaction", op: "TransactWriteItems",
			in: `{"TransactItems":[{"Put":{"TableName":"@hash","Item":{@pk,"a":VALUE}}}]}`},
		{name: "key of a transaction", op: "TransactGetItems",
			in: `{"TransactItems":[{"Get":{"TableName":"@hash","Key":{"pk":VALUE}}}]}`},
		{name: "expression value of a transaction", op: "TransactWriteItems",
			in: `{"TransactItems":[{"ConditionCheck":{"TableName":"@hash",@key,"ConditionExpression":"a = :v","ExpressionAttributeValues":{":v":VALUE}}}]}`, wrapped: true, unlike: "32 lists around a value"},
		{name: "parameter of a statement", op: "ExecuteStatement",
			in: `{"Statement":"SELECT * FROM \"@hash\" WHERE pk = ?","Parameters":[VALUE]}`},
	} {
		t.Run(at.name, func(t *testing.T) {
			var cases []kase
			for _, f := range faultyValues {
				text, start := f.new, "Invalid: "
				if !at.new || isLoose(f.value) {
					text = or(f.old, f.new)
				}
				if at.wrapped || isLoose(f.value) && strings.Contains(at.in, ":v\":VALUE") {
					text = wrapper + text + " for key :v"
				}
				if isLoose(f.value) {
					start = invalidText
				}
				if f.name == at.unlike {
					continue
				}
				cases = append(cases,
					kase{name: f.name, raw: true, in: strings.ReplaceAll(at.in, "VALUE", f.value),
						err: start + text})
			}
			run(t, defaults{src: "service facts 1.1 to 1.6, 1.8, 1.13", table: "hash", op: at.op},
				cases)
		})
	}
}

// isLoose reports whether only the old layer can read a faulty value (service facts F.5, F.7).
func isLoose(value string) bool {
	return value == `{}` || strings.Contains(value, `:"no"`) || strings.Contains(value, `","`) &&
		strings.Contains(value, `"N":`) && strings.Contains(value, `"S":`)
}

// TestValuesInTransactions checks how deep the values may be that a transaction compares or writes.
func TestValuesInTransactions(t *testing.T) {
	t.Parallel()
	lists := func(n int) string {
		return strings.Repeat(`{"L":[`, n) + `{"S":"x"}` + strings.Repeat(`]}`, n)
	}
	check := func(n int) string {
		return `{"TransactItems":[{"ConditionCheck":{"TableName":"@hash",@key,"ConditionExpression":"a <> :x","ExpressionAttributeValues":{":x":` + lists(n) + `}}}]}`
	}
	set := func(n int) string {
		return `{"TransactItems":[{"Update":{"TableName":"@hash",@key,"UpdateExpression":"SET a = :x","ExpressionAttributeValues":{":x":` + lists(n) + `}}}]}`
	}
	run(t, defaults{src: "service facts 1.9", op: "TransactWriteItems", table: "hash"}, []kase{
		{name: "31 levels to compare", in: check(31), raw: true},
		{name: "32 levels to compare", in: check(32), raw: true},
		{name: "40 levels to compare", in: check(40), raw: true,
			err: "ValidationException: ExpressionAttributeValues contains invalid value: " +
				nestingText + " for key :x"},
		{name: "31 levels to write", in: set(31), raw: true, then: `{@pk,"a":` + lists(31) + `}`},
		{name: "32 levels to write", in: set(32), raw: true,
			err: "TransactionCanceledException: Transaction cancelled, please refer cancellation reasons for specific reasons [ValidationError]", then: "none"},
	})
}

// TestNumberSizes measures the size of numbers by the room that they leave of an item's 400 KB.
func TestNumberSizes(t *testing.T) {
	t.Parallel()
	const limit = 400 << 10
	var cases []kase
	for _, number := range []struct {
		text string
		size int
	}{
		{"0", 1}, {"-0", 1}, {"5", 2}, {"-5", 3}, {"25", 2}, {"0.25", 2}, {"2.5", 3}, {"200.25", 4},
		{"1E125", 2}, {"1e-130", 2}, {"100", 2}, {"100.5", 4},
		{"-12.345", 5}, {"1.005", 4}, {"0.0505", 3}, {"1234", 3}, {"12345", 4}, {"10.0", 2},
		{"0.10", 2}, {"3.14159265358979323846", 12},
	} {
		// pk and its key of 12 bytes, n and the number, b
		rest := limit - len("pk") - 12 - len("n") - number.size - len("b")
		item := func(n int) string {
			return `{"Item":{@pk,"n":{"N":"` +
				number.text + `"},"b":{"S":"` + strings.Repeat("x", n) + `"}}}`
		}
		name := number.text + " of " + strconv.Itoa(number.size)
		cases = append(cases, kase{name: name, in: item(rest)},
			kase{name: name + " and one byte more", in: item(rest + 1),
				err: tooLargeItem})
	}
	run(t, defaults{src: "service facts 1.7", table: "hash", op: "PutItem"}, cases)
}

// TestZeros: the service checks a zero by its written exponent, however long its fraction is.
func TestZeros(t *testing.T) {
	t.Parallel()
	run(t, defaults{src: "service facts 1.5", table: "hash", op: "PutItem"}, []kase{
		{name: "the largest exponent", in: `{"Item":{@pk,"n":{"N":"0e125"}}}`,
			then: `{@pk,"n":{"N":"0"}}`},
		{name: "the smallest exponent", in: `{"Item":{@pk,"n":{"N":"-0.00e-130"}}}`,
			then: `{@pk,"n":{"N":"0"}}`},
		{name: "a long fraction without exponent",
			in:   `{"Item":{@pk,"n":{"NS":["0.` + strings.Repeat("0", 140) + `"]}}}`,
			then: `{@pk,"n":{"NS":["0"]}}`},
		{name: "a fraction in a batch", op: "BatchWriteItem",
			in:   `{"RequestItems":{"@hash":[{"PutRequest":{"Item":{@pk,"n":{"N":"0.0e-130"}}}}]}}`,
			then: `{@pk,"n":{"N":"0"}}`},
	})
}

// TestRawValues sends values that no SDK sends.
func TestRawValues(t *testing.T) {
	t.Parallel()
	run(t, defaults{src: "service facts 1.13", table: "hash", op: "PutItem"}, []kase{
		{name: "truth in words", raw: true,
			in:   `{"Item":{@pk,"a":{"BOOL":"yes"},"b":{"BOOL":"0"},"c":{"NULL":"1"}}}`,
			then: `{@pk,"a":{"BOOL":true},"b":{"BOOL":false},"c":{"NULL":true}}`},
		{name: "another word", raw: true, in: `{"Item":{@pk,"a":{"BOOL":"on"}}}`,
			err: "SerializationException: Unexpected token received from parser"},
		{name: "a parameter in words", op: "GetItem", raw: true,
			in: `{@key,"ConsistentRead":"true"}`, want: `{}`},
		{name: "a write of nothing", op: "BatchWriteItem", raw: true,
			in:  `{"RequestItems":{"@hash":[{}]}}`,
			err: "ValidationException: Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes"},
		{name: "an empty name to get", src: "service facts 8.6", op: "GetItem", raw: true,
			in: `{@key,"AttributesToGet":[""]}`, err: "ValidationException: Empty attribute name"},
		{name: "a name too long to update", src: "service facts 8.7", op: "UpdateItem", raw: true,
			in: `{@key,"AttributeUpdates":{"` + strings.Repeat("n", 65536) +
				`":{"Value":{"S":"x"}}}}`,
			err: "Invalid: One or more parameter values were invalid: Attribute name must not be longer than 65535 bytes", then: "none"},
		{name: "a name too long to expect", src: "service facts 8.7", op: "PutItem", raw: true,
			in: `{"Item":{@pk},"Expected":{"` + strings.Repeat("n", 65536) +
				`":{"Exists":false}}}`,
			err: "Invalid: One or more parameter values were invalid: Attribute name must not be longer than 65535 bytes", then: "none"},
		{name: "an empty name to filter by", src: "service facts 8.6", op: "Scan", raw: true,
			in:  `{"ScanFilter":{"":{"ComparisonOperator":"NULL"}}}`,
			err: "Invalid: Empty attribute name"},
		{name: "an empty name to get of a query", src: "service facts 8.6", op: "Query", raw: true,
			in: `{"KeyConditions":{"pk":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"x"}]}},"AttributesToGet":["a",""]}`, err: "Invalid: Empty attribute name"},
		{name: "a name as long as can be", src: "service facts 8.7", op: "UpdateItem", raw: true,
			in: `{@key,"AttributeUpdates":{"` + strings.Repeat("n", 65535) +
				`":{"Action":"DELETE"}}}`, then: "none"},
	})
}
