package definition

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/tryfunc"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// tfFunctions are the functions that the expressions of a module call.
type tfFunctions struct{ *tfModule }

// all returns the functions of Terraform that need nothing but their arguments and files of the
// module (Terraform, "Functions").
func (m tfFunctions) all() map[string]function.Function {
	all := map[string]function.Function{
		"abs": stdlib.AbsoluteFunc, "can": tryfunc.CanFunc, "ceil": stdlib.CeilFunc,
		"chomp": stdlib.ChompFunc, "chunklist": stdlib.ChunklistFunc, "coalesce": coalesce,
		"coalescelist": stdlib.CoalesceListFunc, "compact": stdlib.CompactFunc,
		"concat": stdlib.ConcatFunc, "contains": stdlib.ContainsFunc,
		"csvdecode": stdlib.CSVDecodeFunc,
		"distinct":  m.bounded(stdlib.DistinctFunc, squareCost), "element": stdlib.ElementFunc,
		"flatten": stdlib.FlattenFunc, "floor": stdlib.FloorFunc,
		"format":     m.bounded(stdlib.FormatFunc, formatCost),
		"formatdate": stdlib.FormatDateFunc,
		"formatlist": m.bounded(stdlib.FormatListFunc, formatCost),
		"indent":     m.bounded(stdlib.IndentFunc, indentCost), "index": index,
		"join":       m.bounded(stdlib.JoinFunc, joinCost),
		"jsondecode": stdlib.JSONDecodeFunc, "jsonencode": stdlib.JSONEncodeFunc,
		"keys": stdlib.KeysFunc, "length": lengthOf, "log": stdlib.LogFunc, "lookup": lookup,
		"lower": stdlib.LowerFunc, "matchkeys": m.bounded(matchKeys, squareCost),
		"max": stdlib.MaxFunc, "merge": stdlib.MergeFunc, "min": stdlib.MinFunc, "one": one,
		"parseint": stdlib.ParseIntFunc, "pow": stdlib.PowFunc, "range": stdlib.RangeFunc,
		"regex":           m.bounded(stdlib.RegexFunc, patternCost),
		"regexall":        m.bounded(stdlib.RegexAllFunc, patternCost),
		"replace":         m.bounded(replace, replaceCost),
		"reverse":         stdlib.ReverseListFunc,
		"setintersection": stdlib.SetIntersectionFunc,
		"setproduct":      m.bounded(stdlib.SetProductFunc, productCost),
		"setsubtract":     stdlib.SetSubtractFunc, "setunion": stdlib.SetUnionFunc,
		"signum": stdlib.SignumFunc, "slice": stdlib.SliceFunc, "sort": stdlib.SortFunc,
		"split": stdlib.SplitFunc, "strrev": stdlib.ReverseFunc, "substr": stdlib.SubstrFunc,
		"sum": sum, "timeadd": stdlib.TimeAddFunc, "title": stdlib.TitleFunc,
		"tobool": stdlib.MakeToFunc(cty.Bool), "transpose": transpose,
		"tolist":   stdlib.MakeToFunc(cty.List(cty.DynamicPseudoType)),
		"tomap":    stdlib.MakeToFunc(cty.Map(cty.DynamicPseudoType)),
		"tonumber": stdlib.MakeToFunc(cty.Number),
		"toset":    stdlib.MakeToFunc(cty.Set(cty.DynamicPseudoType)),
		"tostring": stdlib.MakeToFunc(cty.String), "trim": stdlib.TrimFunc,
		"trimprefix": stdlib.TrimPrefixFunc, "trimspace": stdlib.TrimSpaceFunc,
		"trimsuffix": stdlib.TrimSuffixFunc, "try": tryfunc.TryFunc, "upper": stdlib.UpperFunc,
		"values": stdlib.ValuesFunc, "zipmap": stdlib.ZipmapFunc,
		"alltrue": allTrue(true), "anytrue": allTrue(false), "yamldecode": m.yamlDecode(),
		"sensitive": same, "nonsensitive": same, "ephemeralasnull": same,
		"timecmp":     timeCompare,
		"urlencode":   text(url.QueryEscape),
		"endswith":    compare(strings.HasSuffix),
		"startswith":  compare(strings.HasPrefix),
		"strcontains": compare(strings.Contains),
	}
	encodings(all, m.content)
	addresses(all)
	paths(all)
	m.fileFunctions(all)
	namedOnly(all)
	for name, f := range maps.Clone(all) {
		all["core::"+name] = f
	}
	return all
}

// content returns the content of a file of the module.
func (m tfFunctions) content(name string) (string, error) {
	text, err := readFile(m.ctx, m.beside(name))
	if err == nil {
		err = m.budget.Bytes(int64(len(text)))
	}
	return string(text), err
}

