package conformance

import (
	"strings"
	"testing"
)

// put makes a case that puts the attributes and reads them back, or that is refused with an error
// (without "ValidationException: ").
func put(name, attributes, want, err string) kase {
	k := kase{name: name, in: `{"Item":{@pk,` + attributes + `}}`, raw: true}
	if err != "" {
		k.err, k.then = "Invalid: "+err, "none"
		return k
	}
	k.want, k.then = `{}`, `{@pk,`+or(want, attributes)+`}`
	return k
}

// loosely expects the text of the old layer (service facts F.5, F.7).
func loosely(k kase) kase {
	k.err = strings.Replace(k.err, "Invalid: ", invalidText, 1)
	return k
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	number := func(name, in, want, err string) kase {
		if want != "" {
			want = `"n":{"N":"` + want + `"}`
		}
		return put(name, `"n":{"N":"`+in+`"}`, want, err)
	}
	const (
		overflow  = "Number overflow. Attempting to store a number with magnitude larger than supported range"
		underflow = "Number underflow. Attempting to store a number with magnitude smaller than supported range"
		digits    = "Attempting to store more than 38 significant digits in a Number"
		numeric   = "The parameter cannot be converted to a numeric value"
	)
	nines := strings.Repeat("9", 38)
	run(t, defaults{
		src: "Developer Guide, Naming rules and data types, Number", table: "hash", op: "PutItem",
	}, []kase{
		number("integer", "42", "42", ""),
		number("zero", "0", "0", ""),
		number("minus zero", "-0", "0", ""),
		number("zero with decimals", "0.000", "0", ""),
		number("zero with an exponent", "0E+10", "0", ""),
		number("plus sign", "+5", "5", ""),
		number("leading zeros", "007", "7", ""),
		number("leading zeros after the sign", "-007.50", "-7.5", ""),
		number("trailing zeros", "1.500", "1.5", ""),
		number("trailing point", "1.", "1", ""),
		number("leading point", ".5", "0.5", ""),
		number("exponent", "1e3", "1000", ""),
		number("exponent with plus", "1.5E+3", "1500", ""),
		number("negative exponent", "15E-3", "0.015", ""),
		number("38 digits", nines, nines, ""),
		number("38 digits after the point", "0."+nines, "0."+nines, ""),
		number("38 digits and zeros", nines+"000", nines+"000", ""),
		number("largest", nines[:1]+"."+nines[1:]+"E+125", nines+strings.Repeat("0", 88), ""),
		number("largest negative", "-"+nines[:1]+"."+nines[1:]+"E+125",
			"-"+nines+strings.Repeat("0", 88), ""),
		number("smallest", "1E-130", "0."+strings.Repeat("0", 129)+"1", ""),
		number("smallest negative", "-1E-130", "-0."+strings.Repeat("0", 129)+"1", ""),
		number("39 digits", nines+"9", "", digits),
		number("39 digits after the point", "0."+nines+"1", "", digits),
		number("38 digits with superfluous zeros", "000"+nines+".000", nines, ""),
		number("too large", "1E+126", "", overflow),
		number("too large negative", "-1E126", "", overflow),
		number("far too large", "1E1000000", "", overflow),
		number("too small", "1E-131", "", underflow),
		number("too small negative", "-1E-131", "", underflow),
		number("empty", "", "", numeric+": "),
		number("word", "abc", "", numeric+": abc"),
		number("digits and letters", "12a", "", numeric+": 12a"),
		number("blank", " ", "", numeric+": *"),
		number("leading blank", " 1", "", numeric+":  1"),
		number("trailing blank", "1 ", "", numeric+": 1 "),
		number("hexadecimal", "0x10", "", numeric+": 0x10"),
		number("infinity", "Infinity", "", numeric+": Infinity"),
		number("not a number", "NaN", "", numeric+": NaN"),
		number("two signs", "--1", "", numeric+": --1"),
		number("two points", "1.2.3", "", numeric+": 1.2.3"),
		number("exponent without digits", "1e", "", numeric+": 1e"),
		number("thousands separator", "1,000", "", numeric+": 1,000"),
		number("underscore", "1_000", "", numeric+": 1_000"),
		number("digits of another script", "١", "", numeric+": ١"),
		put("in a list", `"l":{"L":[{"N":"1e2"}]}`, `"l":{"L":[{"N":"100"}]}`, ""),
		put("in a map", `"m":{"M":{"a":{"N":"1.0"}}}`, `"m":{"M":{"a":{"N":"1"}}}`, ""),
		put("in a set", `"s":{"NS":["1e2","2.50"]}`, `"s":{"NS":["100","2.5"]}`, ""),
		put("bad in a list", `"l":{"L":[{"N":"x"}]}`, "", numeric+": x"),
		put("bad in a map", `"l":{"M":{"a":{"N":"x"}}}`, "", numeric+": x"),
		put("bad in a set", `"l":{"NS":["x"]}`, "", numeric+": x"),
	})
}

