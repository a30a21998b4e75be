package search

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// canonicalOf is the same for requests between which the service sees no difference: the order of
// members, of the elements of a set, of the keys and writes of a batch, of the actions of an update
// and of projected attributes, the names of placeholders, and the token that an SDK makes up.
func canonicalOf(body []byte) string {
	if len(body) == 0 {
		return ""
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return string(body)
	}
	top, _ := v.(map[string]any)
	if token, _ := top["ClientRequestToken"].(string); uuid().MatchString(token) {
		delete(top, "ClientRequestToken")
	}
	if tables, ok := top["RequestItems"].(map[string]any); ok {
		for _, table := range tables {
			sortLists(table)
		}
	}
	canonicalIn(v)
	return jsonText(v)
}

const uuidPattern = `[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}`

// The patterns are compiled at their first use: a program that explores nothing does not pay.
var (
	anyUUID     = compiled(uuidPattern)
	uuid        = compiled("^" + uuidPattern + "$")
	placeholder = compiled(`[#:][A-Za-z0-9_]+`)
	section     = compiled(`(?i)(?:^|\s)(?:SET|REMOVE|ADD|DELETE)\s`)
)

func compiled(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// sortLists sorts the writes of a table of a batch, or its keys.
func sortLists(table any) {
	switch v := table.(type) {
	case []any:
		sortTexts(v)
	case map[string]any:
		if keys, ok := v["Keys"].([]any); ok {
			sortTexts(keys)
		}
	}
}

func sortTexts(list []any) {
	slices.SortFunc(list, func(a, b any) int { return strings.Compare(jsonText(a), jsonText(b)) })
}

func jsonText(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(text)
}

// canonicalIn brings a value of JSON, and those in it, into one form.
func canonicalIn(v any) {
	switch v := v.(type) {
	case []any:
		for _, element := range v {
			canonicalIn(element)
		}
	case map[string]any:
		for _, name := range [...]string{"SS", "NS", "BS"} {
			if set, ok := v[name].([]any); ok && len(v) == 1 {
				sortTexts(set)
			}
		}
		fill(v)
		for _, member := range v {
			canonicalIn(member)
		}
	}
}

// fill puts the names and values of placeholders into the expressions of a request, and sorts what
// has no order there. Placeholders that no expression uses stay.
func fill(request map[string]any) {
	names, _ := request["ExpressionAttributeNames"].(map[string]any)
	values, _ := request["ExpressionAttributeValues"].(map[string]any)
	used := map[string]bool{}
	for member, v := range request {
		text, ok := v.(string)
		if !ok || !strings.HasSuffix(member, "Expression") {
			continue
		}
		if member == "UpdateExpression" {
			text = sortActions(text, func(part string) string {
				return filled(part, names, values, used)
			})
		} else {
			text = filled(text, names, values, used)
		}
		if member == "ProjectionExpression" {
			parts := strings.Split(strings.ReplaceAll(text, " ", ""), ",")
			slices.Sort(parts)
			text = strings.Join(parts, ", ")
		}
		request[member] = text
	}
	for name := range used {
		delete(names, name)
		delete(values, name)
	}
	if names != nil && len(names) == 0 {
		delete(request, "ExpressionAttributeNames")
	}
	if values != nil && len(values) == 0 {
		delete(request, "ExpressionAttributeValues")
	}
}

func filled(text string, names, values map[string]any, used map[string]bool) string {
	return placeholder().ReplaceAllStringFunc(text, func(p string) string {
		of := names
		if p[0] == ':' {
			of = values
		}
		v, ok := of[p]
		if !ok {
			return p
		}
		used[p] = true
		if name, ok := v.(string); ok {
			return name
		}
		canonicalIn(v)
		return jsonText(v)
	})
}

// sortActions sorts the actions of each section of an update, after each got its values.
func sortActions(text string, fill func(string) string) string {
	var sections []string
	for text != "" {
		end := len(text)
		if starts := section().FindAllStringIndex(text, 2); len(starts) > 1 {
			end = starts[1][0]
		}
		part := strings.TrimSpace(text[:end])
		text = text[end:]
		word, rest, _ := strings.Cut(part, " ")
		actions := commas(rest)
		for i, action := range actions {
			actions[i] = fill(strings.TrimSpace(action))
		}
		slices.Sort(actions)
		sections = append(sections, strings.ToUpper(word)+" "+strings.Join(actions, ", "))
	}
	slices.Sort(sections)
	return strings.Join(sections, " ")
}

// commas splits a text at its commas outside of parentheses.
func commas(text string) (parts []string) {
	depth, from := 0, 0
	for i, c := range text {
		switch {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth == 0:
			parts, from = append(parts, text[from:i]), i+1
		}
	}
	return append(parts, text[from:])
}

// text is the request of a worker as the service understands it.
func (t *Pending) text() string {
	if t.canonical == "" {
		t.canonical = t.client.gate.readings.textOf(t.operation, t.body)
	}
	return t.canonical
}

// heard returns what a worker learns from an answer. Ids that the service makes up do not count.
func (st *step) heard() string {
	if st.request != nil && len(st.request.Reads)+len(st.request.Writes) > 0 ||
		streamFootprint(st.operation, st.body) != nil {
		return string(st.answer)
	}
	return anyUUID().ReplaceAllString(string(st.answer), "")
}
