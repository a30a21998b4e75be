package request

import (
	"errors"
	"fmt"

	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage/item"
)

// parameters holds the parameters of any operation on items, or of one action of it, that determine
// what it reads and writes.
type parameters struct {
	table, index       string
	key, item          item.Item
	keys               []item.Item
	condition, update  string
	keyCondition       string
	searchCondition    string
	names              []expr.Name
	values             item.Item
	statement          string
	statementValues    []item.Value
	statements         []*parameters
	transact           []part
	requestTables      []requestTable
	expected           []expr.LegacyTerm
	keyConditions      []expr.LegacyTerm
	updates            []expr.LegacyUpdate
	conditionalOr      string
	hasExpected        bool
	hasAttributeUpdate bool
	expires            bool // the request enables TTL
	defines            definitions
}

// part is one action of a transaction or one write of a batch.
type part struct {
	kind   WriteKind
	params *parameters
}

// requestTable holds the actions of a batch on one table.
type requestTable struct {
	name   string
	params *parameters // the reads of BatchGetItem
	writes []part      // the writes of BatchWriteItem
}

// level is the place of parameters in a request. It determines which parameters may occur.
type level uint8

const (
	topLevel  level = iota
	partLevel       // an action of a batch or transaction, or an entry of RequestItems
)

// holdsParts holds the parameters that may occur at the top level only.
var holdsParts = map[string]bool{
	"TransactItems": true, "RequestItems": true, "TransactStatements": true, "Statements": true,
	"TableCreationParameters": true,
}

const maxSkipped = 100 // levels of nesting in skipped parameters

// parameters reads an object of parameters.
func (d *decoder) parameters(at level) (*parameters, error) {
	p := &parameters{}
	err := d.object(func(name string) error {
		read := readerOf(name)
		if read == nil || at != topLevel && holdsParts[name] {
			return d.s.Skip(maxSkipped)
		}
		if err := read(d, p); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	})
	return p, err
}

// readerOf returns the function that reads a parameter, or nil for a parameter that the decoder
// skips. It is a function because a table of the readers would refer to itself.
func readerOf(name string) func(*decoder, *parameters) error {
	switch name {
	case "TableName":
		return func(d *decoder, p *parameters) error { return d.optionalText(&p.table) }
	case "IndexName":
		return func(d *decoder, p *parameters) error { return d.optionalText(&p.index) }
	case "Key":
		return func(d *decoder, p *parameters) error { return d.attributes(&p.key) }
	case "Item":
		return func(d *decoder, p *parameters) error { return d.attributes(&p.item) }
	case "Keys":
		return (*decoder).keyList
	case "ConditionExpression":
		return func(d *decoder, p *parameters) error { return d.optionalText(&p.condition) }
	case "UpdateExpression":
		return func(d *decoder, p *parameters) error { return d.optionalText(&p.update) }
	case "KeyConditionExpression":
		return func(d *decoder, p *parameters) error { return d.optionalText(&p.keyCondition) }
	case "SearchConditionExpression":
		return func(d *decoder, p *parameters) error { return d.optionalText(&p.searchCondition) }
	case "ExpressionAttributeNames":
		return (*decoder).placeholders
	case "ExpressionAttributeValues":
		return func(d *decoder, p *parameters) error { return d.attributes(&p.values) }
	case "Statement":
		return func(d *decoder, p *parameters) error { return d.optionalText(&p.statement) }
	case "Parameters":
		return func(d *decoder, p *parameters) error { return d.values(&p.statementValues) }
	case "Statements":
		return (*decoder).statementList
	case "TransactStatements":
		return (*decoder).statementList
	case "TransactItems":
		return (*decoder).transactItems
	case "RequestItems":
		return (*decoder).requestItems
	case "Expected":
		return (*decoder).expected
	case "ConditionalOperator":
		return func(d *decoder, p *parameters) error { return d.optionalText(&p.conditionalOr) }
	case "KeyConditions":
		return (*decoder).keyConditions
	case "AttributeUpdates":
		return (*decoder).attributeUpdates
	case "TimeToLiveSpecification":
		return (*decoder).timeToLive
	}
	return readerOfDefinition(name)
}

