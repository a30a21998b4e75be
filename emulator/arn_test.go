package emulator

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
)

func TestTableName(t *testing.T) {
	c := &serve.Call{
		Owner: arn.Owner{Account: "123456789012", Region: "cn-north-1"}, AccessKey: "someone",
		Operation: operationsByTarget["DynamoDB_20120810.GetItem"],
	}
	const arn = "arn:aws-cn:dynamodb:cn-north-1:123456789012:table/"
	badARN := func(arn string) string {
		return "ValidationException: Invalid TableArn: Invalid ResourceArn provided as input " + arn
	}
	denied := func(arn string) string {
		return "AccessDeniedException: User: arn:aws-cn:iam::123456789012:user/someone is not authorized to perform: dynamodb:GetItem on resource: " + arn +
			" because no resource-based policy allows the dynamodb:GetItem action"
	}
	for _, k := range []struct{ name, table, want, err string }{
		{name: "a name", table: "aA0_-.", want: "aA0_-."},
		{name: "the shortest name", table: "abc", want: "abc"},
		{name: "the longest name", table: strings.Repeat("a", 255), want: strings.Repeat("a", 255)},
		{name: "too short a name", table: "ab", err: badName("ab", nameTooShort)},
		{name: "too long a name", table: strings.Repeat("a", 256),
			err: badName(strings.Repeat("a", 256), nameTooLong)},
		{name: "a slash", table: "a/bc", err: badName("a/bc", namePattern)},
		{name: "a letter that is not ASCII", table: "tablé", err: badName("tablé", namePattern)},
		{name: "an ARN", table: arn + "abc", want: "abc"},
		{name: "an ARN with a bad name", table: arn + "ab", err: badARN(arn + "ab")},
		{name: "an index's ARN", table: arn + "abc/index/idx", err: badARN(arn + "abc/index/idx")},
		{name: "another resource", table: strings.Replace(arn, "table", "backup", 1) + "abc",
			err: badARN(strings.Replace(arn, "table", "backup", 1) + "abc")},
		{name: "half an ARN", table: "arn:aws:dynamodb", err: badARN("arn:aws:dynamodb")},
		{name: "another account", table: "arn:aws-cn:dynamodb:cn-north-1:123456789013:table/abc",
			err: denied("arn:aws-cn:dynamodb:cn-north-1:123456789013:table/abc")},
		{name: "another service", table: "arn:aws-cn:sqs:cn-north-1:123456789012:abc",
			err: badARN("arn:aws-cn:sqs:cn-north-1:123456789012:abc")},
		{name: "another service of another account",
			table: "arn:aws-cn:sqs:cn-north-1:123456789013:abc",
			err:   badARN("arn:aws-cn:sqs:cn-north-1:123456789013:abc")},
		{name: "no account", table: strings.Replace(arn, "123456789012", "", 1) + "abc",
			err: badARN(strings.Replace(arn, "123456789012", "", 1) + "abc")},
		{name: "too short an account", table: strings.Replace(arn, "9012", "", 1) + "abc",
			err: badARN(strings.Replace(arn, "9012", "", 1) + "abc")},
		{name: "an account with letters", table: strings.Replace(arn, "9012", "901x", 1) + "abc",
			err: badARN(strings.Replace(arn, "9012", "901x", 1) + "abc")},
		{name: "another region", table: strings.Replace(arn, "north", "east", 1) + "abc",
			err: "ValidationException: 1 validation error detected: Invalid AWS region in '" +
				strings.Replace(arn, "north", "east", 1) + "abc'"},
		{name: "another partition", table: strings.Replace(arn, "aws-cn", "aws", 1) + "abc",
			err: badARN(strings.Replace(arn, "aws-cn", "aws", 1) + "abc")},
	} {
		t.Run(k.name, func(t *testing.T) {
			got, err := c.TableName(api.TableArn(k.table))
			if k.err != "" {
				assert.EqualError(t, err, k.err)
				return
			}
			assert.NoError(t, err)
			assert.Equal(t, k.want, got)
		})
	}
}
