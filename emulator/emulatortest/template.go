package emulatortest

import (
	"sync"

	"github.com/kugiri-db/kugiri/emulator"
)

// Template returns a function that gives each test a fork of one emulator, which setup fills with
// what all tests begin with. A package has it in a variable:
//
//	var newShop = emulatortest.Template(func(t testing.TB, server *emulatortest.Server) {
//		server.Seed(t, "testdata/shop")
//	})
//
//	func TestOrder(t *testing.T) {
//		t.Parallel()
//		server := newShop(t)
//		...
//	}
//
// The first test that asks for a fork calls setup, with itself as t: what fails there fails this
// test. The tests after it then fail as well, and name it. What setup leaves to t.Cleanup is done
// at the end of the first test, when others still need the template. T is testing.TB, or *testing.T
// if no benchmark needs forks.
//
// The options are those of the emulator and of all forks. A test may have more for its own fork.
func Template[T TB](setup func(t T, server *Server), opts ...Option) func(t T,
	opts ...Option) *Server {
	p := &template[T]{setup: setup, options: optionsOf(opts)}
	return p.fork
}

type template[T TB] struct {
	setup   func(T, *Server)
	options options

	mu     sync.Mutex // guards the fields below
	first  string     // the name of the test that called setup, "" if none did
	server *Server    // nil if setup was not finished
}

func (p *template[T]) fork(t T, opts ...Option) *Server {
	t.Helper()
	p.make(t)
	if p.server == nil {
		t.Fatalf("emulatortest: the setup of the template was not finished: see %s, which began it",
			p.first)
		return nil
	}
	return p.server.Fork(t, opts...)
}

// make makes the template, with the first test that asks for it. A sync.Once would be where
// failures seem to come from.
func (p *template[T]) make(t T) {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.first != "" {
		return
	}
	p.first = "another test"
	if named, ok := any(t).(interface{ Name() string }); ok {
		p.first = named.Name()
	}
	s := newEndless(t, func() *emulator.Emulator { return emulator.New(p.options.emulator...) },
		p.options)
	p.setup(t, s)
	p.server = s
}
