// Package render writes the plans of package design as files: pages for people, definitions of the
// tables for tools, samples, and a Go package with a test for each table.
//
//	plan.md, plan.html          the plan with its reasons
//	template.yaml, table.tf     the table for CloudFormation and Terraform
//	table.ts                    a construct for the AWS CDK in TypeScript
//	patterns.yaml               the access patterns, for the recorder of traffic
//	policy.yaml                 the keys of the models, for policies and lint
//	seed/                       CreateTable's input and sample items: kugiri serve --seed seed
//	<package>/                  Go types, keys, requests, writes and the consumer of the stream,
//	                            with tests that run all of them; the same in TypeScript
//
// Generated code has only what differs from table to table. What is the same for all of them is in
// package internal/support, whose files are copied beside it.
//
// The same plan always gives the same files.
package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/design"
)

// File is a file that comes out of a plan. Its name has slashes.
type File struct {
	Name    string
	Content []byte
}

// generated is a file with the function that writes it.
type generated struct {
	name  string
	write func() ([]byte, error)
}

// Files returns all files of a design's plans, one for each of its tables, in the order of their
// names.
func Files(plans ...*design.Plan) ([]File, error) {
	t, err := newTables(plans)
	if err != nil {
		return nil, err
	}
	all, err := written([]generated{
		{"plan.md", func() ([]byte, error) { return []byte(design.TablesMarkdown(plans)), nil }},
		{"plan.html", t.html},
		{"template.yaml", t.cloudFormation},
		{"table.tf", t.terraform},
		{"table.ts", t.cdk},
		{"patterns.yaml", t.patterns},
		{"policy.yaml", t.policy},
	})
	for _, r := range t {
		if err != nil {
			return nil, err
		}
		var files []File
		files, err = r.files()
		all = append(all, files...)
	}
	slices.SortFunc(all, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return all, err
}

// files returns the files that are of one table only.
func (r *renderer) files() ([]File, error) {
	p := r.plan
	files := []generated{
		{"seed/" + p.Design.Table + ".json",
			func() ([]byte, error) { return indented(p.CreateTable()) }},
		{"seed/" + p.Design.Table + ".items.jsonl", r.seed},
		{r.code.Package + "/" + r.code.Package + ".go", r.golang},
		{r.code.Package + "/" + r.code.Package + "_test.go", r.test},
		{r.code.Package + "/" + r.code.Package + ".ts", newTypescript(r).module},
		{r.code.Package + "/" + r.code.Package + ".test.ts", newTypescript(r).test},
		{r.code.Package + "/table_name.ts", newTypescript(r).tableName},
	}
	if r.consuming != nil {
		name := r.code.Package + "/" + r.code.Package + "_stream"
		files = append(files,
			generated{name + ".go", func() ([]byte, error) { return goStream(r) }},
			generated{name + "_test.go", streamTests{r}.goTest})
	}
	if ttl := p.TimeToLive(); ttl != nil {
		files = append(files, generated{"seed/" + p.Design.Table + ".ttl.json",
			func() ([]byte, error) { return indented(ttl) }})
	}
	copied, err := copies(r.code.Package, r.supportParts())
	if err != nil {
		return nil, err
	}
	all, err := written(files)
	return append(copied, all...), err
}

// written writes files.
func written(files []generated) (all []File, err error) {
	for _, f := range files {
		content, err := f.write()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
		all = append(all, File{f.name, content})
	}
	return all, nil
}
