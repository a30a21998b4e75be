package disk

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"time"

	"github.com/cespare/xxhash/v2"
	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"github.com/kugiri-db/kugiri/storage/journal"
)

// tables is the file that the logs are brought into, a bbolt database. It has for
// each bucket of the journal one of its own, named with a leading bucketPrefix, and besides
//
//	digests: by name of the bucket, its digest
//	meta:    under metaKey, the version of the format (4 bytes), the last log that was brought in (8), the Seq
//	         that the next log begins with (8), the digest of all digests (16), CRC-32C of these (4)
//
// bbolt itself has no checksums but for its root. With the digests whatever was
// changed, lost or added shows when everything is read, which is at each start.
type tables struct {
	path     string
	unsynced bool // nothing is synced: for tests
	db       *bolt.DB
	at       position
}

// position is how far tables have come.
type position struct {
	applied uint64 // number of the last log that is in them
	next    uint64 // Seq of the first frame of the next
}

const (
	tablesVersion = 1
	metaLen       = 4 + 8 + 8 + digestLen + 4
	bucketPrefix  = "b"
	lockTimeout   = time.Second
	pageSize      = 4096 // the same everywhere, so that directories may move between machines
)

var (
	metaBucket    = []byte("meta")
	metaKey       = []byte("meta")
	digestsBucket = []byte("digests")
)

// digest says what is in a bucket, whatever the order it came in.
type digest struct {
	count uint64
	sum   uint64 // of the hashes of all entries
}

const digestLen = 16

func (d *digest) add(h uint64)    { d.count++; d.sum += h }
func (d *digest) remove(h uint64) { d.count--; d.sum -= h }

func (d digest) bytes() []byte {
	b := binary.LittleEndian.AppendUint64(nil, d.count)
	return binary.LittleEndian.AppendUint64(b, d.sum)
}

func readDigest(b []byte) digest {
	if len(b) != digestLen {
		return digest{}
	}
	return digest{binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])}
}

// hashEntry is the hash of a key with its value.
func hashEntry(key, value []byte) uint64 {
	var n [8]byte
	binary.LittleEndian.PutUint64(n[:], uint64(len(key)))
	var d xxhash.Digest
	d.Reset()
	d.Write(n[:])
	d.Write(key)
	d.Write(value)
	return d.Sum64()
}

// create makes the file, which must not be there, with nothing in it.
func (t *tables) create() error {
	fresh := t.path + ".new"
	if err := os.Remove(fresh); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	db, err := bolt.Open(fresh, 0o600, t.options())
	if err != nil {
		return err
	}
	err = db.Update(func(tx *bolt.Tx) error {
		if _, err := tx.CreateBucket(digestsBucket); err != nil {
			return err
		}
		meta, err := tx.CreateBucket(metaBucket)
		if err != nil {
			return err
		}
		return meta.Put(metaKey, encodeMeta(position{next: 1}, digest{}))
	})
	if err := errors.Join(err, db.Close()); err != nil {
		return err
	}
	return os.Rename(fresh, t.path)
}

func (t *tables) options() *bolt.Options {
	return &bolt.Options{FreelistType: bolt.FreelistMapType, PageSize: pageSize, NoStatistics: true, NoSync: t.unsynced,
		Timeout: lockTimeout}
}

func encodeMeta(at position, total digest) []byte {
	b := binary.LittleEndian.AppendUint32(nil, tablesVersion)
	b = binary.LittleEndian.AppendUint64(b, at.applied)
	b = binary.LittleEndian.AppendUint64(b, at.next)
	b = append(b, total.bytes()...)
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

// open opens the file, whose structure it verifies first: bbolt trusts it. On an
// error db may be open.
func (t *tables) open() error {
	if err := checkPages(t.path); err != nil {
		return err
	}
	return t.guard(func() (err error) {
		if t.db, err = t.openBolt(); err != nil {
			return err
		}
		return t.db.View(func(tx *bolt.Tx) error {
			var problem error
			for p := range tx.Check() {
				problem = cmp.Or(problem, p)
			}
			if problem != nil {
				return t.damaged("%v", problem)
			}
			t.at, _, err = t.meta(tx)
			return err
		})
	})
}

// reopen gives back the memory of what was read and written. bbolt maps the file,
// and what was touched of it counts as the process's until it is opened anew.
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
	return t.guard(func() (err error) {
		if t.db, err = t.openBolt(); err != nil {
			return err
		}
		return t.db.View(func(tx *bolt.Tx) (err error) {
			t.at, _, err = t.meta(tx)
			return err
		})
	})
}

// openBolt opens the file, which nobody else may have open.
func (t *tables) openBolt() (*bolt.DB, error) {
	o := t.options()
	o.OpenFile = func(path string, flag int, mode os.FileMode) (*os.File, error) {
		return os.OpenFile(path, flag&^os.O_CREATE, mode) // a file that is missing is not to be replaced by an empty one
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
	err := t.guard(t.db.Close)
	t.db = nil
	return err
}

func (t *tables) damaged(reason string, args ...any) error {
	return &DamagedError{t.path, -1, fmt.Sprintf(reason, args...)}
}

// guard runs f and turns a panic of bbolt, or a fault in the memory that the file
// is mapped to, into an error.
func (t *tables) guard(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = t.damaged("%v", p)
		}
	}()
	return f()
}

