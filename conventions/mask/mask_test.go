package mask

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"

	_ "github.com/kugiri-db/kugiri/storage/rapidseed" // fixes the seed
)

var secret = []byte("a secret of tests")

// TestPermutation masks all values of small formats: the results are the values of the format.
func TestPermutation(t *testing.T) {
	numbers := func(format string, from, to int) (all []string) {
		for n := from; n <= to; n++ {
			all = append(all, fmt.Sprintf(format, n))
		}
		return all
	}
	number := func(k key, s string) string { return k.permuteNumber(s, 0, 0) }
	text := func(k key, s string) string { return k.permuteText(s, 0, 0) }
	for _, c := range []struct {
		name string
		mask func(key, string) string
		all  []string
	}{
		{"a digit", text, numbers("%d", 0, 9)},
		{"whole numbers as texts", text, numbers("%d", 100, 999)},
		{"whole numbers", number, numbers("%d", 100, 999)},
		{"texts with leading zeros", text, numbers("%04d", 0, 999)},
		{"negative numbers", number, numbers("-%d", 10, 99)},
		{"with the first kept", func(k key, s string) string { return k.permuteText(s, 1, 0) },
			numbers("%d", 1000, 2999)},
		{"with the last kept", func(k key, s string) string { return k.permuteText(s, 0, 2) },
			numbers("#%03d", 0, 999)},
		{"powers of ten", number,
			[]string{"1E+100", "2E+100", "3E+100", "4E+100", "5E+100", "6E+100", "7E+100", "8E+100",
				"9E+100"}},
		{"small fractions", number,
			[]string{"0.001", "0.002", "0.003", "0.004", "0.005", "0.006", "0.007", "0.008",
				"0.009"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var masked []string
			changed := 0
			for _, s := range c.all {
				m := c.mask(key{secret}, s)
				masked = append(masked, m)
				if m != s {
					changed++
				}
			}
			assert.GreaterOrEqual(t, changed, len(c.all)/2)
			assert.ElementsMatch(t, c.all, masked)
		})
	}
}

// TestLargePermutation masks neighbours in domains that are too large to list.
func TestLargePermutation(t *testing.T) {
	seen := map[string]bool{}
	for n := range 20_000 {
		s := fmt.Sprintf("order-%012d", n)
		m := key{secret}.permuteText(s, 0, 0)
		require.False(t, seen[m])
		seen[m] = true
	}
}

func TestText(t *testing.T) {
	for _, c := range []struct{ name, text, form string }{
		{"words", "Ann O'Neil-Smith", `^[A-Z][a-z]{2} [A-Z]'[A-Z][a-z]{3}-[A-Z][a-z]{4}$`},
		{"another script", "山田 たろう カナ ﾊﾝｶｸ",
			`^\p{Han}{2} \p{Hiragana}{3} \p{Katakana}{2} [ｦ-ﾝ]{4}$`},
		{"Greek and Cyrillic", "Αλφα Анна", `^\p{Greek}{4} \p{Cyrillic}{4}$`},
		{"a UUID", "0189c3a4-9b7e-7cde-8f01-23456789abcd",
			`^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$`},
		{"a ULID", "01HX7MBJK3V9WQBZ7XNDK5ZT2M", `^[0-7][0-9A-HJKMNP-TV-Z]{25}$`},
		{"marks stay", "+81 (3) 1234-5678", `^\+\d\d \(\d\) \d{4}-\d{4}$`},
		{"a letter of a rare script", "ꀀ", `^\p{L}$`},
	} {
		t.Run(c.name, func(t *testing.T) {
			masked := key{secret}.permuteText(c.text, 0, 0)
			assert.Regexp(t, c.form, masked)
			assert.NotEqual(t, c.text, masked)
		})
	}
	long := strings.Repeat("a secret text ", 1000)
	masked, other := key{secret}.permuteText(long, 0,
		0), key{secret}.permuteText(long[:len(long)-2]+"u ", 0, 0)
	assert.NotEqual(t, masked[:60], other[:60], "the beginning depends on all of the text")
	other = key{secret}.permuteText("b"+long[1:], 0, 0)
	assert.NotEqual(t, masked[1000:1060], other[1000:1060], "the rest depends on the beginning")
}

