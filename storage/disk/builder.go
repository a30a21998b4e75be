package disk

import (
	"errors"
	"os"

	bolt "go.etcd.io/bbolt"
)

// builder writes a tables file anew, beside the one that is there.
type builder struct {
	path     string
	unsynced bool // it is never synced: for tests
	db       *bolt.DB
	tx       *bolt.Tx
	bytes    int // in the transaction
	digests  map[string]*digest
	hashes   map[string]*hasher
}

// fillPercent is how full pages get by entries that come in order: bbolt's own default
// leaves half of each page empty.
const fillPercent = 0.95

// builderBytes is how much a builder writes by one transaction.
const builderBytes = 8 << 20

// unfinished is the path of a file until it is complete, and takes its own.
func unfinished(path string) string { return path + ".new" }

// builder begins a file.
func (t *tables) builder() (*builder, error) {
	b := &builder{path: unfinished(t.path), digests: map[string]*digest{}, hashes: map[string]*hasher{}}
	if err := os.Remove(b.path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	var err error
	o := t.options()
	o.NoSync = true // until it is complete
	if b.db, err = bolt.Open(b.path, 0o600, o); err != nil {
		return nil, err
	}
	b.unsynced = t.unsynced
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

// abort ends the building and removes the file.
func (b *builder) abort() {
	if b.tx != nil {
		b.tx.Rollback()
	}
	b.db.Close()
	os.Remove(b.path)
}

// put adds an entry to a bucket of the file, or replaces it.
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

// delete removes an entry from a bucket of the file.
func (b *builder) delete(bucket string, key []byte) error {
	in := b.tx.Bucket([]byte(bucket))
	if in == nil {
		return nil
	}
	return replace(in, b.hashes[bucket], key, nil, b.digests[bucket])
}

// drop removes a bucket of the file.
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
	b.tx, err = b.db.Begin(true)
	b.bytes = 0
	return err
}

// finish completes the file and has it take the place of the one at path.
func (b *builder) finish(at position, path string) error {
	err := b.complete(at)
	if err == nil {
		err = os.Rename(b.path, path)
	}
	if err != nil {
		b.abort()
	}
	return err
}

// complete writes the digests and how far the tables have come, and closes the file.
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

// cut removes what the file has for further growth, and syncs it.
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
