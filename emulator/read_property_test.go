package emulator

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/storage"
)

// The model of Query and Scan keeps items as maps and reads by sorting all of them.
type (
	readValue [2]string // type and text
	readItem  map[string]readValue
)

// readSource is the table of the model, or an index of it.
type readSource struct {
	name, kind string // kind: "", LOCAL, GLOBAL
	hash, sort []string
	all        bool
	include    []string
}

// readSources lists what can be read: the table, and then its indexes.
var readSources = []readSource{
	{hash: []string{"pk"}, sort: []string{"sk"}, all: true},
	{name: "lkeys", kind: "LOCAL", hash: []string{"pk"}, sort: []string{"ls"}},
	{name: "linc", kind: "LOCAL", hash: []string{"pk"}, sort: []string{"gr"},
		include: []string{"n"}},
	{name: "lall", kind: "LOCAL", hash: []string{"pk"}, sort: []string{"b"}, all: true},
	{name: "gall", kind: "GLOBAL", hash: []string{"gh"}, all: true},
	{name: "gkeys", kind: "GLOBAL", hash: []string{"gh"}, sort: []string{"gr"}},
	{name: "gmulti", kind: "GLOBAL", hash: []string{"gh", "ls"}, sort: []string{"gr", "b", "sk"},
		include: []string{"n"}},
}

const readTable = `{"TableName":"reads","BillingMode":"PAY_PER_REQUEST",
	"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"N"},{"AttributeName":"ls","AttributeType":"S"},
		{"AttributeName":"gh","AttributeType":"S"},{"AttributeName":"gr","AttributeType":"N"},{"AttributeName":"b","AttributeType":"B"}],
	"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
	"LocalSecondaryIndexes":[
		{"IndexName":"lkeys","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"ls","KeyType":"RANGE"}],"Projection":{"ProjectionType":"KEYS_ONLY"}},
		{"IndexName":"linc","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"gr","KeyType":"RANGE"}],"Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["n"]}},
		{"IndexName":"lall","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"b","KeyType":"RANGE"}],"Projection":{"ProjectionType":"ALL"}}],
	"GlobalSecondaryIndexes":[
		{"IndexName":"gall","KeySchema":[{"AttributeName":"gh","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}},
		{"IndexName":"gkeys","KeySchema":[{"AttributeName":"gh","KeyType":"HASH"},{"AttributeName":"gr","KeyType":"RANGE"}],"Projection":{"ProjectionType":"KEYS_ONLY"}},
		{"IndexName":"gmulti","KeySchema":[{"AttributeName":"gh","KeyType":"HASH"},{"AttributeName":"ls","KeyType":"HASH"},
			{"AttributeName":"gr","KeyType":"RANGE"},{"AttributeName":"b","KeyType":"RANGE"},{"AttributeName":"sk","KeyType":"RANGE"}],
			"Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["n"]}}]}`

// readValues are the values that attributes are drawn from.
var readValues = map[string][]readValue{
	"pk": {{"S", "p"}, {"S", "q"}},
	"sk": {{"N", "-12"}, {"N", "-3"}, {"N", "0"}, {"N", "0.5"}, {"N", "2"}, {"N", "10"}},
	"ls": {{"S", "a"}, {"S", "ab"}, {"S", "b"}, {"S", "é"}},
	"gh": {{"S", "g"}, {"S", "h"}},
	"gr": {{"N", "-1"}, {"N", "9"}, {"N", "10"}},
	"b":  {{"B", "AA=="}, {"B", "AAE="}, {"B", "/w=="}},
	"n":  {{"N", "1"}, {"N", "2"}, {"N", "30"}},
	"v": {{"S", "x"}, {"S", "y"}, {"S", strings.Repeat("v", 3000)},
		{"S", strings.Repeat("w", 9000)}},
}

func drawReadValue(t *rapid.T, name string) readValue {
	return rapid.SampledFrom(readValues[name]).Draw(t, name)
}

func compareReadValues(a, b readValue) int {
	switch a[0] {
	case "N":
		x, _ := strconv.ParseFloat(a[1], 64)
		y, _ := strconv.ParseFloat(b[1], 64)
		return cmp.Compare(x, y)
	case "B":
		x, _ := base64.StdEncoding.DecodeString(a[1])
		y, _ := base64.StdEncoding.DecodeString(b[1])
		return slices.Compare(x, y)
	}
	return cmp.Compare(a[1], b[1])
}

