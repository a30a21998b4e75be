package items

import (
	"cmp"
	"slices"
	"sync"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/emulator/fault"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/keys"
	"github.com/kugiri-db/kugiri/emulator/internal/metering"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// writeSet is a list of writes that one commit makes. Every write of an item goes through its run:
// the checks of keys, the policy, faults, open transactions, throughput, conditions and usage each
// have their one place there. The callers differ in what they list and in onFailure.
// Operations, statements and the deletion of expired items use it.
type writeSet struct {
	Writes    []ItemWrite
	Tables    []batchTable // the tables that the writes name
	onFailure onFailure
	metrics   bool // ReturnItemCollectionMetrics SIZE
	expiry    bool // the service itself deletes items that have expired, which costs nothing
	stamps    bool // a table is in a global table of version 2017.11.29
	Loading   bool // an import or a bulk put writes, which uses no throughput: see loader
	Shared    bool // the tables' usage includes other requests', and is reported even on failure
	hold      hold

	Reasons   apierr.Cancellation // the reasons of cancelAll
	throttled int                 // how many writes had no throughput, for leaveUnprocessed
	lookups   []storage.Lookup    // the look-ups of the writes that had not failed before
	one       [1]batchTable       // memory for tables
}

// onFailure says what happens when one of the writes fails.
type onFailure uint8

const (
	refuse           onFailure = iota // the request fails with the error
	leaveUnprocessed                  // the other writes are made, if the error allows a retry
	// the transaction is cancelled; each failed action has its reason
	cancelAll
)

// hold is the state of a transaction that holds its items while a hook runs.
type hold uint8

const (
	noHold    hold = iota
	preparing      // run finds out whether the transaction is possible; it does not become visible
	held           // the set itself holds its items
)

// writeSets are freed sets, for the memory of their writes.
var writeSets = sync.Pool{New: func() any { return new(writeSet) }}

// writesKept is the largest number of writes of a set that goes back to the pool.
const writesKept = 128

// newWriteSet returns a set of n empty writes. The caller owns it until it calls Free.
func newWriteSet(n int, f onFailure) *writeSet {
	s := writeSets.Get().(*writeSet)
	s.Writes = slices.Grow(s.Writes, n)[:n]
	s.onFailure = f
	return s
}

// NewWrite returns a set of a single write to a table, and the write.
func NewWrite(table string, u metering.Usage) (*writeSet, *ItemWrite) {
	s := newWriteSet(1, refuse)
	s.nameTable(table, u)
	return s, &s.Writes[0]
}

// nameTable sets the one table that all writes are to.
func (s *writeSet) nameTable(name string, u metering.Usage) {
	s.Tables = s.one[:]
	s.Tables[0].name, s.Tables[0].Used = name, u
}

// Free returns s and its writes to the pool. It does not reuse the tables, because answers hold
// parts of them.
func (s *writeSet) Free() {
	if len(s.Writes) > writesKept {
		return
	}
	clear(s.Writes)
	clear(s.lookups)
	*s = writeSet{Writes: s.Writes[:0], lookups: s.lookups[:0]}
	writeSets.Put(s)
}

// batchTable holds one table of a request for several items, and what the request uses of it.
type batchTable struct {
	requested   string // what the request calls the table
	name        string
	Table       *storage.Table
	Used        metering.Usage
	collections []api.ItemCollectionMetrics
}

// The methods by which a policy looks at the set.

func (s *writeSet) Len() int                           { return len(s.Writes) }
func (s *writeSet) Transacts() bool                    { return s.onFailure == cancelAll }
func (s *writeSet) Unconditional() bool                { return s.onFailure == leaveUnprocessed }
func (s *writeSet) FailedItem(i int) item.JSON         { return s.Writes[i].failedItem() }
func (s *writeSet) Cancellation() *apierr.Cancellation { return &s.Reasons }

func (s *writeSet) Images(i int) (old, new item.Item, made bool) {
	w := &s.Writes[i]
	return w.Old, w.New, !w.left
}

func (s *writeSet) Describe(i int, p *request.Write) {
	w := &s.Writes[i]
	t := s.Tables[w.table].Table
	p.Table, p.Schema, p.Condition = t.Name, schemaOf(&t.Key), w.Condition
	w.Change.Propose(p, t)
}

// schemaOf returns the names of a key's attributes.
func schemaOf(k *storage.KeySchema) (schema request.KeySchema) {
	if len(k.Hash) > 0 {
		schema.Partition = k.Hash[0].Name
	}
	if len(k.Range) > 0 {
		schema.Sort = k.Range[0].Name
	}
	return schema
}

// Commit runs the set in a commit of its own.
func (s *writeSet) Commit(c *serve.Call) error {
	err := c.Store.Update(func(tx *storage.Tx) error { return s.Run(c, tx) })
	if err == serve.ErrUnsettled {
		return s.commitStrong(c)
	}
	return err
}

// Run makes the writes. On an error the caller has to roll back, by returning it from the Update.
func (s *writeSet) Run(c *serve.Call, tx *storage.Tx) error {
	s.Reasons = apierr.Cancellation{
		Actions: len(s.Writes), Each: s.Reasons.Each, Empty: s.Reasons.Empty,
	}
	if err := orderOfResolving.Judge(setRun{s, c, tx}); err != nil {
		return err
	}
	proposed, err := c.Policy.Propose(s)
	if err != nil {
		return err
	}
	s.readOld(tx)
	if err := s.makeAll(c, tx); err != nil {
		return err
	}
	accepted, err := proposed.Commit(tx)
	if err != nil {
		return err
	}
	if err := s.checkMemory(c); err != nil {
		return err
	}
	if err := s.chargeTogether(c, tx); err != nil || s.hold == preparing {
		return err
	}
	s.account(tx)
	accepted.Record()
	if s.stamps {
		s.stamp(c, tx)
	}
	return nil
}

// checkMemory returns an error if a write adds data for which there is no memory: that of an
// account that exceeds its throughput, which SDKs send again.
func (s *writeSet) checkMemory(c *serve.Call) error {
	if !c.Service.Limits.MemoryFull() {
		return nil
	}
	for i := range s.Writes {
		if w := &s.Writes[i]; w.New != "" && !w.left {
			return c.Throttled(apierr.Exceeded{
				Table: s.Tables[w.table].Table.Name, Write: true, Limit: fault.AccountLimit,
			})
		}
	}
	return nil
}

// setRun is a set in a transaction.
type setRun struct {
	*writeSet
	call *serve.Call
	tx   *storage.Tx
}

// orderOfResolving finds the tables and keys of all writes, and refuses two writes of one item. It
// orders the checks of all writes together, whatever operation makes them, before policies and
// conditions.
var orderOfResolving = serve.Order[setRun]{
	serve.Step("tables", "5.3", func(r setRun) error {
		if r.Loading { // an import has found its own, which is being created
			return nil
		}
		return resolveTables(r.call, r.tx, r.Tables)
	}),
	serve.Step("strong consistency", "",
		func(r setRun) error { return r.checkStrongWrite(r.call, r.tx) }),
	serve.Step("items that occur twice, and keys", "4.1, 5.3",
		func(r setRun) error { return r.resolveKeys(r.call, r.tx) }),
}

// resolveKeys finds the keys of all writes.
func (s *writeSet) resolveKeys(c *serve.Call, tx *storage.Tx) error {
	for i := range s.Writes {
		if err := s.findKey(c, tx, i); err != nil {
			return err
		}
		if s.onFailure == cancelAll && s.repeats(i) {
			return errSameItem
		}
	}
	if s.onFailure == leaveUnprocessed {
		for i := range s.Writes {
			if s.repeats(i) {
				return errDuplicateKeys
			}
		}
	}
	if s.onFailure == cancelAll && s.Reasons.OnlyInvalid() {
		return s.Reasons.Canceled()
	}
	return nil
}

// resolveTables finds the tables.
func resolveTables(c *serve.Call, tx *storage.Tx, tables []batchTable) (err error) {
	for i := range tables {
		if tables[i].Table, err = c.ActiveTable(tx, tables[i].name); err != nil {
			return err
		}
	}
	return nil
}

// findKey finds the key of write i.
func (s *writeSet) findKey(c *serve.Call, tx *storage.Tx, i int) (err error) {
	w := &s.Writes[i]
	t := s.Tables[w.table].Table
	if w.Key, err = w.Change.Key(c, tx, t); err == nil {
		return nil
	}
	switch s.onFailure {
	case cancelAll:
		return s.Reasons.Add(i, err)
	case leaveUnprocessed:
		if !keys.Has(&t.Key, w.keyed) { // not in the words of PutItem (service facts 4.1)
			return keys.ErrSchema
		}
	}
	return err
}

// repeats reports whether an earlier write is to the same item as write i.
func (s *writeSet) repeats(i int) bool {
	w := &s.Writes[i]
	if s.Failed(i) {
		return false
	}
	for j := range i {
		if b := &s.Writes[j]; w.Key == b.Key &&
			s.Tables[w.table].Table == s.Tables[b.table].Table && !s.Failed(j) {
			return true
		}
	}
	return false
}

// Failed reports whether write i has failed. The set goes on with the others.
func (s *writeSet) Failed(i int) bool {
	return s.Writes[i].left || s.onFailure == cancelAll && s.Reasons.Failed(i)
}

// readOld reads the items, all different, of the writes that have not failed.
func (s *writeSet) readOld(tx *storage.Tx) {
	clear(s.lookups) // an attempt before may have left some
	s.lookups = slices.Grow(s.lookups[:0], len(s.Writes))
	for i := range s.Writes {
		if w := &s.Writes[i]; !s.Failed(i) {
			s.lookups = append(s.lookups,
				storage.Lookup{Table: s.Tables[w.table].Table, Key: w.Key})
		}
	}
	if len(s.lookups) == 1 { // GetAll is for many
		l := &s.lookups[0]
		l.Item = tx.Get(l.Table, l.Key)
	} else {
		tx.GetAll(s.lookups)
	}
	lookups := s.lookups
	for i := range s.Writes {
		if !s.Failed(i) {
			s.Writes[i].Old, lookups = lookups[0].Item, lookups[1:]
		}
	}
}

// makeAll makes the writes that have not failed. With cancelAll it tries them all, so that each
// has its reason in the answer.
func (s *writeSet) makeAll(c *serve.Call, tx *storage.Tx) error {
	lookups := s.lookups
	for i := range s.Writes {
		if s.Failed(i) {
			continue
		}
		l := &lookups[0]
		lookups = lookups[1:]
		if err := s.makeOne(c, tx, i, l); err != nil {
			if err := s.fail(c, tx, i, err); err != nil {
				return err
			}
		}
	}
	if s.onFailure != cancelAll {
		return nil
	}
	if s.Reasons.OnlyInvalid(); s.Reasons.Any() {
		s.failAbsent()
	}
	return s.Reasons.Canceled()
}

// failAbsent gives the writes of a transaction that is canceled a reason if they would have done
// nothing, because there is no item, and have a condition besides the key (service facts F.41).
func (s *writeSet) failAbsent() {
	for i := range s.Writes {
		w := &s.Writes[i]
		if !w.UnlessAbsent || w.Old != "" || w.Condition == nil || s.Failed(i) {
			continue
		}
		ks := &s.Tables[w.table].Table.Key
		if slices.ContainsFunc(w.Condition.Attributes(),
			func(name string) bool { return !keys.IsAttribute(ks, name) }) {
			s.Reasons.Note(i, "ConditionalCheckFailed",
				&apierr.Error{Message: apierr.ConditionFailedMessage})
		}
	}
}

// makeOne makes write i. l holds its item.
func (s *writeSet) makeOne(c *serve.Call, tx *storage.Tx, i int, l *storage.Lookup) error {
	w := &s.Writes[i]
	t := s.Tables[w.table].Table
	if err := s.admit(c, tx, i, t); err != nil {
		return err
	}
	if err := w.build(tx, t); err != nil {
		return err
	}
	s.stamps = s.stamps || tables.SettingsOf(tx, t).Global.IsLegacy()
	if err := s.reserve(c, tx, w, t); err != nil {
		return err
	}
	return s.replace(c, tx, w, l)
}

// admit returns an error if write i may not be tried. Faults of single writes and of transactions
// apply to the whole request, and fail it before it gets here.
func (s *writeSet) admit(c *serve.Call, tx *storage.Tx, i int, t *storage.Table) error {
	if s.onFailure == leaveUnprocessed {
		if err := c.Faults.Refusal(i); err != nil {
			return err
		}
	}
	if s.hold != held {
		if err := TransactionsOf(c.Data).conflict(t, s.Writes[i].Key); err != nil {
			return err
		}
	}
	return s.checkThroughput(c, tx, t, s.Writes[i].Key)
}

// replace puts the new item in the place of the old, or removes it. An item that does not change
// is not written: such a write has no change record either (Developer Guide, "Change data capture
// for DynamoDB Streams").
func (s *writeSet) replace(c *serve.Call, tx *storage.Tx, w *ItemWrite, l *storage.Lookup) error {
	t, put := l.Table, tx.PutAt
	if w.Change.builds() {
		put = tx.PutOwnedAt
	}
	switch {
	case w.New == w.Old:
		return nil
	case w.New == "" && s.expiry:
		tx.Expire(t, w.Key)
		return nil
	case w.New == "":
		tx.Delete(t, w.Key)
		return nil
	case !hasCollections(tx, t):
		put(l, w.New)
		return nil
	}
	before := tx.CollectionBytes(t, w.New)
	put(l, w.New)
	if after := tx.CollectionBytes(t, w.New); after > before &&
		after > c.Service.Limits.CollectionBytes {
		return errCollectionSize
	}
	return nil
}

// fail handles the error of write i as onFailure says. It returns an error if the whole set fails.
func (s *writeSet) fail(c *serve.Call, tx *storage.Tx, i int, err error) error {
	switch s.onFailure {
	case cancelAll:
		return s.Reasons.Add(i, err)
	case leaveUnprocessed:
		return s.leave(i, err)
	}
	s.chargeRefused(c, tx, &s.Writes[i], err)
	return err
}

// leave leaves write i unprocessed if a client may retry its error. If no write had throughput, it
// returns the error.
func (s *writeSet) leave(i int, err error) error {
	e := apierr.As(err)
	if e == nil || e.Type != apierr.TransactionConflict && e.Throttled == nil {
		return err
	}
	s.Writes[i].left = true
	if e.Throttled != nil {
		s.throttled++
	}
	if s.throttled == len(s.Writes) {
		return err
	}
	return nil
}

// account counts capacity and measures item collections, once the writes are made.
func (s *writeSet) account(tx *storage.Tx) {
	for i := range s.Writes {
		w := &s.Writes[i]
		if w.left {
			continue
		}
		t := &s.Tables[w.table]
		if t.Used.Counting() {
			t.Used.AddWrite(tx, t.Table, w.Key, w.key(), w.Old, w.New)
		}
		if s.metrics && w.Change.writes() {
			t.measure(tx, w.keyed)
		}
	}
}

// keyedChange is a change that finds its key only when it knows the table: that of a statement.
type keyedChange interface{ keyAttributes() item.Item }

// key returns an item that has the attributes of the write's key.
func (w *ItemWrite) key() item.Item {
	if w.keyed != "" {
		return w.keyed
	}
	if it := cmp.Or(w.New, w.Old); it != "" {
		return it
	}
	if c, ok := w.Change.(keyedChange); ok {
		return c.keyAttributes()
	}
	return ""
}

// measure adds the metrics of the item collection that a write changed, once for each collection.
func (t *batchTable) measure(tx *storage.Tx, keyed item.Item) {
	m := collectionMetrics(tx, t.Table, keyed)
	if m == nil {
		return
	}
	for i := range t.collections {
		if t.collections[i].ItemCollectionKey == m.ItemCollectionKey {
			return
		}
	}
	t.collections = append(t.collections, *m)
}

// collection returns the ItemCollectionMetrics that the answer to a single write has.
func (s *writeSet) collection() *api.ItemCollectionMetrics {
	if len(s.Tables[0].collections) == 0 {
		return nil
	}
	return &s.Tables[0].collections[0]
}

// ReportTables returns the ConsumedCapacity and the ItemCollectionMetrics of the tables for the
// answer.
func ReportTables(tables []batchTable) (consumed []api.ConsumedCapacity,
	metrics api.Map[[]api.ItemCollectionMetrics]) {
	for i := range tables {
		t := &tables[i]
		if u := t.Used.Report((*api.TableArn)(&t.requested)); u != nil {
			consumed = append(consumed, *u)
		}
		if len(t.collections) > 0 {
			metrics = append(metrics,
				api.Entry[[]api.ItemCollectionMetrics]{Key: t.requested, Value: t.collections})
		}
	}
	return consumed, metrics
}
