package budget

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Limits bound an evaluation. Each must be more than 0.
type Limits struct {
	Bytes int64 // all that is made of the input together, also what is thrown away
	Steps int64 // parts that are visited: elements, rounds of loops, references
	Depth int   // names that are within one another
}

// contextSteps is how many steps are between two looks at the context.
const contextSteps = 256

// A Budget counts one evaluation. It must not be used concurrently.
type Budget struct {
	ctx    context.Context
	limits Limits
	bytes  int64
	steps  int64
	within []string
}

// New returns a Budget with nothing used yet. The end of ctx ends the evaluation, too: give it a
// timeout for a limit of time.
func New(ctx context.Context, limits Limits) *Budget {
	return &Budget{ctx: ctx, limits: limits}
}

// Bytes counts n bytes, which the caller is about to make. A negative n counts as too many.
func (b *Budget) Bytes(n int64) error {
	if n < 0 || n > b.limits.Bytes-b.bytes {
		return b.exceeded("bytes", b.limits.Bytes)
	}
	b.bytes += n
	return nil
}

// Step counts a step. Now and then it looks at the context.
func (b *Budget) Step() error {
	if b.steps >= b.limits.Steps {
		return b.exceeded("steps", b.limits.Steps)
	}
	if b.steps%contextSteps == 0 && b.ctx.Err() != nil {
		return &Error{Place: b.Place(), err: context.Cause(b.ctx)}
	}
	b.steps++
	return nil
}

// Enter counts a step, and a level of depth under a name: what follows is within it, until Leave.
// After an error the level was not entered, and Leave must not be called for it.
func (b *Budget) Enter(name string) error {
	if len(b.within) >= b.limits.Depth {
		return b.exceeded("levels", int64(b.limits.Depth))
	}
	if err := b.Step(); err != nil {
		return err
	}
	b.within = append(b.within, name)
	return nil
}

// Refer is Enter for the name of something that can refer to itself, such as a variable. If the
// evaluation is within that name already, the error names the circle. Names of different kinds need
// different prefixes.
func (b *Budget) Refer(name string) error {
	if at := slices.Index(b.within, name); at >= 0 {
		return &Error{Circle: append(slices.Clone(b.within[at:]), name), Place: b.Place()}
	}
	return b.Enter(name)
}

// Leave ends the level of the last Enter or Refer.
func (b *Budget) Leave() { b.within = b.within[:len(b.within)-1] }

// Place returns the names that the evaluation is within, the outermost first. Of many it returns
// the first and the last.
func (b *Budget) Place() string {
	const shown = 8
	names := b.within
	if len(names) > 2*shown {
		names = append(append(slices.Clone(names[:shown]), "..."), names[len(names)-shown:]...)
	}
	return strings.Join(names, " > ")
}

// Used returns what has been counted so far.
func (b *Budget) Used() (bytes, steps int64) { return b.bytes, b.steps }

func (b *Budget) exceeded(limit string, most int64) error {
	return &Error{Limit: limit, Most: most, Place: b.Place()}
}

// An Error is why an evaluation ended early.
type Error struct {
	Limit  string // "bytes", "steps" or "levels"; "" if another reason ended the evaluation
	Most   int64  // what the limit allows
	Circle []string
	Place  string // the result of Budget.Place; "" outside of all names
	err    error
}

// Error implements error.
func (e *Error) Error() string {
	var text string
	switch {
	case e.err != nil:
		text = e.err.Error()
	case e.Circle != nil:
		text = "a circle: " + strings.Join(e.Circle, " refers to ")
	default:
		text = fmt.Sprintf("more than %d %s", e.Most, e.Limit)
	}
	if e.Place != "" && e.Circle == nil {
		text += ", in " + e.Place
	}
	return text
}

// Unwrap returns the error of the context, or nil if a limit or a circle is the reason.
func (e *Error) Unwrap() error { return e.err }
