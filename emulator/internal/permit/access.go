package permit

import (
	"reflect"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/conventions/catalog"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/expr/partiql"
	"github.com/kugiri-db/kugiri/storage/item"
)

// Access is one permission that a request needs.
type Access struct {
	Action   string // the action, without "dynamodb:"
	Resource string // ARN, or "*"
	region   string // the resource's region, if it is not that of the request; "" if it is
	part     int    // number of the action or statement that needs it
	inside   string // the operation that the action is part of, "" if it is the operation

	// What the context keys of fine-grained access control are taken from.
	parts     []reflect.Value // structures with members such as Key and ProjectionExpression
	statement *partiql.Statement
	params    []item.Value
}

// accesses returns the permissions that a request needs, by what package catalog says of its
// operation. It leaves out what the operation refuses because it cannot be read.
func accesses(c *serve.Call, in any) []Access {
	a := accessList{call: c, in: reflect.ValueOf(in).Elem()}
	a.collect()
	if len(a.list) == 0 {
		a.on("*")
	}
	return a.list
}

// accessList collects the permissions that a request needs.
type accessList struct {
	call *serve.Call
	in   reflect.Value // structure of the input
	list []Access
}

func (a *accessList) collect() {
	switch a.call.Operation.Needs {
	case catalog.OnTables:
		a.onTables()
	case catalog.OnSource:
		a.onSource()
	case catalog.OnAllTables:
		a.on(a.call.TableARN("*"))
	case catalog.OnEachAction:
		a.onEachAction()
	case catalog.OnStatements:
		a.onStatements()
	case catalog.OnStream, catalog.OnBackup, catalog.OnExport, catalog.OnImport, catalog.OnBulk:
		a.onNamed("StreamArn", "ShardIterator", "BackupArn", "ExportArn", "ImportArn",
			"BulkOperationArn")
	case catalog.OnStreams:
		a.onStreams()
	case catalog.OnRestored:
		a.onRestored()
	case catalog.OnGlobalTable:
		a.onGlobalTable()
	}
}

// on adds the permission of the operation on a resource.
func (a *accessList) on(resource string) { a.action(a.call.Operation.Name, resource) }

// action adds a permission that is not that of a part of the request.
func (a *accessList) action(action, resource string) {
	a.list = append(a.list,
		Access{Action: action, Resource: resource, parts: []reflect.Value{a.in}})
}

// arnOf returns the ARN of a table that a request calls by its name or ARN.
func (a *accessList) arnOf(table string) string {
	if strings.HasPrefix(table, "arn:") {
		return table
	}
	return a.call.TableARN(table)
}

// onTables adds the tables of a batch, or the one table of the request.
func (a *accessList) onTables() {
	if entries := a.in.FieldByName("RequestItems"); entries.IsValid() {
		for i := range entries.Len() {
			a.onEntry(entries.Index(i))
		}
		return
	}
	from := a.in
	if nested := structIn(a.in, "TableCreationParameters"); nested.IsValid() {
		from = nested
	}
	for _, name := range [...]string{"TableName", "ResourceArn", "TableArn"} {
		if table := textIn(from, name); table != "" {
			a.on(a.arnOf(table))
			a.alsoOnCreation(a.arnOf(table))
			a.alsoOnReplicas(a.arnOf(table))
			return
		}
	}
}

// alsoOnCreation adds what CreateTable needs for tags and for a resource-based policy (API
// Reference, CreateTable, Tags and ResourcePolicy), and on a replica of a table of another account
// (Service Authorization Reference, CreateTable).
func (a *accessList) alsoOnCreation(table string) {
	if a.call.Operation.Name != "CreateTable" {
		return
	}
	if a.in.FieldByName("Tags").Len() > 0 {
		a.action("TagResource", table)
	}
	if textIn(a.in, "ResourcePolicy") != "" {
		a.action("PutResourcePolicy", table)
	}
	if textIn(a.in, "GlobalTableSourceArn") != "" {
		a.action("CreateTableReplica", table)
		for _, action := range actionsOnItems {
			a.action(action, table)
		}
	}
}

// onEntry adds an entry of a batch: a table and its keys or writes.
func (a *accessList) onEntry(entry reflect.Value) {
	need := Access{
		Action: a.call.Operation.Name, Resource: a.arnOf(entry.FieldByName("Key").String()),
	}
	value := entry.FieldByName("Value")
	if value.Kind() == reflect.Struct {
		need.parts = append(need.parts, value)
	} else {
		for i := range value.Len() {
			for _, name := range [...]string{"PutRequest", "DeleteRequest"} {
				if part := structIn(value.Index(i), name); part.IsValid() {
					need.parts = append(need.parts, part)
				}
			}
		}
	}
	a.list = append(a.list, need)
}

// onSource adds the table or the index that a request reads.
func (a *accessList) onSource() {
	source := a.arnOf(textIn(a.in, "TableName"))
	if index := textIn(a.in, "IndexName"); index != "" {
		source += "/index/" + index
	}
	a.on(source)
}

