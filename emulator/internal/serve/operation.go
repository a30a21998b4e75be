package serve

import (
	"reflect"
	"sync"

	"github.com/kugiri-db/kugiri/conventions/catalog"
	"github.com/kugiri-db/kugiri/conventions/wire"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/httpd"
	"github.com/kugiri-db/kugiri/emulator/internal/judgement"
)

// Operation describes an operation: its subject, the form of its errors, what its requests touch,
// and the function that serves it.
type Operation struct {
	catalog.Operation
	Form    apierr.Form   // the form of its validation errors
	reports apierr.Report // reports violations of the model's constraints
	Input   reflect.Type  // a structure, as is output
	Output  reflect.Type
	Borrows bool // see the function Borrows
	Shows   Shows

	deniesBriefly bool // see DenyingBriefly

	// see Judging; nil: there is nothing to say
	judges func(c *Call, in any, e *apierr.ParameterError) error

	// targets adds to ts what a decoded request touches. in is a pointer to the input.
	targets func(in any, ts *Targets)

	// Serve runs a request and appends the answer's body to dst.
	Serve func(c *Call, body string, dst []byte) ([]byte, error)
}

// Shows says what the answers of an operation show of the data of an account, and by that where the
// policy is asked about it. There is no default: who adds an operation says it.
type Shows uint8

const (
	_ Shows = iota

	// ShowsItems is for operations on items. Reads get items from an enforce.Reading, and writes go
	// through package items' writeSet.
	ShowsItems

	// ShowsFiltered is for operations that show a tenant a part of what there is. They take it from
	// an enforce.Shown, or the request ends with an error.
	ShowsFiltered

	// ShowsSettings is for all other operations. The policy decides before they run, by the table
	// that the request is about.
	ShowsSettings
)

// serveFunc is the function of an operation. Without an output it returns nil.
type serveFunc[In, Out any] func(*Call, *In) (*Out, error)

// touchFunc adds what a decoded request touches. The request may be invalid.
type touchFunc[In any] func(*In, *Targets)

// Owns describes an operation that may keep what it likes of its decoded request: structures and
// strings are in memory of their own.
func Owns[In, Out any](name string, shows Shows, f serveFunc[In, Out],
	touches touchFunc[In]) Operation {
	o := newOperation(name, f, touches, false)
	return o.showing(shows)
}

// Borrows describes an operation whose call and whole decoded request lie in memory that the next
// request reuses. The operation must copy everything that outlives the answer, strings too, and
// keep no call. This saves allocations in operations on items, which most requests use.
func Borrows[In, Out any](name string, shows Shows, f serveFunc[In, Out],
	touches touchFunc[In]) Operation {
	o := newOperation(name, f, touches, true)
	return o.showing(shows)
}

// showing returns the operation with what it shows. It panics if that is not said, or is not what
// the catalog says of the operation's subject.
func (o Operation) showing(shows Shows) Operation {
	if shows == 0 || (shows == ShowsItems) != (o.Subject == catalog.Items) {
		panic("say what the operation " + o.Name + " shows: serve.ShowsItems if the subject in " +
			"package catalog is Items, and otherwise ShowsFiltered or ShowsSettings")
	}
	o.Shows = shows
	return o
}

// decode decodes the body of a request. A large one waits for its turn.
func decode(body string, in any, m *wire.Memory) error {
	if len(body) < httpd.LeastTurn {
		return wire.Decode(body, in, m)
	}
	defer httpd.Turn(len(body))()
	return wire.Decode(body, in, m)
}

