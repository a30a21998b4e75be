package dynamo

import (
	"errors"
	"fmt"
	"maps"
	"unicode/utf8"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/kugiri-db/kugiri/conventions"
)

// The key attributes of the guide's tables.
const (
	PartitionAttribute = "pk"
	SortAttribute      = "sk"
)

// Query describes a query and makes its dynamodb.QueryInput. Its methods return a changed copy, so
// that callers can keep a Query and make variants of it.
type Query struct {
	table, index     string
	indexed, limited bool
	pkName, skName   string
	pk               string
	sort             sortCondition
	limit            int32
	descending       bool
	consistent       bool
	start            map[string]types.AttributeValue
}

// sortCondition is the condition of a query on sort keys: none, a prefix, or a range.
type sortCondition struct {
	form   string // formPrefix, formRange or ""
	first  string // the prefix or start
	second string // the end
}

// The forms are the expressions that follow the condition on the partition key.
const (
	formPrefix = " AND begins_with(#sk, :skPrefix)"
	formRange  = " AND #sk BETWEEN :start AND :end"
)

// ByPartition queries all items of a partition ("Query by PK").
func ByPartition(table, pk string) Query {
	return Query{table: table, pk: pk, pkName: PartitionAttribute, skName: SortAttribute}
}

// ByPrefix queries the items of a partition whose sort keys begin with prefix ("Query by SK
// prefix"). conventions.SortKeyPrefix and methods of the patterns build prefixes of whole segments.
func ByPrefix(table, pk, prefix string) Query {
	q := ByPartition(table, pk)
	q.sort = sortCondition{form: formPrefix, first: prefix}
	return q
}

// ByRange queries the items of a partition whose sort keys are from start to end, both included
// ("Query by SK range"). conventions.TimeSeries.Between returns the ranges for a time.
func ByRange(table, pk, start, end string) Query {
	q := ByPartition(table, pk)
	q.sort = sortCondition{form: formRange, first: start, second: end}
	return q
}

// Attributes names the key attributes of a table, if they are not PartitionAttribute and
// SortAttribute.
func (q Query) Attributes(pk, sk string) Query {
	q.pkName, q.skName = pk, sk
	return q
}

// Index queries an index with the given key attributes. The value of its partition key need not
// have the form of the guide.
func (q Query) Index(name, pk, sk string) Query {
	q.index, q.indexed = name, true
	return q.Attributes(pk, sk)
}

// Limit sets the largest number of items that a page evaluates.
func (q Query) Limit(items int32) Query {
	q.limit, q.limited = items, true
	return q
}

// Descending reads the greatest sort keys first.
func (q Query) Descending() Query {
	q.descending = true
	return q
}

// Consistent makes the read strongly consistent. Global secondary indexes do not support it.
func (q Query) Consistent() Query {
	q.consistent = true
	return q
}

// StartAfter continues after the LastEvaluatedKey of the page before. With an empty key the query
// starts at the beginning.
func (q Query) StartAfter(key map[string]types.AttributeValue) Query {
	q.start = maps.Clone(key)
	return q
}

// Input makes the input of the query, which the caller may change. It returns an error for a query
// that DynamoDB would refuse in any case.
func (q Query) Input() (*dynamodb.QueryInput, error) {
	if err := q.check(); err != nil {
		return nil, err
	}
	input := &dynamodb.QueryInput{
		TableName:                 aws.String(q.table),
		KeyConditionExpression:    aws.String("#pk = :pk" + q.sort.form),
		ExpressionAttributeNames:  map[string]string{"#pk": q.pkName},
		ExpressionAttributeValues: map[string]types.AttributeValue{":pk": text(q.pk)},
		ScanIndexForward:          aws.Bool(!q.descending),
	}
	switch q.sort.form {
	case formPrefix:
		input.ExpressionAttributeValues[":skPrefix"] = text(q.sort.first)
	case formRange:
		input.ExpressionAttributeValues[":start"] = text(q.sort.first)
		input.ExpressionAttributeValues[":end"] = text(q.sort.second)
	}
	if q.sort.form != "" {
		input.ExpressionAttributeNames["#sk"] = q.skName
	}
	if q.indexed {
		input.IndexName = aws.String(q.index)
	}
	if q.limited {
		input.Limit = aws.Int32(q.limit)
	}
	if q.consistent {
		input.ConsistentRead = aws.Bool(true)
	}
	if len(q.start) > 0 {
		input.ExclusiveStartKey = maps.Clone(q.start)
	}
	return input, nil
}

// check returns an error for a query that DynamoDB would refuse.
func (q Query) check() error {
	switch {
	case q.table == "":
		return errors.New("dynamo: a query needs a table")
	case q.indexed && q.index == "":
		return errors.New("dynamo: the index has no name")
	case q.pkName == "" || q.sort.form != "" && q.skName == "":
		return errors.New("dynamo: a key attribute has no name")
	case q.limited && q.limit < 1:
		return fmt.Errorf("dynamo: a limit of %d items is less than 1", q.limit)
	}
	if err := q.checkPartition(); err != nil {
		return err
	}
	return q.sort.check()
}

func (q Query) checkPartition() error {
	if !q.indexed {
		_, err := conventions.ParsePartitionKey(q.pk)
		return err
	}
	return checkKey("partition key", q.pk, conventions.MaxPartitionKeyBytes)
}

func (c sortCondition) check() error {
	const limit = conventions.MaxSortKeyBytes
	switch c.form {
	case formPrefix:
		return checkKey("sort key prefix", c.first, limit)
	case formRange:
		if err := checkKey("start of the range", c.first, limit); err != nil {
			return err
		}
		if err := checkKey("end of the range", c.second, limit); err != nil {
			return err
		}
		if c.first > c.second {
			return fmt.Errorf("dynamo: the range starts at %.100q, after its end %.100q", c.first,
				c.second)
		}
	}
	return nil
}

// checkKey returns an error for a value that a key cannot have.
func checkKey(part, value string, limit int) error {
	var err error
	switch {
	case value == "":
		err = conventions.ErrEmpty
	case len(value) > limit:
		err = conventions.ErrTooLong
	case !utf8.ValidString(value):
		err = conventions.ErrNotUTF8
	default:
		return nil
	}
	return fmt.Errorf("dynamo: the %s %.100q %w", part, value, err)
}

func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }
