package partiql

import (
	"unsafe"

	"github.com/kugiri-db/kugiri/expr/internal/memo"
)

// statements holds parsed statements by their texts. It weighs 2 MB at most, and so no
// statement of more than some five hundred tokens is kept.
var statements = memo.New[Statement](64 << 10)

// tokenWeight is about what a token of a text costs in its Statement.
const tokenWeight = int(unsafe.Sizeof(Expr{}))

// ParseCached is Parse for statements that come again. The statement is shared, and must
// not be changed; it shares no memory with src.
func ParseCached(src string) (*Statement, error) {
	key := memo.Key{Text: src}
	if s := statements.Get(key); s != nil {
		return s, nil
	}
	return statements.Load(key, func(text string) (memo.Entry[Statement], error) {
		s, tokens, err := parse(text)
		return memo.Entry[Statement]{Value: s, Weight: len(text) + tokenWeight*tokens}, err
	})
}
