package iam

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/kugiri-db/kugiri/storage/rapidseed" // fixes the seed
)

// Parts of random policies and requests. They meet often.
var (
	someActions = []string{"dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:Get*",
		"dynamodb:???Item", "DYNAMODB:getitem", "*", "s3:*"}
	someResources = []string{"*", onTable, onTable + "/index/*", "arn:aws:dynamodb:*:*:table/ord*",
		"arn:aws:dynamodb:*:111122223333:table/${aws:username}",
		"arn:aws:dynamodb:*:*:table/${aws:PrincipalTag/team}", "arn:aws:dynamodb:*",
		"arn:aws:dyn*b:us-east-1:111122223333:table/orders", "arn:aws:*:table/orders"}
	somePrincipals = []string{"*", "111122223333", "arn:aws:iam::111122223333:root",
		"arn:aws:iam::111122223333:user/orders", "arn:aws:iam::111122223333:role/app",
		"arn:aws:sts::111122223333:assumed-role/app/run", "444455556666",
		"arn:aws:iam::444455556666:user/orders", "arn:aws:iam::444455556666:role/app"}
	someConditions = map[string][]string{
		"dynamodb:LeadingKeys": {"orders", "red", "*d", "${aws:username}",
			"${aws:PrincipalTag/team}"},
		"dynamodb:Select":      {"COUNT", "count", "C*"},
		"aws:PrincipalAccount": {"111122223333", "444455556666"},
		"aws:MaxAge":           {"5", "10", "11"},
		"aws:SecureTransport":  {"true", "False"},
		"aws:SourceIp":         {"192.0.2.0/24", "198.51.100.0/24"},
	}
	someOperators = map[string][]string{
		"dynamodb:LeadingKeys": {"StringEquals", "StringNotEquals", "StringLike", "StringNotLike",
			"Null"},
		"dynamodb:Select": {"StringEquals", "StringEqualsIgnoreCase",
			"StringNotEqualsIgnoreCase", "StringLike", "Null"},
		"aws:PrincipalAccount": {"StringEquals", "StringNotEquals"},
		"aws:MaxAge":           {"NumericLessThan"},
		"aws:SecureTransport":  {"Bool"},
		"aws:SourceIp":         {"IpAddress", "NotIpAddress"},
	}
)

// pick returns one to three of a list.
func pick(t *rapid.T, from []string, label string) []string {
	return rapid.SliceOfN(rapid.SampledFrom(from), 1, 3).Draw(t, label)
}

func drawCondition(t *rapid.T) map[string]any {
	all := map[string]any{}
	for range rapid.IntRange(0, 2).Draw(t, "conditions") {
		key := rapid.SampledFrom(
			[]string{"dynamodb:LeadingKeys", "dynamodb:Select", "aws:PrincipalAccount",
				"aws:MaxAge", "aws:SecureTransport", "aws:SourceIp"}).Draw(t, "key")
		operator := rapid.SampledFrom(someOperators[key]).Draw(t, "operator")
		values := pick(t, someConditions[key], "values")
		if operator == "Null" {
			values = []string{fmt.Sprint(rapid.Bool().Draw(t, "null"))}
		} else {
			operator = rapid.SampledFrom([]string{"", "", "ForAllValues:", "ForAnyValue:"}).Draw(t,
				"set") + operator + rapid.SampledFrom([]string{"", "", "IfExists"}).Draw(t, "if")
		}
		all[operator] = map[string]any{key: values}
	}
	return all
}

func drawPolicy(t *rapid.T, attached bool) string {
	var statements []any
	for range rapid.IntRange(1, 3).Draw(t, "statements") {
		s := map[string]any{
			"Effect": rapid.SampledFrom([]string{"Allow", "Allow", "Allow", "Deny"}).Draw(t,
				"effect"),
			rapid.SampledFrom([]string{"Action", "Action", "Action", "NotAction"}).Draw(t,
				"action"): pick(t, someActions, "actions"),
			rapid.SampledFrom([]string{"Resource", "Resource", "Resource", "NotResource"}).Draw(t,
				"resource"): pick(t, someResources, "resources"),
		}
		if c := drawCondition(t); len(c) > 0 {
			s["Condition"] = c
		}
		if attached {
			s[rapid.SampledFrom([]string{"Principal", "Principal", "NotPrincipal"}).Draw(t,
				"principal")] = map[string]any{"AWS": pick(t, somePrincipals, "principals")}
		}
		statements = append(statements, s)
	}
	text, _ := json.Marshal(map[string]any{"Version": "2012-10-17", "Statement": statements})
	return string(text)
}

