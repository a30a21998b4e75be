package support

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"regexp"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/consuming"
)

// Planned is the consumer of a table's stream as it is generated for a plan: the files of this
// package, with closures over what package consuming says in place of the functions that package
// render writes. Its items are rows.
type Planned struct {
	plan *design.Plan
	consumer
}

// PlannedOf returns the consumer of a plan, whose table has a stream.
func PlannedOf(plan *design.Plan) (*Planned, error) {
	p := &Planned{plan, consumer{table: table{plan.Design.Table, plan.Key.Names()},
		effects: map[string]effect{},
		wait:    func(ctx context.Context, _ time.Duration) error { return ctx.Err() }}}
	shapes, err := consuming.Shapes(plan)
	for _, s := range shapes {
		keys := map[string]*regexp.Regexp{}
		for _, k := range s.Keys {
			keys[k.Name] = regexp.MustCompile(k.Pattern)
		}
		p.shapes = append(p.shapes, shape{s.Model, keys})
	}
	does := consuming.Of(plan)
	for i := range does.Causes {
		c, event := &does.Causes[i], "INSERT"
		if c.Minus {
			event = "REMOVE"
		}
		p.effects[event+" "+c.Model] = func(s *streaming, r *StreamRecord) { p.cause(s, r, c) }
	}
	for _, model := range does.Originals() {
		follows := does.FollowsOf(model)
		p.effects["MODIFY "+model] = func(s *streaming, r *StreamRecord) {
			for i := range follows {
				p.follow(s, r, &follows[i])
			}
		}
	}
	return p, err
}

// Handle is the handler of a Lambda function. In place of its log, it returns why a record failed.
// It does not wait between tries.
func (p *Planned) Handle(ctx context.Context, client StreamAPIClient, now func() time.Time,
	event []byte) (response []byte, err error) {
	var batch StreamEvent
	if err := json.Unmarshal(event, &batch); err != nil {
		return nil, err
	}
	c := p.consumer
	c.client, c.now = client, now
	failed, err := c.consume(ctx, batch.Records)
	response, _ = json.Marshal(responseOf(failed, err)) // texts only
	return response, err
}

// cause does what the record of a new or a deleted item causes.
func (p *Planned) cause(s *streaming, r *StreamRecord, c *consuming.Cause) {
	image := r.NewImage
	if c.Minus {
		image = r.OldImage
	}
	v := p.read(s, c.Model, image)
	for i := range c.Fresh {
		v = p.fresh(s, r, &c.Fresh[i], v)
	}
	for _, a := range c.Lasts {
		p.last(s, a, v)
	}
	for i := range c.Feeds {
		p.feed(s, &c.Feeds[i], v)
	}
	if len(c.Once) > 0 {
		once := s.writer()
		if c.Mark != nil { // a plan with a mistake has none
			once.put(p.row(c.Mark.Name, design.Row{c.Mark.Key[0]: r.EventID,
				c.Mark.TTL: numberOf(string(s.marked()))}).Item())
			if put := once.items[0].Put; c.Write.Once[0].If == design.Always { // a mistake, too
				put.ConditionExpression, put.ExpressionAttributeNames = nil, nil
			}
		}
		p.adds(once, c.Once, v)
		s.countOnce(once)
	}
	if len(c.Streams) > 0 {
		w := s.writer()
		p.adds(w, c.Streams, v)
		s.count(w)
	}
}

// fresh gives a new item the copies that it has to have by now, and returns its row with them.
func (p *Planned) fresh(s *streaming, r *StreamRecord, o *consuming.Original,
	v plannedRow) plannedRow {
	if !v.filled(o.By) {
		return v
	}
	for item := range p.find(s, o.Query, o.By, v) {
		of := p.read(s, o.Of, item)
		for _, c := range o.Copies {
			if c.If == design.Always {
				s.careless(v.with(c.Attribute, of.row[c.Name]), c.Same)
				continue
			}
			if !c.Whole {
				now := v.with(c.Attribute, of.row[c.Name])
				s.refresh(c.Same, v, now)
				v = now
				continue
			}
			s.follow(r.NewImage, c.Same, func(whole attributes) (storable, storable) {
				is := p.read(s, c.Model, whole)
				if differs(is.row[c.Attribute], v.row[c.Attribute]) {
					return is, is
				}
				return is, is.with(c.Attribute, of.row[c.Name])
			})
		}
	}
	return v
}

