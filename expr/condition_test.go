package expr

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// checkValues are the values for tests of checks that need no item.
const checkValues = `{":s":{"S":"b"},":s2":{"S":"a"},":n":{"N":"2"},":n1":{"N":"1"},":b":{"B":"YQ=="},":b2":{"B":"Yg=="},
	":bool":{"BOOL":true},":null":{"NULL":true},":ss":{"SS":["a"]},":ns":{"NS":["1"]},":bs":{"BS":["YQ=="]},
	":l":{"L":[]},":m":{"M":{}},":type":{"S":"SS"}}`

func TestConditionChecks(t *testing.T) {
	const (
		count    = "Incorrect number of operands for operator or function; operator or function: "
		typ      = "Incorrect operand type for operator or function; operator or function: "
		path     = "Operator or function requires a document path; operator or function: "
		distinct = "The first operand must be distinct from the remaining operands for this operator or function; operator: "
	)
	tests := []struct{ name, input, err string }{
		{"every type is equal to something", "a = :bool OR a <> :m OR a IN (:l, :ss, :null)", ""},
		{"undefined name", "#x = :y",
			"An expression attribute name used in the document path is not defined; attribute name: #x"},
		{"undefined value", "a = :y AND #x = :s",
			"An expression attribute value used in expression is not defined; attribute value: :y"},

		{"ordering BOOL", "a < :bool", typ + "<, operand type: BOOL"},
		{"ordering a list", ":l >= a", typ + ">=, operand type: L"},
		{"ordering sets", "a > :ss", typ + ">, operand type: SS"},
		{"ordering strings, numbers, binaries", "a < :s AND a <= :n AND a > :b", ""},
		{"comparing with itself", "a.b = a.b", distinct + "=, first operand: [a, b]"},
		{"comparing with itself through a name", "x[1] < #a[1]",
			distinct + "<, first operand: [x, [1]]"},
		{"comparing with another element", "x[1] < #a[2]", ""},
		{"in itself", "a IN (:s, a)", distinct + "IN, first operand: [a]"},
		{"between itself", "a BETWEEN a AND :s", distinct + "BETWEEN, first operand: [a]"},

		{"100 in IN", "a IN (:s" + strings.Repeat(",:s", 99) + ")", ""},
		{"101 in IN", "a IN (:s" + strings.Repeat(",:s", 100) + ")",
			"The IN operator is provided with too many operands; number of operands: 101"},

		{"bounds", "a BETWEEN :n1 AND :n AND a BETWEEN :b AND :b2 AND a BETWEEN :n AND :n", ""},
		{"bounds turned round", "a BETWEEN :n AND :n1",
			"The BETWEEN operator requires upper bound to be greater than or equal to lower bound; " +
				"lower bound operand: AttributeValue: {N:2}, upper bound operand: AttributeValue: {N:1}"},
		{"strings turned round", "a BETWEEN :s AND :s2",
			"The BETWEEN operator requires upper bound to be greater than or equal to lower bound; " +
				"lower bound operand: AttributeValue: {S:b}, upper bound operand: AttributeValue: {S:a}"},
		{"binaries turned round", "a BETWEEN :b2 AND :b",
			"The BETWEEN operator requires upper bound to be greater than or equal to lower bound; " +
				"lower bound operand: AttributeValue: {B:Yg==}, upper bound operand: AttributeValue: {B:YQ==}"},
		{"bounds of two types", "a BETWEEN :n AND :s",
			"The BETWEEN operator requires same data type for lower and upper bounds; " +
				"lower bound operand: AttributeValue: {N:2}, upper bound operand: AttributeValue: {S:b}"},
		{"bound of a wrong type", "a BETWEEN :n AND :bool", typ + "BETWEEN, operand type: BOOL"},
		{"bounds that are no values", "a BETWEEN b AND c", ""},

		{"attribute_exists of two", "attribute_exists(a, b)",
			count + "attribute_exists, number of operands: 2"},
		{"attribute_exists of a value", "attribute_exists(:s)", path + "attribute_exists"},
		{"attribute_not_exists of a function", "attribute_not_exists(size(a))",
			path + "attribute_not_exists"},
		{"attribute_type of one", "attribute_type(a)",
			count + "attribute_type, number of operands: 1"},
		{"attribute_type of a value", "attribute_type(:s, :type) OR attribute_type(size(a), :type)",
			""},
		{"attribute_type by number", "attribute_type(a, :n)",
			typ + "attribute_type, operand type: N"},
		{"attribute_type by path", "attribute_type(a, b)",
			typ + "attribute_type, operand type: {NS,SS,L,BS,N,M,B,BOOL,NULL,S}"},
		{"attribute_type unknown", "attribute_type(a, :s)",
			"Invalid attribute type name found; type: b, valid types: {N,BS,L,B,NULL,M,S,SS,NS,BOOL}"},
		{"attribute_type", "attribute_type(a, :type)", ""},
		{"begins_with number", "begins_with(a, :n)", typ + "begins_with, operand type: N"},
		{"begins_with in a set", "begins_with(:ss, a)", typ + "begins_with, operand type: SS"},
		{"begins_with size", "begins_with(a, size(b))", typ + "begins_with, operand type: N"},
		{"begins_with itself", "begins_with(a, a)", distinct + "begins_with, first operand: [a]"},
		{"begins_with of values", "begins_with(:s, :b)", ""},
		{"contains in anything", "contains(:n, a) OR contains(:m, a) OR contains(size(a), :bool)",
			""},
		{"contains of anything", "contains(a, :bool) OR contains(a, :l) OR contains(:ns, size(a))",
			""},
		{"contains itself", "contains(a, a)", distinct + "contains, first operand: [a]"},
		{"contains of three", "contains(a, b, c)", count + "contains, number of operands: 3"},
		{"size of two", "size(a, b) = :n", count + "size, number of operands: 2"},
		{"size of a number", "size(:n) = :n", typ + "size, operand type: N"},
		{"size of size", "size(size(a)) = :n", typ + "size, operand type: N"},
		{"size of a map", "size(:m) = :n", ""},
		{"operands go before their operator", "contains(a, size(b, c)) AND a BETWEEN :n AND :n1",
			count + "size, number of operands: 2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, kind := range []Kind{KindCondition, KindFilter} {
				_, err := newScope(t, "#a=x", checkValues).Condition(kind, tt.input)
				want := tt.err
				if want != "" {
					want = "Invalid " + string(kind) + ": " + want
				}
				requireError(t, want, err)
			}
		})
	}
}

