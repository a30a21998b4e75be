package servecmd

import (
	"fmt"

	"github.com/kugiri-db/kugiri/conventions/policy/policyfile"
	"github.com/kugiri-db/kugiri/emulator/isolation"
)

// prove proves that a policy keeps its tenants apart, if it claims to. The proof is the brief one,
// which holds up the start less.
func (s *serveSettings) prove() error {
	if s.unproven {
		return nil
	}
	p, err := policyfile.ParseFile(s.policy)
	if err != nil {
		return fmt.Errorf("policy: %w", err)
	}
	if !p.Tenants.ClaimsIsolation() {
		return nil
	}
	proof, err := isolation.Prove(p, isolation.Options{Brief: true})
	if err != nil {
		return fmt.Errorf("policy: %w", err)
	}
	if !proof.Holds() {
		return fmt.Errorf(
			"policy: it does not keep tenants apart: %w; \"kugiri policy prove %s\" shows all %d such requests and more; mend it, say isolation: none of tenants, or start with --unproven",
			&proof.Leaks[0], s.policy, len(proof.Leaks))
	}
	return nil
}
