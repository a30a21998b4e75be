package conformance

import "testing"

// TestAttributeUpdates covers the legacy form of an update.
func TestAttributeUpdates(t *testing.T) {
	t.Parallel()
	run(t, defaults{
		src: "Developer Guide, Legacy conditional parameters, AttributeUpdates", table: "hash",
		op: "UpdateItem",
	}, []kase{
		{name: "PUT", given: []string{`{@pk,"b":{"N":"1"}}`},
			in: `{@key,"AttributeUpdates":{"a":{"Action":"PUT","Value":{"S":"x"}}}}`, want: `{}`,
			then: `{@pk,"a":{"S":"x"},"b":{"N":"1"}}`},
		{name: "PUT is the default", in: `{@key,"AttributeUpdates":{"a":{"Value":{"S":"x"}}}}`,
			then: `{@pk,"a":{"S":"x"}}`},
		{name: "DELETE an attribute", given: []string{`{@pk,"a":{"N":"1"},"b":{"N":"1"}}`},
			in: `{@key,"AttributeUpdates":{"a":{"Action":"DELETE"}}}`, then: `{@pk,"b":{"N":"1"}}`},
		{name: "DELETE elements", given: []string{`{@pk,"a":{"SS":["x","y"]}}`},
			in:   `{@key,"AttributeUpdates":{"a":{"Action":"DELETE","Value":{"SS":["x"]}}}}`,
			then: `{@pk,"a":{"SS":["y"]}}`},
		{name: "DELETE all elements", given: []string{`{@pk,"a":{"SS":["x"]}}`},
			in:   `{@key,"AttributeUpdates":{"a":{"Action":"DELETE","Value":{"SS":["x"]}}}}`,
			then: `{@pk}`},
		{name: "DELETE from no item creates none",
			in: `{@key,"AttributeUpdates":{"a":{"Action":"DELETE"}}}`, want: `{}`, then: "none"},
		{name: "DELETE with a string",
			in:  `{@key,"AttributeUpdates":{"a":{"Action":"DELETE","Value":{"S":"x"}}}}`,
			err: "Invalid: One or more parameter values were invalid: DELETE action with value is not supported for the type S"},
		{name: "ADD to a number", given: []string{`{@pk,"a":{"N":"1"}}`},
			in:   `{@key,"AttributeUpdates":{"a":{"Action":"ADD","Value":{"N":"2"}}}}`,
			then: `{@pk,"a":{"N":"3"}}`},
		{name: "ADD to a missing number",
			in:   `{@key,"AttributeUpdates":{"a":{"Action":"ADD","Value":{"N":"2"}}}}`,
			then: `{@pk,"a":{"N":"2"}}`},
		{name: "ADD to a set", given: []string{`{@pk,"a":{"NS":["1"]}}`},
			in:   `{@key,"AttributeUpdates":{"a":{"Action":"ADD","Value":{"NS":["2"]}}}}`,
			then: `{@pk,"a":{"NS":["1","2"]}}`},
		{name: "ADD to a list", given: []string{`{@pk,"a":{"L":[{"N":"1"}]}}`},
			in:   `{@key,"AttributeUpdates":{"a":{"Action":"ADD","Value":{"L":[{"N":"2"}]}}}}`,
			then: `{@pk,"a":{"L":[{"N":"1"},{"N":"2"}]}}`},
		{name: "ADD a string",
			in:  `{@key,"AttributeUpdates":{"a":{"Action":"ADD","Value":{"S":"x"}}}}`,
			err: "Invalid: One or more parameter values were invalid: ADD action is not supported for the type S"},
		{name: "ADD of another type", given: []string{`{@pk,"a":{"S":"1"}}`},
			in:   `{@key,"AttributeUpdates":{"a":{"Action":"ADD","Value":{"N":"2"}}}}`,
			err:  "ValidationException: Type mismatch for attribute to update",
			then: `{@pk,"a":{"S":"1"}}`},
		{name: "PUT without a value", in: `{@key,"AttributeUpdates":{"a":{"Action":"PUT"}}}`,
			err: "Invalid: One or more parameter values were invalid: Only DELETE action is allowed when no attribute value is specified"},
		{name: "ADD without a value", in: `{@key,"AttributeUpdates":{"a":{"Action":"ADD"}}}`,
			err: "Invalid: One or more parameter values were invalid: Only DELETE action is allowed when no attribute value is specified"},
		{name: "the key", in: `{@key,"AttributeUpdates":{"pk":{"Value":{"S":"x"}}}}`,
			err: updatedKey},
		{name: "unknown action",
			in:  `{@key,"AttributeUpdates":{"a":{"Action":"SET","Value":{"S":"x"}}}}`,
			src: "service facts F.10",
			err: one + "Member must satisfy enum value set: [ADD, DELETE, PUT]' for Action"},
		{name: "UPDATED_NEW", given: []string{`{@pk,"a":{"N":"1"}}`},
			in: `{@key,"ReturnValues":"UPDATED_NEW","AttributeUpdates":{"a":{"Action":"ADD","Value":{"N":"2"}}}}`, want: `{"Attributes":{"a":{"N":"3"}}}`},
		{name: "UPDATED_OLD", given: []string{`{@pk,"a":{"N":"1"}}`},
			in:   `{@key,"ReturnValues":"UPDATED_OLD","AttributeUpdates":{"a":{"Action":"DELETE"}}}`,
			want: `{"Attributes":{"a":{"N":"1"}}}`},
		{name: "names are whole names", in: `{@key,"AttributeUpdates":{"a.b":{"Value":{"S":"x"}}}}`,
			then: `{@pk,"a.b":{"S":"x"}}`},
	})
}

