//go:build go1.25 && unix

package zoo

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/explore"
)

// families are the specimens by what they are about.
var families = []struct {
	name      string
	specimens []specimen
}{
	{"counters and sequences", counters}, {"conditions", conditions}, {"documents", documents},
	{"lost answers, retries, batches", failures}, {"locks, leases, outboxes", protocols},
	{"versions", versions}, {"answers of a cache", caches}, {"consumers of streams", consumers},
	{"reads by PartiQL, updates and conditions", otherReads}, {"clocks", clocks},
	{"what has to hold between requests", between},
}

// line is a line of the table: what the search of some programs has found.
type line struct {
	name           string
	programs       int
	found, alarms  int // failures of the broken form, and of the mended one
	broken, mended int // runs
	cpu            time.Duration
}

func (l *line) String() string {
	return fmt.Sprintf("| %s | %d of %d | %d of %d | %d | %d | %.2f s |\n", l.name, l.found,
		l.programs, l.alarms, l.programs, l.broken, l.mended, l.cpu.Seconds())
}

// cpuTime is that of the process so far.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// TestTable compares the page's table of the zoo with what is found now, but for the times.
// KUGIRI_UPDATE=1 writes it.
func TestTable(t *testing.T) {
	all := &line{name: "all"}
	text := "\n| Programs about | Broken form: found | Mended form: called wrong | Runs, broken | " +
		"mended | CPU time |\n|---|---|---|---|---|---|\n"
	count := 0
	for _, f := range families {
		l := &line{name: f.name, programs: len(f.specimens)}
		began := cpuTime()
		for _, s := range f.specimens {
			broken := explore.Search(t, newTable, s.broken, s.options...)
			if len(broken.Failures) == 1 && broken.Failures[0].Kind == s.kind {
				l.found++
			}
			mended := explore.Search(t, newTable, s.mended, s.options...)
			l.alarms += min(len(mended.Failures), 1)
			l.broken, l.mended = l.broken+broken.Runs+broken.Shorter, l.mended+mended.Runs
		}
		l.cpu = cpuTime() - began
		count += l.programs
		all.programs, all.found, all.alarms = all.programs+l.programs, all.found+l.found,
			all.alarms+l.alarms
		all.broken, all.mended = all.broken+l.broken, all.mended+l.mended
		all.cpu += l.cpu
		text += l.String()
	}
	require.Len(t, specimens, count, "a family is not in the table")
	page := filepath.Join("..", "..", "docs", "explore.md")
	old, err := os.ReadFile(page)
	require.NoError(t, err)
	part := regexp.MustCompile(`(?s)(<!-- zoo:[^\n]*\n).*?<!-- end -->`)
	require.True(t, part.Match(old))
	match := part.FindStringSubmatch(string(old))
	written, now := match[0], match[1]+text+all.String()+"\n<!-- end -->"
	if os.Getenv("KUGIRI_UPDATE") == "1" {
		changed := strings.Replace(string(old), written, now, 1)
		require.NoError(t, os.WriteFile(page, []byte(changed), 0o600))
		return
	}
	seconds := regexp.MustCompile(`[0-9.]+ s \|`)
	assert.Equal(t, seconds.ReplaceAllString(now, "|"), seconds.ReplaceAllString(written, "|"),
		"KUGIRI_UPDATE=1 go test -run TestTable ./emulator/explore/zoo writes it")
}
