package iam

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Principals and policies of the cases.
const (
	ofAccount = "111122223333"
	abroad    = "444455556666"
	onTable   = "arn:aws:dynamodb:us-east-1:111122223333:table/orders"

	allowAll  = `{"Statement":{"Effect":"Allow","Action":"dynamodb:*","Resource":"*"}}`
	allowPut  = `{"Statement":{"Effect":"Allow","Action":"dynamodb:PutItem","Resource":"*"}}`
	denyGet   = `{"Statement":[{"Sid":"Other","Effect":"Allow","Action":"*","Resource":"*"},{"Sid":"No","Effect":"Deny","Action":"dynamodb:GetItem","Resource":"*"}]}`
	allowNone = `{"Statement":{"Effect":"Deny","Action":"s3:*","Resource":"*"}}`
)

// principalOf parses the members of a principal.
func principalOf(t *testing.T, members string) *Principal {
	d, err := Parse([]byte(`{"accessKeys":{"K":{` + members + `}}}`))
	require.NoError(t, err)
	return d.Principal("K")
}

func grantedTo(principal string) string {
	return `{"Statement":{"Effect":"Allow","Principal":` + principal +
		`,"Action":"dynamodb:GetItem","Resource":"*"}}`
}

func deniedTo(principal string) string {
	return `{"Statement":{"Effect":"Deny","Principal":` + principal +
		`,"Action":"dynamodb:GetItem","Resource":"*"}}`
}

