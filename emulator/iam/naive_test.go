package iam

import (
	"encoding/json"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// naive decides about a request from the texts of policies, as the IAM User Guide says in
// "Policy evaluation logic", "Condition operators" and "Principal". It shares no code with Decide.
type naive struct {
	account, user, role, session, team string // the principal's; no user and role: the root user
	identity, sessions                 []string
	boundary, attached                 string // "": none
	action, resource, owner            string
	context                            map[string][]string
}

// names returns the texts by which a Principal can name who makes the request.
func (n *naive) names() (direct, role, account []string) {
	account = []string{n.account, "arn:aws:iam::" + n.account + ":root"}
	switch {
	case n.user != "":
		return []string{"*", "arn:aws:iam::" + n.account + ":user/" + n.user}, nil, account
	case n.role != "":
		return []string{"*",
				"arn:aws:sts::" + n.account + ":assumed-role/" + n.role + "/" +
					n.session}, []string{
				"arn:aws:iam::" + n.account + ":role/" + n.role,
			}, account
	}
	return append([]string{"*"}, account...), nil, nil
}

func (n *naive) allowed() bool {
	root := n.user == "" && n.role == ""
	all := []string{n.attached}
	if !root {
		all = append(append(append(all, n.identity...), n.sessions...), n.boundary)
	}
	for _, p := range all {
		if n.any(p, "Deny", nil) {
			return false
		}
	}
	some := func(policies []string) bool {
		return slices.ContainsFunc(policies, func(p string) bool { return n.any(p, "Allow", nil) })
	}
	identity := root || some(n.identity)
	limits := root || (n.boundary == "" || some([]string{n.boundary})) &&
		(n.sessions == nil || some(n.sessions))
	direct, role, account := n.names()
	toMe, toRole := n.any(n.attached, "Allow", direct), role != nil &&
		n.any(n.attached, "Allow", role)
	if n.owner != n.account {
		return identity && limits &&
			(toMe || toRole || account != nil && n.any(n.attached, "Allow", account))
	}
	return toMe || (identity || toRole) && limits
}

// any reports whether a statement with an effect applies. With names, its Principal must have one
// of them.
func (n *naive) any(policy, effect string, names []string) bool {
	if policy == "" {
		return false
	}
	var d map[string]any
	if err := json.Unmarshal([]byte(policy), &d); err != nil {
		panic(err)
	}
	for _, s := range d["Statement"].([]any) {
		if s := s.(map[string]any); s["Effect"] == effect && n.principal(s, names) && n.about(s) &&
			n.conditions(s["Condition"]) {
			return true
		}
	}
	return false
}

func list(v any) (texts []string) {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		for _, e := range v {
			texts = append(texts, e.(string))
		}
	}
	return texts
}

func (n *naive) principal(s map[string]any, names []string) bool {
	direct, role, account := n.names()
	mine := slices.Concat(direct, role, account)
	if not, ok := s["NotPrincipal"].(map[string]any); ok {
		named := list(not["AWS"])
		has := func(of []string) bool {
			return slices.ContainsFunc(of,
				func(name string) bool { return slices.Contains(named, name) })
		}
		exempt := has([]string{"*"}) || has(direct) && (account == nil || has(account)) &&
			(role == nil || has(role))
		return !exempt && (names == nil || slices.Equal(names, direct))
	}
	given, ok := s["Principal"]
	if !ok {
		return true
	}
	if names == nil {
		names = mine
	}
	if text, ok := given.(string); ok {
		return slices.Contains(names, text)
	}
	return slices.ContainsFunc(list(given.(map[string]any)["AWS"]),
		func(name string) bool { return slices.Contains(names, name) })
}

