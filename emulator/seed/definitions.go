package seed

// Definition is a table of Data, without its items.
type Definition struct {
	Place       string // file and line
	CreateTable []byte // the input of a CreateTable request
	TimeToLive  []byte // a TimeToLiveSpecification, nil if the data has none
}

// Definitions returns the tables of the data, in their order.
func (d *Data) Definitions() []Definition {
	list := make([]Definition, len(d.tables))
	ttls := make(map[string][]byte, len(d.ttls))
	for _, ttl := range d.ttls {
		ttls[ttl.table] = ttl.spec
	}
	var lines lineCounter
	for i, t := range d.tables {
		list[i] = Definition{lines.text(t.place), t.input, ttls[t.table]}
	}
	return list
}

// Items returns how many items the data writes or deletes.
func (d *Data) Items() int { return d.writes.count }
