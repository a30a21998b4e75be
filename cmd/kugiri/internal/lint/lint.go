// Package lint finds items in the tables of an endpoint that break the conventions. It reads all
// items in parallel. It checks each item, and the items of a table together.
//
// Some rules compare two items, such as a latest item and its version. The run reads them at
// different times. If somebody writes to the table during the run, it can report a finding that is
// false.
package lint

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
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

// Client is the part of a client that a Linter uses.
type Client interface {
	dynamodb.ScanAPIClient
	dynamodb.DescribeTableAPIClient
	GetItem(context.Context, *dynamodb.GetItemInput,
		...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error)
	DescribeTimeToLive(context.Context, *dynamodb.DescribeTimeToLiveInput,
		...func(*dynamodb.Options)) (
		*dynamodb.DescribeTimeToLiveOutput, error)
}

// Linter checks tables once.
type Linter struct {
	Client Client
	Policy *policy.Engine
	// identifies the policy: a run does not resume one with another policy
	PolicyID string
	Source   string           // the endpoint: a run does not resume one at another endpoint
	Tables   []string         // the tables that the policy declares
	Segments int              // parallel segments of each scan; at least 1
	Units    float64          // read capacity units a second; 0 for no limit
	Progress func(n int)      // called with the number of further items; nil for none
	Now      func() time.Time // nil: time.Now

	// Resume names a checkpoint file. Run writes it from time to time and when it fails, and
	// removes it at the end. If the file exists at the beginning, Run continues from it. "" for no
	// file.
	Resume string

	limiter *rate.Limiter

	mu       sync.Mutex // protects the fields below
	at       *checkpoint
	gathered gathering
	pages    int       // pages since the last save
	saved    time.Time // last
}

// Run saves a checkpoint at the first of these limits. A page has up to 1 MB.
const (
	pagesBetweenSaves = 32
	timeBetweenSaves  = 5 * time.Second
)

// Run checks the tables.
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
			r.Notes = append(r.Notes,
				fmt.Sprintf(
					"%s: the run looked for the latest items of the first %d documents only",
					t.Name, maxDocuments))
		}
		if t.NoTTL != "" {
			r.Notes = append(r.Notes,
				fmt.Sprintf("%s: the endpoint does not say whether TTL is enabled (%s)", t.Name,
					t.NoTTL))
		}
	}
	if l.Resume != "" {
		if err := transfer.RemoveState(l.Resume); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// Read returns how many items have been checked, including those of the runs that this run
// continues.
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
		c = &checkpoint{
			Policy: l.PolicyID, Source: l.Source, Segments: max(1, l.Segments),
			State: l.Policy.NewState(),
		}
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

// table checks the rest of a table.
func (l *Linter) table(ctx context.Context, t *tableRun) error {
	if t.Finished {
		return nil
	}
	group, scanning := errgroup.WithContext(ctx)
	for i := range t.Segments {
		group.Go(func() error { return l.segment(scanning, t, i) })
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return l.finish(ctx, t)
}

// finish checks the keys and the TTL of a table, and its items together.
func (l *Linter) finish(ctx context.Context, t *tableRun) error {
	keys, err := l.definition(ctx, t.Name)
	if err != nil {
		return err
	}
	expiry, err := l.expiry(ctx, t)
	if err != nil {
		return err
	}
	for _, d := range t.Documents {
		if err := l.document(t.Name, d); err != nil {
			return err
		}
	}
	l.gathered.add(keys, "")
	l.gathered.add(expiry, "")
	t.Documents, t.Finished = nil, true
	return nil
}

// document checks the newest version of a document against its latest item.
func (l *Linter) document(table string, d *documentRun) error {
	if d.Version == nil {
		return nil
	}
	version, err := parseItem(d.Version)
	if err != nil {
		return err
	}
	if d.Latest == nil {
		l.gathered.add(l.Policy.CheckLatestMissing(table, version), "")
		return nil
	}
	latest, err := parseItem(d.Latest)
	if err != nil {
		return err
	}
	l.gathered.add(l.Policy.CheckLatestBehind(table, latest, version), l.keyText(table, latest))
	return nil
}

// segment reads the rest of a segment, page by page.
func (l *Linter) segment(ctx context.Context, t *tableRun, i int) error {
	s := t.Segments[i]
	for !s.Done {
		in := &dynamodb.ScanInput{
			TableName: &t.Name, ConsistentRead: aws.Bool(true),
			ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
			Segment:                aws.Int32(int32(i)),
			TotalSegments:          aws.Int32(int32(len(t.Segments))),
		}
		if s.Last != nil {
			key, err := transfer.UnmarshalItem(s.Last)
			if err != nil {
				return fmt.Errorf("the position in %s to resume at: %w", t.Name, err)
			}
			in.ExclusiveStartKey = key
		}
		page, err := l.Client.Scan(ctx, in, transfer.Patient)
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

// page checks the items of a page and advances the segment.
func (l *Linter) page(ctx context.Context, t *tableRun, s *segmentRun,
	page *dynamodb.ScanOutput) error {
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

// keyText returns the primary key of an item in the form of findings.
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

// compare checks a latest item against the version that it names, or an item against its command.
func (l *Linter) compare(ctx context.Context, table string, it item.Item) ([]policy.Finding,
	error) {
	var failed error
	lookup := func(table string, key item.Item) item.Item {
		stored, err := l.read(ctx, table, key)
		failed = errors.Join(failed, err)
		return stored
	}
	found := append(l.Policy.CheckLatest(table, it, lookup),
		l.Policy.CheckCommand(table, it, lookup)...)
	return append(found, l.Policy.CheckParent(table, it, lookup)...), failed
}

// read returns the item with a key, or "" if the table has none.
func (l *Linter) read(ctx context.Context, table string, key item.Item) (item.Item, error) {
	attributes, err := transfer.UnmarshalItem([]byte(key.JSON()))
	if err != nil {
		return "", err
	}
	out, err := l.Client.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: &table, Key: attributes, ConsistentRead: aws.Bool(true),
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	}, transfer.Patient)
	if err != nil {
		return "", fmt.Errorf("reading %s: %w", table, err)
	}
	if err := transfer.Spend(ctx, l.limiter, out.ConsumedCapacity); err != nil || out.Item == nil {
		return "", err
	}
	return parseItem(transfer.MarshalItem(out.Item))
}

// noteDocument records the latest item and the newest version of a document.
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
	if latest {
		d.Latest = only(attributes, l.Policy.LatestAttributes(t.Name))
		return
	}
	if d.Version != nil {
		if known, err := parseItem(d.Version); err == nil && !l.Policy.IsNewer(t.Name, it, known) {
			return
		}
	}
	d.Version = only(attributes, l.Policy.KeyAttributes(t.Name))
}

// only returns some attributes of an item, as JSON.
func only(attributes transfer.Item, names []string) json.RawMessage {
	part := transfer.Item{}
	for _, name := range names {
		if v, ok := attributes[name]; ok {
			part[name] = v
		}
	}
	return transfer.MarshalItem(part)
}

// parseItem parses an item.
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
