package emulator

import (
	"bytes"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/storage/disk"
	"github.com/kugiri-db/kugiri/storage/journal"
)

// mortalJournal is the journal of a process that may end as long as deadly reports true for what it
// writes. Nothing that it appends then or later is kept.
type mortalJournal struct {
	journal.Journal
	deadly func(*written) bool
	dead   bool
}

func (j *mortalJournal) Append(b *journal.Batch) uint64 {
	if !j.dead && j.deadly != nil {
		var w written
		if err := journal.Decode(b.Bytes(), &w); err != nil {
			panic(err)
		}
		j.dead = j.deadly(&w)
	}
	if j.dead {
		runtime.Goexit()
	}
	return j.Journal.Append(b)
}

// written holds the values that a batch puts, by the kinds of its buckets, and the store.
type written struct {
	puts  [256][]byte
	store string
}

func (w *written) Put(bucket, _, value []byte) {
	w.store = string(bucket[:4])
	w.puts[bucket[4]] = append(w.puts[bucket[4]], value...)
}
func (w *written) Delete(_, _ []byte) {}
func (w *written) Drop(_ []byte)      {}

// arrives reports whether a replica gets an item with a text from another one.
func (w *written) arrives(text string) bool {
	return bytes.Contains(w.puts['i'], []byte(text)) && w.puts['w'] == nil
}

// mortalTest is a globalTest whose process may end.
type mortalTest struct {
	*globalTest
	dir     string
	log     strings.Builder
	journal *mortalJournal
}

// live opens the directory in a process, and does work in it. It reports whether both ended before
// the process.
func (x *mortalTest) live(deadly func(*written) bool, work func()) (outlived bool) {
	x.Helper()
	db, err := disk.Open(x.dir, disk.Options{Logger: slog.New(slog.DiscardHandler)})
	require.NoError(x, err)
	x.journal = &mortalJournal{Journal: db, deadly: deadly}
	done := make(chan bool)
	go func() {
		defer func() { done <- outlived }()
		x.emulator, err = Open(x.journal,
			WithHeldClock(x.clock), WithLogger(slog.New(slog.NewTextHandler(&x.log, nil))))
		if work != nil {
			work()
		}
		outlived = true
	}()
	outlived = <-done
	require.NoError(x, err)
	require.NoError(x, db.Close())
	return outlived
}

// deadlyIn returns what is deadly to a process: that an item with the text "poison" arrives in the
// first region in which it does.
func deadlyIn() func(*written) bool {
	in := ""
	return func(w *written) bool {
		if in == "" && w.arrives("poison") {
			in = w.store
		}
		return w.arrives("poison") && w.store == in
	}
}

// newPoisonedReplicas makes a global table with a change that is deadly in Ireland. It ends the
// first process.
func newPoisonedReplicas(t *testing.T) (x *mortalTest, deadly func(*written) bool) {
	x = &mortalTest{globalTest: newGlobalTest(t), dir: t.TempDir()}
	deadly = deadlyIn()
	require.False(t, x.live(deadly, func() {
		x.create("songs", virginia, oregon, ireland)
		x.create("other", virginia, oregon)
		x.put(virginia, "a", "first")
		x.put(virginia, "a", "poison")
	}))
	return x, deadly
}

// got returns the values of the items a and b of each region.
func (x *mortalTest) got() map[string]string {
	values := map[string]string{}
	for _, region := range []string{virginia, oregon, ireland} {
		values[region] = x.get(region, "a") + " " + x.get(region, "b")
	}
	return values
}

// TestReplicasThatEndProcesses: a change that ends the process in which it arrives ends three
// starts and is left alone then. All other replicas and tables go on.
func TestReplicasThatEndProcesses(t *testing.T) {
	x, deadly := newPoisonedReplicas(t)
	for start := range serve.MaxAttempts {
		require.False(t, x.live(deadly, nil), start)
	}
	require.True(t, x.live(deadly, func() {
		x.put(virginia, "b", "later")
		assert.Equal(t, map[string]string{virginia: "poison later", oregon: "poison later",
			ireland: "first "}, x.got())
		x.do(virginia, "PutItem", `{"TableName":"other","Item":{"pk":{"S":"a"}}}`)
		assert.Contains(t, x.do(oregon, "Scan", `{"TableName":"other"}`), `"Count":1`)
		assert.Contains(t, x.log.String(), "3 times")
		described := x.do(virginia, "DescribeTable", `{"TableName":"songs"}`)
		assert.Contains(t, described, `"ReplicaStatus":"CREATION_FAILED"`)
		assert.Contains(t, described, "has ended 3 times in a row")
	}))
	require.True(t, x.live(nil, func() { // a replica that is added again has all that there is
		update := `{"TableName":"songs","ReplicaUpdates":[{"%s":{"RegionName":"eu-west-1"}}]}`
		x.do(virginia, "UpdateTable", fmt.Sprintf(update, "Delete"))
		x.do(virginia, "UpdateTable", fmt.Sprintf(update, "Create"))
		assert.NotContains(t, x.do(virginia, "DescribeTable", `{"TableName":"songs"}`), "FAILED")
		x.put(virginia, "b", "last")
		all := "poison last"
		assert.Equal(t, map[string]string{virginia: all, oregon: all, ireland: all}, x.got())
	}))
}

// TestReplicasThatGotOn: starts that replicas outlive do not count.
func TestReplicasThatGotOn(t *testing.T) {
	x, deadly := newPoisonedReplicas(t)
	for n := range 2 * serve.MaxAttempts {
		require.False(t, x.live(deadly, nil))
		require.True(t, x.live(nil, func() {
			assert.Equal(t, x.get(virginia, "a"), x.get(ireland, "a"))
		}))
		require.False(t, x.live(deadly, func() { x.put(virginia, "a", fmt.Sprint("poison ", n)) }))
	}
}

// TestRestoresThatEndProcesses: a restore is one commit, which a process makes whole or not at all.
// None is taken up by a later process.
func TestRestoresThatEndProcesses(t *testing.T) {
	for _, c := range []struct{ name, operation, body string }{
		{"a backup", "RestoreTableFromBackup", `{"TargetTableName":"restored","BackupArn":"%s"}`},
		{"a point in time", "RestoreTableToPointInTime",
			`{"TargetTableName":"restored","SourceTableName":"songs","UseLatestRestorableTime":true%.0s}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := &mortalTest{globalTest: newGlobalTest(t), dir: t.TempDir()}
			arn := ""
			require.True(t, x.live(nil, func() {
				x.create("songs", virginia)
				x.put(virginia, "a", "poison")
				x.do(virginia, "UpdateContinuousBackups",
					`{"TableName":"songs","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}}`)
				_, arn, _ = strings.Cut(x.do(virginia, "CreateBackup",
					`{"TableName":"songs","BackupName":"backup"}`), `"BackupArn":"`)
				arn, _, _ = strings.Cut(arn, `"`)
			}))
			restore := func() { x.do(virginia, c.operation, fmt.Sprintf(c.body, arn)) }
			deadly := func(w *written) bool { return w.arrives("poison") }
			require.False(t, x.live(deadly, restore))
			require.True(t, x.live(deadly, func() {
				assert.JSONEq(t, `{"TableNames":["songs"]}`, x.do(virginia, "ListTables", `{}`))
			}))
			require.True(t, x.live(nil, restore))
			require.True(t, x.live(deadly, func() {
				assert.Contains(t, x.do(virginia, "Scan", `{"TableName":"restored"}`), "poison")
			}))
		})
	}
}