func (n *naive) about(s map[string]any) bool {
	action := func(pattern string) bool {
		return regexp.MustCompile("(?i)^" + wild(pattern, ".*") + "$").MatchString(n.action)
	}
	resource := func(pattern string) bool {
		expanded, ok := n.expand(pattern)
		return ok &&
			regexp.MustCompile(
				"^"+strings.ReplaceAll(wild(expanded, "[^:]*"), "[^:]*:", ".*:")+"$").MatchString(
				n.resource) ||
			ok && strings.HasSuffix(expanded, "*") &&
				regexp.MustCompile(
					"^"+strings.ReplaceAll(wild(strings.TrimSuffix(expanded, "*"), "[^:]*"),
						"[^:]*:", ".*:")+".*$").MatchString(n.resource)
	}
	both := func(yes, no string, matches func(string) bool) bool {
		if not := list(s[no]); not != nil {
			return !slices.ContainsFunc(not, matches)
		}
		return slices.ContainsFunc(list(s[yes]), matches)
	}
	return both("Action", "NotAction", action) && both("Resource", "NotResource", resource)
}

// wild returns the regular expression of a pattern.
func wild(pattern, star string) string {
	quoted := regexp.QuoteMeta(pattern)
	return strings.ReplaceAll(strings.ReplaceAll(quoted, `\*`, star), `\?`, ".")
}

var variables = regexp.MustCompile(`\$\{([^}]*)\}`)

// expand replaces variables. The values have no wildcards here.
func (n *naive) expand(text string) (string, bool) {
	ok := true
	text = variables.ReplaceAllStringFunc(text, func(v string) string {
		values := n.values(v[2 : len(v)-1])
		if len(values) != 1 {
			ok = false
			return ""
		}
		return values[0]
	})
	return text, ok
}

func (n *naive) values(key string) []string {
	switch {
	case key == "aws:username" && n.user != "":
		return []string{n.user}
	case key == "aws:PrincipalTag/team" && n.team != "":
		return []string{n.team}
	case key == "aws:PrincipalAccount":
		return []string{n.account}
	}
	return n.context[key]
}

func (n *naive) conditions(given any) bool {
	all, _ := given.(map[string]any)
	for operator, keys := range all {
		for key, wanted := range keys.(map[string]any) {
			if !n.condition(operator, key, list(wanted)) {
				return false
			}
		}
	}
	return true
}

func (n *naive) condition(operator, key string, wanted []string) bool {
	values := n.values(key)
	if operator == "Null" {
		return slices.Contains(wanted, strconv.FormatBool(len(values) == 0))
	}
	var known []string
	for _, w := range wanted {
		if expanded, ok := n.expand(w); ok {
			known = append(known, expanded)
		}
	}
	wanted = known
	quantifier, base, found := strings.Cut(operator, ":")
	if !found {
		quantifier, base = "", operator
	}
	base, ifExists := strings.CutSuffix(base, "IfExists")
	negated := strings.Contains(base, "Not")
	base = strings.Replace(base, "Not", "", 1)
	if len(values) == 0 {
		return ifExists || quantifier == "ForAllValues" || quantifier == "" && negated
	}
	holds := 0
	for _, v := range values {
		if slices.ContainsFunc(wanted,
			func(w string) bool { return compare(base, v, w) }) != negated {
			holds++
		}
	}
	if quantifier == "ForAllValues" || quantifier == "" && negated {
		return holds == len(values)
	}
	return holds > 0
}

// compare is the comparison of an operator without Not.
func compare(operator, value, wanted string) bool {
	switch operator {
	case "StringEquals":
		return value == wanted
	case "StringEqualsIgnoreCase":
		return strings.EqualFold(value, wanted)
	case "StringLike":
		return regexp.MustCompile("^" + wild(wanted, ".*") + "$").MatchString(value)
	case "NumericLessThan":
		a, err := strconv.Atoi(value)
		b, _ := strconv.Atoi(wanted)
		return err == nil && a < b
	case "Bool":
		return strings.EqualFold(value, wanted)
	case "IpAddress":
		a, err := netip.ParseAddr(value)
		return err == nil && netip.MustParsePrefix(wanted).Contains(a)
	}
	panic("no comparison for " + operator)
}
