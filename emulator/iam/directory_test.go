package iam

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	d, err := Parse([]byte(`{"accessKeys":{
		"ALICE":{"account":"111122223333","user":"dev/alice"},
		"APP":{"account":"111122223333","role":"services/app","session":"run-1"},
		"ROOT":{"account":"444455556666"}}}`))
	require.NoError(t, err)
	for key, want := range map[string]string{
		"ALICE": "arn:aws:iam::111122223333:user/dev/alice",
		"APP":   "arn:aws:sts::111122223333:assumed-role/app/run-1",
		"ROOT":  "arn:aws:iam::444455556666:root",
	} {
		assert.Equal(t, want, d.Principal(key).ARN("aws"), key)
	}
	assert.Nil(t, d.Principal("BOB"))
	assert.Equal(t, d.Principal("ALICE"), d.With("BOB", d.Principal("ALICE")).Principal("BOB"))
	assert.Nil(t, d.Principal("BOB"), "a directory never changes")
}

func TestParseErrors(t *testing.T) {
	of := func(principal string) string { return `{"accessKeys":{"A":` + principal + `}}` }
	for _, c := range []struct{ name, text, says string }{
		{"no JSON", `{`, "unexpected EOF"},
		{"more than JSON", of(`{"account":"111122223333"}`) + `{}`, "more after"},
		{"nobody", `{}`, "there are none"},
		{"an unknown member", `{"keys":{}}`, `unknown field "keys"`},
		{"an unknown member of a principal", of(`{"name":"x"}`), `unknown field "name"`},
		{"no account", of(`{"user":"alice"}`), `accessKeys: "A": account ""`},
		{"a short account", of(`{"account":"1234"}`), "12 digits"},
		{"a user and a role", of(`{"account":"111122223333","user":"a","role":"b","session":"cc"}`), "not both"},
		{"a role without a session", of(`{"account":"111122223333","role":"b"}`), "go together"},
		{"a bad user", of(`{"account":"111122223333","user":"a b"}`), `user "a b"`},
		{"a user without a name", of(`{"account":"111122223333","user":"dev/"}`), `user "dev/"`},
		{"a bad role", of(`{"account":"111122223333","role":"a:b","session":"cc"}`), `role "a:b"`},
		{"a short session", of(`{"account":"111122223333","role":"b","session":"c"}`), `session "c"`},
		{"policies of a root user", of(`{"account":"111122223333","policies":[]}`), "a root user has no policies"},
		{"session policies of a user", of(`{"account":"111122223333","user":"a","sessionPolicies":[]}`), "only a role session"},
		{"an unknown policy", of(`{"account":"111122223333","user":"a","policies":["x"]}`), `no policy has the name "x"`},
		{"a bad policy", of(`{"account":"111122223333","user":"a","boundary":{}}`), "boundary: Could not parse"},
		{"a bad shared policy", `{"accessKeys":{"A":{"account":"111122223333"}},"policies":{"p":{}}}`, `policies: "p": Could not parse`},
		{"no principal", `{"accessKeys":{"A":null}}`, "it is null"},
		{"a bad access key", `{"accessKeys":{"A/B":{"account":"111122223333"}}}`, "without a slash"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse([]byte(c.text))
			assert.ErrorContains(t, err, c.says)
		})
	}
}
