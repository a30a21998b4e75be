package where

import (
	"strings"
	"testing"

	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/expr/partiql"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// branchesOf writes the branches of a WHERE clause on a key p, s: "p=a s>1 [x y]".
func branchesOf(t *testing.T, clause string) (list []string) {
	s, err := partiql.Parse("SELECT * FROM t WHERE " + clause)
	require.NoError(t, err)
	branches, err := (&Branching{Hash: "p", Sort: "s"}).Branches(s.Where)
	require.NoError(t, err)
	for _, b := range branches {
		var parts []string
		for _, terms := range [][]expr.KeyTerm{b.Hash, b.Sort} {
			for _, k := range terms {
				parts = append(parts, k.Name+string(k.Op)+k.Value.Str())
			}
		}
		if b.Others != nil {
			parts = append(parts, "["+strings.Join(b.Others, " ")+"]")
		}
		list = append(list, strings.Join(parts, " "))
	}
	return list
}

func TestBranches(t *testing.T) {
	for where, want := range map[string][]string{
		`p = 'a'`:                                   {"p=a"},
		`'a' = p AND '1' < s`:                       {"p=a s>1"},
		`p IN ['a', 'b'] AND s IN ['1', '2']`:       {"p=a s=1", "p=a s=2", "p=b s=1", "p=b s=2"},
		`p = 'a' AND (s = '1' OR x = 1)`:            {"p=a s=1", "p=a [x]"},
		`p = 'a' AND (x = 1 OR y = 2)`:              {"p=a [x y]"},
		`(p = 'a' OR x = 1) AND y = 1`:              {"p=a [y]", "[x y]"},
		`p = 'a' AND NOT (s = '1' OR s = '2')`:      {"p=a [s]"},
		`p > 'a' AND begins_with(s, '1') AND z = p`: {"sbegins_with1 [p z]"},
		`(p = 'a') = true AND p.q = 'a'`:            {"[p]"},
		`p = 'a' AND s = x`:                         {"p=a [s x]"},
	} {
		assert.Equal(t, want, branchesOf(t, where), where)
	}
}

// TestManyBranchesAreCut: a clause whose branches multiply takes no time.
func TestManyBranchesAreCut(t *testing.T) {
	multiply := strings.Repeat(` AND (s > '1' OR s < '2')`, 300)
	assert.Len(t, branchesOf(t, `p = 'a'`+multiply), MaxReads+1)
	assert.Contains(t,
		branchesOf(t, `(p = 'a' OR x = 1)`+strings.Repeat(` AND (s > '1' OR y < '2')`, 100))[0],
		"[x")
}
