package explore

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/emulator/explore/search"
)

// Environment is the variable that holds the schedule to run, in place of a search: the workers in
// the order in which their requests go, with a fault after a colon: alice,bob:lost,alice. With 2#
// in front it is for the second search of a test.
const Environment = search.Environment

// PagesEnvironment is the variable that names the directory of pages: see Pages.
const PagesEnvironment = "KUGIRI_EXPLORE_PAGES"

// PartEnvironment is the variable that says which part of each search to run: 3/8 in one machine of
// eight. ReportEnvironment is the variable that names the file to which each search adds its
// report, as a line of JSON, for "kugiri explore merge".
const (
	PartEnvironment   = search.PartEnvironment
	ReportEnvironment = search.ReportEnvironment
)

// Option is an option of Run.
type Option func(*options)

type options struct {
	search.Options
	patience time.Duration
	pages    string // the directory of pages
	report   string // the file of reports
	ordinal  int    // the number of the test's search that Environment is for; 0: it is not set
	part     error  // the error of PartEnvironment
	allowed  []allowance
}

// optionsOf returns the options, with what the environment says in place of what it does not.
func optionsOf(opts []Option) options {
	o := options{Options: search.DefaultOptions(), patience: 10 * time.Second,
		report: os.Getenv(ReportEnvironment)}
	for _, opt := range opts {
		opt(&o)
	}
	if text := os.Getenv(Environment); text != "" {
		o.Schedule, o.ordinal = text, 1
	}
	if number, text, ok := strings.Cut(o.Schedule, "#"); ok {
		o.Schedule = text
		if n, err := strconv.Atoi(number); err == nil && o.ordinal > 0 {
			o.ordinal = n
		}
	}
	if text := os.Getenv(PartEnvironment); text != "" {
		o.Part, o.part = search.ParsePart(text)
	}
	if o.pages == "" {
		o.pages = os.Getenv(PagesEnvironment)
	}
	return o
}

// check returns an error for options that make no sense, or no difference.
func (o *options) check() error {
	named := o.Options.Faults != 0 && len(o.Kinds) < len(search.AllFaults)
	switch {
	case o.part != nil:
		return fmt.Errorf("%s: %w", PartEnvironment, o.part)
	case o.Part.Of > 0 && o.Schedule != "":
		return fmt.Errorf("a schedule is run whole: leave out %s=%d/%d", PartEnvironment,
			o.Part.Number, o.Part.Of)
	case o.Budget < 1:
		return fmt.Errorf("Budget(%d) runs nothing: give it 1 run at least", o.Budget)
	case o.Longest < 1:
		return fmt.Errorf("Longest(%d) lets no request go: give it 1 at least", o.Longest)
	case o.Options.Within < 0:
		return fmt.Errorf("Within(%s) is no time", o.Options.Within)
	case o.patience <= 0:
		return fmt.Errorf("Patience(%s) is no time: the default is 10 s", o.patience)
	case o.Options.Faults < 0, o.Options.Faults == 0 && len(o.Kinds) > 0:
		return fmt.Errorf("Faults(%d) tries no faults: leave it out, or write Faults(1)",
			o.Options.Faults)
	case named && slices.Contains(o.Kinds, Later) && o.Moves <= 0:
		return errors.New("Later moves the clock, and nothing says by how much: add ClockMoves, " +
			"with a time such as 5*time.Minute")
	case named && slices.Contains(o.Kinds, Skewed) && o.Skew <= 0:
		return errors.New("Skewed has the clock of a worker be ahead, and nothing says by how much: " +
			"add ClockSkew, with a time such as 2*time.Second")
	case o.Skew < 0, o.Skew > 0 && !slices.Contains(o.Kinds, Skewed):
		return fmt.Errorf("ClockSkew(%s) makes no difference: it is above 0, and goes with "+
			"Faults(1), or with Skewed among their kinds", o.Skew)
	case o.Moves < 0:
		return fmt.Errorf("ClockMoves(%s) goes back: time does not", o.Moves)
	}
	for _, f := range o.Kinds {
		if !slices.Contains(search.AllFaults, f) {
			return fmt.Errorf("there is no fault %q: the faults are %v", f, search.AllFaults)
		}
	}
	for i := range o.allowed {
		if err := o.allowed[i].check(); err != nil {
			return err
		}
	}
	return o.checkCache()
}

