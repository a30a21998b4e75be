package emulator

import (
	"strings"
	"unsafe"

	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/keys"
	"github.com/kugiri-db/kugiri/emulator/internal/metering"
	"github.com/kugiri-db/kugiri/emulator/internal/observe"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// rangeRead is a Query or Scan: what it reads and what it answers. The operations fill in the first
// part from the request. Then, under the store's lock, open resolves the table and page reads.
// Filter and projection come after.
type rangeRead struct {
	table      string // the name, not the ARN
	action     int    // its place in a batch
	index      *api.IndexName
	consistent bool
	reverse    bool
	limit      int // 0: none
	wanted     api.Select
	projection *expr.Projection // nil: whole entries
	filter     *expr.Condition  // nil: none
	filterName string           // as messages call it
	required   []string         // attributes of the filter that an index has to project
	start      item.Item        // ExclusiveStartKey, "" if there is none
	usage      metering.Usage

	source  keys.Source
	fetches bool        // entries of a local index are completed from the table
	entries []item.Item // as the source has them
	whole   []item.Item // the items of the entries, if fetches
	scanned int         // how many entries were read
	units   float64     // read units used, for the limits of throughput
	last    item.JSON   // LastEvaluatedKey
}

// open resolves the table and the index and checks the request against them.
func (r *rangeRead) open(c *call, tx *storage.Tx) (err error) {
	if err := r.openTable(c, tx); err != nil {
		return err
	}
	if r.index != nil {
		if r.source.Index, err = c.activeIndex(tx, r.source.Table, string(*r.index)); err != nil {
			return err
		}
		if r.consistent && !r.source.Index.Local {
			return apierr.Invalid("Consistent reads are not supported on global secondary indexes")
		}
	}
	r.lookBack(c, tx)
	return nil
}

func (r *rangeRead) openTable(c *call, tx *storage.Tx) error {
	t, err := c.activeTable(tx, r.table)
	r.source = keys.Source{Table: t}
	if err != nil {
		return err
	}
	return c.checkStrongRead(tx, t, r.consistent)
}

// lookBack lets a read be of the past, if a fault says so.
func (r *rangeRead) lookBack(c *call, tx *storage.Tx) {
	if c.faults != nil {
		c.lookBack(tx, &r.source, r.consistent, r.action)
	}
}

// checkAttributes checks the attributes that the request names against the source. It also decides
// whether the read fetches attributes from the table, which a global index cannot (API Reference,
// Query, Select). Attributes of a filter are never fetched: a read by key requires them in an index
// of either kind, and other reads treat them as missing (service facts 2.18, B.2, B.3).
func (r *rangeRead) checkAttributes(tx *storage.Tx) error {
	const message = "One or more parameter values were invalid: "
	partial := r.source.Partial()
	if partial && r.wanted == "ALL_ATTRIBUTES" && !r.source.Index.Local {
		return apierr.Invalid(message+"Select type ALL_ATTRIBUTES is not supported for global secondary index %s because its projection type is not ALL", r.source.Index.Name)
	}
	if err := r.checkScalars(tx); err != nil || !partial {
		return err
	}
	name := r.source.Index.Name
	var projected []string
	if r.projection != nil {
		projected = r.source.Lacking(r.projection.Attributes())
	}
	if len(projected) > 0 && !r.source.Index.Local {
		return apierr.Invalid(message+"Global secondary index %s does not project [%s]", name, strings.Join(projected, ", "))
	}
	if filtered := r.source.Lacking(r.required); len(filtered) > 0 {
		return apierr.Invalid(message+"Secondary index %s does not project one or more filter attributes: [%s]", name, hashSetOrder(filtered))
	}
	r.fetches = r.wanted == "ALL_ATTRIBUTES" || len(projected) > 0
	return nil
}

// checkScalars refuses a filter or projection that reaches into a key attribute.
func (r *rangeRead) checkScalars(tx *storage.Tx) error {
	if err := keys.CheckScalars(tx, r.source.Table, r.filter); err != nil {
		return err
	}
	return keys.CheckScalars(tx, r.source.Table, r.projection)
}

// page reads a page of a range of the source. Like the service, it counts the bytes before the
// filter.
func (r *rangeRead) page(c *call, tx *storage.Tx, rng storage.Range) error {
	if err := r.checkThroughput(c, tx, rng); err != nil {
		return err
	}
	r.pageUpTo(tx, rng, c.service.limits.PageBytes)
	r.charge(c, tx, rng)
	return nil
}

// pageUpTo does the same as page, with a given limit on bytes.
func (r *rangeRead) pageUpTo(tx *storage.Tx, rng storage.Range, maxBytes int) {
	p := tx.Page(r.source.Table, storage.PageSpec{
		Index:    r.source.Index,
		Range:    rng,
		Reverse:  r.reverse,
		Limit:    r.limit,
		MaxBytes: maxBytes,
	})
	if r.fetches {
		r.fetch(tx, &p, maxBytes)
	}
	r.entries, r.scanned = p.Items, len(p.Items)
	if p.More {
		r.last = keys.Last(&r.source, p.Items[len(p.Items)-1])
	}
	units := metering.ReadUnits(p.Bytes, r.consistent)
	r.units += units
	if r.source.Index == nil {
		r.usage.AddTable(units)
	} else {
		r.usage.AddIndex(r.source.Index, units)
	}
}

// fetch gets the items of a page of a local index from the table. Each costs as much as a GetItem
// and counts towards the bytes of the page, so the page may end earlier (Developer Guide, "Local
// secondary indexes", "Read capacity units").
func (r *rangeRead) fetch(tx *storage.Tx, p *storage.Page, maxBytes int) {
	t := r.source.Table
	r.whole = make([]item.Item, 0, len(p.Items))
	bytes, blocksRead := 0, 0.0
	for i, entry := range p.Items {
		k, _ := t.Key.Encode(entry)
		it := tx.Get(t, k)
		r.whole = append(r.whole, it)
		units := metering.ReadUnits(it.Size(), r.consistent)
		r.usage.AddTable(units)
		r.units += units
		bytes += entry.Size()
		blocksRead += metering.Blocks(it.Size(), metering.ReadUnitBytes)
		if (blocksRead+metering.Blocks(bytes, metering.ReadUnitBytes))*metering.ReadUnitBytes > float64(maxBytes) {
			*p = storage.Page{Items: p.Items[:i+1], Bytes: bytes, More: true}
			return
		}
	}
}

// matches returns the items that pass the filter. It overwrites entries and whole.
func (r *rangeRead) matches(c *call) ([]item.Item, error) {
	answered := r.entries
	if r.fetches {
		answered = r.whole
	}
	if r.filter == nil {
		return answered, nil
	}
	n := 0
	for i, it := range r.entries {
		if err := c.gone(i); err != nil {
			return nil, err
		}
		if r.filter.Match(it) {
			answered[n] = answered[i]
			n++
		}
	}
	return answered[:n], nil
}

// readAnswer holds the members that the answers of Query and Scan share.
type readAnswer struct {
	items          []item.JSON
	count, scanned int64
}

// answer filters and projects. An answer with Select COUNT has no Items member.
func (r *rangeRead) answer(c *call) (*readAnswer, error) {
	found, err := r.matches(c)
	if err != nil {
		return nil, err
	}
	a := &readAnswer{count: int64(len(found)), scanned: int64(r.scanned)}
	switch {
	case r.wanted == "COUNT":
	case r.projection != nil:
		a.items, err = project(c, r.projection, found)
	default:
		a.items = wholeItems(found)
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
func project(c *call, p *expr.Projection, items []item.Item) ([]item.JSON, error) {
	var all []byte
	ends := make([]int, len(items))
	for i, it := range items {
		if err := c.gone(i); err != nil {
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

// record tells observers of the page that was read, and how many of its items were returned.
func (r *rangeRead) record(c *call, returned int) *observe.EventRead {
	if c.event == nil {
		return nil
	}
	page := observe.EventRead{
		Table: r.source.Table.Name, Scan: true,
		Consistent: r.consistent, Reverse: r.reverse, Filtered: r.filter != nil, Fetched: r.fetches, More: r.last != "",
		Limit: r.limit, Evaluated: r.scanned, Returned: returned, Units: r.usage.Table,
	}
	if ix := r.source.Index; ix != nil {
		page.Index = ix.Name
	}
	fetched := 0.0
	if r.fetches {
		fetched = r.usage.Table
	}
	for i := range r.usage.Indexes {
		page.Units += r.usage.Indexes[i].Units
	}
	return c.event.AddRead(page, r.source.Key(), r.filter, fetched)
}
