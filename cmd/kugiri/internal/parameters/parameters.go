// Package parameters has the flags for what definitions of tables depend on. Package definition has
// no flags, because pages that run in a browser read definitions, too.
package parameters

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/definition"
)

// Flags hold the flags.
type Flags struct {
	parameters []string
	stack      string
	Strict     bool // what is left out is an error
}

// Register makes the flags.
func (s *Flags) Register(f *pflag.FlagSet) {
	f.StringArrayVar(&s.parameters, "parameter", nil,
		"`NAME=VALUE` of a parameter of a template, a variable of Terraform or an option of Serverless; may be repeated")
	f.StringVar(&s.stack, "stack", "",
		"`name` of the stack of a template (default the name of its file)")
	f.BoolVar(&s.Strict, "strict", false,
		"fail if files define something of tables that is left out")
}

// Values returns what definitions depend on, in an account and a region.
func (s *Flags) Values(account, region string) (v definition.Values, err error) {
	v = definition.Values{Parameters: map[string]string{}, Region: region, Account: account,
		Stack: s.stack, Env: os.LookupEnv}
	for _, p := range s.parameters {
		name, value, ok := strings.Cut(p, "=")
		if !ok || name == "" {
			return v, fmt.Errorf("parameter %q: want NAME=VALUE", p)
		}
		v.Parameters[name] = value
	}
	return v, nil
}
