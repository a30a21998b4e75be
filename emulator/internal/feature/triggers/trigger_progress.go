package triggers

import (
	"fmt"
	"maps"
	"strconv"
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/trigger"
	"github.com/kugiri-db/kugiri/storage"
)

// TriggerProgress records how far the triggers have handled an account's streams. Only the
// goroutines of triggers use it, besides forks.
type TriggerProgress struct {
	since uint64                      // changes up to this Seq are those of the original of a fork
	begun map[string]uint64           // the Seq after which a trigger begins, by its name
	done  map[triggeredShard][]uint64 // the Seq up to which each part of a shard is done
}

// triggeredShard is a shard that a trigger reads.
type triggeredShard struct {
	trigger string
	shard   uint64
}

// triggers returns the account's progress.
func triggers(a *serve.Account) *TriggerProgress {
	return a.States[serve.TriggerState].(*TriggerProgress)
}

// position returns the Seq up to which a part of a shard is done. If the trigger had another number
// of parts before, all go on after the first of those.
func (p *TriggerProgress) position(t *trigger.Trigger, shard uint64, part int) uint64 {
	at := max(p.since, p.begun[t.Name()])
	done := p.done[triggeredShard{t.Name(), shard}]
	if len(done) == t.BatchesPerShard() {
		return max(at, done[part])
	}
	for i, seq := range done {
		if i == 0 || seq < at {
			at = seq
		}
	}
	return at
}

// advance records up to which Seq a part is done.
func (p *TriggerProgress) advance(tx *storage.Tx, t *trigger.Trigger, shard uint64, part int,
	seq uint64) {
	key := triggeredShard{t.Name(), shard}
	done := make([]uint64, t.BatchesPerShard())
	for i := range done {
		done[i] = p.position(t, shard, i)
	}
	done[part] = max(done[part], seq)
	if p.done == nil {
		p.done = map[triggeredShard][]uint64{}
	}
	p.done[key] = done
	tx.Keep(serve.TriggerState.Prefix()+key.text(), positions(done))
}

// begin records after which Seq a trigger begins.
func (p *TriggerProgress) begin(tx *storage.Tx, t *trigger.Trigger, seq uint64) {
	if p.begun == nil {
		p.begun = map[string]uint64{}
	}
	p.begun[t.Name()] = seq
	tx.Keep(serve.TriggerState.Prefix()+t.Name(), positions([]uint64{seq}))
}

// forget drops the progress in shards that are gone.
func (p *TriggerProgress) forget(tx *storage.Tx, there map[uint64]bool) {
	for key := range p.done {
		if !there[key.shard] {
			delete(p.done, key)
			tx.Forget(serve.TriggerState.Prefix() + key.text())
		}
	}
}

// text is the key of a shard in the journal. Names of triggers have no zero bytes.
func (s triggeredShard) text() string {
	return s.trigger + "\x00" + strconv.FormatUint(s.shard, 10)
}

// positions writes the values of the journal.
func positions(list []uint64) string { return strings.Trim(fmt.Sprint(list), "[]") }

func (p *TriggerProgress) Fork() serve.State {
	return &TriggerProgress{begun: maps.Clone(p.begun), done: maps.Clone(p.done)}
}

// Forked leaves the changes that a fork already has to the triggers of the original.
func (p *TriggerProgress) Forked(a *serve.Account, _ func() time.Time) {
	a.Store.View(func(tx *storage.Tx) error {
		p.since = tx.Streams().LastSeq()
		return nil
	})
}

// sinceKey is the key of since in the journal. It is no name of a trigger.
const sinceKey = ""

func (p *TriggerProgress) Load(kept map[string]string) error {
	for key, value := range kept {
		var list []uint64
		for _, text := range strings.Fields(value) {
			seq, err := strconv.ParseUint(text, 10, 64)
			if err != nil {
				return fmt.Errorf("the progress of a trigger is %q: %w", value, err)
			}
			list = append(list, seq)
		}
		if len(list) == 0 {
			return fmt.Errorf("the progress of the trigger %q has no position", key)
		}
		if err := p.set(key, list); err != nil {
			return err
		}
	}
	return nil
}

// set sets an entry of the journal.
func (p *TriggerProgress) set(key string, list []uint64) error {
	name, number, isShard := strings.Cut(key, "\x00")
	switch {
	case isShard:
		shard, err := strconv.ParseUint(number, 10, 64)
		if err != nil {
			return fmt.Errorf("the progress of a trigger is in shard %q: %w", number, err)
		}
		if p.done == nil {
			p.done = map[triggeredShard][]uint64{}
		}
		p.done[triggeredShard{name, shard}] = list
	case key == sinceKey:
		p.since = list[0]
	default:
		if p.begun == nil {
			p.begun = map[string]uint64{}
		}
		p.begun[name] = list[0]
	}
	return nil
}

func (p *TriggerProgress) KeepAll(keep func(key, value string)) {
	if p.since > 0 {
		keep(sinceKey, positions([]uint64{p.since}))
	}
	for name, seq := range p.begun {
		keep(name, positions([]uint64{seq}))
	}
	for key, done := range p.done {
		keep(key.text(), positions(done))
	}
}

func (p *TriggerProgress) Disposable(time.Time) bool { return true }