// last gives an item the values of a new one, if that is the newest.
func (p *Planned) last(s *streaming, a *design.Action, v plannedRow) {
	needs := a.Parent()
	needs["the newest"] = a.Lasts[0].Of
	if !v.filled(needs) {
		return
	}
	row := design.Row{}
	for name, of := range a.Newest() {
		row[name] = v.row[of]
	}
	last := p.row(a.Model, row)
	item, err := last.Item()
	s.fail(err)
	key, values := consuming.LastItem(p.plan, a)
	switch a.If {
	case design.Always:
		s.careless(last, design.Lasting(p.plan, a))
	case design.MustExist: // a plan with a mistake does not compare which item is newer
		s.set(item, picked(item, values))
	default:
		s.newer(&keys{}, values[0].Name, picked(item, key), picked(item, values))
	}
}

// careless gives the item of a row some attributes without a condition: a plan with a mistake has
// none.
func (s *streaming) careless(v plannedRow, names []string) {
	item, err := v.Item()
	s.fail(err)
	values := attributes{}
	for _, name := range names {
		values[name] = item[name]
	}
	e := &valueExpressions{}
	update := e.Update(nil, filled(values), nil)
	s.update(&dynamodb.UpdateItemInput{TableName: &s.name, Key: s.key(item),
		UpdateExpression: &update, ExpressionAttributeNames: e.Names,
		ExpressionAttributeValues: e.Values})
}

// feed puts an item into feeds, or deletes it there.
func (p *Planned) feed(s *streaming, f *consuming.Feeding, v plannedRow) {
	if !v.filled(f.By) {
		return
	}
	do := s.put
	if f.Deletes {
		do = s.remove
	}
	for item := range p.find(s, f.Query, f.By, v) {
		reader := p.read(s, f.Feed.Feed.Through, item)
		do(p.row(f.Feed.Name, consuming.FeedItem(f.Feed, v.row, reader.row)).Item())
	}
	s.flush()
}

// adds adds what an item counts to a write.
func (p *Planned) adds(w *writer, actions []*design.Action, v plannedRow) {
	for _, a := range actions {
		known := a.Parent()
		if !v.filled(known) {
			continue
		}
		item, err := p.row(a.Model, a.ParentKey(v.row)).Item()
		w.fail(err)
		m := p.plan.Design.Model(a.Model)
		stored := func(primary bool) attributes {
			return picked(item, consuming.Partial(p.plan, m, known, primary))
		}
		var sets attributes
		if a.If == design.Always {
			sets = stored(false)
		}
		var names []string
		var numbers []Number
		for _, add := range a.Adds {
			for _, name := range p.plan.Entity(a.Model).Holding(add.Counter) {
				names, numbers = append(names, name), append(numbers, v.adds(&add))
			}
		}
		w.add(&keys{}, false, a.Minus, stored(true), sets, names, numbers...)
	}
}

// follow gives copies the new value of an attribute of their original.
func (p *Planned) follow(s *streaming, r *StreamRecord, f *consuming.Follow) {
	c := f.Copied
	was, is := p.read(s, c.Of, r.OldImage), p.read(s, c.Of, r.NewImage)
	if !differs(was.row[c.Name], is.row[c.Name]) {
		return
	}
	changed := func(item attributes) (v, now plannedRow) {
		v = p.read(s, c.Model, item)
		return v, v.with(c.Attribute, is.row[c.Name])
	}
	for item := range p.find(s, f.Query, f.By, is) {
		if f.If == design.Always {
			_, now := changed(item)
			s.careless(now, f.Same)
			continue
		}
		if f.Whole {
			s.follow(item, f.Same, func(whole attributes) (storable, storable) {
				return changed(whole)
			})
			continue
		}
		_, now := changed(item)
		values, err := now.Item()
		s.fail(err)
		s.set(item, picked(values, f.Sets))
	}
}

