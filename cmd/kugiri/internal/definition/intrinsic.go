package definition

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// stack evaluates the values of a CloudFormation template (User Guide, "Intrinsic function
// reference").
type stack struct {
	*reader
	file       string
	parameters map[string]any
	mappings   map[string]any
	conditions map[string]any
	resources  map[string]any
	outputs    map[string]any
	inner      map[string]output // outputs of the stacks that were read within this, by resource
	name       string
	names      map[string]string // names of tables, by their resources
	holds      map[string]bool   // whether conditions do
	replicas   []customReplica
}

// noValue removes the property that has it: AWS::NoValue.
type noValue struct{}

// eval returns a value without intrinsic functions.
func (s *stack) eval(v any) (any, error) {
	if err := s.enter(); err != nil {
		return nil, err
	}
	defer s.leave()
	switch v := v.(type) {
	case []any:
		list := make([]any, 0, len(v))
		for _, element := range v {
			e, err := s.eval(element)
			if err != nil {
				return nil, err
			}
			if e != (noValue{}) {
				list = append(list, e)
			}
		}
		return list, nil
	case map[string]any:
		if name, argument, is := intrinsic(v); is {
			return s.call(name, argument)
		}
		object := make(map[string]any, len(v))
		for _, name := range sortedKeys(v) {
			m, err := s.eval(v[name])
			if err != nil {
				return nil, err
			}
			if m != (noValue{}) {
				object[name] = m
			}
		}
		s.lines.copy(object, v)
		return object, nil
	}
	return v, nil
}

// intrinsic returns the intrinsic function that an object calls.
func intrinsic(object map[string]any) (name string, argument any, is bool) {
	if len(object) == 1 {
		for name, argument := range object {
			if name == "Ref" || name == "Condition" || strings.HasPrefix(name, "Fn::") {
				return name, argument, true
			}
		}
	}
	return "", nil, false
}