// TestDecide has a case for each clause of "Policy evaluation logic".
func TestDecide(t *testing.T) {
	const (
		alice   = `"account":"111122223333","user":"dev/alice"`
		app     = `"account":"111122223333","role":"svc/app","session":"run"`
		root    = `"account":"111122223333"`
		bob     = `"account":"444455556666","user":"bob"`
		cod     = `"account":"444455556666","role":"cod","session":"run"`
		stray   = `"account":"444455556666"`
		toAlice = `{"AWS":"arn:aws:iam::111122223333:user/dev/alice"}`
		toApp   = `{"AWS":"arn:aws:iam::111122223333:role/svc/app"}`
		toRun   = `{"AWS":"arn:aws:sts::111122223333:assumed-role/app/run"}`
		toUs    = `{"AWS":"111122223333"}`
		toBob   = `{"AWS":["arn:aws:iam::444455556666:user/bob","arn:aws:iam::444455556666:role/cod"]}`
		toThem  = `{"AWS":"arn:aws:iam::444455556666:root"}`
	)
	policies := func(p string) string { return `,"policies":[` + p + `]` }
	boundary := func(p string) string { return `,"boundary":` + p }
	session := func(p string) string { return `,"sessionPolicies":[` + p + `]` }
	for _, c := range []struct{ name, principal, attached, want string }{
		{"no policy", alice, "",
			"because no identity-based policy allows the dynamodb:GetItem action"},
		{"identity", alice + policies(allowAll), "", "allowed by identity-based policy"},
		{"identity for another action", alice + policies(allowPut), "",
			"because no identity-based policy allows the dynamodb:GetItem action"},
		{"second identity policy", alice + policies(allowPut+","+allowAll), "",
			"allowed by identity-based policy"},
		{"explicit deny of identity", alice + policies(allowAll+","+denyGet), "",
			"with an explicit deny in an identity-based policy"},
		{"explicit deny against resource", alice + policies(denyGet), grantedTo(toAlice),
			"with an explicit deny in an identity-based policy"},
		{"explicit deny of resource", alice + policies(allowAll), deniedTo(`"*"`),
			"with an explicit deny in a resource-based policy"},
		{"explicit deny of another's resource policy", alice + policies(allowAll), deniedTo(toBob),
			"allowed by identity-based policy"},
		{"deny of the account", alice + policies(allowAll), deniedTo(toUs),
			"with an explicit deny in a resource-based policy"},
		{"deny of the role", app + policies(allowAll), deniedTo(toApp),
			"with an explicit deny in a resource-based policy"},
		{"explicit deny of boundary", alice + policies(allowAll) + boundary(denyGet), "",
			"with an explicit deny in a permissions boundary"},
		{"explicit deny of session", app + policies(allowAll) + session(denyGet), "",
			"with an explicit deny in a session policy"},
		{"boundary allows nothing", alice + policies(allowAll) + boundary(allowNone), "",
			"because no permissions boundary allows the dynamodb:GetItem action"},
		{"boundary alone gives nothing", alice + boundary(allowAll), "",
			"because no identity-based policy allows the dynamodb:GetItem action"},
		{"boundary and identity", alice + policies(allowAll) + boundary(allowAll), "",
			"allowed by identity-based policy"},
		{"session policy allows nothing", app + policies(allowAll) + session(allowNone), "",
			"because no session policy allows the dynamodb:GetItem action"},
		{"session policy and identity", app + policies(allowAll) + session(allowAll), "",
			"allowed by identity-based policy"},
		{"one of two session policies", app + policies(allowAll) + session(allowNone+","+allowAll),
			"", "allowed by identity-based policy"},
		{"resource alone, user", alice, grantedTo(toAlice), "allowed by resource-based policy"},
		{"resource alone, user within a boundary", alice + boundary(allowNone), grantedTo(toAlice),
			"allowed by resource-based policy"},
		{"resource alone, anybody", alice, grantedTo(`"*"`), "allowed by resource-based policy"},
		{"resource alone, account", alice, grantedTo(toUs),
			"because no identity-based policy allows the dynamodb:GetItem action"},
		{"resource alone, session", app + boundary(allowNone) + session(allowNone),
			grantedTo(toRun), "allowed by resource-based policy"},
		{"resource alone, role", app, grantedTo(toApp), "allowed by resource-based policy"},
		{"resource alone, role within a boundary", app + boundary(allowNone), grantedTo(toApp),
			"because no permissions boundary allows the dynamodb:GetItem action"},
		{"resource alone, role within a session policy", app + session(allowNone), grantedTo(toApp),
			"because no session policy allows the dynamodb:GetItem action"},
		{"resource of a service", alice, grantedTo(`{"Service":"lambda.amazonaws.com"}`),
			"because no identity-based policy allows the dynamodb:GetItem action"},
		{"root", root, "", "allowed by "},
		{"root and explicit deny", root, deniedTo(`{"AWS":"arn:aws:iam::111122223333:root"}`),
			"with an explicit deny in a resource-based policy"},
		{"abroad, both", bob + policies(allowAll), grantedTo(toBob),
			"allowed by identity-based policy"},
		{"abroad, account", bob + policies(allowAll), grantedTo(toThem),
			"allowed by identity-based policy"},
		{"abroad, role", cod + policies(allowAll), grantedTo(toBob),
			"allowed by identity-based policy"},
		{"abroad, no identity", bob, grantedTo(toBob),
			"because no identity-based policy allows the dynamodb:GetItem action"},
		{"abroad, role without identity", cod, grantedTo(toBob),
			"because no identity-based policy allows the dynamodb:GetItem action"},
		{"abroad, no resource", bob + policies(allowAll), grantedTo(toAlice),
			"because no resource-based policy allows the dynamodb:GetItem action"},
		{"abroad, no resource policy", bob + policies(allowAll), "",
			"because no resource-based policy allows the dynamodb:GetItem action"},
		{"abroad, boundary", bob + policies(allowAll) + boundary(allowNone), grantedTo(toBob),
			"because no permissions boundary allows the dynamodb:GetItem action"},
		{"abroad, root", stray, grantedTo(toThem), "allowed by "},
		{"abroad, root without resource", stray, grantedTo(toBob),
			"because no resource-based policy allows the dynamodb:GetItem action"},
		{"abroad, explicit deny", bob + policies(allowAll),
			`{"Statement":[{"Effect":"Allow","Principal":"*","Action":"*","Resource":"*"},{"Effect":"Deny","Principal":` + toThem + `,"Action":"*","Resource":"*"}]}`,
			"with an explicit deny in a resource-based policy"},
		{"not these principals, exempt", alice + policies(allowAll),
			`{"Statement":{"Effect":"Deny","NotPrincipal":{"AWS":["arn:aws:iam::111122223333:user/dev/alice","111122223333"]},"Action":"*","Resource":"*"}}`,
			"allowed by identity-based policy"},
		{"not these principals, without the account", alice + policies(allowAll),
			`{"Statement":{"Effect":"Deny","NotPrincipal":` + toAlice +
				`,"Action":"*","Resource":"*"}}`,
			"with an explicit deny in a resource-based policy"},
		{"not these principals, a session", app + policies(allowAll),
			`{"Statement":{"Effect":"Deny","NotPrincipal":{"AWS":["111122223333","arn:aws:iam::111122223333:role/svc/app","arn:aws:sts::111122223333:assumed-role/app/run"]},"Action":"*","Resource":"*"}}`,
			"allowed by identity-based policy"},
		{"not these principals, others", alice + policies(allowAll),
			`{"Statement":{"Effect":"Deny","NotPrincipal":` + toBob +
				`,"Action":"*","Resource":"*"}}`,
			"with an explicit deny in a resource-based policy"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &Request{
				Principal: principalOf(t, c.principal), Partition: "aws",
				Action: "dynamodb:GetItem", Resource: onTable, Owner: ofAccount,
			}
			if c.attached != "" {
				p, err := ParseResourcePolicy(c.attached)
				require.NoError(t, err)
				r.Attached = p
			}
			d := Decide(r)
			got := d.Reason(r.Action)
			if d.Allowed {
				got = "allowed by " + string(d.Kind)
			}
			assert.Equal(t, c.want, got)
		})
	}
}

