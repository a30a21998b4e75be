package designs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/spf13/cobra"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/endpoint"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/progress"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/transfer"
	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/source"
	"github.com/kugiri-db/kugiri/emulator/admin"
	"github.com/kugiri-db/kugiri/emulator/traffic"
	"github.com/kugiri-db/kugiri/expr"
)

// readTable makes a design out of a table of an endpoint.
func (x *designFrom) readTable(c *cobra.Command) (*source.Draft, error) {
	if x.sample < 1 || x.sample > source.MaxItems {
		return nil, fmt.Errorf("--sample %d: between 1 and %d", x.sample, source.MaxItems)
	}
	ctx := c.Context()
	client, err := x.Client(ctx)
	if err != nil {
		return nil, err
	}
	t, err := describeSource(ctx, client, x.fromTable)
	if err != nil {
		return nil, endpoint.NoServer(err, client)
	}
	// The server records the requests for the sample, too.
	recorded, err := x.recorded(ctx)
	if err != nil {
		return nil, err
	}
	bar := progress.New(c.ErrOrStderr(), "reading", min(int64(x.sample), t.Count))
	t.Items, err = sampleItems(ctx, client, x.fromTable, x.sample, bar.Add)
	bar.Done()
	if err != nil {
		return nil, err
	}
	t.Requests, t.Writes = recorded.requests(x.fromTable), recorded.writes(x.fromTable)
	draft, err := source.ReadTable(*t)
	if err != nil {
		return nil, err
	}
	var warnings []string
	draft.Comments[""], warnings = recorded.remarks(x.fromTable)
	draft.Warnings = slices.Concat(draft.Warnings, warnings, recorded.unread(x.fromTable))
	return draft, nil
}

// describeSource describes a table without its items.
func describeSource(ctx context.Context, client *dynamodb.Client, name string) (t *source.Table,
	err error) {
	out, err := client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &name})
	if err != nil {
		return nil, err
	}
	t = &source.Table{Name: name, Count: aws.ToInt64(out.Table.ItemCount)}
	t.Key = keyOf(out.Table.KeySchema)
	t.Types = typesOf(out.Table.AttributeDefinitions)
	index := func(name *string, local bool, schema []types.KeySchemaElement, p *types.Projection) {
		t.Indexes = append(t.Indexes, source.TableIndex{Name: *name, Local: local,
			Key: keyOf(schema), Projection: projectionOf(p)})
	}
	for _, ix := range out.Table.GlobalSecondaryIndexes {
		index(ix.IndexName, false, ix.KeySchema, ix.Projection)
	}
	for _, ix := range out.Table.LocalSecondaryIndexes {
		index(ix.IndexName, true, ix.KeySchema, ix.Projection)
	}
	for _, ix := range out.Table.VectorIndexes {
		v := source.TableVector{
			Attribute:  aws.ToString(ix.VectorAttribute.AttributeName),
			Dimensions: int(aws.ToInt64(ix.Dimensions)),
		}
		for _, e := range ix.SearchSchema {
			if e.SearchSchemaElementType == types.SearchSchemaElementTypeHash {
				v.Partition = aws.ToString(e.AttributeName)
			}
		}
		t.Vectors = append(t.Vectors, v)
	}
	ttl, err := client.DescribeTimeToLive(ctx, &dynamodb.DescribeTimeToLiveInput{TableName: &name})
	if err == nil && ttl.TimeToLiveDescription != nil {
		t.TTL = aws.ToString(ttl.TimeToLiveDescription.AttributeName)
	}
	return t, err
}

// typesOf returns the types of key attributes.
func typesOf(all []types.AttributeDefinition) map[string]design.Type {
	by := map[string]design.Type{}
	for _, a := range all {
		by[aws.ToString(a.AttributeName)] = source.TypeOf(string(a.AttributeType))
	}
	return by
}

// projectionOf returns the projection of an index.
func projectionOf(p *types.Projection) design.Projection {
	if p == nil || p.ProjectionType == types.ProjectionTypeAll {
		return design.Projection{}
	}
	return design.Projection{Type: design.ProjectionType(p.ProjectionType),
		Attributes: p.NonKeyAttributes}
}

// keyOf returns the key of a table or an index.
func keyOf(schema []types.KeySchemaElement) (k design.Key) {
	for _, e := range schema {
		into, more := &k.Partition, &k.MorePartition
		if e.KeyType == types.KeyTypeRange {
			into, more = &k.Sort, &k.MoreSort
		}
		if name := aws.ToString(e.AttributeName); *into == "" {
			*into = name
		} else {
			*more = append(*more, name)
		}
	}
	return k
}

// sampleSegments is in how many segments a table is read, so that a sample has items of all of it.
const sampleSegments = 10