func TestSetsAndOtherValues(t *testing.T) {
	t.Parallel()
	const invalid = "One or more parameter values were invalid: "
	run(t, defaults{
		src: "Developer Guide, Naming rules and data types, Sets", table: "hash", op: "PutItem",
	}, []kase{
		put("string set", `"a":{"SS":["b","a","B"]}`, "", ""),
		put("number set", `"a":{"NS":["3","-1","0.5"]}`, "", ""),
		put("binary set", `"a":{"BS":["AQ==","","Ag=="]}`, "", ""),
		put("empty string set", `"a":{"SS":[]}`, "", invalid+"An string set  may not be empty"),
		put("empty number set", `"a":{"NS":[]}`, "", invalid+"An number set  may not be empty"),
		put("empty binary set", `"a":{"BS":[]}`, "", invalid+"Binary sets should not be empty"),
		put("empty set in a map", `"a":{"M":{"b":{"SS":[]}}}`, "",
			invalid+"An string set  may not be empty"),
		put("duplicate strings", `"a":{"SS":["a","b","a"]}`, "",
			invalid+"Input collection [\"a\", \"b\", \"a\"] contains duplicates."),
		put("duplicate numbers", `"a":{"NS":["1","2","1"]}`, "",
			"One or more parameter values were invalid: Input collection contains duplicates."),
		put("duplicate numbers by value", `"a":{"NS":["1","1.0"]}`, "",
			"One or more parameter values were invalid: Input collection contains duplicates."),
		put("duplicate binaries", `"a":{"BS":["AQ==","AQ=="]}`, "",
			invalid+`Input collection ["AQ==","AQ=="]of type BS contains duplicates.`),
		put("null that is not true", `"a":{"NULL":false}`, "",
			invalid+"Null attribute value types must have the value of true"),
		loosely(put("no type", `"a":{}`, "",
			"Supplied AttributeValue is empty, must contain exactly one of the supported datatypes")),
		loosely(put("two types", `"a":{"S":"x","N":"1"}`, "",
			"Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes")),
		loosely(put("no type in a list", `"a":{"L":[{}]}`, "",
			"Supplied AttributeValue is empty, must contain exactly one of the supported datatypes")),
		loosely(put("two types in a map", `"a":{"M":{"b":{"S":"x","BOOL":true}}}`, "",
			"Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes")),
		loosely(put("unknown type", `"a":{"X":"x"}`, "",
			"Supplied AttributeValue is empty, must contain exactly one of the supported datatypes")),
		put("unknown type beside a known one", `"a":{"X":"x","S":"y"}`, `"a":{"S":"y"}`, ""),
		put("bad value before the missing key", `"a":{"N":"x"}`, "",
			"The parameter cannot be converted to a numeric value: x"),
		put("strings beyond the basic plane", `"a":{"S":"\ud83d\ude00"}`, `"a":{"S":"😀"}`, ""),
		put("escaped names", `"\u0061\u0062":{"S":"x"}`, `"ab":{"S":"x"}`, ""),
	})
}

// list nests empty lists to a depth.
func list(depth int) string {
	return strings.Repeat(`{"L":[`, depth) + `{"S":"x"}` + strings.Repeat(`]}`, depth)
}

