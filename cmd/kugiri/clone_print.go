package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/terminal"
	"github.com/kugiri-db/kugiri/conventions/mask"
)

// printCloned prints what was copied, and what became of each attribute: first those that no rule
// fits.
func printCloned(out io.Writer, results []cloned, dryRun bool) error {
	style := terminal.StyleOf(out)
	verb := "cloned"
	if dryRun {
		verb = "would clone"
	}
	for _, r := range results {
		if _, err := fmt.Fprintf(out, "%s: %s %s of %s\n", r.Table, verb, cli.Items(r.Written),
			cli.Items(r.Read)); err != nil {
			return err
		}
		if r.Report == nil {
			continue
		}
		if err := printMasked(out, style, r.Report); err != nil {
			return err
		}
		if r.Resumed {
			if _, err := fmt.Fprintf(out,
				"  This has the %s that were masked since the clone went on.\n",
				cli.Items(r.Report.Items)); err != nil {
				return err
			}
		}
	}
	return nil
}

func printMasked(out io.Writer, style terminal.Style, s *mask.Summary) error {
	table := &terminal.Table{Header: []string{"  Attribute", "Becomes", "Values", "Remarks"}}
	for _, masked := range []bool{false, true} {
		for _, p := range s.Paths {
			if (p.As != "") != masked {
				continue
			}
			as := p.As
			if !masked {
				as = "no rule"
			}
			table.Add("  "+cmp.Or(p.Path, "(further ones)"), as, counts(p.Types), remark(p))
		}
	}
	_, err := io.WriteString(out, table.Text(style))
	return err
}

// counts writes how many values of each type there are.
func counts(types map[string]int64) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(types)) {
		parts = append(parts, fmt.Sprintf("%d %s", types[name], name))
	}
	return strings.Join(parts, ", ")
}

// remark says how many values that stay look like personal data, and how many have such names.
func remark(p mask.Path) string {
	var parts []string
	for _, what := range slices.Sorted(maps.Keys(p.Looks)) {
		parts = append(parts, fmt.Sprintf("%d look like %s", p.Looks[what], what))
	}
	for _, what := range slices.Sorted(maps.Keys(p.Names)) {
		parts = append(parts, fmt.Sprintf("%d have a name like %s", p.Names[what], what))
	}
	return strings.Join(parts, ", ")
}
