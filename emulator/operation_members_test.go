package emulator

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/conventions/catalog"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/observe"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/storage/item"
)

// member is a scalar somewhere in the input of an operation.
type member struct {
	path  string        // "GetItem.TableName"
	name  string        // the name of the member and of its type
	in    any           // an input with nothing but what leads to the member
	value reflect.Value // the member in it
}

// membersOf calls f for each scalar in a shape, keys of maps included. at returns the
// shape in a new input, and that input.
func membersOf(path string, shape reflect.Type, at func() (v reflect.Value, in any),
	f func(member)) {
	switch {
	case isValue(shape):
	case shape.Kind() == reflect.Pointer:
		membersOf(path, shape.Elem(), func() (reflect.Value, any) {
			v, in := at()
			v.Set(reflect.New(shape.Elem()))
			return v.Elem(), in
		}, f)
	case shape.Kind() == reflect.Slice && shape.Elem().Kind() != reflect.Uint8:
		membersOf(path+"[]", shape.Elem(), func() (reflect.Value, any) {
			v, in := at()
			v.Set(reflect.MakeSlice(shape, 1, 1))
			return v.Index(0), in
		}, f)
	case shape.Kind() == reflect.Struct:
		for i := range shape.NumField() {
			field := shape.Field(i)
			if field.IsExported() {
				membersOf(path+"."+field.Name, field.Type, func() (reflect.Value, any) {
					v, in := at()
					return v.Field(i), in
				}, f)
			}
		}
	default:
		v, in := at()
		f(member{path: path, name: path[strings.LastIndexByte(path, '.')+1:] + " " + shape.Name(),
			in: in, value: v})
	}
}

// isValue reports whether a type is that of attribute values or items, which name nothing.
func isValue(t reflect.Type) bool {
	return t == reflect.TypeFor[item.Attributes]() || t == reflect.TypeFor[api.AttributeValue]()
}

// inputMembers are the members of an operation's input.
func inputMembers(o *serve.Operation) (list []member) {
	membersOf(o.Name, o.Input, func() (reflect.Value, any) {
		p := reflect.New(o.Input)
		return p.Elem(), p.Interface()
	}, func(m member) { list = append(list, m) })
	return list
}

// namesResource matches the names of members, or of their types, that name a table, an index or
// something of a table.
var namesResource = regexp.MustCompile(
	`(?i)(tablename|indexname|arn|arnstring|sharditerator|statement)\b`)

// noTargets has the members with such a name that observers and faults do not learn of, and why.
var noTargets = map[string]string{
	"index definition":    `^(Create|Update|Restore|Import)Table\w*\..*Index(es|Updates|Override)\[\].*\.IndexName$`,
	"setting":             `^(Create|Update)Table\.(GlobalTableSourceArn|ReplicaUpdates.*|.*GlobalTableWitness.*)$`,
	"Kinesis data stream": `^(En|Dis)ableKinesisStreamingDestination\.StreamArn$|^UpdateKinesisStreamingDestination\.StreamArn$`,
	"scaling":             `^(UpdateGlobalTableSettings|UpdateTableReplicaAutoScaling)\..*\.(IndexName|AutoScalingRoleArn)$`,
	"where a list begins": `^(ListTables\.ExclusiveStartTableName|ListGlobalTables\.ExclusiveStartGlobalTableName|` +
		`ListStreams\.ExclusiveStartStreamArn|ListBackups\.ExclusiveStartBackupArn)$`,
}

// targetsKnown are the table names and the indexes that an operation tells of an input.
func targetsKnown(o *serve.Operation, in any) (tables, indexes []string, eventual bool) {
	c := &serve.Call{
		Service: New().service, Owner: arn.Owner{Account: "000000000000", Region: "us-east-1"},
		Operation: o,
	}
	c.Event = observe.New()
	c.NameTables(in)
	for _, t := range c.Targets(in) {
		indexes = append(indexes, t.Index)
		eventual = eventual || t.Eventual
	}
	return c.Event.Tables, indexes, eventual
}

