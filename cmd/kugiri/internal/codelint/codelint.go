package codelint

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/terminal"
)

// Report holds the findings in source code.
type Report struct {
	Files    map[string]int `json:"files"` // files that were looked at, by language: go, typescript
	Findings []Finding      `json:"findings"`
	Notes    []string       `json:"notes,omitempty"` // what could not be looked at
}

// Finding is an expression that breaks a rule.
type Finding struct {
	Rule   string `json:"rule"`
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Code   string `json:"code"`
	Remedy string `json:"remedy"`
}

func (f *Finding) String() string {
	return fmt.Sprintf("%s:%d:%d: %s: %s; instead, %s", f.File, f.Line, f.Column, f.Rule, f.Code,
		f.Remedy)
}

// Run looks at the source code in directories or files. An error is one of the files, or that there
// is nothing that could be looked at. TypeScript that cannot be parsed here is a note.
func Run(ctx context.Context, names Names, roots []string) (*Report, error) {
	goFiles, typescript, err := sources(roots)
	if err != nil {
		return nil, err
	}
	r := &Report{Files: map[string]int{"go": len(goFiles)}, Findings: []Finding{}}
	if err := joinsOfGo(goFiles, func(j []join) { r.judge(&names, j) }); err != nil {
		return nil, err
	}
	if len(goFiles)+len(typescript) == 0 {
		return nil, fmt.Errorf("there are no files of Go, TypeScript or JavaScript in %s",
			strings.Join(roots, " "))
	}
	for _, p := range projectsOf(typescript) {
		more, err := joinsOfTypeScript(ctx, p.directory, p.files)
		var absent *absentError
		switch {
		case errors.As(err, &absent):
			r.Notes = append(r.Notes, fmt.Sprintf(
				"%s of TypeScript: %v: npm install --save-dev kugiri typescript, then npx kugiri lint --code %s",
				terminal.Count(int64(len(p.files)), "file"), absent, strings.Join(p.roots, " ")))
		case err != nil:
			return nil, err
		default:
			r.Files["typescript"] += len(p.files)
			r.judge(&names, more)
		}
	}
	if len(goFiles)+r.Files["typescript"] == 0 {
		return nil, errors.New(strings.Join(r.Notes, "; "))
	}
	slices.SortStableFunc(r.Findings, func(a, b Finding) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Column, b.Column))
	})
	return r, nil
}

// judge adds the findings in expressions.
func (r *Report) judge(names *Names, joins []join) {
	for i := range joins {
		j := &joins[i]
		rule := names.judge(j)
		if rule == nil {
			continue
		}
		remedy := rule.inTypeScript
		if j.goCode {
			remedy = rule.inGo
		}
		r.Findings = append(r.Findings, Finding{rule.ID, j.File, j.Line, j.Column, j.Code, remedy})
	}
}
