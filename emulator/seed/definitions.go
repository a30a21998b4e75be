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
	for i, t := range d.tables {
		list[i] = Definition{Place: t.String(), CreateTable: t.input}
		for _, ttl := range d.ttls {
			if ttl.table == t.table {
				list[i].TimeToLive = ttl.spec
			}
		}
	}
	return list
}

// Items returns how many items the data writes or deletes.
func (d *Data) Items() int { return len(d.writes) }
