package compare

import (
	"context"
	"encoding/json"
	"errors"
	"hash/maphash"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"golang.org/x/sync/errgroup"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/transfer"
)

// End is one of the two endpoints of a comparison.
type End struct {
	Client *dynamodb.Client
	Failed func(error) error // explains an error of a request
}

// Comparer compares tables of two endpoints. It compares one table at a time.
type Comparer struct {
	From, To End
	Segments int         // parallel segments of each scan; at least 1
	Units    float64     // read capacity units a second of each endpoint; 0 for no limit
	Limit    int         // the number of keys that a Result names
	Ignore   []string    // the Settings that are not compared
	Progress func(n int) // called with the number of further items of either endpoint; nil for none
}

// Result is the result of the comparison of a table.
type Result struct {
	Table string `json:"table"`
	Same  bool   `json:"same"`
	// nil if there is no such table, or if nothing was read
	From *Sum `json:"from"`
	To   *Sum `json:"to"`
	// the end without such a table: "from", "to" or "both"
	Missing    string                 `json:"missing,omitempty"`
	Definition []DefinitionDifference `json:"definition,omitempty"` // keys and indexes, Settings
	// the settings that an endpoint cannot tell, and why
	NotCompared []string `json:"notCompared,omitempty"`
	// the first, in order of their keys
	Items []ItemDifference `json:"items,omitempty"`
	// the number of keys that are known to differ
	Different int64 `json:"different"`
	// other keys differ, too, and are not counted
	More bool `json:"more,omitempty"`
}

// ItemDifference is an item that differs.
type ItemDifference struct {
	Key    json.RawMessage `json:"key"`
	OnlyIn string          `json:"onlyIn,omitempty"` // "from" or "to"; "" for both
	// attributes that differ, if it is in both; none if they are the same by now
	Attributes []string `json:"attributes,omitempty"`
}

// maxGathered limits how many items of each endpoint have their keys in memory. A single part may
// have more.
const maxGathered = 100_000

// Table compares a table of both endpoints. It reads all items once, and a second time if their
// sums differ and both tables have the same key. An error is that of a request, as End.Failed
// explains it.
func (c *Comparer) Table(ctx context.Context, name string) (*Result, error) {
	from, to, err := c.describe(ctx, name)
	if err != nil {
		return nil, err
	}
	r := &Result{Table: name, Missing: missing(from, to)}
	if r.Missing != "" {
		return r, nil
	}
	r.Definition = compareDefinitions(from, to)
	if err := c.compareSettings(ctx, r, from, to); err != nil {
		return nil, err
	}
	a, b, err := c.sum(ctx, name, slices.Sorted(maps.Keys(transfer.KeysOf(from))))
	if err != nil {
		return nil, err
	}
	r.From, r.To = a.total(), b.total()
	r.Same = len(r.Definition) == 0 && *r.From == *r.To
	sameKeys := !slices.ContainsFunc(r.Definition,
		func(d DefinitionDifference) bool { return d.Part == keyPart })
	if *r.From != *r.To && sameKeys {
		err = c.find(ctx, r, a, b)
	}
	return r, err
}

// missing names the end without a table.
func missing(from, to *types.TableDescription) string {
	switch {
	case from == nil && to == nil:
		return "both"
	case from == nil:
		return "from"
	case to == nil:
		return "to"
	}
	return ""
}

// sum adds up the items of a table with the named key attributes.
func (c *Comparer) sum(ctx context.Context, name string, keys []string) (from, to *summer,
	err error) {
	p := &partition{names: keys, seed: maphash.MakeSeed()}
	from, to = &summer{p, make([]Sum, parts)}, &summer{p, make([]Sum, parts)}
	return from, to, c.read(ctx, name, from, to, c.Progress)
}

// describe returns the descriptions of a table, nil from an end without it.
func (c *Comparer) describe(ctx context.Context, name string) (from, to *types.TableDescription,
	err error) {
	if from, err = c.From.describe(ctx, name); err == nil {
		to, err = c.To.describe(ctx, name)
	}
	return from, to, err
}