func drawRequest(t *rapid.T) *naive {
	n := &naive{
		account: rapid.SampledFrom([]string{ofAccount, ofAccount, abroad}).Draw(t, "account"),
		action: rapid.SampledFrom([]string{"dynamodb:GetItem", "dynamodb:PutItem"}).Draw(t,
			"requested"),
		resource: rapid.SampledFrom(
			[]string{onTable, onTable + "/index/a",
				"arn:aws:dynamodb:us-east-1:111122223333:table/red"}).Draw(t, "on"),
		owner:   ofAccount,
		context: map[string][]string{},
	}
	switch rapid.IntRange(0, 4).Draw(t, "kind") {
	case 0:
	case 1, 2:
		n.role, n.session = "app", "run"
	default:
		n.user = "orders"
	}
	for _, some := range [][]string{{"dynamodb:LeadingKeys", "orders", "red", "blue"},
		{"dynamodb:Select", "COUNT"}, {"aws:MaxAge", "7", "x"},
		{"aws:SecureTransport", "true"}, {"aws:SourceIp", "192.0.2.7", "none"}} {
		if key, values := some[0], some[1:]; rapid.Bool().Draw(t, "has") {
			n.context[key] = rapid.SliceOfNDistinct(rapid.SampledFrom(values), 1,
				min(len(values), 2), rapid.ID).Draw(t, key)
		}
	}
	if n.user != "" || n.role != "" {
		n.team = rapid.SampledFrom([]string{"", "red"}).Draw(t, "team")
		for range rapid.IntRange(0, 2).Draw(t, "policies") {
			n.identity = append(n.identity, drawPolicy(t, false))
		}
		if rapid.IntRange(0, 3).Draw(t, "bounded") == 0 {
			n.boundary = drawPolicy(t, false)
		}
		if n.role != "" && rapid.IntRange(0, 3).Draw(t, "session") == 0 {
			n.sessions = []string{drawPolicy(t, false)}
		}
	}
	if rapid.Bool().Draw(t, "attached") {
		n.attached = drawPolicy(t, true)
	}
	return n
}

// request is the same request for Decide.
func (n *naive) request() (*Request, error) {
	record := map[string]any{"account": n.account}
	if n.user != "" || n.role != "" {
		record["user"], record["role"], record["session"] = n.user, n.role, n.session
		record["policies"] = raw(n.identity)
		if n.boundary != "" {
			record["boundary"] = json.RawMessage(n.boundary)
		}
		if n.sessions != nil {
			record["sessionPolicies"] = raw(n.sessions)
		}
		if n.team != "" {
			record["tags"] = map[string]string{"team": n.team}
		}
	}
	text, err := json.Marshal(map[string]any{"accessKeys": map[string]any{"K": record}})
	if err != nil {
		return nil, err
	}
	d, err := Parse(text)
	if err != nil {
		return nil, err
	}
	lower := map[string][]string{}
	for key, values := range n.context {
		lower[strings.ToLower(key)] = values
	}
	r := &Request{Principal: d.Principal("K"), Partition: "aws", Action: n.action,
		Resource: n.resource, Owner: n.owner,
		Context: func(key string) []string { return lower[key] }}
	if n.attached != "" {
		r.Attached, err = ParseResourcePolicy(n.attached)
	}
	return r, err
}

func raw(texts []string) (list []json.RawMessage) {
	for _, text := range texts {
		list = append(list, json.RawMessage(text))
	}
	return list
}

// TestDecideAgreesWithTheRules: random policies and requests are decided as the naive evaluator
// does, and the statement that a decision names has its effect.
func TestDecideAgreesWithTheRules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := drawRequest(t)
		r, err := n.request()
		if err != nil {
			t.Fatal(err)
		}
		d := Decide(r)
		if want := n.allowed(); d.Allowed != want {
			t.Fatalf("Decide allows: %v (%+v), the rules: %v\n%+v", d.Allowed, d, want, *n)
		}
		if d.Explicit && d.Kind == Resource {
			if s := r.Attached.statements[d.Statement]; s.allow != d.Allowed ||
				!s.applies(r, r.Attached.variables) {
				t.Fatalf("statement %d did not decide: %+v", d.Statement, d)
			}
		}
	})
}
