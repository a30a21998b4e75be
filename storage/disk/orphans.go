package disk

import (
	"maps"
	"slices"
)

// Orphans are sound pages that only a damaged page refers to. They are neither free nor reachable.
// The hash of each of their entries shows the bucket that it belongs to.

// orphanReader reads the entries of pages that nothing refers to.
type orphanReader struct {
	*tablesReader
	names []string // the buckets that an entry may belong to
	hash  map[string]*hasher
}

// readOrphans reads the entries of orphaned pages. If the list of free pages is damaged, some of
// these may be free and hold old entries, so none is read.
func (r *tablesReader) readOrphans(ids []uint64) error {
	if r.version < 2 || r.freeUnknown {
		return nil
	}
	s := &orphanReader{tablesReader: r, hash: map[string]*hasher{}}
	for name := range r.digests {
		s.add(name)
	}
	for name := range r.buckets {
		s.add(name)
	}
	s.names = slices.Sorted(maps.Keys(s.hash))
	if len(s.names) == 0 { // the page with the names of the buckets may be an orphan
		if err := s.pages(ids, s.collect); err != nil {
			return err
		}
		s.names = slices.Sorted(maps.Keys(s.hash))
	}
	return s.pages(ids, s.take)
}

func (s *orphanReader) add(name string) {
	if s.hash[name] == nil {
		s.hash[name] = newHasher(name, s.version)
	}
}

// pages visits the entries of pages.
func (s *orphanReader) pages(ids []uint64, visit func(leafEntry) error) error {
	for i := 0; i < len(ids); {
		run := 1 // the number of consecutive pages
		for i+run < len(ids) && ids[i+run] == ids[i]+uint64(run) {
			run++
		}
		at := s.pageWalk.at(ids[i])
		page, err := s.readAt(at, pageSize, 0)
		if err != nil {
			return nil // the end of the file
		}
		long := 1
		if overflow := int(order.Uint32(page[12:])); overflow < run {
			long += overflow
		}
		if page, err = s.readAt(at, long*pageSize, 0); err != nil {
			return nil
		}
		if err := s.entries(page, at, visit); err != nil {
			return err
		}
		i += long
	}
	return nil
}

// entries visits everything in a page that can be an entry of a leaf.
func (s *orphanReader) entries(page []byte, at int64, visit func(leafEntry) error) error {
	for i := range int(order.Uint16(page[10:])) {
		e, damaged := s.entry(page, at, i)
		if damaged != nil {
			continue
		}
		if err := visit(e); err != nil {
			return err
		}
	}
	return nil
}

// collect collects the names of buckets.
func (s *orphanReader) collect(e leafEntry) error {
	if e.bucket && len(e.key) > 0 && string(e.key[:1]) == bucketPrefix {
		s.add(string(e.key))
	}
	return nil
}

// take passes an entry on if its hash matches a bucket. For a small bucket, which lies within an
// entry, it passes the bucket's entries on.
func (s *orphanReader) take(e leafEntry) error {
	if e.bucket {
		if len(e.value) < bucketHeader+pageHeader || order.Uint64(e.value) != 0 {
			return nil
		}
		return s.entries(e.value[bucketHeader:], e.at+int64(len(e.key))+bucketHeader, s.take)
	}
	value, sum, ok := opened(e.value)
	if !ok {
		return nil
	}
	for i, name := range s.names {
		if s.hash[name].entry(e.key, value) != sum {
			continue
		}
		s.names[0], s.names[i] = s.names[i], s.names[0] // probably the next one's too
		found := s.found[name]
		found.add(sum)
		s.found[name] = found
		return s.each(name, e.key, value)
	}
	return nil
}