func TestNesting(t *testing.T) {
	t.Parallel()
	const tooDeep = "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit"
	maps := strings.Repeat(`{"M":{"a":`, 31) + `{"S":"x"}` + strings.Repeat(`}}`, 31)
	run(t, defaults{
		src: "Developer Guide, Constraints, Nested attribute depth", table: "hash", op: "PutItem",
	}, []kase{
		put("31 lists around a value", `"a":`+list(31), "", ""),
		put("31 maps around a value", `"a":`+maps, "", ""),
		put("32 lists around a value", `"a":`+list(32), "", tooDeep),
		put("33 lists around a value", `"a":`+list(33), "", tooDeep),
		{name: "100 lists", src: "service facts 0.12: beyond some 62 levels the old layer answers",
			raw: true, in: `{"Item":{@pk,"a":` + list(100) + `}}`,
			err: "ValidationException: " + tooDeep, then: "none"},
		{name: "too deep by an update", given: []string{`{@pk,"a":` + list(31) + `}`},
			op: "UpdateItem", raw: true,
			in: `{@key,"UpdateExpression":"SET a` + strings.Repeat("[0]", 31) +
				` = :v","ExpressionAttributeValues":{":v":` + list(3) + `}}`,
			// the text is not on public record
			err: "ValidationException: *", then: `{@pk,"a":` + list(31) + `}`},
	})
}

// The text of the error is not on public record.
func TestAttributeNames(t *testing.T) {
	t.Parallel()
	name := func(n int) string { return strings.Repeat("n", n) }
	const refused = "ValidationException: *"
	run(t, defaults{
		src: "Developer Guide, Constraints, Attribute names; API Reference, PutItem, Item, Key Length Constraints", table: "hash", op: "PutItem",
	}, []kase{
		{name: "65535 bytes", in: `{"Item":{@pk,"` + name(65535) + `":{"N":"1"}}}`, want: `{}`},
		{name: "65536 bytes", in: `{"Item":{@pk,"` + name(65536) + `":{"N":"1"}}}`, err: refused,
			then: "none"},
		{name: "65536 bytes of longer characters",
			in: `{"Item":{@pk,"` + strings.Repeat("é", 32768) + `":{"N":"1"}}}`, err: refused,
			then: "none"},
		{name: "escaped", raw: true,
			in: `{"Item":{@pk,"` + strings.Repeat(`\u0041`, 65535) + `":{"N":"1"}}}`, want: `{}`},
		{name: "empty", src: "Developer Guide, Supported data types and naming rules, Naming rules",
			raw: true, in: `{"Item":{@pk,"":{"N":"1"}}}`, err: refused, then: "none"},
		{name: "empty in a map",
			src: "Developer Guide, Supported data types and naming rules, Naming rules", raw: true,
			in: `{"Item":{@pk,"m":{"L":[{"M":{"":{"N":"1"}}}]}}}`, err: refused, then: "none"},
		{name: "empty in a value of an update",
			src: "Developer Guide, Supported data types and naming rules, Naming rules", raw: true,
			op: "UpdateItem",
			in: `{@key,"UpdateExpression":"SET a = :v","ExpressionAttributeValues":{":v":{"M":{"":{"N":"1"}}}}}`, err: refused, then: "none"},
		{name: "empty in a legacy update",
			src: "Developer Guide, Supported data types and naming rules, Naming rules", raw: true,
			op: "UpdateItem", in: `{@key,"AttributeUpdates":{"":{"Value":{"N":"1"}}}}`,
			err: refused, then: "none"},
		{name: "empty in a batch",
			src: "Developer Guide, Supported data types and naming rules, Naming rules", raw: true,
			op:  "BatchWriteItem",
			in:  `{"RequestItems":{"@hash":[{"PutRequest":{"Item":{@pk,"":{"N":"1"}}}}]}}`,
			err: refused, then: "none"},
		{name: "empty in a transaction", src: "service facts 5.4", raw: true,
			op:  "TransactWriteItems",
			in:  `{"TransactItems":[{"Put":{"TableName":"@hash","Item":{@pk,"":{"N":"1"}}}}]}`,
			err: "ValidationException: Empty attribute name", then: "none"},
		{name: "empty in a statement", src: "service facts F.55", raw: true,
			op:  "ExecuteStatement",
			in:  `{"Statement":"INSERT INTO \"@hash\" VALUE {'pk': '$k', '': 1}"}`,
			err: "ValidationException: Path component cannot be an empty string", then: "none"},
		{name: "in a map", in: `{"Item":{@pk,"m":{"L":[{"M":{"` + name(65536) + `":{"N":"1"}}}]}}}`,
			err: refused, then: "none"},
		{name: "by an update", op: "UpdateItem",
			in: `{@key,"UpdateExpression":"SET #n = :v","ExpressionAttributeNames":{"#n":"` +
				name(65536) + `"},"ExpressionAttributeValues":{":v":{"N":"1"}}}`, err: refused,
			then: "none"},
		{name: "in a value of an update", op: "UpdateItem",
			in: `{@key,"UpdateExpression":"SET a = :v","ExpressionAttributeValues":{":v":{"M":{"` +
				name(65536) + `":{"N":"1"}}}}}`, err: refused, then: "none"},
	})
}

