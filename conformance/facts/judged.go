package facts

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Layers are what the service judges a request by, one after the other, but for the irregularities
// that the page lists. It stops at the first that finds a fault.
var Layers = []string{"reader", "members", "values", "joins", "expressions", "table"}

// Judged is how an operation judges, as data: a request that is right, and a fault of each layer.
type Judged struct {
	Operation  string
	Generation string            // of its layers: service facts 0.2
	Request    map[string]string // the members of a request that is right, in JSON
	Faults     []LayerFault      // in the order in which they are judged
}

// LayerFault is a fault that one layer finds.
type LayerFault struct {
	Layer   string
	Members map[string]string // in place of those of the request
	Error   string            // the exception and its text
}

const (
	violations = "ValidationException: "
	enveloped  = violations + "1 validation error detected: "
	noEnum     = "Value 'X' at 'returnConsumedCapacity' failed to satisfy constraint: " +
		"Member must satisfy enum value set: [INDEXES, TOTAL, NONE]"
	noNumber = "The parameter cannot be converted to a numeric value: x"
	unread   = "SerializationException: NUMBER_VALUE cannot be converted to String"
	useless  = "ExpressionAttributeValues can only be specified when using expressions"
	noTable  = "ResourceNotFoundException: Requested resource not found"
)

var (
	keyOf    = `{"pk":{"S":"a"}}`
	noneOf   = map[string]string{"TableName": `"no-such-table"`}
	badEnum  = map[string]string{"ReturnConsumedCapacity": `"X"`}
	badKey   = map[string]string{"Key": `{"pk":{"N":"x"}}`}
	oneValue = `{":v":{"S":"a"}}`
)

func syntaxOf(parameter string) string {
	return "Invalid " + parameter + `: Syntax error; token: ")", near: "a )"`
}

func faultOf(layer, member, value, text string) LayerFault {
	return LayerFault{Layer: layer, Members: map[string]string{member: value}, Error: text}
}

