package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

const (
	page  = "emulator/docs/clients.md"
	begin = "<!-- clients: go run ./conformance/cmd/clients -write -->\n"
	end   = "<!-- end of clients -->\n"
	head  = "| Client | Version | Finds the server by | Steps |\n|---|---|---|---|\n"
)

// splitPage returns the text of clients.md before, in and after the table.
func splitPage() (before, lines, after string, err error) {
	text, err := os.ReadFile(page)
	if err != nil {
		return "", "", "", err
	}
	before, rest, found := strings.Cut(string(text), begin)
	lines, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		return "", "", "", errors.New(page + " has no place for the table of clients")
	}
	return before + begin, lines, end + after, nil
}

// lineOf is a row of the table.
func lineOf(r *row, found result) string {
	said := fmt.Sprintf("all %d", len(r.Steps))
	if len(found.left) > 0 {
		said = fmt.Sprintf("%d; without %s", len(found.ok), strings.Join(found.left, ", "))
	} else if len(r.Steps) != len(steps) {
		said = strings.Join(found.ok, ", ")
	}
	return fmt.Sprintf("| %s | %s | %s | %s |\n", r.Name, found.version, endpoints[r.Endpoint],
		said)
}

// oldLine returns the line of a row in the table of clients.md, or "".
func oldLine(table string, r *row) string {
	for line := range strings.Lines(table) {
		if strings.HasPrefix(line, "| "+r.Name+" |") {
			return line
		}
	}
	return ""
}

// missing returns the names of the rows that have no line in the table.
func missing(rows []*row, table string) (names []string) {
	for _, r := range rows {
		if oldLine(table, r) == "" {
			names = append(names, r.Name)
		}
	}
	return names
}
