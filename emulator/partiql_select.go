package emulator

import (
	"slices"
	"strconv"

	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/keys"
	"github.com/kugiri-db/kugiri/emulator/internal/metering"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/expr/partiql"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// selectRead is a SELECT in progress: a Query of one partition or of several in turn, or a Scan.
type selectRead struct {
	rangeRead
	statement *statement
	single    bool        // it must be for one item by its key
	columns   []column    // nil: those of read.projection
	planned   *selectPlan // once run
}

// column is a part of an item that SELECT names by a path into an attribute.
type column struct {
	name string
	path expr.Path
}

// maxInPage is the maximum number of items in a page if IN lists partition keys: Developer Guide,
// "PartiQL arithmetic, comparison, and logical operators for DynamoDB", IN.
const maxInPage = 10

func (s *statement) newSelect(consistent *bool, used metering.Usage) *selectRead {
	r := &selectRead{statement: s, rangeRead: rangeRead{
		table:      s.table,
		consistent: api.IsTrue(consistent),
		filter:     s.where,
		projection: s.projection(),
		usage:      used,
	}, columns: s.columns()}
	if s.Index != "" {
		r.index = (*api.IndexName)(&s.Index)
	}
	return r
}

// projection returns the attributes that SELECT lists, or nil for the whole item.
func (s *statement) projection() *expr.Projection {
	if s.Projection == nil {
		return nil
	}
	paths := make([]expr.Path, len(s.Projection))
	for i, path := range s.Projection {
		paths[i] = pathOf(path)
	}
	return expr.ProjectionOf(paths...)
}

// columns returns what SELECT lists if any path of it reaches into an attribute. The end of such a
// path names its column.
func (s *statement) columns() (list []column) {
	if !slices.ContainsFunc(s.Projection, func(p partiql.Path) bool { return len(p) > 1 }) {
		return nil
	}
	taken := map[string]bool{}
	for _, path := range s.Projection {
		if name := columnName(path); !taken[name] {
			taken[name] = true
			list = append(list, column{name, pathOf(path)})
		}
	}
	return list
}

// columnName returns the last name of a path with the indexes after it: c[0] for a.b.c[0].
func columnName(path partiql.Path) string {
	last := len(path) - 1
	for path[last].Index >= 0 {
		last--
	}
	name := path[last].Name
	for _, step := range path[last+1:] {
		name += "[" + strconv.Itoa(step.Index) + "]"
	}
	return name
}

// run checks the statement against its table and reads a page.
func (r *selectRead) run(c *call, tx *storage.Tx) error {
	if err := r.open(c, tx); err != nil {
		return err
	}
	if r.statement.refused != nil {
		return r.statement.refused
	}
	p, err := r.statement.plan(&r.source)
	if err != nil {
		return err
	}
	r.planned, r.required = p, p.others
	if _, ok := r.statement.onlyKey(r.source.Table); r.single && (r.index != nil || !ok) {
		return errBatchSelect
	}
	if err := r.checkAttributes(tx); err != nil {
		return err
	}
	if err := r.order(p); err != nil {
		return err
	}
	ranges := p.storageRanges(r.reverse)
	if r.start != "" {
		if ranges, err = r.resume(ranges); err != nil {
			return err
		}
	}
	if p.in && (r.limit == 0 || r.limit > maxInPage) {
		r.limit = maxInPage
	}
	if err := c.watch.selects(&r.source, r.statement.Statement, r.statement.params); err != nil {
		return err
	}
	return r.pages(c, tx, ranges)
}

// Errors of a SELECT from an index: service facts 2.17, 2.21.
var (
	errNoIndex         = apierr.Invalid("The table does not have the specified index")
	errIndexConsistent = apierr.Invalid("Strongly consistent read is not supported on Global Secondary Indexes")
	errMultiAttribute  = apierr.Invalid("PartiQL statements cannot be executed on tables with multi-attribute HASH keys or multi-attribute RANGE keys.")
)

// open resolves the table and the index. It does the same as rangeRead.open, with the texts of
// PartiQL.
func (r *selectRead) open(c *call, tx *storage.Tx) (err error) {
	if err := r.openTable(c, tx); err != nil || r.index == nil {
		return err
	}
	t, name := r.source.Table, string(*r.index)
	if tx.Index(t, name) == nil && tx.VectorIndex(t, name) == nil {
		return errNoIndex
	}
	if r.source.Index, err = c.activeIndex(tx, t, name); err != nil {
		return err
	}
	switch key := r.source.Key(); {
	case len(key.Hash) > 1 || len(key.Range) > 1:
		return errMultiAttribute
	case r.consistent && !r.source.Index.Local:
		return errIndexConsistent
	}
	r.lookBack(c, tx)
	return nil
}

// resume returns the part of the ranges that comes after the start key.
func (r *selectRead) resume(ranges []storage.Range) ([]storage.Range, error) {
	if keys.CheckStart(&r.source, r.start) != nil {
		return nil, errNextToken
	}
	k, err := keys.Start(&r.source, r.start)
	if err != nil {
		return nil, err
	}
	for i := range ranges {
		if keys.Within(&ranges[i], k) {
			ranges[i] = keys.After(ranges[i], k, r.reverse)
			return ranges[i:], nil
		}
	}
	return nil, errNextToken
}

// pages reads one range after the other until the page is full.
func (r *selectRead) pages(c *call, tx *storage.Tx, ranges []storage.Range) error {
	var entries, whole []item.Item
	limit, bytes := r.limit, c.service.limits.PageBytes
	for i, rng := range ranges {
		if limit > 0 {
			r.limit = limit - len(entries)
		}
		r.last, r.whole = "", nil
		if err := r.checkThroughput(c, tx, rng); err != nil {
			return err
		}
		r.pageUpTo(tx, rng, bytes)
		r.charge(c, tx, rng)
		entries, whole = append(entries, r.entries...), append(whole, r.whole...)
		if r.last != "" {
			k := r.source.Encode(entries[len(entries)-1])
			if left := keys.After(rng, k, r.reverse); i == len(ranges)-1 && keys.IsEmpty(&left) {
				r.last = "" // nothing can follow
			}
			break
		}
		for _, it := range r.entries {
			bytes -= it.Size()
		}
		bytes = max(bytes, 1) // 0 would be no limit
	}
	r.entries, r.whole, r.scanned = entries, whole, len(entries)
	return nil
}

// selected filters and projects the items that were read.
func (r *selectRead) selected(c *call) ([]item.JSON, error) {
	if r.columns == nil {
		a, err := r.answer(c)
		if err != nil {
			return nil, err
		}
		return a.items, nil
	}
	found, err := r.matches(c)
	if err != nil {
		return nil, err
	}
	list := make([]item.JSON, len(found))
	for i, it := range found {
		if err := c.gone(i); err != nil {
			return nil, err
		}
		var attributes []item.Attribute
		for _, col := range r.columns {
			if v := col.path.Get(it); v != "" {
				attributes = append(attributes, item.Attribute{Name: col.name, Value: v})
			}
		}
		list[i] = item.New(attributes...).JSON()
	}
	return list, nil
}

// Errors of ORDER BY.
const (
	errOrderWhere = partiql.Refusal("Must have WHERE clause in the statement when using ORDER BY clause.")
	errOrderHash  = partiql.Refusal("Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause.")
	errOrderOnly  = partiql.Refusal("Must have hash key in ORDER BY clause when more than one hash key condition specified in WHERE clause.")
)

// order sorts the items as ORDER BY says: by the partition key, the sort key, or both. If ORDER BY
// names only the partition key, items come in descending order of the sort key (service facts
// A.18).
func (r *selectRead) order(p *selectPlan) error {
	terms := r.statement.Order
	switch {
	case len(terms) == 0:
		return nil
	case r.statement.Where == nil:
		return errOrderWhere
	case p.ranges == nil:
		return errOrderHash
	}
	ks := r.source.Key()
	if err := r.statement.checkOrder(ks); err != nil {
		return err
	}
	byHash, bySort := false, false
	for _, o := range terms {
		if o.Path[0].Name == ks.Hash[0].Name {
			p.sortByHash(o.Desc)
			byHash = true
		} else {
			r.reverse, bySort = o.Desc, true
		}
	}
	if !byHash && p.manyPartitions() {
		return errOrderOnly
	}
	r.reverse = r.reverse || !bySort
	return nil
}

// checkOrder checks that ORDER BY names only attributes of a key: service facts A.18.
func (s *statement) checkOrder(ks *storage.KeySchema) error {
	for _, o := range s.Order {
		if len(o.Path) > 1 || !keys.IsAttribute(ks, o.Path[0].Name) {
			return partiql.Refusal("Attribute " + columnName(o.Path) + " in ORDER BY clause must be part of the primary key")
		}
	}
	return nil
}
