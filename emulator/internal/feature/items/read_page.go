package items

import (
	"strings"
	"unsafe"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/enforce"
	"github.com/kugiri-db/kugiri/emulator/internal/keys"
	"github.com/kugiri-db/kugiri/emulator/internal/metering"
	"github.com/kugiri-db/kugiri/emulator/internal/observe"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// RangeRead is a Query or Scan: what it reads and what it answers. The operations fill in the first
// part from the request. Then, under the store's lock, open resolves the table and page reads.
// Filter and projection come after.
type RangeRead struct {
	Table      string // the name, not the ARN
	Action     int    // its place in a batch
	Index      *api.IndexName
	Consistent bool
	Reverse    bool
	Limit      int // 0: none
	wanted     api.Select
	Projection *expr.Projection // nil: whole entries
	Filter     *expr.Condition  // nil: none
	FilterName string           // the name of the filter in messages
	Required   []string         // attributes of the filter that an index has to project
	Start      item.Item        // ExclusiveStartKey, or ""
	Usage      metering.Usage

	Source  keys.Source
	Reading enforce.Reading // the source's reading, once the policy allows it
	fetches bool            // entries of a local index are completed from the table
	Entries []item.Item     // the items as the source has them
	Whole   []item.Item     // the items of the entries, if fetches
	Scanned int             // how many entries were read
	units   float64         // read units used, for the limits of throughput
	Last    item.JSON       // LastEvaluatedKey
}

// open resolves the table and the index and checks the request against them.
func (r *RangeRead) open(c *serve.Call, tx *storage.Tx) (err error) {
	if err := r.OpenTable(c, tx); err != nil {
		return err
	}
	if r.Index != nil {
		if r.Source.Index, err = c.ActiveIndex(tx, r.Source.Table, string(*r.Index)); err != nil {
			return err
		}
		if r.Consistent && !r.Source.Index.Local {
			return apierr.Invalid("Consistent reads are not supported on global secondary indexes")
		}
	}
	r.LookBack(c, tx)
	return nil
}

func (r *RangeRead) OpenTable(c *serve.Call, tx *storage.Tx) error {
	t, err := c.ActiveTable(tx, r.Table)
	r.Source = keys.Source{Table: t}
	if err != nil {
		return err
	}
	return checkStrongRead(c, tx, t, r.Consistent)
}

// LookBack lets a read be of the past, if a fault says so.
func (r *RangeRead) LookBack(c *serve.Call, tx *storage.Tx) {
	if c.Faults != nil {
		lookBack(c, tx, &r.Source, r.Consistent, r.Action)
	}
}

// CheckAttributes checks the attributes that the request names against the source. It also decides
// whether the read fetches attributes from the table, which a global index cannot (API Reference,
// Query, Select). Attributes of a filter are never fetched: a read by key requires them in an index
// of either kind, and other reads treat them as missing (service facts 2.18, B.2, B.3).
func (r *RangeRead) CheckAttributes(tx *storage.Tx) error {
	const message = "One or more parameter values were invalid: "
	partial := r.Source.Partial()
	if partial && r.wanted == "ALL_ATTRIBUTES" && !r.Source.Index.Local {
		return apierr.Invalid(message+
			"Select type ALL_ATTRIBUTES is not supported for global secondary index %s because its projection type is not ALL", r.Source.Index.Name)
	}
	if err := r.checkScalars(tx); err != nil || !partial {
		return err
	}
	name := r.Source.Index.Name
	var projected []string
	if r.Projection != nil {
		projected = r.Source.Lacking(r.Projection.Attributes())
	}
	if len(projected) > 0 && !r.Source.Index.Local {
		return apierr.Invalid(message+"Global secondary index %s does not project [%s]", name,
			strings.Join(projected, ", "))
	}
	if filtered := r.Source.Lacking(r.Required); len(filtered) > 0 {
		return apierr.Invalid(message+
			"Secondary index %s does not project one or more filter attributes: [%s]", name,
			hashSetOrder(filtered))
	}
	r.fetches = r.wanted == "ALL_ATTRIBUTES" || len(projected) > 0
	return nil
}

// checkScalars refuses a filter or projection that reaches into a key attribute.
func (r *RangeRead) checkScalars(tx *storage.Tx) error {
	if err := keys.CheckScalars(tx, r.Source.Table, r.Filter); err != nil {
		return err
	}
	return keys.CheckScalars(tx, r.Source.Table, r.Projection)
}

// page reads a page of a range of the source. Like the service, it counts the bytes before the
// filter.
func (r *RangeRead) page(c *serve.Call, tx *storage.Tx, rng storage.Range) error {
	if err := r.CheckThroughput(c, tx, rng); err != nil {
		return err
	}
	r.PageUpTo(tx, rng, c.Service.Limits.PageBytes)
	r.Charge(c, tx, rng)
	return nil
}

// PageUpTo does the same as page, with a given limit on bytes.
func (r *RangeRead) PageUpTo(tx *storage.Tx, rng storage.Range, maxBytes int) {
	spec := storage.PageSpec{
		Index:    r.Source.Index,
		Range:    rng,
		Reverse:  r.Reverse,
		Limit:    r.Limit,
		MaxBytes: maxBytes,
	}
	if r.Source.Index == nil && !ofOneKey(&rng) {
		spec.Partitions = tables.SettingsOf(tx, r.Source.Table).Partitions()
	}
	p := r.Reading.Page(tx, r.Source.Table, spec)
	if r.fetches {
		r.fetch(tx, &p, maxBytes)
	}
	r.Entries, r.Scanned = p.Items, len(p.Items)
	if p.More {
		r.Last = keys.Last(&r.Source, p.Items[len(p.Items)-1])
	}
	units := r.unitsOf(&p)
	r.units += units
	if r.Source.Index == nil {
		r.Usage.AddTable(units)
	} else {
		r.Usage.AddIndex(r.Source.Index, units)
	}
}

// unitsOf returns the units of a page. Each partition that it read rounds up by itself, and costs a
// block if it has nothing (service facts 10.1, M.13).
func (r *RangeRead) unitsOf(p *storage.Page) (units float64) {
	if p.Parts == nil {
		return metering.ReadUnits(p.Bytes, r.Consistent)
	}
	for _, bytes := range p.Parts {
		units += metering.ReadUnits(bytes, r.Consistent)
	}
	return units
}

// fetch gets the items of a page of a local index from the table. Each costs as much as a GetItem
// and counts towards the bytes of the page, so the page may end earlier (Developer Guide, "Local
// secondary indexes", "Read capacity units").
func (r *RangeRead) fetch(tx *storage.Tx, p *storage.Page, maxBytes int) {
	t := r.Source.Table
	r.Whole = make([]item.Item, 0, len(p.Items))
	bytes, blocksRead := 0, 0.0
	for i, entry := range p.Items {
		k, _ := t.Key.Encode(entry)
		it := r.Reading.Get(tx, t, k)
		r.Whole = append(r.Whole, it)
		units := metering.ReadUnits(it.Size(), r.Consistent)
		r.Usage.AddTable(units)
		r.units += units
		bytes += entry.Size()
		blocksRead += metering.Blocks(it.Size(), metering.ReadUnitBytes)
		if (blocksRead+metering.Blocks(bytes,
			metering.ReadUnitBytes))*metering.ReadUnitBytes > float64(maxBytes) {
			*p = storage.Page{Items: p.Items[:i+1], Bytes: bytes, More: true}
			return
		}
	}
}

// Matches returns the items that pass the filter. It overwrites entries and whole.
func (r *RangeRead) Matches(c *serve.Call) ([]item.Item, error) {
	answered := r.Entries
	if r.fetches {
		answered = r.Whole
	}
	if r.Filter == nil {
		return answered, nil
	}
	n := 0
	for i, it := range r.Entries {
		if err := c.Gone(i); err != nil {
			return nil, err
		}
		if r.Filter.Match(it) {
			answered[n] = answered[i]
			n++
		}
	}
	return answered[:n], nil
}

// readAnswer holds the members that the answers of Query and Scan share.
type readAnswer struct {
	Items          []item.JSON
	count, scanned int64
}

// Answer filters and projects. An answer with Select COUNT has no Items member.
func (r *RangeRead) Answer(c *serve.Call) (*readAnswer, error) {
	found, err := r.Matches(c)
	if err != nil {
		return nil, err
	}
	a := &readAnswer{count: int64(len(found)), scanned: int64(r.Scanned)}
	switch {
	case r.wanted == "COUNT":
	case r.Projection != nil:
		a.Items, err = project(c, r.Projection, found)
	default:
		a.Items = wholeItems(found)
	}
	return a, err
}

// wholeItems returns the wire form of items without copying them.
func wholeItems(items []item.Item) []item.JSON {
	list := make([]item.JSON, len(items))
	for i, it := range items {
		list[i] = it.JSON()
	}
	return list
}

// project returns the wire form of the projected items, all of them parts of one string.
func project(c *serve.Call, p *expr.Projection, items []item.Item) ([]item.JSON, error) {
	var all []byte
	ends := make([]int, len(items))
	for i, it := range items {
		if err := c.Gone(i); err != nil {
			return nil, err
		}
		all = p.AppendJSON(all, it)
		ends[i] = len(all)
	}
	// A page can be a megabyte: it is not copied, for no one writes to all any more.
	text := item.JSON(unsafe.String(unsafe.SliceData(all), len(all)))
	list, start := make([]item.JSON, len(items)), 0
	for i, end := range ends {
		list[i] = text[start:end]
		start = end
	}
	return list, nil
}

// Record tells observers of the page that was read, and how many of its items were returned.
func (r *RangeRead) Record(c *serve.Call, returned int) *observe.EventRead {
	if c.Event == nil {
		return nil
	}
	page := observe.EventRead{
		Table: r.Source.Table.Name, Scan: true,
		Consistent: r.Consistent, Reverse: r.Reverse, Filtered: r.Filter != nil, Fetched: r.fetches,
		More:  r.Last != "",
		Limit: r.Limit, Evaluated: r.Scanned, Returned: returned, Units: r.Usage.Table,
	}
	if ix := r.Source.Index; ix != nil {
		page.Index = ix.Name
	}
	fetched := 0.0
	if r.fetches {
		fetched = r.Usage.Table
	}
	for i := range r.Usage.Indexes {
		page.Units += r.Usage.Indexes[i].Units
	}
	return c.Event.AddRead(page, r.Source.Key(), r.Filter, fetched)
}
