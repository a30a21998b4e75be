package facts

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Layers names the layers in which the service judges a request. Each operation has an order of its
// own.
var Layers = []string{"reader", "members", "joins", "items", "values", "expressions", "table"}

// Judged is how an operation judges, as data: a request that is right, and a fault of each layer.
type Judged struct {
	Operation  string
	Generation string            // the generation of its layers: service facts 0.2
	Request    map[string]string // the members of a request that is right, in JSON
	Faults     []LayerFault      // sorted as they are judged
}

// LayerFault is a fault that one layer finds, perhaps with one of a later layer besides.
type LayerFault struct {
	Layer   string
	Members map[string]string // members that take the place of those of the request
	Error   string            // the exception and its text
}

const (
	violations = "ValidationException: "
	enveloped  = violations + "1 validation error detected: "
	noEnum     = "Value 'X' at 'returnConsumedCapacity' failed to satisfy constraint: " +
		"Member must satisfy enum value set: [INDEXES, TOTAL, NONE]"
	noNumber = "The parameter cannot be converted to a numeric value: x"
	wrapped  = "ExpressionAttributeValues contains invalid value: " + noNumber + " for key :v"
	unread   = "SerializationException: NUMBER_VALUE cannot be converted to String"
	untrue   = "SerializationException: NUMBER_VALUE cannot be converted to Boolean"
	useless  = "ExpressionAttributeValues can only be specified when using expressions"
	noVector = "Search vector contains invalid values. " +
		"All values in the search vector must be a 32-bit floating-point number attribute"
	noTable = "ResourceNotFoundException: Requested resource not found"
)

var (
	keyOf    = `{"pk":{"S":"a"}}`
	noKey    = `{"pk":{"N":"x"}}`
	noneOf   = map[string]string{"TableName": `"no-such-table"`}
	badEnum  = map[string]string{"ReturnConsumedCapacity": `"X"`}
	badKey   = map[string]string{"Key": noKey}
	oneValue = `{":v":{"S":"a"}}`
	noValue  = `{":v":{"N":"x"}}`
	isNull   = `{"a":{"ComparisonOperator":"NULL"}}`
)

func syntaxOf(parameter string) string {
	return "Invalid " + parameter + `: Syntax error; token: ")", near: "a )"`
}

func mixtureOf(legacy, expressions string) string {
	return "Can not use both expression and non-expression parameters in the same request: " +
		"Non-expression parameters: {" + legacy + "} Expression parameters: {" + expressions + "}"
}

// faultOf returns a fault of some members, which are given with their values.
func faultOf(layer, text string, members ...string) LayerFault {
	f := LayerFault{Layer: layer, Members: map[string]string{}, Error: text}
	for i := 0; i < len(members); i += 2 {
		f.Members[members[i]] = members[i+1]
	}
	return f
}