const testItem = `{
	"s":{"S":"hello"},"s2":{"S":"world"},"n":{"N":"5"},"neg":{"N":"-1.5"},"b":{"B":"AQID"},"t":{"BOOL":true},"nul":{"NULL":true},
	"ss":{"SS":["x","y"]},"ns":{"NS":["1","2","3"]},"bs":{"BS":["AQ==","Ag=="]},
	"l":{"L":[{"S":"x"},{"N":"1"},{"L":[{"S":"deep"}]}]},
	"m":{"M":{"k":{"S":"v"},"n":{"N":"7"},"quo\"te":{"M":{"x":{"N":"1"}}}}},
	"forty":{"S":"` + "0123456789012345678901234567890123456789" + `"},"es":{"S":""}}`

func TestMatch(t *testing.T) {
	long := strings.Repeat("x", 3000)
	values := `{":hello":{"S":"hello"},":he":{"S":"he"},":z":{"S":"z"},":x":{"S":"x"},":e":{"S":""},":v":{"S":"v"},
		":0":{"N":"0"},":1":{"N":"1"},":2":{"N":"2"},":3":{"N":"3"},":5":{"N":"5"},":50":{"N":"5.0"},":9":{"N":"9"},":40":{"N":"40"},":3000":{"N":"3000"},
		":b":{"B":"AQ=="},":b2":{"B":"AgM="},":t":{"BOOL":true},":f":{"BOOL":false},":nul":{"NULL":true},
		":ss":{"SS":["y","x"]},":ns":{"NS":["1"]},":l":{"L":[{"S":"deep"}]},":m":{"M":{"k":{"S":"v"}}},
		":S":{"S":"S"},":M":{"S":"M"},":BOOL":{"S":"BOOL"},":NULL":{"S":"NULL"},":long":{"S":"` + long + `"}}`
	tests := []struct {
		name  string
		holds string // conditions that hold, separated by ;
		fails string // conditions that don't
	}{
		{"equal", "s = :hello; n = :50; ss = :ss; l[2] = :l; t = :t; nul = :nul; :x = l[0]; m.k = :v; n <> :9; s <> s2",
			"s = :he; s = n; n = :hello; absent = :x; :x = absent; absent = nowhere; m = :m; s <> :hello"},
		{"not equal when absent",
			"absent <> :x; :x <> absent; absent <> nowhere; NOT absent = :x; s <> n", "s = n"},
		{"order of numbers", "n > :3; n >= :5; n <= :5; n < :9; neg < :0; :9 > n; l[1] < n",
			"n < :5; n > :5; neg > :0; n > :9"},
		{"order of strings", "s > :he; s < :z; s <= s2; es < :e OR es = :e",
			"s > :z; s < :he; es < :e"},
		{"order of binaries", "b > :b; b < :b2", "b < :b"},
		{"order of two types", "NOT s < :9; NOT s > :9",
			"s < :9; s > :9; s >= :b; t >= n; ss >= s; l < l[2]"},
		{"order when absent", "NOT absent < :9; NOT :9 < absent",
			"absent < :9; absent >= :0; :9 >= absent; absent >= nowhere"},
		{"between",
			"n BETWEEN :3 AND :9; n BETWEEN :5 AND :5; :5 BETWEEN l[1] AND n; s BETWEEN :he AND :z",
			"n BETWEEN :0 AND :3; s BETWEEN :0 AND :9; absent BETWEEN :0 AND :9; n BETWEEN absent AND :9; n BETWEEN :0 AND s"},
		{"in", "n IN (:1, :5); s IN (n, :hello); l[1] IN (:1)",
			"n IN (:1, :hello); absent IN (:1); absent IN (nowhere); n IN (absent)"},
		{"and, or, not",
			"n = :5 AND s = :hello AND t = :t; n = :1 OR s = :he OR t = :t; NOT n = :1; NOT (n = :5 AND n = :1)",
			"n = :5 AND s = :he; n = :1 OR n = :2; NOT n = :5; NOT (n = :5 OR n = :1)"},
		{"exists",
			"attribute_exists(s); attribute_exists(m.k); attribute_exists(l[2][0]); attribute_exists(nul); attribute_exists(#q.x); attribute_not_exists(absent); attribute_not_exists(m.k.z); attribute_not_exists(l[3]); attribute_not_exists(s.k); attribute_not_exists(s[0]); attribute_not_exists(m[0]); attribute_not_exists(l.k)",
			"attribute_exists(absent); attribute_not_exists(s); attribute_exists(absent.k); attribute_exists(ss[0])"},
		{"type", "attribute_type(s, :S); attribute_type(m, :M); attribute_type(t, :BOOL); attribute_type(nul, :NULL); attribute_type(l[0], :S)",
			"attribute_type(s, :M); attribute_type(absent, :S); attribute_type(ss, :S)"},
		{"begins_with",
			"begins_with(s, :he); begins_with(s, :hello); begins_with(s, :e); begins_with(b, :b); begins_with(:hello, :he)",
			"begins_with(s, :x); begins_with(absent, :he); begins_with(s, absent); begins_with(n, :5x) OR begins_with(n, :e); begins_with(s, :b); begins_with(b, :b2)"},
		{"contains",
			"contains(s, :e); contains(s, :he); contains(ss, :x); contains(ns, :2); contains(bs, :b); contains(b, :b2); contains(l, :x); contains(l, :1); contains(l, :l); contains(:ss, l[0])",
			"contains(s, :z); contains(s, :1); contains(ss, :z); contains(ss, :1); contains(ns, :9); contains(l, :2); contains(absent, :x); contains(s, absent); contains(n, :5); contains(m, :v); contains(ss, :ss)"},
		{"size", "size(s) = :5; size(b) = :3; size(ss) = :2; size(ns) = :3; size(l) = :3; size(m) = :3; size(forty) = :40; size(es) = :0; size(:long) = :3000; size(:long) > size(forty); size(s) = n; n = size(s); size(l) BETWEEN :1 AND :3; size(ss) IN (:1, :2); size(s) <> :hello; contains(ns, size(ss))",
			"size(s) > :5; size(absent) = :0; size(n) = :1; size(t) >= :0; size(nul) >= :0; size(s) = :hello"},
		{"missing size is not equal", "size(absent) <> :0; size(n) <> :0", "size(absent) < :9"},
	}
	it := newItem(t, testItem)
	values = strings.Replace(values, `":S":`, `":5x":{"S":"5"},":S":`, 1)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, src := range strings.Split(tt.holds, "; ") {
				require.True(t, condition(t, values, src).Match(it), src)
			}
			for _, src := range strings.Split(tt.fails, "; ") {
				require.False(t, condition(t, values, src).Match(it), src)
			}
		})
	}
}