// readerOfDefinition is readerOf for the parameters that define a table.
func readerOfDefinition(name string) func(*decoder, *parameters) error {
	switch name {
	case "AttributeDefinitions":
		return (*decoder).attributeDefinitions
	case "KeySchema":
		return (*decoder).tableKey
	case "LocalSecondaryIndexes", "GlobalSecondaryIndexes", "VectorIndexes":
		return (*decoder).indexes
	case "GlobalSecondaryIndexUpdates", "VectorIndexUpdates":
		return (*decoder).indexUpdates
	case "TableCreationParameters":
		return (*decoder).creation
	}
	return nil
}

func (d *decoder) keyList(p *parameters) error {
	return d.list(func() error {
		p.keys = append(p.keys, "")
		return d.attributes(&p.keys[len(p.keys)-1])
	})
}

func (d *decoder) placeholders(p *parameters) error {
	return d.object(func(name string) error {
		attribute, err := d.text()
		p.names = append(p.names, expr.Name{Placeholder: name, Attribute: attribute})
		return err
	})
}

func (d *decoder) statementList(p *parameters) error {
	return d.list(func() error {
		statement, err := d.parameters(partLevel)
		p.statements = append(p.statements, statement)
		return err
	})
}

// transactKinds holds the members of a transaction's action and the kind that each declares.
var transactKinds = map[string]WriteKind{
	"Put": Put, "Update": Update, "Delete": Delete, "ConditionCheck": Check, "Get": Check,
}

func (d *decoder) transactItems(p *parameters) error {
	return d.list(func() error { return d.oneOf(transactKinds, &p.transact) })
}

// oneOf reads an object whose only known member names the kind of the action.
func (d *decoder) oneOf(kinds map[string]WriteKind, into *[]part) error {
	found := 0
	err := d.object(func(name string) error {
		kind, ok := kinds[name]
		if !ok || d.s.Next('n') {
			if ok {
				return nil
			}
			return d.s.Skip(maxSkipped)
		}
		found++
		params, err := d.parameters(partLevel)
		*into = append(*into, part{kind, params})
		return err
	})
	if err == nil && found != 1 {
		err = errors.New("a part asks for one thing exactly")
	}
	return err
}

var batchKinds = map[string]WriteKind{"PutRequest": Put, "DeleteRequest": Delete}

// requestItems reads the actions of a batch on each table: a list of writes, or an object with
// keys.
func (d *decoder) requestItems(p *parameters) error {
	return d.object(func(table string) error {
		t := requestTable{name: table, params: &parameters{}}
		var err error
		if d.s.Peek() == '[' {
			err = d.list(func() error { return d.oneOf(batchKinds, &t.writes) })
		} else {
			t.params, err = d.parameters(partLevel)
		}
		p.requestTables = append(p.requestTables, t)
		return err
	})
}

// expected reads the legacy parameter Expected.
func (d *decoder) expected(p *parameters) error {
	return d.object(func(attribute string) error {
		p.hasExpected = true
		term := expr.LegacyTerm{Attribute: attribute}
		absent := false
		err := d.object(func(name string) error {
			switch name {
			case "Value":
				term.Values = append(term.Values, "")
				return d.value(&term.Values[len(term.Values)-1])
			case "Exists":
				absent = d.s.Peek() == 'f'
				return d.s.Skip(1)
			case "AttributeValueList":
				return d.values(&term.Values)
			case "ComparisonOperator":
				return d.optionalText(&term.Op)
			}
			return d.s.Skip(maxSkipped)
		})
		switch {
		case absent:
			term.Op = "NULL"
		case term.Op == "":
			term.Op = "EQ"
		}
		p.expected = append(p.expected, term)
		return err
	})
}

