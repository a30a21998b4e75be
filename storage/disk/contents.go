package disk

import (
	"encoding/binary"
	"hash/crc32"
	"maps"
	"os"
	"slices"

	"github.com/cespare/xxhash/v2"
)

// digest identifies the entries of a bucket, in whatever order they were added.
type digest struct {
	count uint64
	sum   uint64 // the sum of the hashes of all entries
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

// hasher hashes the entries of a bucket.
type hasher struct{ begun xxhash.Digest }

// newHasher returns the hasher of a bucket. In version 1 of the format the hash of an entry does
// not depend on the bucket's name.
func newHasher(bucket string, version uint32) *hasher {
	h := new(hasher)
	h.begun.Reset()
	if version > 1 {
		var n [8]byte
		binary.LittleEndian.PutUint64(n[:], uint64(len(bucket)))
		h.begun.Write(n[:])
		h.begun.WriteString(bucket)
	}
	return h
}

// entry returns the hash of a key with its value.
func (h *hasher) entry(key, value []byte) uint64 {
	var n [8]byte
	binary.LittleEndian.PutUint64(n[:], uint64(len(key)))
	d := h.begun
	d.Write(n[:])
	d.Write(key)
	d.Write(value)
	return d.Sum64()
}

// hashLen is the length of the hash that follows each value in the tables.
const hashLen = 8

// sealed returns a value followed by its hash.
func sealed(value []byte, hash uint64) []byte {
	b := append(make([]byte, 0, len(value)+hashLen), value...)
	return binary.LittleEndian.AppendUint64(b, hash)
}

// opened splits what sealed returns. ok is false if the value is too short.
func opened(b []byte) (value []byte, hash uint64, ok bool) {
	if len(b) < hashLen {
		return nil, 0, false
	}
	n := len(b) - hashLen
	return b[:n], binary.LittleEndian.Uint64(b[n:]), true
}

func encodeMeta(at position, total digest) []byte {
	b := binary.LittleEndian.AppendUint32(nil, tablesVersion)
	b = binary.LittleEndian.AppendUint64(b, at.applied)
	b = binary.LittleEndian.AppendUint64(b, at.next)
	b = append(b, total.bytes()...)
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

// decodeMeta decodes what encodeMeta returns. sound is false for anything else. Of a later version
// it returns the version only.
func decodeMeta(b []byte) (version uint32, at position, total digest, sound bool) {
	end := len(b) - 4
	if end < 4 || binary.LittleEndian.Uint32(b[end:]) != crc32.Checksum(b[:end], castagnoli) {
		return 0, position{}, digest{}, false
	}
	if version = binary.LittleEndian.Uint32(b); version > tablesVersion || len(b) != metaLen {
		return version, position{}, digest{}, version > tablesVersion
	}
	return version, position{binary.LittleEndian.Uint64(b[4:]), binary.LittleEndian.Uint64(b[12:])},
		readDigest(b[20 : metaLen-4]), true
}

// tablesReader reads and verifies a whole tables file without bbolt.
type tablesReader struct {
	pageWalk
	version uint32 // the version of the format; 0 while it is not known
	at      position
	total   digest
	digests map[string]digest   // the digests in the file
	found   map[string]digest   // the digests of the entries that were read
	buckets map[string]bucketAt // the buckets by name
	name    string              // the bucket that is being read
	each    func(bucket string, key, value []byte) error
}

// readTables reads a tables file and calls each, unless it is nil, with every sound entry. It calls
// damage for everything that is not as it was written. An error of damage ends the reading.
func readTables(path string, each func(bucket string, key, value []byte) error,
	damage func(*tablesReader, loss) error) (*tablesReader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	r := &tablesReader{
		digests: map[string]digest{}, found: map[string]digest{}, buckets: map[string]bucketAt{},
		each: each,
	}
	r.pageWalk = pageWalk{
		path: path, file: f, size: info.Size(), damage: func(l loss) error { return damage(r, l) },
	}
	return r, r.read()
}

// verifyTables reads a tables file and fails at the first damage.
func verifyTables(path string) (*tablesReader, error) {
	return readTables(path, nil, func(_ *tablesReader, l loss) error { return l.damaged })
}

func (r *tablesReader) read() error {
	root, err := r.begin()
	if err != nil {
		return err
	}
	if err := r.tree(root, 0, keyRange{}, r.rootEntry); err != nil {
		return err
	}
	if err := r.readMeta(); err != nil {
		return err
	}
	if err := r.readDigests(); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(r.buckets)) {
		if err := r.readBucket(name); err != nil {
			return err
		}
	}
	orphans := r.orphans()
	if len(orphans) == 0 {
		return nil
	}
	if err := r.misplaced(
		r.damaged(r.pageWalk.at(orphans[0]), "page %d is neither in use nor free",
			orphans[0])); err != nil {
		return err
	}
	return r.readOrphans(orphans)
}

// rootEntry takes one of the file's buckets.
func (r *tablesReader) rootEntry(e leafEntry) error {
	if !e.bucket {
		return r.misplaced(r.damaged(e.at, "an entry is in no bucket"))
	}
	r.buckets[string(e.key)] = bucketAt{slices.Clone(e.value), e.at + int64(len(e.key))}
	return nil
}

// readMeta reads the version of the format and the position.
func (r *tablesReader) readMeta() error {
	b, ok := r.buckets[string(metaBucket)]
	if _, digests := r.buckets[string(digestsBucket)]; !ok || !digests {
		return r.misplaced(r.damaged(0, "it is not a tables file of kugiri"))
	}
	delete(r.buckets, string(metaBucket))
	at, sound := b.begins(), false
	err := r.bucket(b, func(e leafEntry) error {
		if string(e.key) == string(metaKey) {
			at = e.at
			r.version, r.at, r.total, sound = decodeMeta(e.value)
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case r.version > tablesVersion:
		return laterVersion(r.path, r.version, tablesVersion)
	case !sound:
		r.version = tablesVersion // most likely
		return r.misplaced(r.damaged(at, "it does not say where its log begins"))
	}
	return nil
}

// readDigests reads the digests of the buckets.
func (r *tablesReader) readDigests() error {
	b := r.buckets[string(digestsBucket)]
	delete(r.buckets, string(digestsBucket))
	var total digest
	hash := newHasher(string(digestsBucket), r.version)
	err := r.bucket(b, func(e leafEntry) error {
		total.add(hash.entry(e.key, e.value))
		if e.bucket || len(e.value) != digestLen {
			return r.misplaced(r.damaged(e.at, "a digest has %d bytes", len(e.value)))
		}
		r.digests[string(e.key)] = readDigest(e.value)
		return nil
	})
	if err == nil && total != r.total {
		err = r.misplaced(r.damaged(b.begins(), "the digests are not those that were written"))
	}
	for _, name := range slices.Sorted(maps.Keys(r.digests)) {
		if _, ok := r.buckets[name]; !ok && err == nil {
			err = r.lost(r.damaged(b.begins(), "the bucket %x is missing", name), keyRange{})
		}
	}
	return err
}

// readBucket reads the entries of a bucket.
func (r *tablesReader) readBucket(name string) error {
	b := r.buckets[name]
	want, known := r.digests[name]
	if !known {
		if err := r.misplaced(
			r.damaged(b.at, "the bucket %x should not be there", name)); err != nil {
			return err
		}
	}
	r.name = name
	defer func() { r.name = "" }()
	hash, got := newHasher(name, r.version), digest{}
	err := r.bucket(b, func(e leafEntry) error {
		value, sum, ok := e.value, uint64(0), true
		if r.version > 1 {
			value, sum, ok = opened(e.value)
		}
		h := hash.entry(e.key, value)
		if e.bucket || !ok || r.version > 1 && sum != h {
			return r.lost(
				r.damaged(e.at, "the entry %x of the bucket %x is not as it was written", e.key,
					name), keyRange{e.key, e.key})
		}
		got.add(h)
		if r.each == nil {
			return nil
		}
		return r.each(name, e.key, value)
	})
	r.found[name] = got
	if err == nil && known && got != want {
		err = r.misplaced(
			r.damaged(b.begins(), "the contents of the bucket %x are not those that were written",
				name))
	}
	return err
}
