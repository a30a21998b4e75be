package control

import (
	"maps"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/states"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

func TagResource(c *serve.Call, in *api.TagResourceInput) (*struct{}, error) {
	of, err := taggedResource(c, *in.ResourceArn)
	if err != nil { // the resource comes before the tags: DDB-TABLE-107
		return nil, err
	}
	if err := orderOfTags.Judge(in.Tags); err != nil {
		return nil, err
	}
	return nil, retag(c, of, states.Tag, in.Tags,
		func(tags []api.Tag) ([]api.Tag, error) { return tables.Tagged(tags, in.Tags) })
}

// orderOfTags orders the checks of TagResource on its tags, after the ARN and before the table.
var orderOfTags = serve.Order[[]api.Tag]{
	serve.Step("that there are tags", "DDB-TABLE-107", func(tags []api.Tag) error {
		if len(tags) == 0 {
			return apierr.Invalid("Atleast one Tag needs to be provided as Input.")
		}
		return nil
	}),
	serve.Step("each tag", "DDB-TABLE-107, DDB-TABLE-457", tables.CheckTags),
}

func TagResourceTargets(in *api.TagResourceInput, ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.ResourceArn)})
}

// tagged is a resource with tags: a table, or a stream of one, which has tags of its own
// (ack-api-quirks, DDB-TABLE-373).
type tagged struct {
	resource string // the ARN
	table    string
	stream   string // its label; "" for the table
}

// tags returns the tags in the settings of the table.
func (of tagged) tags(s *tables.Settings) *[]api.Tag {
	if of.stream != "" {
		return &s.StreamTags
	}
	return &s.Tags
}

// taggedResource returns what a ResourceArn names. (The messages: ack-api-quirks, DDB-TABLE-442,
// probes of the service.)
func taggedResource(c *serve.Call, arn api.ResourceArnString) (of tagged, err error) {
	text := string(arn)
	part, err := resourceParts(text)
	if err != nil {
		return of, err
	}
	if part[4] == c.Account && strings.Contains(part[5], "/backup/") { // service facts T.19
		return of, errNoResourceARN(text)
	}
	of.resource = text
	text, of.stream, _ = strings.Cut(text, "/stream/")
	of.table, err = c.TableOfARN(text)
	return of, err
}

// resourceParts returns the six parts of a ResourceArn, which may be of a table or a stream.
func resourceParts(arn string) (part []string, err error) {
	if !strings.HasPrefix(arn, "arn:") {
		return nil, apierr.BadParameter("ARNs must start with 'arn:': %s", arn)
	}
	part = strings.SplitN(arn, ":", 6)
	switch {
	case len(part) < 6 || part[2] != "dynamodb":
		return nil, errNoResourceARN(arn)
	case strings.Contains(part[5], "/index/"):
		return nil, apierr.BadParameter(
			"Invalid resource arn provided, only table or stream is accepted. Provided resource arn: %s", arn)
	}
	return part, nil
}

func errNoResourceARN(arn string) error {
	return apierr.BadParameter("Provided Arn is not a DynamoDB resource arn: %s", arn)
}

// retag changes tags; set are those that TagResource sets, nil for UntagResource.
func retag(c *serve.Call, of tagged, asked states.Request, set []api.Tag,
	change func([]api.Tag) ([]api.Tag, error)) error {
	return c.Store.Update(func(tx *storage.Tx) error {
		t, changing := of.changing(c, tx)
		if changing.Settings == nil || of.stale(changing) {
			return changing.Error(states.Missing, asked)
		}
		s := changing.Settings.Clone()
		tags, before := of.tags(s), *of.tags(s)
		after, err := change(slices.Clone(before))
		same := maps.Equal(tagTexts(before), tagTexts(after))
		quotas := c.Service.Quotas && of.stream == ""
		if err := of.refuse(changing, asked, same, quotas && !s.Past.Repeats(set)); err != nil {
			return err
		}
		if err != nil {
			return err
		}
		*tags = after
		if quotas && !same {
			s.Past.Tagged, s.Past.Tags, s.Past.Untagged = c.Now(), nil, before
			if set != nil { // a copy of the request's
				s.Past.Tags, _ = tables.Tagged(nil, set)
			}
		}
		tx.Tables().SetSettings(t, s)
		return nil
	})
}

// refuse returns the error of a change of tags because of what is changing already. locked says
// that the change cannot go on beside another one of tags.
func (of tagged) refuse(changing *states.Changing, asked states.Request, same, locked bool) error {
	inPhase := asked
	if same && asked == states.Tag {
		inPhase = states.SameTags
	}
	if err := changing.RefusePhase(inPhase); err != nil {
		return err
	}
	if locked && changing.Settings.Past.Tagging(changing.Now) {
		return changing.Error(states.ChangesTags, asked)
	}
	return nil
}

// tagTexts returns the values of tags by their keys.
func tagTexts(tags []api.Tag) map[string]string {
	texts := make(map[string]string, len(tags))
	for _, t := range tags {
		texts[*t.Key] = *t.Value
	}
	return texts
}

// changing returns the table, and what is changing of it. Texts name what the request names.
func (of tagged) changing(c *serve.Call, tx *storage.Tx) (*storage.Table, *states.Changing) {
	t, x := c.Changing(tx, of.table)
	x.Resource = of.resource
	return t, x
}

// stale reports whether the request names a stream that the table does not have.
func (of tagged) stale(x *states.Changing) bool {
	return of.stream != "" && x.Settings.Stream.Label() != of.stream
}
