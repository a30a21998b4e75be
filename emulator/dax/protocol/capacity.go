package protocol

import (
	"strconv"

	"github.com/kugiri-db/kugiri/emulator/dax/cbor"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// capacity is a ConsumedCapacity. Tables and indexes are "" if the answer does not have them.
type capacity struct {
	table              string
	units, read, write string // numbers; "" for none
	whole              *capacity
	global, local      []indexCapacity
}

type indexCapacity struct {
	name string
	capacity
}

func readCapacity(s *jsontext.Scanner) (c capacity, err error) {
	err = members(s, func(name string) (err error) {
		switch name {
		case "TableName":
			c.table, err = readString(s)
		case "CapacityUnits":
			c.units, err = rawValue(s)
		case "ReadCapacityUnits":
			c.read, err = rawValue(s)
		case "WriteCapacityUnits":
			c.write, err = rawValue(s)
		case "Table":
			var whole capacity
			whole, err = readCapacity(s)
			c.whole = &whole
		case "GlobalSecondaryIndexes":
			c.global, err = readIndexCapacities(s)
		case "LocalSecondaryIndexes":
			c.local, err = readIndexCapacities(s)
		default:
			_, err = rawValue(s)
		}
		return err
	})
	return c, err
}

func readIndexCapacities(s *jsontext.Scanner) (list []indexCapacity, err error) {
	err = members(s, func(name string) error {
		c, err := readCapacity(s)
		list = append(list, indexCapacity{name, c})
		return err
	})
	return list, err
}

// Units are the capacity units of all tables and indexes together, 0 if the answer does not say.
func (a *Answer) Units() (sum float64) {
	for _, c := range a.capacities {
		units, _ := strconv.ParseFloat(c.units, 64) // the service writes numbers
		sum += units
	}
	return sum
}

func appendUnits(dst []byte, units string) []byte {
	f, _ := strconv.ParseFloat(units, 64)
	return cbor.AppendFloat(dst, f)
}

// append appends the form of single requests and batches: a byte string of name, units, and the
// units of the table and of its indexes.
func (c *capacity) append(dst []byte) []byte {
	at := len(dst)
	dst = appendUnits(cbor.AppendText(dst, c.table), c.units)
	if c.whole != nil {
		dst = appendUnits(dst, c.whole.units)
	} else {
		dst = append(dst, cbor.Null)
	}
	for _, indexes := range [...][]indexCapacity{c.global, c.local} {
		if indexes == nil {
			dst = append(dst, cbor.Null)
			continue
		}
		dst = cbor.AppendHead(dst, cbor.Map, uint64(len(indexes)))
		for i := range indexes {
			dst = appendUnits(cbor.AppendText(dst, indexes[i].name), indexes[i].units)
		}
	}
	return cbor.InsertHead(dst, at, cbor.Bytes, len(dst)-at)
}

// Numbers of the members of a capacity in the answer to a transaction.
const (
	capUnits = iota + 1
	capRead
	capWrite
	capTable
	capWhole
	capGlobal
	capLocal
)

// appendExtended appends the form of transactions: a map by numbers, of unknown length, as Java's
// client insists.
func (c *capacity) appendExtended(dst []byte) []byte {
	dst = append(dst, cbor.MapStream)
	for i, units := range [...]string{c.units, c.read, c.write} {
		if units != "" {
			dst = appendUnits(cbor.AppendInt(dst, int64(capUnits+i)), units)
		}
	}
	if c.table != "" {
		dst = cbor.AppendText(cbor.AppendInt(dst, capTable), c.table)
	}
	if c.whole != nil {
		dst = c.whole.appendExtended(cbor.AppendInt(dst, capWhole))
	}
	for i, indexes := range [...][]indexCapacity{c.global, c.local} {
		if indexes == nil {
			continue
		}
		dst = cbor.AppendInt(dst, int64(capGlobal+i))
		dst = cbor.AppendHead(dst, cbor.Map, uint64(len(indexes)))
		for i := range indexes {
			dst = indexes[i].appendExtended(cbor.AppendText(dst, indexes[i].name))
		}
	}
	return append(dst, cbor.Break)
}

// metrics reads an ItemCollectionMetrics and appends it: a byte string of the value of the
// partition key and the bounds of the estimate.
func metrics(dst []byte, s *jsontext.Scanner) ([]byte, error) {
	var key []byte
	var bounds []string
	err := members(s, func(name string) error {
		switch name {
		case "ItemCollectionKey":
			a, err := readAttributes(s)
			if err == nil && len(a.values) == 1 {
				key = a.values[0]
			}
			return err
		case "SizeEstimateRangeGB":
			return elements(s, func() error {
				bound, err := rawValue(s)
				bounds = append(bounds, bound)
				return err
			})
		}
		_, err := rawValue(s)
		return err
	})
	if err != nil || key == nil || len(bounds) != 2 {
		return dst, errAnswer
	}
	at := len(dst)
	dst = append(dst, key...)
	dst = appendUnits(appendUnits(dst, bounds[0]), bounds[1])
	return cbor.InsertHead(dst, at, cbor.Bytes, len(dst)-at), nil
}

// metricsOfTables reads {table: [metrics, ...], ...} and appends it.
func metricsOfTables(dst []byte, s *jsontext.Scanner) ([]byte, error) {
	at, n := len(dst), 0
	err := members(s, func(name string) error {
		n++
		dst = cbor.AppendText(dst, name)
		from, count := len(dst), 0
		err := elements(s, func() (err error) {
			count++
			dst, err = metrics(dst, s)
			return err
		})
		dst = cbor.InsertHead(dst, from, cbor.Array, count)
		return err
	})
	return cbor.InsertHead(dst, at, cbor.Map, n), err
}
