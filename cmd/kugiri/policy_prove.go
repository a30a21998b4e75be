package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/terminal"
	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/conventions/policy/policyfile"
	"github.com/kugiri-db/kugiri/emulator/isolation"
)

func policyProveCommand() *cobra.Command {
	var format cli.ResultFormat
	c := &cobra.Command{
		Use:   "prove FILE",
		Short: "Prove that a policy keeps tenants apart: play every operation as one against another's data",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return cli.WithHelp(c,
					fmt.Errorf("want one policy file, not %d arguments", len(args)))
			}
			return nil
		},
		RunE: cli.Abandoned("nothing was proved", func(c *cobra.Command, args []string) error {
			p, err := provable(args[0])
			if err != nil {
				return err
			}
			proof, err := isolation.Prove(p, isolation.Options{})
			if err != nil {
				return err
			}
			result := proofResult{File: args[0], Proof: proof}
			if err := format.Print(c, result, result.text); err != nil {
				return err
			}
			if !proof.Holds() {
				return fmt.Errorf("%s: %d of %d requests got through", args[0], len(proof.Leaks),
					proof.Requests)
			}
			return nil
		}),
	}
	format.Register(c)
	return c
}

// provable reads a policy that claims to keep tenants apart.
func provable(file string) (policy.Policy, error) {
	p, err := policyfile.ParseFile(file)
	if err == nil && !p.Tenants.ClaimsIsolation() {
		err = fmt.Errorf("%s: the policy claims no isolation of tenants, so that there is nothing to prove", file)
	}
	return p, err
}

// proofResult is the result of "kugiri policy prove".
type proofResult struct {
	File string `json:"file"`
	*isolation.Proof
}

// shownLeaks is how many leaks the text lists of each caller's operation.
const shownLeaks = 2

func (r *proofResult) text(out io.Writer) error {
	t := terminal.Table{Header: []string{"GOT THROUGH"}}
	for _, c := range r.Callers {
		t.Header = append(t.Header, "AS "+strings.ToUpper(string(c)))
	}
	t.Header = append(t.Header, "OWN")
	for i := range r.Operations {
		o := &r.Operations[i]
		line := []string{o.Name}
		for _, c := range r.Callers {
			line = append(line, fmt.Sprintf("%d of %d", o.Passed[c], o.Tried[c]))
		}
		own := "-"
		if o.OwnTried > 0 {
			own = fmt.Sprintf("%d of %d", o.OwnPassed, o.OwnTried)
		}
		t.Add(append(line, own)...)
	}
	if err := t.Write(out); err != nil {
		return err
	}
	shown := map[string]int{}
	for i := range r.Leaks {
		l := &r.Leaks[i]
		at := string(l.Caller) + l.Operation
		if shown[at]++; shown[at] > shownLeaks {
			continue
		}
		if _, err := fmt.Fprintf(out, "%s: %v\n", r.File, l); err != nil {
			return err
		}
	}
	alike := ""
	if r.Alike > 0 {
		alike = fmt.Sprintf(", and %d declared as one of these", r.Alike)
	}
	_, err := fmt.Fprintf(out, "%s: %d of %d requests got through, for %d items of %d tables%s\n",
		r.File, len(r.Leaks), r.Requests, r.Items, r.Tables, alike)
	return err
}
