package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/lint"
	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/designfile"
	"github.com/kugiri-db/kugiri/conventions/policy/policyfile"
	"github.com/kugiri-db/kugiri/emulator/proof"
)

type designIn struct {
	Design string `json:"design" jsonschema:"a design file in YAML: table, models, patterns; see design_schema"`
}

type verifyIn struct {
	Design   string `json:"design" jsonschema:"a design file in YAML: table, models, patterns; see design_schema"`
	Endpoint bool   `json:"endpoint,omitempty" jsonschema:"verify on forks of the endpoint, under its settings such as a policy, in place of an emulator of its own"`
}

type lintIn struct {
	Policy string   `json:"policy" jsonschema:"a policy file in YAML"`
	Tables []string `json:"tables" jsonschema:"names of the tables to read"`
}

// addDesigns adds tools for designs and policies.
func (t *tools) addDesigns() {
	add(t, "design_schema", "Returns the JSON schema of design files",
		reads, func(context.Context, *struct{}) ([]byte, error) {
			return designfile.Schema(), nil
		})
	add(t, "plan_design",
		"Plans the tables of a design: keys, indexes, queries, cost, and the reasons",
		reads, func(_ context.Context, in *designIn) ([]byte, error) {
			plans, err := designfile.Tables([]byte(in.Design))
			if err != nil {
				return nil, err
			}
			return []byte(design.TablesMarkdown(plans)), nil
		})
	add(t, "verify_design",
		"Proves on generated items that each pattern of a design finds exactly its own", reads,
		t.verify)
	add(t, "lint",
		"Reads tables and reports what breaks a policy, by rule, with counts and examples", reads,
		t.lint)
}

func (t *tools) verify(ctx context.Context, in *verifyIn) ([]byte, error) {
	plans, err := designfile.Tables([]byte(in.Design))
	if err != nil {
		return nil, err
	}
	reports := map[string]*proof.Report{}
	for _, plan := range plans {
		table := plan.Design.Table
		o := proof.Options{Context: ctx}
		if in.Endpoint {
			if o.Open, err = t.forksFor(ctx, table); err != nil {
				return nil, err
			}
		}
		if reports[table], err = proof.Verify(plan, o); err != nil {
			return nil, err
		}
	}
	if len(plans) == 1 {
		return json.Marshal(reports[plans[0].Design.Table])
	}
	return json.Marshal(map[string]any{"tables": reports})
}

// forksFor returns what opens a fork of the endpoint for a table.
func (t *tools) forksFor(ctx context.Context, table string) (func() (proof.Service, error), error) {
	if t.Fork == nil {
		return nil, errors.New(
			"want the endpoint of a Kugiri with --admin: leave out \"endpoint\" to verify on an emulator of its own")
	}
	if t.writes == None {
		return nil, errors.New(
			"a verification on the endpoint makes forks: want --write forks, or leave out \"endpoint\"")
	}
	return t.Fork(ctx, table)
}

func (t *tools) lint(ctx context.Context, in *lintIn) ([]byte, error) {
	engine, err := policyfile.Compile([]byte(in.Policy))
	if err != nil {
		return nil, err
	}
	l := lint.Linter{Client: t.Lint, Policy: engine, Tables: slices.Clone(in.Tables), Segments: 1}
	report, err := l.Run(ctx)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = report.Write(&b, "json", "", false)
	return b.Bytes(), err
}