// sampleItems reads so many items of a table.
func sampleItems(ctx context.Context, client *dynamodb.Client, table string, sample int,
	progress func(int)) ([]source.Item, error) {
	var items []source.Item
	var starts [sampleSegments]map[string]types.AttributeValue
	var done [sampleSegments]bool
	for left := sampleSegments; left > 0 && len(items) < sample; {
		for i := range sampleSegments {
			if done[i] || len(items) == sample {
				continue
			}
			limit := int32(min(1000, max((sample-len(items))/left, 1)))
			out, err := client.Scan(
				ctx, &dynamodb.ScanInput{TableName: &table, Segment: aws.Int32(int32(i)),
					TotalSegments:     aws.Int32(sampleSegments),
					ExclusiveStartKey: starts[i], Limit: &limit})
			if err != nil {
				return nil, err
			}
			for _, it := range out.Items {
				items = append(items, source.Item{Attributes: sourceValues(it)})
			}
			progress(len(out.Items))
			if starts[i] = out.LastEvaluatedKey; starts[i] == nil {
				done[i] = true
				left--
			}
		}
	}
	return items, nil
}

// sourceValues returns the attributes of an item as a source has them.
func sourceValues(it transfer.Item) map[string]source.Value {
	values := make(map[string]source.Value, len(it))
	for name, v := range it {
		values[name] = sourceValue(v)
	}
	return values
}

func sourceValue(v types.AttributeValue) source.Value {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return source.Value{Type: "S", Text: v.Value, Bytes: len(v.Value)}
	case *types.AttributeValueMemberN:
		return source.Value{Type: "N", Text: v.Value, Bytes: len(v.Value)/2 + 1}
	case *types.AttributeValueMemberB:
		return source.Value{Type: "B", Text: string(v.Value), Bytes: len(v.Value)}
	case *types.AttributeValueMemberBOOL:
		return source.Value{Type: "BOOL", Text: fmt.Sprint(v.Value), Bytes: 1}
	case *types.AttributeValueMemberNULL:
		return source.Value{Type: "NULL", Bytes: 1}
	case *types.AttributeValueMemberM:
		return source.Value{Type: "M", Bytes: len(transfer.MarshalItem(v.Value))}
	}
	return source.Value{Type: "L", Bytes: len(transfer.MarshalItem(transfer.Item{"": v}))}
}

// recordedTraffic is an admin API's answer about its recorded requests.
type recordedTraffic struct {
	Since, Until time.Time
	Keys         []traffic.KeyReport
	Writes       []traffic.WriteReport
	Reads        []traffic.ReadReport
}

// recorded returns the recorded requests. A server that is not Kugiri has none, nor has one that
// does not show them.
func (x *designFrom) recorded(ctx context.Context) (recordedTraffic, error) {
	if x.traffic != "" {
		f, err := os.Open(x.traffic)
		if err != nil {
			return recordedTraffic{}, err
		}
		defer func() { _ = f.Close() }()
		return decodeTraffic(x.traffic, f)
	}
	base, _, err := x.Base()
	if err != nil || base == nil {
		return recordedTraffic{}, err
	}
	url := strings.TrimSuffix(*base, "/") + admin.Prefix + "traffic"
	in, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return recordedTraffic{}, err
	}
	out, err := http.DefaultClient.Do(in)
	if err != nil {
		return recordedTraffic{}, err
	}
	defer func() { _ = out.Body.Close() }()
	if out.StatusCode != http.StatusOK {
		return recordedTraffic{}, nil
	}
	return decodeTraffic(url, out.Body)
}

// maxTraffic is the largest size of recorded requests.
const maxTraffic = 64 << 20

func decodeTraffic(name string, in io.Reader) (r recordedTraffic, err error) {
	if err := json.NewDecoder(io.LimitReader(in, maxTraffic)).Decode(&r); err != nil {
		return r, fmt.Errorf("%s: these are no recorded requests: %w", name, err)
	}
	return r, nil
}

// remarks returns how a design file with the requests for a table begins or, if none are recorded,
// a warning.
func (t *recordedTraffic) remarks(table string) (head string, warnings []string) {
	if len(t.requests(table)) > 0 {
		return fmt.Sprintf(
			"Made from the table %s by \"kugiri design from\", with the requests from %s to %s. Check the fields with comments.",
			table, t.Since.Format(time.RFC3339), t.Until.Format(time.RFC3339)), nil
	}
	return "",
		[]string{"no requests are recorded, so the patterns are those that the keys serve; " +
			"\"curl -X POST ENDPOINT/_kugiri/traffic\" records those of a server with --admin; " +
			"--traffic FILE takes what GET answers for the token of such a server"}
}

// unread names the recorded requests for a table, and the filters, that are in no pattern.
func (t *recordedTraffic) unread(table string) (all []string) {
	for i := range t.Reads {
		r := &t.Reads[i]
		of := "the table"
		if r.Index != "" {
			of = r.Index
		}
		switch {
		case r.Table != table:
		case r.Scan:
			all = append(all, fmt.Sprintf("%d pages of a %s of %s are in no pattern: it reads all "+
				"items", r.Pages, r.Operation, of))
		case r.Filter != "" && r.Operation == "Query":
			all = append(all, fmt.Sprintf("the filter by %s of a Query of %s (%s) is in no pattern: "+
				"say it in filter, or in equal", r.Filter, of, r.KeyCondition))
		}
	}
	return all
}

// requests returns the recorded requests for a table.
func (t *recordedTraffic) requests(table string) []source.Request {
	var all []source.Request
	for i := range t.Keys {
		if k := &t.Keys[i]; k.Table == table && len(k.Examples) > 0 && k.Requests > 0 &&
			k.Returned >= 0 {
			r, err := requestOf(k)
			if seconds := t.Until.Sub(t.Since).Seconds(); seconds > 0 {
				r.Rate = float64(k.Requests) / seconds
			}
			if err == nil {
				all = append(all, r)
			}
		}
	}
	return all
}

// writes returns the recorded writes of a table. A server of an earlier version records none.
func (t *recordedTraffic) writes(table string) []source.TableWrite {
	var all []source.TableWrite
	for i := range t.Writes {
		w := &t.Writes[i]
		seconds := t.Until.Sub(t.Since).Seconds()
		if w.Table != table || w.Requests <= 0 || !(seconds > 0) {
			continue
		}
		write := source.TableWrite{Kind: source.WriteKind(w.Kind), Changed: w.Changed,
			Rate: float64(w.Requests) / seconds}
		for _, e := range w.Examples {
			if key, ok := sourceKey(e.Key); ok {
				write.Examples = append(write.Examples,
					source.WrittenKey{Key: key, Requests: float64(e.Requests)})
			}
		}
		all = append(all, write)
	}
	return all
}

// sourceKey returns a key in DynamoDB's JSON as a source has it.
func sourceKey(key json.RawMessage) (values map[string]source.Value, ok bool) {
	var members map[string]map[string]string
	if json.Unmarshal(key, &members) != nil {
		return nil, false
	}
	values = map[string]source.Value{}
	for name, member := range members {
		for typ, text := range member {
			values[name] = source.Value{Type: typ, Text: text, Bytes: len(text)}
		}
	}
	return values, true
}

// requestOf returns a kind of request with its examples. The requests that are not among the
// examples count for all of them.
func requestOf(k *traffic.KeyReport) (r source.Request, err error) {
	r = source.Request{
		Index: k.Index, One: k.KeyCondition == "", Descending: k.Descending,
		Consistent: k.Consistent, Limit: k.Limit,
	}
	r.Returned = float64(k.Returned*10/max(k.Requests, 1)) / 10
	others := k.Requests
	for _, e := range k.Examples {
		others -= e.Requests
	}
	for _, e := range k.Examples {
		c, err := conditionOf(k, e.Values)
		if err != nil {
			return r, err
		}
		c.Requests = float64(e.Requests) + float64(others)/float64(len(k.Examples))
		r.Examples = append(r.Examples, c)
	}
	return r, nil
}

// conditionOf returns a condition with its values.
func conditionOf(k *traffic.KeyReport, values []json.RawMessage) (c source.Condition, err error) {
	var texts []string
	for _, v := range values {
		var value map[string]string
		if len(texts) > 2*design.MaxKeyAttributes || json.Unmarshal(v, &value) != nil {
			return c, fmt.Errorf("want a condition with up to %d values",
				2*design.MaxKeyAttributes+1)
		}
		for _, text := range value {
			texts = append(texts, text)
		}
	}
	_, onSort, _ := strings.Cut(k.KeyCondition, " = ? AND ")
	var also int
	for _, further, more := strings.Cut(onSort, " = ? AND "); more; _, further, more = strings.Cut(
		onSort, " = ? AND ") {
		onSort = further // the key of an index has several attributes
		also++
	}
	if len(texts) < also+1 || len(texts) > also+3 {
		return c, errors.New("want a value for each attribute, and two for BETWEEN")
	}
	c = source.Condition{Partition: texts[0]}
	if also > 0 {
		c.Also = texts[1 : 1+also]
	}
	last := append(texts[1+also:], "", "")
	c.From, c.To = last[0], last[1]
	switch {
	case k.KeyCondition == "" && len(values) == 2:
		c.Operator = expr.KeyEqual
	case onSort == "":
	case onSort == "in several partitions":
		return c, errors.New("a SELECT of several partitions")
	case strings.HasPrefix(onSort, "begins_with("):
		c.Operator = expr.KeyBeginsWith
	case strings.HasSuffix(onSort, " BETWEEN ? AND ?"):
		c.Operator = expr.KeyBetween
	default:
		fields := strings.Fields(onSort)
		c.Operator = expr.KeyOp(fields[max(len(fields)-2, 0)])
	}
	return c, nil
}