func (v readValue) size() int {
	switch v[0] {
	case "N":
		digits := strings.Trim(strings.NewReplacer("-", "", ".", "").Replace(v[1]), "0")
		if digits == "" {
			return 1
		}
		if strings.Contains(v[1], ".") || strings.HasPrefix(v[1], "-") {
			n := 1 + (len(digits)+1)/2
			if strings.HasPrefix(v[1], "-") {
				n++
			}
			return n
		}
		return 1 + (len(digits)+1)/2
	case "B":
		b, _ := base64.StdEncoding.DecodeString(v[1])
		return len(b)
	}
	return len(v[1])
}

func (it readItem) size() int {
	n := 0
	for name, v := range it {
		n += len(name) + v.size()
	}
	return n
}

// only is the item's part with the attributes named.
func (it readItem) only(names []string) readItem {
	part := readItem{}
	for _, name := range names {
		if v, ok := it[name]; ok {
			part[name] = v
		}
	}
	return part
}

// wire returns the item as encoding/json decodes its JSON.
func (it readItem) wire() map[string]any {
	m := map[string]any{}
	for name, v := range it {
		m[name] = map[string]any{v[0]: v[1]}
	}
	return m
}

func (it readItem) json() string {
	text, err := json.Marshal(it.wire())
	if err != nil {
		panic(err)
	}
	return string(text)
}

// keys are the attributes of the source's key and of the table's.
func (s *readSource) keys() []string {
	return append(slices.Concat(s.hash, s.sort), "pk", "sk")
}

// holds reports whether the source holds an attribute.
func (s *readSource) holds(name string) bool {
	return s.all || slices.Contains(s.keys(), name) || slices.Contains(s.include, name)
}

// entry is the item as the source has it, nil if it has not.
func (s *readSource) entry(it readItem) readItem {
	for _, name := range s.keys() {
		if _, ok := it[name]; !ok {
			return nil
		}
	}
	if s.all {
		return it
	}
	return it.only(append(s.keys(), s.include...))
}

// compare orders entries of a partition.
func (s *readSource) compare(a, b readItem) int {
	for _, name := range append(slices.Clone(s.sort), "pk", "sk") {
		if c := compareReadValues(a[name], b[name]); c != 0 {
			return c
		}
	}
	return 0
}

// readTerm is a condition on one attribute, of a key or in a filter.
type readTerm struct {
	name, op string
	lo, hi   readValue
}

// text writes the term as an expression and adds its values.
func (k *readTerm) text(values map[string]any, prefix string) string {
	lo, hi := ":"+prefix+k.name, ":"+prefix+k.name+"2"
	values[lo] = map[string]any{k.lo[0]: k.lo[1]}
	switch k.op {
	case "BETWEEN":
		values[hi] = map[string]any{k.hi[0]: k.hi[1]}
		return k.name + " BETWEEN " + lo + " AND " + hi
	case "begins_with":
		return "begins_with(" + k.name + ", " + lo + ")"
	}
	return k.name + " " + k.op + " " + lo
}

var legacyOps = map[string]string{
	"=": "EQ", "<": "LT", "<=": "LE", ">": "GT", ">=": "GE", "BETWEEN": "BETWEEN",
	"begins_with": "BEGINS_WITH",
}

// legacy writes the term as an entry of KeyConditions, QueryFilter or ScanFilter.
func (k *readTerm) legacy() map[string]any {
	list := []any{map[string]any{k.lo[0]: k.lo[1]}}
	if k.op == "BETWEEN" {
		list = append(list, map[string]any{k.hi[0]: k.hi[1]})
	}
	return map[string]any{"ComparisonOperator": legacyOps[k.op], "AttributeValueList": list}
}

func (k *readTerm) matches(it readItem) bool {
	v, ok := it[k.name]
	if !ok {
		return false
	}
	c := compareReadValues(v, k.lo)
	switch k.op {
	case "=":
		return c == 0
	case "<":
		return c < 0
	case "<=":
		return c <= 0
	case ">":
		return c > 0
	case ">=":
		return c >= 0
	case "BETWEEN":
		return c >= 0 && compareReadValues(v, k.hi) <= 0
	}
	return strings.HasPrefix(v[1], k.lo[1])
}

