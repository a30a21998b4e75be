package serve

import (
	"encoding/json"
	"fmt"
	"maps"
	"time"

	"github.com/kugiri-db/kugiri/storage"
)

// MaxAttempts is how many processes in a row may end while they do a piece of work that each of
// them finds in the journal. It is then the work that ends them.
const MaxAttempts = 3

// Attempts counts the processes in a row that took up a piece of work and ended without it getting
// on, so that no work keeps a server from running: jobs, and the changes for a replica. Work has a
// key, which says what it is. The lock of the account's store protects it.
type Attempts struct {
	counts map[string]int64 // counts of attempts at work that did not get on since
	shared bool             // a fork has the map as well
}

// AttemptsOf returns the account's.
func AttemptsOf(a *Account) *Attempts { return a.States[AttemptState].(*Attempts) }

// Begin keeps that this process takes up work, for the case that the work ends the process. The
// Update must be durable before the work begins.
func (s *Attempts) Begin(tx *storage.Tx, key string) {
	s.own()[key]++
	tx.Keep(AttemptState.Prefix()+key, s.text(key))
}

// GotOn forgets the attempts at work: it got on, or has ended.
func (s *Attempts) GotOn(tx *storage.Tx, key string) {
	if s.counts[key] > 0 {
		delete(s.own(), key)
		tx.Forget(AttemptState.Prefix() + key)
	}
}

// Over reports whether work has ended so many processes that nobody takes it up again.
func (s *Attempts) Over(key string) bool { return s.counts[key] >= MaxAttempts }

// OverText says why nobody takes up work again. what names the work, as the end of a sentence.
func OverText(what string) string {
	return fmt.Sprintf("The server has ended %d times in a row while it went on with %s, "+
		"and does not go on with it again", MaxAttempts, what)
}

// Only forgets the attempts at work that is not there any more.
func (s *Attempts) Only(tx *storage.Tx, there func(key string) bool) {
	for key := range s.counts {
		if !there(key) {
			s.GotOn(tx, key)
		}
	}
}

func (s *Attempts) text(key string) string {
	text, err := json.Marshal(s.counts[key])
	if err != nil {
		panic(err) // it is a number
	}
	return string(text)
}

// own returns the map, which no fork has.
func (s *Attempts) own() map[string]int64 {
	if s.shared || s.counts == nil {
		s.counts, s.shared = maps.Clone(s.counts), false
	}
	if s.counts == nil {
		s.counts = map[string]int64{}
	}
	return s.counts
}

func (s *Attempts) Fork() State {
	s.shared = true
	return &Attempts{s.counts, true}
}

// Load takes what is no number for work that is not to be taken up.
func (s *Attempts) Load(kept map[string]string) error {
	for key, text := range kept {
		n := int64(MaxAttempts)
		if json.Unmarshal([]byte(text), &n) != nil || n < 0 {
			n = MaxAttempts
		}
		s.own()[key] = n
	}
	return nil
}

func (s *Attempts) KeepAll(keep func(key, value string)) {
	for key := range s.counts {
		keep(key, s.text(key))
	}
}

func (s *Attempts) Forked(*Account, func() time.Time) {}
func (s *Attempts) Disposable(time.Time) bool         { return len(s.counts) == 0 }
