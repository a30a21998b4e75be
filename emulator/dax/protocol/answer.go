package protocol

import (
	"github.com/kugiri-db/kugiri/emulator/dax/cbor"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// success is before each answer that is no error.
const success = cbor.Array

// Success returns the answer that has nothing but that it is one, for data items to be appended.
func Success() []byte { return []byte{success} }

// Answer is an answer of the service to a request, read from its JSON.
type Answer struct {
	// Single has the item of a GetItem and the attributes of a write, Items those of Query, Scan
	// and TransactGetItems.
	single     *attributes
	items      []*attributes // an item that TransactGetItems did not find is nil
	hasItems   bool
	numbers    [2]string // Count and ScannedCount
	last       *attributes
	capacities []capacity
	metrics    []byte // encoded; nil for none
	// the items of batches, by table
	responses   []tableItems
	unprocessed []tableItems
}

type tableItems struct {
	table string
	items []*attributes // items, or keys
	// which writes of a BatchWriteItem are puts
	puts []bool
}

// ReadAnswer reads the answer of the service to a request.
func ReadAnswer(q *Request, body string) (*Answer, error) {
	a := new(Answer)
	s := jsontext.NewScanner(body)
	err := members(&s, func(name string) error { return a.member(q, name, &s) })
	if err != nil {
		return nil, err
	}
	return a, nil
}

func (a *Answer) member(q *Request, name string, s *jsontext.Scanner) (err error) {
	switch name {
	case "Item", "Attributes":
		a.single, err = readItem(s)
	case "Items":
		a.hasItems = true
		a.items, err = readItems(s)
	case "Count":
		a.numbers[0], err = rawValue(s)
	case "ScannedCount":
		a.numbers[1], err = rawValue(s)
	case "LastEvaluatedKey":
		a.last, err = readItem(s)
	case "ConsumedCapacity":
		if s.Peek() == '[' {
			return elements(s, func() error { return a.capacity(s) })
		}
		err = a.capacity(s)
	case "ItemCollectionMetrics":
		if q.Method == BatchWriteItem || q.Method == TransactWriteItems {
			a.metrics, err = metricsOfTables(nil, s)
		} else {
			a.metrics, err = metrics(nil, s)
		}
	case "Responses":
		if q.Method == TransactGetItems {
			a.items, err = readResponses(s)
		} else {
			err = members(s, func(table string) error {
				items, err := readItems(s)
				a.responses = append(a.responses, tableItems{table: table, items: items})
				return err
			})
		}
	case "UnprocessedKeys":
		err = members(s, func(table string) error { return a.unprocessedKeys(table, s) })
	case "UnprocessedItems":
		err = members(s, func(table string) error { return a.unprocessedItems(table, s) })
	default:
		_, err = rawValue(s)
	}
	return err
}

func (a *Answer) capacity(s *jsontext.Scanner) error {
	c, err := readCapacity(s)
	a.capacities = append(a.capacities, c)
	return err
}

func readItem(s *jsontext.Scanner) (*attributes, error) {
	a, err := readAttributes(s)
	return &a, err
}

func readItems(s *jsontext.Scanner) (items []*attributes, err error) {
	err = elements(s, func() error {
		it, err := readItem(s)
		items = append(items, it)
		return err
	})
	return items, err
}

// readResponses reads [{"Item": {...}}, {}, ...].
func readResponses(s *jsontext.Scanner) (items []*attributes, err error) {
	err = elements(s, func() error {
		var it *attributes
		err := members(s, func(string) (err error) {
			it, err = readItem(s)
			return err
		})
		items = append(items, it)
		return err
	})
	return items, err
}

func (a *Answer) unprocessedKeys(table string, s *jsontext.Scanner) error {
	t := tableItems{table: table}
	err := members(s, func(name string) (err error) {
		if name == "Keys" {
			t.items, err = readItems(s)
			return err
		}
		_, err = rawValue(s)
		return err
	})
	a.unprocessed = append(a.unprocessed, t)
	return err
}

// unprocessedItems reads [{"PutRequest": {"Item": {...}}}, {"DeleteRequest": {"Key": {...}}}, ...].
func (a *Answer) unprocessedItems(table string, s *jsontext.Scanner) error {
	t := tableItems{table: table}
	err := elements(s, func() error {
		return members(s, func(name string) error {
			t.puts = append(t.puts, name == "PutRequest")
			return members(s, func(string) error {
				it, err := readItem(s)
				t.items = append(t.items, it)
				return err
			})
		})
	})
	a.unprocessed = append(a.unprocessed, t)
	return err
}