// fileFunctions adds the functions that read files of the module.
func (m tfFunctions) fileFunctions(all map[string]function.Function) {
	all["file"] = textOrError(m.content)
	all["filebase64"] = textOrError(func(name string) (string, error) {
		text, err := m.content(name)
		return base64.StdEncoding.EncodeToString([]byte(text)), err
	})
	all["fileexists"] = function.New(&function.Spec{
		Params: []function.Parameter{{Name: "path", Type: cty.String}},
		Type:   function.StaticReturnType(cty.Bool),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			_, err := m.content(args[0].AsString())
			return cty.BoolVal(err == nil), nil
		},
	})
	all["fileset"] = function.New(&function.Spec{
		Params: []function.Parameter{{Name: "path", Type: cty.String},
			{Name: "pattern", Type: cty.String}},
		Type: function.StaticReturnType(cty.Set(cty.String)),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			return m.fileSet(args[0].AsString(), args[1].AsString())
		},
	})
	variables := function.Parameter{Name: "vars", Type: cty.DynamicPseudoType}
	all["templatefile"] = function.New(&function.Spec{
		Params: []function.Parameter{{Name: "path", Type: cty.String}, variables},
		Type:   function.StaticReturnType(cty.String),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			source, err := m.content(args[0].AsString())
			if err != nil {
				return cty.NilVal, err
			}
			return m.template(source, args[0].AsString(), args[1])
		},
	})
	all["templatestring"] = function.New(&function.Spec{
		Params: []function.Parameter{{Name: "template", Type: cty.String}, variables},
		Type:   function.StaticReturnType(cty.String),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			return m.template(args[0].AsString(), "templatestring", args[1])
		},
	})
}

// template returns a template with the values of variables.
func (m tfFunctions) template(source, name string, variables cty.Value) (cty.Value, error) {
	if !variables.Type().IsObjectType() && !variables.Type().IsMapType() {
		return cty.NilVal, errors.New("want an object of variables")
	}
	if err := checkTemplateDepth([]byte(source), name); err != nil {
		return cty.NilVal, err
	}
	e, diagnostics := hclsyntax.ParseTemplate([]byte(source), name, hcl.InitialPos)
	if diagnostics.HasErrors() {
		return cty.NilVal, diagnostics
	}
	functions := maps.Clone(m.functions)
	for _, f := range []string{"templatefile", "templatestring"} { // templates call no others
		delete(functions, f)
		delete(functions, "core::"+f)
	}
	v, err := evaluate(m.count(e), &hcl.EvalContext{Functions: functions,
		Variables: variables.AsValueMap()})
	if err != nil {
		return cty.NilVal, err
	}
	return convert.Convert(v, cty.String)
}

// maxWalk is how many files and directories fileset looks at.
const maxWalk = 100_000

// fileSet returns the files of a directory of the module whose names match a pattern.
func (m tfFunctions) fileSet(dir, pattern string) (cty.Value, error) {
	if slices.Contains(strings.Split(pattern, "/"), "..") {
		return cty.NilVal, errors.New("the pattern leads out of its directory")
	}
	files := &walked{FS: os.DirFS(m.beside(dir)), module: m.tfModule}
	var names []cty.Value
	err := doublestar.GlobWalk(files, path.Clean(pattern),
		func(name string, _ fs.DirEntry) error {
			if info, err := fs.Stat(files, name); err == nil && info.Mode().IsRegular() {
				names = append(names, cty.StringVal(name))
			}
			return m.budget.Bytes(int64(len(name)))
		}, doublestar.WithFailOnIOErrors())
	switch {
	case err != nil:
		return cty.NilVal, err
	case names == nil:
		return cty.SetValEmpty(cty.String), nil
	}
	return cty.SetVal(names), nil
}

// walked is a directory for fileset, which reads at most maxWalk of its names.
type walked struct {
	fs.FS
	module *tfModule
	names  int
}

// ReadDir implements fs.ReadDirFS.
func (w *walked) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(w.FS, name)
	if w.names += len(entries); w.names > maxWalk {
		return nil, fmt.Errorf("more than %d files", maxWalk)
	}
	return entries, errors.Join(err, w.module.ctx.Err())
}

// beside returns the path of a file that an expression of the module names.
func (m *tfModule) beside(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(m.base, path.Clean(name))
}

func compare(f func(a, b string) bool) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "text", Type: cty.String},
			{Name: "part", Type: cty.String}},
		Type: function.StaticReturnType(cty.Bool),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			return cty.BoolVal(f(args[0].AsString(), args[1].AsString())), nil
		},
	})
}

// dynamic is a parameter of any type.
func dynamic(name string) function.Parameter {
	return function.Parameter{Name: name, Type: cty.DynamicPseudoType}
}

