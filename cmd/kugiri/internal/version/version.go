// Package version says what a program was built of.
package version

import (
	"cmp"
	"fmt"
	"regexp"
	"runtime/debug"
	"sync"
	"time"
)

// Build names the version, commit and date of a program.
type Build struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`   // "": not known
	Date     string `json:"date,omitempty"`     // the date of the commit
	Modified bool   `json:"modified,omitempty"` // there were changes that are not in the commit
	Go       string `json:"go"`
}

// This returns the build of this program.
func This() Build {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = new(debug.BuildInfo)
	}
	return of(info)
}

// pseudoVersion is the version of a commit without a tag: v0.0.0-20261122142357-780da4abcdef (Go
// Modules Reference, "Pseudo-versions").
var pseudoVersion = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[-.](\d{14})-([0-9a-f]{12})(\+|$)`)
})

// of reads what the go command recorded: the repository, or for "go install" of a version only
// that.
func of(info *debug.BuildInfo) Build {
	b := Build{Version: cmp.Or(info.Main.Version, "(unknown)"), Go: info.GoVersion}
	if parts := pseudoVersion().FindStringSubmatch(b.Version); parts != nil {
		if at, err := time.Parse("20060102150405", parts[1]); err == nil {
			b.Commit, b.Date = parts[2], at.Format(time.RFC3339)
		}
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.time":
			b.Date = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

// String is the build in a line: "v1.2.3 (commit 780da4a of 2026-11-22T14:23:57Z, go1.26)".
func (b Build) String() string {
	commit := "commit not known"
	if b.Commit != "" {
		commit = "commit " + b.Commit + " of " + b.Date
	}
	if b.Modified {
		commit += " with changes"
	}
	return fmt.Sprintf("%s (%s, %s)", b.Version, commit, b.Go)
}