// isLast reports whether nothing can follow the item among those of a table's
// partition that match the term, in the direction of the query.
func (k *readTerm) isLast(it readItem, reverse bool) bool {
	bound := k.lo
	switch {
	case k.op == "=":
		return true
	case k.op == "BETWEEN":
		if !reverse {
			bound = k.hi
		}
	case k.op == "<=" && !reverse, k.op == ">=" && reverse:
	default:
		return false
	}
	return compareReadValues(it[k.name], bound) == 0
}

func drawReadTerm(t *rapid.T, name string) readTerm {
	ops := []string{"=", "<", "<=", ">", ">=", "BETWEEN"}
	if readValues[name][0][0] == "S" {
		ops = append(ops, "begins_with")
	}
	k := readTerm{
		name: name, op: rapid.SampledFrom(ops).Draw(t, "operator"), lo: drawReadValue(t, name),
	}
	if k.op == "BETWEEN" {
		if k.hi = drawReadValue(t, name); compareReadValues(k.lo, k.hi) > 0 {
			k.lo, k.hi = k.hi, k.lo
		}
	}
	return k
}

// readRequest is a Query or Scan, without the start key.
type readRequest struct {
	source     *readSource
	scan       bool
	terms      []readTerm
	filter     []readTerm
	legacy     bool
	projection []string
	selected   string
	limit      int
	reverse    bool
	consistent bool
	segment    string
}

// drawKeyTerms draws conditions on the key: all of HASH, some of RANGE.
func drawKeyTerms(t *rapid.T, s *readSource, multi bool) []readTerm {
	var terms []readTerm
	for _, name := range s.hash {
		terms = append(terms, readTerm{name: name, op: "=", lo: drawReadValue(t, name)})
	}
	for i := range rapid.IntRange(0, len(s.sort)).Draw(t, "range terms") {
		term := drawReadTerm(t, s.sort[i])
		if multi && rapid.Bool().Draw(t, "equal") {
			term.op, term.hi = "=", readValue{}
		}
		if terms = append(terms, term); term.op != "=" {
			break
		}
	}
	return terms
}

func drawReadRequest(t *rapid.T) *readRequest {
	q := &readRequest{source: &readSources[rapid.IntRange(0, len(readSources)-1).Draw(t, "source")]}
	q.scan = rapid.IntRange(0, 3).Draw(t, "scan") == 0
	q.legacy = rapid.IntRange(0, 3).Draw(t, "legacy") == 0
	q.limit = max(0, rapid.IntRange(-2, 5).Draw(t, "limit"))
	q.consistent = rapid.Bool().Draw(t, "consistent") && q.source.kind != "GLOBAL"
	if !q.scan {
		q.terms = drawKeyTerms(t, q.source, q.source.name == "gmulti")
		q.reverse = rapid.Bool().Draw(t, "reverse")
	} else if n := rapid.IntRange(0, 3).Draw(t, "segments"); n > 0 {
		q.segment = fmt.Sprintf(`,"TotalSegments":%d,"Segment":%d`, n,
			rapid.IntRange(0, n-1).Draw(t, "segment"))
	}
	for _, name := range []string{"n", "v"} {
		if rapid.IntRange(0, 2).Draw(t, "filter "+name) == 0 {
			q.filter = append(q.filter, drawReadTerm(t, name))
		}
	}
	q.selected = rapid.SampledFrom(
		[]string{"", "", "", "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES", "COUNT",
			"SPECIFIC_ATTRIBUTES"}).Draw(t, "select")
	if q.selected == "SPECIFIC_ATTRIBUTES" || q.selected == "" && rapid.Bool().Draw(t, "project") {
		for _, name := range []string{"gh", "gr", "n", "pk", "v"} {
			if rapid.Bool().Draw(t, "project "+name) {
				q.projection = append(q.projection, name)
			}
		}
	}
	if q.selected == "SPECIFIC_ATTRIBUTES" && q.projection == nil ||
		q.selected == "ALL_PROJECTED_ATTRIBUTES" && q.source.kind == "" {
		q.selected = ""
	}
	return q
}

// body writes the request; start is ExclusiveStartKey.
func (q *readRequest) body(start any) string {
	m := map[string]any{
		"TableName": "reads", "ReturnConsumedCapacity": "INDEXES", "ConsistentRead": q.consistent,
	}
	if q.source.name != "" {
		m["IndexName"] = q.source.name
	}
	if q.selected != "" {
		m["Select"] = q.selected
	}
	if q.limit > 0 {
		m["Limit"] = q.limit
	}
	if q.reverse {
		m["ScanIndexForward"] = false
	}
	if start != nil {
		m["ExclusiveStartKey"] = start
	}
	if q.legacy && len(q.terms) <= 2 {
		q.legacyBody(m)
	} else {
		q.expressions(m)
	}
	text, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	return strings.TrimSuffix(string(text), "}") + q.segment + "}"
}

