package jobs

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/transfers"
	"github.com/kugiri-db/kugiri/storage"
)

// bulkReport writes the report of a bulk put. An entry is kept in the journal until the object that
// has it is complete, so that another process can go on with the report. It then writes the same
// objects.
type bulkReport struct {
	run     *jobRun
	out     transfers.ReportWriter
	entries []string // the keys of the entries that no complete object has
	written int      // how many of these entries were passed to out
	next    int      // the number of the next entry
	objects int      // complete ones
}

// The names of parts of a job. Numbers have a fixed length, so that the names are in their order.
const (
	entryPart  = "entry/%012d"
	objectPart = "object/%012d"
)

// open begins the report, or goes on with what the journal keeps of it.
func (b *bulkReport) open(buckets transfers.Buckets, r *transfers.Report) (err error) {
	var entries []*transfers.ReportEntry
	for _, key := range slices.Sorted(maps.Keys(b.run.parts)) {
		text := []byte(b.run.parts[key])
		if _, name, _ := cutPart(key); strings.HasPrefix(name, "object/") {
			r.Written = append(r.Written, transfers.ReportObject{})
			err = json.Unmarshal(text, &r.Written[len(r.Written)-1])
		} else {
			entries = append(entries, new(transfers.ReportEntry))
			b.entries = append(b.entries, key)
			err = json.Unmarshal(text, entries[len(entries)-1])
			fmt.Sscanf(name, entryPart, &b.next)
			b.next++
		}
		if err != nil {
			return fmt.Errorf("%q is not a part of a report: %w", key, err)
		}
		b.run.parts[key] = "" // only the key is still of use
	}
	b.objects = len(r.Written)
	if b.out, err = buckets.Report(b.run.ctx, r); err != nil {
		return err
	}
	for _, e := range entries {
		if err := b.write(e); err != nil {
			return err
		}
	}
	return nil
}

// keep keeps an entry, in the Update that decides about its record.
func (b *bulkReport) keep(tx *storage.Tx, e *transfers.ReportEntry) {
	b.entries = append(b.entries, b.keepPart(tx, fmt.Sprintf(entryPart, b.next), e))
	b.next++
}

// keepPart keeps a part of the job, and returns its key.
func (b *bulkReport) keepPart(tx *storage.Tx, name string, part any) (key string) {
	text, err := json.Marshal(part)
	if err != nil {
		panic(err) // the types of parts have nothing that could fail
	}
	key = b.run.begun.Key() + partMark + name
	b.run.parts[key] = ""
	tx.Keep(serve.JobState.Prefix()+key, string(text))
	return key
}

// write writes an entry that is kept.
func (b *bulkReport) write(e *transfers.ReportEntry) error {
	complete, err := b.out.Write(e)
	if err != nil {
		return err
	}
	b.written++
	if complete == nil {
		return nil
	}
	return b.run.account.Store.Update(func(tx *storage.Tx) error {
		b.keepPart(tx, fmt.Sprintf(objectPart, b.objects), complete)
		for _, key := range b.entries[:b.written] {
			tx.Forget(serve.JobState.Prefix() + key)
			delete(b.run.parts, key)
		}
		b.objects++
		b.entries, b.written = b.entries[b.written:], 0
		return nil
	})
}
