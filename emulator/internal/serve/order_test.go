package serve

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/internal/judgement"
)

// ordersOf returns the names of the steps of all orders of checks in a directory, by the name of
// the variable or function that has the order.
func ordersOf(t *testing.T, directory string) map[string][]string {
	t.Helper()
	orders := map[string][]string{}
	walk := func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") ||
			strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec:
				if names := stepsIn(t, n); names != nil {
					orders[file.Name.Name+"."+n.Names[0].Name] = names
				}
				return false
			case *ast.FuncDecl:
				if names := stepsIn(t, n); names != nil {
					orders[file.Name.Name+"."+n.Name.Name] = names
				}
				return false
			}
			return true
		})
		return nil
	}
	require.NoError(t, filepath.WalkDir(directory, walk))
	return orders
}

// stepsIn returns the names of the steps in a declaration.
func stepsIn(t *testing.T, declared ast.Node) (names []string) {
	ast.Inspect(declared, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		of, ok := call.Fun.(*ast.SelectorExpr)
		if ok && of.Sel.Name == "Step" && len(call.Args) == 3 {
			literal, ok := call.Args[0].(*ast.BasicLit)
			require.True(t, ok, "a step has its name as a literal")
			name, err := strconv.Unquote(literal.Value)
			require.NoError(t, err)
			names = append(names, name)
		}
		return true
	})
	return names
}

// TestOrders lists the orders of checks of all operations: run it with -v. Each step has a name of
// its own. That the facts of a step exist is checked where all citations are (conformance/facts).
func TestOrders(t *testing.T) {
	orders := ordersOf(t, filepath.Join("..", "feature"))
	for name, steps := range orders {
		t.Logf("%s\n\t%s", name, strings.Join(steps, "\n\t"))
		for i, step := range steps {
			assert.NotEmpty(t, step, name)
			assert.NotContains(t, steps[:i], step, name)
		}
	}
	for name, want := range map[string][]string{ // facts say that they are judged in this order
		"control.orderOfCreate": {"throughput", "keys and indexes", "tags"},
		"control.schemaOfCreate": {
			"how many indexes there are", "definitions that nothing uses", "each index",
		},
		"control.orderOfUpdate": {
			"updates that do not go together", "an empty list of index updates", "the class",
		},
		"control.stepsOfUpdate": {
			"definitions of attributes", "the capacity mode", "vector indexes",
		},
		"control.orderOfTags": {"that there are tags", "each tag"},
		"control.orderOfPolicies": {
			"the revision", "the interval, unless nothing changes",
		},
		"control.orderOfDocuments": {"resources", "actions", "access for everybody"},
		"control.orderOfDelete": {
			"the state, and what is changing", "protection", "a backup in progress",
		},
		"control.orderOfLeaving":        {"replicas that were copied from it"},
		"control.orderOfTagKeys":        {"that there are keys", "how many there are, and each key"},
		"control.orderOfGlobalSettings": {"the global table", "regions"},
		"control.orderOfReplicaSettings": {
			"units", "indexes", "the state, and what UpdateTable judges", "auto scaling",
		},
		"control.orderOfScaling":      {"the table and its state", "the capacity mode", "regions"},
		"insights.orderOfInsights":    {"the table", "the index", "the states of both"},
		"jobs.orderOfBulk":            {"the table and its state", "how many bulk puts are in progress"},
		"control.orderOfTTL":          {"the state", "what is asked for", "the interval"},
		"control.orderOfGlobal":       {"the name", "the regions"},
		"control.orderOfGlobalUpdate": {"the name", "no update", "each update"},
		"control.orderOfMember":       {"that there is a table", "keys and indexes"},
		"control.orderOfJoin":         {"the name", "tags"},
		"backups.orderOfRestore":      {"maxima", "encryption"},
		"backups.orderOfTimes":        {"both times", "no time"},
		"backups.orderOfBackupRestore": {
			"the backup", "the target", "another restore from the backup",
		},
		"backups.orderOfTimeRestore": {
			"the name of the source", "the source", "the time", "the target",
		},
		"backups.orderOfTarget": {"a table of that name", "how many restores are in progress"},
		"backups.orderOfBackup": {"the table and its state", "another backup in progress"},
		"backups.orderOfBackupDeletion": {
			"who made it", "its state", "a restore from it",
		},
		"backups.orderOfRecovery": {"a period without recovery"},
		"jobs.orderOfFormat":      {"options of another format"},
		"jobs.orderOfImport":      {"a table of that name", "how many imports are in progress"},
		"jobs.orderOfExport":      {"an empty ARN", "the ARN", "the type and the period"},
		"jobs.orderOfExported":    {"a period outside the life of the table", "recovery"},
		"kinesis.orderOfEnable": {
			"the table and its state", "all destinations and their states",
		},
		"kinesis.orderOfDisable": {
			"a configuration", "the table and its state", "the destination and its state",
		},
		"kinesis.orderOfUpdate": {
			"a configuration of nothing", "the table and its state",
			"the destination and its state", "the precision that it has",
		},
		"items.orderOfPut": {
			"ReturnValues", "parameters that do not go together", "the item", "the condition",
		},
		"items.orderOfItemDelete": {
			"ReturnValues", "parameters that do not go together", "the key", "the condition",
		},
		"items.orderOfItemUpdate": {"parameters that do not go together", "the key"},
		"items.orderOfGet":        {"parameters that do not go together", "the key"},
		"items.orderOfNewItem":    {"names", "values"},
		"items.orderOfQuery": {
			"AttributesToGet and the legacy filter", "names and values of ExclusiveStartKey",
			"that there is a key condition", "an empty filter or projection", "the key condition",
			"the filter, and then the projection", "Select",
		},
		"items.orderOfScan": {
			"AttributesToGet and the legacy filter", "names and values of ExclusiveStartKey",
			"the filter, and then the projection", "Select",
		},
		"items.orderOfQueried": {
			"the table, the index and the consistency", "attributes of ExclusiveStartKey",
			"the key condition", "the place of ExclusiveStartKey", "Select, and paths into keys",
		},
		"items.orderOfAction": {
			"names and values of expressions", "the text of the update",
			"the text of the condition", "the key, the item, and what expressions mean",
		},
		"items.orderOfBatchWrite": {
			"how many items there are", "each item, after the name of its table",
		},
		"items.orderOfBatchRead":   {"the keys", "the projection"},
		"items.orderOfTransactGet": {"the key", "the projection"},
		"items.orderOfSearch": {
			"TopK", "the vector", "values of expressions", "parameters that do not go together",
		},
		"items.orderOfResolving": {"tables", "items that occur twice, and keys"},
		"statements.orderOfStatement": {
			"values of parameters", "the text", "how many parameters there are",
		},
	} {
		steps := slices.DeleteFunc(slices.Clone(orders[name]),
			func(step string) bool { return !slices.Contains(want, step) })
		assert.Equal(t, want, steps, name)
		delete(orders, name)
	}
	assert.Empty(t, orders, "orders that this test does not know")
}

