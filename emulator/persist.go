package emulator

import (
	"fmt"

	"github.com/kugiri-db/kugiri/emulator/internal/feature/insights"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/jobs"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/journal"
)

// Open makes a service like New with the data in a journal, and keeps its data there: of all
// namespaces the tables with their items, indexes and settings, the streams with their records, and
// the tokens of transactions. A disk.DB (package storage/disk) is a journal in a directory:
//
//	db, err := disk.Open(dir, disk.Options{})
//	...
//	e, err := emulator.Open(db)
//	...
//	defer e.Close()
//
// The service answers a request after everything in the answer is durable, including the writes of
// others. While the journal fails, requests fail with InternalServerError, except reads of durable
// data. A write that was in progress when the journal began to fail becomes durable if the journal
// recovers.
//
// Forks and snapshots of the service are in memory only. Restore and Reset also change the journal.
// Restore writes all data again.
//
// Exports, imports and bulk puts that were in progress when another process ended go on.
//
// Open returns the error of the journal, or an error if the journal has data that this package did
// not write. After an error the caller must close the journal. Otherwise Close closes it.
func Open(j journal.Journal, opts ...Option) (*Emulator, error) {
	e := New(opts...)
	e.service.Journal = j
	loaded, err := storage.Load(e.service.Storage, j, tables.Codec{})
	if err != nil {
		return nil, err
	}
	e.service.Namespaces.Stores = make(map[string]*serve.Account, len(loaded))
	for _, l := range loaded {
		a := e.service.NewAccountData(l.Store)
		a.Restored = true
		if err := a.LoadStates(l.Kept); err != nil {
			return nil, fmt.Errorf("what is kept of %q: %w", l.Name, err)
		}
		if e.service.Namespaces.Stores[l.Name] != nil {
			return nil, fmt.Errorf("%q is kept twice", l.Name)
		}
		e.service.Namespaces.Stores[l.Name] = a
		e.service.Namespaces.Spaces = max(e.service.Namespaces.Spaces, l.Space)
		e.senders.Resume(l.Store)
		e.triggers.Resume(a)
		a.Store.View(func(tx *storage.Tx) error {
			insights.StateOf(a).Refresh(&serve.Call{Service: e.service}, tx)
			return nil
		})
	}
	for _, a := range e.service.Namespaces.All() {
		e.replicator.Resume(a)
	}
	e.inBackground("replication", func() { e.Replicate() })
	for _, a := range e.service.Namespaces.All() {
		jobs.Resume(e.service, a)
	}
	return e, nil
}

// Close stops exports, imports and bulk puts, makes all writes durable and closes the journal, if
// the service has one. Later writes fail. Changes that wait to be sent to Kinesis are not sent any
// more; those in the journal are sent after the next Open. Close the servers first.
func (e *Emulator) Close() error {
	e.service.Runs.Close()
	e.senders.Close()
	e.triggers.Close()
	e.replicator.Close()
	if e.service.Journal == nil {
		return nil
	}
	return e.service.Journal.Close()
}
