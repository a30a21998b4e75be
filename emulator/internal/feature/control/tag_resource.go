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
	name, err := taggedTable(c, *in.ResourceArn)
	if err != nil {
		return nil, err
	}
	if len(in.Tags) == 0 {
		return nil, apierr.Invalid("Atleast one Tag needs to be provided as Input.")
	}
	if err := tables.CheckTags(in.Tags); err != nil {
		return nil, err
	}
	return nil, retag(c, name, errNoResource(in.ResourceArn), in.Tags,
		func(tags []api.Tag) ([]api.Tag, error) { return tables.Tagged(tags, in.Tags) })
}

func TagResourceTargets(in *api.TagResourceInput, ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.ResourceArn)})
}

// taggedTable returns the name of the table that a ResourceArn names. (The
// messages: ack-api-quirks, DDB-TABLE-442, probes of the service.)
func taggedTable(c *serve.Call, arn api.ResourceArnString) (string, error) {
	text := string(arn)
	part, err := resourceParts(text)
	if err != nil {
		return "", err
	}
	if part[4] == c.Account {
		switch { // service facts T.19
		case strings.Contains(part[5], "/backup/"):
			return "", errNoResourceARN(text)
		case strings.Contains(part[5], "/stream/"):
			return "", errNoResource(&arn)
		}
	}
	return c.TableOfARN(text)
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

// retag changes a table's tags; set are those that TagResource sets.
func retag(c *serve.Call, name string, missing error, set []api.Tag,
	change func([]api.Tag) ([]api.Tag, error)) error {
	return c.Store.Update(func(tx *storage.Tx) error {
		t, s, err := taggable(c, tx, name, missing)
		if err != nil {
			return err
		}
		now := c.Now()
		if c.Service.Quotas && s.Past.Tagging(now) && !s.Past.Repeats(set) {
			return tables.ErrLimit("%s", tables.TagsBeingUpdated(name))
		}
		before := tagTexts(s.Tags)
		s = s.Clone()
		if s.Tags, err = change(s.Tags); err != nil {
			return err
		}
		if c.Service.Quotas && !maps.Equal(before, tagTexts(s.Tags)) {
			s.Past.Tagged, s.Past.Tags = now, nil
			if set != nil { // a copy of the request's
				s.Past.Tags, _ = tables.Tagged(nil, set)
			}
		}
		tx.SetSettings(t, s)
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

// taggable returns a table for its tags; missing is the error if there is no such table, or if it
// is being created (ack-api-quirks, DDB-TABLE-446, a probe of the service).
func taggable(c *serve.Call, tx *storage.Tx, name string, missing error) (*storage.Table,
	*tables.Settings, error) {
	t, s, err := c.CreatedTable(tx, name)
	if err != nil || s.State.At(c.Now()) == tables.Deleting { // service facts S.9
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
