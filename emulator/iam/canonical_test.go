package iam

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestCanonical: ack-api-quirks, DDB-TABLE-208 and 351 to 355.
func TestCanonical(t *testing.T) {
	const canonical = `{"Version":"2012-10-17","Statement":[{"Sid":"a","Effect":"Allow","Principal":{"AWS":"arn:aws:iam::111122223333:root"},"Action":"dynamodb:GetItem","Resource":"*"}]}`
	for _, c := range []struct{ name, text, want string }{
		{"canonical", canonical, canonical},
		{"an order, a list and an account",
			` {"Statement" : {"Resource":["*"],"Action":["dynamodb:GetItem"],
			"Principal":{"AWS":["111122223333","arn:aws:iam::111122223333:root"]},"Effect":"allow","Sid":"\u0061"}, "Version":"2012-10-17"}`, canonical},
		{"no version",
			`{"Statement":[{"Effect":"Deny","Principal":"*","Action":"dynamodb:*","Resource":"*"}]}`,
			`{"Version":"2008-10-17","Statement":[{"Effect":"Deny","Principal":"*","Action":"dynamodb:*","Resource":"*"}]}`},
		{"lists and conditions",
			`{"Statement":[{"Effect":"Deny","Principal":"*","NotAction":["dynamodb:b","dynamodb:a","dynamodb:a"],"Resource":["*","arn:x"],
			"Condition":{"StringLike":{"aws:b":["<"]},"Bool":{"aws:a":true,"aws:0":["1","2"]}}}]}`,
			`{"Version":"2008-10-17","Statement":[{"Effect":"Deny","Principal":"*","NotAction":["dynamodb:b","dynamodb:a","dynamodb:a"],"Resource":["*","arn:x"],"Condition":{"StringLike":{"aws:b":"<"},"Bool":{"aws:a":"true","aws:0":["1","2"]}}}]}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := ParseResourcePolicy(c.text)
			require.NoError(t, err)
			assert.Equal(t, c.want, p.Canonical("aws"))
			again, err := ParseResourcePolicy(c.want)
			require.NoError(t, err)
			assert.Equal(t, c.want, again.Canonical("aws"))
		})
	}
}

// TestPublic: Developer Guide, "Blocking public access with resource-based policies in DynamoDB".
func TestPublic(t *testing.T) {
	of := func(effect, principal, condition string) string {
		return `{"Statement":{"Effect":"` + effect + `",` + principal +
			`,"Action":"dynamodb:*","Resource":"*","Condition":` + condition + `}}`
	}
	const all = `"Principal":"*"`
	for _, c := range []struct {
		name, text string
		public     bool
	}{
		{"anybody", of("Allow", all, `{}`), true},
		{"any of AWS", of("Allow", `"Principal":{"AWS":["111122223333","*"]}`, `{}`), true},
		{"an account", of("Allow", `"Principal":{"AWS":"111122223333"}`, `{}`), false},
		{"nobody", of("Deny", all, `{}`), false},
		{"all but one", of("Allow", `"NotPrincipal":{"AWS":"111122223333"}`, `{}`), true},
		{"a fixed account",
			of("Allow", all, `{"StringEquals":{"aws:PrincipalAccount":"111122223333"}}`), false},
		{"a fixed ARN",
			of("Allow", all, `{"ArnLike":{"aws:PrincipalArn":"arn:aws:iam::111122223333:user/a"}}`),
			false},
		{"an ARN with a wildcard",
			of("Allow", all, `{"ArnLike":{"aws:PrincipalArn":"arn:aws:iam::*:user/a"}}`), true},
		{"a variable",
			of("Allow", all, `{"StringEquals":{"aws:PrincipalAccount":"${aws:ResourceAccount}"}}`),
			true},
		{"not one account",
			of("Allow", all, `{"StringNotEquals":{"aws:PrincipalAccount":"111122223333"}}`), true},
		{"an account if there is one",
			of("Allow", all, `{"StringEqualsIfExists":{"aws:PrincipalAccount":"111122223333"}}`),
			true},
		{"another key", of("Allow", all, `{"StringEquals":{"aws:RequestedRegion":"us-east-1"}}`),
			true},
		{"a service", of("Allow", all, `{"Bool":{"aws:PrincipalIsAWSService":"true"}}`), false},
		{"no service", of("Allow", all, `{"Bool":{"aws:PrincipalIsAWSService":"false"}}`), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := ParseResourcePolicy(c.text)
			require.NoError(t, err)
			assert.Equal(t, c.public, p.Public())
		})
	}
}
