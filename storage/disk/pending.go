package disk

import "github.com/kugiri-db/kugiri/storage/journal"

// pending holds changes by bucket: the last change of each key. It is a journal.Target.
type pending map[string]*bucketChange

type bucketChange struct {
	dropped bool
	values  map[string][]byte // a nil value is a deletion
}

func (p pending) of(bucket []byte) *bucketChange {
	c := p[string(bucket)]
	if c == nil {
		c = &bucketChange{values: map[string][]byte{}}
		p[string(bucket)] = c
	}
	return c
}

func (p pending) Put(bucket, key, value []byte) { p.of(bucket).values[string(key)] = value }
func (p pending) Delete(bucket, key []byte)     { p.of(bucket).values[string(key)] = nil }

func (p pending) Drop(bucket []byte) {
	c := p.of(bucket)
	c.dropped = true
	clear(c.values)
}

// take adds the operations of a log.
func (p pending) take(path string, s *segment) error {
	for _, group := range s.groups {
		if err := journal.Decode(group, p); err != nil {
			return &DamagedError{path, -1, err.Error()}
		}
	}
	return nil
}
