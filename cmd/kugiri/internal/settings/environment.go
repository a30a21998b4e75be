package settings

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
)

// Environment is the variables of a process.
type Environment map[string]string

// OwnEnvironment returns that of this process.
func OwnEnvironment() Environment {
	e := Environment{}
	for _, variable := range os.Environ() {
		name, value, _ := strings.Cut(variable, "=")
		e[name] = value
	}
	return e
}

// environmentPrefix is how the variables of settings begin.
const environmentPrefix = "KUGIRI_"

// environmentName is the variable of a flag.
func environmentName(flag string) string { return environmentPrefix + withoutPrefix(flag) }

func withoutPrefix(flag string) string {
	return strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// environmentNames are the variables of flags, without their prefix.
func environmentNames(flags *pflag.FlagSet) (names []string) {
	flags.VisitAll(func(f *pflag.Flag) {
		if !notSettings[f.Name] {
			names = append(names, withoutPrefix(f.Name))
		}
	})
	return names
}

// otherVariables begin as settings do, and have no flag. They are without their prefix: UPDATE is
// for tests with package emulatortest, SOAK for the soak test, PICTURES for the tests of the
// console, and BINARY for the packages for JavaScript, Python and Java, which start the binary that
// it names. The npm package sets NODE and PACKAGE for every command: "kugiri lint --code" parses
// TypeScript with them. EXPLORE and those that begin with it are for tests that explore.
var otherVariables = []string{"UPDATE", "SOAK", "PICTURES", "BINARY", "NODE", "PACKAGE",
	"EXPLORE", "EXPLORE_PAGES", "EXPLORE_PART", "EXPLORE_REPORT"}

// neighbors are the commands that may run in one environment, as in the containers of a pod: each
// of them passes over the settings of the others.
var neighbors = []string{"serve", "gateway"}

// unknown returns an error for each variable that begins as settings do, and that nothing reads: no
// flag, and no neighbor among the commands of the program.
func (e Environment) unknown(flags *pflag.FlagSet, program *cobra.Command) error {
	known, others := environmentNames(flags), slices.Clone(otherVariables)
	for _, c := range program.Commands() {
		if slices.Contains(neighbors, c.Name()) {
			others = append(others, environmentNames(c.Flags())...)
		}
	}
	var faults []error
	for _, variable := range slices.Sorted(maps.Keys(e)) {
		name, ours := strings.CutPrefix(variable, environmentPrefix)
		if !ours || slices.Contains(known, name) || slices.Contains(others, name) ||
			isLink(variable, e[variable]) {
			continue
		}
		faults = append(faults,
			cli.DidYouMean(fmt.Errorf("there is no setting $%s", variable), "$"+environmentPrefix,
				name, known))
	}
	return errors.Join(faults...)
}

// link is the names that a container's variables have for a service whose name begins with
// "kugiri".
var link = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(
		`^KUGIRI_(.+_)?(SERVICE_HOST|SERVICE_PORT(_.+)?|PORT_\d+_(TCP|UDP|SCTP)(_.+)?|NAME|ENV_.+)$`)
})

// isLink reports whether a variable was not set by a person: for a service named kugiri, Kubernetes
// and Docker's links set KUGIRI_SERVICE_HOST=10.0.0.11 and KUGIRI_PORT=tcp://10.0.0.11:8000
// (Kubernetes, "Service", "Environment variables").
func isLink(name, value string) bool {
	return strings.HasPrefix(value, "tcp://") || strings.HasPrefix(value, "udp://") ||
		link().MatchString(name)
}