// TestDecisionNamesTheStatement: a decision says which statement made it.
func TestDecisionNamesTheStatement(t *testing.T) {
	d, err := Parse(
		[]byte(`{"accessKeys":{"K":{"account":"111122223333","user":"a","policies":["shared",` +
			allowAll + `]}},"policies":{"shared":` + denyGet + `}}`))
	require.NoError(t, err)
	r := &Request{
		Principal: d.Principal("K"), Partition: "aws", Action: "dynamodb:GetItem",
		Resource: onTable, Owner: ofAccount,
	}
	assert.Equal(t,
		Decision{Kind: Identity, Explicit: true, Policy: "shared", Statement: 1, Sid: "No"},
		Decide(r))
	r.Action = "dynamodb:PutItem"
	assert.Equal(t,
		Decision{Allowed: true, Kind: Identity, Explicit: true, Policy: "shared", Statement: 0,
			Sid: "Other"}, Decide(r))
}

// TestStatementElements: Action, Resource, their Not forms, and variables.
func TestStatementElements(t *testing.T) {
	for _, c := range []struct {
		name, statement string
		applies         bool
	}{
		{"action in another case", `"Action":"DynamoDB:getitem","Resource":"*"`, true},
		{"action with wildcards", `"Action":"dynamodb:?et*","Resource":"*"`, true},
		{"action of another service", `"Action":"s3:GetItem","Resource":"*"`, false},
		{"one of several actions", `"Action":["s3:*","dynamodb:GetItem"],"Resource":"*"`, true},
		{"not this action", `"NotAction":"dynamodb:GetItem","Resource":"*"`, false},
		{"not another action", `"NotAction":"dynamodb:Put*","Resource":"*"`, true},
		{"resource", `"Action":"*","Resource":"` + onTable + `"`, true},
		{"resource in another case",
			`"Action":"*","Resource":"arn:aws:dynamodb:us-east-1:111122223333:table/Orders"`,
			false},
		{"resource with wildcards", `"Action":"*","Resource":"arn:aws:dynamodb:*:*:table/ord*"`,
			true},
		{"wildcard at the end of a part", `"Action":"*","Resource":"arn:aws:dynamodb:*"`, true},
		{"wildcard at the end of a middle part",
			`"Action":"*","Resource":"arn:aws:*:*:*:table/orders"`, true},
		{"wildcard within a part",
			`"Action":"*","Resource":"arn:aws:d*m:111122223333:table/orders"`, false},
		{"service alone", `"Action":"*","Resource":"arn:aws:dynamodb"`, true},
		{"without a table", `"Action":"*","Resource":"arn:aws:dynamodb:us-east-1:111122223333"`,
			true},
		{"another region alone", `"Action":"*","Resource":"arn:aws:dynamodb:eu-west-1"`, false},
		{"not the service alone", `"Action":"*","NotResource":"arn:aws:dynamodb"`, false},
		{"an index of the table", `"Action":"*","Resource":"` + onTable + `/*"`, false},
		{"not this resource", `"Action":"*","NotResource":"` + onTable + `"`, false},
		{"not another resource", `"Action":"*","NotResource":"arn:aws:dynamodb:*:*:table/users"`,
			true},
		{"variable in a resource",
			`"Action":"*","Resource":"arn:aws:dynamodb:*:*:table/${aws:PrincipalTag/table}"`, true},
		{"variable without a value",
			`"Action":"*","Resource":"arn:aws:dynamodb:*:*:table/${aws:PrincipalTag/none}"`, false},
		{"variable with a default",
			`"Action":"*","Resource":"arn:aws:dynamodb:*:*:table/${aws:PrincipalTag/none, 'orders'}"`, true},
		{"variable of a wildcard",
			`"Action":"*","Resource":"arn:aws:dynamodb:*:*:table/${aws:PrincipalTag/star}"`, false},
		{"literal characters", `"Action":"*","Resource":"arn:aws:dynamodb:*:*:table/order${?}"`,
			false},
		{"not a resource without a value",
			`"Action":"*","NotResource":"arn:aws:dynamodb:*:*:table/${aws:PrincipalTag/none}"`,
			true},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := principalOf(
				t, `"account":"111122223333","user":"alice","tags":{"table":"orders","star":"*"},
				"policies":[{"Version":"2012-10-17","Statement":{"Effect":"Allow",`+c.statement+
					`}}]`)
			d := Decide(&Request{
				Principal: p, Partition: "aws", Action: "dynamodb:GetItem", Resource: onTable,
				Owner: ofAccount,
			})
			assert.Equal(t, c.applies, d.Allowed)
		})
	}
}