// TestExpected covers the legacy form of a condition. It puts the item again under each condition.
func TestExpected(t *testing.T) {
	t.Parallel()
	const item = `{@pk,"s":{"S":"hello"},"n":{"N":"5"},"ss":{"SS":["x","y"]},"l":{"L":[{"S":"x"}]},"b":{"B":"AQID"}}`
	conditions := []struct {
		name, expected string
		holds          bool
	}{
		{"Value", `"s":{"Value":{"S":"hello"}}`, true},
		{"other Value", `"s":{"Value":{"S":"x"}}`, false},
		{"Value and Exists", `"s":{"Value":{"S":"hello"},"Exists":true}`, true},
		{"not Exists", `"x":{"Exists":false}`, true},
		{"not Exists of an attribute", `"s":{"Exists":false}`, false},
		{"Value of a missing attribute", `"x":{"Value":{"S":"a"}}`, false},
		{"EQ", `"n":{"ComparisonOperator":"EQ","AttributeValueList":[{"N":"5.0"}]}`, true},
		{"NE", `"n":{"ComparisonOperator":"NE","AttributeValueList":[{"N":"5"}]}`, false},
		{"NE of another type", `"n":{"ComparisonOperator":"NE","AttributeValueList":[{"S":"5"}]}`,
			true},
		{"LT", `"n":{"ComparisonOperator":"LT","AttributeValueList":[{"N":"10"}]}`, true},
		{"LE", `"n":{"ComparisonOperator":"LE","AttributeValueList":[{"N":"4"}]}`, false},
		{"GT", `"s":{"ComparisonOperator":"GT","AttributeValueList":[{"S":"hell"}]}`, true},
		{"GE", `"s":{"ComparisonOperator":"GE","AttributeValueList":[{"S":"hello"}]}`, true},
		{"BETWEEN",
			`"n":{"ComparisonOperator":"BETWEEN","AttributeValueList":[{"N":"4"},{"N":"6"}]}`,
			true},
		{"IN", `"n":{"ComparisonOperator":"IN","AttributeValueList":[{"N":"4"},{"N":"5"}]}`, true},
		{"NULL", `"x":{"ComparisonOperator":"NULL"}`, true},
		{"NULL of an attribute", `"n":{"ComparisonOperator":"NULL"}`, false},
		{"NOT_NULL", `"n":{"ComparisonOperator":"NOT_NULL"}`, true},
		{"CONTAINS in a string",
			`"s":{"ComparisonOperator":"CONTAINS","AttributeValueList":[{"S":"ell"}]}`, true},
		{"CONTAINS in a set",
			`"ss":{"ComparisonOperator":"CONTAINS","AttributeValueList":[{"S":"x"}]}`, true},
		{"CONTAINS in a list",
			`"l":{"ComparisonOperator":"CONTAINS","AttributeValueList":[{"S":"x"}]}`, true},
		{"NOT_CONTAINS",
			`"ss":{"ComparisonOperator":"NOT_CONTAINS","AttributeValueList":[{"S":"q"}]}`, true},
		{"NOT_CONTAINS of an element",
			`"ss":{"ComparisonOperator":"NOT_CONTAINS","AttributeValueList":[{"S":"x"}]}`, false},
		{"BEGINS_WITH",
			`"s":{"ComparisonOperator":"BEGINS_WITH","AttributeValueList":[{"S":"hel"}]}`, true},
		{"BEGINS_WITH of a binary",
			`"b":{"ComparisonOperator":"BEGINS_WITH","AttributeValueList":[{"B":"AQI="}]}`, true},
		{"two of which one fails", `"s":{"Value":{"S":"hello"}},"n":{"Value":{"N":"6"}}`, false},
		{"two that hold", `"s":{"Value":{"S":"hello"}},"n":{"Value":{"N":"5"}}`, true},
	}
	var cases []kase
	for _, c := range conditions {
		k := kase{name: c.name, given: []string{item}, in: `{@key,"Expected":{` + c.expected + `}}`,
			want: `{}`, then: "none"}
		if !c.holds {
			k.want, k.err, k.then = "", conditionFailed, item
		}
		cases = append(cases, k)
	}
	run(t, defaults{
		src: "Developer Guide, Legacy conditional parameters, Expected", table: "hash",
		op: "DeleteItem",
	}, cases)
	run(t, defaults{
		src: "Developer Guide, Legacy conditional parameters, ConditionalOperator", table: "hash",
		op: "PutItem",
	}, []kase{
		{name: "OR with one true condition", given: []string{item},
			in: `{"Item":{@pk},"ConditionalOperator":"OR","Expected":{"s":{"Value":{"S":"x"}},"n":{"Value":{"N":"5"}}}}`, want: `{}`, then: `{@pk}`},
		{name: "OR without a true condition", given: []string{item},
			in: `{"Item":{@pk},"ConditionalOperator":"OR","Expected":{"s":{"Value":{"S":"x"}},"n":{"Value":{"N":"6"}}}}`, err: conditionFailed},
		{name: "AND", given: []string{item},
			in: `{"Item":{@pk},"ConditionalOperator":"AND","Expected":{"s":{"Value":{"S":"hello"}},"n":{"Value":{"N":"5"}}}}`, want: `{}`},
		{name: "ConditionalOperator with one of Expected",
			in:  `{"Item":{@pk},"ConditionalOperator":"OR","Expected":{"x":{"Exists":false}}}`,
			err: "Invalid: ConditionalOperator can only be used when Filter or Expected has two or more elements"},
		{name: "ConditionalOperator alone", in: `{"Item":{@pk},"ConditionalOperator":"OR"}`,
			err: "Invalid: ConditionalOperator cannot be used without Filter or Expected"},
		{name: "ConditionalOperator with no Expected",
			in:  `{"Item":{@pk},"ConditionalOperator":"OR","Expected":{}}`,
			err: "Invalid: ConditionalOperator cannot be used without Filter or Expected"},
		{name: "unknown ConditionalOperator",
			in:  `{"Item":{@pk},"ConditionalOperator":"XOR","Expected":{"x":{"Exists":false},"y":{"Exists":false}}}`,
			err: "ValidationException: 1 validation error detected: Failed to satisfy constraint: Member must satisfy enum value set: [ALL, OR]"},
		{name: "Exists without Value", in: `{"Item":{@pk},"Expected":{"a":{"Exists":true}}}`,
			err: "Invalid: One or more parameter values were invalid: Value must be provided when Exists is true for Attribute: a"},
		{name: "nothing", in: `{"Item":{@pk},"Expected":{"a":{}}}`,
			err: "Invalid: One or more parameter values were invalid: Value must be provided when Exists is null for Attribute: a"},
		{name: "not Exists with Value",
			in:  `{"Item":{@pk},"Expected":{"a":{"Exists":false,"Value":{"S":"x"}}}}`,
			err: "Invalid: One or more parameter values were invalid: Value cannot be used when Exists is false for Attribute: a"},
		{name: "Exists and ComparisonOperator",
			in: `{"Item":{@pk},"Expected":{"a":{"Exists":true,"ComparisonOperator":"EQ","AttributeValueList":[{"S":"x"}]}}}`, err: "Invalid: One or more parameter values were invalid: Exists and ComparisonOperator cannot be used together for Attribute: a"},
		{name: "Value and AttributeValueList",
			in: `{"Item":{@pk},"Expected":{"a":{"Value":{"S":"x"},"ComparisonOperator":"EQ","AttributeValueList":[{"S":"x"}]}}}`, err: "Invalid: One or more parameter values were invalid: Value and AttributeValueList cannot be used together for Attribute: a"},
		{name: "AttributeValueList without ComparisonOperator",
			in:  `{"Item":{@pk},"Expected":{"a":{"AttributeValueList":[{"S":"x"}]}}}`,
			err: "Invalid: One or more parameter values were invalid: AttributeValueList can only be used with a ComparisonOperator for Attribute: a"},
		{name: "EQ without a value",
			in:  `{"Item":{@pk},"Expected":{"a":{"ComparisonOperator":"EQ"}}}`,
			err: "Invalid: One or more parameter values were invalid: Value or AttributeValueList must be used with ComparisonOperator: EQ for Attribute: a"},
		{name: "EQ of two values",
			in: `{"Item":{@pk},"Expected":{"a":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"x"},{"S":"y"}]}}}`, err: "Invalid: One or more parameter values were invalid: Invalid number of argument(s) for the EQ ComparisonOperator"},
		{name: "BETWEEN of one value",
			in: `{"Item":{@pk},"Expected":{"a":{"ComparisonOperator":"BETWEEN","AttributeValueList":[{"S":"x"}]}}}`, err: "Invalid: One or more parameter values were invalid: Invalid number of argument(s) for the BETWEEN ComparisonOperator"},
		{name: "NULL of one value",
			in: `{"Item":{@pk},"Expected":{"a":{"ComparisonOperator":"NULL","AttributeValueList":[{"S":"x"}]}}}`, err: "Invalid: One or more parameter values were invalid: Invalid number of argument(s) for the NULL ComparisonOperator"},
		{name: "LT of a set",
			in: `{"Item":{@pk},"Expected":{"a":{"ComparisonOperator":"LT","AttributeValueList":[{"SS":["x"]}]}}}`, err: "Invalid: One or more parameter values were invalid: ComparisonOperator LT is not valid for SS AttributeValue type"},
		{name: "BEGINS_WITH of a number",
			in: `{"Item":{@pk},"Expected":{"a":{"ComparisonOperator":"BEGINS_WITH","AttributeValueList":[{"N":"1"}]}}}`, err: "Invalid: One or more parameter values were invalid: ComparisonOperator BEGINS_WITH is not valid for N AttributeValue type"},
		{name: "BETWEEN of two types",
			in: `{"Item":{@pk},"Expected":{"a":{"ComparisonOperator":"BETWEEN","AttributeValueList":[{"N":"1"},{"S":"2"}]}}}`, err: "Invalid: One or more parameter values were invalid: AttributeValues inside AttributeValueList must be of same type"},
		{name: "BETWEEN in the wrong order",
			in: `{"Item":{@pk},"Expected":{"a":{"ComparisonOperator":"BETWEEN","AttributeValueList":[{"N":"2"},{"N":"1"}]}}}`, err: "Invalid: The BETWEEN condition was provided a range where the lower bound is greater than the upper bound"},
		{name: "unknown ComparisonOperator",
			in: `{"Item":{@pk},"Expected":{"a":{"ComparisonOperator":"LIKE","AttributeValueList":[{"S":"x"}]}}}`, src: "service facts F.11",
			err: wrongOperator},
	})
}

