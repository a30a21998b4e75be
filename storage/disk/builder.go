package disk

import (
	"errors"
	"os"

	bolt "go.etcd.io/bbolt"
)

// builder writes a new tables file beside the existing one.
type builder struct {
	path     string
	unsynced bool // tests do not sync the file
	entries  *entries
	steady   bool // sync each transaction, so that no large sync delays those of the log
	db       *bolt.DB
	tx       *bolt.Tx
	bytes    int // how much the transaction has written
	digests  map[string]*digest
	hashes   map[string]*hasher
}

// fillPercent is how full the pages get. Entries come in order, and bbolt's default would leave
// half of each page empty.
const fillPercent = 0.95

// builderBytes is how much a builder writes in one transaction.
const builderBytes = 8 << 20

// unfinished returns the name of a file while it is being written. The complete file is renamed to
// path.
func unfinished(path string) string { return path + ".new" }

// builder begins a new file.
func (t *tables) builder() (*builder, error) {
	b := &builder{
		path: unfinished(t.path), digests: map[string]*digest{}, hashes: map[string]*hasher{},
	}
	if err := os.Remove(b.path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	var err error
	o := t.options()
	o.NoSync = true // cut syncs the complete file
	if b.db, err = bolt.Open(b.path, 0o600, o); err != nil {
		return nil, err
	}
	b.unsynced, b.entries = t.unsynced, t.entries
	if b.tx, err = b.db.Begin(true); err == nil {
		_, err = b.tx.CreateBucket(digestsBucket)
	}
	if err == nil {
		_, err = b.tx.CreateBucket(metaBucket)
	}
	if err != nil {
		b.abort()
		return nil, err
	}
	return b, nil
}

// abort closes and removes the unfinished file.
func (b *builder) abort() {
	if b.tx != nil {
		b.tx.Rollback()
	}
	b.db.Close()
	os.Remove(b.path)
}

// put adds an entry to a bucket, or replaces it.
func (b *builder) put(bucket string, key, value []byte) error {
	if b.bytes += len(key) + len(value); b.bytes > builderBytes {
		if err := b.nextTransaction(); err != nil {
			return err
		}
	}
	in, err := b.tx.CreateBucketIfNotExists([]byte(bucket))
	if err != nil {
		return err
	}
	if b.digests[bucket] == nil {
		b.digests[bucket], b.hashes[bucket] = new(digest), newHasher(bucket, tablesVersion)
	}
	in.FillPercent = fillPercent
	return replace(in, b.hashes[bucket], key, value, b.digests[bucket])
}

// delete removes an entry from a bucket.
func (b *builder) delete(bucket string, key []byte) error {
	in := b.tx.Bucket([]byte(bucket))
	if in == nil {
		return nil
	}
	return replace(in, b.hashes[bucket], key, nil, b.digests[bucket])
}

// drop removes a bucket.
func (b *builder) drop(bucket string) error {
	if b.tx.Bucket([]byte(bucket)) == nil {
		return nil
	}
	delete(b.digests, bucket)
	delete(b.hashes, bucket)
	return b.tx.DeleteBucket([]byte(bucket))
}

func (b *builder) nextTransaction() (err error) {
	if err := b.tx.Commit(); err != nil {
		return err
	}
	b.tx, b.bytes = nil, 0
	if b.steady && !b.unsynced {
		if err := b.db.Sync(); err != nil {
			return err
		}
	}
	b.tx, err = b.db.Begin(true)
	return err
}

// finish completes the file and renames it to path.
func (b *builder) finish(at position, path string) error {
	err := b.complete(at)
	if err == nil {
		err = b.entries.rename(b.path, path)
	}
	if err != nil {
		b.abort()
	}
	return err
}

// complete writes the digests and the position, and closes the file.
func (b *builder) complete(at position) error {
	hash, digests := newHasher(string(digestsBucket), tablesVersion), b.tx.Bucket(digestsBucket)
	var total digest
	for bucket, d := range b.digests {
		total.add(hash.entry([]byte(bucket), d.bytes()))
		if err := digests.Put([]byte(bucket), d.bytes()); err != nil {
			return err
		}
	}
	if err := b.tx.Bucket(metaBucket).Put(metaKey, encodeMeta(at, total)); err != nil {
		return err
	}
	if err := b.tx.Commit(); err != nil {
		return err
	}
	var size int64
	err := b.db.View(func(tx *bolt.Tx) error {
		size = tx.Size()
		return nil
	})
	return errors.Join(err, b.db.Close(), b.cut(size))
}

// cut removes the space that bbolt has added for growth, and syncs the file.
func (b *builder) cut(size int64) error {
	f, err := os.OpenFile(b.path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Truncate(size); err != nil || b.unsynced {
		return err
	}
	return f.Sync()
}