// find returns the items that a query finds by attributes of a row.
func (p *Planned) find(s *streaming, query int, by map[string]string,
	v plannedRow) iter.Seq[attributes] {
	values := design.Row{}
	for name, of := range by {
		values[name] = v.row[of]
	}
	bounds, err := p.plan.Queries[query].BindAll(values)
	var all []*dynamodb.QueryInput
	for _, b := range bounds {
		operation, members := b.Request(s.name, func(v any) any { return attributeOf(v) })
		in := plannedInput(members)
		if operation == string(design.GetItem) {
			return s.only(in.get(), err)
		}
		all = append(all, in.query())
	}
	return s.eachOf(all, err)
}

// plannedInput has the members of a request of a plan.
type plannedInput map[string]any

func (in plannedInput) text(name string) *string {
	if v, ok := in[name].(string); ok {
		return &v
	}
	return nil
}

func (in plannedInput) is(name string) *bool {
	if v, ok := in[name].(bool); ok {
		return &v
	}
	return nil
}

func (in plannedInput) names() map[string]string {
	names, _ := in["ExpressionAttributeNames"].(map[string]string)
	return names
}

func (in plannedInput) values(name string) attributes {
	values, _ := in[name].(map[string]any)
	all := attributes{}
	for name, v := range values {
		all[name], _ = v.(types.AttributeValue)
	}
	return all
}

func (in plannedInput) get() *dynamodb.GetItemInput {
	return &dynamodb.GetItemInput{TableName: in.text("TableName"), Key: in.values("Key"),
		ConsistentRead:           in.is("ConsistentRead"),
		ProjectionExpression:     in.text("ProjectionExpression"),
		ExpressionAttributeNames: in.names()}
}

func (in plannedInput) query() *dynamodb.QueryInput {
	return &dynamodb.QueryInput{TableName: in.text("TableName"), IndexName: in.text("IndexName"),
		ConsistentRead:            in.is("ConsistentRead"),
		ScanIndexForward:          in.is("ScanIndexForward"),
		KeyConditionExpression:    in.text("KeyConditionExpression"),
		FilterExpression:          in.text("FilterExpression"),
		ProjectionExpression:      in.text("ProjectionExpression"),
		ExpressionAttributeNames:  in.names(),
		ExpressionAttributeValues: in.values("ExpressionAttributeValues")}
}

// plannedRow is a row of a model, in place of a value of a generated type.
type plannedRow struct {
	plan  *design.Plan
	model string
	row   design.Row
}

// row returns a row without what it has no value of, and with what is constant.
func (p *Planned) row(model string, of design.Row) plannedRow {
	row := maps.Clone(of)
	maps.DeleteFunc(row, func(_ string, v any) bool { return v == nil || v == "" })
	for _, a := range p.plan.Design.Model(model).Attributes {
		if a.Constant != "" {
			row[a.Name] = a.Constant
		}
	}
	return plannedRow{p.plan, model, row}
}

// Item returns the item as the table stores it.
func (v plannedRow) Item() (attributes, error) {
	item, err := v.plan.Item(v.model, v.row)
	all := attributes{}
	for name, of := range item {
		all[name] = attributeOf(of)
	}
	return all, err
}

// with returns a row with another value of an attribute, or without it.
func (v plannedRow) with(name string, value any) plannedRow {
	v.row = maps.Clone(v.row)
	if v.row[name] = value; value == nil {
		delete(v.row, name)
	}
	return v
}

// filled reports whether a row has the values of attributes: an item without them belongs to none.
func (v plannedRow) filled(by map[string]string) bool {
	for _, of := range by {
		if v.row[of] == nil && consuming.IsField(v.plan.Design.Model(v.model).Attribute(of)) {
			return false
		}
	}
	return true
}

