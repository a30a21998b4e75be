package facts

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

const (
	serviceNumber = `(?:\d+\.\d+|[A-Z]\.\d+(?:\.\d+)?)`
	separator     = `(?:, and |, | and | to )`
)

var (
	lineBreak = regexp.MustCompile(`[ \t]*\n[ \t]*(?://+)?[ \t]*`)
	// suspect is whatever looks like a citation of facts of the service, cited a citation in the
	// right form.
	suspect = regexp.MustCompile(`\b(?:[Ss]ervice )?[Ff]acts?[,:]? +` + serviceNumber +
		`|\bservice facts +\S+`)
	cited = regexp.MustCompile(
		`^service facts (` + serviceNumber + `(?:` + separator + serviceNumber + `)*)`)
	probe = regexp.MustCompile(`DDB-[A-Z]+-\d{3}(?:` + separator + `(?:DDB-[A-Z]+)?-?\d{3}\b)*`)
	// step is a check in the order of an operation's checks, with the facts that place it.
	step = regexp.MustCompile(`serve\.Step\("[^"]*", "([^"]+)"`)
	// stepNumber is the number of a fact in a step.
	stepNumber = regexp.MustCompile(`^(?:DDB-[A-Z]+-\d{3}|` + serviceNumber + `)$`)

	item = regexp.MustCompile(`(` + separator + `)?((?:DDB-[A-Z]+)?-?\d{3}\b|` +
		serviceNumber + `)`)
)

// citedIn returns the numbers of the facts that a Go or Markdown file cites, and what looks like a
// citation but has another form. A citation is "service facts" with numbers, or the numbers of
// ack-api-quirks. Only the first of those needs the letters. " to " between two numbers stands for
// all between them.
func citedIn(text string) (numbers, malformed []string) {
	text = lineBreak.ReplaceAllString(text, " ")
	for _, at := range suspect.FindAllStringIndex(text, -1) {
		m := cited.FindStringSubmatch(text[at[0]:])
		if m == nil {
			malformed = append(malformed, text[at[0]:min(at[1]+20, len(text))])
			continue
		}
		list, err := expand(m[1])
		if err != nil {
			malformed = append(malformed, err.Error())
		}
		numbers = append(numbers, list...)
	}
	for _, m := range step.FindAllStringSubmatch(text, -1) {
		for _, n := range strings.Split(m[1], ", ") {
			if !stepNumber.MatchString(n) {
				malformed = append(malformed, m[0])
			}
			numbers = append(numbers, n)
		}
	}
	for _, m := range probe.FindAllString(text, -1) {
		list, err := expand(m)
		if err != nil {
			malformed = append(malformed, err.Error())
		}
		numbers = append(numbers, list...)
	}
	return numbers, malformed
}

// expand returns the numbers of a list.
func expand(list string) ([]string, error) {
	var numbers []string
	var letters string
	for _, m := range item.FindAllStringSubmatch(list, -1) {
		sep, n := m[1], m[2]
		switch {
		case strings.HasPrefix(n, "DDB-"):
			letters = n[:len(n)-3]
		case letters != "":
			n = letters + strings.TrimPrefix(n, "-")
		}
		if sep == " to " {
			more, err := between(numbers[len(numbers)-1], n)
			if err != nil {
				return numbers, err
			}
			numbers = append(numbers, more...)
		}
		numbers = append(numbers, n)
	}
	return numbers, nil
}

// between returns the numbers between two that differ in their last part.
func between(first, last string) ([]string, error) {
	cut := strings.LastIndexAny(first, ".-") + 1
	from, err := strconv.Atoi(first[cut:])
	if err != nil || !strings.HasPrefix(last, first[:cut]) {
		return nil, fmt.Errorf("no numbers lead from %s to %s", first, last)
	}
	to, err := strconv.Atoi(last[cut:])
	if err != nil || to <= from {
		return nil, fmt.Errorf("no numbers lead from %s to %s", first, last)
	}
	form := "%s%d"
	if strings.HasPrefix(first, "DDB-") {
		form = "%s%03d"
	}
	var numbers []string
	for n := from + 1; n < to; n++ {
		numbers = append(numbers, fmt.Sprintf(form, first[:cut], n))
	}
	return numbers, nil
}
