package serve

import "sync"

// Run is work in the background that a request began, such as an export.
type Run struct {
	Account *Account
	Stop    func() // called when the work is to return soon
	Settle  func() // called when requests are to wait for it no longer
}

// Runs holds what runs in the background of a Service.
type Runs struct {
	mu     sync.Mutex
	closed bool
	all    map[*Run]bool
	group  sync.WaitGroup
}

// Start does work in the background. The account stays in use until it returns.
func (rs *Runs) Start(r *Run, work func()) {
	rs.mu.Lock()
	if rs.all == nil {
		rs.all = map[*Run]bool{}
	}
	rs.all[r] = true
	if rs.closed {
		r.Stop()
	}
	rs.group.Add(1)
	rs.mu.Unlock()
	r.Account.Borrowers.Add(1)
	go func() {
		defer func() {
			r.Settle()
			r.Stop()
			r.Account.GiveBack()
			rs.mu.Lock()
			delete(rs.all, r)
			rs.mu.Unlock()
			rs.group.Done()
		}()
		work()
	}()
}

// stop stops the work for accounts that are gone, or all if gone is nil.
func (rs *Runs) stop(gone map[*Account]bool) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	for r := range rs.all {
		if gone == nil || gone[r.Account] {
			r.Stop()
		}
	}
}

// Settle has no request wait for work any longer.
func (rs *Runs) Settle() {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	for r := range rs.all {
		r.Settle()
	}
}

// Wait waits until nothing runs.
func (rs *Runs) Wait() { rs.group.Wait() }

// Close stops all work, also what is started later, and waits until nothing runs.
func (rs *Runs) Close() {
	rs.mu.Lock()
	rs.closed = true
	rs.mu.Unlock()
	rs.stop(nil)
	rs.Wait()
}