func (q *readRequest) legacyBody(m map[string]any) {
	conditions := func(terms []readTerm) map[string]any {
		c := map[string]any{}
		for i := range terms {
			c[terms[i].name] = terms[i].legacy()
		}
		return c
	}
	filter := "QueryFilter"
	if q.scan {
		filter = "ScanFilter"
	} else {
		m["KeyConditions"] = conditions(q.terms)
	}
	if q.filter != nil {
		m[filter] = conditions(q.filter)
	}
	if q.projection != nil {
		m["AttributesToGet"] = q.projection
	}
}

func (q *readRequest) expressions(m map[string]any) {
	values := map[string]any{}
	join := func(terms []readTerm, prefix string) string {
		var texts []string
		for i := range terms {
			texts = append(texts, terms[i].text(values, prefix))
		}
		return strings.Join(texts, " AND ")
	}
	if !q.scan {
		m["KeyConditionExpression"] = join(q.terms, "k")
	}
	if q.filter != nil {
		m["FilterExpression"] = join(q.filter, "f")
	}
	if q.projection != nil {
		m["ProjectionExpression"] = strings.Join(q.projection, ", ")
	}
	if len(values) > 0 {
		m["ExpressionAttributeValues"] = values
	}
}

// lacking returns those of the attributes that the source does not hold.
func (q *readRequest) lacking(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), q.source.holds)
}

func (q *readRequest) filtered() (names []string) {
	for i := range q.filter {
		names = append(names, q.filter[i].name)
	}
	return names
}

// fetches reports whether entries have to be completed from the table.
func (q *readRequest) fetches() bool {
	return q.selected == "ALL_ATTRIBUTES" && !q.source.all || len(q.lacking(q.projection)) > 0
}

// refusal is the error of asking a global index for what it does not hold, or of filtering what
// a query finds in any index by that.
func (q *readRequest) refusal() string {
	const prefix = "ValidationException: One or more parameter values were invalid: "
	filtered := q.lacking(q.filtered())
	slices.Reverse(filtered) // v, n: see hashSetOrder
	switch {
	case q.source.kind != "GLOBAL" || !q.fetches():
		if q.source.kind == "" || q.scan || len(filtered) == 0 {
			return ""
		}
	case q.selected == "ALL_ATTRIBUTES":
		return prefix + "Select type ALL_ATTRIBUTES is not supported for global secondary index " +
			q.source.name + " because its projection type is not ALL"
	case len(q.lacking(q.projection)) > 0:
		return prefix + "Global secondary index " + q.source.name + " does not project [" +
			strings.Join(q.lacking(q.projection), ", ") + "]"
	}
	return prefix + "Secondary index " + q.source.name +
		" does not project one or more filter attributes: [" + strings.Join(filtered, ", ") + "]"
}

// readAnswers has the answer of Query and Scan, as encoding/json decodes it.
type readAnswers struct {
	Items            []map[string]any
	Count            int
	ScannedCount     int
	LastEvaluatedKey map[string]any
	ConsumedCapacity map[string]any
}

// readModel is the table.
type readModel struct {
	*rapid.T
	call  *serve.Call
	items map[[2]string]readItem
	limit int // bytes of a page
}

func newReadModel(t *rapid.T) *readModel {
	m := &readModel{
		T: t, items: map[[2]string]readItem{},
		limit: rapid.SampledFrom([]int{1, 60, 10000, 20000, 1 << 20}).Draw(t, "page bytes"),
	}
	e := New()
	e.service.Limits.PageBytes = m.limit
	m.call = &serve.Call{
		Service: e.service, Data: e.service.NewAccountData(storage.New(storage.Options{})),
		Owner: arn.Owner{Account: "000000000000", Region: "us-east-1"}, AccessKey: "tester",
	}
	m.call.Store = m.call.Data.Store
	m.send("CreateTable", ofOnePartition(readTable))
	return m
}

