package kinesis

import (
	"bytes"
	"crypto/md5"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"strings"

	"github.com/kugiri-db/kugiri/emulator/internal/records"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/storage"
)

// kinesisRecord is the JSON of a record. (Records of the service are in
// awslabs/amazon-kinesis-client, issue 1370, and decodableco/examples, dynamodb_cdc.)
type kinesisRecord struct {
	AWSRegion    string        `json:"awsRegion"`
	EventID      string        `json:"eventID"`
	EventName    string        `json:"eventName"`
	UserIdentity *userIdentity `json:"userIdentity"`
	RecordFormat string        `json:"recordFormat"`
	TableName    string        `json:"tableName"`
	DynamoDB     kinesisChange `json:"dynamodb"`
	EventSource  string        `json:"eventSource"`
}

// userIdentity says that the service itself deleted an item.
type userIdentity struct {
	PrincipalID string `json:"principalId"`
	Type        string `json:"type"`
}

type kinesisChange struct {
	Created int64 `json:"ApproximateCreationDateTime"`
	// if one was given
	Precision string          `json:"ApproximateCreationDateTimePrecision,omitempty"`
	Keys      json.RawMessage `json:"Keys"`
	New       json.RawMessage `json:"NewImage,omitempty"`
	Old       json.RawMessage `json:"OldImage,omitempty"`
	SizeBytes int             `json:"SizeBytes"`
}

// newKinesisRecord returns the record of a change. The same change always gets the same record.
func newKinesisRecord(o *storage.Outbox, ch *storage.Change) Record {
	stream, precision := destinationOf(o)
	keys := []byte(ch.Keys.JSON())
	r := kinesisRecord{
		AWSRegion:    strings.SplitN(stream, ":", 5)[3], // a stream is in the region of its table
		EventID:      kinesisEventID(o, ch.Seq),
		EventName:    string(records.EventName(ch)),
		RecordFormat: "application/json",
		TableName:    o.Table,
		EventSource:  "aws:dynamodb",
		DynamoDB: kinesisChange{Created: ch.Time.UnixMilli(), Precision: precision, Keys: keys,
			SizeBytes: ch.Keys.Size() + ch.New.Size() + ch.Old.Size()},
	}
	if precision == "MICROSECOND" {
		r.DynamoDB.Created = ch.Time.UnixMicro()
	}
	if ch.New != "" {
		r.DynamoDB.New = []byte(ch.New.JSON())
	}
	if ch.Old != "" {
		r.DynamoDB.Old = []byte(ch.Old.JSON())
	}
	if ch.Expired { // Developer Guide, "DynamoDB Streams and Time to Live"
		r.UserIdentity = &userIdentity{PrincipalID: "dynamodb.amazonaws.com", Type: "Service"}
	}
	return Record{PartitionKey: kinesisPartitionKey(o, keys), Data: r.encode()}
}

func (r *kinesisRecord) encode() []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(r); err != nil {
		panic(err) // every member has a JSON form
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// kinesisPartitionKey returns 32 hexadecimal digits, as the service does (aws/aws-lambda-dotnet,
// issue 839). They depend on the table and the key of the item, so that all changes of an item are
// in one shard.
func kinesisPartitionKey(o *storage.Outbox, keys []byte) string {
	return fmt.Sprintf("%X", md5.Sum(append([]byte(o.TableID), keys...)))
}

// kinesisEventID returns the UUID of a change.
func kinesisEventID(o *storage.Outbox, seq uint64) string {
	h := fnv.New128a()
	h.Write([]byte(o.TableID))
	h.Write([]byte(o.Label))
	h.Write(binary.BigEndian.AppendUint64(nil, seq))
	return serve.FormatUUID([16]byte(h.Sum(nil)))
}