// JudgedOperations is the table of the order of judgement: an operation a row, a layer a column.
var JudgedOperations = []Judged{
	{"GetItem", "new, bare", map[string]string{"TableName": `"@hash"`, "Key": keyOf}, []LayerFault{
		faultOf("reader", untrue, "ConsistentRead", "1"),
		{Layer: "members", Members: badEnum, Error: enveloped + noEnum},
		faultOf("joins", violations+mixtureOf("AttributesToGet", "ProjectionExpression"),
			"AttributesToGet", `["a"]`, "ProjectionExpression", `"a )"`),
		{Layer: "items", Members: badKey, Error: violations + noNumber},
		faultOf("expressions", violations+syntaxOf("ProjectionExpression"),
			"ProjectionExpression", `"a )"`),
		{Layer: "table", Members: noneOf, Error: noTable},
	}},
	{"PutItem", "new, in the envelope",
		map[string]string{"TableName": `"@hash"`, "Item": keyOf},
		judgedWrite("Item", "Expected", "ConditionExpression", `"a )"`)},
	{"UpdateItem", "new, in the envelope",
		map[string]string{"TableName": `"@hash"`, "Key": keyOf},
		judgedWrite("Key", "Expected", "UpdateExpression", `"REMOVE a )"`)},
	{"DeleteItem", "new, in the envelope",
		map[string]string{"TableName": `"@hash"`, "Key": keyOf},
		judgedWrite("Key", "Expected", "ConditionExpression", `"a )"`)},
	{"Query", "new, bare", map[string]string{"TableName": `"@hash"`,
		"KeyConditionExpression":    `"pk = :v"`,
		"ExpressionAttributeValues": oneValue}, []LayerFault{
		faultOf("reader", untrue, "ScanIndexForward", "1"),
		{Layer: "members", Members: badEnum, Error: enveloped + noEnum},
		faultOf("joins",
			violations+mixtureOf("QueryFilter", "FilterExpression, KeyConditionExpression"),
			"QueryFilter", isNull, "FilterExpression", `"a )"`),
		faultOf("items", violations+noNumber, "ExclusiveStartKey", noKey),
		faultOf("values", violations+noNumber, "ExpressionAttributeValues", noValue),
		faultOf("expressions", violations+syntaxOf("FilterExpression"),
			"FilterExpression", `"a )"`),
		{Layer: "table", Members: noneOf, Error: noTable},
	}},
	{"Scan", "old", map[string]string{"TableName": `"@hash"`}, []LayerFault{
		faultOf("reader", untrue, "ConsistentRead", "1"),
		{Layer: "members", Members: badEnum, Error: enveloped + noEnum},
		faultOf("joins", violations+mixtureOf("ScanFilter", "FilterExpression"),
			"ScanFilter", isNull, "FilterExpression", `"a )"`),
		faultOf("items", violations+noNumber, "ExclusiveStartKey", noKey),
		faultOf("values", violations+wrapped,
			"ExpressionAttributeValues", noValue, "FilterExpression", `"a )"`),
		faultOf("expressions", violations+syntaxOf("FilterExpression"),
			"FilterExpression", `"a )"`),
		{Layer: "table", Members: noneOf, Error: noTable},
	}},
	{"BatchGetItem", "new, bare", map[string]string{
		"RequestItems": readsOf("@hash", keyOf, "")}, []LayerFault{
		faultOf("reader", unread, "ReturnConsumedCapacity", "1"),
		{Layer: "members", Members: badEnum, Error: enveloped + noEnum},
		faultOf("joins", violations+mixtureOf("AttributesToGet", "ProjectionExpression"),
			"RequestItems", readsOf("no-such-table", noKey,
				`,"AttributesToGet":["a"],"ProjectionExpression":"a )"`)),
		faultOf("items", violations+noNumber, "RequestItems",
			readsOf("no-such-table", noKey, `,"ProjectionExpression":"a )"`)),
		faultOf("expressions", violations+syntaxOf("ProjectionExpression"), "RequestItems",
			readsOf("no-such-table", keyOf, `,"ProjectionExpression":"a )"`)),
		faultOf("table", noTable, "RequestItems", readsOf("no-such-table", keyOf, "")),
	}},
	{"BatchWriteItem", "old",
		map[string]string{"RequestItems": `{"@hash":[{"PutRequest":{"Item":` + keyOf + `}}]}`},
		[]LayerFault{
			faultOf("reader", unread, "ReturnConsumedCapacity", "1"),
			{Layer: "members", Members: badEnum, Error: enveloped + noEnum},
			faultOf("items", violations+noNumber, "RequestItems",
				`{"no-such-table":[{"PutRequest":{"Item":`+noKey+`}}]}`),
			faultOf("table", noTable, "RequestItems",
				`{"no-such-table":[{"PutRequest":{"Item":`+keyOf+`}}]}`),
		}},
	{"TransactGetItems", "old",
		map[string]string{"TransactItems": actionOf("Get", "@hash", keyOf, "")},
		[]LayerFault{
			faultOf("reader", unread, "ReturnConsumedCapacity", "1"),
			{Layer: "members", Members: badEnum, Error: enveloped + noEnum},
			faultOf("items", violations+noNumber, "TransactItems", actionOf("Get",
				"no-such-table", noKey, `,"ProjectionExpression":"a )"`)),
			faultOf("expressions", violations+syntaxOf("ProjectionExpression"), "TransactItems",
				actionOf("Get", "no-such-table", keyOf, `,"ProjectionExpression":"a )"`)),
			faultOf("table", noTable, "TransactItems",
				actionOf("Get", "no-such-table", keyOf, "")),
		}},
	{"TransactWriteItems", "old",
		map[string]string{"TransactItems": actionOf("Delete", "@hash", keyOf, "")},
		[]LayerFault{
			faultOf("reader", unread, "ReturnConsumedCapacity", "1"),
			{Layer: "members", Members: badEnum, Error: enveloped + noEnum},
			faultOf("values", violations+wrapped, "TransactItems", actionOf("Delete",
				"no-such-table", noKey,
				`,"ConditionExpression":"a )","ExpressionAttributeValues":`+noValue)),
			faultOf("expressions", violations+syntaxOf("ConditionExpression"), "TransactItems",
				actionOf("Delete", "no-such-table", noKey, `,"ConditionExpression":"a )"`)),
			faultOf("items", violations+noNumber, "TransactItems",
				actionOf("Delete", "no-such-table", noKey, "")),
			faultOf("table", noTable, "TransactItems",
				actionOf("Delete", "no-such-table", keyOf, "")),
		}},
	{"ExecuteStatement", "PartiQL",
		map[string]string{"Statement": `"SELECT * FROM \"@hash\" WHERE pk = 'a'"`}, []LayerFault{
			faultOf("reader", untrue, "ConsistentRead", "1"),
			{Layer: "members", Members: badEnum, Error: enveloped + noEnum},
			faultOf("values", violations+noNumber, "Parameters", `[{"N":"x"}]`),
			faultOf("expressions",
				violations+"Statement wasn't well formed, can't be processed: Unexpected term",
				"Statement", `"SELECT * FROM"`),
			faultOf("table", noTable,
				"Statement", `"SELECT * FROM \"no-such-table\" WHERE pk = 'a'"`),
		}},
	{"SearchVectors", "newest, strict", map[string]string{"TableName": `"@vectors"`,
		"IndexName": `"vcos"`, "TopK": "1", "SearchVector": `[{"N":"1"}]`}, []LayerFault{
		faultOf("reader", "SerializationException", "ExpressionAttributeValues", `{":v":null}`),
		{Layer: "members", Members: badEnum, Error: violations + noEnum},
		faultOf("items", violations+noVector, "SearchVector", `[{"S":"x"}]`),
		faultOf("values", violations+noNumber, "ExpressionAttributeValues", noValue),
		faultOf("joins", violations+useless,
			"ExpressionAttributeValues", oneValue, "ProjectionExpression", `"a )"`),
		faultOf("expressions", violations+syntaxOf("ProjectionExpression"),
			"ProjectionExpression", `"a )"`),
		{Layer: "table", Members: noneOf, Error: noTable},
	}},
}

