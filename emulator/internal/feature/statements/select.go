package statements

import (
	"slices"
	"strconv"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/items"
	"github.com/kugiri-db/kugiri/emulator/internal/keys"
	"github.com/kugiri-db/kugiri/emulator/internal/metering"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/expr/partiql"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// selectRead is a SELECT in progress: a Query of one partition or of several in turn, or a Scan.
type selectRead struct {
	items.RangeRead
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
	r := &selectRead{statement: s, RangeRead: items.RangeRead{
		Table:      s.table,
		Consistent: api.IsTrue(consistent),
		Filter:     s.where,
		Projection: s.projection(),
		Usage:      used,
	}, columns: s.columns()}
	if s.Index != "" {
		r.Index = (*api.IndexName)(&s.Index)
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
func (r *selectRead) run(c *serve.Call, tx *storage.Tx) error {
	if err := r.open(c, tx); err != nil {
		return err
	}
	p, err := r.statement.plan(&r.Source)
	if err != nil {
		return err
	}
	r.planned, r.Required = p, p.others
	if _, ok := r.statement.OnlyKey(r.Source.Table); r.single && (r.Index != nil || !ok) {
		return errBatchSelect
	}
	if err := r.CheckAttributes(tx); err != nil {
		return err
	}
	if err := r.order(p); err != nil {
		return err
	}
	ranges := p.storageRanges(r.Reverse)
	if r.Start != "" {
		if ranges, err = r.resume(ranges); err != nil {
			return err
		}
	}
	if p.in && (r.Limit == 0 || r.Limit > maxInPage) {
		r.Limit = maxInPage
	}
	r.Reading, err = c.Policy.Selects(&r.Source, r.statement.Statement, r.statement.params)
	if err != nil {
		return err
	}
	return r.pages(c, tx, ranges)
}

// Errors of a SELECT from an index: service facts 2.17, 2.21.
var (
	errNoIndex         = apierr.Invalid("The table does not have the specified index")
	errIndexConsistent = apierr.Invalid(
		"Strongly consistent read is not supported on Global Secondary Indexes")
	errMultiAttribute = apierr.Invalid(
		"PartiQL statements cannot be executed on tables with multi-attribute HASH keys or multi-attribute RANGE keys.")
)

// open resolves the table and the index. It does the same as RangeRead.open, with the texts of
// PartiQL.
func (r *selectRead) open(c *serve.Call, tx *storage.Tx) (err error) {
	if err := r.OpenTable(c, tx); err != nil || r.Index == nil {
		return err
	}
	t, name := r.Source.Table, string(*r.Index)
	if tx.Tables().Index(t, name) == nil && tx.Vectors().Index(t, name) == nil {
		return errNoIndex
	}
	if r.Source.Index, err = c.ActiveIndex(tx, t, name); err != nil {
		return err
	}
	switch key := r.Source.Key(); {
	case len(key.Hash) > 1 || len(key.Range) > 1:
		return errMultiAttribute
	case r.Consistent && !r.Source.Index.Local:
		return errIndexConsistent
	}
	r.LookBack(c, tx)
	return nil
}

// resume returns the part of the ranges that comes after the start key.
func (r *selectRead) resume(ranges []storage.Range) ([]storage.Range, error) {
	if keys.CheckStart(&r.Source, r.Start) != nil {
		return nil, errNextToken
	}
	k, err := keys.Start(&r.Source, r.Start)
	if err != nil {
		return nil, err
	}
	for i := range ranges {
		if keys.Within(&ranges[i], k) {
			ranges[i] = keys.After(ranges[i], k, r.Reverse)
			return ranges[i:], nil
		}
	}
	return nil, errNextToken
}

// pages reads one range after the other until the page is full.
func (r *selectRead) pages(c *serve.Call, tx *storage.Tx, ranges []storage.Range) error {
	var entries, whole []item.Item
	limit, bytes := r.Limit, c.Service.Limits.PageBytes
	for i, rng := range ranges {
		if limit > 0 {
			r.Limit = limit - len(entries)
		}
		r.Last, r.Whole = "", nil
		if err := r.CheckThroughput(c, tx, rng); err != nil {
			return err
		}
		r.PageUpTo(tx, rng, bytes)
		r.Charge(c, tx, rng)
		entries, whole = append(entries, r.Entries...), append(whole, r.Whole...)
		if r.Last != "" {
			k := r.Source.Encode(entries[len(entries)-1])
			if left := keys.After(rng, k, r.Reverse); i == len(ranges)-1 && keys.IsEmpty(&left) {
				r.Last = "" // nothing can follow
			}
			break
		}
		for _, it := range r.Entries {
			bytes -= it.Size()
		}
		bytes = max(bytes, 1) // 0 would be no limit
	}
	r.Entries, r.Whole, r.Scanned = entries, whole, len(entries)
	return nil
}

// selected filters and projects the items that were read.
func (r *selectRead) selected(c *serve.Call) ([]item.JSON, error) {
	if r.columns == nil {
		a, err := r.Answer(c)
		if err != nil {
			return nil, err
		}
		return a.Items, nil
	}
	found, err := r.Matches(c)
	if err != nil {
		return nil, err
	}
	list := make([]item.JSON, len(found))
	for i, it := range found {
		if err := c.Gone(i); err != nil {
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
	errOrderWhere = partiql.Refusal(
		"Must have WHERE clause in the statement when using ORDER BY clause.")
	errOrderHash = partiql.Refusal(
		"Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause.")
	errOrderOnly = partiql.Refusal(
		"Must have hash key in ORDER BY clause when more than one hash key condition specified in WHERE clause.")
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
	ks := r.Source.Key()
	if err := r.statement.checkOrder(ks); err != nil {
		return err
	}
	byHash, bySort := false, false
	for _, o := range terms {
		if o.Path[0].Name == ks.Hash[0].Name {
			p.sortByHash(o.Desc)
			byHash = true
		} else {
			r.Reverse, bySort = o.Desc, true
		}
	}
	if !byHash && p.manyPartitions() {
		return errOrderOnly
	}
	r.Reverse = r.Reverse || !bySort
	return nil
}

// checkOrder checks that ORDER BY names only attributes of a key: service facts A.18.
func (s *statement) checkOrder(ks *storage.KeySchema) error {
	for _, o := range s.Order {
		if len(o.Path) > 1 || !keys.IsAttribute(ks, o.Path[0].Name) {
			return partiql.Refusal("Attribute " + columnName(o.Path) +
				" in ORDER BY clause must be part of the primary key")
		}
	}
	return nil
}
