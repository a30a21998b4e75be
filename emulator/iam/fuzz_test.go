package iam

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// FuzzPolicy: the canonical form of a policy is its own canonical form, and decides alike.
func FuzzPolicy(f *testing.F) {
	f.Add(grantedTo(`"*"`))
	f.Add(`{"Version":"","Statement":{"Effect":"Deny","Principal":"*","Action":"a:b","Resource":"*"}}`)
	f.Add(`{"Version":null,"Id":null,"Statement":{"Sid":null,"Effect":"Deny","Principal":"*","Action":"a:b","Resource":"*"}}`)
	f.Add(deniedTo(`{"AWS":["111122223333","arn:aws:iam::111122223333:user/a"]}`))
	f.Add(`{"Version":"2012-10-17","Id":"i","Statement":[{"Sid":"s","Effect":"deny","NotPrincipal":{"AWS":"111122223333","Service":"x"},"NotAction":["a:b"],"NotResource":["arn:x"],
		"Condition":{"StringLike":{"aws:a":["${aws:username}","\u0000*"]},"Bool":{"aws:b":true},"NumericEquals":{"aws:c":[1,2.5]}}}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ParseResourcePolicy(text)
		if err != nil {
			return
		}
		canonical := p.Canonical("aws")
		again, err := ParseResourcePolicy(canonical)
		require.NoError(t, err, canonical)
		assert.Equal(t, canonical, again.Canonical("aws"))
		assert.Equal(t, p.Public(), again.Public())
		who := principalOf(t, `"account":"111122223333","user":"a"`)
		ask := func(p *Policy) Decision {
			return Decide(&Request{
				Principal: who, Partition: "aws", Action: "dynamodb:GetItem", Resource: onTable,
				Owner: ofAccount, Attached: p,
			})
		}
		if p.HasVersion() {
			assert.Equal(t, ask(p), ask(again), canonical)
		}
	})
}
