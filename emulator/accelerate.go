package emulator

import (
	"errors"
	"net/http"
	"slices"
	"time"
	"weak"

	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/auth"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// Authorization is what a client of the accelerator (package dax) signs its connection with.
type Authorization auth.Connection

// Accelerated is a caller whose requests come through the accelerator. It is an HTTPClient of that
// caller, and knows what the accelerator has to know besides. It is safe for concurrent use.
type Accelerated struct {
	*HTTPClient
}

// Scope is where data belongs that callers may share: two callers with equal scopes see the same.
type Scope struct {
	service weak.Pointer[Emulator] // so that what is cached keeps no fork
	// with WithSharedData ""
	owner, region string
	// Caller is the access key of a caller whose rights differ from those of others who see the
	// same tables, and "" if there are no rights: see WithIAM and WithPolicy.
	Caller string
}

// Restricted reports whether callers have rights of their own.
func (s Scope) Restricted() bool { return s.Caller != "" }

// Service identifies the service that answers, whose clock counts.
func (s Scope) Service() any { return s.service }

// Shared is the scope without the caller.
func (s Scope) Shared() Scope {
	s.Caller = ""
	return s
}

// Authorize returns the caller of a connection. The signature is verified if those of requests are
// (see WithCredentials). The error is one that ErrorName names.
func Authorize(e *Emulator, a Authorization) (*Accelerated, error) {
	c := auth.Connection(a)
	caller, err := c.Caller()
	if err != nil {
		return nil, err
	}
	if e.settings.credentials != nil {
		if err := e.settings.credentials.AdmitConnection(&c, e.service.Clock()); err != nil {
			return nil, err
		}
	}
	to := answering(e, caller.AccessKey)
	if _, who, err := to.service.Identify(caller.AccessKey, new(http.Request)); err != nil {
		return nil, err
	} else if who != nil {
		who.Leave()
	}
	return &Accelerated{&HTTPClient{e, caller}}, nil
}

// Contain does the work of a connection for e. A panic in it is logged and ends nothing else.
func Contain(e *Emulator, work func()) { e.inBackground("a connection of the accelerator", work) }

// ErrorName returns the name, the text and the status by which clients know an error.
func ErrorName(err error) (name, message string, status int) {
	var answer *apierr.Error
	if errors.As(err, &answer) {
		return answer.Type.Name, answer.Message, answer.Type.Status
	}
	return "InternalServerError", err.Error(), http.StatusInternalServerError
}

// answering is the service that answers the caller now: see Delegate.
func (a *Accelerated) answering() *Emulator {
	return answering(a.emulator, a.caller.AccessKey)
}

// Scope returns the scope of the caller now.
func (a *Accelerated) Scope() Scope {
	e := a.answering()
	s := Scope{service: weak.Make(e)}
	if !e.service.Shared {
		s.owner, s.region = e.service.Owner(a.caller.AccessKey), a.caller.Region
	}
	if e.service.IAM != nil || e.service.Guard != nil {
		s.Caller = a.caller.AccessKey
	}
	return s
}

// Now returns the time on the clock of the service that answers the caller.
func (a *Accelerated) Now() time.Time { return a.answering().Now() }

// KeyAttribute is an attribute of a primary key. Type is "S", "N" or "B".
type KeyAttribute struct{ Name, Type string }

// Key returns the primary key of a table, the partition key first, or nil if there is no such
// table. It makes no request.
func (a *Accelerated) Key(table string) (key []KeyAttribute) {
	e := a.answering()
	ns := e.service.Namespaces.Borrow(a.caller)
	defer ns.GiveBack()
	ns.Store.View(func(tx *storage.Tx) error {
		t := tables.Seen(tx, table, e.service.Clock())
		if t == nil {
			return nil
		}
		for _, k := range slices.Concat(t.Key.Hash, t.Key.Range) {
			key = append(key, KeyAttribute{k.Name, k.Type.String()})
		}
		return nil
	})
	return key
}

// StoredItem returns an item as Emulator.Item does.
func (a *Accelerated) StoredItem(table string, key item.Item) (item.Item, error) {
	return a.answering().Item(a.caller.AccessKey, a.caller.Region, table, key)
}
