package partiql

import (
	"unsafe"

	"github.com/kugiri-db/kugiri/expr/internal/memo"
)

// statements caches parsed statements by their texts. It weighs at most 2 MB, so a statement of
// more than some five hundred tokens is not cached.
var statements = memo.New[Statement](64 << 10)

// tokenWeight is about how many bytes of a Statement a token takes.
const tokenWeight = int(unsafe.Sizeof(Expr{}))

// ParseCached is Parse with a cache. The statement is shared and must not be modified. It shares no
// memory with src.
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
