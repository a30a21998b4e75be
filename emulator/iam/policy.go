package iam

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Policy is a policy document. It never changes.
type Policy struct {
	Name       string // "" for a resource-based policy
	source     json.RawMessage
	version    string // "": none
	variables  bool   // values may have policy variables
	statements []statement
}

// statement is an element of a policy's Statement.
type statement struct {
	sid           string
	allow         bool
	principals    []principalPattern // nil in identity-based policies
	notPrincipals bool
	named         []string // actions, as they are written
	actions       []glob
	notActions    bool
	resources     []string
	notResources  bool
	conditions    []condition
}

// Versions of the policy language (IAM User Guide, "IAM JSON policy elements: Version").
const (
	version2008 = "2008-10-17" // the default, which has no variables
	version2012 = "2012-10-17"
)

// Errors of policy documents. The texts are the service's and IAM's, where they are on record
// (ack-api-quirks, DDB-TABLE-211, 356 and 457).
var (
	errJSON        = errors.New("This policy contains invalid Json")
	errEmpty       = errors.New("Could not parse the policy: Statement is empty!")
	errSyntax      = errors.New("Syntax errors in policy.")
	errNoPolicy    = errors.New("This text appears not to be a policy")
	errVersion     = errors.New("Policy document must be version 2012-10-17 or greater.")
	errSids        = errors.New("The Statement Ids in the policy are not unique")
	errNoEffect    = errors.New("Missing required field Effect")
	errNoActions   = errors.New("Missing required field Action")
	errNoResources = errors.New("Missing required field Resource")
	errNoPrincipal = errors.New("Missing required field Principal")
	errPrincipal   = errors.New("Policy document should not specify a principal.")
)

// ErrInvalidPrincipal is the error of a principal that cannot exist.
var ErrInvalidPrincipal = errors.New("Invalid principal in policy document.")

// document is a policy as JSON.
type document struct {
	Version   *string
	ID        string `json:"Id"`
	Statement listOf[statementRecord]
}

// statementRecord is a statement as JSON.
type statementRecord struct {
	Sid          string
	Effect       string
	Principal    json.RawMessage
	NotPrincipal json.RawMessage
	Action       listOf[string]
	NotAction    listOf[string]
	Resource     listOf[string]
	NotResource  listOf[string]
	Condition    map[string]map[string]listOf[conditionValue]
}

// listOf is a JSON list whose only element may stand without brackets.
type listOf[T any] []T

func (l *listOf[T]) UnmarshalJSON(text []byte) error {
	if text[0] == '[' {
		return strictly(text, (*[]T)(l))
	}
	*l = make(listOf[T], 1)
	return strictly(text, &(*l)[0])
}

// strictly decodes a JSON value, all of whose members must be known. Nulls are errors.
func strictly(text []byte, to any) error {
	if string(text) == "null" {
		return errSyntax
	}
	return decodeStrictly(text, to)
}

// conditionValue is a string, or a number or boolean that stands for its text.
type conditionValue string

func (v *conditionValue) UnmarshalJSON(text []byte) error {
	switch text[0] {
	case '"':
		return json.Unmarshal(text, (*string)(v))
	case '{', '[', 'n':
		return errSyntax
	}
	*v = conditionValue(text)
	return nil
}

// parseDocument parses a policy. Principals are required in resource-based policies, and refused in
// others.
func parseDocument(name string, text []byte, ofResource bool) (*Policy, error) {
	switch bare := bytes.TrimSpace(text); {
	case !json.Valid(text), bare[0] == '[':
		return nil, errJSON
	case string(bare) == "null":
		return nil, errNoPolicy
	case string(bare) == "{}":
		return nil, errSyntaxAt(text)
	}
	var d document
	if err := decodeStrictly(text, &d); err != nil || !wellNamed(text) {
		return nil, errSyntax
	}
	if len(d.Statement) == 0 {
		return nil, errEmpty
	}
	p := &Policy{Name: name, source: bytes.Clone(text)}
	if d.Version != nil {
		p.version = *d.Version
		p.variables = p.version == version2012
		if !p.variables && p.version != version2008 {
			return nil, errVersion
		}
	}
	sids := map[string]bool{}
	for i := range d.Statement {
		s, err := d.Statement[i].statement(ofResource)
		if err == nil && s.sid != "" && sids[s.sid] {
			err = errSids
		}
		if errors.Is(err, errNoObject) {
			err = syntaxErrorAt(text, principalEnd(text, i))
		}
		if err != nil {
			return nil, &statementError{i, err}
		}
		sids[s.sid] = true
		p.statements = append(p.statements, s)
	}
	return p, nil
}

// errSyntaxAt is the error of an object that ends where a member should be: its row and column
// count from 1.
func errSyntaxAt(text []byte) error {
	return syntaxErrorAt(text, len(bytes.TrimRight(text, " \t\r\n")))
}

// errNoObject stands for the syntax error of a principal that is a text other than *. The service
// says where it is (ack-api-quirks, DDB-TABLE-356).
var errNoObject = errors.New("the principal is no object")

// syntaxErrorAt is a syntax error that shows when the first bytes of a document are read.
func syntaxErrorAt(text []byte, read int) error {
	before := text[:read]
	return fmt.Errorf("Syntax error at position (%d,%d)", 1+bytes.Count(before, []byte("\n")),
		read-bytes.LastIndexByte(before, '\n'))
}

