package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
	"github.com/stretchr/testify/require"
)

// crashStream holds what a consumer of the table's stream has seen. It takes iterators of every
// type while others write, and uses them after the server was killed.
type crashStream struct {
	c       *dynamodbstreams.Client
	arn     *string
	shard   *string
	records []crashRecord  // all of the stream's, in their order
	next    *string        // the iterator after the last of them
	items   map[string]int // what the records make of an empty table

	marks int           // versions of the item that the consumer writes
	taken []crashCursor // the iterators of this round and of the one before
	old   int           // how many of them are of the one before
}

type crashRecord struct {
	seq, pk string
	v       int
}

// crashCursor is an iterator and where it must stand.
type crashCursor struct {
	iterator *string
	kind     string
	seq      string // the first record that it must yield; "": see after, mark
	after    string // the record before the first that it must yield
	mark     int    // LATEST: the version of the mark that was written next
	written  bool   // it was acknowledged
}

// crashPage is how many records are read at a time. Answers are short, see versions.
const crashPage = 50

// connect begins a round.
func (s *crashStream) connect(t *testing.T, url string) {
	s.c = dynamodbstreams.New(dynamodbstreams.Options{Region: "us-east-1", BaseEndpoint: &url,
		Retryer:     aws.NopRetryer{},
		Credentials: credentials.NewStaticCredentialsProvider("AKIDEXAMPLE", "secret", "")})
	if s.arn != nil {
		return
	}
	list, err := s.c.ListStreams(t.Context(), nil)
	require.NoError(t, err)
	require.Len(t, list.Streams, 1)
	s.arn, s.items = list.Streams[0].StreamArn, map[string]int{}
	stream, err := s.c.DescribeStream(t.Context(),
		&dynamodbstreams.DescribeStreamInput{StreamArn: s.arn})
	require.NoError(t, err)
	s.shard = stream.StreamDescription.Shards[0].ShardId
	s.next, err = s.iterator(t.Context(), streamtypes.ShardIteratorTypeTrimHorizon, "")
	require.NoError(t, err)
}

func (s *crashStream) iterator(ctx context.Context, kind streamtypes.ShardIteratorType,
	seq string) (*string, error) {
	in := &dynamodbstreams.GetShardIteratorInput{
		StreamArn: s.arn, ShardId: s.shard, ShardIteratorType: kind,
	}
	if seq != "" {
		in.SequenceNumber = &seq
	}
	out, err := s.c.GetShardIterator(ctx, in)
	if err != nil {
		return nil, err
	}
	return out.ShardIterator, nil
}

// read reads a page.
func (s *crashStream) read(ctx context.Context, iterator *string) (records []crashRecord,
	next *string, err error) {
	out, err := s.c.GetRecords(ctx,
		&dynamodbstreams.GetRecordsInput{ShardIterator: iterator, Limit: aws.Int32(crashPage)})
	if err != nil {
		return nil, nil, err
	}
	records = []crashRecord{}
	for _, r := range out.Records {
		v, err := strconv.Atoi(r.Dynamodb.NewImage["v"].(*streamtypes.AttributeValueMemberN).Value)
		if err != nil {
			return nil, nil, err
		}
		records = append(records,
			crashRecord{*r.Dynamodb.SequenceNumber,
				r.Dynamodb.Keys["pk"].(*streamtypes.AttributeValueMemberS).Value, v})
	}
	return records, out.NextShardIterator, nil
}

const crashMark = "mark"

// consume takes iterators until the server is gone. Half of what a consumer sends reads
// what a stream is like, which must not move any counter.
func (s *crashStream) consume(ctx context.Context, c *dynamodb.Client, random *rand.Rand) {
	for {
		for range 1 + random.IntN(4) {
			if _, err := s.c.DescribeStream(ctx,
				&dynamodbstreams.DescribeStreamInput{StreamArn: s.arn}); err != nil {
				return
			}
		}
		latest, err := s.iterator(ctx, streamtypes.ShardIteratorTypeLatest, "")
		if err != nil {
			return
		}
		s.marks++
		_, err = c.PutItem(ctx,
			&dynamodb.PutItemInput{
				TableName: aws.String("table"), Item: testItem(crashMark, s.marks, ""),
			})
		s.taken = append(s.taken,
			crashCursor{kind: "LATEST", iterator: latest, mark: s.marks, written: err == nil})
		if err != nil || s.takeOthers(ctx, random) != nil {
			return
		}
	}
}

