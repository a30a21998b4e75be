package soak

import (
	"fmt"
	"strings"

	"github.com/stretchr/testify/assert"
)

// account is an item of the table "accounts", which also has the counters.
type account struct {
	B, C struct {
		N int `json:",string"`
	}
}

// entry is an item of the table "items" without its text.
type entry struct {
	PK struct{ S string }
	SK struct {
		N int `json:",string"`
	}
	N struct {
		N int `json:",string"`
	}
	G struct{ S string }
}

// key is the entry's primary key.
func (e *entry) key() string { return fmt.Sprint(e.PK.S, "/", e.SK.N) }

// create makes the tables.
func (s *soak) create() {
	s.call("CreateTable", nil,
		`{"TableName":"accounts","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],`+
			`"KeySchema":[{"AttributeName":"id","KeyType":"HASH"}]}`)
	s.call("CreateTable", nil,
		`{"TableName":"items","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},`+
			`{"AttributeName":"sk","AttributeType":"N"},{"AttributeName":"g","AttributeType":"S"}],`+
			`"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],`+
			`"GlobalSecondaryIndexes":[{"IndexName":"by-g","KeySchema":[{"AttributeName":"g","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}],`+
			`"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"}}`)
	var puts []string
	for i := range accounts {
		puts = append(puts,
			fmt.Sprintf(`{"PutRequest":{"Item":{"id":{"S":"%d"},"b":{"N":"%d"}}}}`, i,
				money/accounts))
	}
	s.call("BatchWriteItem", nil, `{"RequestItems":{"accounts":[%s]}}`, strings.Join(puts, ","))
}

// remove deletes the tables.
func (s *soak) remove() {
	s.call("DeleteTable", nil, `{"TableName":"accounts"}`)
	s.call("DeleteTable", nil, `{"TableName":"items"}`)
}

// check compares the tables with the requests, and with each other.
func (s *soak) check(l *load) {
	l.client = s.direct
	l.audit(nil)
	counted := s.counter("counted")
	assert.GreaterOrEqual(s, counted, l.counted.Load())
	assert.LessOrEqual(s, counted, l.attempted.Load())
	assert.LessOrEqual(s, s.counter("whole"), l.whole.Load())
	assert.Zero(s, s.counter("cut"), "requests without an end had an effect")

	items, indexed := s.scan("items", ""), s.scan("items", `,"IndexName":"by-g"`)
	assert.Equal(s, items, s.replayed(), "the stream's changes in a row are the table")
	for key, e := range items {
		if e.G.S == "" {
			delete(items, key)
		}
	}
	assert.Equal(s, items, indexed, "the index is of the items that have its key")
}

// counter returns the number in an item.
func (s *soak) counter(id string) int64 {
	var found struct{ Item account }
	s.call("GetItem", &found, `{"TableName":"accounts","Key":{"id":{"S":"%s"}}}`, id)
	return int64(found.Item.C.N)
}

// scan returns all items of a table, by key. more has further parameters, such as an index.
func (s *soak) scan(table, more string) map[string]entry {
	all := map[string]entry{}
	for start := ""; ; {
		var page struct {
			Items            []entry
			LastEvaluatedKey *entry
		}
		s.call("Scan", &page, `{"TableName":"%s"%s%s}`, table, more, start)
		for _, e := range page.Items {
			assert.NotContains(s, all, e.key())
			all[e.key()] = e
		}
		last := page.LastEvaluatedKey
		if last == nil {
			return all
		}
		group := ""
		if last.G.S != "" {
			group = `,"g":{"S":"` + last.G.S + `"}`
		}
		start = fmt.Sprintf(`,"ExclusiveStartKey":{"pk":{"S":"%s"},"sk":{"N":"%d"}%s}`, last.PK.S,
			last.SK.N, group)
	}
}

// replayed returns the items after applying the changes in the stream to an empty table.
func (s *soak) replayed() map[string]entry {
	var table struct {
		Table struct{ LatestStreamArn string }
	}
	s.call("DescribeTable", &table, `{"TableName":"items"}`)
	arn := table.Table.LatestStreamArn
	var stream struct {
		StreamDescription struct{ Shards []struct{ ShardId string } }
	}
	s.call("DescribeStream", &stream, `{"StreamArn":"%s"}`, arn)
	var at struct{ ShardIterator string }
	s.call("GetShardIterator", &at,
		`{"StreamArn":"%s","ShardId":"%s","ShardIteratorType":"TRIM_HORIZON"}`, arn,
		stream.StreamDescription.Shards[0].ShardId)
	all := map[string]entry{}
	for iterator := at.ShardIterator; ; {
		var page struct {
			Records []struct {
				Dynamodb struct {
					Keys     entry
					NewImage *entry
				}
			}
			NextShardIterator string
		}
		s.call("GetRecords", &page, `{"ShardIterator":"%s"}`, iterator)
		if len(page.Records) == 0 {
			return all
		}
		for _, r := range page.Records {
			if change := r.Dynamodb; change.NewImage == nil {
				delete(all, change.Keys.key())
			} else {
				all[change.Keys.key()] = *change.NewImage
			}
		}
		iterator = page.NextShardIterator
	}
}