// newOperation builds an operation from typed functions. All operations share decoding, the model's
// constraints, faults and encoding.
func newOperation[In, Out any](name string, f serveFunc[In, Out], touches touchFunc[In],
	borrows bool) Operation {
	about, ok := catalog.Named(name)
	if !ok {
		panic("package catalog does not list the operation " + name + ": add it there")
	}
	inputs := sync.Pool{New: func() any { return new(In) }}
	serve := func(c *Call, body string, dst []byte) ([]byte, error) {
		in := inputs.Get().(*In)
		c.Body = body
		var memory *wire.Memory // nil: the structures of the request have memory of their own
		if borrows {
			memory = c.Memory
		}
		if err := decode(body, in, memory); err != nil {
			return dst, err
		}
		if c.Event != nil {
			c.NameTables(in)
		}
		if violations := c.Service.Validator.Validate(in); violations != nil {
			return dst, c.refused(body, in, violated(c, body, in, violations))
		}
		for _, s := range c.Service.Interceptors {
			if err := s(c, in); err != nil {
				return dst, c.refused(body, in, c.ended(in, nil, err))
			}
		}
		out, err := f(c, in)
		if err == ErrUnsettled {
			if err = c.Service.Replicator.Settle(c); err == nil {
				out, err = f(c, in)
			}
		}
		if c.AtEnd != nil {
			err = c.ended(in, out, err)
		}
		if err != nil || out == nil {
			return dst, c.refused(body, in, err)
		}
		dst = wire.Append(dst, out)
		if borrows { // errors returned before: their texts may still need the input
			var none In
			*in = none
			inputs.Put(in)
		}
		return dst, nil
	}
	row := judgement.Of(name)
	return Operation{
		Operation: about,
		Form:      row.Form(),
		reports:   row.Members,
		Input:     reflect.TypeFor[In](),
		Output:    reflect.TypeFor[Out](),
		Borrows:   borrows,
		targets:   func(in any, ts *Targets) { touches(in.(*In), ts) },
		Serve:     serve,
	}
}

// Interceptor is called with a decoded request before its operation, which it may refuse.
type Interceptor func(c *Call, in any) error

// ended calls what the interceptors have left to do, and returns the error of the request. out is
// nil if the operation has not run.
func (c *Call) ended(in, out any, err error) error {
	for _, f := range c.AtEnd {
		err = f(in, out, err)
	}
	return err
}

// oldLayerDepth is the greatest depth of values at which the new layer of validation still sees a
// request (service facts 0.12).
const oldLayerDepth = 62

// refused returns the error of a request. The old layer words it if the new one cannot read the
// request: because a value is nested far too deep, or is written loosely (service facts 0.12, F.5,
// F.7).
func (c *Call) refused(body string, in any, err error) error {
	if _, ok := err.(*apierr.ParameterError); ok && unreadable(c, body, in) {
		c.Form = apierr.OldForm
	}
	return err
}

// unreadable reports whether the new layer cannot read a request that is for it.
func unreadable(c *Call, body string, in any) bool {
	return c.Form != apierr.OldForm && (wire.Depth(in) > oldLayerDepth || wire.Loose(body, in))
}

// violated returns the error of violations of the model's constraints. If the new layer judges all
// of them late, what it judges before them is reported.
func violated(c *Call, body string, in any, violations []wire.Violation) error {
	o := c.Operation
	e := &apierr.ParameterError{
		About: apierr.AboutMembers, Members: violations, Report: o.reports,
	}
	if o.judges == nil {
		return e
	}
	earlier := o.judges(c, in, e)
	if earlier != nil && !unreadable(c, body, in) && c.Form.JudgesLate(e) {
		return earlier
	}
	return e
}

// Judging returns the operation with a function that says of a request with violations what only
// the operation knows: the fields Unjoined, Also and First of apierr.ParameterError, and the fault
// of the layers before expressions.
func Judging[In any](o Operation,
	judge func(*Call, *In, *apierr.ParameterError) error) Operation {
	o.judges = func(c *Call, in any, e *apierr.ParameterError) error {
		return judge(c, in.(*In), e)
	}
	return o
}

// DenyingBriefly returns the operation without a reason in its refusal of a resource of another
// account, as all of the control plane does that were seen: those on tables, tags, backups and
// exports (service facts T.20; ack-api-quirks, DDB-BACKUP-012, DDB-EXPORT-002 and -006).
func (o Operation) DenyingBriefly() Operation {
	o.deniesBriefly = true
	return o
}