// TestFormat: each text keeps its length, its marks and its scripts.
func TestFormat(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		k := key{rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "secret")}
		first, last := rapid.IntRange(0, 4).Draw(t, "first"), rapid.IntRange(0, 4).Draw(t, "last")
		masked := k.permuteText(text, first, last)
		require.Equal(t, masked, k.permuteText(text, first, last))
		require.Equal(t, utf8.RuneCountInString(text), utf8.RuneCountInString(masked))
		if utf8.ValidString(text) {
			require.Len(t, masked, len(text))
		}
		is, was := []rune(masked), []rune(text)
		for i := range is {
			if !isWord(was[i]) {
				require.Equal(t, was[i], is[i])
			}
			require.Equal(t, unicode.IsNumber(was[i]) || unicode.IsLetter(was[i]), isWord(is[i]))
		}
	})
}

// TestDistinct: different texts become different texts, also where formats are much alike.
func TestDistinct(t *testing.T) {
	alike := rapid.OneOf(rapid.StringMatching(`[0-9]{1,3}`),
		rapid.StringMatching(`[0-7][0-9A-HJKMNP-TV-ZU]{25}`),
		rapid.StringMatching(`[0-9a]{8}-[0-9a]{4}-[0-9a]{4}-[0-9A]{4}-[0-9a]{12}`),
		rapid.StringMatching(`[ab]{1,2}@[ab]`), rapid.String())
	rapid.Check(t, func(t *rapid.T) {
		k := key{rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "secret")}
		texts := rapid.SliceOfNDistinct(alike, 2, 30, rapid.ID).Draw(t, "texts")
		as := rapid.SampledFrom([]As{Text, Email}).Draw(t, "as")
		p := (&Method{As: as}).with(k)
		seen := map[string]string{}
		for _, text := range texts {
			if !utf8.ValidString(text) {
				continue
			}
			masked, err := p.text(text)
			require.NoError(t, err)
			require.NotContains(t, seen, masked, "%q and %q become the same", seen[masked], text)
			seen[masked] = text
		}
	})
}

// TestNumbers: a number stays one of DynamoDB, as large and with as many digits.
func TestNumbers(t *testing.T) {
	form := `-?(0|[1-9][0-9]{0,20})(\.[0-9]{0,15}[1-9])?|-?[1-9](\.[0-9]{0,10}[1-9])?E[+-]1?[0-9]{1,2}|[1-9][0-9]{0,37}0{0,80}`
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.StringMatching(form).Draw(t, "number")
		masked := key{secret}.permuteNumber(n, 0, 0)
		require.Len(t, masked, len(n))
		is, err := strconv.ParseFloat(masked, 64)
		require.NoError(t, err)
		was, err := strconv.ParseFloat(n, 64)
		require.NoError(t, err)
		require.Equal(t, was < 0, is < 0)
		require.LessOrEqual(t, significant(masked), max(maxDigits, significant(n)))
	})
	p := (&Method{As: Text}).with(key{secret})
	text, err := p.text("4711")
	require.NoError(t, err)
	number, err := p.number("4711")
	require.NoError(t, err)
	assert.Equal(t, text, number, "a number is joined with its text")
}

// significant returns how many significant digits a number has.
func significant(n string) int {
	mantissa, _, _ := strings.Cut(n, "E")
	digits := strings.Trim(strings.NewReplacer("-", "", ".", "").Replace(mantissa), "0")
	return len(digits)
}

func TestDates(t *testing.T) {
	p := (&Method{As: Date, Days: 30}).with(key{secret})
	days := p.days()
	assert.NotZero(t, days)
	for _, c := range []struct{ name, in, out string }{
		{"a date", "2026-01-31", day("2026-01-31", days)},
		{"a time", "2026-01-31T12:34:56.789+09:00",
			day("2026-01-31", days) + "T12:34:56.789+09:00"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, err := p.text(c.in)
			require.NoError(t, err)
			assert.Equal(t, c.out, out)
		})
	}
	for unit, n := range map[int64]int64{
		1: 1_767_225_600, 1e3: 1_767_225_600_123, 1e6: 1_767_225_600_123_456,
		1e9: 1_767_225_600_123_456_789,
	} {
		out, err := p.number(strconv.FormatInt(n, 10))
		require.NoError(t, err)
		assert.Equal(t, strconv.FormatInt(n+int64(days)*86400*unit, 10), out)
	}
	for _, wrong := range []string{"", "soon", "2026-13-01", "20261301"} {
		_, err := p.text(wrong)
		require.ErrorIs(t, err, errNoDate)
	}
	_, err := p.number("-5")
	require.ErrorIs(t, err, errNoDate)
}

