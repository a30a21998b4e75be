package facts

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Fact is one fact. Its paragraphs are without line breaks.
type Fact struct {
	Number string // such as "0.12", "V.1.3" or "DDB-TABLE-442"
	Title  string
	Place  string // the file and the line of the heading
	Text   string // the request and the answer
	Kugiri string // what Kugiri answers, if that differs
	Known  string
	Source string
	HeldBy []string // tests, such as "TestKeys" or "TestKeys/name of a case"
	Excuse string   // why no test holds the fact
}

const number = `(?:DDB-[A-Z]+-\d{3}|\d+\.\d+|[A-Z]\.\d+(?:\.\d+)?)`

var (
	heading  = regexp.MustCompile(`^### (` + number + `) (\S.*)$`)
	codeSpan = regexp.MustCompile("`([^`]+)`")
)

// Parse returns the facts of a file.
func Parse(file, text string) ([]Fact, error) {
	var list []Fact
	var faults []error
	var current *Fact
	var paragraph []string
	end := func() {
		if current != nil && len(paragraph) > 0 {
			faults = append(faults, current.add(strings.Join(paragraph, " ")))
		}
		paragraph = nil
	}
	for i, line := range strings.Split(text, "\n") {
		switch {
		case strings.HasPrefix(line, "#"):
			end()
			current = nil
			if m := heading.FindStringSubmatch(line); m != nil {
				list = append(list,
					Fact{Number: m[1], Title: m[2], Place: fmt.Sprintf("%s:%d", file, i+1)})
				current = &list[len(list)-1]
			} else if strings.HasPrefix(line, "###") {
				faults = append(faults, fmt.Errorf("%s:%d: no number in %q", file, i+1, line))
			}
		case strings.TrimSpace(line) == "":
			end()
		default:
			paragraph = append(paragraph, strings.TrimSpace(line))
		}
	}
	end()
	for i := range list {
		faults = append(faults, list[i].check())
	}
	return list, errors.Join(faults...)
}

// add adds a paragraph.
func (f *Fact) add(paragraph string) error {
	set := func(member *string, text string) error {
		if *member != "" {
			return fmt.Errorf("%s: a second paragraph %q", f.Place, paragraph)
		}
		*member = text
		return nil
	}
	label, text, _ := strings.Cut(paragraph, ": ")
	switch label {
	case "Known":
		return set(&f.Known, text)
	case "Source":
		return set(&f.Source, text)
	case "Kugiri":
		return set(&f.Kugiri, text)
	case "Held by":
		return f.addTests(text)
	}
	if f.Known != "" || f.HeldBy != nil {
		return fmt.Errorf("%s: %q stands after what is known", f.Place, paragraph)
	}
	f.Text = strings.TrimSpace(f.Text + "\n" + paragraph)
	return nil
}

// addTests reads a list of tests, or why the fact has none.
func (f *Fact) addTests(text string) error {
	if excuse, ok := strings.CutPrefix(text, "none, because "); ok {
		f.Excuse = excuse
		return nil
	}
	for _, m := range codeSpan.FindAllStringSubmatch(text, -1) {
		f.HeldBy = append(f.HeldBy, m[1])
	}
	between := codeSpan.ReplaceAllString(text, "")
	if len(f.HeldBy) == 0 || between != strings.Repeat(", ", len(f.HeldBy)-1)+"." {
		return fmt.Errorf("%s: want tests in backquotes, or none, because: %q", f.Place, text)
	}
	return nil
}

// check returns an error if a paragraph is missing.
func (f *Fact) check() error {
	var missing []string
	for label, text := range map[string]string{
		"text": f.Text, "Known": f.Known, "Source": f.Source,
	} {
		if text == "" {
			missing = append(missing, label)
		}
	}
	if len(f.HeldBy) == 0 && f.Excuse == "" {
		missing = append(missing, "Held by")
	}
	if len(missing) == 0 {
		return nil
	}
	return fmt.Errorf("%s: %s has no %s", f.Place, f.Number, strings.Join(missing, ", "))
}
