package conventions

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Answers holds answers to questions of the decision tree, by the question's ID.
type Answers map[string]string

// Recommendation is the pattern that a set of answers leads to.
type Recommendation struct {
	Pattern PatternKind
	Title   string
	PK, SK  string // the structure of the keys
	Keys    []Keys // the keys of the guide's examples
	Passage string // the passage of the guide that describes the pattern
	Advice  string // what the decision tree advises in addition, if anything
}

// UnansweredError reports a question of the tree without a valid answer: Answer is empty or not one
// of the options.
type UnansweredError struct {
	Question *Question
	Answer   string
}

func (e *UnansweredError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "conventions: the question %q ", e.Question.ID)
	if e.Answer == "" {
		b.WriteString("needs an answer")
	} else {
		fmt.Fprintf(&b, "has no answer %.100q", e.Answer)
	}
	fmt.Fprintf(&b, ". %s", e.Question.Text)
	for _, o := range e.Question.Options {
		fmt.Fprintf(&b, "\n  %s: %s", o.Answer, o.Text)
	}
	return b.String()
}

// Recommend walks the decision tree. It returns an UnansweredError if a question on its way has no
// answer, and an error if there is an answer to a question that is not on its way.
func Recommend(answers Answers) (Recommendation, error) {
	left := maps.Clone(answers)
	question := DecisionTree()
	for {
		answer := left[question.ID]
		i := slices.IndexFunc(question.Options, func(o Option) bool { return o.Answer == answer })
		if i < 0 {
			return Recommendation{}, &UnansweredError{Question: question, Answer: answer}
		}
		delete(left, question.ID)
		option := question.Options[i]
		if option.Next == nil {
			return leaf(option, left)
		}
		question = option.Next
	}
}

// leaf returns the recommendation of an option at a leaf. left holds the answers to questions that
// were not on the way.
func leaf(option Option, left Answers) (Recommendation, error) {
	if unasked := slices.Sorted(maps.Keys(left)); len(unasked) > 0 {
		return Recommendation{}, fmt.Errorf(
			"conventions: the answer to %.100q does not matter here: leave it out", unasked[0])
	}
	r, err := Describe(option.Pattern)
	r.Advice = option.Advice
	return r, err
}

// Describe returns the recommendation of a pattern, without advice.
func Describe(kind PatternKind) (Recommendation, error) {
	rows := DecisionMatrix()
	i := slices.IndexFunc(rows, func(r Requirement) bool { return r.Pattern == kind })
	if i < 0 {
		return Recommendation{}, fmt.Errorf("conventions: no pattern is called %.100q",
			string(kind))
	}
	r := Recommendation{Pattern: kind, PK: rows[i].PK, SK: rows[i].SK}
	switch kind {
	case KindSimple:
		r.Title, r.Passage = "simple entity", "Pattern 1: simple entity"
	case KindHierarchical:
		r.Title, r.Passage = "hierarchy (shared partition key)", "Pattern 2: hierarchical entities"
	case KindVariant:
		r.Title, r.Passage =
			"composite sort key", "Pattern 3: users with several authentication providers"
	case KindTenantAssociation:
		r.Title, r.Passage = "common tenant", "Pattern 4: multi-tenant association"
	case KindMasterData:
		r.Title, r.Passage = "master data", "Pattern 5: master data with categories"
	case KindTimeSeries:
		r.Title, r.Passage = "time series", "Pattern 6: time series data"
	}
	r.Passage = `Key design patterns, "` + r.Passage + `"`
	var err error
	r.Keys, err = exampleKeys(kind)
	return r, err
}

// String returns the recommendation as lines of text.
func (r Recommendation) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Pattern: %s (%s)\n", r.Title, r.Pattern)
	fmt.Fprintf(&b, "PK:      %s\n", r.PK)
	fmt.Fprintf(&b, "SK:      %s\n", r.SK)
	if r.Advice != "" {
		fmt.Fprintf(&b, "Advice:  %s\n", r.Advice)
	}
	fmt.Fprintf(&b, "See:     %s\n\nExamples:\n", r.Passage)
	for _, k := range r.Keys {
		fmt.Fprintf(&b, "  PK %s\n  SK %s\n  ID %s\n", k.PK, k.SK, k.ID)
	}
	return b.String()
}

// exampleKeys builds the keys of the guide's examples for a pattern.
func exampleKeys(kind PatternKind) ([]Keys, error) {
	const tenant, id = "tenant001", "01HX7MBJK3V9WQBZ7XNDK5ZT2M"
	at := time.Date(2024, time.January, 15, 10, 30, 0, 0, time.UTC)
	var (
		orders = Hierarchical{Prefix: "ORDER", Children: []string{"ORDER_ITEM"}}
		users  = Variant{Prefix: "USER", Variants: []string{"local", "sso"}}
		shared = TenantAssociation{Prefix: "USER_TENANT"}
		logs   = TimeSeries{Prefix: "LOG", Seconds: true}
	)
	var b exampleBuilder
	switch kind {
	case KindSimple:
		b.add(Simple{Prefix: "PRODUCT"}.Build(tenant, id))
	case KindHierarchical:
		b.add(orders.BuildParent(tenant, id))
		b.add(orders.BuildChild(tenant, "ORDER_ITEM", id, "001"))
		b.add(orders.BuildChild(tenant, "ORDER_ITEM", id, "002"))
	case KindVariant:
		b.add(users.Build(TenantCommon, "local", "user123"))
		b.add(users.Build(TenantCommon, "sso", "abc123def456"))
	case KindTenantAssociation:
		b.add(shared.Build(tenant, "user123"))
		b.add(shared.Build("tenant002", "user123"))
	case KindMasterData:
		b.add(MasterData{}.Build(tenant, MasterSetting, "notification", "email_template"))
		b.add(MasterData{}.Build(tenant, MasterItem, "product_category", "electronics"))
	case KindTimeSeries:
		b.add(logs.Build(tenant, at, "evt001"))
		b.add(logs.Build(tenant, at.Add(time.Minute), "evt002"))
	}
	return b.keys, b.err
}

// exampleBuilder collects keys. After the first error it keeps that error.
type exampleBuilder struct {
	keys []Keys
	err  error
}

func (b *exampleBuilder) add(k Keys, err error) {
	if b.err == nil {
		b.keys, b.err = append(b.keys, k), err
	}
}