// judgedWrite has the faults of PutItem, UpdateItem and DeleteItem, which are judged alike.
func judgedWrite(item, legacy, expression, text string) []LayerFault {
	return []LayerFault{
		faultOf("reader", unread, "ConditionalOperator", "1"),
		{Layer: "members", Members: badEnum, Error: enveloped + noEnum},
		faultOf("joins", enveloped+mixtureOf(legacy, expression),
			legacy, isNull, expression, text),
		faultOf("items", enveloped+noNumber, item, noKey),
		faultOf("values", enveloped+noNumber,
			"ExpressionAttributeValues", noValue, expression, text),
		faultOf("expressions", enveloped+syntaxOf(expression), expression, text),
		{Layer: "table", Members: noneOf, Error: noTable},
	}
}

// readsOf is the RequestItems of a batch that reads one key.
func readsOf(table, key, more string) string {
	return `{"` + table + `":{"Keys":[` + key + `]` + more + `}}`
}

// actionOf is the TransactItems of a transaction with one action on a key.
func actionOf(kind, table, key, more string) string {
	return `[{"` + kind + `":{"TableName":"` + table + `","Key":` + key + more + `}}]`
}

// With returns the request with faults, as JSON. ok is false if two of them need a member with
// different values.
func (j *Judged) With(faults ...LayerFault) (request string, ok bool) {
	members := map[string]string{}
	for _, f := range faults {
		for name, value := range f.Members {
			if had, taken := members[name]; taken && had != value {
				return "", false
			}
			members[name] = value
		}
	}
	for name, value := range j.Request {
		if _, taken := members[name]; !taken {
			members[name] = value
		}
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(members)) {
		parts = append(parts, fmt.Sprintf("%q:%s", name, members[name]))
	}
	return "{" + strings.Join(parts, ",") + "}", true
}

// judgedTable renders the table of JudgedOperations.
func judgedTable() string {
	var b strings.Builder
	b.WriteString("| Operation | Generation | " + strings.Join(Layers, " | ") + " |\n" +
		"|---|---|" + strings.Repeat("---|", len(Layers)) + "\n")
	for i := range JudgedOperations {
		j := &JudgedOperations[i]
		b.WriteString("| " + j.Operation + " | " + j.Generation + " |")
		for _, layer := range Layers {
			cell := " |"
			for at, f := range j.Faults {
				if f.Layer == layer {
					cell = fmt.Sprintf(" %d: %s |", at+1, worded(f.Error))
				}
			}
			b.WriteString(cell)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// worded says in what form an error is.
func worded(text string) string {
	switch {
	case strings.HasPrefix(text, enveloped):
		return "in the envelope"
	case strings.HasPrefix(text, violations):
		return "bare"
	}
	name, _, _ := strings.Cut(text, ":")
	return name
}
