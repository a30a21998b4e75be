package render_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestGoRandomStreams runs the generated tests of random designs with streams. The designs are the
// same in each run unless STREAM_SEED draws others, as .ci/chance does.
func TestGoRandomStreams(t *testing.T) {
	if os.Getenv("TEST_FULL") == "" {
		t.Skip("it builds packages: run it with TEST_FULL=true")
	}
	seed := uint64(1)
	if drawn := os.Getenv("STREAM_SEED"); drawn != "" {
		var err error
		seed, err = strconv.ParseUint(drawn, 10, 64)
		require.NoError(t, err)
	}
	t.Logf("STREAM_SEED=%d", seed)
	const designs = 12
	dir := newPackages(t)
	for n := range designs {
		d := drawing{rand.New(rand.NewPCG(seed, uint64(n)))}
		text := d.design()
		file := filepath.Join(dir, strconv.Itoa(n)+".yaml")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		require.NotPanics(t, func() {
			writePackage(t, file, filepath.Join(dir, strconv.Itoa(n)))
		}, text)
	}
	out, err := exec.Command("go", "test", "-count=1", "-v", "-run", "^TestStream$",
		"./"+filepath.ToSlash(dir)+"/...").CombinedOutput()
	if !assert.NoError(t, err, string(out)) {
		for n := range designs {
			text, err := os.ReadFile(filepath.Join(dir, strconv.Itoa(n)+".yaml"))
			require.NoError(t, err)
			t.Logf("%d:\n%s", n, text)
		}
	}
	assert.Equal(t, designs, strings.Count(string(out), "\n--- PASS: TestStream "))
}

// drawing draws designs of users, groups and posts, which belong to both, and feeds of posts.
type drawing struct{ *rand.Rand }

// often reports true once in n times.
func (d drawing) often(n int) bool { return d.IntN(n) == 0 }

func (d drawing) of(all ...string) string { return all[d.IntN(len(all))] }

// format draws what the values of a key are.
func (d drawing) format() string {
	return d.of("", ", format: ulid", ", format: uuid", ", type: number", ", format: timestamp")
}

// counter draws how a counter is kept.
func (d drawing) counter() string { return ", kept: " + d.of("stream", "stream-once", "stream") }

// design draws a design. There is always something that is left to the stream.
func (d drawing) design() string {
	var b strings.Builder
	add := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	tenant, tenants := "", d.often(4)
	add("table: random")
	if tenants {
		add("tenants: {attribute: tenant}")
		tenant = "\n      - {name: tenant}"
	}
	user, group, post := d.format(), d.format(), d.format()
	add("models:\n  - name: User\n    key: [id]")
	add("    updates: [{of: name, rate: 1}, {of: size, rate: 1}]")
	add("    attributes:\n      - {name: id%s}%s", user, tenant)
	add("      - {name: name}\n      - {name: size, type: number}")
	add("      - {name: posts, type: number, counts: Post.author%s}", d.counter())
	if d.often(2) {
		add("      - {name: reviews, type: number, counts: Post.reviewer%s}", d.counter())
	}
	key := d.of("[id]", "[area, id]")
	add("  - name: Group\n    key: %s\n    updates: [{of: title, rate: 1}]", key)
	add("    attributes:\n      - {name: id%s}%s", group, tenant)
	add("      - {name: area, values: 3}\n      - {name: title}")
	add("      - {name: posts, type: number, counts: Post%s}", d.counter())
	add("      - {name: points, type: number, sums: Post.points%s}", d.counter())
	add("  - name: Post\n    key: %s\n    puts: 1\n    deletes: %s",
		d.of("[id]", "[author, id]", "[group, id]"), d.of("0", "1"))
	add("    attributes:\n      - {name: id%s}%s", post, tenant)
	add("      - {name: author%s, of: User.id}\n      - {name: reviewer%[1]s, of: User.id}", user)
	add("      - {name: group%s, of: Group.id}", group)
	if key != "[id]" {
		add("      - {name: area, values: 3, of: Group.area}")
	}
	add("      - {name: points, type: number}\n      - {name: state, values: 3, mutable: true}")
	for _, c := range []string{"authorName, of: User.name, by: author", "title, of: Group.title",
		"reviewerName, of: User.name, by: reviewer", "size, type: number, of: User.size, by: author",
		"reviewerSize, type: number, of: User.size, by: reviewer"} {
		add("      - {name: %s, kept: %s}", c, d.of("stream", "stream", "never"))
	}
	add("  - name: Follow\n    key: [reader, whom]\n    puts: 1\n    attributes:")
	add("      - {name: reader%s, of: User.id}\n      - {name: whom%[1]s, of: User.id}%[2]s", user,
		tenant)
	add("patterns:\n  - {name: a user, model: User, equal: [id], one: true}")
	for i, p := range []string{"model: Post, equal: [authorName]",
		"model: Post, equal: [group], order: size",
		"model: Post, equal: [state, title], order: authorName",
		"model: Post, equal: [author], order: title",
		"model: Post, equal: [title], shards: 3",
		"model: Post, where: {state: open}, equal: [reviewerName]",
		"model: User, equal: [name], order: posts",
		"model: Post, through: Follow, equal: [reader], order: id, fanout: write, deletes: cleaned",
		"model: Post, through: Follow, equal: [reader], order: points, fanout: write"} {
		leaderboard := strings.Contains(p, "order: posts") // not in keys that begin with the tenant
		if d.often(3) && !(tenants && leaderboard) {
			add("  - {name: pattern %d, %s}", i, p)
		}
	}
	return b.String()
}
