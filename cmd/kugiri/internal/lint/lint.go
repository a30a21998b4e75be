// Package lint finds what breaks the conventions in the tables of an endpoint: it reads all items, in parallel, and checks each,
// and what all of a table together show.
//
// What compares items with each other (a latest item with its version) is read at different times, so that in a table that is
// written meanwhile it can be a finding that was none.
package lint

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"golang.org/x/sync/errgroup"
	"golang.org/x/time/rate"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/transfer"
	"github.com/kugiri-db/kugiri/conventions"
	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/storage/item"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// Client is what a Linter needs of a client.
type Client interface {
	dynamodb.ScanAPIClient
	GetItem(context.Context, *dynamodb.GetItemInput, ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error)
}

// Linter looks at tables, once.
type Linter struct {
	Client   Client
	Policy   *policy.Engine
	PolicyID string           // which policy it is, so that no run goes on with another
	Source   string           // where the tables are, so that no run goes on elsewhere
	Tables   []string         // that the policy declares
	Segments int              // of each scan, which run at once; at least 1
	Units    float64          // read capacity units a second; 0: as many as there are
	Progress func(n int)      // told of n more items; nil: nobody
	Now      func() time.Time // nil: time.Now

	// Resume names a file that is written from time to time and when Run fails, and removed when it is done. If it is there
	// at the beginning, Run goes on from it. "": no file.
	Resume string

	limiter *rate.Limiter

	mu       sync.Mutex // of all that follows
	at       *checkpoint
	gathered gathering
	pages    int       // since the last save
	saved    time.Time // last
}

// How much work may be lost: the lesser of both. Pages have up to 1 MB.
const (
	pagesBetweenSaves = 32
	timeBetweenSaves  = 5 * time.Second
)

// Run looks at the tables.
func (l *Linter) Run(ctx context.Context) (*Report, error) {
	l.limiter = transfer.NewLimiter(l.Units)
	if l.Now == nil {
		l.Now = time.Now
	}
	l.saved = l.Now()
	if err := l.begin(); err != nil {
		return nil, err
	}
	for _, t := range l.at.Tables {
		if err := l.table(ctx, t); err != nil {
			l.at.Groups = l.gathered.sorted()
			return nil, errors.Join(err, l.save(l.at))
		}
	}
	r := &Report{Items: map[string]int64{}, Groups: l.gathered.sorted()}
	for _, t := range l.at.Tables {
		r.Items[t.Name] = t.Items
		if t.Overflow {
			r.Notes = append(r.Notes, fmt.Sprintf("%s: of more than %d documents, the others were not looked for a latest item of", t.Name, maxDocuments))
		}
	}
	if l.Resume != "" {
		if err := os.Remove(l.Resume); err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
	}
	return r, nil
}

// Read is how many items Run has looked at, together with the runs that it went on from.
func (l *Linter) Read() (items int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.at != nil {
		for _, t := range l.at.Tables {
			items += t.Items
		}
	}
	return items
}

// begin makes the checkpoint that the run starts from.
func (l *Linter) begin() error {
	c, err := l.resume()
	if err != nil {
		return err
	}
	if c == nil {
		c = &checkpoint{Policy: l.PolicyID, Source: l.Source, Segments: max(1, l.Segments), State: l.Policy.NewState()}
	}
	for _, name := range l.Tables {
		if !slices.ContainsFunc(c.Tables, func(t *tableRun) bool { return t.Name == name }) {
			t := &tableRun{Name: name}
			for range c.Segments {
				t.Segments = append(t.Segments, &segmentRun{})
			}
			c.Tables = append(c.Tables, t)
		}
	}
	l.at, l.gathered = c, gathering{map[string]*Group{}}
	for _, g := range c.Groups {
		l.gathered.groups[g.id()] = g
	}
	for _, t := range c.Tables {
		l.progress(t.Items)
	}
	return nil
}

func (l *Linter) progress(n int64) {
	if l.Progress != nil && n > 0 {
		l.Progress(int(n))
	}
}