// takeOthers takes the iterators that are not LATEST.
func (s *crashStream) takeOthers(ctx context.Context, random *rand.Rand) error {
	start, err := s.iterator(ctx, streamtypes.ShardIteratorTypeTrimHorizon, "")
	if err != nil {
		return err
	}
	page, next, err := s.read(ctx, start)
	if err != nil || len(page) == 0 {
		return err
	}
	last := page[len(page)-1].seq
	s.taken = append(s.taken, crashCursor{kind: "TRIM_HORIZON", iterator: start, seq: page[0].seq},
		crashCursor{kind: "NextShardIterator", iterator: next, after: last})
	seq := page[random.IntN(len(page))].seq
	at, err := s.iterator(ctx, streamtypes.ShardIteratorTypeAtSequenceNumber, seq)
	if err != nil {
		return err
	}
	after, err := s.iterator(ctx, streamtypes.ShardIteratorTypeAfterSequenceNumber, seq)
	if err != nil {
		return err
	}
	s.taken = append(s.taken, crashCursor{kind: "AT_SEQUENCE_NUMBER", iterator: at, seq: seq},
		crashCursor{kind: "AFTER_SEQUENCE_NUMBER", iterator: after, after: seq})
	return nil
}

// check goes on where the last check ended, holds what the records make to what is in the
// table, and uses the iterators of this round and of the one before.
func (s *crashStream) check(t *testing.T, round int, table map[string]int) {
	for {
		page, next, err := s.read(t.Context(), s.next)
		require.NoError(t, err, "round %d", round)
		require.NotNil(t, next, "the shard has not ended")
		s.next = next
		if len(page) == 0 {
			break
		}
		for _, r := range page {
			if n := len(s.records); n > 0 {
				require.Greater(t, r.seq, s.records[n-1].seq, "round %d", round)
			}
			s.records, s.items[r.pk] = append(s.records, r), r.v
		}
	}
	require.Equal(t, table, s.items, "round %d: what the stream makes of an empty table", round)
	for _, cursor := range s.taken {
		s.use(t, round, cursor)
	}
	s.taken = s.taken[s.old:]
	s.old = len(s.taken)
}

// rest takes a LATEST iterator while nobody writes, before the server is killed.
func (s *crashStream) rest(t *testing.T) {
	for range crashPage {
		_, err := s.c.DescribeStream(t.Context(),
			&dynamodbstreams.DescribeStreamInput{StreamArn: s.arn})
		require.NoError(t, err)
	}
	latest, err := s.iterator(t.Context(), streamtypes.ShardIteratorTypeLatest, "")
	require.NoError(t, err)
	s.taken = append(s.taken,
		crashCursor{
			kind: "LATEST at rest", iterator: latest, after: s.records[len(s.records)-1].seq,
		})
}

// use reads a page from an iterator, which must be the one from its place on.
func (s *crashStream) use(t *testing.T, round int, c crashCursor) {
	page, _, err := s.read(t.Context(), c.iterator)
	what := fmt.Sprintf("round %d: %s, mark %d", round, c.kind, c.mark)
	require.NoError(t, err, what)
	at := len(s.records)
	if len(page) > 0 {
		at = slices.IndexFunc(s.records, func(r crashRecord) bool { return r.seq == page[0].seq })
	}
	require.GreaterOrEqual(t, at, 0, what)
	require.Equal(t, s.records[at:min(at+crashPage, len(s.records))], page, what)
	switch {
	case c.seq != "":
		require.Equal(t, c.seq, s.records[at].seq, what)
	case c.after != "":
		require.Equal(t, c.after, s.records[at-1].seq, what)
	default:
		marks, skipped := versionsOf(s.records,
			crashMark), len(versionsOf(s.records[:at], crashMark))
		first, found := slices.BinarySearch(marks, c.mark)
		require.Equal(t, first, skipped, "%s: marks before it", what)
		require.True(t, found || !c.written, "%s: the mark is lost", what)
	}
}

// versionsOf are the versions of an item in records.
func versionsOf(records []crashRecord, pk string) (versions []int) {
	for _, r := range records {
		if r.pk == pk {
			versions = append(versions, r.v)
		}
	}
	return versions
}