// call calls an intrinsic function.
func (s *stack) call(name string, argument any) (v any, err error) {
	switch name {
	case "Ref":
		v, err = s.ref(argument)
	case "Condition":
		v, err = s.condition(argument)
	case "Fn::If":
		return s.choose(argument)
	case "Fn::Sub":
		return s.substitute(argument)
	case "Fn::GetAtt":
		return s.attribute(argument)
	default:
		if argument, err = s.eval(argument); err != nil {
			return nil, err
		}
		if name == unresolved {
			return nil, fmt.Errorf("%v", argument)
		}
		f := functions[name]
		if f == nil {
			return nil, fmt.Errorf("%s cannot be resolved here", name)
		}
		if v, err = f(s, argument); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	if err == nil {
		err = s.made(v)
	}
	return v, err
}

var errArguments = errors.New("wrong arguments")

// functions are the intrinsic functions whose arguments are evaluated first.
var functions = map[string]func(s *stack, argument any) (any, error){
	"Fn::Equals": func(_ *stack, v any) (any, error) {
		list, ok := v.([]any)
		if !ok || len(list) != 2 {
			return nil, errArguments
		}
		a, err1 := scalarText(list[0])
		b, err2 := scalarText(list[1])
		if err1 != nil || err2 != nil {
			return reflect.DeepEqual(list[0], list[1]), nil
		}
		return a == b, nil
	},
	"Fn::And": logical(func(all []bool) bool {
		for _, b := range all {
			if !b {
				return false
			}
		}
		return true
	}),
	"Fn::Or": logical(func(all []bool) bool {
		for _, b := range all {
			if b {
				return true
			}
		}
		return false
	}),
	"Fn::Not":          logical(func(all []bool) bool { return len(all) == 1 && !all[0] }),
	"Fn::Join":         join,
	"Fn::Select":       selected,
	"Fn::Split":        split,
	"Fn::FindInMap":    (*stack).find,
	"Fn::Length":       length,
	"Fn::Base64":       encoded,
	"Fn::ToJsonString": jsonText,
}

func logical(of func([]bool) bool) func(*stack, any) (any, error) {
	return func(_ *stack, v any) (any, error) {
		list, ok := v.([]any)
		all := make([]bool, len(list))
		for i := range list {
			var is bool
			all[i], is = list[i].(bool)
			ok = ok && is
		}
		if !ok || len(all) == 0 {
			return nil, errArguments
		}
		return of(all), nil
	}
}

// textAndList returns arguments of the form [text, list].
func textAndList(v any) (text string, list []any, err error) {
	pair, _ := v.([]any)
	if len(pair) != 2 {
		return "", nil, errArguments
	}
	if text, err = scalarText(pair[0]); err != nil {
		return "", nil, err
	}
	list, ok := pair[1].([]any)
	if !ok {
		return "", nil, errArguments
	}
	return text, list, nil
}

func join(s *stack, v any) (any, error) {
	separator, list, err := textAndList(v)
	if err != nil {
		return nil, err
	}
	parts := make([]string, len(list))
	for i := range list {
		if parts[i], err = scalarText(list[i]); err != nil {
			return nil, err
		}
	}
	if err := s.budget.Bytes(int64(len(separator)) * int64(len(parts))); err != nil {
		return nil, err
	}
	return strings.Join(parts, separator), nil
}

func selected(_ *stack, v any) (any, error) {
	index, list, err := textAndList(v)
	if err != nil {
		return nil, err
	}
	i, err := strconv.Atoi(index)
	if err != nil || i < 0 || i >= len(list) {
		return nil, fmt.Errorf("there is no element %s", index)
	}
	return list[i], nil
}

func split(_ *stack, v any) (any, error) {
	pair, _ := v.([]any)
	if len(pair) != 2 {
		return nil, errArguments
	}
	separator, err1 := scalarText(pair[0])
	text, err2 := scalarText(pair[1])
	if err1 != nil || err2 != nil || separator == "" {
		return nil, errArguments
	}
	return anyList(strings.Split(text, separator)), nil
}

func anyList(texts []string) []any {
	list := make([]any, len(texts))
	for i := range texts {
		list[i] = texts[i]
	}
	return list
}

// find looks a value up in Mappings.
func (s *stack) find(v any) (any, error) {
	list, _ := v.([]any)
	if len(list) < 3 {
		return nil, errArguments
	}
	var at any = s.mappings
	for _, key := range list[:3] {
		text, err := scalarText(key)
		if err != nil {
			return nil, err
		}
		members, _ := at.(map[string]any)
		if at = members[text]; at == nil {
			if len(list) > 3 {
				if other, ok := list[3].(map[string]any); ok {
					return other["DefaultValue"], nil
				}
			}
			return nil, fmt.Errorf("there is no %s", text)
		}
	}
	return at, nil
}

func length(_ *stack, v any) (any, error) {
	list, ok := v.([]any)
	if !ok {
		return nil, errArguments
	}
	return len(list), nil
}

func encoded(_ *stack, v any) (any, error) {
	text, err := scalarText(v)
	return base64.StdEncoding.EncodeToString([]byte(text)), err
}

func jsonText(_ *stack, v any) (any, error) {
	text, err := json.Marshal(v)
	return string(text), err
}

// ref returns a parameter, a pseudo parameter, or the name of a table of the template.
func (s *stack) ref(argument any) (any, error) {
	name, ok := argument.(string)
	if !ok {
		return nil, errArguments
	}
	switch name {
	case "AWS::Region":
		return s.Region, nil
	case "AWS::AccountId":
		return s.Account, nil
	case "AWS::Partition":
		return partition(s.Region), nil
	case "AWS::URLSuffix":
		return urlSuffix(s.Region), nil
	case "AWS::StackName":
		return s.name, nil
	case "AWS::NoValue":
		return noValue{}, nil
	}
	if v, ok := s.parameters[name]; ok {
		if v == nil {
			return nil, fmt.Errorf(
				"the parameter %s has no value: give it with --parameter %s=VALUE", name, name)
		}
		return v, nil
	}
	if r, ok := s.resources[name].(map[string]any); ok && isTable(r) {
		return s.tableName(name, r)
	}
	return nil, fmt.Errorf("%s cannot be resolved here", name)
}

// attribute returns the ARN of a table of the template, or an output of a stack within it.
func (s *stack) attribute(argument any) (any, error) {
	list, _ := argument.([]any)
	if len(list) != 2 {
		return nil, errArguments
	}
	r, _ := s.resources[fmt.Sprint(list[0])].(map[string]any)
	output, isOutput := strings.CutPrefix(fmt.Sprint(list[1]), "Outputs.")
	if isOutput && r != nil && isStack(r) {
		return s.output(fmt.Sprint(list[0]), r, output)
	}
	if list[1] != "Arn" || r == nil || !isTable(r) {
		return nil, fmt.Errorf("%v.%v cannot be resolved here", list[0], list[1])
	}
	name, err := s.tableName(fmt.Sprint(list[0]), r)
	if err != nil {
		return nil, err
	}
	return fmt.Sprintf("arn:%s:dynamodb:%s:%s:table/%s", partition(s.Region), s.Region, s.Account,
		name), nil
}

// partition returns the partition of a region (IAM User Guide, "Amazon Resource Names").
func partition(region string) string {
	switch {
	case strings.HasPrefix(region, "cn-"):
		return "aws-cn"
	case strings.HasPrefix(region, "us-gov-"):
		return "aws-us-gov"
	}
	return "aws"
}

func urlSuffix(region string) string {
	if strings.HasPrefix(region, "cn-") {
		return "amazonaws.com.cn"
	}
	return "amazonaws.com"
}

// tableName returns the name of a table. One without a name gets that of its resource, after that
// of the stack if it is too short for a table.
func (s *stack) tableName(resource string, r map[string]any) (string, error) {
	if name, known := s.names[resource]; known {
		return name, nil
	}
	if err := s.budget.Refer("resource " + resource); err != nil {
		return "", err
	}
	defer s.budget.Leave()
	properties, _ := r["Properties"].(map[string]any)
	member := "TableName"
	if r["Type"] == amplifyTable {
		member = "tableName"
	}
	name := ""
	if v, ok := properties[member]; ok {
		v, err := s.eval(v)
		if err == nil && v != (noValue{}) {
			name, err = scalarText(v)
		}
		if err != nil {
			return "", err
		}
	}
	if name == "" {
		name = s.generate(resource)
	}
	s.names[resource] = name
	return name, nil
}

// generate returns the name of a table without one. CloudFormation's begins with that of the stack,
// too, and ends at random.
func (s *stack) generate(resource string) string {
	name := resource
	if len(name) < minName || s.generated[s.Region+"/"+name] {
		name = s.name + "-" + resource
	}
	s.generated[s.Region+"/"+name] = true
	return name
}

// minName is the least length of a table's name (API Reference, CreateTable).
const minName = 3

// condition returns whether a condition of the template holds.
func (s *stack) condition(argument any) (bool, error) {
	name, _ := argument.(string)
	c, ok := s.conditions[name]
	if !ok {
		return false, fmt.Errorf("there is no condition %q", name)
	}
	if holds, known := s.holds[name]; known {
		return holds, nil
	}
	if err := s.budget.Refer("condition " + name); err != nil {
		return false, err
	}
	defer s.budget.Leave()
	v, err := s.eval(c)
	if err != nil {
		return false, fmt.Errorf("condition %s: %w", name, err)
	}
	holds, ok := v.(bool)
	if !ok {
		return false, fmt.Errorf("condition %s: %w", name, errArguments)
	}
	s.holds[name] = holds
	return holds, nil
}

// choose evaluates only the branch of Fn::If that its condition chooses.
func (s *stack) choose(argument any) (any, error) {
	branch, err := s.branch(argument)
	if err != nil {
		return nil, err
	}
	return s.eval(branch)
}

// branch returns the branch of Fn::If that its condition chooses.
func (s *stack) branch(argument any) (any, error) {
	list, _ := argument.([]any)
	if len(list) != 3 {
		return nil, fmt.Errorf("Fn::If: %w", errArguments)
	}
	holds, err := s.condition(list[0])
	switch {
	case err != nil:
		return nil, err
	case holds:
		return list[1], nil
	}
	return list[2], nil
}

var inSub = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\$\{([^}]*)\}`) })

// substitute replaces ${Name}, ${Resource.Attribute} and ${!Literal}.
func (s *stack) substitute(argument any) (any, error) {
	text, own, err := s.subArguments(argument)
	if err != nil {
		return nil, err
	}
	var failed error
	replaced := inSub().ReplaceAllStringFunc(text, func(match string) string {
		name := strings.TrimSpace(match[2 : len(match)-1])
		if literal, ok := strings.CutPrefix(name, "!"); ok {
			return "${" + literal + "}"
		}
		v, err := s.named(name, own)
		if err == nil {
			var value string
			if value, err = scalarText(v); err == nil {
				err = s.budget.Bytes(int64(len(value)))
			}
			if err == nil {
				return value
			}
		}
		failed = cmp.Or(failed, err)
		return match
	})
	return replaced, failed
}

// subArguments returns the text and the variables of Fn::Sub.
func (s *stack) subArguments(argument any) (text string, own map[string]any, err error) {
	if list, ok := argument.([]any); ok && len(list) == 2 {
		v, err := s.eval(list[1])
		if err != nil {
			return "", nil, err
		}
		own, _ = v.(map[string]any)
		argument = list[0]
	}
	text, ok := argument.(string)
	if !ok {
		return "", nil, fmt.Errorf("Fn::Sub: %w", errArguments)
	}
	return text, own, nil
}

// named returns the value of a name in Fn::Sub.
func (s *stack) named(name string, own map[string]any) (any, error) {
	if v, ok := own[name]; ok {
		return v, nil
	}
	if resource, attribute, ok := strings.Cut(name, "."); ok {
		return s.attribute([]any{resource, attribute})
	}
	return s.ref(name)
}