// adds returns what a row adds to a counter.
func (v plannedRow) adds(add *design.Added) Number {
	for name, value := range add.Where {
		if v.row[name] != value {
			return "0"
		}
	}
	if add.Sums == "" {
		return "1"
	}
	n, _ := attributeOf(v.row[add.Sums]).(*types.AttributeValueMemberN)
	if n == nil {
		return orZero("")
	}
	return Number(n.Value)
}

// read reads the row of an item, as generated code reads its fields.
func (p *Planned) read(s *streaming, model string, item attributes) plannedRow {
	return imageOf(s, item, func(item attributes) (plannedRow, error) {
		m, e := p.plan.Design.Model(model), p.plan.Entity(model)
		r, row := &reader{item: item}, design.Row{}
		for i := range m.Attributes {
			a := &m.Attributes[i]
			if stored := consuming.Alone(e, a.Name); stored != nil && consuming.IsField(a) {
				row[a.Name] = plain(item[stored.Name])
			}
		}
		for _, stored := range consuming.Split(m, e) {
			p.split(r, m, &stored, row)
		}
		return p.row(model, row), r.err
	})
}

// split reads attributes of a row out of the parts of a key.
func (p *Planned) split(r *reader, m *design.Model, s *design.Stored, row design.Row) {
	var parts []any
	texts, numbers := map[string]*string{}, map[string]*Number{}
	for _, part := range s.Value {
		a := m.Attribute(part.Attribute)
		switch {
		case part.Attribute == "":
			parts = append(parts, part.Text)
		case !consuming.IsField(a):
			parts = append(parts, nil)
		case part.Decimals > 0 || part.Negative:
			numbers[a.Name] = new(Number)
			parts = append(parts, unscaled{numbers[a.Name], part.Digits, part.Decimals,
				part.Negative})
		case a.Type == design.Number:
			numbers[a.Name] = new(Number)
			parts = append(parts, numbers[a.Name])
		default:
			texts[a.Name] = new(string)
			parts = append(parts, texts[a.Name])
		}
	}
	r.split(s.Name, parts...)
	for name, text := range texts {
		if *text != "" {
			row[name] = *text
		}
	}
	for name, n := range numbers {
		if *n != "" {
			row[name] = numberOf(string(*n))
		}
	}
}

// picked returns the attributes of an item that are stored in some places, or nil for those that it
// has not.
func picked(item attributes, stored []design.Stored) attributes {
	all := attributes{}
	for _, s := range stored {
		all[s.Name] = item[s.Name]
	}
	return all
}

// attributeOf returns a value of a row as an attribute value.
func attributeOf(v any) types.AttributeValue {
	switch v := v.(type) {
	case nil:
		return nil
	case string:
		return &types.AttributeValueMemberS{Value: v}
	case int64:
		return numeric(Int(v))
	case float64:
		return numeric(Number(strconv.FormatFloat(v, 'f', -1, 64)))
	case []byte:
		return &types.AttributeValueMemberB{Value: v}
	case bool:
		return boolean(v)
	case []any:
		all := make([]types.AttributeValue, len(v))
		for i := range v {
			all[i] = attributeOf(v[i])
		}
		return list(all)
	case map[string]any:
		all := attributes{}
		for name, of := range v {
			all[name] = attributeOf(of)
		}
		return members(all)
	}
	panic(fmt.Sprintf("support: a value of a row is a %T", v))
}

// plain returns an attribute value as a value of a row, or nil.
func plain(v types.AttributeValue) any {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return v.Value
	case *types.AttributeValueMemberN:
		return numberOf(v.Value)
	case *types.AttributeValueMemberB:
		return v.Value
	case *types.AttributeValueMemberBOOL:
		return v.Value
	case *types.AttributeValueMemberL:
		all := make([]any, len(v.Value))
		for i := range v.Value {
			all[i] = plain(v.Value[i])
		}
		return all
	case *types.AttributeValueMemberM:
		all := map[string]any{}
		for name, of := range v.Value {
			all[name] = plain(of)
		}
		return all
	}
	return nil
}

// numberOf returns a number as a row has it.
func numberOf(text string) any {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n
	}
	n, _ := strconv.ParseFloat(text, 64)
	return n
}