// Developer Guide, Constraints, Item size; sizes as in "DynamoDB item sizes and formats".
func TestItemSize(t *testing.T) {
	t.Parallel()
	const limit = 400 << 10
	const tooLarge = tooLargeItem
	const keySize = len("pk") + 12
	text := func(n int) string { return strings.Repeat("x", n) }
	item := func(name string, n int) string {
		return `{"Item":{@pk,"` + name + `":{"S":"` + text(n) + `"}}}`
	}
	run(t, defaults{
		src: "Developer Guide, Constraints, Item size", table: "hash", op: "PutItem",
	}, []kase{
		{name: "400 KB", in: item("a", limit-keySize-1), want: `{}`},
		{name: "one byte more", in: item("a", limit-keySize), err: tooLarge, then: "none"},
		{name: "names count", in: item("abcd", limit-keySize-3), err: tooLarge},
		{name: "bytes count, not characters",
			in:  `{"Item":{@pk,"a":{"S":"` + strings.Repeat("é", (limit-keySize)/2) + `"}}}`,
			err: tooLarge},
		{name: "a binary counts as its bytes",
			in:   `{"Item":{@pk,"a":{"B":"` + strings.Repeat("AAAA", (limit-keySize-1)/3) + `"}}}`,
			want: `{}`},
		{name: "a refused put leaves the old item", given: []string{`{@pk,"b":{"N":"1"}}`},
			in: item("a", limit), err: tooLarge, then: `{@pk,"b":{"N":"1"}}`},
		// With local indexes the item and its entries in the indexes share the limit. The text is
		// not on public record.
		{name: "item and index entry of 300 KB each",
			src:   "Developer Guide, Constraints, Item size for tables with local secondary indexes",
			table: "local",
			in:    `{"Item":{@pk,"sk":{"S":"1"},"lk":{"S":"1"},"a":{"S":"` + text(300<<10) + `"}}}`,
			err:   "ValidationException: Item size has exceeded the maximum allowed size"},
		{name: "item of 300 KB that is not in the index",
			src:   "Developer Guide, Constraints, Item size for tables with local secondary indexes",
			table: "local", in: `{"Item":{@pk,"sk":{"S":"1"},"a":{"S":"` + text(300<<10) + `"}}}`,
			want: `{}`},
		{name: "item of 300 KB that is projected in part",
			src:   "Developer Guide, Constraints, Item size for tables with local secondary indexes",
			table: "local",
			in:    `{"Item":{@pk,"sk":{"S":"1"},"ln":{"N":"1"},"a":{"S":"` + text(300<<10) + `"}}}`,
			want:  `{}`},
		{name: "update up to 400 KB", op: "UpdateItem",
			given: []string{`{@pk,"a":{"S":"` + text(limit-keySize-1-10) + `"}}`},
			in:    `{@key,"UpdateExpression":"SET b = :v","ExpressionAttributeValues":{":v":{"S":"` + text(9) + `"}}}`, want: `{}`},
		{name: "update over 400 KB", op: "UpdateItem",
			given: []string{`{@pk,"a":{"S":"` + text(limit-keySize-1-10) + `"}}`},
			in:    `{@key,"UpdateExpression":"SET b = :v","ExpressionAttributeValues":{":v":{"S":"` + text(10) + `"}}}`, err: "ValidationException: Item size to update has exceeded the maximum allowed size"},
	})
}