const example = `
rules:
  - {attribute: pk, pattern: "CUSTOMER#{customer}", parts: {customer: text}}
  - {attribute: sk, pattern: "ORDER#{day}#{order}", parts: {day: date, order: {as: text, last: 2}}}
  - {attribute: [pk], as: text}
  - {attribute: sk, as: keep}
  - {attribute: customer, as: text}
  - {attribute: mail, as: email}
  - {attribute: address.street, as: text}
  - {attribute: address.*, as: drop}
  - {tables: [orders], attribute: note, as: constant, value: gone}
  - {attribute: name, when: {attribute: type, is: [CUSTOMER]}, as: text}
  - {attribute: contacts.*.phone, as: text}
`

func parse(t *testing.T, text string) *Mask {
	t.Helper()
	m, err := Parse([]byte(text))
	require.NoError(t, err)
	return m
}

func masker(t *testing.T, text string, strict bool) *Masker {
	t.Helper()
	m, err := parse(t, text).Table("orders", []string{"pk", "sk"}, secret, strict)
	require.NoError(t, err)
	return m
}

func s(text string) types.AttributeValue { return &types.AttributeValueMemberS{Value: text} }

func TestItem(t *testing.T) {
	m := masker(t, example, false)
	item := Item{
		"pk": s("CUSTOMER#4711"), "sk": s("ORDER#2026-01-31#A17"),
		"customer": &types.AttributeValueMemberN{Value: "4711"}, "mail": s("ann@acme.co.jp"),
		"address": &types.AttributeValueMemberM{
			Value: Item{"street": s("Main Street 5"), "city": s("Kyoto")},
		},
		"note": &types.AttributeValueMemberSS{Value: []string{"a", "b"}},
		"name": s("Ann"),
		"type": s("ORDER"),
		"contacts": &types.AttributeValueMemberL{
			Value: []types.AttributeValue{
				&types.AttributeValueMemberM{
					Value: Item{
						"ann@acme.co.jp": &types.AttributeValueMemberM{
							Value: Item{"phone": s("555 1234"), "fax": s("+81 3 1234 5678")},
						},
					},
				},
			},
		},
		"flag": &types.AttributeValueMemberBOOL{Value: true},
	}
	masked, err := m.Item(item)
	require.NoError(t, err)
	text := func(v types.AttributeValue) string { return v.(*types.AttributeValueMemberS).Value }

	customer := strings.TrimPrefix(text(masked["pk"]), "CUSTOMER#")
	assert.Equal(t, customer, masked["customer"].(*types.AttributeValueMemberN).Value,
		"the key and the reference stay joined")
	assert.NotEqual(t, "4711", customer)
	assert.Regexp(t, `^ORDER#202[56]-\d\d-\d\d#[A-Z]17$`, text(masked["sk"]))
	assert.Regexp(t, `^[a-z]{3}@[a-z]{4}\.[a-z]{2}\.[a-z]{2}\.example$`, text(masked["mail"]))
	address := masked["address"].(*types.AttributeValueMemberM).Value
	assert.Regexp(t, `^[A-Z][a-z]{3} [A-Z][a-z]{5} \d$`, text(address["street"]))
	assert.NotContains(t, address, "city")
	assert.Equal(t, []string{"gone"}, masked["note"].(*types.AttributeValueMemberSS).Value)
	assert.Equal(t, "Ann", text(masked["name"]), "the condition does not hold")
	assert.Equal(t, s("CUSTOMER#4711"), item["pk"], "the item did not change")

	summary := m.Report().Summary()
	assert.Equal(t, int64(1), summary.Items)
	unmasked := map[string]map[string]int64{}
	for _, p := range summary.Paths {
		if p.As == "" {
			unmasked[p.Path] = p.Looks
		}
	}
	assert.Equal(t,
		map[string]map[string]int64{
			"name": nil, "type": nil, "flag": nil,
			"contacts.ann@acme.co.jp.fax": {"a phone number": 1},
		}, unmasked)
	assert.True(t,
		slices.ContainsFunc(summary.Paths,
			func(p Path) bool { return p.Path == "contacts.*.phone" && p.As == "text" }))

	_, err = masker(t, example, true).Item(item)
	var refused *UnmaskedError
	require.ErrorAs(t, err, &refused)
}

