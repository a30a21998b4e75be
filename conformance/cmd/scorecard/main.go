// Command scorecard runs the conformance suite against an endpoint and prints the results by area
// and by how the expectations are known:
//
//	go run ./conformance/cmd/scorecard                                  # Kugiri itself
//	go run ./conformance/cmd/scorecard -endpoint http://localhost:8000
//	go run ./conformance/cmd/scorecard -endpoint aws -region eu-west-1 -record answers.jsonl
//
// It runs go test, so it needs this module and a Go toolchain. The exit status is 0 if all cases
// pass, 1 if some fail, and 2 if the suite could not run.
//
// With -record it also writes the endpoint's answers to a file. `go test ./conformance -recorded
// answers.jsonl` compares Kugiri with that file instead of with the expectations of the cases. So a
// recording of the real service settles the inferred cases.
//
// Against the real service it first prints the cost of the run, and asks. Tables have the name
// kugiri-conformance-… and a tag of that name. The command deletes them at the end.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const suite = "github.com/kugiri-db/kugiri/conformance"

// options holds the flags.
type options struct {
	endpoint, region, cases, record string
	asJSON, long, yes               bool
}

func main() {
	var o options
	flag.StringVar(&o.endpoint, "endpoint", "",
		"`URL` to test, or aws for DynamoDB itself; default a Kugiri of the suite's own")
	flag.StringVar(&o.region, "region", "us-east-1", "`region` that requests are signed for")
	flag.StringVar(&o.cases, "cases", "", "`pattern` of the tests to run, as of go test -run")
	flag.StringVar(&o.record, "record", "", "`file` for the endpoint's answers")
	flag.BoolVar(&o.asJSON, "json", false, "print JSON")
	flag.BoolVar(&o.long, "long", false, "list the failures and the inferred cases, too")
	flag.BoolVar(&o.yes, "yes", false, "do not ask before a run that costs money")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "scorecard: unknown argument %q\n", flag.Arg(0))
		os.Exit(2)
	}
	status, err := o.run(os.Stdin, os.Stdout, os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, "scorecard:", err)
	}
	os.Exit(status)
}

// run prints the scorecard and returns the exit status.
func (o *options) run(in io.Reader, out, log io.Writer) (int, error) {
	if o.endpoint == "aws" {
		o.endpoint = "https://dynamodb." + o.region + ".amazonaws.com"
		if !o.yes {
			if agreed, err := o.askCost(in, log); err != nil || !agreed {
				return 2, err
			}
		}
	}
	dir, err := suiteDir()
	if err != nil {
		return 2, err
	}
	areas, err := testAreas(dir)
	if err != nil {
		return 2, err
	}
	results, err := o.test(areas, log)
	if err != nil {
		return 2, err
	}
	card := newScorecard(o.name(), results)
	if o.asJSON {
		text := json.NewEncoder(out)
		text.SetIndent("", "  ")
		err = text.Encode(card)
	} else {
		card.print(out, o.long)
	}
	if err == nil && card.Total.Failed > 0 {
		return 1, nil
	}
	return 0, err
}

// name returns the name of the endpoint on the scorecard.
func (o *options) name() string {
	if o.endpoint == "" {
		return "Kugiri"
	}
	return o.endpoint
}

// suiteDir returns the directory of the suite.
func suiteDir() (string, error) {
	out, err := exec.Command("go", "list", "-f", "{{.Dir}}", suite).Output()
	if err != nil {
		return "", fmt.Errorf("finding %s: %w (run this in Kugiri's module, with Go installed)",
			suite, err)
	}
	return strings.TrimSpace(string(out)), nil
}

// arguments returns the arguments of go test, without some tests.
func (o *options) arguments(without []string) ([]string, error) {
	args := []string{"test", "-json", "-count=1", suite}
	if len(without) > 0 {
		args = append(args, "-skip", "^("+strings.Join(without, "|")+")$")
	}
	if o.cases != "" {
		args = append(args, "-run", o.cases)
	}
	if o.endpoint != "" {
		args = append(args, "-endpoint", o.endpoint, "-region", o.region)
	}
	if o.record != "" {
		file, err := filepath.Abs(o.record) // go test changes directory
		if err != nil {
			return nil, err
		}
		args = append(args, "-record", file)
	}
	return args, nil
}

// test runs the suite. A test may panic at an endpoint whose answers lack something, which ends
// the run: then the suite runs again, without the tests that have run.
func (o *options) test(areas map[string]string, log io.Writer) (results []result, err error) {
	for ran := []string(nil); ; {
		run, err := o.testWithout(ran, areas, log)
		if err != nil {
			return nil, err
		}
		results = append(results, run.results...)
		ran = append(ran, run.functions...)
		switch {
		case !run.panicked:
			return results, nil
		case o.record != "":
			return nil, fmt.Errorf(
				"a test panicked, so %s lacks answers: see the output of go test -run %q", o.record,
				run.functions[len(run.functions)-1])
		}
	}
}

// testWithout runs the suite without some tests.
func (o *options) testWithout(ran []string, areas map[string]string, log io.Writer) (*testRun,
	error) {
	args, err := o.arguments(ran)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command("go", args...)
	cmd.Stderr = log
	printed, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	var rest strings.Builder
	run, err := readRun(printed, areas, &rest)
	if err != nil {
		cmd.Process.Kill()
	}
	var exit *exec.ExitError
	if ended := cmd.Wait(); err == nil && ended != nil && !errors.As(ended, &exit) {
		err = ended
	}
	if err == nil && len(run.functions) == 0 && (run.panicked || len(ran) == 0) {
		err = fmt.Errorf("no case was run: %s", strings.TrimSpace(rest.String()))
	}
	return run, err
}

// Prices of on-demand throughput in us-east-1, in USD for a million request units, as of
// November 2024 (Amazon DynamoDB pricing).
const (
	pricePerMillionReads  = 0.125
	pricePerMillionWrites = 0.625
)

// askCost prints the cost of a run and asks whether to continue. To count the units, it runs the
// cases against a Kugiri that the suite starts.
func (o *options) askCost(in io.Reader, out io.Writer) (bool, error) {
	args := []string{"test", "-count=1", "-v", suite, "-units"}
	if o.cases != "" {
		args = append(args, "-run", o.cases)
	}
	printed, err := exec.Command("go", args...).CombinedOutput()
	if err != nil {
		return false, fmt.Errorf("counting units: %w", err)
	}
	read, written, err := units(string(printed))
	if err != nil {
		return false, err
	}
	fmt.Fprintf(out,
		"The run takes about %.0f read units and %.0f write units in %s: some %.2f USD by the prices of us-east-1 "+
			"(November 2024), and tables with provisioned throughput for a few minutes.\nGo on? [y/N] ",
		read, written, o.endpoint,
		read/1e6*pricePerMillionReads+written/1e6*pricePerMillionWrites)
	answer, _ := bufio.NewReader(in).ReadString('\n')
	return strings.EqualFold(strings.TrimSpace(answer), "y"), nil
}

// units parses the output of the suite's flag -units.
func units(printed string) (read, written float64, err error) {
	for line := range strings.Lines(printed) {
		if n, _ := fmt.Sscanf(line, "units: %g read, %g written", &read, &written); n == 2 {
			return read, written, nil
		}
	}
	return 0, 0, errors.New("the suite did not say how many units it used")
}