func (d *decoder) keyConditions(p *parameters) error {
	return d.object(func(attribute string) error {
		term := expr.LegacyTerm{Attribute: attribute}
		err := d.object(func(name string) error {
			switch name {
			case "AttributeValueList":
				return d.values(&term.Values)
			case "ComparisonOperator":
				return d.optionalText(&term.Op)
			}
			return d.s.Skip(maxSkipped)
		})
		p.keyConditions = append(p.keyConditions, term)
		return err
	})
}

// timeToLive reads whether the request enables TTL.
func (d *decoder) timeToLive(p *parameters) error {
	return d.object(func(name string) error {
		if name == "Enabled" {
			p.expires = d.s.Peek() == 't'
		}
		return d.s.Skip(1)
	})
}

func (d *decoder) attributeUpdates(p *parameters) error {
	p.hasAttributeUpdate = true
	return d.object(func(attribute string) error {
		u := expr.LegacyUpdate{Attribute: attribute, Action: "PUT"}
		err := d.object(func(name string) error {
			switch name {
			case "Action":
				return d.optionalText(&u.Action)
			case "Value":
				return d.value(&u.Value)
			}
			return d.s.Skip(maxSkipped)
		})
		p.updates = append(p.updates, u)
		return err
	})
}

// bind parses the expressions of a write.
func (p *parameters) bind(w *Write) error {
	w.Fixed = p.hasExpected || p.hasAttributeUpdate
	if err := p.bindLegacy(w); err != nil {
		return err
	}
	if p.condition == "" && p.update == "" {
		return nil
	}
	if w.Fixed {
		return errors.New("expressions and legacy parameters cannot be mixed")
	}
	scope, err := expr.NewScope(p.names, p.values)
	if err != nil {
		return err
	}
	if p.condition != "" {
		if w.Condition, err = scope.Condition(expr.KindCondition, p.condition); err != nil {
			return err
		}
	}
	if p.update != "" {
		w.Update, err = scope.Update(p.update)
	}
	return err
}

func (p *parameters) bindLegacy(w *Write) (err error) {
	if p.hasExpected {
		operator := p.conditionalOr
		if operator == "" {
			operator = "AND"
		}
		if w.Condition, err = expr.NewLegacyCondition(p.expected, operator); err != nil {
			return err
		}
	}
	if p.hasAttributeUpdate {
		w.Update, err = expr.NewLegacyUpdate(p.updates)
	}
	return err
}

// keyTerms returns the key condition of a query as terms.
func (p *parameters) keyTerms() ([]expr.KeyTerm, error) {
	switch {
	case p.keyCondition != "" && p.keyConditions != nil:
		return nil, errors.New("expressions and legacy parameters cannot be mixed")
	case p.keyConditions != nil:
		return expr.NewLegacyKeyCondition(p.keyConditions)
	case p.keyCondition == "":
		return nil, nil
	}
	scope, err := expr.NewScope(p.names, p.values)
	if err != nil {
		return nil, err
	}
	return scope.KeyCondition(p.keyCondition)
}

// searchTerms returns the condition of a search as terms.
func (p *parameters) searchTerms() ([]expr.KeyTerm, error) {
	if p.searchCondition == "" {
		return nil, nil
	}
	scope, err := expr.NewScope(p.names, p.values)
	if err != nil {
		return nil, err
	}
	return scope.SearchCondition(p.searchCondition)
}

// need reports the first parameter that is missing: names, each followed by whether it is there.
func (p *parameters) need(pairs ...any) error {
	for i := 0; i < len(pairs); i += 2 {
		if !pairs[i+1].(bool) {
			return fmt.Errorf("%s is missing", pairs[i])
		}
	}
	return nil
}

func (p *parameters) tableName() string { return tableName(p.table) }