// TestConditions has cases for each operator and form.
func TestConditions(t *testing.T) {
	context := map[string][]string{
		"dynamodb:s": {"Blue"}, "dynamodb:n": {"10"}, "dynamodb:d": {"2026-01-02T03:04:05Z"},
		"dynamodb:b": {"true"}, "dynamodb:bin": {"AQI="},
		"dynamodb:ip": {"192.0.2.7"}, "dynamodb:six": {"2001:db8::1"},
		"dynamodb:arn": {"arn:aws:sns:us-east-1:111122223333:a:b"}, "dynamodb:many": {"a", "b"},
	}
	for _, c := range []struct {
		condition string
		holds     bool
	}{
		{`{"StringEquals":{"dynamodb:s":"Blue"}}`, true},
		{`{"StringEquals":{"DynamoDB:S":"Blue"}}`, true},
		{`{"StringEquals":{"dynamodb:s":"blue"}}`, false},
		{`{"StringEquals":{"dynamodb:s":["red","Blue"]}}`, true},
		{`{"StringEquals":{"dynamodb:s":"B*"}}`, false},
		{`{"StringNotEquals":{"dynamodb:s":["red","Blue"]}}`, false},
		{`{"StringNotEquals":{"dynamodb:s":"red"}}`, true},
		{`{"StringEqualsIgnoreCase":{"dynamodb:s":"bLUE"}}`, true},
		{`{"StringNotEqualsIgnoreCase":{"dynamodb:s":"bLUE"}}`, false},
		{`{"StringLike":{"dynamodb:s":"?lu*"}}`, true},
		{`{"StringLike":{"dynamodb:s":"?l"}}`, false},
		{`{"StringNotLike":{"dynamodb:s":"B*"}}`, false},
		{`{"StringEquals":{"dynamodb:s":"${dynamodb:S}"}}`, true},
		{`{"StringEquals":{"dynamodb:s":"${aws:username}"}}`, false},
		{`{"StringNotEquals":{"dynamodb:s":"${aws:nothing}"}}`, true},
		{`{"StringNotLike":{"dynamodb:s":"${aws:nothing}"}}`, true},
		{`{"ArnNotEquals":{"dynamodb:arn":"${aws:nothing}"}}`, true},
		{`{"StringEquals":{"dynamodb:s":"${aws:nothing}"}}`, false},
		{`{"StringEqualsIfExists":{"dynamodb:s":"${aws:nothing}"}}`, false},
		{`{"StringLike":{"dynamodb:s":"${aws:nothing}*"}}`, false},
		{`{"StringEquals":{"dynamodb:s":["${aws:nothing}","Blue"]}}`, true},
		{`{"StringNotEquals":{"dynamodb:s":["${aws:nothing}","Blue"]}}`, false},
		{`{"StringNotEquals":{"dynamodb:none":"${aws:nothing}"}}`, true},
		{`{"ForAllValues:StringEquals":{"dynamodb:many":"${aws:nothing}"}}`, false},
		{`{"ForAllValues:StringEquals":{"dynamodb:none":"${aws:nothing}"}}`, true},
		{`{"ForAnyValue:StringNotEquals":{"dynamodb:many":"${aws:nothing}"}}`, true},
		{`{"StringLike":{"dynamodb:s":"${*}"}}`, false},
		{`{"NumericEquals":{"dynamodb:n":"10.0"}}`, true},
		{`{"NumericEquals":{"dynamodb:n":10}}`, true},
		{`{"NumericNotEquals":{"dynamodb:n":"10"}}`, false},
		{`{"NumericLessThan":{"dynamodb:n":"10"}}`, false},
		{`{"NumericLessThanEquals":{"dynamodb:n":"10"}}`, true},
		{`{"NumericGreaterThan":{"dynamodb:n":"9"}}`, true},
		{`{"NumericGreaterThanEquals":{"dynamodb:n":"11"}}`, false},
		{`{"NumericEquals":{"dynamodb:s":"10"}}`, false},
		{`{"NumericEquals":{"dynamodb:n":"${dynamodb:n}"}}`, false},
		{`{"NumericNotEquals":{"dynamodb:n":"${dynamodb:n}"}}`, true},
		{`{"DateEquals":{"dynamodb:d":"${dynamodb:d}"}}`, false},
		{`{"Bool":{"dynamodb:b":"${dynamodb:b}"}}`, true},
		{`{"BinaryEquals":{"dynamodb:bin":"${dynamodb:bin}"}}`, false},
		{`{"IpAddress":{"dynamodb:ip":"${dynamodb:ip}"}}`, false},
		{`{"ArnEquals":{"dynamodb:arn":"${dynamodb:arn}"}}`, true},
		{`{"DateEquals":{"dynamodb:d":"2026-01-02T04:04:05+01:00"}}`, true},
		{`{"DateNotEquals":{"dynamodb:d":"2026-01-02T03:04:05Z"}}`, false},
		{`{"DateLessThan":{"dynamodb:d":"2026-01-03"}}`, true},
		{`{"DateLessThanEquals":{"dynamodb:d":"2026-01-02"}}`, false},
		{`{"DateGreaterThan":{"dynamodb:d":"1767225600"}}`, true},
		{`{"DateGreaterThanEquals":{"dynamodb:d":"2027"}}`, false},
		{`{"Bool":{"dynamodb:b":"true"}}`, true},
		{`{"Bool":{"dynamodb:b":false}}`, false},
		{`{"BinaryEquals":{"dynamodb:bin":"AQI="}}`, true},
		{`{"BinaryEquals":{"dynamodb:bin":"AQM="}}`, false},
		{`{"IpAddress":{"dynamodb:ip":"192.0.2.0/24"}}`, true},
		{`{"IpAddress":{"dynamodb:ip":["10.0.0.0/8","192.0.2.7"]}}`, true},
		{`{"IpAddress":{"dynamodb:six":"2001:db8::/32"}}`, true},
		{`{"IpAddress":{"dynamodb:ip":"2001:db8::/32"}}`, false},
		{`{"NotIpAddress":{"dynamodb:ip":"192.0.2.0/24"}}`, false},
		{`{"ArnEquals":{"dynamodb:arn":"arn:aws:sns:*:111122223333:a:*"}}`, true},
		{`{"ArnLike":{"dynamodb:arn":"arn:aws:*:b"}}`, false},
		{`{"ArnNotEquals":{"dynamodb:arn":"arn:aws:sns:us-east-1:111122223333:a:b"}}`, false},
		{`{"ArnNotLike":{"dynamodb:arn":"arn:aws:sqs:*:*:*"}}`, true},
		{`{"Null":{"dynamodb:none":"true","dynamodb:s":"false"}}`, true},
		{`{"Null":{"dynamodb:s":"true"}}`, false},
		{`{"StringEquals":{"dynamodb:none":"a"}}`, false},
		{`{"StringNotEquals":{"dynamodb:none":"a"}}`, true},
		{`{"StringEqualsIfExists":{"dynamodb:none":"a"}}`, true},
		{`{"StringEqualsIfExists":{"dynamodb:s":"a"}}`, false},
		{`{"ForAllValues:StringEquals":{"dynamodb:many":["a","b","c"]}}`, true},
		{`{"ForAllValues:StringEquals":{"dynamodb:many":"a"}}`, false},
		{`{"ForAllValues:StringEquals":{"dynamodb:none":"a"}}`, true},
		{`{"ForAnyValue:StringEquals":{"dynamodb:many":"b"}}`, true},
		{`{"ForAnyValue:StringEquals":{"dynamodb:many":"c"}}`, false},
		{`{"ForAnyValue:StringEquals":{"dynamodb:none":"c"}}`, false},
		{`{"ForAnyValue:StringNotEquals":{"dynamodb:many":"a"}}`, true},
		{`{"ForAllValues:StringNotEquals":{"dynamodb:many":"a"}}`, false},
		{`{"ForAllValues:StringLikeIfExists":{"dynamodb:none":"a"}}`, true},
		{`{"StringEquals":{"dynamodb:s":"Blue"},"NumericEquals":{"dynamodb:n":"11"}}`, false},
		{`{"StringEquals":{"dynamodb:s":"Blue","dynamodb:bin":"x"}}`, false},
		{`{}`, true},
	} {
		t.Run(c.condition, func(t *testing.T) {
			p := principalOf(t, `"account":"111122223333","user":"alice",
				"policies":[{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"*","Resource":"*","Condition":`+c.condition+`}}]`)
			d := Decide(&Request{Principal: p, Partition: "aws", Action: "dynamodb:GetItem",
				Resource: onTable, Owner: ofAccount,
				Context: func(key string) []string { return context[key] }})
			assert.Equal(t, c.holds, d.Allowed)
		})
	}
}