// TestRemarks: the report finds personal data in all that stays, wherever it is.
func TestRemarks(t *testing.T) {
	mail, phone := map[string]int64{"an e-mail address": 1}, map[string]int64{"a phone number": 1}
	card := map[string]int64{"a card number": 1}
	object := func(name string) types.AttributeValue {
		return &types.AttributeValueMemberM{Value: Item{name: s("x")}}
	}
	const address = "ann@acme.com"
	for _, c := range []struct {
		name, rule   string
		value        types.AttributeValue
		looks, names map[string]int64
	}{
		{"no rule", "{attribute: b, as: keep}", s(address), mail, nil},
		{"keep", "{attribute: a, as: keep}", s(address), mail, nil},
		{"a long text", "{attribute: a, as: keep}", s(strings.Repeat("text ", 200) + address), mail,
			nil},
		{"a text before a host of .example", "{attribute: a, as: keep}",
			s(address + " not www.example"), mail, nil},
		{"an address of .example", "{attribute: a, as: keep}", s("ann@acme.example"), nil, nil},
		{"a phone number in a text", "{attribute: a, as: keep}", s("call +81 3 1234 5678"), phone,
			nil},
		{"a card number in a text", "{attribute: a, as: keep}", s("card 4111 1111 1111 1111"), card,
			nil},
		{"other digits in a text", "{attribute: a, as: keep}", s("card 4111 1111 1111 1112"), nil,
			nil},
		{"a binary", "{attribute: a, as: keep}",
			&types.AttributeValueMemberB{Value: []byte(address)}, mail, nil},
		{"a set of binaries", "{attribute: a, as: keep}",
			&types.AttributeValueMemberBS{Value: [][]byte{{0xff}, []byte(address)}}, mail, nil},
		{"a part that stays",
			`{attribute: a, pattern: "USER#{user}#{n}", parts: {user: keep, n: text}}`,
			s("USER#" + address + "#17"), mail, nil},
		{"a part that is masked",
			`{attribute: a, pattern: "USER#{user}#{n}", parts: {user: email, n: keep}}`,
			s("USER#" + address + "#17"), nil, nil},
		{"a text of which all stays", "{attribute: a, as: text, first: 99}", s(address), mail, nil},
		{"a text that is masked", "{attribute: a, as: text}", s(address), nil, nil},
		{"a name", "{attribute: a, as: text}", object(address), nil, mail},
		{"a name that a rule does not tell", `{attribute: "a.*", as: text}`, object(address), nil,
			mail},
		{"a name that is dropped", `{attribute: "a.*", as: drop}`, object(address), nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := masker(t, "rules: ["+c.rule+"]", false)
			_, err := m.Item(Item{"a": c.value})
			require.NoError(t, err)
			paths := m.Report().Summary().Paths
			require.Len(t, paths, 1)
			assert.Equal(t, c.looks, paths[0].Looks)
			assert.Equal(t, c.names, paths[0].Names)
		})
	}
}

// TestManyPaths: a report has a limit, and says what is unmasked beyond it.
func TestManyPaths(t *testing.T) {
	m := masker(t, "rules: [{attribute: masked, as: text}]", false)
	members := Item{}
	for i := range MaxPaths {
		members[fmt.Sprint(i)] = s("x")
	}
	_, err := m.Item(Item{"masked": &types.AttributeValueMemberM{Value: members}})
	require.NoError(t, err)
	for _, name := range []string{"a", "b"} {
		_, err = m.Item(Item{name: s("ann@acme.com"), "masked": s("x")})
		require.NoError(t, err)
	}
	paths := m.Report().Summary().Paths
	require.Len(t, paths, MaxPaths+2)
	assert.Equal(t, []Path{
		{Types: map[string]int64{"S": 2}, Looks: map[string]int64{"an e-mail address": 2}},
		{As: "text", Types: map[string]int64{"S": 2}},
	}, paths[:2])
}

// TestDrop: nothing of a value that is dropped stays, also of empty maps and lists in it.
func TestDrop(t *testing.T) {
	m := masker(t,
		"rules: [{attribute: pk, as: keep}, {attribute: a.b, as: keep}, {attribute: a, as: drop}]",
		true)
	list := func(values ...types.AttributeValue) types.AttributeValue {
		return &types.AttributeValueMemberL{Value: values}
	}
	object := func(values Item) types.AttributeValue {
		return &types.AttributeValueMemberM{Value: values}
	}
	for _, c := range []struct {
		name string
		a    types.AttributeValue
		want types.AttributeValue
	}{
		{"a text", s("x"), nil},
		{"an empty map", object(Item{}), nil},
		{"an empty list", list(), nil},
		{"a list of lists", list(list(), list(s("x"), object(Item{"c": s("x")}))), nil},
		{"a map of maps",
			object(Item{"c": object(Item{}), "d": &types.AttributeValueMemberBOOL{Value: true}}),
			nil},
		{"a member that stays", object(Item{"b": s("x"), "c": s("y")}), object(Item{"b": s("x")})},
	} {
		t.Run(c.name, func(t *testing.T) {
			masked, err := m.Item(Item{"pk": s("1"), "a": c.a})
			require.NoError(t, err)
			assert.Equal(t, c.want, masked["a"])
			assert.Equal(t, c.want != nil, len(masked) == 2)
		})
	}
}