// same returns its argument.
var same = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "value", Type: cty.DynamicPseudoType, AllowNull: true,
		AllowUnknown: true, AllowDynamicType: true}},
	Type: func(args []cty.Value) (cty.Type, error) { return args[0].Type(), nil },
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) { return args[0], nil },
})

// coalesce returns the first argument that is neither null nor an empty text.
var coalesce = function.New(&function.Spec{
	VarParam: &function.Parameter{Name: "values", Type: cty.DynamicPseudoType, AllowNull: true,
		AllowUnknown: true, AllowDynamicType: true},
	Type: func(args []cty.Value) (cty.Type, error) {
		kinds := make([]cty.Type, len(args))
		for i := range args {
			kinds[i] = args[i].Type()
		}
		kind, _ := convert.UnifyUnsafe(kinds)
		if kind == cty.NilType {
			return cty.NilType, errors.New("all arguments must have the same type")
		}
		return kind, nil
	},
	Impl: func(args []cty.Value, kind cty.Type) (cty.Value, error) {
		for _, a := range args {
			a, err := convert.Convert(a, kind)
			if err != nil {
				return cty.NilVal, err
			}
			if !a.IsKnown() {
				return cty.UnknownVal(kind), nil
			}
			if !a.IsNull() && (kind != cty.String || a.AsString() != "") {
				return a, nil
			}
		}
		return cty.NilVal, errors.New("no non-null, non-empty-string arguments")
	},
})

// index returns the place of a value in a list.
var index = function.New(&function.Spec{
	Params: []function.Parameter{dynamic("list"), dynamic("value")},
	Type:   function.StaticReturnType(cty.Number),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		if !args[0].CanIterateElements() || args[0].Type().IsMapType() ||
			args[0].Type().IsObjectType() || args[0].Type().IsSetType() {
			return cty.NilVal, errors.New("argument must be a list or tuple")
		}
		i := int64(0)
		for it := args[0].ElementIterator(); it.Next(); i++ {
			_, element := it.Element()
			if equal, err := stdlib.Equal(element, args[1]); err == nil && equal.IsKnown() &&
				equal.True() {
				return cty.NumberIntVal(i), nil
			}
		}
		return cty.NilVal, errors.New("item not found")
	},
})

// lengthOf returns the length of a collection, an object or a text.
var lengthOf = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "value", Type: cty.DynamicPseudoType,
		AllowDynamicType: true, AllowUnknown: true}},
	Type: func(args []cty.Value) (cty.Type, error) {
		switch kind := args[0].Type(); {
		case kind == cty.String, kind.IsTupleType(), kind.IsObjectType(), kind.IsCollectionType(),
			kind == cty.DynamicPseudoType:
			return cty.Number, nil
		}
		return cty.Number, errors.New("argument must be a string, a collection, or a structure")
	},
	Impl: func(args []cty.Value, kind cty.Type) (cty.Value, error) {
		switch of := args[0].Type(); {
		case of.IsTupleType():
			return cty.NumberIntVal(int64(len(of.TupleElementTypes()))), nil
		case of.IsObjectType():
			return cty.NumberIntVal(int64(len(of.AttributeTypes()))), nil
		case !args[0].IsKnown():
			return cty.UnknownVal(kind), nil
		case of == cty.String:
			return stdlib.Strlen(args[0])
		}
		return args[0].Length(), nil
	},
})

// lookup returns an element of a map, or else its third argument.
var lookup = function.New(&function.Spec{
	Params: []function.Parameter{dynamic("map"), {Name: "key", Type: cty.String}},
	VarParam: &function.Parameter{Name: "default", Type: cty.DynamicPseudoType, AllowNull: true,
		AllowUnknown: true, AllowDynamicType: true},
	Type: func([]cty.Value) (cty.Type, error) { return cty.DynamicPseudoType, nil },
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		if len(args) > 3 {
			return cty.NilVal, errors.New("lookup takes two or three arguments")
		}
		of, key := args[0].Type(), args[1].AsString()
		switch {
		case of.IsObjectType() && of.HasAttribute(key):
			return args[0].GetAttr(key), nil
		case of.IsMapType() && args[0].HasIndex(args[1]).True():
			return args[0].Index(args[1]), nil
		case !of.IsObjectType() && !of.IsMapType():
			return cty.NilVal, errors.New("lookup needs a map or an object")
		case len(args) < 3:
			return cty.NilVal, fmt.Errorf("the given key %q has no element, and lookup no default",
				key)
		case of.IsMapType() && of.ElementType() != cty.DynamicPseudoType:
			return convert.Convert(args[2], of.ElementType())
		}
		return args[2], nil
	},
})

