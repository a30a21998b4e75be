package conformance

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// tagsOf gives all tags of a table, by key.
func tagsOf(t *testing.T, arn string) map[string]string {
	t.Helper()
	tags, start := map[string]string{}, ""
	for range 20 {
		answer := call(t, "ListTagsOfResource", `{"ResourceArn":"`+arn+`"`+start+`}`)
		for _, tag := range answer["Tags"].([]any) {
			tags[at(t, tag, "Key").(string)] = at(t, tag, "Value").(string)
		}
		if answer["NextToken"] == nil {
			break
		}
		start = `,"NextToken":` + encode(answer["NextToken"])
	}
	return tags
}

func TestTags(t *testing.T) { // API Reference, TagResource, UntagResource and ListTagsOfResource
	t.Parallel()
	created := newTable(t,
		keys("pk:S")+`,"Tags":[{"Key":"at","Value":"creation"},{"Key":"empty","Value":""}]`)
	expect := func(step string, want map[string]string) {
		eventually(t, "ListTagsOfResource",
			func(t2 assert.TestingT) { assert.Equal(t2, want, tagsOf(t, created.arn), step) })
	}
	expect("tags of CreateTable", map[string]string{"at": "creation", "empty": ""})
	assert.Empty(t,
		call(t, "TagResource",
			`{"ResourceArn":"`+created.arn+
				`","Tags":[{"Key":"at","Value":"later"},{"Key":"new","Value":"ä _.:/=+-@"}]}`))
	expect("a tag replaced and one added",
		map[string]string{"at": "later", "empty": "", "new": "ä _.:/=+-@"})
	assert.Empty(t,
		call(t, "UntagResource", `{"ResourceArn":"`+created.arn+`","TagKeys":["at","unknown"]}`))
	expect("a tag removed", map[string]string{"empty": "", "new": "ä _.:/=+-@"})
	call(t, "TagResource",
		`{"ResourceArn":"`+created.arn+`","Tags":[`+times(48, `{"Key":"key%d","Value":"%d"}`)+`]}`)
	eventually(t, "ListTagsOfResource",
		func(t2 assert.TestingT) { assert.Len(t2, tagsOf(t, created.arn), 50) })
	refuse(t, "TagResource",
		`{"ResourceArn":"`+created.arn+`","Tags":[{"Key":"one","Value":"too many"}]}`,
		"ValidationException: * || LimitExceededException: *")

	untagged := newTable(t, keys("pk:S"))
	unknown := strings.Replace(created.arn, created.name, "no-such-table", 1)
	unknownResource := "ResourceNotFoundException: Requested resource not found: ResourceArn: " +
		unknown + " not found"
	long := strings.Repeat("x", 300)
	const probed = "ack-api-quirks, DDB-TABLE-107"
	tag := func(arn, tags string) string {
		return fmt.Sprintf(`{"ResourceArn":"%s","Tags":[%s]}`, arn, tags)
	}
	run(t, defaults{src: "API Reference, TagResource", op: "TagResource"}, []kase{
		{name: "unknown table", in: tag(unknown, `{"Key":"a","Value":"b"}`),
			err: unknownResource},
		{name: "no ARN", in: tag("not-an-arn", `{"Key":"a","Value":"b"}`),
			err: "ValidationException: One or more parameter values were invalid: ARNs must start with 'arn:': not-an-arn"},
		{name: "tag key of aws", in: tag(created.arn, `{"Key":"aws:a","Value":"b"}`),
			err: "ValidationException: Tag Key cannot be prefixed with aws:, Key: aws:a"},
		{name: "tag key that is too long", src: probed,
			in:  tag(created.arn, `{"Key":"`+long[:129]+`","Value":"b"}`),
			err: "ValidationException: The Tag Key provided is invalid, Key: " + long[:129]},
		{name: "tag value that is too long", src: probed,
			in:  tag(created.arn, `{"Key":"a","Value":"`+long[:257]+`"}`),
			err: "ValidationException: The Tag Value provided is invalid, Value: " + long[:257]},
		{name: "empty tag key", src: probed, in: tag(created.arn, `{"Key":"","Value":"b"}`),
			err: "ValidationException: The Tag Key provided is invalid, Key: "},
		{name: "a character that tag values cannot have", src: probed,
			in:  tag(created.arn, `{"Key":"a","Value":"Test's"}`),
			err: "ValidationException: The Tag Value provided is invalid, Value: Test's"},
		{name: "a character that tag keys cannot have",
			src: "Developer Guide, Tagging restrictions in DynamoDB",
			in:  tag(untagged.arn, `{"Key":"a!","Value":"b"}`), err: "ValidationException: The Tag Key provided is invalid, Key: a!"},
		{name: "a key twice",
			in:  tag(created.arn, `{"Key":"a","Value":"b"},{"Key":"a","Value":"c"}`),
			err: "ValidationException: Duplicate Tag Keys provided as input: Duplicate Tag Key found a"},
		{name: "no tags", raw: true, in: tag(created.arn, ``),
			err: "ValidationException: Atleast one Tag needs to be provided as Input."},
		{name: "untag an unknown table", src: "service facts T.15", op: "UntagResource",
			in:  `{"ResourceArn":"` + unknown + `","TagKeys":["a"]}`,
			err: unknownResource},
		{name: "untag nothing", op: "UntagResource", raw: true,
			in:  `{"ResourceArn":"` + created.arn + `","TagKeys":[]}`,
			err: "ValidationException: Atleast one Tag Key needs to be provided as Input."},
		{name: "list of an unknown table", op: "ListTagsOfResource",
			in:  `{"ResourceArn":"` + unknown + `"}`,
			err: unknownResource},
		{name: "list without ARN", op: "ListTagsOfResource", raw: true, in: `{}`,
			err: "ValidationException: 1 validation error detected: Value null at 'resourceArn' failed to satisfy constraint: Member must not be null"},
	})
}