// TestKeysStayDifferent: items stay as many as they are, whatever rules their keys fall under.
func TestKeysStayDifferent(t *testing.T) {
	m := masker(t, `
rules:
  - {attribute: pk, pattern: "A{x}B{y}", parts: {x: text, y: {as: text, domain: y}}}
  - {attribute: pk, pattern: "{x}-{y}", parts: {x: {as: text, domain: other}, y: keep}}
  - {attribute: "*", as: drop}
  - {attribute: "*", as: constant, value: x}
  - {attribute: pk, as: text}
`, false)
	value := rapid.OneOf(rapid.StringMatching(`[AB]{1,6}`),
		rapid.StringMatching(`[AB]{1,3}-[AB]{1,3}`),
		rapid.StringMatching(`A[AB]{0,2}B[AB0-9]{0,2}`))
	rapid.Check(t, func(t *rapid.T) {
		seen := map[string]bool{}
		for _, pk := range rapid.SliceOfNDistinct(value, 1, 40, rapid.ID).Draw(t, "keys") {
			item, err := m.Item(Item{"pk": s(pk), "other": s("x")})
			require.NoError(t, err)
			masked := item["pk"].(*types.AttributeValueMemberS).Value
			require.False(t, seen[masked], masked)
			seen[masked] = true
			require.NotContains(t, item, "other")
		}
	})
}

// TestNumbersStayDifferent: different numbers become different numbers, whatever digits they have.
func TestNumbersStayDifferent(t *testing.T) {
	forms := rapid.OneOf(rapid.StringMatching(`0|[1-9][0-9]{0,3}`),
		rapid.StringMatching(`-[1-9][0-9]{0,2}`),
		rapid.StringMatching(`-?(0|[1-9][0-9]?)\.[0-9]{0,3}[1-9]`),
		rapid.StringMatching(`[1-9][0-9]{0,40}0{0,60}`), rapid.StringMatching(`-?0\.0{0,40}[1-9]`))
	rapid.Check(t, func(t *rapid.T) {
		k := key{rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "secret")}
		numbers := rapid.SliceOfNDistinct(forms, 2, 40,
			func(n string) string { return value(n).RatString() }).Draw(t, "numbers")
		first, last := rapid.IntRange(0, 2).Draw(t, "first"), rapid.IntRange(0, 2).Draw(t, "last")
		seen := map[string]string{}
		for _, n := range numbers {
			if significant(n) > maxDigits {
				continue
			}
			masked := k.permuteNumber(n, first, last)
			require.NotContains(t, seen, value(masked).RatString(), "%s and %s become %s",
				seen[value(masked).RatString()], n, masked)
			seen[value(masked).RatString()] = n
			require.LessOrEqual(t, significant(masked), maxDigits)
		}
	})
}