// ofOnePartition returns the definition of a provisioned table: a table on demand has four
// partitions, and each rounds up by itself when a Scan asks it.
func ofOnePartition(table string) string {
	const units = `"ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1}`
	return strings.NewReplacer(`"BillingMode":"PAY_PER_REQUEST"`, units,
		`{"IndexName":"g`, `{`+units+`,"IndexName":"g`).Replace(table)
}

func (m *readModel) send(operation, body string) string {
	answer, err := serveOperation(m.call, operation, body, nil)
	require.NoError(m.T, err, "%s %s", operation, body)
	return string(answer)
}

func drawReadItem(t *rapid.T) readItem {
	it := readItem{"pk": drawReadValue(t, "pk"), "sk": drawReadValue(t, "sk")}
	for _, name := range slices.Sorted(maps.Keys(readValues)) {
		if it[name] == (readValue{}) {
			delete(it, name)
			if rapid.IntRange(0, 3).Draw(t, "has "+name) > 0 {
				it[name] = drawReadValue(t, name)
			}
		}
	}
	return it
}

// write puts, updates or deletes an item.
func (m *readModel) write() {
	it := drawReadItem(m.T)
	id := [2]string{it["pk"][1], it["sk"][1]}
	key := it.only([]string{"pk", "sk"})
	switch rapid.IntRange(0, 5).Draw(m.T, "write") {
	case 0:
		m.send("DeleteItem", `{"TableName":"reads","Key":`+key.json()+`}`)
		delete(m.items, id)
	case 1:
		v := drawReadValue(m.T, "gr")
		m.send("UpdateItem",
			`{"TableName":"reads","Key":`+key.json()+
				`,"UpdateExpression":"SET gr = :g REMOVE b","ExpressionAttributeValues":{":g":{"N":"`+v[1]+`"}}}`)
		updated := maps.Clone(m.items[id])
		if updated == nil {
			updated = key
		}
		updated["gr"] = v
		delete(updated, "b")
		m.items[id] = updated
	default:
		m.send("PutItem", `{"TableName":"reads","Item":`+it.json()+`}`)
		m.items[id] = it
	}
}

// entries are those that a query reads, all pages together, in order.
func (m *readModel) entries(q *readRequest) (list []readItem) {
	for _, it := range m.items {
		e := q.source.entry(it)
		if e == nil ||
			slices.ContainsFunc(q.terms, func(k readTerm) bool { return !k.matches(it) }) {
			continue
		}
		list = append(list, e)
	}
	slices.SortFunc(list, q.source.compare)
	if q.reverse {
		slices.Reverse(list)
	}
	return list
}

// page cuts a page off the entries and reports whether it ended at a limit.
func (m *readModel) page(q *readRequest, entries []readItem) (page []readItem, more bool) {
	const block = 4096
	bytes, fetched := 0, 0
	for i, e := range entries {
		bytes += e.size()
		total := bytes
		if q.fetches() {
			fetched += (m.whole(e).size() + block - 1) / block * block
			total = (bytes+block-1)/block*block + fetched
		}
		if i+1 == q.limit || total > m.limit {
			return entries[:i+1], true
		}
	}
	return entries, false
}

// whole is the item of an entry.
func (m *readModel) whole(entry readItem) readItem {
	return m.items[[2]string{entry["pk"][1], entry["sk"][1]}]
}

// isLast reports whether the query cannot go on after an entry.
func (q *readRequest) isLast(e readItem) bool {
	return q.source.name == "" && len(q.terms) == 2 && q.terms[1].isLast(e, q.reverse)
}

// answer returns the right answer for a page of entries that was read.
func (m *readModel) answer(q *readRequest, page []readItem) readAnswers {
	a := readAnswers{ScannedCount: len(page)}
	if q.selected != "COUNT" {
		a.Items = []map[string]any{}
	}
	for _, e := range page {
		whole := m.whole(e)
		if slices.ContainsFunc(q.filter, func(k readTerm) bool { return !k.matches(e) }) {
			continue
		}
		a.Count++
		switch {
		case q.selected == "COUNT":
		case q.projection != nil:
			a.Items = append(a.Items, whole.only(q.projection).wire())
		case q.selected == "ALL_ATTRIBUTES":
			a.Items = append(a.Items, whole.wire())
		default:
			a.Items = append(a.Items, e.wire())
		}
	}
	a.ConsumedCapacity = m.capacity(q, page)
	return a
}

