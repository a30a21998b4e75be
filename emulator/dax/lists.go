package dax

import (
	"container/list"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/kugiri-db/kugiri/emulator/dax/cbor"
)

// lists are the attribute lists that clients and nodes know by numbers. A list's number is made of
// its names, so that a client which outlives a server never takes one list for another. Where
// callers have rights of their own, it is made of the caller as well, and only that caller may ask
// for it: a number would tell others which attributes somebody's items have.
//
// Each list counts against the connections that use it, and against their callers (see holding and
// share). When the last connection ends, the list is idle: it stays for clients that connect again,
// until there is no room for it.
type lists struct {
	mu      sync.Mutex // taken before that of a holding
	byNames map[string]*attributeList
	byID    map[int64]*attributeList
	idle    list.List // *attributeList elements, the most recently used one in front
	holders map[*holding]struct{}
	shares  map[shareOf]*share
	bytes   int
	most    int // maxLists
}

// attributeList is a list of names. Only its last two fields change, under the lock of lists.
type attributeList struct {
	id      int64
	key     string // the owner and the encoded names
	owner   string // the only caller who may use it; "": all
	names   []string
	size    int
	holders int
	idle    *list.Element // nil while it has holders
}

// emptyList is the number of the list without names, which clients know without asking.
const emptyList = 1

// Limits of the bytes of lists. A cluster of the service runs out of memory at some point, too
// (Developer Guide, "DAX cluster components", "Attribute names").
const (
	maxLists = 64 << 20 // bytes of all lists together
	maxHeld  = 8 << 20  // bytes of the lists that a connection uses
)

// errNoRoom is the error of a list that a connection has no room for.
var errNoRoom = errors.New("the names of the attributes take more memory than a connection may use")

func newLists() *lists {
	return &lists{byNames: map[string]*attributeList{}, byID: map[int64]*attributeList{},
		holders: map[*holding]struct{}{}, shares: map[shareOf]*share{}, most: maxLists}
}

func appendNames(dst []byte, names []string) []byte {
	for _, name := range names {
		dst = cbor.AppendText(dst, name)
	}
	return dst
}

// A shareOf says whose a share is: that of all access keys of an origin, or of one of them. The
// origin is the remote host, because anybody may name any access key; where callers have rights of
// their own, it is the access key itself.
type shareOf struct {
	origin, accessKey string
	all               bool // whether it is the share of all access keys; accessKey is ""
}

// A share counts the bytes that connections hold together. The lock of lists guards it.
type share struct {
	of             shareOf
	bytes, holders int
}

// join returns the shares that a connection of a caller is in. The caller holds mu.
func (l *lists) join(origin, accessKey string) (shares [2]*share) {
	for i, of := range [...]shareOf{{origin: origin, all: true}, {origin, accessKey, false}} {
		if l.shares[of] == nil {
			l.shares[of] = &share{of: of}
		}
		shares[i] = l.shares[of]
		shares[i].holders++
	}
	return shares
}

// part takes a connection out of its shares. It holds nothing any more. The caller holds mu.
func (l *lists) part(h *holding) {
	for i, s := range h.shares {
		if s == nil {
			continue
		}
		if s.holders--; s.holders == 0 {
			delete(l.shares, s.of)
		}
		h.shares[i] = nil
	}
}

// A holding has the lists that a connection uses, as protocol.Lists. What it used least recently
// leaves when it is too much.
type holding struct {
	all    *lists
	owner  string    // the owner of its lists: see attributeList
	shares [2]*share // the shares of its origin and its access key; nil without a caller

	mu      sync.Mutex
	byNames map[string]*list.Element // *attributeList elements
	byID    map[int64]*list.Element
	recent  list.List // the most recently used one in front
	bytes   int
}

// hold returns a holding without lists. The connection must call release when it ends.
func (l *lists) hold() *holding {
	h := &holding{all: l, byNames: map[string]*list.Element{}, byID: map[int64]*list.Element{}}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.holders[h] = struct{}{}
	return h
}

// Names implements protocol.Lists.
func (h *holding) Names(id int64) ([]string, bool) {
	if id == emptyList {
		return nil, true
	}
	h.mu.Lock()
	if at := h.byID[id]; at != nil {
		h.recent.MoveToFront(at)
		h.mu.Unlock()
		return at.Value.(*attributeList).names, true
	}
	h.mu.Unlock()
	h.all.mu.Lock()
	defer h.all.mu.Unlock()
	a := h.all.byID[id]
	if a == nil || a.owner != h.owner {
		return nil, false
	}
	h.all.take(h, a)
	return a.names, true
}

// ID implements protocol.Lists.
func (h *holding) ID(names []string) (int64, error) {
	if len(names) == 0 {
		return emptyList, nil
	}
	var space [512]byte
	key := space[:0]
	if h.owner != "" {
		key = cbor.AppendBytes(key, []byte(h.owner))
	}
	key = appendNames(key, names)
	h.mu.Lock()
	if at := h.byNames[string(key)]; at != nil {
		h.recent.MoveToFront(at)
		h.mu.Unlock()
		return at.Value.(*attributeList).id, nil
	}
	h.mu.Unlock()
	h.all.mu.Lock()
	defer h.all.mu.Unlock()
	a := h.all.byNames[string(key)]
	if a == nil {
		var err error
		if a, err = h.all.define(h.owner, key, names); err != nil {
			return 0, err
		}
	}
	h.all.take(h, a)
	return a.id, nil
}

