package markdown

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/docsite"
)

// openAPI has the parts of an OpenAPI document that the page of the admin API shows.
type openAPI struct {
	Info       struct{ Description string }
	Tags       []struct{ Name, Description string }
	Paths      map[string]map[string]operation
	Components struct{ Schemas map[string]*schema }
}

type operation struct {
	Summary     string
	Tags        []string
	Parameters  []struct{ Name, In, Description string }
	RequestBody *body
	Responses   map[string]*body

	method, path string
}

type body struct {
	Content map[string]struct{ Schema *schema }
}

type schema struct {
	Ref         string `json:"$ref"`
	Type        string // one: a schema of several types has AnyOf
	Description string
	Enum        []string
	Properties  map[string]*schema
	Required    []string
	Items       *schema
	AnyOf       []*schema
}

// adminPage returns the page of the admin API.
func adminPage(document []byte) (Page, error) {
	var api openAPI
	if err := json.Unmarshal(document, &api); err != nil {
		return Page{}, fmt.Errorf("OpenAPI document: %w", err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# Admin API\n\n%s `kugiri serve --admin` serves it below `/_kugiri`; "+
		"[Tests in other languages](../emulator/docs/admin.md) shows how it is used. "+
		"The server has this reference as an OpenAPI 3.1 document, at `/_kugiri/openapi.json`, and the site at `reference/openapi.json`. "+
		"Bodies are JSON. A request that is refused is answered with a status of 4xx and an [Error](#error).\n", api.Info.Description)
	for _, tag := range api.Tags {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", tag.Name, tag.Description)
		for _, o := range api.operations(tag.Name) {
			o.write(&b)
		}
	}
	b.WriteString("\n## Schemas\n")
	for _, name := range slices.Sorted(maps.Keys(api.Components.Schemas)) {
		s := api.Components.Schemas[name]
		fmt.Fprintf(&b, "\n### %s\n\n%s\n", name, s.Description)
		s.write(&b)
	}
	return Page{docsite.AdminPath, b.String()}, nil
}

// operations returns the operations with a tag, sorted by path.
func (api *openAPI) operations(tag string) []operation {
	var list []operation
	for path, methods := range api.Paths {
		for method, o := range methods {
			o.method, o.path = strings.ToUpper(method), path
			if slices.Contains(o.Tags, tag) {
				list = append(list, o)
			}
		}
	}
	slices.SortFunc(list, func(a, b operation) int {
		return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.method, b.method))
	})
	return list
}

func (o *operation) write(b *strings.Builder) {
	fmt.Fprintf(b, "\n### %s /_kugiri%s\n\n%s.", o.method, o.path, o.Summary)
	if o.RequestBody != nil {
		fmt.Fprintf(b, " Takes %s.", o.RequestBody.schema().takes())
	}
	for _, status := range slices.Sorted(maps.Keys(o.Responses)) {
		if s := o.Responses[status].schema(); status < "3" {
			fmt.Fprintf(b, " Answers with %s and %s.", status, s.takes())
		}
	}
	b.WriteString("\n")
	if len(o.Parameters) > 0 {
		b.WriteString("\n| Parameter | In | |\n|---|---|---|\n")
	}
	for _, p := range o.Parameters {
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", p.Name, p.In, p.Description)
	}
}

func (b *body) schema() *schema {
	return b.Content["application/json"].Schema
}

// takes describes the values of a schema.
func (s *schema) takes() string {
	switch {
	case s.Ref != "":
		name := s.Ref[strings.LastIndex(s.Ref, "/")+1:]
		return "[" + name + "](#" + strings.ToLower(name) + ")"
	case s.Items != nil:
		return "list of " + s.Items.takes()
	case s.Enum != nil:
		return "`" + strings.Join(s.Enum, "`, `") + "`"
	case s.AnyOf != nil:
		var list []string
		for _, of := range s.AnyOf {
			list = append(list, of.takes())
		}
		return strings.Join(list, ", or ")
	}
	return cmp.Or(s.Type, "any value")
}

// write writes the members of an object, or what a value may be.
func (s *schema) write(b *strings.Builder) {
	for _, of := range append([]*schema{s}, s.AnyOf...) {
		if len(of.Properties) == 0 {
			continue
		}
		b.WriteString("\n| Member | Takes | |\n|---|---|---|\n")
		for _, name := range slices.Sorted(maps.Keys(of.Properties)) {
			need, p := "", of.Properties[name]
			if slices.Contains(of.Required, name) {
				need = " (always)"
			}
			fmt.Fprintf(b, "| `%s`%s | %s | %s |\n", name, need, p.takes(), p.Description)
		}
	}
	if len(s.Properties) == 0 && s.Type != "object" {
		fmt.Fprintf(b, "\nTakes: %s.\n", s.takes())
	}
}
