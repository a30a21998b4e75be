package isolation

import (
	"fmt"
	"maps"

	"github.com/kugiri-db/kugiri/conventions"
)

// play is a request for a target.
type play struct {
	operation string
	body      object
	writes    bool // what is the target's
}

// plays returns the requests for items by a key. own is a key of tenant A in the same table, or
// nil. Requests with several parts begin with it.
func plays(t, own *target) (all []play) {
	if t.place.index != "" {
		return append(readsOfIndex(t), plants(t, own)...)
	}
	return append(append(reads(t, own), writes(t, own)...), statements(t, own)...)
}

// keyIn returns the primary key of a target's item.
func keyIn(t *target) object {
	at := t.place
	if at.shown != nil {
		at = at.shown
	}
	key := object{at.key.Partition: t.item[at.key.Partition]}
	if at.key.Sort != "" {
		key[at.key.Sort] = t.item[at.key.Sort]
	}
	return key
}

// parts returns the keys of a request with several parts.
func parts(t, own *target) []object {
	if own == nil || own.place != t.place || own.pk == t.pk && own.sk == t.sk {
		return []object{keyIn(t)}
	}
	return []object{keyIn(own), keyIn(t)}
}

func reads(t, own *target) []play {
	table, key := t.place.table, keyIn(t)
	var gets []any
	for _, k := range parts(t, own) {
		gets = append(gets, object{"Get": object{"TableName": table, "Key": k}})
	}
	all := []play{
		{operation: "GetItem", body: object{"TableName": table, "Key": key}},
		{operation: "GetItem", body: object{"TableName": table, "Key": key,
			"ProjectionExpression": secret, "ReturnConsumedCapacity": "TOTAL"}},
		{operation: "BatchGetItem", body: object{"RequestItems": object{
			table: object{"Keys": parts(t, own)}}}},
		{operation: "TransactGetItems", body: object{"TransactItems": gets}},
	}
	return append(all, queries(t, object{"TableName": table})...)
}

// readsOfIndex returns the reads of a target of an index.
func readsOfIndex(t *target) []play {
	in := object{"TableName": t.place.table, "IndexName": t.place.index}
	source := fmt.Sprintf(`"%s"."%s"`, t.place.table, t.place.index)
	return append(queries(t, in), selects(t, source)...)
}

// queries asks for a target's partition in the ways that there are.
func queries(t *target, in object) (all []play) {
	k := t.place.key
	ask := func(more object) {
		body := maps.Clone(in)
		maps.Copy(body, more)
		all = append(all, play{operation: "Query", body: body})
	}
	names := object{"#p": k.Partition}
	values := object{":p": text(t.pk)}
	ask(object{"KeyConditionExpression": "#p = :p", "ExpressionAttributeNames": names,
		"ExpressionAttributeValues": values})
	ask(object{"KeyConditionExpression": "#p = :p", "ExpressionAttributeNames": names,
		"ExpressionAttributeValues": values, "Select": "COUNT", "ScanIndexForward": false})
	legacy := object{k.Partition: object{"ComparisonOperator": "EQ",
		"AttributeValueList": []any{text(t.pk)}}}
	ask(object{"KeyConditions": legacy})
	if k.Sort == "" {
		return all
	}
	names = object{"#p": k.Partition, "#s": k.Sort}
	for _, c := range []struct{ condition, value string }{
		{"#s = :s", t.sk}, {"begins_with(#s, :s)", t.sk[:1]}, {"#s <= :s", t.sk},
		{"#s BETWEEN :s AND :s", t.sk}, {"begins_with(#s, :s)", t.sk[:len(t.sk)-1]},
	} {
		if c.value == "" {
			continue
		}
		ask(object{"KeyConditionExpression": "#p = :p AND " + c.condition,
			"ExpressionAttributeNames":  names,
			"ExpressionAttributeValues": object{":p": text(t.pk), ":s": text(c.value)}})
	}
	return all
}