// TestIncompleteARN: only identity-based policies complete it.
func TestIncompleteARN(t *testing.T) {
	p, err := ParseResourcePolicy(
		`{"Statement":{"Effect":"Deny","Principal":"*","Action":"*","Resource":"arn:aws:dynamodb"}}`)
	require.NoError(t, err)
	r := &Request{Principal: principalOf(t, `"account":"111122223333"`), Partition: "aws",
		Action:   "dynamodb:GetItem",
		Resource: onTable, Owner: ofAccount, Attached: p}
	assert.True(t, Decide(r).Allowed)
}

// TestVariablesNeedTheNewVersion: the version of 2008 has no variables.
func TestVariablesNeedTheNewVersion(t *testing.T) {
	for version, want := range map[string]bool{"2008-10-17": false, "2012-10-17": true} {
		p := principalOf(t,
			`"account":"111122223333","user":"orders","policies":[{"Version":"`+version+
				`","Statement":{"Effect":"Allow","Action":"*","Resource":"arn:aws:dynamodb:*:*:table/${aws:username}"}}]`)
		assert.Equal(t, want,
			Decide(&Request{
				Principal: p, Partition: "aws", Action: "dynamodb:GetItem", Resource: onTable,
				Owner: ofAccount,
			}).Allowed, version)
	}
}

