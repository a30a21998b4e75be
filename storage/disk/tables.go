package disk

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// tables is the file to which the logs are applied, a bbolt database. For each bucket of the
// journal it has one with the prefix bucketPrefix, in which each value is followed by the hash of
// the bucket's name, the key and the value. It has two more buckets:
//
//	digests  by name of a bucket, the digest of the bucket
//	meta     under metaKey: the version of the format (4 bytes), the number of the last applied log
//	         (8), the Seq that the next log begins with (8), the digest of all digests (16), and the
//	         CRC-32C of these (4)
//
// bbolt has checksums for its roots only. The hashes show which entry was changed, and the digests
// whether one was lost or added. In version 1 values have no hashes.
type tables struct {
	path         string
	unsynced     bool     // tests do not sync the file
	entries      *entries // the directory's entries
	compactBytes int64
	unsettled    bool // the file was replaced, and a power cut may bring back the old one
	db           *bolt.DB
	at           position
	logged       pending // the changes in the logs, from the start until Load
}

// position says which logs were applied.
type position struct {
	applied uint64 // the number of the last log that was applied
	next    uint64 // the Seq of the first frame of the next log
}

const (
	tablesVersion = 2
	metaLen       = 4 + 8 + 8 + digestLen + 4
	bucketPrefix  = "b"
	lockTimeout   = time.Second
	pageSize      = 4096 // the same on all machines, so that directories can move between them
)

var (
	metaBucket    = []byte("meta")
	metaKey       = []byte("meta")
	digestsBucket = []byte("digests")
)

// create creates the file, with no entries and a position.
func (t *tables) create(at position) error {
	b, err := t.builder()
	if err != nil {
		return err
	}
	return b.finish(at, t.path)
}

func (t *tables) options() *bolt.Options {
	return &bolt.Options{FreelistType: bolt.FreelistMapType, PageSize: pageSize, NoSync: t.unsynced,
		Timeout: lockTimeout}
}

// open opens the file, which was verified before, because bbolt trusts it. After an error db may be
// open.
func (t *tables) open(at position) error {
	t.at = at
	return t.catchPanic(func() (err error) {
		t.db, err = t.openBolt()
		return err
	})
}

// reopen closes and opens the file, to free memory: bbolt maps the file, and the parts that were
// read or written count as the process's memory while it is open.
func (t *tables) reopen() error {
	if err := t.close(); err != nil {
		return err
	}
	return t.ensureOpen()
}

// ensureOpen opens the file if it is not open, without verifying it again.
func (t *tables) ensureOpen() error {
	if t.db != nil {
		return nil
	}
	return t.catchPanic(func() (err error) {
		if t.db, err = t.openBolt(); err != nil {
			return err
		}
		return t.db.View(func(tx *bolt.Tx) (err error) {
			t.at, _, err = t.meta(tx)
			return err
		})
	})
}

// openBolt opens the file. It fails if another process has it open.
func (t *tables) openBolt() (*bolt.DB, error) {
	o := t.options()
	o.OpenFile = func(path string, flag int, mode os.FileMode) (*os.File, error) {
		return os.OpenFile(path, flag&^os.O_CREATE, mode) // do not create a missing file
	}
	db, err := bolt.Open(t.path, 0o600, o)
	if errors.Is(err, bolterrors.ErrTimeout) {
		return nil, inUse(filepath.Dir(t.path))
	}
	return db, err
}

// close closes the file if it is open.
func (t *tables) close() error {
	if t.db == nil {
		return nil
	}
	err := t.catchPanic(t.db.Close)
	t.db = nil
	return err
}

func (t *tables) damaged(reason string, args ...any) error {
	return &DamagedError{t.path, -1, fmt.Sprintf(reason, args...)}
}

// catchPanic runs f and returns a panic of bbolt, or a fault in the mapped memory of the file, as
// an error.
func (t *tables) catchPanic(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = t.damaged("%v", p)
		}
	}()
	return f()
}

// meta reads the position and the digest of all digests.
func (t *tables) meta(tx *bolt.Tx) (position, digest, error) {
	_, at, total, sound := decodeMeta(tx.Bucket(metaBucket).Get(metaKey))
	if !sound {
		return at, total, t.damaged("it does not say where its log begins")
	}
	return at, total, nil
}

// apply applies the groups of the logs up to the one with a number, in one transaction. After an
// error the file is closed: only opening it again shows whether the transaction was committed.
func (t *tables) apply(number uint64, s *segment) error {
	changes := pending{}
	if err := changes.take(logPath(filepath.Dir(t.path), number), s); err != nil {
		return err
	}
	at := position{number, s.next}
	err := t.catchPanic(func() error {
		return t.db.Update(func(tx *bolt.Tx) error {
			_, total, err := t.meta(tx)
			if err != nil {
				return err
			}
			for _, name := range slices.Sorted(maps.Keys(changes)) {
				if err := changes[name].apply(tx, name, &total); err != nil {
					return err
				}
			}
			return tx.Bucket(metaBucket).Put(metaKey, encodeMeta(at, total))
		})
	})
	if err != nil {
		return errors.Join(err, t.close())
	}
	t.at = at
	return nil
}

// apply applies the changes to a bucket, to its digest and to the digest of all digests.
func (c *bucketChange) apply(tx *bolt.Tx, name string, total *digest) error {
	own, digests := []byte(bucketPrefix+name), tx.Bucket(digestsBucket)
	ofDigests := newHasher(string(digestsBucket), tablesVersion)
	var d digest
	if b := digests.Get(own); b != nil {
		d = readDigest(b)
		total.remove(ofDigests.entry(own, b))
	}
	bucket := tx.Bucket(own)
	if c.dropped && bucket != nil {
		if err := tx.DeleteBucket(own); err != nil {
			return err
		}
		bucket, d = nil, digest{}
	}
	hash := newHasher(string(own), tablesVersion)
	for _, key := range slices.Sorted(maps.Keys(c.values)) {
		var err error
		if bucket == nil {
			if c.values[key] == nil {
				continue
			}
			if bucket, err = tx.CreateBucket(own); err != nil {
				return err
			}
		}
		if err := replace(bucket, hash, []byte(key), c.values[key], &d); err != nil {
			return err
		}
	}
	if bucket == nil {
		return digests.Delete(own)
	}
	total.add(ofDigests.entry(own, d.bytes()))
	return digests.Put(own, d.bytes())
}

// replace sets the value of a key, or deletes the key if the value is nil.
func replace(bucket *bolt.Bucket, hash *hasher, key, value []byte, d *digest) error {
	if old := bucket.Get(key); old != nil {
		_, h, _ := opened(old)
		d.remove(h)
	}
	if value == nil {
		return bucket.Delete(key)
	}
	h := hash.entry(key, value)
	d.add(h)
	return bucket.Put(key, sealed(value, h))
}
