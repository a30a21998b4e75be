package emulatortest_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/kugiri-db/kugiri/emulator/emulatortest"
	"github.com/kugiri-db/kugiri/emulator/seed"
)

var setups atomic.Int64

// newUsers gives each test a fork with one user.
var newUsers = emulatortest.Template(func(t testing.TB, s *emulatortest.Server) {
	setups.Add(1)
	createUsers(t, s.Client())
	putUser(t, s.Client(), "a")
}, emulatortest.WithClockAt(time.Unix(1000, 0)), emulatortest.WithRegion("eu-west-1"))

func TestTemplate(t *testing.T) {
	t.Run("forks", func(t *testing.T) {
		for range 20 {
			t.Run("", func(t *testing.T) {
				t.Parallel()
				s := newUsers(t)
				putUser(t, s.Client(), "b")
				s.Clock().Advance(time.Hour)
				assert.Len(t, s.Items(t, "users"), 2)
				assert.EqualValues(t, 1000+3600, s.Now().Unix())
			})
		}
	})
	assert.EqualValues(t, 1, setups.Load(), "the setup is done once")
	own := newUsers(t, emulatortest.WithRegion("us-east-1"))
	test := new(fakeTest)
	assert.Contains(t, test.run(func() { own.Items(test, "users") }), `no table "users"`)
}

func TestTemplateOutlivesItsFirstTest(t *testing.T) {
	start := emulatortest.Template(func(t *fakeTest, s *emulatortest.Server) {
		s.SeedTables(t,
			seed.Table{Name: "users", PartitionKey: seed.Attribute{Name: "id", Type: "S"}})
	})
	first, second := new(fakeTest), new(fakeTest)
	start(first)
	first.end()
	later := start(second)
	assert.Empty(t, later.Items(t, "users"))
	assert.False(t, hasUser(t, later.Client(), "a"))
	second.end()
}
