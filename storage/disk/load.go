package disk

import (
	"maps"
	"slices"

	bolt "go.etcd.io/bbolt"
)

// progressEvery is after how many entries progress is told.
const progressEvery = 1024

// load calls each with everything, as it is with what was logged, and progress from time to time.
func (t *tables) load(each func(bucket, key, value []byte) error, progress func(done, total int64)) error {
	return t.guard(func() error {
		return t.db.View(func(tx *bolt.Tx) error {
			names, entries := bucketNames(tx)
			for name, c := range t.logged {
				names[name] = true
				entries += int64(len(c.values))
			}
			l := loader{t: t, each: each, progress: progress, total: entries}
			for _, name := range slices.Sorted(maps.Keys(names)) {
				if err := l.load([]byte(name), tx.Bucket([]byte(bucketPrefix+name)), t.logged[name]); err != nil {
					return err
				}
			}
			l.total = l.done
			l.tell()
			return nil
		})
	})
}

// bucketNames returns the names of all buckets, and how many entries they have.
func bucketNames(tx *bolt.Tx) (names map[string]bool, entries int64) {
	names = map[string]bool{}
	tx.Bucket(digestsBucket).ForEach(func(name, b []byte) error {
		names[string(name[len(bucketPrefix):])] = true
		entries += int64(readDigest(b).count)
		return nil
	})
	return names, entries
}

// loader reads one bucket after the other.
type loader struct {
	t           *tables
	each        func(bucket, key, value []byte) error
	progress    func(done, total int64)
	done, total int64
}

// load reads a bucket, of which b is what the tables have and c what was changed
// since. Both may be nil, for nothing.
func (l *loader) load(name []byte, b *bolt.Bucket, c *bucketChange) error {
	if c == nil {
		c = &bucketChange{}
	}
	changed := slices.Sorted(maps.Keys(c.values))
	// upTo loads the changed entries up to a key, nil for all, and reports whether there is one at the key.
	upTo := func(key []byte) (is bool, err error) {
		for ; len(changed) > 0 && (key == nil || changed[0] <= string(key)); changed = changed[1:] {
			is = is || changed[0] == string(key)
			if value := c.values[changed[0]]; value != nil && err == nil {
				err = l.entry(name, []byte(changed[0]), value)
			}
		}
		return is, err
	}
	if b != nil && !c.dropped {
		err := b.ForEach(func(key, value []byte) error {
			if is, err := upTo(key); is || err != nil {
				return err
			}
			value, _, _ = opened(value)
			return l.entry(name, key, value)
		})
		if err != nil {
			return err
		}
	}
	_, err := upTo(nil)
	return err
}

// entry loads an entry.
func (l *loader) entry(bucket, key, value []byte) error {
	if l.done++; l.done%progressEvery == 0 {
		l.tell()
	}
	if err := l.each(bucket, key, value); err != nil {
		return l.t.damaged("the entry %x of the bucket %x: %v", key, bucket, err)
	}
	return nil
}

func (l *loader) tell() {
	if l.progress != nil {
		l.progress(l.done, l.total)
	}
}
