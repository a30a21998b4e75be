package items

import (
	"slices"
	"strconv"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/enforce"
	"github.com/kugiri-db/kugiri/emulator/internal/faults"
	"github.com/kugiri-db/kugiri/emulator/internal/judgement"
	"github.com/kugiri-db/kugiri/emulator/internal/metering"
	"github.com/kugiri-db/kugiri/emulator/internal/observe"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/expr"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// Developer Guide, "Quotas in Amazon DynamoDB", "Vector indexes".
const (
	maxTopK        = 100
	maxSearchBytes = 16 << 20
)

// SearchMembers are the members of a search for its strict reader.
var SearchMembers = []serve.Member{
	{Name: "TableName", Is: serve.IsString, Required: true},
	{Name: "IndexName", Is: serve.IsString, Required: true},
	{Name: "ReturnConsumedCapacity", Is: serve.IsString},
	{Name: "ExpressionAttributeNames", Is: serve.IsMap},
	{Name: "ExpressionAttributeValues", Is: serve.IsMap, Values: true},
	{Name: "ProjectionExpression", Is: serve.IsString},
	{Name: "SearchVector", Is: serve.IsSequence, Required: true, Values: true},
	{Name: "SearchConditionExpression", Is: serve.IsString},
	{Name: "TopK", Is: serve.IsInteger, Required: true},
}

func SearchVectors(c *serve.Call, in *api.SearchVectorsInput) (*api.SearchVectorsOutput, error) {
	s, err := newVectorSearch(c, in)
	if err != nil {
		return nil, err
	}
	if err := c.Store.View(func(tx *storage.Tx) error { return s.run(c, tx) }); err != nil {
		return nil, err
	}
	out := &api.SearchVectorsOutput{SearchResults: make([]api.SearchResultItem, len(s.matches))}
	bytes := 0
	for i := range s.matches {
		it := s.shown(&s.matches[i])
		bytes += it.Size()
		out.SearchResults[i] = api.SearchResultItem{Item: s.json(it), Score: &s.matches[i].Score}
	}
	if bytes > maxSearchBytes {
		return nil, errSearchSize
	}
	used := metering.SearchBytes(s.index.Dimensions, s.query.K, s.among, bytes)
	searched(c, s, used)
	if r := in.ReturnConsumedCapacity; r != nil && *r != "NONE" {
		out.ConsumedCapacity = &api.VectorCapacity{
			VectorSearchRequestBytes: &used, VectorSearchUnits: &used,
		}
	}
	return out, nil
}

var errSearchSize = apierr.Invalid(
	"The response of SearchVectors has exceeded the maximum size of %d bytes. "+
		"Use a smaller TopK, or project fewer attributes", maxSearchBytes)

func SearchVectorsTargets(in *api.SearchVectorsInput, ts *serve.Targets) {
	t := serve.Target{
		Table: arn.TableCalled(in.TableName), Index: string(api.Deref(in.IndexName)),
		Eventual: true,
	}
	if !ts.NamesOnly() {
		t.Known = searchKey(in)
	}
	ts.Add(t)
}

// searchKey returns the attributes that the condition of a search compares.
func searchKey(in *api.SearchVectorsInput) item.Item {
	if in.SearchConditionExpression == nil {
		return ""
	}
	var scope expr.Scope
	if openScope(&scope, in.ExpressionAttributeNames, in.ExpressionAttributeValues) != nil {
		return ""
	}
	terms, _ := scope.SearchCondition(*in.SearchConditionExpression)
	return serve.ItemOf(equalTerms(terms))
}

// equalTerms returns the attributes of terms that compare for equality.
func equalTerms(terms []expr.KeyTerm) (equal []item.Attribute) {
	for i := range terms {
		equal = append(equal, item.Attribute{Name: terms[i].Name, Value: terms[i].Value})
	}
	return equal
}

// vectorSearch is a SearchVectors in progress.
type vectorSearch struct {
	table      string // the name, not the ARN
	indexName  string
	terms      []expr.KeyTerm
	projection *expr.Projection // nil: all projected attributes but the vector
	query      storage.VectorQuery

	source  *storage.Table
	index   *storage.VectorIndex
	reading enforce.Reading
	matches []storage.VectorMatch
	among   int // the entries that the nearest were chosen from
}

// newVectorSearch applies the rules that need no table.
func newVectorSearch(c *serve.Call, in *api.SearchVectorsInput) (*vectorSearch, error) {
	s := &vectorSearch{
		indexName: string(*in.IndexName), query: storage.VectorQuery{K: int(*in.TopK)},
	}
	var err error
	if s.table, err = c.TableName(*in.TableName); err != nil {
		return nil, err
	}
	return s, orderOfSearch.Judge(searchRequest{s, in})
}

// searchRequest is a SearchVectors, and what it becomes.
type searchRequest struct {
	*vectorSearch
	in *api.SearchVectorsInput
}

// orderOfSearch orders the checks of SearchVectors that need no table.
var orderOfSearch = serve.ByLayers("SearchVectors",
	serve.Step("TopK", "V.4.2", func(r searchRequest) error {
		if r.query.K > maxTopK {
			return apierr.Invalid(
				"Provided TopK value '%d' is out of valid range. The value must be between 1 and %d inclusive", r.query.K, maxTopK)
		}
		return nil
	}).Of(judgement.Members),
	serve.Step("the vector", "F.73", func(r searchRequest) (err error) {
		r.query.Vector, err = searchVector(r.in.SearchVector)
		return err
	}).Of(judgement.Items),
	serve.Step("values of expressions", "F.73", func(r searchRequest) error {
		return checkSearchValues(r.in.ExpressionAttributeValues)
	}).Of(judgement.Values),
	serve.Step("parameters that do not go together", "F.73", func(r searchRequest) error {
		params := searchParameters(r.in)
		return params.Check()
	}).Of(judgement.Joins),
	serve.Step("the condition and the projection", "", func(r searchRequest) error {
		return r.parse(r.in)
	}).Of(judgement.Expressions),
)

// searchParameters says which parameters a search has.
func searchParameters(in *api.SearchVectorsInput) expressionParams {
	return expressionParams{
		valueless:  []Parameter{{"ProjectionExpression", in.ProjectionExpression != nil}},
		WithValues: []Parameter{{"SearchConditionExpression", in.SearchConditionExpression != nil}},
		names:      in.ExpressionAttributeNames != nil,
		values:     Given(in.ExpressionAttributeValues),
	}
}

// checkSearchValues judges values before it is asked what they are for (service facts F.73). The
// strict reader has seen that each has one type: a type that the model has not is no other.
func checkSearchValues(values item.Attributes) error {
	switch {
	case values.Invalid == nil:
		return nil
	case values.Invalid.Fault == item.NoDatatype:
		return apierr.InvalidParameter("This type mapping is not supported")
	}
	return &apierr.ParameterError{About: apierr.AboutExpressionValue, Value: values.Invalid}
}

// parse reads the expressions.
func (s *vectorSearch) parse(in *api.SearchVectorsInput) (err error) {
	if in.ProjectionExpression == nil && in.SearchConditionExpression == nil {
		return nil
	}
	var scope expr.Scope
	if err := openScope(&scope, in.ExpressionAttributeNames,
		in.ExpressionAttributeValues); err != nil {
		return err
	}
	if in.SearchConditionExpression != nil {
		if s.terms, err = scope.SearchCondition(*in.SearchConditionExpression); err != nil {
			return apierr.InvalidParameter(err.Error())
		}
	}
	if in.ProjectionExpression != nil {
		if s.projection, err = scope.Projection(*in.ProjectionExpression); err != nil {
			return apierr.InvalidParameter(err.Error())
		}
	}
	return checkUnused(&scope)
}

// searchVector returns the vector of a request.
func searchVector(list api.SearchVectorList) ([]float32, error) {
	vector := make([]float32, len(list))
	for i := range list {
		v := &list[i]
		if v.Invalid != nil || v.Value.Type() != item.N {
			return nil, errSearchVector
		}
		f, err := strconv.ParseFloat(v.Value.Num(), 32)
		if err != nil {
			return nil, errSearchVector
		}
		vector[i] = float32(f)
	}
	return vector, nil
}

// errSearchVector is the error of any element that is no number of 32 bits (service facts V.4.3).
var errSearchVector = apierr.Invalid("Search vector contains invalid values. " +
	"All values in the search vector must be a 32-bit floating-point number attribute")

// run checks the search against its table and searches.
func (s *vectorSearch) run(c *serve.Call, tx *storage.Tx) (err error) {
	if s.source, err = c.ActiveTable(tx, s.table); err != nil {
		return err
	}
	if s.index, err = c.ActiveVector(tx, s.source, s.indexName); err != nil {
		return err
	}
	if got, want := len(s.query.Vector), s.index.Dimensions; got != want {
		return apierr.Invalid(
			"Input search vector dimension %d does not match vector index dimension %d", got, want)
	}
	if err := s.conditions(); err != nil {
		return err
	}
	s.reading, err = c.Policy.Search(s.source.Name, s.index.Name, s.terms)
	if err != nil {
		return err
	}
	s.query.Vectors = s.wants(s.index.Attribute)
	if c.Faults != nil {
		s.index = c.Faults.Lagging.Of(c.Operation.Name, c.Now(), tx, s.source,
			0).VectorIndex(s.indexName)
	}
	s.query.Stop = func() bool { return c.Gone(0) != nil }
	s.search(c, tx)
	return c.Gone(0)
}

// search finds the nearest entries or, if a fault says so, only a part of them.
func (s *vectorSearch) search(c *serve.Call, tx *storage.Tx) {
	if c.Faults == nil || c.Faults.Recall == nil {
		s.matches, s.among = s.reading.Nearest(tx, s.source, s.index, s.query)
		return
	}
	more := s.query
	more.K += faults.MissedBy(c.Faults.Recall, more.K)
	s.matches, s.among = s.reading.Nearest(tx, s.source, s.index, more)
	s.matches = faults.Approximate(c.Faults.Recall, s.matches, s.query.K)
}

// conditions checks the terms of the condition against the search schema, and makes the query of
// them.
func (s *vectorSearch) conditions() error {
	if len(s.index.Hash) > 0 && s.terms == nil {
		return apierr.Invalid(
			"SearchConditionExpression must be provided when SearchSchema has a HASH key")
	}
	for i := range s.terms {
		if err := s.checkTerm(&s.terms[i]); err != nil {
			return err
		}
	}
	all := item.New(equalTerms(s.terms)...)
	for _, a := range s.index.Hash {
		switch v := all.Get(a.Name); {
		case v == "":
			return apierr.Invalid(
				"Invalid SearchConditionExpression: SearchConditionExpression must have a condition on the HASH key of SearchSchema: %s", a.Name)
		case v.Size() == 0:
			return apierr.Invalid("One or more parameter values are not valid. "+
				"The AttributeValue for a key attribute cannot contain an empty %s value. Key: %s",
				emptyKinds[a.Type], a.Name)
		}
	}
	s.query.Partition, s.query.Equal = all, all
	return nil
}

// emptyKinds are the words for the types of keys that can be empty.
var emptyKinds = map[item.Type]string{item.S: "string", item.B: "binary"}

// checkTerm checks that a condition is on an attribute of the search schema, and of its type
// (service facts V.4.4).
func (s *vectorSearch) checkTerm(t *expr.KeyTerm) error {
	for _, list := range [...][]storage.KeyAttribute{s.index.Hash, s.index.Filters} {
		for _, a := range list {
			switch {
			case a.Name != t.Name:
			case a.Type != t.Value.Type():
				return apierr.Invalid(
					"Type of '%s' attribute in SearchConditionExpression (%s) does not match type in search schema (%s)", a.Name, t.Value.Type(), a.Type)
			default:
				return nil
			}
		}
	}
	return apierr.Invalid(
		"SearchConditionExpression must not contain any attributes that is not in SearchSchema. Invalid attribute: %s", t.Name)
}

// wants reports whether the projection names an attribute.
func (s *vectorSearch) wants(attribute string) bool {
	return s.projection != nil && slices.Contains(s.projection.Attributes(), attribute)
}

// shown returns the attributes of a match that the projection may show. An attribute that the index
// does not have is left out without an error. The vector is shown with the precision of the index.
func (s *vectorSearch) shown(m *storage.VectorMatch) item.Item {
	if s.projection == nil {
		return m.Item
	}
	it := m.Item
	if m.Vector != nil {
		it = it.With(item.Attribute{Name: s.index.Attribute, Value: item.ShownFloats(m.Vector)})
	}
	return it.Only(s.projection.Attributes()...)
}

func (s *vectorSearch) json(it item.Item) item.JSON {
	if s.projection == nil {
		return it.JSON()
	}
	return item.JSON(s.projection.AppendJSON(nil, it))
}

// searched tells observers of a search and of the bytes that it is charged.
func searched(c *serve.Call, s *vectorSearch, bytes float64) {
	if c.Event == nil {
		return
	}
	read := observe.EventRead{
		Table: s.source.Name, Index: s.index.Name, Limit: s.query.K, Evaluated: s.among,
		Returned: len(s.matches),
	}
	var filtered []string
	for _, a := range s.index.Filters {
		if s.query.Equal.Get(a.Name) != "" {
			read.Filtered, filtered = true, append(filtered, a.Name)
		}
	}
	c.Event.AddSearch(read, s.index.Hash, s.terms, filtered, bytes)
}