// actionsInside maps the members of an action of a transaction to the permissions.
var actionsInside = []struct{ member, action string }{
	{"Get", "GetItem"}, {"Put", "PutItem"}, {"Update", "UpdateItem"}, {"Delete", "DeleteItem"},
	{"ConditionCheck", "ConditionCheckItem"},
}

// onEachAction adds the actions of a transaction.
func (a *accessList) onEachAction() {
	items := a.in.FieldByName("TransactItems")
	for i := range items.Len() {
		for _, inside := range actionsInside {
			if part := structIn(items.Index(i), inside.member); part.IsValid() {
				a.list = append(a.list,
					Access{Action: inside.action,
						Resource: a.arnOf(textIn(part, "TableName")), part: i,
						inside: a.call.Operation.Name, parts: []reflect.Value{part}})
			}
		}
	}
}

// onNamed adds the resource that the first of some members names by its ARN.
func (a *accessList) onNamed(members ...string) {
	for _, name := range members {
		if arn := textIn(a.in, name); arn != "" {
			arn, _, _ = strings.Cut(arn, serve.IteratorVersion)
			a.on(arn)
			return
		}
	}
}

// onStreams adds the streams that ListStreams lists.
func (a *accessList) onStreams() {
	table := textIn(a.in, "TableName")
	if table == "" {
		table = "*"
	}
	a.on(a.arnOf(table) + "/stream/*")
}

// actionsOnItems lists the actions of a restore, and of the creation of a replica, on the new table
// (Service Authorization Reference, "Dependent actions").
var actionsOnItems = []string{"BatchWriteItem", "DeleteItem", "GetItem", "PutItem", "Query", "Scan",
	"UpdateItem"}

// onRestored adds the source of a restore and the new table.
func (a *accessList) onRestored() {
	target := a.arnOf(textIn(a.in, "TargetTableName"))
	if backup := textIn(a.in, "BackupArn"); backup != "" {
		a.onRestoredFrom(backup)
		a.on(target)
	}
	for _, name := range [...]string{"SourceTableArn", "SourceTableName"} {
		if source := textIn(a.in, name); source != "" {
			a.onRestoredFrom(a.arnOf(source))
		}
	}
	for _, action := range actionsOnItems {
		a.action(action, target)
	}
}

// onRestoredFrom adds the source of a restore, which may be in another region.
func (a *accessList) onRestoredFrom(source string) {
	a.on(source)
	a.list[len(a.list)-1].region = a.call.RestoreRegion(source)
}

// onGlobalTable adds a global table. To create one, or to add a replica, the tables of all replicas
// count as well (Developer Guide, "Using IAM with global tables").
func (a *accessList) onGlobalTable() {
	name := textIn(a.in, "GlobalTableName")
	global := "arn:" + a.call.Partition() + ":dynamodb::" + a.call.Account + ":global-table/" + name
	a.on(global)
	switch in := a.in.Addr().Interface().(type) {
	case *api.CreateGlobalTableInput:
		for _, r := range in.ReplicationGroup {
			a.inRegion(api.Deref(r.RegionName), a.arnOf(name), "CreateGlobalTable")
		}
	case *api.UpdateGlobalTableInput:
		a.onAdded(name, global, in)
	}
}

// onStatements adds the statements of a request.
func (a *accessList) onStatements() {
	if text := a.in.FieldByName("Statement"); text.IsValid() {
		a.onStatement(a.in, 0)
		return
	}
	for _, member := range [...]string{"Statements", "TransactStatements"} {
		if list := a.in.FieldByName(member); list.IsValid() {
			for i := range list.Len() {
				a.onStatement(list.Index(i), i)
			}
		}
	}
}

// statementActions maps the kinds of statements to the permissions. A condition of a transaction
// reads.
var statementActions = map[partiql.Kind]string{
	partiql.Select: "PartiQLSelect", partiql.Exists: "PartiQLSelect",
	partiql.Insert: "PartiQLInsert", partiql.Update: "PartiQLUpdate",
	partiql.Delete: "PartiQLDelete",
}

// onStatement adds a statement. One that cannot be parsed needs nothing: it is refused.
func (a *accessList) onStatement(in reflect.Value, part int) {
	text, params := textIn(in, "Statement"), paramsIn(in)
	s, err := partiql.ParseCached(text)
	if err != nil || len(params) < s.Params {
		return
	}
	need := Access{Action: statementActions[s.Kind], Resource: a.arnOf(s.Table), part: part,
		parts: []reflect.Value{in}, statement: s, params: params}
	if s.Index != "" {
		need.Resource += "/index/" + s.Index
	}
	if a.call.Operation.Name != "ExecuteStatement" {
		need.inside = a.call.Operation.Name
	}
	a.list = append(a.list, need)
}