// TestMixedParameters: a request cannot have both legacy parameters and expressions.
func TestMixedParameters(t *testing.T) {
	t.Parallel()
	const mixed = "Invalid: Can not use both expression and non-expression parameters in the same request: Non-expression parameters: "
	expected := `"Expected":{"a":{"Exists":false}}`
	condition := `"ConditionExpression":"attribute_not_exists(a)"`
	run(t, defaults{src: "Developer Guide, Legacy conditional parameters", table: "hash"}, []kase{
		{name: "put with both conditions", op: "PutItem",
			in:  `{"Item":{@pk},` + expected + `,` + condition + `}`,
			err: mixed + "{Expected} Expression parameters: {ConditionExpression}"},
		{name: "delete with both conditions", op: "DeleteItem",
			in:  `{@key,` + expected + `,` + condition + `}`,
			err: mixed + "{Expected} Expression parameters: {ConditionExpression}"},
		{name: "update with both updates", op: "UpdateItem",
			in:  `{@key,"AttributeUpdates":{"a":{"Value":{"N":"1"}}},"UpdateExpression":"REMOVE a"}`,
			err: mixed + "{AttributeUpdates} Expression parameters: {UpdateExpression}"},
		{name: "update with a legacy condition and an update expression", op: "UpdateItem",
			in:  `{@key,` + expected + `,"UpdateExpression":"REMOVE a"}`,
			err: mixed + "{Expected} Expression parameters: {UpdateExpression}"},
		{name: "update with all four", op: "UpdateItem",
			in: `{@key,"AttributeUpdates":{"a":{"Value":{"N":"1"}}},` + expected +
				`,"UpdateExpression":"REMOVE a",` + condition + `}`,
			err: mixed +
				"{AttributeUpdates, Expected} Expression parameters: {UpdateExpression, ConditionExpression}"},
		{name: "get with both projections", op: "GetItem",
			in:  `{@key,"AttributesToGet":["a"],"ProjectionExpression":"a"}`,
			err: mixed + "{AttributesToGet} Expression parameters: {ProjectionExpression}"},
		{name: "scan with both filters", op: "Scan",
			in: `{"ScanFilter":{"a":{"ComparisonOperator":"NULL"}},"FilterExpression":"attribute_not_exists(a)"}`, err: mixed + "{ScanFilter} Expression parameters: {FilterExpression}"},
		{name: "scan with all", op: "Scan",
			in: `{"AttributesToGet":["a"],"ConditionalOperator":"OR","ScanFilter":{"a":{"ComparisonOperator":"NULL"}},"FilterExpression":"attribute_not_exists(a)","ProjectionExpression":"a"}`, err: mixed + "{AttributesToGet, ScanFilter, ConditionalOperator} Expression parameters: {ProjectionExpression, FilterExpression}"},
		{name: "query with both key conditions", op: "Query",
			in: `{"KeyConditions":{"pk":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"a"}]}},"KeyConditionExpression":"pk = :a","ExpressionAttributeValues":{":a":{"S":"a"}}}`, err: mixed + "{KeyConditions} Expression parameters: {KeyConditionExpression}"},
		{name: "query with a legacy filter", op: "Query",
			in: `{"QueryFilter":{"a":{"ComparisonOperator":"NULL"}},"KeyConditionExpression":"pk = :a","ExpressionAttributeValues":{":a":{"S":"a"}}}`, err: mixed + "{QueryFilter} Expression parameters: {KeyConditionExpression}"},
	})
}
