package httpd

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "github.com/kugiri-db/kugiri/storage/rapidseed" // fixes the seed
)

// TestCodingsReadBack checks that each coding decompresses what it compresses, and no prefix of
// that.
func TestCodingsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SliceOf(rapid.Byte()).Draw(t, "text")
		behind := rapid.SliceOfN(rapid.Byte(), 0, 9).Draw(t, "behind") // too short for a stream
		for _, c := range Codings {
			body := c.Compress(nil, text)
			cut := rapid.IntRange(0, len(body)-1).Draw(t, "cut")
			l := &largeBody{ctx: t.Context(), transit: NewTransit(1 << 20)}
			got, err := c.decompress(append(body, behind...), 1<<20, l)
			require.NoError(t, err)
			require.Equal(t, string(text), string(got))
			_, err = c.decompress(body[:cut], 1<<20, l)
			require.Error(t, err)
		}
	})
}

// TestPreferredCoding: service facts 9.4.
func TestPreferredCoding(t *testing.T) {
	for _, c := range []struct{ accept, want string }{
		{"", ""}, {"gzip", "gzip"}, {"deflate", "deflate"}, {"GZip", "gzip"},
		{"DEFLATE", "deflate"}, {" gzip ", "gzip"},
		{"identity", ""}, {"br", ""}, {"zstd", ""}, {"compress", ""}, {",,", ""},
		{", gzip ,", "gzip"},

		{"gzip, deflate", "gzip"}, {"deflate, gzip", "deflate"}, {"br, deflate, gzip", "deflate"},
		{"gzip;q=0.5, deflate", "deflate"}, {"gzip;q=0.5, deflate;q=0.6", "deflate"},
		{"deflate;q=0.4, gzip;q=0.5", "gzip"},
		{"gzip;q=0.5, deflate;q=0.50", "gzip"}, {"deflate;q=0.5, gzip;q=.5", "deflate"},
		{"gzip;q=0.001", "gzip"},

		{"identity, gzip;q=0.1", "gzip"}, {"identity;q=1, deflate;q=0.2, gzip;q=0.1", "deflate"},
		{"br;q=1, gzip;q=0.1", "gzip"},

		{"*", "gzip"}, {"*;q=0.1", "gzip"}, {"*;q=0", ""}, {"*;q=-1", ""}, {"identity, *", "gzip"},
		{"gzip;q=0, *", "deflate"}, {"*, gzip;q=0", "deflate"}, {"deflate;q=0, *", "gzip"},
		{"gzip;q=0, deflate;q=0, *", ""},
		{"gzip;q=0.1, *", "deflate"}, {"*;q=0.1, deflate;q=0.5", "deflate"},
		{"*;q=0, deflate", "deflate"}, {"*, deflate", "deflate"},

		{"gzip;q=0", ""}, {"gzip;q=0.000", ""}, {"gzip; q=0", ""}, {"gzip;Q=0", ""},
		{"gzip;q=0, deflate", "deflate"},
		{"gzip;q=-1", ""}, {"gzip;q=-0.5, deflate;q=0.1", "deflate"}, {"gzip;q=-1e999", ""},
		{"gzip;q=2, deflate", "gzip"}, {"deflate, gzip;q=5", "deflate"},
		{"deflate, gzip;q=1e999", "deflate"},
		{"gzip;q=x, deflate;q=0.9", "gzip"}, {"deflate;q=1, gzip;q=x", "deflate"},
		{"gzip;q=", "gzip"}, {"gzip;q", "gzip"},
		{`gzip;q="0"`, "gzip"}, {"gzip;q=NaN", "gzip"},
		{"gzip;q =0;q=1", "gzip"}, {"gzip;nq=0;q=1", ""}, // service facts H.6
		{"gzip;q=0;q=1", ""}, {"gzip;q=1;q=0", "gzip"}, {"gzip;level=9;q=0", ""},
		{"gzip;level=0", "gzip"}, {"gzip;", "gzip"},

		{`"gzip"`, ""}, {"gzip br", ""}, {"gzip:q=1", ""}, {"x-gzip", ""}, {"gzipped", ""},
		{"gzip=1", ""}, {"x-gzip, deflate;q=0.1", "deflate"},
	} {
		t.Run(c.accept, func(t *testing.T) {
			got := ""
			if coding := preferredCoding(c.accept); coding != nil {
				got = coding.Header[0]
			}
			assert.Equal(t, c.want, got)
		})
	}
}

// TestAnswersInPlainCostNothing checks that the choice of a coding allocates no memory.
func TestAnswersInPlainCostNothing(t *testing.T) {
	for _, accept := range [][]string{nil, {"identity"}, {"gzip;q=0, deflate;q=0"},
		{"gzip, deflate, br"}} {
		assert.Zero(t, testing.AllocsPerRun(100, func() { AnswerCoding(accept, 1<<20) }), accept)
	}
}

// FuzzPreferredCoding checks that the chosen coding is always one that the client names in some
// form.
func FuzzPreferredCoding(f *testing.F) {
	for _, seed := range []string{"gzip, deflate;q=0.5, *;q=0", "*;q=0.1", ";q=1,gzip;q",
		"GZIP;Q=-1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, accept string) {
		if c := preferredCoding(accept); c != nil {
			named := strings.Contains(strings.ToLower(accept), c.Header[0])
			assert.True(t, named || strings.Contains(accept, "*"), "%q gets %s", accept,
				c.Header[0])
		}
	})
}
