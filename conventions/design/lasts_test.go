package design_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/designfile"
)

// lastMessages is a design whose channels have an attribute of their last message as a case says.
const lastMessages = `
table: chat
models:
  - name: Channel
    key: [id]
    items: 100
    attributes:
      - id
      - {name: city, values: 5}
      - {name: title, mutable: true}
      - {name: at, format: timestamp, last: Message.sent}
      - {name: text, LAST}
  - name: Message
    key: [channel, sent]
    items: 1000
    puts: 4
    attributes:
      - {name: channel, of: Channel.id}
      - {name: sent, format: timestamp}
      - {name: text, bytes: 20}
      - {name: note, mutable: true}
      - {name: bid, type: number}
      - {name: title, of: Channel.title, kept: never}
  - name: Summary
    key: [channel]
    items: 100
    attributes: [{name: channel, of: Channel.id}, {name: at, format: timestamp}]
patterns:
  - {name: a channel, model: Channel, equal: [id], one: true, rate: 1}
  - {name: messages, model: Message, equal: [channel], order: sent, rate: 1}
  - {name: channels of a city, model: Channel, equal: [city], ORDER, rate: 1}
`

func lastsOf(last, order string) []byte {
	return []byte(strings.NewReplacer("LAST", last, "ORDER", order).Replace(lastMessages))
}

// TestLastChecks shows which last values there may be.
func TestLastChecks(t *testing.T) {
	for _, c := range []struct{ name, last, order, wrong string }{
		{"by another attribute", "last: Message.text, by: at", "order: at", ""},
		{"a number by itself", "type: number, last: Message.bid", "order: text", ""},
		{"a copy that stays", "last: Message.title, by: at", "order: at", ""},
		{"no such model", "last: Mesage.text, by: at", "order: at",
			".last: no attribute is called Mesage.text"},
		{"no such attribute", "last: Message.body, by: at", "order: at",
			".last: no attribute is called Message.body"},
		{"a text that says nothing of its age", "last: Message.text", "order: at",
			".by: Message.text is no timestamp, ULID or number: name the attribute"},
		{"by an unknown attribute", "last: Message.text, by: when", "order: at",
			".by: Channel has no attribute when"},
		{"by an attribute that is no last value", "last: Message.text, by: city", "order: at",
			".by: city has to be a last value that itself says which item is the newest"},
		{"by itself", "last: Message.text, by: text", "order: at",
			".by: text is this attribute itself"},
		{"another type", "last: Message.bid, by: at", "order: at",
			".last: Message.bid is a number: say the same type and format here"},
		{"another format", "last: Message.sent, by: at", "order: at",
			".last: Message.sent is a string with the format timestamp"},
		{"kept", "last: Message.text, by: at, kept: transaction", "order: at",
			".kept: only a consumer of the stream keeps a last value"},
		{"mutable", "last: Message.text, by: at, mutable: true", "order: at",
			".last: text changes with Message.text: leave it out of updates, and mutable out"},
		{"optional", "last: Message.text, by: at, optional: 5%", "order: at",
			".optional: each item has text"},
		{"what changes", "last: Message.note, by: at", "order: at",
			".last: Message.note changes after its item was put"},
		{"the model itself", "last: Channel.title, by: at", "order: at",
			".last: Channel is the model itself"},
		{"a model whose items are of no channel", "last: Channel.title, by: at", "order: at",
			".last: Channel is the model itself"},
		{"one item for each", "format: timestamp, last: Summary.at", "order: at",
			".last: there is one item of Summary for each of Channel"},
		{"of something else", "of: Message.text, last: Message.text, by: at", "order: at",
			".last: text has other values already"},
		{"a pattern of some of its values", "last: Message.text, by: at", "where: {text: hi}",
			".where: text changes with each newer item"},
		{"a pattern with periods", "last: Message.text, by: at", "range: at, period: month",
			".period: at changes with each newer item"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := designfile.Parse(lastsOf(c.last, c.order))
			if c.wrong == "" {
				require.NoError(t, err)
				return
			}
			assert.ErrorContains(t, err, c.wrong)
		})
	}
}

// TestLastInOtherValues shows what may not depend on a last value.
func TestLastInOtherValues(t *testing.T) {
	for _, c := range []struct{ name, attribute, wrong string }{
		{"a copy", "{name: c, of: Channel.text, kept: stream}",
			".of: Channel.text is a last value, which changes with each newer item: read it"},
		{"the same values", "{name: c, of: Channel.text}", ".of: Channel.text is a last value"},
		{"a copy that stays", "{name: c, of: Channel.text, kept: never}", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(string(lastsOf("last: Message.text, by: at", "order: at")),
				"{name: at, format: timestamp}]", "{name: at, format: timestamp}, "+c.attribute+"]", 1)
			_, err := designfile.Parse([]byte(text))
			if c.wrong == "" {
				require.NoError(t, err)
				return
			}
			assert.ErrorContains(t, err, c.wrong)
		})
	}
}

// TestLastPlan shows what the consumer of the stream sends, and what it costs.
func TestLastPlan(t *testing.T) {
	plan, err := designfile.Plan(lastsOf("last: Message.text, by: at", "order: at"))
	require.NoError(t, err)
	write := plan.Write("put Message")
	assert.Equal(t, "Put Message unless it exists. By the stream: Update Channel, at and text of "+
		"the newest Message, if it exists with an older at or none", write.String())
	for _, c := range []struct {
		name, update string
		row          design.Row
	}{
		{"a message", "SET #n0 = :v0, #n1 = :v1",
			design.Row{"channel": "1", "sent": "2026-01-01T10:00:00.000Z", "text": "hello"}},
		{"one without a text", "SET #n0 = :v0 REMOVE #n1",
			design.Row{"channel": "1", "sent": "2026-01-01T10:00:00.000Z"}},
		{"one that says nothing of its age", "", design.Row{"channel": "1", "text": "hello"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			requests, err := plan.Later(write, design.Writing{
				After: map[string][]design.Row{"Message": {c.row}}}, func(v any) any { return v })
			require.NoError(t, err)
			if c.update == "" {
				assert.Empty(t, requests)
				return
			}
			require.Len(t, requests, 1)
			in := requests[0].Input
			assert.Equal(t, c.update, in["UpdateExpression"])
			condition, _ := in["ConditionExpression"].(string)
			assert.Regexp(t, `^attribute_exists\(#n2\) AND \(attribute_not_exists\((#n0)\) OR `+
				`#n0 < :v\d\)$`, condition)
		})
	}
	without := strings.Replace(string(lastsOf("bytes: 20", "order: id")),
		", last: Message.sent", "", 1)
	plain, err := designfile.Plan([]byte(without))
	require.NoError(t, err)
	assert.False(t, plain.Streams())
	units := func(p *design.Plan) float64 { return p.Cost(design.ListPrices()).Table.WriteUnits }
	assert.InDelta(t, units(plain)+4, units(plan), 1e-9) // an update for each put
	assert.True(t, plan.Streams())
}

// TestLastBesideOthers shows that no key has a last value beside values that a message does not
// know.
func TestLastBesideOthers(t *testing.T) {
	text := strings.Replace(string(lastsOf("last: Message.text, by: at", "order: at")),
		"equal: [city], order: at", "equal: [city, at, text], order: title", 1)
	_, err := designfile.Plan([]byte(text))
	assert.ErrorContains(t, err, "holds at of Channel beside other values")
}