// define makes a list, which a holder must take next. The caller holds mu.
func (l *lists) define(owner string, key []byte, names []string) (*attributeList, error) {
	a := &attributeList{owner: owner, key: string(key), size: 2*len(key) + 16*len(names) + 256}
	if a.size > maxHeld {
		return nil, errNoRoom
	}
	// a number that JavaScript can hold, and that is not emptyList
	sum := sha256.Sum256(key)
	a.id = int64(binary.BigEndian.Uint64(sum[:])>>12 | 2)
	if l.byID[a.id] != nil {
		return nil, errors.New("two sets of attribute names have the same number")
	}
	all := strings.Join(names, "") // no memory of the caller's
	for _, name := range names {
		a.names = append(a.names, all[:len(name)])
		all = all[len(name):]
	}
	l.byNames[a.key], l.byID[a.id] = a, a
	l.bytes += a.size
	return a, nil
}

// take has a connection hold a list that it does not hold yet. The caller holds mu.
func (l *lists) take(h *holding, a *attributeList) {
	if a.holders++; a.idle != nil {
		l.idle.Remove(a.idle)
		a.idle = nil
	}
	h.mu.Lock()
	at := h.recent.PushFront(a)
	h.byNames[a.key], h.byID[a.id] = at, at
	h.count(a.size)
	h.mu.Unlock()
	for h.size() > maxHeld {
		l.leave(h.dropOldest())
	}
	for l.bytes > l.most {
		l.trim()
	}
}

// leave counts a list as held by one connection less. The caller holds mu.
func (l *lists) leave(a *attributeList) {
	if a.holders--; a.holders == 0 {
		a.idle = l.idle.PushFront(a)
	}
}

// heaviest returns the connection that loses a list first: of the origin that holds the most, and
// in it of the access key that does, the one that holds the most. So a caller with many connections
// takes no room of a caller who holds less.
func (l *lists) heaviest() (heaviest *holding) {
	var most [3]int
	for h := range l.holders {
		bytes := [3]int{2: h.size()}
		for i, s := range h.shares {
			if s != nil {
				bytes[i] = s.bytes
			}
		}
		if bytes[2] > 0 && slices.Compare(bytes[:], most[:]) > 0 {
			heaviest, most = h, bytes
		}
	}
	return heaviest
}

// trim makes room: it forgets the idle list that was used least recently. Without idle lists the
// heaviest connection loses one.
func (l *lists) trim() {
	if l.idle.Len() == 0 {
		l.leave(l.heaviest().dropOldest())
	}
	if oldest := l.idle.Back(); oldest != nil { // else others hold what the connection lost
		a := l.idle.Remove(oldest).(*attributeList)
		delete(l.byNames, a.key)
		delete(l.byID, a.id)
		l.bytes -= a.size
	}
}

func (h *holding) size() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.bytes
}

// dropOldest takes the list that the connection used least recently from it.
func (h *holding) dropOldest() *attributeList {
	h.mu.Lock()
	defer h.mu.Unlock()
	a := h.recent.Remove(h.recent.Back()).(*attributeList)
	delete(h.byNames, a.key)
	delete(h.byID, a.id)
	h.count(-a.size)
	return a
}

// count counts bytes that the connection holds. The caller holds both locks.
func (h *holding) count(bytes int) {
	h.bytes += bytes
	for _, s := range h.shares {
		if s != nil {
			s.bytes += bytes
		}
	}
}

// release ends the connection's hold on its lists.
func (h *holding) release() {
	h.all.mu.Lock()
	defer h.all.mu.Unlock()
	delete(h.all.holders, h)
	h.empty()
	h.all.part(h)
}

// empty takes all lists from the connection. The caller holds the lock of all lists.
func (h *holding) empty() {
	for h.size() > 0 {
		h.all.leave(h.dropOldest())
	}
}

// belongs says whose lists the connection uses from now on, and against whom they count.
func (h *holding) belongs(owner, origin, accessKey string) {
	of := shareOf{origin: origin, accessKey: accessKey}
	h.all.mu.Lock()
	defer h.all.mu.Unlock()
	if h.owner == owner && h.shares[1] != nil && h.shares[1].of == of {
		return
	}
	h.empty()
	h.all.part(h)
	h.owner, h.shares = owner, h.all.join(origin, accessKey)
}

// noted has the lists of a connection, and notes the numbers of those that it is asked for.
type noted struct {
	*holding
	ids map[int64]struct{}
}

// ID implements protocol.Lists.
func (n noted) ID(names []string) (int64, error) {
	id, err := n.holding.ID(names)
	if err == nil && id != emptyList {
		n.ids[id] = struct{}{}
	}
	return id, err
}
