package emulator

import (
	"reflect"

	"github.com/kugiri-db/kugiri/conventions/catalog"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/wire"
)

// operation describes an operation: its subject, the form of its errors, what its requests touch,
// and the function that serves it.
type operation struct {
	catalog.Operation
	form    apierr.Form   // of its validation errors
	reports apierr.Report // of violations of the model's constraints
	input   reflect.Type  // a structure, as is output
	output  reflect.Type
	borrows bool // see the function borrows

	// targets adds to ts what a decoded request touches. in is a pointer to the input.
	targets func(in any, ts *targets)

	// serve runs a request and appends the answer's body to dst.
	serve func(c *call, body string, dst []byte) ([]byte, error)
}

// serveFunc is the function of an operation. Without an output it returns nil.
type serveFunc[In, Out any] func(*call, *In) (*Out, error)

// touchFunc adds what a decoded request touches. The request may be invalid.
type touchFunc[In any] func(*In, *targets)

// owns describes an operation that may keep the structures of its decoded request. Their strings
// are still parts of the body, whose memory the next request reuses: the operation must copy the
// strings that it keeps.
func owns[In, Out any](name string, f serveFunc[In, Out], touches touchFunc[In]) operation {
	return newOperation(name, f, touches, false)
}

// borrows describes an operation whose whole decoded request lies in memory that the next request
// reuses. The operation must copy everything that outlives the answer. This saves allocations in
// operations on items, which most requests use.
func borrows[In, Out any](name string, f serveFunc[In, Out], touches touchFunc[In]) operation {
	return newOperation(name, f, touches, true)
}

// newOperation builds an operation from typed functions. All operations share decoding, the model's
// constraints, faults and encoding.
func newOperation[In, Out any](name string, f serveFunc[In, Out], touches touchFunc[In], borrows bool) operation {
	about, ok := catalog.Named(name)
	if !ok {
		panic("package catalog does not list the operation " + name + ": add it there")
	}
	serve := func(c *call, body string, dst []byte) ([]byte, error) {
		in := new(In)
		if err := wire.Decode(body, in, c.memoryOfRequest()); err != nil {
			return dst, err
		}
		if c.event != nil {
			c.nameTables(in)
		}
		if violations := c.service.validator.Validate(in); violations != nil {
			return dst, c.refused(in, &apierr.ParameterError{About: apierr.AboutMembers, Members: violations, Report: c.operation.reports})
		}
		for _, s := range c.service.stages {
			if err := s(c, in); err != nil {
				return dst, c.refused(in, c.ended(in, nil, err))
			}
		}
		out, err := f(c, in)
		if err == errUnsettled {
			if err = c.service.strong.settle(c); err == nil {
				out, err = f(c, in)
			}
		}
		if c.atEnd != nil {
			err = c.ended(in, out, err)
		}
		if err != nil || out == nil {
			return dst, c.refused(in, err)
		}
		return wire.Append(dst, out), nil
	}
	return operation{
		Operation: about,
		input:     reflect.TypeFor[In](),
		output:    reflect.TypeFor[Out](),
		borrows:   borrows,
		targets:   func(in any, ts *targets) { touches(in.(*In), ts) },
		serve:     serve,
	}
}

// stage is what a feature does with a decoded request before its operation. It may refuse it.
type stage func(c *call, in any) error

// ended runs what the stages have left to do, and returns the error of the request. out is nil if
// the operation has not run.
func (c *call) ended(in, out any, err error) error {
	for _, f := range c.atEnd {
		err = f(in, out, err)
	}
	return err
}

// oldLayerDepth is the greatest depth of values at which the new layer of validation still sees a
// request (service facts 0.12).
const oldLayerDepth = 62

// refused returns the error of a request. If a value is nested far too deep, the old layer words
// the error.
func (c *call) refused(in any, err error) error {
	if _, ok := err.(*apierr.ParameterError); ok && c.form == apierr.EnvelopedForm && wire.Depth(in) > oldLayerDepth {
		c.form = apierr.OldForm
	}
	return err
}

// worded returns the operation with a form of validation errors other than the old one.
func (o operation) worded(f apierr.Form) operation {
	o.form = f
	return o
}

// reporting returns the operation with another way to report violations of the model's constraints.
// By default it lists all of them.
func (o operation) reporting(r apierr.Report) operation {
	o.reports = r
	return o
}
