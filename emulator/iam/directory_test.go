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
		{"no JSON", `{`, "line 1: the document ends in the middle"},
		{"no JSON in the middle", "{\n\"accessKeys\":{\"A\":{\"account\":,",
			"line 2: accessKeys.A.account: invalid character ','"},
		{"more than JSON", of(`{"account":"111122223333"}`) + `{}`, "more after"},
		{"nobody", `{}`, "there are none"},
		{"an unknown member", `{"keys":{}}`,
			"keys: unknown member: want one of accessKeys, policies"},
		{"an unknown member of a principal", of(`{"name":"x"}`),
			"accessKeys.A.name: unknown member"},
		{"a typo", of("\n\n{\n\"acount\":\"111122223333\"}"),
			"line 4: accessKeys.A.acount: unknown member: did you mean account?"},
		{"another case", of(`{"Account":"111122223333"}`), "did you mean account?"},
		{"a member twice", of("{\"account\":\"111122223333\",\n\"account\":\"1\"}"),
			"line 2: accessKeys.A.account: it is there twice"},
		{"a member of another type", of("{\"account\":\"111122223333\",\n\"user\":1}"),
			"line 2: accessKeys.A.user: it is a number and must be a string"},
		{"a typo in a policy",
			of("{\"account\":\"111122223333\",\"user\":\"a\",\"policies\":[\n{\"Statement\":[{\n\"Efect\":\"Allow\"}]}]}"),
			"line 3: accessKeys.A.policies[0].Statement[0].Efect: unknown member: did you mean Effect?"},
		{"a bad statement of several",
			"{\"accessKeys\":{\"A\":{\"account\":\"111122223333\"}},\n\"policies\":{\"p\":{\"Version\":\"2012-10-17\",\"Statement\":[\n" +
				"{\"Effect\":\"Allow\",\"Action\":\"dynamodb:*\",\"Resource\":\"*\"},\n{\"Effect\":\"Allow\",\"Action\":\"GetItem\",\"Resource\":\"*\"}]}}}",
			"line 4: policies.p.Statement[1]: Actions/Conditions must be prefaced by a vendor"},
		{"a bad statement alone",
			of(`{"account":"111122223333","user":"a","boundary":{"Statement":{"Effect":"Allow","Resource":"*"}}}`), "accessKeys.A.boundary.Statement: "},
		{"no account", of(`{"user":"alice"}`), `accessKeys.A: account ""`},
		{"a short account", of(`{"account":"1234"}`), "12 digits"},
		{"a user and a role", of(`{"account":"111122223333","user":"a","role":"b","session":"cc"}`),
			"not both"},
		{"a role without a session", of(`{"account":"111122223333","role":"b"}`), "go together"},
		{"a bad user", of(`{"account":"111122223333","user":"a b"}`), `user "a b"`},
		{"a user without a name", of(`{"account":"111122223333","user":"dev/"}`), `user "dev/"`},
		{"a bad role", of(`{"account":"111122223333","role":"a:b","session":"cc"}`), `role "a:b"`},
		{"a short session", of(`{"account":"111122223333","role":"b","session":"c"}`),
			`session "c"`},
		{"policies of a root user", of(`{"account":"111122223333","policies":[]}`),
			"a root user has no policies"},
		{"session policies of a user",
			of(`{"account":"111122223333","user":"a","sessionPolicies":[]}`),
			"only a role session"},
		{"an unknown policy", of(`{"account":"111122223333","user":"a","policies":["x"]}`),
			`no policy has the name "x"`},
		{"a bad policy", of(`{"account":"111122223333","user":"a","boundary":{}}`),
			"boundary: Syntax error at position (1,3)"},
		{"a bad shared policy",
			`{"accessKeys":{"A":{"account":"111122223333"}},"policies":{"p":{}}}`,
			`policies.p: Syntax error at position (1,3)`},
		{"no principal", `{"accessKeys":{"A":null}}`, "it is null"},
		{"a bad access key", `{"accessKeys":{"A/B":{"account":"111122223333"}}}`,
			"without a slash"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse([]byte(c.text))
			assert.ErrorContains(t, err, c.says)
			assert.IsType(t, &FileError{}, err)
		})
	}
}