func (t *tables) meta(tx *bolt.Tx) (position, digest, error) {
	meta := tx.Bucket(metaBucket)
	if meta == nil || tx.Bucket(digestsBucket) == nil {
		return position{}, digest{}, t.damaged("it is not a file of kugiri's tables")
	}
	b := meta.Get(metaKey)
	if len(b) >= 4 && binary.LittleEndian.Uint32(b) > tablesVersion {
		return position{}, digest{}, fmt.Errorf("%s is in version %d of the format; this program knows versions up to %d",
			t.path, binary.LittleEndian.Uint32(b), tablesVersion)
	}
	if len(b) != metaLen || binary.LittleEndian.Uint32(b[metaLen-4:]) != crc32.Checksum(b[:metaLen-4], castagnoli) {
		return position{}, digest{}, t.damaged("it does not say where its log begins")
	}
	return position{binary.LittleEndian.Uint64(b[4:]), binary.LittleEndian.Uint64(b[12:])}, readDigest(b[20 : metaLen-4]), nil
}

// apply brings in what logs hold, the last of which has a number, by one transaction
// of bbolt. On an error the file is closed: whether the transaction counts
// shows when it is opened again.
func (t *tables) apply(number uint64, s *segment) error {
	changes := pending{}
	for _, group := range s.groups {
		if err := journal.Decode(group, changes); err != nil {
			return &DamagedError{logPath(filepath.Dir(t.path), number), -1, err.Error()}
		}
	}
	at := position{number, s.next}
	err := t.guard(func() error {
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

// pending are changes by bucket, the last one of each key.
type pending map[string]*bucketChange

type bucketChange struct {
	dropped bool
	values  map[string][]byte // nil: deleted
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

// apply makes the changes to a bucket and its digest, and to that of all digests.
func (c *bucketChange) apply(tx *bolt.Tx, name string, total *digest) error {
	own, digests := []byte(bucketPrefix+name), tx.Bucket(digestsBucket)
	var d digest
	if b := digests.Get(own); b != nil {
		d = readDigest(b)
		total.remove(hashEntry(own, b))
	}
	bucket := tx.Bucket(own)
	if c.dropped && bucket != nil {
		if err := tx.DeleteBucket(own); err != nil {
			return err
		}
		bucket, d = nil, digest{}
	}
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
		if err := replace(bucket, []byte(key), c.values[key], &d); err != nil {
			return err
		}
	}
	if bucket == nil {
		return digests.Delete(own)
	}
	total.add(hashEntry(own, d.bytes()))
	return digests.Put(own, d.bytes())
}

// replace sets or, with a nil value, deletes a key.
func replace(bucket *bolt.Bucket, key, value []byte, d *digest) error {
	if old := bucket.Get(key); old != nil {
		d.remove(hashEntry(key, old))
	}
	if value == nil {
		return bucket.Delete(key)
	}
	d.add(hashEntry(key, value))
	return bucket.Put(key, value)
}

// progressEvery is after how many entries progress is told.
const progressEvery = 1024

// load calls each with everything, and progress from time to time.
func (t *tables) load(each func(bucket, key, value []byte) error, progress func(done, total int64)) error {
	return t.guard(func() error {
		return t.db.View(func(tx *bolt.Tx) error {
			digests, wanted, err := t.readDigests(tx)
			if err != nil {
				return err
			}
			l := loader{t, each, progress, 0, wanted}
			for _, name := range slices.Sorted(maps.Keys(digests)) {
				if err := l.bucket(tx, name, digests[name]); err != nil {
					return err
				}
			}
			l.tell()
			return t.checkBuckets(tx, digests)
		})
	})
}

// readDigests returns the digests by bucket, and how many entries all have.
func (t *tables) readDigests(tx *bolt.Tx) (digests map[string]digest, entries int64, err error) {
	_, want, err := t.meta(tx)
	if err != nil {
		return nil, 0, err
	}
	digests = map[string]digest{}
	var total digest
	err = tx.Bucket(digestsBucket).ForEach(func(name, b []byte) error {
		d := readDigest(b)
		total.add(hashEntry(name, b))
		digests[string(name)] = d
		entries += int64(d.count)
		return nil
	})
	if err == nil && total != want {
		err = t.damaged("the digests are not those that were written")
	}
	return digests, entries, err
}

// checkBuckets verifies that there are no buckets without a digest.
func (t *tables) checkBuckets(tx *bolt.Tx, digests map[string]digest) error {
	return tx.ForEach(func(name []byte, b *bolt.Bucket) error {
		if _, known := digests[string(name)]; !known && string(name) != string(metaBucket) && string(name) != string(digestsBucket) {
			return t.damaged("the bucket %x should not be there", name)
		}
		return nil
	})
}

// loader reads one bucket after the other.
type loader struct {
	t           *tables
	each        func(bucket, key, value []byte) error
	progress    func(done, total int64)
	done, total int64
}

func (l *loader) bucket(tx *bolt.Tx, name string, want digest) error {
	b := tx.Bucket([]byte(name))
	if b == nil {
		return l.t.damaged("the bucket %x is missing", name)
	}
	bucket := []byte(name[len(bucketPrefix):])
	var got digest
	err := b.ForEach(func(key, value []byte) error {
		got.add(hashEntry(key, value))
		if l.done++; l.done%progressEvery == 0 {
			l.tell()
		}
		if err := l.each(bucket, key, value); err != nil {
			return l.t.damaged("the entry %x of the bucket %x: %v", key, bucket, err)
		}
		return nil
	})
	if err == nil && got != want {
		err = l.t.damaged("the contents of the bucket %x are not those that were written", bucket)
	}
	return err
}

func (l *loader) tell() {
	if l.progress != nil {
		l.progress(l.done, l.total)
	}
}