func (e *End) describe(ctx context.Context, name string) (*types.TableDescription, error) {
	out, err := e.Client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &name})
	var absent *types.ResourceNotFoundException
	switch {
	case errors.As(err, &absent):
		return nil, nil
	case err != nil:
		return nil, e.Failed(err)
	}
	return out.Table, nil
}

// read reads all items of a table at both ends at once.
func (c *Comparer) read(ctx context.Context, name string, from, to transfer.Writer,
	progress func(int)) error {
	group, ctx := errgroup.WithContext(ctx)
	one := func(e *End, out transfer.Writer) {
		group.Go(func() error {
			x := transfer.Exporter{
				Client: e.Client, Table: name, Segments: c.Segments, Units: c.Units,
				Progress: progress,
			}
			if _, err := x.Run(ctx, out); err != nil {
				return e.Failed(err)
			}
			return nil
		})
	}
	one(&c.From, from)
	one(&c.To, to)
	return group.Wait()
}

// find reads the items of parts whose sums differ, and names the first that differ.
func (c *Comparer) find(ctx context.Context, r *Result, from, to *summer) error {
	wanted, all := differing(from.sums, to.sums)
	a := &finder{from.partition, wanted, map[string]checksum{}}
	b := &finder{from.partition, wanted, map[string]checksum{}}
	if err := c.read(ctx, r.Table, a, b, nil); err != nil {
		return err
	}
	items := differences(a.found, b.found)
	r.Different, r.More = int64(len(items)), !all
	r.Items = items[:min(len(items), c.Limit)]
	for i := range r.Items {
		if err := c.attributes(ctx, r.Table, &r.Items[i]); err != nil {
			return err
		}
	}
	return nil
}

// differing chooses parts whose sums differ: at least one, and as many as have at most maxGathered
// items. all reports whether these are all that differ.
func differing(from, to []Sum) (wanted []bool, all bool) {
	wanted, all = make([]bool, parts), true
	gathered := int64(0)
	for part := range parts {
		if from[part] == to[part] {
			continue
		}
		more := max(from[part].Items, to[part].Items)
		if gathered > 0 && gathered+more > maxGathered {
			all = false
			continue
		}
		gathered += more
		wanted[part] = true
	}
	return wanted, all
}

// differences returns the items whose hashes differ, in order of their keys.
func differences(from, to map[string]checksum) (items []ItemDifference) {
	all := maps.Clone(from)
	maps.Copy(all, to)
	for _, key := range slices.Sorted(maps.Keys(all)) {
		a, inFrom := from[key]
		b, inTo := to[key]
		d := ItemDifference{Key: json.RawMessage(key)}
		switch {
		case inFrom && inTo && a == b:
			continue
		case !inTo:
			d.OnlyIn = "from"
		case !inFrom:
			d.OnlyIn = "to"
		}
		items = append(items, d)
	}
	return items
}

// attributes names the attributes that differ of an item that both ends have.
func (c *Comparer) attributes(ctx context.Context, table string, d *ItemDifference) error {
	if d.OnlyIn != "" {
		return nil
	}
	key, err := transfer.UnmarshalItem(d.Key)
	if err != nil {
		return err
	}
	from, err := c.From.get(ctx, table, key)
	if err != nil {
		return err
	}
	to, err := c.To.get(ctx, table, key)
	if err != nil {
		return err
	}
	all := maps.Clone(from)
	maps.Copy(all, to)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if attribute(from, name) != attribute(to, name) {
			d.Attributes = append(d.Attributes, name)
		}
	}
	return nil
}

// get returns an item, or an empty map if it is gone.
func (e *End) get(ctx context.Context, table string, key transfer.Item) (transfer.Item, error) {
	out, err := e.Client.GetItem(ctx,
		&dynamodb.GetItemInput{TableName: &table, Key: key, ConsistentRead: aws.Bool(true)})
	if err != nil {
		return nil, e.Failed(err)
	}
	if out.Item == nil {
		return transfer.Item{}, nil
	}
	return out.Item, nil
}

// attribute returns the canonical text of an attribute, or "".
func attribute(it transfer.Item, name string) string {
	if it[name] == nil {
		return ""
	}
	return canonical(transfer.Item{name: it[name]})
}