func writes(t, own *target) []play {
	table, key := t.place.table, keyIn(t)
	it := maps.Clone(t.item)
	it["note"] = text("planted")
	put := object{"TableName": table, "Item": it}
	update := object{"TableName": table, "Key": key, "UpdateExpression": "SET note = :n",
		"ExpressionAttributeValues": object{":n": text("planted")}}
	remove := object{"TableName": table, "Key": key}
	all := []play{{"PutItem", put, true}, {"UpdateItem", update, true},
		{"UpdateItem", object{"TableName": table, "Key": key, "AttributeUpdates": object{
			"note": object{"Action": "PUT", "Value": text("planted")}}}, true},
		{"DeleteItem", remove, true}}
	for _, w := range []struct {
		operation string
		body      object
	}{{"PutItem", put}, {"UpdateItem", update}, {"DeleteItem", remove}} {
		for _, condition := range []string{"attribute_exists(kugiriProofSecret)",
			"attribute_not_exists(kugiriProofSecret)"} {
			body := maps.Clone(w.body)
			body["ConditionExpression"] = condition
			body["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
			all = append(all, play{w.operation, body, true})
		}
	}
	all = append(all,
		play{"BatchWriteItem", object{"RequestItems": object{table: []any{
			object{"PutRequest": object{"Item": it}}}}}, true},
		play{"BatchWriteItem", object{"RequestItems": object{table: []any{
			object{"DeleteRequest": object{"Key": key}}}}}, true})
	check := maps.Clone(remove)
	check["ConditionExpression"] = "attribute_exists(kugiriProofSecret)"
	check["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
	for _, action := range []object{{"Put": put}, {"Update": update}, {"Delete": remove},
		{"ConditionCheck": check}} {
		var actions []any
		if keys := parts(t, own); len(keys) > 1 {
			actions = append(actions, object{"ConditionCheck": object{"TableName": table,
				"Key": keys[0], "ConditionExpression": "attribute_exists(kugiriProofSecret)"}})
		}
		_, checks := action["ConditionCheck"]
		all = append(all, play{"TransactWriteItems",
			object{"TransactItems": append(actions, action)}, !checks})
	}
	return all
}

// plants puts an item of A into an index under the key of another one.
func plants(t, own *target) []play {
	if own == nil {
		return nil
	}
	it, k := maps.Clone(own.item), t.place.key
	it[k.Partition] = text(t.pk)
	set, values, names := "SET #p = :p", object{":p": text(t.pk)}, object{"#p": k.Partition}
	if k.Sort != "" {
		it[k.Sort] = text(t.sk)
		set, values[":s"], names["#s"] = set+", #s = :s", text(t.sk), k.Sort
	}
	table := t.place.table
	return []play{{"PutItem", object{"TableName": table, "Item": it}, true},
		{"UpdateItem", object{"TableName": table, "Key": keyIn(own), "UpdateExpression": set,
			"ExpressionAttributeValues": values, "ExpressionAttributeNames": names}, true},
		{"BatchWriteItem", object{"RequestItems": object{table: []any{
			object{"PutRequest": object{"Item": it}}}}}, true},
		{"TransactWriteItems", object{"TransactItems": []any{
			object{"Put": object{"TableName": table, "Item": it}}}}, true}}
}

// where is the condition of a statement on a target's key, and its parameters.
func where(t *target) (condition string, parameters []any) {
	k := t.place.key
	condition, parameters = fmt.Sprintf(`"%s" = ?`, k.Partition), []any{text(t.pk)}
	if k.Sort != "" {
		condition += fmt.Sprintf(` AND "%s" = ?`, k.Sort)
		parameters = append(parameters, text(t.sk))
	}
	return condition, parameters
}

// selects reads a target by statements.
func selects(t *target, source string) []play {
	condition, parameters := where(t)
	partition := fmt.Sprintf(`"%s" = ?`, t.place.key.Partition)
	var all []play
	ask := func(condition string, parameters ...any) {
		statement := object{"Statement": "SELECT * FROM " + source + " WHERE " + condition,
			"Parameters": parameters}
		all = append(all, play{operation: "ExecuteStatement", body: statement})
	}
	ask(condition, parameters...)
	ask(partition, text(t.pk))
	ask(partition+" OR "+partition, text(t.pk), text("PROOF#x"))
	ask(fmt.Sprintf(`"%s" IN [?, ?]`, t.place.key.Partition), text(t.pk), text("PROOF#x"))
	ask(secret+" = ?", text("secret of "+t.owner))
	return all
}

func statements(t, own *target) []play {
	table := fmt.Sprintf(`"%s"`, t.place.table)
	all := selects(t, table)
	condition, parameters := where(t)
	read := object{"Statement": "SELECT * FROM " + table + " WHERE " + condition,
		"Parameters": parameters}
	several := []any{read}
	if keys := parts(t, own); len(keys) > 1 {
		of, by := where(own)
		several = []any{object{"Statement": "SELECT * FROM " + table + " WHERE " + of,
			"Parameters": by}, read}
	}
	all = append(all,
		play{operation: "BatchExecuteStatement", body: object{"Statements": several}},
		play{operation: "ExecuteTransaction", body: object{"TransactStatements": several}})
	value, inserted := insertion(t)
	for _, statement := range []object{
		{"Statement": "INSERT INTO " + table + " VALUE " + value, "Parameters": inserted},
		{"Statement": "UPDATE " + table + " SET note = 'planted' WHERE " + condition +
			" RETURNING ALL OLD *", "Parameters": parameters},
		{"Statement": "DELETE FROM " + table + " WHERE " + condition + " RETURNING ALL OLD *",
			"Parameters": parameters},
	} {
		all = append(all, play{"ExecuteStatement", statement, true})
		in := object{"Statement": statement["Statement"], "Parameters": statement["Parameters"]}
		all = append(all, play{"BatchExecuteStatement", object{"Statements": []any{in}}, true})
	}
	return all
}

// insertion is the item of an INSERT.
func insertion(t *target) (value string, parameters []any) {
	k := t.place.key
	value, parameters = fmt.Sprintf("{'%s': ?", k.Partition), []any{text(t.pk)}
	if k.Sort != "" {
		value, parameters = value+fmt.Sprintf(", '%s': ?", k.Sort), append(parameters, text(t.sk))
	}
	return value + "}", parameters
}

// scans returns the requests for all of a place.
func scans(p *place) []play {
	in := object{"TableName": p.table}
	source := fmt.Sprintf(`"%s"`, p.table)
	if p.index != "" {
		in["IndexName"], source = p.index, source+fmt.Sprintf(`."%s"`, p.index)
	}
	all := []play{{operation: "ExecuteStatement", body: object{"Statement": "SELECT * FROM " +
		source}}}
	for _, more := range []object{{}, {"Select": "COUNT"}, {"Segment": 0, "TotalSegments": 1},
		{"FilterExpression": "attribute_exists(" + secret + ")"}, {"Limit": 1}} {
		body := maps.Clone(in)
		maps.Copy(body, more)
		all = append(all, play{operation: "Scan", body: body})
	}
	vectors := object{"TableName": p.table, "IndexName": p.index, "TopK": 1,
		"SearchVector": []any{1.0}}
	if p.index == "" {
		if p.undeclared == "" {
			return all
		}
		vectors["IndexName"] = p.undeclared
		bySecret := object{"TableName": p.table, "IndexName": p.undeclared}
		all = append(all, play{operation: "Scan", body: bySecret})
	}
	return append(all, play{operation: "SearchVectors", body: vectors})
}

// isShared reports whether a target is common and only privileged callers write it.
func (t *target) isShared() bool { return t.owner == conventions.TenantCommon && !t.writable }
