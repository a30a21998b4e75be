package function_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/expr/internal/function"
	"github.com/kugiri-db/kugiri/storage/item"
)

// TestLinesOfTheTableAreComplete checks what the evaluators of expressions rely on.
func TestLinesOfTheTableAreComplete(t *testing.T) {
	seen := map[string]bool{}
	for id := range function.Table[1:] {
		id := function.ID(id + 1)
		f := &function.Table[id]
		require.NotEmpty(t, f.Name, "function %d has no line", id)
		t.Run(f.Name, func(t *testing.T) {
			require.Equal(t, strings.ToLower(f.Name), f.Name,
				"PartiQL looks names up in small letters")
			require.False(t, seen[f.Name], "the name stands twice")
			seen[f.Name] = true
			require.NotZero(t, f.Places)
			require.True(t, f.Operands == 1 || f.Operands == 2,
				"evaluators pass one or two operands")
			switch {
			case f.IsCondition():
				require.Equal(t, f.NeedsPath, f.Holds == nil)
				require.Nil(t, f.Value)
			case f.In(function.InCondition|function.InUpdate) && id != function.IfNotExists:
				require.NotNil(t, f.Value)
				require.Nil(t, f.Holds)
			}
			if f.In(function.InUpdate) {
				require.Equal(t, 2, f.Operands, "updates evaluate two operands")
				require.NotZero(t, f.Charge)
			}
			for i, types := range f.Types {
				typed := i < f.Operands && !f.In(function.AsSet) &&
					!(i == 0 && f.NeedsPath && f.IsCondition())
				require.Equal(t, typed, types != 0, "the types of operand %d", i)
			}
		})
	}
}

func TestNamesOfEachLanguage(t *testing.T) {
	for _, tt := range []struct {
		name                 string
		expressions, partiql function.ID
	}{
		{"size", function.Size, function.Size},
		{"if_not_exists", function.IfNotExists, function.Unknown},
		{"set_add", function.Unknown, function.SetAdd},
		{"SIZE", function.Unknown, function.Unknown},
		{"", function.Unknown, function.Unknown},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.expressions, function.OfExpressions(tt.name))
			require.Equal(t, tt.partiql, function.OfPartiQL(tt.name))
		})
	}
}

// TestSizeAtTheEdgeOfReadyValues takes sizes that are kept as values and ones that are not.
func TestSizeAtTheEdgeOfReadyValues(t *testing.T) {
	for n, want := range map[int]string{1023: "1023", 1024: "1024"} {
		t.Run(want, func(t *testing.T) {
			v := item.String(strings.Repeat("a", n))
			require.Equal(t, want, function.Table[function.Size].Value(v, "").Num())
		})
	}
}
