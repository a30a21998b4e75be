package emulator

import (
	"net/http"
	"slices"
	"time"

	"github.com/kugiri-db/kugiri/emulator/dax/cache"
	"github.com/kugiri-db/kugiri/emulator/internal/acceleration"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/accelerators"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

func init() {
	acceleration.Of = func(e any) acceleration.Server { return accelerable{e.(*Emulator)} }
}

// accelerable is the emulator as the accelerator and the admin API know it.
type accelerable struct{ e *Emulator }

// Authorize implements acceleration.Server.
func (s accelerable) Authorize(c acceleration.Authorization) (acceleration.Caller, error) {
	caller, err := c.Caller()
	if err != nil {
		return nil, err
	}
	if known := s.e.settings.credentials; known != nil {
		if err := known.AdmitConnection(&c, s.e.service.Clock()); err != nil {
			return nil, err
		}
	}
	to := answering(s.e, caller.AccessKey)
	if _, who, err := to.service.Identify(caller.AccessKey, new(http.Request)); err != nil {
		return nil, err
	} else if who != nil {
		who.Leave()
	}
	return &accelerated{HTTPClient{s.e, caller}}, nil
}

// Contain implements acceleration.Server.
func (s accelerable) Contain(work func()) {
	s.e.inBackground("a connection of the accelerator", work)
}

// Accelerate implements acceleration.Server.
func (s accelerable) Accelerate(a acceleration.Accelerator) {
	s.e.service.Accelerator.Set(a)
}

// Abandon implements acceleration.Server.
func (s accelerable) Abandon(a acceleration.Accelerator) {
	s.e.service.Accelerator.Unset(a)
}

// Cache implements acceleration.Server.
func (s accelerable) Cache() (acceleration.Cache, bool) {
	a := s.e.service.Accelerator.Get()
	return cached{a, s.e}, a != nil
}

// cached is an acceleration.Cache.
type cached struct {
	of  acceleration.Accelerator
	own *Emulator
}

func (c cached) whose(s acceleration.Scope) bool { return s.Service == c.own.service.ID }

func (c cached) Entries(limit int) []acceleration.Entry {
	list := c.of.Cached(limit, c.whose, func(s acceleration.Scope) (item, query time.Duration) {
		key := ""
		if !c.own.service.Shared {
			key = s.Owner + "/" + s.Region
		}
		if a := c.own.service.Namespaces.Keyed()[key]; a != nil {
			return accelerators.TTLs(a)
		}
		return -1, -1
	})
	now := c.own.Now()
	return slices.DeleteFunc(list, func(x acceleration.Entry) bool {
		return x.Life > 0 && now.Sub(x.Written) >= x.Life
	})
}

func (c cached) Clear() { c.of.Clear(c.whose) }

func (c cached) Stats() []cache.TableStats { return c.of.Stats() }

func (c cached) Saved() map[string]float64 { return c.of.Saved(c.own.service.ID) }

// accelerated is a caller whose requests come through the accelerator.
type accelerated struct{ HTTPClient }

// answering is the service that answers the caller now: see Delegate.
func (a *accelerated) answering() *Emulator {
	return answering(a.emulator, a.caller.AccessKey)
}

func (a *accelerated) Observed() bool { return a.answering().observers.Any() }

func (a *accelerated) TTLs() (item, query time.Duration) {
	ns := a.answering().service.Namespaces.Borrow(a.caller)
	defer ns.GiveBack()
	return accelerators.TTLs(ns.Account)
}

func (a *accelerated) Limits() (item, body int) {
	l := &a.answering().service.Limits
	return l.ItemBytes, int(l.BodyBytes)
}

func (a *accelerated) Members() (members []acceleration.Member, ok bool) {
	e := a.answering()
	ns := e.service.Namespaces.Borrow(a.caller)
	defer ns.GiveBack()
	return accelerators.Members(ns.Account, e.service.Clock())
}

func (a *accelerated) Scope() acceleration.Scope {
	e := a.answering()
	s := acceleration.Scope{Service: e.service.ID}
	if !e.service.Shared {
		s.Owner, s.Region = e.service.Owner(a.caller.AccessKey), a.caller.Region
	}
	if e.service.IAM != nil || e.service.Policy != nil {
		s.Caller = a.caller.AccessKey
	}
	return s
}

func (a *accelerated) Now() time.Time { return a.answering().Now() }

func (a *accelerated) Key(table string) (key []acceleration.KeyAttribute, err error) {
	e := a.answering()
	ns := e.service.Namespaces.Borrow(a.caller)
	defer ns.GiveBack()
	if err := e.service.Policy.CheckTable(ns.AccessKey, table); err != nil {
		return nil, err
	}
	err = ns.Store.View(func(tx *storage.Tx) error {
		t := tables.Seen(tx, table, e.service.Clock())
		if t == nil {
			return nil
		}
		for _, k := range slices.Concat(t.Key.Hash, t.Key.Range) {
			key = append(key, acceleration.KeyAttribute{Name: k.Name, Type: k.Type.String()})
		}
		return nil
	})
	return key, err
}

func (a *accelerated) StoredItem(table string, key item.Item) (item.Item, error) {
	return a.answering().Item(a.caller.AccessKey, a.caller.Region, table, key)
}
