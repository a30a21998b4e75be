package expr

import "github.com/kugiri-db/kugiri/expr/internal/memo"

// trees holds parsed expressions by their texts, 512 KB of them at most; a tree is up to
// some thirty times its text.
var trees = memo.New[tree](16 << 10)

// parseCached is parse for expressions that come again. Only valid expressions are kept.
func parseCached(kind Kind, src string) (*tree, error) {
	key := memo.Key{Kind: uint8(kind.grammar()), Text: src}
	if t := trees.Get(key); t != nil {
		return t, nil
	}
	return trees.Load(key, func(text string) (memo.Entry[tree], error) {
		t, err := parse(kind, text)
		if err == nil && kind.grammar() == grammarCondition {
			t.settle()
		}
		return memo.Entry[tree]{Value: t, Weight: len(text)}, err
	})
}
