package explore

import (
	"strings"

	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/emulatortest"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// schemasOf returns the keys of a server's tables.
func schemasOf(t emulatortest.TB, s *emulatortest.Server) map[string]request.KeySchema {
	schemas := map[string]request.KeySchema{}
	db := s.ClientOf(s.Emulator.Rehearsal())
	for _, name := range s.TableNames(s.Caller()) {
		out, err := db.DescribeTable(background,
			&dynamodb.DescribeTableInput{TableName: aws.String(name)})
		if err != nil {
			t.Fatalf("explore: %v", err)
		}
		var schema request.KeySchema
		for _, k := range out.Table.KeySchema {
			if k.KeyType == types.KeyTypeHash {
				schema.Partition = *k.AttributeName
			} else {
				schema.Sort = *k.AttributeName
			}
		}
		schemas[name] = schema
	}
	return schemas
}

// stateOf returns how the tables of a fork differ from the template, as text.
func (s *search) stateOf(fork *emulator.Emulator) string {
	before := emulator.State{Emulator: s.server.Emulator, AccessKey: s.accessKey}
	after := emulator.State{Emulator: fork, AccessKey: s.accessKey}
	var b strings.Builder
	for _, t := range emulator.Compare(before, after) {
		b.WriteString(t.Table)
		b.WriteByte('\n')
		for place, more := "", true; more; more = place != "" {
			items, next, err := emulator.CompareItems(before, after, t.Region, t.Table, place, 1000)
			if err != nil {
				b.WriteString(err.Error())
				break
			}
			for i := range items {
				x := &items[i]
				b.WriteString(string(x.Key.JSON()))
				b.WriteString(" = ")
				b.WriteString(string(x.After.JSON()))
				b.WriteByte('\n')
			}
			place = next
		}
	}
	return b.String()
}