// capacity is the price of a page.
func (m *readModel) capacity(q *readRequest, page []readItem) map[string]any {
	units := func(bytes int) float64 {
		n := float64(max(1, (bytes+4095)/4096))
		if q.consistent {
			return n
		}
		return n / 2
	}
	bytes, fetched := 0, 0.0
	for _, e := range page {
		bytes += e.size()
		if q.fetches() {
			fetched += units(m.whole(e).size())
		}
	}
	answer := map[string]any{"TableName": "reads", "CapacityUnits": units(bytes) + fetched}
	table := fetched
	switch q.source.kind {
	case "":
		table = units(bytes)
	case "LOCAL":
		answer["LocalSecondaryIndexes"] = map[string]any{
			q.source.name: map[string]any{"CapacityUnits": units(bytes)},
		}
	case "GLOBAL":
		answer["GlobalSecondaryIndexes"] = map[string]any{
			q.source.name: map[string]any{"CapacityUnits": units(bytes)},
		}
	}
	answer["Table"] = map[string]any{"CapacityUnits": table}
	return answer
}

// read sends one request for a page.
func (m *readModel) read(q *readRequest, start any) (readAnswers, string) {
	operation := "Query"
	if q.scan {
		operation = "Scan"
	}
	text, err := serveOperation(m.call, operation, q.body(start), nil)
	var a readAnswers
	var refused *apierr.Error
	if errors.As(err, &refused) {
		return a, refused.Type.Name + ": " + refused.Message
	}
	require.NoError(m.T, err)
	require.NoError(m.T, json.Unmarshal(text, &a), string(text))
	return a, ""
}

// pages compares all pages of a query or scan of entries.
func (m *readModel) pages(q *readRequest, entries []readItem) {
	var start any
	for {
		page, more := m.page(q, entries)
		entries = entries[len(page):]
		want := m.answer(q, page)
		if more && !q.isLast(page[len(page)-1]) {
			want.LastEvaluatedKey = page[len(page)-1].only(q.source.keys()).wire()
		}
		got, refused := m.read(q, start)
		require.Equal(m.T, q.refusal(), refused)
		if refused != "" {
			return
		}
		require.Equal(m.T, want, got, "%s", q.body(start))
		if want.LastEvaluatedKey == nil {
			require.Empty(m.T, entries)
			return
		}
		start = want.LastEvaluatedKey
	}
}

// scan compares all pages of a scan. The order of partitions is not the model's
// to know: what a page has to answer follows from what a scan finds that asks for
// whatever the source holds.
func (m *readModel) scan(q *readRequest) {
	entries := m.scanned(q)
	if q.segment == "" {
		require.Len(m.T, entries, len(m.entries(q)))
	}
	seen := map[string]bool{}
	for _, e := range entries {
		require.False(m.T, seen[e.json()], "an item came twice")
		seen[e.json()] = true
	}
	m.pages(q, entries)
}

// scanned is all that a scan reads, in its order.
func (m *readModel) scanned(q *readRequest) (entries []readItem) {
	plain := &readRequest{source: q.source, scan: true, segment: q.segment}
	var start any
	for {
		a, refused := m.read(plain, start)
		require.Empty(m.T, refused)
		for _, it := range a.Items {
			id := [2]string{it["pk"].(map[string]any)["S"].(string),
				it["sk"].(map[string]any)["N"].(string)}
			e := q.source.entry(m.items[id])
			require.Equal(m.T, e.wire(), it)
			entries = append(entries, e)
		}
		if a.LastEvaluatedKey == nil {
			return entries
		}
		start = a.LastEvaluatedKey
	}
}

// segments checks that the segments of a scan together read everything once.
func (m *readModel) segments() {
	s := &readSources[rapid.IntRange(0, len(readSources)-1).Draw(m.T, "source")]
	total := rapid.IntRange(1, 9).Draw(m.T, "segments")
	n := 0
	for i := range total {
		q := &readRequest{
			source: s, scan: true,
			segment: fmt.Sprintf(`,"TotalSegments":%d,"Segment":%d`, total, i),
		}
		n += len(m.scanned(q))
	}
	require.Len(m.T, m.entries(&readRequest{source: s}), n)
}

func TestReadsAgainstModel(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m := newReadModel(rt)
		for range rapid.IntRange(0, 30).Draw(rt, "writes") {
			m.write()
		}
		for range 12 {
			if q := drawReadRequest(rt); q.scan {
				m.scan(q)
			} else {
				m.pages(q, m.entries(q))
			}
		}
		m.segments()
	})
}
