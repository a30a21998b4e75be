package expr

import "github.com/kugiri-db/kugiri/expr/internal/memo"

// trees caches parsed expressions by their texts. It holds at most 512 KB of texts. A tree takes up
// to some thirty times the memory of its text.
var trees = memo.New[cachedTree](16 << 10)

// cachedTree is a tree in the cache.
type cachedTree struct {
	tree
	settled *Condition // a condition without placeholders, bound for every request; else nil
}

// parseCached is parse with a cache of valid expressions.
func parseCached(kind Kind, src string) (*cachedTree, error) {
	key := memo.Key{Kind: uint8(kind.grammar()), Text: src}
	if t := trees.Get(key); t != nil {
		return t, nil
	}
	return trees.Load(key, func(text string) (memo.Entry[cachedTree], error) {
		t, err := parse(kind, text)
		if err != nil {
			return memo.Entry[cachedTree]{}, err
		}
		c := &cachedTree{tree: *t}
		if kind.grammar() == grammarCondition {
			c.settled = settle(&c.tree)
		}
		return memo.Entry[cachedTree]{Value: c, Weight: len(text)}, nil
	})
}

// Check checks an expression as far as the text alone allows: its size, its syntax, and the number
// of its operators and clauses.
func Check(kind Kind, src string) error {
	_, err := parseCached(kind, src)
	return err
}

// Format returns an expression in its plain form: keywords in capitals, single blanks, and nothing
// else changed. It means the same, and has the same plain form. The error is that of Check.
func Format(kind Kind, src string) (string, error) {
	t, err := parseCached(kind, src)
	if err != nil {
		return "", err
	}
	return t.String(), nil
}
