package main

import (
	"encoding/json"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/version"
)

func TestVersion(t *testing.T) {
	for _, args := range [][]string{{"--version"}, {"version"}, {"-version"}} {
		out, _, err := runs(t, args...)
		require.NoError(t, err)
		assert.Equal(t, "kugiri "+version.This().String()+"\n", out)
	}
	out, _, err := runs(t, "version", "--format", "json")
	require.NoError(t, err)
	var b version.Build
	require.NoError(t, json.Unmarshal([]byte(out), &b))
	assert.Equal(t, runtime.Version(), b.Go)
}