func TestPolicyErrors(t *testing.T) {
	resource :=
		`{"Statement":{"Effect":"Allow","Principal":"*","Action":"dynamodb:GetItem","Resource":"*"}}`
	_, err := ParseResourcePolicy(resource)
	require.NoError(t, err)
	_, err = ParseIdentityPolicy("p", []byte(resource))
	assert.ErrorContains(t, err, "should not specify a principal")
	for _, c := range []struct{ name, text, says string }{
		{"no JSON", `x`, "This policy contains invalid Json"},
		{"no statement", `{"Version":"2012-10-17"}`, "Statement is empty!"},
		{"no principals",
			`{"Statement":{"Effect":"Allow","Principal":{"AWS":[]},"Action":"a:b","Resource":"*"}}`,
			"Missing required field Principal"},
		{"an account as a text",
			`{"Statement":{"Effect":"Allow","Principal":"111122223333","Action":"a:b","Resource":"*"}}`, "Syntax error at position (1,58)"},
		{"an unknown element",
			`{"Statement":{"Effect":"Allow","Principal":"*","Action":"a:b","Resource":"*","Reason":"x"}}`, "Syntax errors in policy."},
		{"an element in another case",
			`{"Statement":{"effect":"Allow","Effect":"Deny","Principal":"*","Action":"a:b","Resource":"*"}}`, "Syntax errors in policy."},
		{"an element twice",
			`{"Statement":{"Effect":"Allow","Effect":"Deny","Principal":"*","Action":"a:b","Resource":"*"}}`, "Syntax errors in policy."},
		{"an operator twice",
			`{"Statement":{"Effect":"Deny","Principal":"*","Action":"a:b","Resource":"*","Condition":{"Bool":{"a:b":"true"},"Bool":{"a:b":"false"}}}}`, "Syntax errors in policy."},
		{"a key twice",
			`{"Statement":{"Effect":"Deny","Principal":"*","Action":"a:b","Resource":"*","Condition":{"Bool":{"a:b":"true","a:b":"false"}}}}`, "Syntax errors in policy."},
		{"a type of principal twice",
			`{"Statement":{"Effect":"Deny","Principal":{"AWS":"111122223333","AWS":"*"},"Action":"a:b","Resource":"*"}}`, "Syntax errors in policy."},
		{"a null version",
			`{"Version":null,"Statement":{"Effect":"Allow","Principal":"*","Action":"a:b","Resource":"*"}}`, "Syntax errors in policy."},
		{"an empty version",
			`{"Version":"","Statement":{"Effect":"Allow","Principal":"*","Action":"a:b","Resource":"*"}}`, "must be version 2012-10-17"},
		{"a version",
			`{"Version":"2020-01-01","Statement":{"Effect":"Allow","Principal":"*","Action":"a:b","Resource":"*"}}`, "must be version 2012-10-17"},
		{"an effect",
			`{"Statement":{"Effect":"permit","Principal":"*","Action":"a:b","Resource":"*"}}`,
			"Syntax errors in policy."},
		{"no principal", `{"Statement":{"Effect":"Allow","Action":"a:b","Resource":"*"}}`,
			"Missing required field Principal"},
		{"two principals",
			`{"Statement":{"Effect":"Allow","Principal":"*","NotPrincipal":"*","Action":"a:b","Resource":"*"}}`, "Syntax errors in policy."},
		{"a principal with a wildcard",
			`{"Statement":{"Effect":"Allow","Principal":{"AWS":"arn:aws:iam::111122223333:user/*"},"Action":"a:b","Resource":"*"}}`, "Invalid principal in policy document."},
		{"a principal of no form",
			`{"Statement":{"Effect":"Allow","Principal":{"AWS":"alice"},"Action":"a:b","Resource":"*"}}`, "Invalid principal in policy document."},
		{"an unknown type of principal",
			`{"Statement":{"Effect":"Allow","Principal":{"GCP":"alice"},"Action":"a:b","Resource":"*"}}`, "Syntax errors in policy."},
		{"no action", `{"Statement":{"Effect":"Allow","Principal":"*","Resource":"*"}}`,
			"Missing required field Action"},
		{"two actions",
			`{"Statement":{"Effect":"Allow","Principal":"*","Action":"a:b","NotAction":"a:c","Resource":"*"}}`, "Syntax errors in policy."},
		{"an action without a service",
			`{"Statement":{"Effect":"Allow","Principal":"*","Action":"GetItem","Resource":"*"}}`,
			"prefaced by a vendor"},
		{"no resource", `{"Statement":{"Effect":"Allow","Principal":"*","Action":"a:b"}}`,
			"Missing required field Resource"},
		{"a resource that is no ARN",
			`{"Statement":{"Effect":"Allow","Principal":"*","Action":"a:b","Resource":"orders"}}`,
			"must be in ARN format"},
		{"an operator",
			`{"Statement":{"Effect":"Allow","Principal":"*","Action":"a:b","Resource":"*","Condition":{"Equals":{"a:b":"c"}}}}`, "Invalid Condition type : Equals"},
		{"a null", `{"Statement":{"Effect":"Allow","Principal":"*","Action":null,"Resource":"*"}}`,
			"Syntax errors in policy."},
		{"a condition value that is an object",
			`{"Statement":{"Effect":"Allow","Principal":"*","Action":"a:b","Resource":"*","Condition":{"Bool":{"a:b":{}}}}}`, "Syntax errors in policy."},
		{"one Sid twice",
			`{"Statement":[{"Sid":"a","Effect":"Allow","Principal":"*","Action":"a:b","Resource":"*"},{"Sid":"a","Effect":"Allow","Principal":"*","Action":"a:b","Resource":"*"}]}`, "are not unique"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ParseResourcePolicy(c.text)
			assert.ErrorContains(t, err, c.says)
		})
	}
}