// TestOrder: the first check that fails answers.
func TestOrder(t *testing.T) {
	o := Order[string]{
		Step("first", "", func(in string) error { return failsOn(in, "a") }),
		Step("second", "", func(in string) error { return failsOn(in, "ab") }),
	}
	assert.NoError(t, o.Judge("c"))
	assert.EqualError(t, o.Judge("a"), "a")
	assert.EqualError(t, o.Judge("b"), "ab")
}

// TestByLayers: the table of judgement decides the order of steps, in whatever order they come.
func TestByLayers(t *testing.T) {
	step := func(name string, l judgement.Layer) Check[string] {
		return Step(name, "", func(in string) error { return failsOn(in, name) }).Of(l)
	}
	names := func(o Order[string]) (list []string) {
		for i := range o {
			list = append(list, o[i].Name)
		}
		return list
	}
	put := ByLayers("PutItem", step("text", judgement.Expressions), step("two", judgement.Joins),
		step("item", judgement.Items), step("also", judgement.Joins))
	assert.Equal(t, []string{"two", "also", "item", "text"}, names(put))
	assert.Equal(t, []string{"two", "also", "item"}, names(put.Before(judgement.Expressions)))
	action := ByLayers("TransactWriteItems", step("item", judgement.Items),
		step("text", judgement.Expressions))
	assert.Equal(t, []string{"text", "item"}, names(action), "another operation's order")
	assert.Panics(t, func() { ByLayers("GetItem", step("value", judgement.Values)) },
		"a layer that the operation does not have")
}

type failed string

func (f failed) Error() string { return string(f) }

func failsOn(in, of string) error {
	if strings.Contains(of, in) {
		return failed(of)
	}
	return nil
}
