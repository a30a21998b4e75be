package permit

import (
	"net"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/conventions/catalog"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/emulator/internal/where"
	"github.com/kugiri-db/kugiri/expr/partiql"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// accessContext answers for the context keys of one access. Keys are in lower case.
type accessContext struct {
	*Access
	call *serve.Call
	in   reflect.Value // the whole input
}

// values returns the values of a context key, nil if it has none.
func (a *accessContext) values(key string) []string {
	if name, ok := strings.CutPrefix(key, "dynamodb:"); ok {
		return a.ofItems(name)
	}
	for _, tagged := range [...]struct {
		prefix string
		tags   func() []api.Tag
	}{
		{"aws:requesttag/", func() []api.Tag { return tagsIn(a.in) }},
		{"aws:resourcetag/", a.resourceTags},
	} {
		if name, ok := strings.CutPrefix(key, tagged.prefix); ok {
			return tagNamed(tagged.tags(), name)
		}
	}
	if key == "aws:tagkeys" {
		return a.tagKeys()
	}
	return a.ofRequest(key)
}

// ofRequest returns the global keys about the network, the time and the place of a request (IAM
// User Guide, "AWS global condition context keys").
func (a *accessContext) ofRequest(key string) []string {
	c := a.call
	switch key {
	case "aws:currenttime":
		return []string{c.Now().UTC().Format(time.RFC3339Nano)}
	case "aws:epochtime":
		return []string{strconv.FormatInt(c.Now().Unix(), 10)}
	case "aws:requestedregion":
		return []string{c.Region}
	case "aws:resourceaccount":
		return []string{c.Account}
	case "aws:viaawsservice":
		return []string{"false"}
	}
	if c.Caller == nil {
		return nil
	}
	return ofNetwork(key, c.Caller.Request)
}

// ofNetwork returns the keys that the connection and the headers of a request have.
func ofNetwork(key string, r *http.Request) []string {
	switch key {
	case "aws:sourceip":
		if host, _, err := net.SplitHostPort(r.RemoteAddr); err == nil {
			return []string{host}
		}
	case "aws:securetransport":
		return []string{strconv.FormatBool(r.TLS != nil)}
	case "aws:useragent":
		return r.Header["User-Agent"]
	case "aws:referer":
		return r.Header["Referer"]
	}
	return nil
}

func tagNamed(tags []api.Tag, name string) []string {
	for i := range tags {
		if strings.EqualFold(api.Deref(tags[i].Key), name) {
			return []string{api.Deref(tags[i].Value)}
		}
	}
	return nil
}

// tagKeys returns the keys of the tags that a request adds or removes.
func (a *accessContext) tagKeys() (keys []string) {
	for _, t := range tagsIn(a.in) {
		keys = append(keys, api.Deref(t.Key))
	}
	return append(keys, stringsIn(a.in, "TagKeys")...)
}

// resourceTags returns the tags of the table that the access is about, or whose index or stream.
func (a *accessContext) resourceTags() (tags []api.Tag) {
	a.call.Store.View(func(tx *storage.Tx) error { // this cannot fail
		if t := tx.Table(tableOfResource(a.Resource)); t != nil {
			tags = tables.SettingsOf(tx, t).Tags
		}
		return nil
	})
	return tags
}

// tableOfResource returns the name of the table in the ARN of a table, index, stream or backup.
func tableOfResource(arn string) string {
	_, after, _ := strings.Cut(arn, ":table/")
	name, _, _ := strings.Cut(after, "/")
	return name
}

// indexOfResource returns the name of the index in an ARN, or "".
func indexOfResource(arn string) string {
	_, index, _ := strings.Cut(arn, "/index/")
	return index
}

// ofItems returns the values of a key of fine-grained access control (Developer Guide, "Using IAM
// policy conditions for fine-grained access control"). SearchVectors has none of them.
func (a *accessContext) ofItems(key string) []string {
	if a.call.Operation.Subject != catalog.Items || a.Action == "SearchVectors" {
		return nil
	}
	switch key {
	case "leadingkeys", "firstpartitionkeyvalues":
		return a.partitionValues(0)
	case "secondpartitionkeyvalues":
		return a.partitionValues(1)
	case "thirdpartitionkeyvalues":
		return a.partitionValues(2)
	case "fourthpartitionkeyvalues":
		return a.partitionValues(3)
	case "attributes":
		return a.attributes()
	case "select":
		return some(a.selected())
	case "returnvalues":
		return some(a.returned())
	case "returnconsumedcapacity":
		return some(textIn(a.in, "ReturnConsumedCapacity"))
	case "enclosingoperation":
		return some(a.inside)
	case "fulltablescan":
		if a.Action == "PartiQLSelect" {
			return []string{strconv.FormatBool(a.scans())}
		}
	}
	return nil
}

// some returns a list of a text, nil if it is empty.
func some(text string) []string {
	if text == "" {
		return nil
	}
	return []string{text}
}

// returned returns what a write returns, as far as the request says. The actions of a transaction
// return items only if their condition fails. ConditionCheckItem has the key as well (Service
// Authorization Reference, "Amazon DynamoDB").
func (a *accessContext) returned() string {
	if a.statement != nil {
		return string(a.statement.Returning)
	}
	if a.inside != "" {
		return textIn(a.parts[0], "ReturnValuesOnConditionCheckFailure")
	}
	return textIn(a.parts[0], "ReturnValues")
}

// selected returns which attributes a read returns, given or not.
func (a *accessContext) selected() string {
	switch a.Action {
	case "GetItem", "BatchGetItem", "Query", "Scan":
	case "PartiQLSelect":
		if a.statement.Projection != nil {
			return "SPECIFIC_ATTRIBUTES"
		}
		return "ALL_ATTRIBUTES"
	default:
		return ""
	}
	part := a.parts[0]
	switch given := textIn(part, "Select"); {
	case given != "":
		return given
	case textIn(part, "ProjectionExpression") != "", len(stringsIn(part, "AttributesToGet")) > 0:
		return "SPECIFIC_ATTRIBUTES"
	case indexOfResource(a.Resource) != "":
		return "ALL_PROJECTED_ATTRIBUTES"
	}
	return "ALL_ATTRIBUTES"
}

// partitionNames returns the partition key of the table or index, nil if there is no such.
func (a *accessContext) partitionNames() (names []string) {
	a.call.Store.View(func(tx *storage.Tx) error { // this cannot fail
		t := tx.Table(tableOfResource(a.Resource))
		if t == nil {
			return nil
		}
		key := &t.Key
		if index := indexOfResource(a.Resource); index != "" {
			ix := tx.Tables().Index(t, index)
			if ix == nil {
				return nil
			}
			key = &ix.Key
		}
		for _, attribute := range key.Hash {
			names = append(names, strings.Clone(attribute.Name))
		}
		return nil
	})
	return names
}

// partitionValues returns the values of an attribute of the partition key that an access names.
func (a *accessContext) partitionValues(number int) (values []string) {
	names := a.partitionNames()
	if number >= len(names) {
		return nil
	}
	name := names[number]
	for _, v := range a.equal(name) {
		values = append(values, contextText(v))
	}
	return values
}

// contextText returns a value of a key as a policy compares it.
func contextText(v item.Value) string {
	switch v.Type() {
	case item.S:
		return v.Str()
	case item.N:
		return v.Num()
	}
	return v.Base64()
}

// equal returns the values of an attribute of the key that an access reads or writes.
func (a *accessContext) equal(name string) (values []item.Value) {
	if a.statement != nil {
		return a.equalInStatement(name)
	}
	var known []item.Item
	for _, part := range a.parts {
		known = append(known, itemsIn(part)...)
	}
	if _, ok := a.in.Addr().Interface().(*api.QueryInput); ok {
		for _, t := range a.call.Targets(a.in.Addr().Interface()) {
			known = append(known, t.Known)
		}
	}
	for _, it := range known {
		if it != "" {
			if v := it.Get(name); v != "" {
				values = append(values, v)
			}
		}
	}
	return values
}

// equalInStatement is equal for a statement. A WHERE clause that reaches items of any partition
// names none.
func (a *accessContext) equalInStatement(name string) (values []item.Value) {
	s := a.statement
	if s.Kind == partiql.Insert {
		if attributes, _, err := s.Item.Attributes(a.params); err == nil && attributes.Item != "" {
			if v := attributes.Item.Get(name); v != "" {
				values = append(values, v)
			}
		}
		return values
	}
	if s.Where == nil {
		return nil
	}
	branches, err := (&where.Branching{Hash: name, Params: a.params}).Branches(s.Where)
	if err != nil {
		return nil
	}
	for _, b := range branches {
		if b.Hash == nil {
			return nil
		}
		for _, term := range b.Hash {
			values = append(values, term.Value)
		}
	}
	return values
}

// scans reports whether a SELECT reads items of any partition.
func (a *accessContext) scans() bool {
	names := a.partitionNames()
	return len(names) == 0 || len(a.equal(names[0])) == 0
}

// attributes returns the top-level attributes that a request names, each once.
func (a *accessContext) attributes() []string {
	var names []string
	if a.statement != nil {
		names = attributesOfStatement(a.statement, a.params)
	}
	for _, part := range a.parts {
		names = append(names, attributesOfPart(part)...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// attributesOfPart returns the attributes in the items, expressions and legacy parameters of a part
// of a request.
func attributesOfPart(part reflect.Value) (names []string) {
	for _, it := range itemsIn(part) {
		if it == "" {
			continue
		}
		for name := range it.All() {
			names = append(names, name)
		}
	}
	behind := placeholdersOf(namesIn(part))
	for _, member := range [...]string{"ProjectionExpression", "FilterExpression",
		"ConditionExpression", "KeyConditionExpression", "UpdateExpression"} {
		names = append(names, namesInExpression(textIn(part, member), behind)...)
	}
	for _, member := range [...]string{"Expected", "KeyConditions", "QueryFilter", "ScanFilter",
		"AttributeUpdates"} {
		names = append(names, keysIn(part, member)...)
	}
	return append(names, stringsIn(part, "AttributesToGet")...)
}

// attributesOfStatement returns the attributes that a statement names.
func attributesOfStatement(s *partiql.Statement, params []item.Value) (names []string) {
	for _, p := range s.Projection {
		names = append(names, p[0].Name)
	}
	if s.Where != nil {
		names = where.AttributesIn(s.Where, names)
	}
	for _, change := range s.Changes {
		names = append(names, change.Path[0].Name)
		if change.Value != nil {
			names = where.AttributesIn(change.Value, names)
		}
	}
	if s.Item != nil {
		if attributes, _, err := s.Item.Attributes(params); err == nil && attributes.Item != "" {
			for name := range attributes.Item.All() {
				names = append(names, name)
			}
		}
	}
	return names
}
