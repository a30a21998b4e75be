package control

import (
	"maps"
	"strings"

	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

func TagResource(c *serve.Call, in *api.TagResourceInput) (*struct{}, error) {
	of, err := taggedResource(c, *in.ResourceArn)
	if err != nil { // before the tags: DDB-TABLE-107
		return nil, err
	}
	if err := orderOfTags.Judge(in.Tags); err != nil {
		return nil, err
	}
	return nil, retag(c, of, errNoResource(in.ResourceArn), in.Tags,
		func(tags []api.Tag) ([]api.Tag, error) { return tables.Tagged(tags, in.Tags) })
}

// orderOfTags is what TagResource judges of its tags, after the ARN and before the table.
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

// tagged is what has tags: a table, or a stream of one, which has tags of its own (ack-api-quirks,
// DDB-TABLE-373).
type tagged struct {
	table  string
	stream string // its label; "" for the table
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

// retag changes tags; set are those that TagResource sets.
func retag(c *serve.Call, of tagged, missing error, set []api.Tag,
	change func([]api.Tag) ([]api.Tag, error)) error {
	return c.Store.Update(func(tx *storage.Tx) error {
		t, s, err := taggable(c, tx, of, missing)
		if err != nil {
			return err
		}
		now, quotas := c.Now(), c.Service.Quotas && of.stream == ""
		if quotas && s.Past.Tagging(now) && !s.Past.Repeats(set) {
			return tables.ErrLimit("%s", tables.TagsBeingUpdated(of.table))
		}
		s = s.Clone()
		tags := of.tags(s)
		before := tagTexts(*tags)
		if *tags, err = change(*tags); err != nil {
			return err
		}
		if quotas && !maps.Equal(before, tagTexts(*tags)) {
			s.Past.Tagged, s.Past.Tags = now, nil
			if set != nil { // a copy of the request's
				s.Past.Tags, _ = tables.Tagged(nil, set)
			}
		}
		tx.Tables().SetSettings(t, s)
		return nil
	})
}

// tagTexts returns the values of tags by their keys.
func tagTexts(tags []api.Tag) map[string]string {
	texts := make(map[string]string, len(tags))
	for _, t := range tags {
		texts[*t.Key] = *t.Value
	}
	return texts
}

// taggable returns a table for its tags or those of its stream; missing is the error if there is no
// such table or stream, or if the table is being created (ack-api-quirks, DDB-TABLE-446, a probe of
// the service).
func taggable(c *serve.Call, tx *storage.Tx, of tagged, missing error) (*storage.Table,
	*tables.Settings, error) {
	t, s, err := c.CreatedTable(tx, of.table)
	if err != nil || s.State.At(c.Now()) == tables.Deleting || // service facts S.9
		of.stream != "" && s.Stream.Label() != of.stream {
		return nil, nil, missing
	}
	return t, s, nil
}

// errNoResource is what the operations on tags answer for a table that does not exist or is being
// created (service facts T.15).
func errNoResource(arn *api.ResourceArnString) error {
	return &apierr.Error{
		Type:    apierr.ResourceNotFound,
		Message: "Requested resource not found: ResourceArn: " + string(*arn) + " not found",
	}
}