func condition(t testing.TB, values, src string) *Condition {
	t.Helper()
	src = strings.ReplaceAll(src, "#q", `m.#q`)
	names := ""
	if strings.Contains(src, "#q") {
		names = `#q=quo"te`
	}
	c, err := newScope(t, names, values).Condition(KindCondition, src)
	require.NoError(t, err, src)
	return c
}

func TestMatchNoItem(t *testing.T) {
	values := `{":v":{"S":"v"}}`
	require.True(t, condition(t, values, "attribute_not_exists(a.b) AND a <> :v").Match(""))
	require.False(t,
		condition(t, values, "attribute_exists(a) OR a = :v OR size(a) = :v").Match(""))
}

func TestConditionAttributes(t *testing.T) {
	c, err := newScope(t, "#a=pk", `{":v":{"S":"v"}}`).Condition(KindFilter,
		"(b.c = :v AND size(#a) > :v) OR attribute_exists(pk) AND NOT b IN (d, :v)")
	require.NoError(t, err)
	require.Equal(t, []string{"b", "pk", "d"}, c.Attributes())
	require.True(t, c.Nests())
	require.True(t, c.Nested("b"))
	require.False(t, c.Nested("pk"))
	require.False(t, c.Nested("c"))
}

func TestKeyCondition(t *testing.T) {
	tests := []struct {
		name, input string
		terms       []KeyTerm
		err         string
	}{
		{"partition key", "#p = :s", []KeyTerm{{Name: "pk", Op: "=", Value: `{"S":"b"}`}}, ""},
		{"both keys", "#p = :s AND sk >= :n",
			[]KeyTerm{{Name: "pk", Op: "=", Value: `{"S":"b"}`},
				{Name: "sk", Op: ">=", Value: `{"N":"2"}`}}, ""},
		{"parentheses", "(#p = :s AND (sk < :n))",
			[]KeyTerm{{Name: "pk", Op: "=", Value: `{"S":"b"}`},
				{Name: "sk", Op: "<", Value: `{"N":"2"}`}}, ""},
		{"the nowhere way round", ":s = #p AND :n1 < sk",
			[]KeyTerm{{Name: "pk", Op: "=", Value: `{"S":"b"}`},
				{Name: "sk", Op: ">", Value: `{"N":"1"}`}}, ""},
		{"between", "sk BETWEEN :n1 AND :n AND #p = :s",
			[]KeyTerm{{Name: "sk", Op: "BETWEEN", Value: `{"N":"1"}`, Hi: `{"N":"2"}`},
				{Name: "pk", Op: "=", Value: `{"S":"b"}`}}, ""},
		{"begins_with", "#p = :s AND begins_with(sk, :s)",
			[]KeyTerm{{Name: "pk", Op: "=", Value: `{"S":"b"}`},
				{Name: "sk", Op: "begins_with", Value: `{"S":"b"}`}}, ""},
		{"four keys", "#p = :s AND b = :n AND c = :n AND d > :n", []KeyTerm{
			{Name: "pk", Op: "=", Value: `{"S":"b"}`}, {Name: "b", Op: "=", Value: `{"N":"2"}`},
			{Name: "c", Op: "=", Value: `{"N":"2"}`}, {Name: "d", Op: ">", Value: `{"N":"2"}`}},
			""},

		{"OR", "#p = :s OR sk = :s", nil, "Invalid operator used in KeyConditionExpression: OR"},
		{"NOT", "NOT #p = :s", nil, "Invalid operator used in KeyConditionExpression: NOT"},
		{"IN", "#p IN (:s)", nil, "Invalid operator used in KeyConditionExpression: IN"},
		{"not equal", "#p <> :s", nil, "Invalid operator used in KeyConditionExpression: <>"},
		{"contains", "#p = :s AND contains(sk, :s)", nil,
			"Invalid operator used in KeyConditionExpression: contains"},
		{"attribute_exists", "attribute_exists(#p)", nil,
			"Invalid operator used in KeyConditionExpression: attribute_exists"},
		{"size", "size(#p) = :n", nil, "KeyConditionExpressions cannot contain nested operations"},
		{"nested path", "#p.a = :s", nil,
			"KeyConditionExpressions cannot have conditions on nested attributes"},
		{"list element", "#p = :s AND sk[0] = :s", nil,
			"KeyConditionExpressions cannot have conditions on nested attributes"},
		{"one key twice", "sk > :n1 AND #p = :s AND sk < :n", nil,
			"Invalid KeyConditionExpression: KeyConditionExpressions must only contain one condition per key"},
		{"two names", "#p = sk", nil,
			"Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition"},
		{"two names in BETWEEN", "#p BETWEEN sk AND :n", nil,
			"Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition"},
		{"no name", ":s = :s2 AND #p = :s", nil,
			"Invalid condition in KeyConditionExpression: No key attribute specified"},
		{"BETWEEN from a value", ":n BETWEEN :n AND sk", nil,
			"Invalid condition in KeyConditionExpression: BETWEEN operator must have the key attribute as its first operand"},
		{"begins_with of a value", "begins_with(:s, sk)", nil,
			"Invalid condition in KeyConditionExpression: begins_with operator must have the key attribute as its first operand"},
		{"syntax", "#p = ", nil,
			`Invalid KeyConditionExpression: Syntax error; token: "<EOF>", near: "= "`},
		{"type", "#p < :bool", nil,
			"Invalid KeyConditionExpression: Incorrect operand type for operator or function; operator or function: <, operand type: BOOL"},
		{"bounds", "#p BETWEEN :n AND :n1", nil,
			"Invalid KeyConditionExpression: The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {N:2}, upper bound operand: AttributeValue: {N:1}"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			terms, err := newScope(t, "#p=pk", checkValues).KeyCondition(tt.input)
			requireError(t, tt.err, err)
			require.Equal(t, tt.terms, terms)
		})
	}
}

