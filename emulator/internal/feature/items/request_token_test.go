package items

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "github.com/kugiri-db/kugiri/storage/rapidseed" // fixes the seed
)

func TestTokenIDIsTheTextIfThatIsShort(t *testing.T) {
	for _, text := range []string{"a", "a\x00", "5e9b9c9e-64b7-4f4d-9a8e-2e8a2f1a7b11",
		strings.Repeat("a", tokenIDText)} {
		id := newTokenID(text)
		assert.Equal(t, text, id.kept())
	}
	id := newTokenID(strings.Repeat("a", tokenIDText+1))
	assert.Len(t, id.kept(), len(id))
	assert.NotContains(t, id.kept(), "aaaa")
}

func TestTokenIDProperty(t *testing.T) {
	texts := map[tokenID]string{}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.RuneFrom([]rune("a\x00é😀")), 1, 36, -1).Draw(t, "text")
		id := newTokenID(text)
		if known, ok := texts[id]; ok && known != text {
			t.Fatalf("%q and %q have the same ID", known, text)
		}
		texts[id] = text
		if again := keptTokenID(id.kept()); again != id {
			t.Fatalf("the ID of %q is %x once it was kept, not %x", text, again, id)
		}
	})
}

func TestTokensAreBounded(t *testing.T) {
	var known tokens
	now := time.Unix(0, 0)
	for i := range maxTokens + 100 {
		known.Add(&RequestToken{Text: fmt.Sprint(i)}, now)
		require.LessOrEqual(t, len(known.known), maxTokens)
		require.LessOrEqual(t, len(known.order), 2*maxTokens+2)
	}
	assert.NotContains(t, known.known, newTokenID("99"), "the oldest are forgotten")
	assert.Contains(t, known.known, newTokenID("100"))
	known.expire(now.Add(TokenLifetime))
	assert.Empty(t, known.known)
	assert.Empty(t, known.order)
}

// tokenWorld has the tokens of one emulator and a simple model of them.
type tokenWorld struct {
	tokens tokens
	model  map[string]tokenUse
}

// TestTokensProperty: forks of forks have the same tokens as copied maps.
func TestTokensProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		worlds := []*tokenWorld{{model: map[string]tokenUse{}}}
		world := func() *tokenWorld {
			return worlds[rapid.IntRange(0, len(worlds)-1).Draw(t, "world")]
		}
		t.Repeat(map[string]func(*rapid.T){
			"add": func(*rapid.T) {
				w := world()
				token := RequestToken{Text: fmt.Sprint(rapid.IntRange(0, 30).Draw(t, "token")),
					Fingerprint: rapid.Uint64Range(1, 3).Draw(t, "fingerprint")}
				if use, known := w.model[token.Text]; known && now.UnixNano() < use.expires {
					return // a transaction with a known token is not committed again
				}
				w.tokens.Add(&token, now)
				w.model[token.Text] = tokenUse{token.Fingerprint, now.Add(TokenLifetime).UnixNano()}
			},
			"fork": func(*rapid.T) {
				w := world()
				f := &tokenWorld{w.tokens.fork(), maps.Clone(w.model)}
				if len(worlds) == 5 {
					worlds = worlds[1:]
				}
				worlds = append(worlds, f)
			},
			"advance": func(*rapid.T) {
				now = now.Add(time.Duration(rapid.IntRange(0, 6).Draw(t, "minutes")) * time.Minute)
			},
			"": func(*rapid.T) {
				for i, w := range worlds {
					for n := range 31 {
						text := fmt.Sprint(n)
						want, known := w.model[text]
						known = known && now.UnixNano() < want.expires
						got, ok := w.tokens.use(text)
						ok = ok && now.UnixNano() < got.expires
						if ok != known || ok && got != want {
							t.Fatalf("world %d, token %s: %v %t, not %v %t", i, text, got, ok, want,
								known)
						}
					}
				}
			},
		})
	})
}

// TestChargesAreKept: what transactions were charged for is in forks and in journals (service
// facts P.8).
func TestChargesAreKept(t *testing.T) {
	now := time.Unix(0, 0)
	var original tokens
	add := func(text, charged string) {
		original.Add(&RequestToken{Text: text, charged: charged}, now)
	}
	charges := func(k *tokens) string {
		var all []string
		for _, text := range []string{"a", "b", "c"} {
			_, charged, known := k.find(newTokenID(text))
			require.True(t, known, text)
			all = append(all, charged)
		}
		return strings.Join(all, " ")
	}
	add("a", "9000")
	add("b", "8000")
	original.fork()
	add("b", "")
	add("c", "7000")
	assert.Equal(t, "9000  7000", charges(&original))
	fork := original.fork()
	assert.Equal(t, "9000  7000", charges(&fork))

	kept := map[string]string{}
	saved, loaded := Transactions{Tokens: original}, Transactions{}
	saved.KeepAll(func(key, value string) { kept[key] = value })
	require.NoError(t, loaded.Load(kept))
	assert.Equal(t, "9000  7000", charges(&loaded.Tokens))

	loaded.Tokens.expire(now.Add(TokenLifetime))
	assert.Empty(t, loaded.Tokens.large)
}
