package accelerators

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/acceleration"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/storage"
)

// State holds the clusters, groups and events of an account in a region. The content it points to
// never changes, so that a reader needs no lock.
type State struct {
	content atomic.Pointer[content]
}

// content is written to the journal as one entry: quotas limit it to some hundred kilobytes.
type content struct {
	Clusters []*cluster        `json:",omitempty"`
	Groups   []*parameterGroup `json:",omitempty"` // the default one left out
	Subnets  []*subnetGroup    `json:",omitempty"` // the default one left out
	Events   []event           `json:",omitempty"` // the oldest first
}

// node is a node of a cluster. Its number is that of the accelerator's node, and its letter: "a" is
// 0.
type node struct {
	Number   int
	Zone     string
	Created  time.Time // the moment from which it is available
	Rebooted time.Time // the moment until which it is down
	Gone     time.Time // the moment of its end; zero for never
}

// cluster is a cluster, with what a request has set and when its states end.
type cluster struct {
	Name, Description, NodeType, Window, SubnetGroup, Role, ParameterGroup string
	Topic, TopicStatus, Encryption                                         string
	SSE                                                                    bool
	SecurityGroups                                                         []string
	Tags                                                                   []tag
	Ready, Modified, Gone                                                  time.Time
	Nodes                                                                  []node
}

type parameterGroup struct {
	Name, Description string
	ItemTTL, QueryTTL int64 // milliseconds, -1 for the default
}

type subnetGroup struct {
	Name, Description string
	Subnets           []string
}

type event struct {
	Source, Type, Message string
	Date                  time.Time
}

// of returns the state of an account.
func of(a *serve.Account) *State { return a.States[serve.AcceleratorState].(*State) }

func (s *State) read() *content {
	if c := s.content.Load(); c != nil {
		return c
	}
	return &content{}
}

// change makes f change a copy of the content, which takes its place if f succeeds.
func (s *State) change(tx *storage.Tx, now time.Time, f func(*content) error) error {
	text, err := json.Marshal(s.read())
	if err != nil {
		return err
	}
	var next content
	if err := json.Unmarshal(text, &next); err != nil {
		return err
	}
	next.Clusters = slices.DeleteFunc(next.Clusters, func(c *cluster) bool { return c.over(now) })
	for _, c := range next.Clusters {
		c.Nodes = slices.DeleteFunc(c.Nodes, func(n node) bool { return n.over(now) })
	}
	if err := f(&next); err != nil {
		return err
	}
	next.trim(now)
	if text, err = json.Marshal(&next); err != nil {
		return err
	}
	tx.Keep(serve.AcceleratorState.Prefix(), string(text))
	s.content.Store(&next)
	return nil
}

// Events are kept for 14 days (API Reference, DescribeEvents), and so many at most.
const (
	eventDays = 14 * 24 * time.Hour
	maxEvents = 1000
)

func (c *content) trim(now time.Time) {
	c.Events = slices.DeleteFunc(c.Events, func(e event) bool {
		return now.Sub(e.Date) > eventDays
	})
	if more := len(c.Events) - maxEvents; more > 0 {
		c.Events = slices.Delete(c.Events, 0, more)
	}
}

func (c *content) tell(kind, source, message string, at time.Time) {
	c.Events = append(c.Events, event{source, kind, message, at})
}

// find returns the cluster with a name, unless it is gone.
func (c *content) find(name string, now time.Time) *cluster {
	for _, one := range c.Clusters {
		if one.Name == name && !one.over(now) {
			return one
		}
	}
	return nil
}

func (c *content) group(name string) *parameterGroup {
	for _, g := range c.Groups {
		if g.Name == name {
			return g
		}
	}
	return nil
}

func (c *content) subnets(name string) *subnetGroup {
	for _, g := range c.Subnets {
		if g.Name == name {
			return g
		}
	}
	return nil
}

func past(t, now time.Time) bool { return !t.IsZero() && !now.Before(t) }

func (c *cluster) over(now time.Time) bool { return past(c.Gone, now) }
func (n *node) over(now time.Time) bool    { return past(n.Gone, now) }

// Fork implements serve.State.
func (s *State) Fork() serve.State {
	fork := &State{}
	fork.content.Store(s.content.Load())
	return fork
}

// Load implements serve.State.
func (s *State) Load(kept map[string]string) error {
	text, ok := kept[""]
	if !ok {
		return nil
	}
	var c content
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		return fmt.Errorf("the clusters of the accelerator: %w", err)
	}
	s.content.Store(&c)
	return nil
}

// KeepAll implements serve.State.
func (s *State) KeepAll(keep func(key, value string)) {
	c := s.content.Load()
	if c == nil {
		return
	}
	if text, err := json.Marshal(c); err == nil {
		keep("", string(text))
	}
}

// Forked implements serve.State.
func (s *State) Forked(*serve.Account, func() time.Time) {}

// Disposable implements serve.State.
func (s *State) Disposable(time.Time) bool {
	c := s.read()
	return len(c.Clusters)+len(c.Groups)+len(c.Subnets)+len(c.Events) == 0
}

// inUse returns the cluster of an account, or nil. A cluster that is being deleted does not count.
func (c *content) inUse() *cluster {
	for _, one := range c.Clusters {
		if one.Gone.IsZero() {
			return one
		}
	}
	return nil
}

// TTLs are those of the parameter group of an account's cluster. They are negative where the
// accelerator's count.
func TTLs(a *serve.Account) (itemTTL, searchTTL time.Duration) {
	if all := of(a).content.Load(); all != nil {
		if c := all.inUse(); c != nil {
			if g := all.group(c.ParameterGroup); g != nil {
				return duration(g.ItemTTL), duration(g.QueryTTL)
			}
		}
	}
	return -1, -1
}

// Members are the nodes of an account's cluster that answer now. ok is false if there is no
// cluster.
func Members(a *serve.Account, now time.Time) (members []acceleration.Member, ok bool) {
	all := of(a).content.Load()
	if all == nil {
		return nil, false
	}
	c := all.inUse()
	if c == nil {
		return nil, false
	}
	for i := range c.Nodes {
		if n := &c.Nodes[i]; n.status(now) == available && n.Gone.IsZero() {
			members = append(members, acceleration.Member{Number: n.Number, Zone: n.Zone})
		}
	}
	return members, true
}

func duration(millis int64) time.Duration {
	if millis < 0 {
		return -1
	}
	return time.Duration(millis) * time.Millisecond
}