// TestConditionIsSettledOnce: a condition without placeholders is bound once for all requests.
func TestConditionIsSettledOnce(t *testing.T) {
	for _, tt := range []struct {
		name, src string
		same      bool
	}{
		{"no placeholder", "attribute_not_exists(pk) AND size(a.b[0]) < size(c)", true},
		{"a name", "attribute_not_exists(#p)", false},
		{"a value", "pk <> :v", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bound := func(kind Kind) *Condition {
				c, err := newScope(t, "#p=pk", `{":v":{"S":"v"}}`).Condition(kind, tt.src)
				require.NoError(t, err)
				return c
			}
			require.Equal(t, tt.same, bound(KindCondition) == bound(KindFilter))
		})
	}
}

func TestWrongConditionIsWrongAgain(t *testing.T) {
	for _, kind := range []Kind{KindCondition, KindFilter, KindCondition} {
		_, err := new(Scope).Condition(kind, "attribute_exists(settled) AND a = a")
		requireError(t,
			"Invalid "+string(kind)+
				": The first operand must be distinct from the remaining operands for this operator or function; "+
				"operator: =, first operand: [a]", err)
	}
}

func TestScopesOfFewDoNotAllocate(t *testing.T) {
	names, values := []Name{{"#a", "x"}, {"#b", "y"}}, newItem(t, `{":v":{"N":"1"},":w":{"N":"2"}}`)
	const src = "attribute_exists(pk)"
	_, err := new(Scope).Condition(KindCondition, src)
	require.NoError(t, err)
	require.Zero(t, testing.AllocsPerRun(100, func() {
		var s Scope
		if s.Open(names, values) != nil {
			panic("no scope")
		}
		if c, err := s.Condition(KindCondition, src); c == nil || err != nil {
			panic("no condition")
		}
	}))
}