// value returns a number as DynamoDB compares it.
func value(n string) *big.Rat {
	r, ok := new(big.Rat).SetString(n)
	if !ok {
		panic(n)
	}
	return r
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ name, text, says string }{
		{"nothing", "rules: []", "there are no rules"},
		{"an unknown field", "rules:\n  - {attribute: a, as: text, how: b}",
			"line 2: rules[0].how"},
		{"no attribute", "rules:\n  - {as: text}",
			"line 2: rules[0]: attribute names what is masked"},
		{"no method", "rules:\n  - {attribute: a}", "as says what becomes of the value"},
		{"another method", "rules:\n  - {attribute: a, as: name}", "line 2: rules[0].as"},
		{"a constant without a value", "rules:\n  - {attribute: a, as: constant}",
			"constant needs a value"},
		{"parts without text between",
			`rules: [{attribute: a, pattern: "{x}{y}", parts: {x: text, y: text}}]`,
			"there must be text between {x} and the next part"},
		{"a part that is missing", `rules: [{attribute: a, pattern: "{x}#{y}", parts: {x: text}}]`,
			"{y} is missing"},
		{"a part too many", `rules: [{attribute: a, pattern: "{x}", parts: {x: text, z: text}}]`,
			"the pattern has no {z}"},
		{"a part that is dropped", `rules: [{attribute: a, pattern: "{x}", parts: {x: drop}}]`,
			"{x} cannot be drop"},
		{"a pattern and a method",
			`rules: [{attribute: a, as: text, pattern: "{x}", parts: {x: text}}]`,
			"as and pattern do not go together"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse([]byte(c.text))
			require.ErrorContains(t, err, c.says)
		})
	}
	for name, text := range map[string]string{
		"a key that is dropped":       "rules: [{attribute: pk, as: drop}]",
		"a key under a condition":     "rules: [{attribute: pk, when: {attribute: type, is: [a]}, as: text}]",
		"a key that becomes constant": "rules: [{attribute: sk, as: constant, value: a}]",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := parse(t, text).Table("orders", []string{"pk", "sk"}, secret, false)
			require.ErrorContains(t, err, "is a key of orders")
		})
	}
	_, err := parse(t, example).Table("orders", nil, []byte("short"), false)
	require.ErrorContains(t, err, "the secret has 5 bytes")
}

// TestSchema: the schema accepts what Parse accepts.
func TestSchema(t *testing.T) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource("mask.schema.json", doc))
	compiled, err := c.Compile("mask.schema.json")
	require.NoError(t, err)
	for text, valid := range map[string]bool{
		example:                          true,
		"rules: []":                      false,
		"rules: [{attribute: a}]":        false,
		"rules: [{attribute: a, as: b}]": false,
		`rules: [{attribute: a, pattern: "{x}"}]`: false,
	} {
		var v any
		require.NoError(t, yaml.Unmarshal([]byte(text), &v))
		j, err := json.Marshal(v)
		require.NoError(t, err)
		v, err = jsonschema.UnmarshalJSON(bytes.NewReader(j))
		require.NoError(t, err)
		assert.Equal(t, valid, compiled.Validate(v) == nil, text)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(example))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := Parse(text)
		if err != nil {
			return
		}
		masker, err := m.Table("orders", []string{"pk"}, secret, false)
		if err != nil {
			return
		}
		_, _ = masker.Item(Item{"pk": s("CUSTOMER#1"), "a": s("b")})
	})
}

// TestLongTexts: neighbours in a format that is longer than what is permuted at once stay
// different.
func TestLongTexts(t *testing.T) {
	for _, at := range []int{0, headDigits - 1, headDigits, headDigits + 40} {
		seen := map[string]bool{}
		for a := 'a'; a <= 'z'; a++ {
			text := []rune(strings.Repeat("a", headDigits+41))
			text[at] = a
			masked := key{secret}.permuteText(string(text), 0, 0)
			require.False(t, seen[masked])
			seen[masked] = true
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		k := key{rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "secret")}
		seen := map[string]bool{}
		for _, b := range rapid.SliceOfNDistinct(rapid.SliceOfN(rapid.Byte(), 60, 70), 2, 20,
			func(b []byte) string { return string(b) }).Draw(t, "binaries") {
			masked := string(k.permuteBytes(b))
			require.Len(t, masked, len(b))
			require.False(t, seen[masked])
			seen[masked] = true
		}
	})
}

func BenchmarkLongText(b *testing.B) {
	text := strings.Repeat("some text ", 100)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		key{secret}.permuteText(text, 0, 0)
	}
}

func BenchmarkItem(b *testing.B) {
	m, err := Parse([]byte(example))
	require.NoError(b, err)
	masker, err := m.Table("orders", []string{"pk", "sk"}, secret, false)
	require.NoError(b, err)
	item := Item{"pk": s("CUSTOMER#01HX7MBJK3V9WQBZ7XNDK5ZT2M"), "sk": s("ORDER#2026-01-31#17"),
		"mail":    s("ann@acme.co.jp"),
		"address": &types.AttributeValueMemberM{Value: Item{"street": s("Main Street 5")}},
		"note":    s("a note"), "amount": &types.AttributeValueMemberN{Value: "12.50"}}
	for b.Loop() {
		if _, err := masker.Item(item); err != nil {
			b.Fatal(err)
		}
	}
}

// day returns a date moved by days.
func day(date string, days int) string {
	at, err := time.Parse(time.DateOnly, date)
	if err != nil {
		panic(err)
	}
	return at.AddDate(0, 0, days).Format(time.DateOnly)
}