// excuse returns why a member is not among the targets, or "" if it has to be.
func excuse(path string) string {
	for why, pattern := range noTargets {
		if regexp.MustCompile(pattern).MatchString(path) {
			return why
		}
	}
	return ""
}

// probes are values of a member that name the table or the index "probe".
func probes(name string) []string {
	const arn = "arn:aws:dynamodb:us-east-1:000000000000:table/probe"
	switch {
	case strings.Contains(name, "Statement"):
		return []string{"SELECT * FROM probe", "DELETE FROM probe WHERE pk = 'a'"}
	case strings.Contains(name, "IndexName"):
		return []string{"probe"}
	case strings.Contains(name, "Stream"):
		return []string{arn + "/stream/2026-01-01T00:00:00.000"}
	case strings.Contains(name, "Iterator"):
		return []string{arn + "/stream/2026-01-01T00:00:00.000|1|x"}
	}
	return []string{"probe", arn}
}

// TestTargetsAreOfEveryMember: a member that names a table or an index, and that the operation's
// targets do not tell of, is a member that was forgotten.
func TestTargetsAreOfEveryMember(t *testing.T) {
	excused, told := map[string]int{}, 0
	for i := range operations {
		o := &operations[i]
		for _, m := range inputMembers(o) {
			if m.value.Kind() != reflect.String || !namesResource.MatchString(m.name) {
				continue
			}
			if why := excuse(m.path); why != "" {
				excused[why]++
				continue
			}
			for _, value := range probes(m.name) {
				m.value.SetString(value)
				tables, indexes, _ := targetsKnown(o, m.in)
				assert.True(t, slices.Contains(append(tables, indexes...), "probe"), "%s %q",
					m.path, value)
				told++
			}
		}
	}
	assert.Len(t, excused, len(noTargets), "each excuse is needed")
	assert.Greater(t, told, 40)
}

// TestTargetsAreEventual: a request that may ask for consistent reads and does not gets faults of
// reads that are not.
func TestTargetsAreEventual(t *testing.T) {
	n := 0
	for i := range operations {
		o := &operations[i]
		if !slices.ContainsFunc(inputMembers(o),
			func(m member) bool { return strings.HasSuffix(m.path, ".ConsistentRead") }) {
			_, _, eventual := targetsKnown(o, filled(o.Input, false))
			// only indexes of vectors lag
			assert.Equal(t, o.Name == "SearchVectors", eventual, o.Name)
			continue
		}
		n++
		for _, consistent := range []bool{false, true} {
			_, _, eventual := targetsKnown(o, filled(o.Input, consistent))
			assert.Equal(t, !consistent, eventual, "%s, ConsistentRead: %t", o.Name, consistent)
		}
	}
	assert.Equal(t, 6, n)
}

// filled is an input with all its members, of each list one, and all booleans alike.
func filled(input reflect.Type, yes bool) any {
	var fill func(v reflect.Value)
	fill = func(v reflect.Value) {
		if isValue(v.Type()) {
			return
		}
		switch v.Kind() {
		case reflect.Pointer:
			v.Set(reflect.New(v.Type().Elem()))
			fill(v.Elem())
		case reflect.Slice:
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
			fill(v.Index(0))
		case reflect.Struct:
			for i := range v.NumField() {
				if v.Type().Field(i).IsExported() {
					fill(v.Field(i))
				}
			}
		case reflect.Bool:
			v.SetBool(yes)
		}
	}
	in := reflect.New(input)
	fill(in.Elem())
	return in.Interface()
}

// TestOperationsOnItemsBorrow: it is they whose requests are many. Statements keep what they parse.
func TestOperationsOnItemsBorrow(t *testing.T) {
	for _, o := range operations {
		assert.Equal(t, o.Subject == catalog.Items && o.Access != catalog.Either, o.Borrows, o.Name)
	}
}
