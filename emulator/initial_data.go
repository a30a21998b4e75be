package emulator

import (
	"log/slog"

	"github.com/kugiri-db/kugiri/storage"
)

// WithInitialData has every access key begin, in every region, with the tables
// that an access key of another service, accessKey, has in a region at this moment:
// a seed, loaded once, of which everyone has a fork. The fork is made when the
// access key and region are first seen, in time independent of the amount of data;
// Reset takes them back to it. The streams of the tables have their records. With
// WithSharedData all begin with the same, which they share.
//
// Of a service that Open made, only what is not in its journal begins so; it is
// then written there, which takes longer the more there is.
func WithInitialData(from *Emulator, accessKey, region string) Option {
	h := from.namespaces.of(from.HTTPClient(accessKey, region).caller).holdings
	initial := h.fork(from.storage)
	return func(s *settings) { s.initial = initial }
}

// begin is what a namespace has that was not there before. mu is held.
func (n *namespaces) begin(key string) *holdings {
	initial := n.emulator.settings.initial
	if initial == nil {
		return &holdings{store: n.newStore(key), transactions: new(transactions)}
	}
	h := initial.fork(n.emulator.storage)
	if n.emulator.journal != nil {
		n.keep(key, h)
	}
	return h
}

// keep has the journal keep what it did not know of. mu is held.
func (n *namespaces) keep(key string, h *holdings) {
	err := storage.Supersede(n.emulator.journal, nil, []*storage.Store{h.store}, []storage.Durable{n.newSpace(key)},
		func(_ int, keep func(key, value string)) { h.transactions.keepAll(keep) })
	if err != nil {
		n.emulator.logger.Error("what a new access key begins with could not be written", slog.Any("error", err))
	}
}

// fork is the same in a store of its own. Open transactions are not in it.
func (h *holdings) fork(o storage.Options) *holdings {
	f := &holdings{partitions: h.partitions.Fork()}
	f.store = storage.ForkAll([]*storage.Store{h.store}, o, func() { f.transactions = h.transactions.fork() })[0]
	return f
}