// testCommand returns the command that runs a test.
func testCommand(name string) string {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	pattern := strings.ReplaceAll(strings.Join(parts, "/"), "'", `'\''`)
	return fmt.Sprintf("go test -run '%s'", pattern)
}

// All has the search go on after a failure and report all that are distinct.
func All() Option { return func(o *options) { o.All = true } }

// Budget bounds the runs of the search. The default is 10,000.
func Budget(runs int) Option { return func(o *options) { o.Budget = runs } }

// Within bounds the time of the search, in real time: no run begins after it. Without it there is
// only the Budget.
func Within(d time.Duration) Option { return func(o *options) { o.Options.Within = d } }

// Allow says that lost updates in a table are no failures, and why: the last write wins there, for
// example. The report counts them. It does not hide what Check and Serializable find.
func Allow(kind, table, reason string) Option {
	return func(o *options) {
		o.allowed = append(o.allowed, allowance{kind, table, reason})
		if o.Options.Allowed == nil {
			o.Options.Allowed = map[string]string{}
		}
		o.Options.Allowed[table] = reason
	}
}

// allowance holds the arguments of a call of Allow.
type allowance struct{ kind, table, reason string }

// check returns an error for what cannot be allowed.
func (a *allowance) check() error {
	switch {
	case a.kind != LostUpdate:
		return fmt.Errorf("Allow(%q, …) allows nothing: only %q can be allowed", a.kind, LostUpdate)
	case a.table == "" || strings.TrimSpace(a.reason) == "":
		return errors.New("Allow wants the name of a table, and a reason")
	}
	return nil
}

// Longest bounds the requests of one run. A run with more is cut off, and the report says so. The
// default is 200.
func Longest(requests int) Option { return func(o *options) { o.Longest = requests } }

// Patience is how long a run may stand still, in real time, before the test fails with the stacks
// of the workers. The default is 10 s.
func Patience(d time.Duration) Option { return func(o *options) { o.patience = d } }

// Seed is the seed of the random orders, which the search takes if there are too many orders.
func Seed(seed uint64) Option { return func(o *options) { o.Seed = seed } }

// Schedule has Run run one schedule, as Environment does.
func Schedule(text string) Option { return func(o *options) { o.Schedule = text } }

// Pages has Run write each failure into a directory as a file of HTML: a diagram of its requests.
// The file needs no other. Without it, the directory is that of PagesEnvironment.
func Pages(dir string) Option { return func(o *options) { o.pages = dir } }

// Serializable has every run end as some serial order would: the workers run one after the other,
// in every order, and each other run must have the final state, and the results of workers, of one
// of these. project takes what matters out of a worker's result: without it, that is the text of
// the error, and the values of Result.
//
// A worker that a fault has hit and that returns an error has done its work or has not: both are
// fine, but not a part of it. See also Aborts and Ignore.
//
// If there are more serial orders than half of the Budget, no run is compared with them, and the
// report says so: with the default that is from seven workers on.
func Serializable(project ...func(worker string, r WorkerResult) any) Option {
	return func(o *options) {
		o.Serial = true
		if len(project) > 0 {
			o.Project = project[0]
		}
	}
}

// Aborts tells Serializable which errors of workers say that the worker has done nothing, such as
// that of a conflict which its caller would try again.
func Aborts(is func(error) bool) Option { return func(o *options) { o.Aborts = is } }

// Ignore has Serializable ignore top-level attributes of items, such as times.
func Ignore(attributes ...string) Option {
	return func(o *options) { o.Ignored = append(o.Ignored, attributes...) }
}
