package definition

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// variables resolves ${source:address, default} in a serverless.yml.
type variables struct {
	*reader
	root   map[string]any
	file   string
	files  map[string]any // those that variables name
	staged bool           // the stage is being resolved
}

// variable matches the innermost variables. CloudFormation's ${AWS::Region} has no single colon,
// and ${Name} none at all.
var variable = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\$\{\s*(` +
		`(?:file|strToBool)\([^(){}]*\)[^{}]*|` +
		`[A-Za-z][\w-]*(?:\([^(){}]*\))?:(?:[^:{}][^{}]*)?` + `)\}`)
})

// errUnknownVariable is the error of a variable whose value only the cloud or a program has.
var errUnknownVariable = errors.New("cannot be resolved here")

// resolve replaces the variables in a value. One that cannot be resolved becomes a function that
// says so where a table uses it.
func (v *variables) resolve(value any) any {
	if err := v.enter(); err != nil {
		return map[string]any{unresolved: err.Error()}
	}
	defer v.leave()
	switch value := value.(type) {
	case string:
		return v.text(value)
	case []any:
		list := make([]any, len(value))
		for i := range value {
			list[i] = v.resolve(value[i])
		}
		v.lines.copy(list, value)
		return list
	case map[string]any:
		object := make(map[string]any, len(value))
		for _, name := range sortedKeys(value) {
			object[name] = v.resolve(value[name])
		}
		v.lines.copy(object, value)
		return object
	}
	return value
}

// text replaces the variables in a text. A text that is one variable becomes its value, whatever
// type that has.
func (v *variables) text(text string) any {
	for {
		at := variable().FindStringSubmatchIndex(text)
		if at == nil {
			return text
		}
		whole, inside := text[at[0]:at[1]], strings.TrimSpace(text[at[2]:at[3]])
		found, err := v.lookup(inside)
		if err == nil {
			err = unresolvedError(found, nil)
		}
		if err != nil {
			if errors.Is(err, errUnknownVariable) {
				err = fmt.Errorf("%s %w", whole, err)
			}
			return map[string]any{unresolved: err.Error()}
		}
		if at[0] == 0 && at[1] == len(text) {
			return found
		}
		part, err := scalarText(found)
		if err == nil {
			err = v.budget.Bytes(int64(len(text) + len(part)))
		}
		if err != nil {
			return map[string]any{unresolved: fmt.Sprintf("%s: %v", whole, err)}
		}
		text = text[:at[0]] + part + text[at[1]:]
	}
}

// lookup returns the value of the first of some sources that has one.
func (v *variables) lookup(sources string) (any, error) {
	if err := v.budget.Refer("${" + sources + "}"); err != nil {
		return nil, err
	}
	defer v.budget.Leave()
	asked := ""
	for _, source := range splitSources(sources) {
		source = strings.TrimSpace(source)
		if value, ok := v.literal(source); ok {
			return value, nil
		}
		kind, address, _ := strings.Cut(source, ":")
		if strings.HasPrefix(source, "file(") || strings.HasPrefix(source, "strToBool(") {
			end := strings.IndexByte(source, ')')
			if end < 0 {
				return nil, errUnknownVariable
			}
			kind, address = source[:end+1], strings.TrimPrefix(source[end+1:], ":")
		}
		value, err := v.source(kind, strings.TrimSpace(address))
		if err != nil {
			return nil, err
		}
		if value = v.resolve(value); value != nil {
			return value, nil
		}
		if kind == "opt" || kind == "param" {
			asked = address
		}
	}
	if asked != "" {
		return nil, fmt.Errorf("${%s} has no value: give it with --parameter %s=VALUE", sources,
			asked)
	}
	return nil, errUnknownVariable
}

// splitSources splits at commas that are neither in quotes nor in brackets.
func splitSources(text string) (list []string) {
	begin, quote, open := 0, rune(0), 0
	for i, c := range text {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '(':
			open++
		case c == ')':
			open--
		case c == ',' && open == 0:
			list = append(list, text[begin:i])
			begin = i + 1
		}
	}
	return append(list, text[begin:])
}

// literal returns a value that is written in a variable: 'dev', 5, true, null.
func (v *variables) literal(source string) (any, bool) {
	for _, quote := range [...]string{"'", `"`} {
		if len(source) >= 2 && strings.HasPrefix(source, quote) &&
			strings.HasSuffix(source, quote) {
			return source[1 : len(source)-1], true
		}
	}
	if strings.ContainsAny(source, ":(") || source == "" {
		return nil, false
	}
	value, err := v.document(v.file).yaml([]byte(source))
	return value, err == nil
}

// source returns the value of one source, nil if it has none. Variables in it are not resolved.
func (v *variables) source(kind, address string) (any, error) {
	switch kind {
	case "self":
		return v.find(v.root, address)
	case "opt":
		if value, ok := v.Parameters[address]; ok {
			return value, nil
		}
	case "param":
		if value, ok := v.Parameters[address]; ok {
			return value, nil
		}
		return v.parameter(address), nil
	case "env":
		if value, ok := v.Env(address); ok {
			return value, nil
		}
		return v.dotEnv(address), nil
	case "sls":
		if address == "stage" {
			return v.stage(), nil
		}
	case "aws":
		switch address {
		case "region":
			return v.Region, nil
		case "accountId":
			return v.Account, nil
		}
	default:
		return v.function(kind, address)
	}
	return nil, nil
}

// function returns the value of file(name) or strToBool(text).
func (v *variables) function(kind, address string) (any, error) {
	name, argument, _ := strings.Cut(strings.TrimSuffix(kind, ")"), "(")
	switch name {
	case "strToBool":
		switch strings.ToLower(strings.Trim(strings.TrimSpace(argument), `'"`)) {
		case "true", "1":
			return true, nil
		case "false", "0", "null", "":
			return false, nil
		}
		return nil, fmt.Errorf("strToBool wants true or false, not %q", argument)
	case "file":
		root, err := v.readFile(strings.Trim(strings.TrimSpace(argument), `'"`))
		if err != nil || root == nil {
			return nil, err
		}
		return v.find(root, address)
	}
	return nil, nil
}

// beside returns the path of a file that is named in the serverless.yml.
func (v *variables) beside(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(filepath.Dir(v.file), filepath.FromSlash(name))
}

// readFile returns what a file has. That of a program is unknown.
func (v *variables) readFile(name string) (any, error) {
	path := v.beside(name)
	if value, known := v.files[path]; known {
		return value, nil
	}
	var value any
	switch filepath.Ext(path) {
	case ".js", ".cjs", ".mjs", ".ts", ".toml", ".tfstate":
		return nil, errUnknownVariable
	}
	text, err := readFile(v.ctx, path)
	if err != nil {
		return nil, err
	}
	switch filepath.Ext(path) {
	case ".json":
		value, err = v.document(path).json(text)
	case ".yml", ".yaml":
		value, err = v.document(path).yaml(text)
	default:
		value = strings.TrimSpace(string(text))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	v.files[path] = value
	return value, nil
}

// find returns a value within another one, such as custom.tables.0.name. It returns nil for a
// missing one.
func (v *variables) find(within any, address string) (any, error) {
	if address == "" {
		return within, nil
	}
	for _, name := range strings.Split(address, ".") {
		if text, ok := within.(string); ok {
			within = v.text(text)
		}
		if err := unresolvedError(within, nil); err != nil {
			return nil, err
		}
		switch at := within.(type) {
		case map[string]any:
			within = at[name]
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i < 0 || i >= len(at) {
				return nil, nil
			}
			within = at[i]
		default:
			return nil, nil
		}
	}
	return within, nil
}
