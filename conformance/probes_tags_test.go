package conformance

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// listTags is a request that lists the tags of an ARN, and what it answers.
func listTags(name, arn, more, tags string) kase {
	return kase{name: name, op: "ListTagsOfResource",
		in:   `{"ResourceArn":"` + arn + `"` + more + `}`,
		want: `{"Tags":[` + tags + `]}`}
}

// TestProbesOfTags: findings on tags (ack-api-quirks, DDB-TABLE-011, -071, -073, -105, -106, -136,
// -368, -372 and -373).
func TestProbesOfTags(t *testing.T) {
	t.Parallel()
	const src = "ack-api-quirks, DDB-TABLE-105"
	tagging := func(arn string, tags ...string) string {
		list := make([]string, len(tags)/2)
		for i := range list {
			list[i] = fmt.Sprintf(`{"Key":%s,"Value":%s}`, encode(tags[2*i]), encode(tags[2*i+1]))
		}
		return `{"ResourceArn":"` + arn + `","Tags":[` + strings.Join(list, ",") + `]}`
	}
	fresh := func() string { return newTable(t, keys("pk:S")).arn }
	one := func(name, key, value, err string) kase {
		k := kase{name: name, op: "TagResource", in: tagging(fresh(), key, value), err: err}
		if err == "" {
			k.want = `{}`
		}
		return k
	}
	const noKey = "ValidationException: The Tag Key provided is invalid, Key: "
	const noValue = "ValidationException: The Tag Value provided is invalid, Value: "
	cases := []kase{
		one("an empty value", "Env", "", ""), one("blanks around", " k ", " v ", ""),
		one("a blank", " ", "", ""), one("letters of other scripts", "ключ", "café", ""),
		one("ideographs", "表", "a+b-c=d.e_f:g/h@i", ""),
		one("other blanks", "n\u00a0b", "i\u3000s", ""),
		one("a hash in a key", "bad#char", "v", noKey+"bad#char"),
		one("a picture in a key", "🔑", "v", noKey+"🔑"),
	}
	for _, bad := range []string{"🔑", "100%", "a,b", `it's "q"`, "(x)[y]{z}", "a&b", "a*b", "a;b",
		"a?b", "a|b", `a\b`, "<a>", "~a", "bad#char"} {
		cases = append(cases, one("a value "+bad, "c", bad, noValue+bad))
	}
	run(t, defaults{src: src}, cases)

	arn := fresh()
	call(t, "TagResource",
		tagging(arn, "k", "1", "k ", "2", " k", "3", " ", "4", "Env", "", "env", "x"))
	assert.Len(t, tagsOf(t, arn), 6)
	call(t, "TagResource", tagging(arn, "k", "new"))
	assert.Equal(t, "new", tagsOf(t, arn)["k"])
	call(t, "UntagResource", `{"ResourceArn":"`+arn+`","TagKeys":["absent","k"]}`)
	assert.NotContains(t, tagsOf(t, arn), "k")

	one1 := fresh()
	call(t, "TagResource", tagging(one1, "a", "1"))
	run(t, defaults{src: src}, []kase{
		listTags("a token that is none", one1, `,"NextToken":"bogus"`, `{"Key":"a","Value":"1"}`),
		{name: "an index", op: "ListTagsOfResource", in: `{"ResourceArn":"` + arn + `/index/gsi"}`,
			err: invalidParameters + "Invalid resource arn provided, only table or stream is accepted. Provided resource arn: " + arn + "/index/gsi"},
		{name: "a name", op: "ListTagsOfResource", in: `{"ResourceArn":"bare"}`,
			err: invalidParameters + "ARNs must start with 'arn:': bare"},
	})
}

// TestProbesOfTagsOfStreams: a stream has tags of its own (ack-api-quirks, DDB-TABLE-373).
func TestProbesOfTagsOfStreams(t *testing.T) {
	t.Parallel()
	table := newTable(t,
		keys("pk:S")+`,"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"}`)
	stream := at(t, describe(t, table.name), "LatestStreamArn").(string)
	assert.Empty(t, tagsOf(t, stream))
	call(t, "TagResource", `{"ResourceArn":"`+stream+`","Tags":[{"Key":"a","Value":"1"}]}`)
	eventually(t, "ListTagsOfResource", func(t2 assert.TestingT) {
		assert.Equal(t2, map[string]string{"a": "1"}, tagsOf(t, stream))
	})
	assert.Empty(t, tagsOf(t, table.arn))
}

// TestProbesOfTagSizes: all tags of a table together (ack-api-quirks, DDB-TABLE-108 and -109).
func TestProbesOfTagSizes(t *testing.T) {
	t.Parallel()
	arn := newTable(t, keys("pk:S")).arn
	tag := func(n, key, value int) string {
		list := make([]string, n)
		for i := range list {
			list[i] = fmt.Sprintf(`{"Key":"%02d%s","Value":"%s"}`, i, strings.Repeat("k", key-2),
				strings.Repeat("v", value))
		}
		return `{"ResourceArn":"` + arn + `","Tags":[` + strings.Join(list, ",") + `]}`
	}
	const many = "ValidationException: Number of Tags exceed the current limit for the provided ResourceArn"
	refuse(t, "TagResource", tag(41, 100, 256),
		"ValidationException: Tag set size 14596 bytes is above max size limit of 10240 bytes")
	refuse(t, "TagResource", tag(51, 4, 1), many)
	call(t, "TagResource", tag(40, 100, 156))
	refuse(t, "TagResource", `{"ResourceArn":"`+arn+`","Tags":[{"Key":"one","Value":"more"}]}`,
		"ValidationException: Tag set size 10247 bytes is above max size limit of 10240 bytes")
}

// TestRegionsOfTheList: service facts T.16.
func TestRegionsOfTheList(t *testing.T) {
	t.Parallel()
	run(t, defaults{src: "service facts T.16", table: "hash", op: "UpdateTable"}, []kase{
		{name: "no region", in: `{"ReplicaUpdates":[{"Create":{"RegionName":"us-fake-1"}}]}`,
			err: "ValidationException: Region us-fake-1 is not supported. The latest version of global tables are only supported in the following regions: [ap-south-2, ap-south-1, eu-south-1, eu-south-2, me-central-1, il-central-1, ca-central-1, ap-east-2, mx-central-1, eu-central-1, eu-central-2, us-west-1, *"},
	})
}