// matchKeys returns the values whose keys are in a list.
var matchKeys = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "values", Type: cty.List(cty.DynamicPseudoType)},
		{Name: "keys", Type: cty.List(cty.DynamicPseudoType)},
		{Name: "searchset", Type: cty.List(cty.DynamicPseudoType)}},
	Type: func(args []cty.Value) (cty.Type, error) { return args[0].Type(), nil },
	Impl: func(args []cty.Value, kind cty.Type) (cty.Value, error) {
		values, keys := args[0].AsValueSlice(), args[1].AsValueSlice()
		if len(values) != len(keys) {
			return cty.NilVal, errors.New("length of keys and values should be equal")
		}
		var kept []cty.Value
		for i, key := range keys {
			for _, wanted := range args[2].AsValueSlice() {
				if wanted.RawEquals(key) {
					kept = append(kept, values[i])
					break
				}
			}
		}
		if kept == nil {
			return cty.ListValEmpty(kind.ElementType()), nil
		}
		return cty.ListVal(kept), nil
	},
})

// one returns the element of a list of one element, and null for an empty list.
var one = function.New(&function.Spec{
	Params: []function.Parameter{dynamic("list")},
	Type:   func([]cty.Value) (cty.Type, error) { return cty.DynamicPseudoType, nil },
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		if !args[0].CanIterateElements() || args[0].Type().IsMapType() ||
			args[0].Type().IsObjectType() {
			return cty.NilVal, errors.New("one needs a list, a set or a tuple")
		}
		switch list := args[0].AsValueSlice(); len(list) {
		case 0:
			return cty.NullVal(cty.DynamicPseudoType), nil
		case 1:
			return list[0], nil
		}
		return cty.NilVal, errors.New(
			"must be a list, set, or tuple value with either zero or one elements")
	},
})

// sum returns the sum of numbers.
var sum = function.New(&function.Spec{
	Params: []function.Parameter{dynamic("list")},
	Type:   function.StaticReturnType(cty.Number),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		if !args[0].CanIterateElements() || args[0].LengthInt() == 0 {
			return cty.NilVal, errors.New("cannot sum an empty list")
		}
		total := cty.Zero
		for it := args[0].ElementIterator(); it.Next(); {
			_, element := it.Element()
			n, err := convert.Convert(element, cty.Number)
			if err != nil || n.IsNull() {
				return cty.NilVal, errors.New("argument must be list, set, or tuple of numbers")
			}
			total = total.Add(n)
		}
		return total, nil
	},
})

// transpose swaps the keys and the values of a map of lists of texts.
var transpose = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "values", Type: cty.Map(cty.List(cty.String))}},
	Type:   function.StaticReturnType(cty.Map(cty.List(cty.String))),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		lists := map[string][]cty.Value{}
		for it := args[0].ElementIterator(); it.Next(); {
			key, list := it.Element()
			for _, element := range list.AsValueSlice() {
				lists[element.AsString()] = append(lists[element.AsString()], key)
			}
		}
		if len(lists) == 0 {
			return cty.MapValEmpty(cty.List(cty.String)), nil
		}
		all := map[string]cty.Value{}
		for key, list := range lists {
			all[key] = cty.ListVal(list)
		}
		return cty.MapVal(all), nil
	},
})

// allTrue returns alltrue or anytrue.
func allTrue(all bool) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "list", Type: cty.List(cty.Bool)}},
		Type:   function.StaticReturnType(cty.Bool),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			for _, b := range args[0].AsValueSlice() {
				is := !b.IsNull() && b.True()
				if is != all {
					return cty.BoolVal(is), nil
				}
			}
			return cty.BoolVal(all), nil
		},
	})
}

// replace replaces a text, or a pattern that is between slashes.
var replace = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "text", Type: cty.String},
		{Name: "substring", Type: cty.String}, {Name: "replacement", Type: cty.String}},
	Type: function.StaticReturnType(cty.String),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		t, old, with := args[0].AsString(), args[1].AsString(), args[2].AsString()
		if !isPattern(old) {
			return cty.StringVal(strings.ReplaceAll(t, old, with)), nil
		}
		pattern, err := regexp.Compile(old[1 : len(old)-1])
		if err != nil {
			return cty.NilVal, err
		}
		return cty.StringVal(pattern.ReplaceAllString(t, with)), nil
	},
})

// yamlDecode reads YAML within the limits of a file.
func (m tfFunctions) yamlDecode() function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "src", Type: cty.String}},
		Type:   func([]cty.Value) (cty.Type, error) { return cty.DynamicPseudoType, nil },
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			v, err := m.document("yamldecode").yaml([]byte(args[0].AsString()))
			if err != nil {
				return cty.NilVal, err
			}
			text, err := jsonText(nil, v)
			if err != nil {
				return cty.NilVal, err
			}
			kind, err := ctyjson.ImpliedType([]byte(text.(string)))
			if err != nil {
				return cty.NilVal, err
			}
			return ctyjson.Unmarshal([]byte(text.(string)), kind)
		},
	})
}
