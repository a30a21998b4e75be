package repository

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// reads are the methods of storage by which items, changes, and the names of tables and streams are
// read, as calls of them are written.
var reads = []string{"tx.Get", "tx.GetAll", "tx.Page", "tx.Vectors().Search",
	"tx.Streams().All", "tx.Streams().Changes", "tx.Tables().Names"}

// readElsewhere says why a feature reads by itself and not through enforce.Reading or
// enforce.Shown, by file.
var readElsewhere = map[string]string{
	"items/write_set.go":                    "the items before a write, which asks by its proposal",
	"items/transact_replay.go":              "the sizes of items: a replay answers no item",
	"items/expire_items.go":                 "no request: the deletion of expired items",
	"control/forget_old.go":                 "no request: tables whose deletion is over",
	"control/replication.go":                "no request: the replicas of a region",
	"control/replication_attempts.go":       "no request: the changes that a start finds waiting",
	"backups/restore.go":                    "how many restores are running",
	"insights/list_contributor_insights.go": "no tenant may call the operation",
	"insights/contributor_insights.go":      "how many rules the account has",
	"insights/insights.go":                  "no request: what the rules of an account have found",
	"jobs/resume.go":                        "no request: jobs that a start goes on with",
	"triggers/triggers.go":                  "no request: functions of who runs the server",
	"triggers/consumption.go":               "no request: functions of who runs the server",
}

// TestReadsAskThePolicy: what an operation reads for its caller comes through package enforce, so
// that a new operation cannot forget the policy.
func TestReadsAskThePolicy(t *testing.T) {
	found := map[string]bool{}
	fset := token.NewFileSet()
	for dir, files := range packagesOf(t, fset) {
		feature, ok := strings.CutPrefix(dir, featureDir)
		if !ok {
			continue
		}
		for _, f := range files {
			for _, call := range readsIn(f) {
				file := path.Base(fset.Position(f.Pos()).Filename)
				found[path.Join(feature, file)+" "+call] = true
			}
		}
	}
	seen := map[string]bool{}
	for _, at := range slices.Sorted(maps.Keys(found)) {
		file, call, _ := strings.Cut(at, " ")
		seen[file] = true
		assert.NotEmpty(t, readElsewhere[file],
			"%s calls %s: ask c.Policy for an enforce.Reading or an enforce.Shown", file, call)
	}
	for file := range readElsewhere {
		assert.True(t, seen[file], "%s reads nothing any more: take it off the list", file)
	}
}

// readsIn returns the reads in a file. A transaction may be in a field: r.tx, m.Tx.
func readsIn(f *ast.File) (found []string) {
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		text := strings.ToLower(types.ExprString(call.Fun))
		for _, r := range reads {
			if r := strings.ToLower(r); text == r || strings.HasSuffix(text, "."+r) {
				found = append(found, r)
			}
		}
		return true
	})
	return found
}

// TestReadsIn: each way to write a read is found.
func TestReadsIn(t *testing.T) {
	for _, c := range []struct {
		name, call string
		found      bool
	}{
		{"an item", "tx.Get(t, k)", true},
		{"in a field", "r.call.tx.Page(t, spec)", true},
		{"in an exported field", "m.Tx.GetAll(l)", true},
		{"the names of tables", "slices.All(tx.Tables().Names())", true},
		{"changes", "b.tx.Streams().Changes(s, sh, 0, f)", true},
		{"an allowed read", "reading.Get(tx, t, k)", false},
		{"an allowed list", "c.Policy.Shown(tx).Tables(after)", false},
		{"another lookup", "tx.Table(name)", false},
		{"the context of another", "ctx.Get(t)", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := parser.ParseFile(token.NewFileSet(), "",
				"package p\nfunc f() { "+c.call+" }", 0)
			require.NoError(t, err)
			assert.Equal(t, c.found, readsIn(f) != nil)
		})
	}
}
