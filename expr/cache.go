package expr

import "github.com/kugiri-db/kugiri/expr/internal/memo"

// trees caches parsed expressions by their texts. It holds at most 512 KB of texts. A tree takes up
// to some thirty times the memory of its text.
var trees = memo.New[tree](16 << 10)

// parseCached is parse with a cache of valid expressions.
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
