package disk

import (
	"maps"
	"slices"

	bolt "go.etcd.io/bbolt"
)

// progressEvery is the number of entries from one call of progress to the next.
const progressEvery = 1024

// load calls each with every entry of the tables and of the logs that were read at the start, and
// progress from time to time.
func (t *tables) load(each entryFunc, progress func(done, total int64)) error {
	return t.catchPanic(func() error {
		return t.db.View(func(tx *bolt.Tx) error {
			names, entries := bucketNames(tx)
			for _, c := range t.logged {
				entries += int64(len(c.values))
			}
			l := loader{t: t, each: each, progress: progress, total: entries}
			m := newMerge(t.logged, l.entry)
			for _, name := range names {
				if err := t.addBucket(tx, m, name); err != nil {
					return err
				}
			}
			if err := m.finish(); err != nil {
				return err
			}
			l.total = l.done
			l.report()
			return nil
		})
	})
}

// addBucket adds the entries of a bucket to a merge, unless the logs drop the bucket.
func (t *tables) addBucket(tx *bolt.Tx, m *merge, name string) error {
	if c := t.logged[name]; c != nil && c.dropped {
		return nil
	}
	return tx.Bucket([]byte(bucketPrefix + name)).ForEach(func(key, value []byte) error {
		value, _, _ = opened(value)
		return m.add(name, key, value)
	})
}

// bucketNames returns the sorted names of all buckets, and how many entries they have.
func bucketNames(tx *bolt.Tx) (names []string, entries int64) {
	counts := map[string]int64{}
	tx.Bucket(digestsBucket).ForEach(func(name, b []byte) error {
		counts[string(name[len(bucketPrefix):])] = int64(readDigest(b).count)
		return nil
	})
	for _, n := range counts {
		entries += n
	}
	return slices.Sorted(maps.Keys(counts)), entries
}

// loader counts the entries that it passes to each, and reports the progress.
type loader struct {
	t           *tables
	each        entryFunc
	progress    func(done, total int64)
	done, total int64
}

// entry passes an entry on.
func (l *loader) entry(bucket, key, value []byte) error {
	if l.done++; l.done%progressEvery == 0 {
		l.report()
	}
	if err := l.each(bucket, key, value); err != nil {
		return l.t.damaged("the entry %x of the bucket %x: %v", key, bucket, err)
	}
	return nil
}

func (l *loader) report() {
	if l.progress != nil {
		l.progress(l.done, l.total)
	}
}
