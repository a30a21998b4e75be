package emulator

import (
	"maps"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/internal/feature/items"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/storage"
)

// TestAccountStates: what a journal keeps of each kind of state comes back to that kind, and a fork
// has what its original had.
func TestAccountStates(t *testing.T) {
	now := time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)
	a := New().service.NewAccountData(
		storage.New(storage.Options{Now: func() time.Time { return now }}))
	assert.True(t, a.Disposable(now, true), "an account that holds nothing")
	items.TransactionsOf(a).Tokens.Add(&items.RequestToken{Text: "token", Fingerprint: 7}, now)
	assert.False(t, a.Disposable(now, true), "an account with a token")

	for name, b := range map[string]*serve.Account{
		"kept": reloaded(t, a), "forked": a.Fork(storage.Options{}),
	} {
		t.Run(name, func(t *testing.T) {
			known, err := items.TransactionsOf(b).Committed(&items.RequestToken{
				Text: "token", Fingerprint: 7,
			}, false, now)
			require.NoError(t, err)
			assert.True(t, known)
			items.TransactionsOf(b).Tokens.Add(&items.RequestToken{Text: "another"}, now)
			known, err = items.TransactionsOf(a).Committed(&items.RequestToken{Text: "another"},
				false, now)
			require.NoError(t, err)
			assert.False(t, known, "the original does not see what the copy adds")
		})
	}
}

// reloaded is the account as it is after its states were kept and loaded.
func reloaded(t *testing.T, a *serve.Account) *serve.Account {
	kept := map[string]string{}
	a.KeepStates(func(key, value string) { kept[key] = value })
	b := New().service.NewAccountData(storage.New(storage.Options{}))
	require.NoError(t, b.LoadStates(maps.Clone(kept)))
	return b
}

// TestPrefixesOfStates: each kind has keys of its own in the journal, and others are refused.
func TestPrefixesOfStates(t *testing.T) {
	for kind := range serve.Kinds {
		assert.Equal(t, kind, serve.KindOfKept(kind.Prefix()+"\x00key"))
	}
	b := New().service.NewAccountData(storage.New(storage.Options{}))
	assert.ErrorContains(t, b.LoadStates(map[string]string{serve.Kinds.Prefix() + "key": "value"}),
		"no kind of state")
}