// principalEnd returns where the principal of a statement ends in a well-formed document.
func principalEnd(text []byte, statement int) int {
	d := json.NewDecoder(bytes.NewReader(text))
	enter(d, "Statement")
	if rest := bytes.TrimLeft(text[d.InputOffset():], ": \t\r\n"); rest[0] == '[' {
		d.Token()
		for range statement {
			d.Decode(new(json.RawMessage))
		}
	}
	if !enter(d, "Principal") {
		return 0
	}
	d.Decode(new(json.RawMessage))
	return int(d.InputOffset())
}

// enter reads the next object up to the value of a member.
func enter(d *json.Decoder, member string) bool {
	for d.Token(); d.More(); d.Decode(new(json.RawMessage)) {
		if name, _ := d.Token(); name == member {
			return true
		}
	}
	return false
}

// statementError is an error in a statement, with the text that the service has for it.
type statementError struct {
	statement int // its number, from 0
	error
}

func (e *statementError) Unwrap() error { return e.error }

// ParseIdentityPolicy parses a policy of a principal, which has a name.
func ParseIdentityPolicy(name string, text []byte) (*Policy, error) {
	return parseDocument(name, text, false)
}

// ParseResourcePolicy parses a resource-based policy.
func ParseResourcePolicy(text string) (*Policy, error) {
	return parseDocument("", []byte(text), true)
}

// colonsOfARN is how many colons part the fields of an ARN at least. An ARN with fewer in an
// identity-based policy has any values in its missing fields (IAM User Guide, "Amazon Resource
// Names (ARNs)").
const colonsOfARN = 5

var sidForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z0-9]*$`)
})

func (r *statementRecord) statement(ofResource bool) (s statement, err error) {
	s.sid, s.allow = r.Sid, strings.EqualFold(r.Effect, "Allow")
	if r.Effect == "" {
		return s, errNoEffect
	}
	if !s.allow && !strings.EqualFold(r.Effect, "Deny") || !ofResource &&
		!sidForm().MatchString(r.Sid) {
		return s, errSyntax
	}
	if err := s.setPrincipals(r, ofResource); err != nil {
		return s, err
	}
	actions, not, err := either(r.Action, r.NotAction, errNoActions)
	if err != nil {
		return s, err
	}
	s.named, s.notActions = actions, not
	for _, a := range actions {
		if a != "*" && !strings.Contains(a, ":") {
			return s, errors.New(
				"Actions/Conditions must be prefaced by a vendor, e.g., iam, sdb, ec2, etc.")
		}
		s.actions = append(s.actions, newGlob(strings.ToLower(a)))
	}
	if s.resources, s.notResources, err = either(r.Resource, r.NotResource,
		errNoResources); err != nil {
		return s, err
	}
	for _, resource := range s.resources {
		if resource != "*" && !strings.HasPrefix(resource, "arn:") {
			return s, fmt.Errorf("Resource %s must be in ARN format or \"*\".", resource)
		}
		if !ofResource && resource != "*" && strings.Count(resource, ":") < colonsOfARN {
			s.resources = append(s.resources, resource+":*")
		}
	}
	s.conditions, err = newConditions(r.Condition)
	return s, err
}

// setPrincipals sets the principals of a statement.
func (s *statement) setPrincipals(r *statementRecord, ofResource bool) (err error) {
	given := r.Principal
	if r.NotPrincipal != nil {
		given, s.notPrincipals = r.NotPrincipal, true
	}
	switch {
	case r.Principal != nil && r.NotPrincipal != nil:
		return errSyntax
	case !ofResource && given != nil:
		return errPrincipal
	case ofResource && given == nil:
		return errNoPrincipal
	case ofResource:
		s.principals, err = parsePrincipals(given)
	}
	return err
}

// either returns the one of an element and its Not form that is given. Both, neither, and a list
// without elements are errors.
func either(of, not []string, none error) (list []string, isNot bool, err error) {
	switch {
	case of != nil && not != nil:
		return nil, false, errSyntax
	case len(of) > 0:
		return of, false, nil
	case len(not) > 0:
		return not, true, nil
	}
	return nil, false, none
}

// newConditions parses a Condition. The order of the result does not depend on that of the JSON.
func newConditions(record map[string]map[string]listOf[conditionValue]) (all []condition,
	err error) {
	for _, operator := range slices.Sorted(maps.Keys(record)) {
		for _, key := range slices.Sorted(maps.Keys(record[operator])) {
			c, err := newCondition(operator, key, record[operator][key])
			if err != nil {
				return nil, err
			}
			all = append(all, c)
		}
	}
	return all, nil
}

// Actions returns the actions that the statements name, those of NotAction included, as they are
// written.
func (p *Policy) Actions() (actions []string) {
	for i := range p.statements {
		actions = append(actions, p.statements[i].named...)
	}
	return actions
}

// Resources returns the resources that the statements name, those of NotResource included.
func (p *Policy) Resources() (resources []string) {
	for i := range p.statements {
		resources = append(resources, p.statements[i].resources...)
	}
	return resources
}

// MatchesAction reports whether an action, such as dynamodb:Get*, names another one.
func MatchesAction(pattern, action string) bool {
	return newGlob(strings.ToLower(pattern)).matches(strings.ToLower(action))
}