// JudgedOperations is the table of the order of judgement: an operation a row, a layer a column.
var JudgedOperations = []Judged{
	{"GetItem", "new, bare", map[string]string{"TableName": `"@hash"`, "Key": keyOf}, []LayerFault{
		faultOf("reader", "ConsistentRead", "1",
			"SerializationException: NUMBER_VALUE cannot be converted to Boolean"),
		{Layer: "members", Members: badEnum, Error: enveloped + noEnum},
		{Layer: "values", Members: badKey, Error: violations + noNumber},
		faultOf("expressions", "ProjectionExpression", `"a )"`,
			violations+syntaxOf("ProjectionExpression")),
		{Layer: "table", Members: noneOf, Error: noTable},
	}},
	{"PutItem", "new, in the envelope",
		map[string]string{"TableName": `"@hash"`, "Item": keyOf}, []LayerFault{
			faultOf("reader", "ConditionalOperator", "1", unread),
			{Layer: "members", Members: badEnum, Error: enveloped + noEnum},
			faultOf("joins", "ExpressionAttributeValues", oneValue, enveloped+useless),
			faultOf("values", "Item", `{"pk":{"N":"x"}}`, enveloped+noNumber),
			{Layer: "table", Members: noneOf, Error: noTable},
		}},
	{"UpdateItem", "new, in the envelope",
		map[string]string{"TableName": `"@hash"`, "Key": keyOf}, []LayerFault{
			faultOf("reader", "ConditionalOperator", "1", unread),
			{Layer: "members", Members: badEnum, Error: enveloped + noEnum},
			{Layer: "values", Members: badKey, Error: enveloped + noNumber},
			faultOf("expressions", "UpdateExpression", `"REMOVE a )"`,
				enveloped+syntaxOf("UpdateExpression")),
			{Layer: "table", Members: noneOf, Error: noTable},
		}},
	{"DeleteItem", "new, in the envelope",
		map[string]string{"TableName": `"@hash"`, "Key": keyOf}, []LayerFault{
			faultOf("reader", "ConditionalOperator", "1", unread),
			{Layer: "members", Members: badEnum, Error: enveloped + noEnum},
			faultOf("joins", "ExpressionAttributeValues", oneValue, enveloped+useless),
			{Layer: "values", Members: badKey, Error: enveloped + noNumber},
			{Layer: "table", Members: noneOf, Error: noTable},
		}},
	{"Query", "new, bare", map[string]string{"TableName": `"@hash"`,
		"KeyConditionExpression":    `"pk = :v"`,
		"ExpressionAttributeValues": oneValue}, []LayerFault{
		faultOf("reader", "ScanIndexForward", "1",
			"SerializationException: NUMBER_VALUE cannot be converted to Boolean"),
		{Layer: "members", Members: badEnum, Error: enveloped + noEnum},
		faultOf("values", "ExpressionAttributeValues", `{":v":{"N":"x"}}`, violations+noNumber),
		faultOf("expressions", "FilterExpression", `"a )"`,
			violations+syntaxOf("FilterExpression")),
		{Layer: "table", Members: noneOf, Error: noTable},
	}},
	{"Scan", "old", map[string]string{"TableName": `"@hash"`}, []LayerFault{
		faultOf("reader", "ConsistentRead", "1",
			"SerializationException: NUMBER_VALUE cannot be converted to Boolean"),
		{Layer: "members", Members: badEnum, Error: enveloped + noEnum},
		faultOf("joins", "ExpressionAttributeValues", oneValue, violations+useless+
			": FilterExpression is null"),
		{Layer: "table", Members: noneOf, Error: noTable},
	}},
	{"BatchGetItem", "new, bare",
		map[string]string{"RequestItems": `{"@hash":{"Keys":[` + keyOf + `]}}`}, []LayerFault{
			faultOf("reader", "ReturnConsumedCapacity", "1", unread),
			{Layer: "members", Members: badEnum, Error: enveloped + noEnum},
			faultOf("values", "RequestItems", `{"no-such-table":{"Keys":[{"pk":{"N":"x"}}]}}`,
				violations+noNumber),
			faultOf("table", "RequestItems", `{"no-such-table":{"Keys":[`+keyOf+`]}}`, noTable),
		}},
	{"BatchWriteItem", "old",
		map[string]string{"RequestItems": `{"@hash":[{"PutRequest":{"Item":` + keyOf + `}}]}`},
		[]LayerFault{
			faultOf("reader", "ReturnConsumedCapacity", "1", unread),
			{Layer: "members", Members: badEnum, Error: enveloped + noEnum},
			faultOf("values", "RequestItems",
				`{"no-such-table":[{"PutRequest":{"Item":{"pk":{"N":"x"}}}}]}`,
				violations+noNumber),
			faultOf("table", "RequestItems",
				`{"no-such-table":[{"PutRequest":{"Item":`+keyOf+`}}]}`, noTable),
		}},
	{"TransactGetItems", "old",
		map[string]string{"TransactItems": `[{"Get":{"TableName":"@hash","Key":` + keyOf + `}}]`},
		[]LayerFault{
			faultOf("reader", "ReturnConsumedCapacity", "1", unread),
			{Layer: "members", Members: badEnum, Error: enveloped + noEnum},
			faultOf("values", "TransactItems",
				`[{"Get":{"TableName":"no-such-table","Key":{"pk":{"N":"x"}}}}]`,
				violations+noNumber),
			faultOf("table", "TransactItems",
				`[{"Get":{"TableName":"no-such-table","Key":`+keyOf+`}}]`, noTable),
		}},
	{"TransactWriteItems", "old",
		map[string]string{"TransactItems": `[{"Delete":{"TableName":"@hash","Key":` + keyOf +
			`}}]`},
		[]LayerFault{
			faultOf("reader", "ReturnConsumedCapacity", "1", unread),
			{Layer: "members", Members: badEnum, Error: enveloped + noEnum},
			faultOf("values", "TransactItems",
				`[{"Delete":{"TableName":"no-such-table","Key":{"pk":{"N":"x"}}}}]`,
				violations+noNumber),
			faultOf("table", "TransactItems",
				`[{"Delete":{"TableName":"no-such-table","Key":`+keyOf+`}}]`, noTable),
		}},
	{"ExecuteStatement", "PartiQL",
		map[string]string{"Statement": `"SELECT * FROM \"@hash\" WHERE pk = 'a'"`}, []LayerFault{
			faultOf("reader", "ConsistentRead", "1",
				"SerializationException: NUMBER_VALUE cannot be converted to Boolean"),
			{Layer: "members", Members: badEnum, Error: enveloped + noEnum},
			faultOf("values", "Parameters", `[{"N":"x"}]`, violations+noNumber),
			faultOf("expressions", "Statement", `"SELECT * FROM"`,
				violations+"Statement wasn't well formed, can't be processed: Unexpected term"),
			faultOf("table", "Statement", `"SELECT * FROM \"no-such-table\" WHERE pk = 'a'"`,
				noTable),
		}},
}

// With returns the request with faults, as JSON. ok is false if two of them need the same member.
func (j *Judged) With(faults ...LayerFault) (request string, ok bool) {
	members := map[string]string{}
	for _, f := range faults {
		for name, value := range f.Members {
			if _, taken := members[name]; taken {
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
