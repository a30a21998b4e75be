package accelerators

import (
	"sync/atomic"
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/acceleration"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
)

// Accelerator answers at the ports of DAX. Its methods are safe for concurrent use.
type Accelerator interface {
	acceleration.Nodes

	// Leave ends the connections of the callers of an account and region at a node. With forget,
	// the node forgets what it has cached for them. owner and region are "" if all share one.
	Leave(s *serve.Service, owner, region string, node int, forget bool)
}

// Link says which accelerator a server has, nil if it has none. Forks share it. It is safe for
// concurrent use.
type Link struct {
	to atomic.Pointer[Accelerator]
}

// Set makes a the accelerator. nil is for none.
func (l *Link) Set(a Accelerator) {
	if a == nil {
		l.to.Store(nil)
		return
	}
	l.to.Store(&a)
}

// Get returns the accelerator, or nil.
func (l *Link) Get() Accelerator {
	if a := l.to.Load(); a != nil {
		return *a
	}
	return nil
}

// AddLink makes the operations of a service lead to the accelerator of a link.
func AddLink(s *serve.Service, l *Link) { linkPart.Set(s, l) }

var linkPart = serve.Part[*Link]{Kind: serve.AcceleratorPart}

// ttls are those of the default parameter group.
func (l *Link) ttls() (item, query time.Duration) {
	if a := l.Get(); a != nil {
		return a.TTLs()
	}
	return 5 * time.Minute, 5 * time.Minute
}