// table looks at what is left of a table.
func (l *Linter) table(ctx context.Context, t *tableRun) error {
	if t.Finished {
		return nil
	}
	group, ctx := errgroup.WithContext(ctx)
	for i := range t.Segments {
		group.Go(func() error { return l.segment(ctx, t, i) })
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return l.finish(t)
}

// finish looks at what a whole table shows.
func (l *Linter) finish(t *tableRun) error {
	for _, d := range t.Documents {
		if d.Latest {
			continue
		}
		version, err := parseItem(d.Version)
		if err != nil {
			return err
		}
		l.gathered.add(l.Policy.CheckLatestMissing(t.Name, version), "")
	}
	t.Documents, t.Finished = nil, true
	return nil
}

// segment reads what is left of a segment, page by page.
func (l *Linter) segment(ctx context.Context, t *tableRun, i int) error {
	s := t.Segments[i]
	for !s.Done {
		in := &dynamodb.ScanInput{
			TableName: &t.Name, ConsistentRead: aws.Bool(true), ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
			Segment: aws.Int32(int32(i)), TotalSegments: aws.Int32(int32(len(t.Segments))),
		}
		if s.Last != nil {
			key, err := transfer.UnmarshalItem(s.Last)
			if err != nil {
				return fmt.Errorf("the place to resume %s at: %w", t.Name, err)
			}
			in.ExclusiveStartKey = key
		}
		page, err := l.Client.Scan(ctx, in, patient)
		if err != nil {
			return fmt.Errorf("reading %s: %w", t.Name, err)
		}
		if err := l.page(ctx, t, s, page); err != nil {
			return err
		}
		if err := transfer.Spend(ctx, l.limiter, page.ConsumedCapacity); err != nil {
			return err
		}
	}
	return nil
}

// patient has a request tried again for longer than usual: a table that is throttled for some seconds should not end a run of hours.
func patient(o *dynamodb.Options) { o.RetryMaxAttempts = 10 }

// page checks a page of items, and takes the segment to its end.
func (l *Linter) page(ctx context.Context, t *tableRun, s *segmentRun, page *dynamodb.ScanOutput) error {
	items := make([]item.Item, len(page.Items))
	found := make([][]policy.Finding, len(page.Items))
	for i, attributes := range page.Items {
		var err error
		if items[i], err = parseItem(transfer.MarshalItem(attributes)); err != nil {
			return fmt.Errorf("an item of %s: %w", t.Name, err)
		}
		if found[i], err = l.compare(ctx, t.Name, items[i]); err != nil {
			return err
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, it := range items {
		l.gathered.add(l.Policy.Note(&s.Versions, t.Name, it), "")
		found[i] = append(found[i], l.Policy.CheckItem(t.Name, it, l.at.State)...)
		if len(found[i]) > 0 {
			l.gathered.add(found[i], l.keyText(t.Name, it))
		}
		l.noteDocument(t, it, page.Items[i])
	}
	t.Items += int64(len(items))
	s.Last, s.Done = nil, page.LastEvaluatedKey == nil
	if s.Done {
		l.gathered.add(l.Policy.CheckVersions(&s.Versions, t.Name), "")
	} else {
		s.Last = transfer.MarshalItem(page.LastEvaluatedKey)
	}
	l.progress(int64(len(items)))
	now := l.Now()
	if l.pages++; l.pages < pagesBetweenSaves && now.Sub(l.saved) < timeBetweenSaves {
		return nil
	}
	l.pages, l.saved = 0, now
	l.at.Groups = l.gathered.sorted()
	return l.save(l.at)
}

// keyText is an item's primary key as findings have it.
func (l *Linter) keyText(table string, it item.Item) string {
	var parts []string
	for _, name := range l.Policy.KeyAttributes(table) {
		if v := it.Get(name); v.Type() == item.S {
			parts = append(parts, v.Str())
		} else {
			parts = append(parts, string(v))
		}
	}
	return strings.Join(parts, conventions.KeySeparator)
}

// compare looks at a latest item and the version that it names, or at an item and its command.
func (l *Linter) compare(ctx context.Context, table string, it item.Item) ([]policy.Finding, error) {
	var failed error
	lookup := func(table string, key item.Item) item.Item {
		stored, err := l.read(ctx, table, key)
		failed = errors.Join(failed, err)
		return stored
	}
	found := append(l.Policy.CheckLatest(table, it, lookup), l.Policy.CheckCommand(table, it, lookup)...)
	return found, failed
}

// read is an item by its key, "" if there is none.
func (l *Linter) read(ctx context.Context, table string, key item.Item) (item.Item, error) {
	attributes, err := transfer.UnmarshalItem([]byte(key.JSON()))
	if err != nil {
		return "", err
	}
	out, err := l.Client.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: &table, Key: attributes, ConsistentRead: aws.Bool(true), ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	}, patient)
	if err != nil {
		return "", fmt.Errorf("reading %s: %w", table, err)
	}
	if err := transfer.Spend(ctx, l.limiter, out.ConsumedCapacity); err != nil || out.Item == nil {
		return "", err
	}
	return parseItem(transfer.MarshalItem(out.Item))
}

// noteDocument keeps which documents have a latest item. All that is kept of a version is its key attributes.
func (l *Linter) noteDocument(t *tableRun, it item.Item, attributes transfer.Item) {
	id, latest, ok := l.Policy.Document(t.Name, it)
	if !ok {
		return
	}
	d := t.Documents[id]
	if d == nil {
		if len(t.Documents) >= maxDocuments {
			t.Overflow = true
			return
		}
		if t.Documents == nil {
			t.Documents = map[string]*documentRun{}
		}
		d = &documentRun{}
		t.Documents[id] = d
	}
	switch {
	case latest:
		*d = documentRun{Latest: true}
	case !d.Latest && d.Version == nil:
		key := transfer.Item{}
		for _, name := range l.Policy.KeyAttributes(t.Name) {
			if v, ok := attributes[name]; ok {
				key[name] = v
			}
		}
		d.Version = transfer.MarshalItem(key)
	}
}

// parseItem reads an item from its JSON.
func parseItem(text json.RawMessage) (item.Item, error) {
	s := jsontext.NewScanner(string(text))
	a, err := item.ParseAttributes(&s)
	switch {
	case err != nil:
		return "", err
	case a.Invalid != nil:
		return "", a.Invalid
	}
	return a.Item, nil
}
