package growth

import (
	"cmp"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// A Reader reads or decodes something that others have written: a body, a message, a file. The
// tests of readers in the packages emulator and cmd/kugiri are the registry of them: a package
// that decodes something and is in none of their Packages does not pass the tests of
// conformance/repository.
type Reader struct {
	Name     string
	Packages []string          // the packages whose decoders read the text
	Most     int               // bytes that it reads, if they are fewer than Heaviest
	Read     func(text []byte) // what it refuses has to be cheap as well
	Inputs   []Input
}

// Input is a text with a part that repeats, as Text makes it. Of makes it if that is not nil.
type Input struct {
	Name, Begin, More, End string
	Of                     func(bytes int) []byte
}

// The sizes of texts.
const (
	Light    = 1 << 20  // the size in an ordinary run
	Heaviest = 16 << 20 // the size in a run in full

	MostTime = time.Second // the most CPU time of a text that is Heaviest

	sampled = 8 // an ordinary run takes one of so many texts
)

// AllText are parts that any text may have, whatever its reader takes it for.
var AllText = []Input{
	{Name: "blanks", More: " "},
	{Name: "lines", More: "\n"},
	{Name: "letters", More: "x"},
	{Name: "bytes that are no text", More: "\xff"},
	{Name: "zeros", More: "\x00"},
	{Name: "brackets", More: "["},
	{Name: "braces", More: `{"a":`},
	{Name: "a long text", Begin: `{"a":"`, More: "x", End: `"}`},
	{Name: "escapes", Begin: `{"a":"`, More: `\u0001`, End: `"}`},
	{Name: "a long number", Begin: `{"a":`, More: "1", End: "}"},
	{Name: "elements", Begin: `{"a":[0`, More: ",0", End: "]}"},
	{Name: "empty elements", Begin: `[{}`, More: ",{}", End: "]"},
	{Name: "members", Begin: `{"a":0`, More: `,"a%d":0`, End: "}"},
	{Name: "the same member", Begin: `{"a":0`, More: `,"a":0`, End: "}"},
}

// AllYAML are those of a text of YAML.
var AllYAML = slices.Concat(AllText, []Input{
	{Name: "dashes", More: "- "},
	{Name: "comments", More: "# x\n"},
	{Name: "documents", More: "---\n"},
	{Name: "lines of members", More: "a%d: 0\n"},
	{Name: "empty lists", Begin: "[", More: "[],", End: "]"},
	{Name: "anchors", Begin: "[", More: "&a%d x, *a%[1]d, ", End: "]"},
	{Name: "aliases", Begin: "a: &a [x]\nb: [", More: "*a, ", End: "]"},
	{Name: "aliases of aliases", Begin: "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n",
		Of: func(bytes int) []byte { return aliases(bytes) }},
	{Name: "merges", Begin: "a: &a {b: 0}\n", More: "c%d: {<<: *a}\n"},
	{Name: "tags", Begin: "a: [", More: "!t x, ", End: "]"},
})

// aliases returns a text each of whose lists has the one before ten times.
func aliases(bytes int) []byte {
	var b strings.Builder
	b.WriteString("a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n")
	for i := 1; b.Len() < bytes; i++ {
		fmt.Fprintf(&b, "a%d: &a%[1]d [%s*a%[3]d]\n", i, strings.Repeat(
			fmt.Sprintf("*a%d,", i-1), 9), i-1)
	}
	return []byte(b.String())
}

// text returns a text of about as many bytes.
func (in *Input) text(bytes int) []byte {
	if in.Of != nil {
		return in.Of(bytes)
	}
	each := len(in.More)
	if strings.Contains(in.More, "%") {
		each = len(fmt.Sprintf(in.More, bytes/max(each, 1)))
	}
	return []byte(Text(in.Begin, in.More, in.End, max(1, (bytes-len(in.Begin)-len(in.End))/each)))
}

// weight is the cost of reading a text.
type weight struct {
	name  string
	bytes int
	peak  int64
	cpu   time.Duration
	costs Costs
}

// Weigh tests that no part of what readers read costs more than its length is worth: twice the text
// at most Most times the work, and at most MostTimes its bytes, and MostBytes, in use. Ordinarily
// a text is Light and may take twice as much, and work is counted in bytes that are allocated. In
// full (TEST_FULL) it is Heaviest, work is CPU time, and there is a table of all costs; an ordinary
// run takes one of sampled texts.
func Weigh(t *testing.T, readers []Reader) {
	var all []weight
	full, n := os.Getenv("TEST_FULL") != "", 0
	for i := range readers {
		r := &readers[i]
		t.Run(r.Name, func(t *testing.T) {
			for _, in := range r.Inputs {
				if n++; n%sampled != 0 && !full {
					continue
				}
				t.Run(in.Name, func(t *testing.T) { all = append(all, r.weigh(t, &in)) })
			}
		})
	}
	if full {
		t.Logf("what readers cost, the slowest first:\n%s", table(all))
	}
}

// weigh tests one text.
func (r *Reader) weigh(t *testing.T, in *Input) (w weight) {
	size, full := Light, os.Getenv("TEST_FULL") != ""
	if full {
		size = Heaviest
	}
	if r.Most > 0 {
		size = min(size, r.Most)
	}
	text := in.text(size)
	w = weight{name: r.Name + ": " + in.Name, bytes: len(text)}
	most := int64(MostTimes*len(text) + MostBytes)
	if !full {
		most *= 2 // other tests of the process have memory in use as well
	}
	w.peak = Peak(func() { r.Read(text) })
	// What is allocated while garbage is collected counts as in use, and that takes long on a busy
	// machine: the least of a few counts.
	for i := 0; i < 3 && w.peak > most; i++ {
		w.peak = min(w.peak, Peak(func() { r.Read(text) }))
	}
	if w.peak > most {
		t.Errorf("%d bytes took %d, more than %d", len(text), w.peak, most)
	}
	if !full {
		r.allocations(t, in, size)
		return w
	}
	if w.cpu = r.time(text); w.cpu > MostTime {
		t.Errorf("%d bytes took %v, more than %v", len(text), w.cpu, MostTime)
	}
	var tooFast bool
	w.costs, tooFast = MeasureCPU(func(n int) { r.Read(in.text(min(32*n, size*n/Sizes[2]))) })
	if tooFast {
		t.Errorf("it costs %v for the sizes %v", w.costs, Sizes)
	}
	return w
}

// time returns the CPU time that a text takes: the least of a few if the first is more than
// MostTime, because garbage of what ran before may be collected meanwhile.
func (r *Reader) time(text []byte) (least time.Duration) {
	for n := 0; n == 0 || n < 3 && least > MostTime; n++ {
		runtime.GC()
		begin := CPU()
		r.Read(text)
		if took := CPU() - begin; n == 0 || took < least {
			least = took
		}
	}
	return least
}

// allocations tests that twice the text allocates at most Most times as much, and a few times its
// length: buffers that are used again may be there for one text and not for the other.
func (r *Reader) allocations(t *testing.T, in *Input, size int) {
	allocated := func(bytes int) uint64 {
		text := in.text(bytes)
		var before, since runtime.MemStats
		runtime.ReadMemStats(&before)
		r.Read(text)
		runtime.ReadMemStats(&since)
		return since.TotalAlloc - before.TotalAlloc
	}
	small, large := allocated(size/4), allocated(size/2)
	if float64(large) > Most*float64(small)+8*float64(size/2) {
		t.Errorf("%d bytes allocate %d, and %d bytes %d", size/4, small, size/2, large)
	}
}

// table returns a line for each weight, the slowest first.
func table(all []weight) string {
	var b strings.Builder
	slices.SortStableFunc(all, func(x, y weight) int { return cmp.Compare(y.cpu, x.cpu) })
	for _, w := range all {
		fmt.Fprintf(&b, "%8d bytes: %7.1f MB, %6d ms, growth %.2f: %s\n", w.bytes,
			float64(w.peak)/(1<<20), w.cpu.Milliseconds(), w.costs.Widest(), w.name)
	}
	return b.String()
}
