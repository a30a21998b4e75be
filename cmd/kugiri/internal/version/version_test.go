package version

import (
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestBuildOf(t *testing.T) {
	repository := []debug.BuildSetting{{Key: "vcs.revision", Value: "780da4a"},
		{Key: "vcs.time", Value: "2026-11-22T14:23:57Z"}, {Key: "vcs.modified", Value: "false"}}
	changed := append(repository[:2:2], debug.BuildSetting{Key: "vcs.modified", Value: "true"})
	for _, c := range []struct {
		name, version string
		settings      []debug.BuildSetting
		want          string
	}{
		{"a tag", "v1.2.3", repository, "v1.2.3 (commit 780da4a of 2026-11-22T14:23:57Z, go1.26)"},
		{"changes", "v1.2.3+dirty", changed,
			"v1.2.3+dirty (commit 780da4a of 2026-11-22T14:23:57Z with changes, go1.26)"},
		{"installed from a tag", "v1.2.3", nil, "v1.2.3 (commit not known, go1.26)"},
		{"installed from a commit", "v0.0.0-20261122142357-780da4abcdef", nil,
			"v0.0.0-20261122142357-780da4abcdef (commit 780da4abcdef of 2026-11-22T14:23:57Z, go1.26)"},
		{"installed from a commit behind a tag", "v1.2.4-0.20261122142357-780da4abcdef", nil,
			"v1.2.4-0.20261122142357-780da4abcdef (commit 780da4abcdef of 2026-11-22T14:23:57Z, go1.26)"},
		{"nothing", "", nil, "(unknown) (commit not known, go1.26)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			info := &debug.BuildInfo{
				GoVersion: "go1.26", Main: debug.Module{Version: c.version}, Settings: c.settings,
			}
			assert.Equal(t, c.want, of(info).String())
		})
	}
}
