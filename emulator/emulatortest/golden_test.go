package emulatortest_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/emulatortest"
	"github.com/kugiri-db/kugiri/emulator/fault"
)

func TestGolden(t *testing.T) {
	t.Setenv("KUGIRI_UPDATE", "")
	s := emulatortest.Start(t)
	createUsers(t, s.Client())
	putUser(t, s.Client(), "b")
	putUser(t, s.Client(), "a")
	test, path := new(fakeTest), filepath.Join(t.TempDir(), "new", "users.golden")
	golden := func() string { return test.run(func() { s.Golden(test, path) }) }

	assert.Equal(t,
		"emulatortest: the tables are not those of "+path+"; KUGIRI_UPDATE=1 accepts them:\n"+
			"--- "+path+"\n+++ tables\n@@ -0,0 +1,4 @@\n+=== users\n+id: \"a\"\n+\n+id: \"b\"\n",
		golden())
	assert.NoFileExists(t, path)

	t.Setenv("KUGIRI_UPDATE", "1")
	test.failure = ""
	assert.Empty(t, golden())
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "=== users\nid: \"a\"\n\nid: \"b\"\n", string(text))

	t.Setenv("KUGIRI_UPDATE", "0")
	assert.Empty(t, golden())
	require.NoError(t,
		os.WriteFile(path, []byte("=== users\r\nid: \"a\"\r\n\r\nid: \"b\"\r\n"), 0o666))
	assert.Empty(t, golden(), "line ends do not count")
	putUser(t, s.Client(), "c")
	assert.Contains(t, golden(), "@@ -2,3 +2,5 @@\n id: \"a\"\n \n id: \"b\"\n+\n+id: \"c\"\n")
}

// TestGoldenMakesNoRequests: a fault does not get in the way of looking at the tables.
func TestGoldenMakesNoRequests(t *testing.T) {
	t.Setenv("KUGIRI_UPDATE", "")
	s, path := emulatortest.Start(t), filepath.Join(t.TempDir(), "users.golden")
	createUsers(t, s.Client())
	require.NoError(t, os.WriteFile(path, []byte("=== users\n"), 0o666))
	s.SetFaults(t, fault.Fault{Do: fault.InternalServerError()})
	s.Golden(t, path)
}

func TestGoldenErrors(t *testing.T) {
	t.Setenv("KUGIRI_UPDATE", "")
	s, test := emulatortest.Start(t), new(fakeTest)
	assert.Equal(t,
		`emulatortest: emulator: no table "none" of the access key "test" in us-east-1: it has no tables`, test.run(func() { s.Golden(test, "x", "none") }))
	assert.Contains(t, test.run(func() { s.Golden(test, t.TempDir()) }), "is a directory")
	t.Setenv("KUGIRI_UPDATE", "perhaps")
	assert.Equal(t, "emulatortest: KUGIRI_UPDATE=perhaps is neither true nor false",
		test.run(func() { s.Golden(test, "x") }))
}