// TestDecideForService: only a resource-based policy lets a service in.
func TestDecideForService(t *testing.T) {
	const (
		toService = `{"Service":"replication.dynamodb.amazonaws.com"}`
		byTable   = `{"Statement":{"Effect":"Allow","Principal":` + toService +
			`,"Action":"*","Resource":"*","Condition":{"StringEquals":{"aws:SourceArn":"arn:aws:dynamodb:us-east-1:111122223333:table/orders"}}}}`
		notOthers = `{"Statement":[{"Effect":"Allow","Principal":"*","Action":"*","Resource":"*"},{"Effect":"Deny","NotPrincipal":` + toService + `,"Action":"*","Resource":"*"}]}`
		byCaller  = `{"Statement":{"Effect":"Allow","Principal":"*","Action":"*","Resource":"*","Condition":{"Bool":{"aws:PrincipalIsAWSService":"true"},"StringEquals":{"aws:PrincipalServiceName":"replication.dynamodb.amazonaws.com"}}}}`
	)
	for _, c := range []struct {
		name, attached, source string
		want                   bool
	}{
		{"no policy", "", onTable, false},
		{"for the service", grantedTo(toService), onTable, true},
		{"for another service", grantedTo(`{"Service":"lambda.amazonaws.com"}`), onTable, false},
		{"for the account", grantedTo(`{"AWS":"111122223333"}`), onTable, false},
		{"for anybody", grantedTo(`"*"`), onTable, true},
		{"denied", deniedTo(toService), onTable, false},
		{"from a table", byTable, onTable, true},
		{"from another table", byTable, onTable + "2", false},
		{"but others", notOthers, onTable, true},
		{"by what the caller is", byCaller, onTable, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &Request{Principal: &Principal{Service: "replication.dynamodb.amazonaws.com"},
				Partition: "aws", Action: "dynamodb:GetItem", Resource: onTable, Owner: ofAccount,
				Context: func(key string) []string {
					return map[string][]string{"aws:sourcearn": {c.source}}[key]
				}}
			if c.attached != "" {
				var err error
				r.Attached, err = ParseResourcePolicy(c.attached)
				require.NoError(t, err)
			}
			assert.Equal(t, c.want, Decide(r).Allowed)
		})
	}
}
