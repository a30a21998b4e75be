package emulator

import (
	"maps"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/storage"
)

// TestAccountStates: what a journal keeps of each kind of state comes back to that kind, and a fork
// has what its original had.
func TestAccountStates(t *testing.T) {
	now := time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)
	a := New().service.newAccountData(storage.New(storage.Options{Now: func() time.Time { return now }}))
	assert.True(t, a.disposable(now, true), "an account that holds nothing")
	a.transactions().tokens.add(&requestToken{text: "token", fingerprint: 7}, now)
	assert.False(t, a.disposable(now, true), "an account with a token")

	for name, b := range map[string]*accountData{"kept": reloaded(t, a), "forked": a.fork(storage.Options{})} {
		t.Run(name, func(t *testing.T) {
			known, err := b.transactions().committed(&requestToken{text: "token", fingerprint: 7}, false, now)
			require.NoError(t, err)
			assert.True(t, known)
			b.transactions().tokens.add(&requestToken{text: "another"}, now)
			known, err = a.transactions().committed(&requestToken{text: "another"}, false, now)
			require.NoError(t, err)
			assert.False(t, known, "the original does not see what the copy adds")
		})
	}
}

// reloaded is the account as it is after its states were kept and loaded.
func reloaded(t *testing.T, a *accountData) *accountData {
	kept := map[string]string{}
	a.keepStates(func(key, value string) { kept[key] = value })
	b := New().service.newAccountData(storage.New(storage.Options{}))
	require.NoError(t, b.loadStates(maps.Clone(kept)))
	return b
}

// TestPrefixesOfStates: each kind has keys of its own in the journal, and others are refused.
func TestPrefixesOfStates(t *testing.T) {
	for kind := range stateKinds {
		assert.Equal(t, kind, kindOfKept(kind.prefix()+"\x00key"))
	}
	b := New().service.newAccountData(storage.New(storage.Options{}))
	assert.ErrorContains(t, b.loadStates(map[string]string{stateKinds.prefix() + "key": "value"}), "no kind of state")
}
