package emulator

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"hash/crc32"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func zipped(s string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, s)
	z.Close()
	return b.String()
}

func deflated(s string) string {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	io.WriteString(z, s)
	z.Close()
	return b.String()
}

// withoutHead is deflated without zlib's header and checksum, which some clients call deflate.
func withoutHead(s string) string {
	var b bytes.Buffer
	z, _ := flate.NewWriter(&b, flate.DefaultCompression)
	io.WriteString(z, s)
	z.Close()
	return b.String()
}

// TestRequestCodings: service facts 9.1 and 9.2.
func TestRequestCodings(t *testing.T) {
	const body = `{"Limit":0}`
	const understood, failed = "Value '0' at 'limit'", "InternalServerError"
	zip, def := zipped(body), deflated(body)
	change := func(s string, at int) string { // one byte, from the end if at is negative
		at = (at + len(s)) % len(s)
		return s[:at] + string([]byte{s[at] ^ 0xff}) + s[at+1:]
	}
	for _, c := range []struct{ name, coding, body, want string }{
		{"gzip", "gzip", zip, understood},
		{"gzip in capitals", "GZIP", zip, understood},
		{"gzip in two streams", "gzip", zipped(body[:5]) + zipped(body[5:]), understood},
		{"gzip and garbage", "gzip", zip + "garbage", understood},
		{"gzip and noughts", "gzip", zip + strings.Repeat("\x00", 1000), understood},
		{"gzip and the beginning of a stream", "gzip", zip + zip[:9], understood},
		{"gzip and a broken stream", "gzip", zip + zip[:len(zip)-3], failed},
		{"gzip and JSON", "gzip", zip + body, understood},
		{"deflate", "deflate", def, understood},
		{"deflate in capitals", "Deflate", def, understood},
		{"deflate and garbage", "deflate", def + "garbage", understood},
		{"deflate without a header", "deflate", withoutHead(body), failed},
		{"no encoding", "", body, understood},

		{"an unknown encoding", "garbage", body, failed},
		{"an encoding of others", "br", body, failed},
		{"another name of gzip", "x-gzip", zip, failed},
		{"identity", "identity", body, failed},
		{"two encodings", "gzip, deflate", deflated(zip), failed},
		{"one encoding and a comma", "gzip,", zip, failed},
		{"an encoding with parameters", "gzip;q=1", zip, failed},

		{"plain, called gzip", "gzip", body, failed},
		{"plain, called deflate", "deflate", body, failed},
		{"gzip, called deflate", "deflate", zip, failed},
		{"deflate, called gzip", "gzip", def, failed},
		{"nothing, called gzip", "gzip", "", failed},
		{"nothing, called deflate", "deflate", "", failed},
		{"gzip, only its header", "gzip", zip[:10], failed},
		{"gzip, cut in its header", "gzip", zip[:5], failed},
		{"gzip, cut in its text", "gzip", zip[:15], failed},
		{"gzip, cut in its checksum", "gzip", zip[:len(zip)-6], failed},
		{"gzip, cut in its length", "gzip", zip[:len(zip)-1], failed},
		{"gzip with another checksum", "gzip", change(zip, -5), failed},
		{"gzip with another length", "gzip", change(zip, -1), failed},
		{"gzip with a broken text", "gzip", change(zip, 10), failed},
		{"deflate, cut in its text", "deflate", def[:8], failed},
		{"deflate, cut in its checksum", "deflate", def[:len(def)-1], failed},
		{"deflate with another checksum", "deflate", change(def, -1), failed},
		{"garbage in no encoding, of no operation", "gzip", "garbage", failed},

		{"gzip of nothing", "gzip", zipped(""), "SerializationException"},
		{"deflate of nothing", "deflate", deflated(""), "SerializationException"},
		{"gzip of no JSON", "gzip", zipped("{"), "SerializationException"},
	} {
		for kind, edit := range map[string]func(*http.Request){"": func(*http.Request) {}, " in chunks": inChunks} {
			t.Run(c.name+kind, func(t *testing.T) {
				w := answerOf(New(), rawRequest("ListTables", c.body, header("Content-Encoding", c.coding), edit))
				assert.Contains(t, w.Body.String(), c.want)
				assert.Equal(t, c.want == failed, w.Code == 500, w.Code)
			})
		}
	}
	t.Run("only the first header counts", func(t *testing.T) {
		second := func(r *http.Request) { r.Header.Add("Content-Encoding", "deflate") }
		w := answerOf(New(), rawRequest("ListTables", zip, header("Content-Encoding", "gzip"), second))
		assert.Contains(t, w.Body.String(), understood)
	})
	t.Run("broken, and of no operation", func(t *testing.T) {
		w := answerOf(New(), rawRequest("ListChairs", "garbage", header("Content-Encoding", "gzip")))
		assert.Contains(t, w.Body.String(), failed)
	})
}

// TestCodingsReadBack: what one half of a coding writes the other reads, and no prefix of it.
func TestCodingsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SliceOf(rapid.Byte()).Draw(t, "text")
		behind := rapid.SliceOfN(rapid.Byte(), 0, 9).Draw(t, "behind") // too short for a stream
		for _, c := range codings {
			body := c.compress(nil, text)
			cut := rapid.IntRange(0, len(body)-1).Draw(t, "cut")
			l := &largeBody{ctx: t.Context(), transit: newTransit(1 << 20)}
			got, err := c.decompress(append(body, behind...), 1<<20, l)
			require.NoError(t, err)
			require.Equal(t, string(text), string(got))
			_, err = c.decompress(body[:cut], 1<<20, l)
			require.Error(t, err)
		}
	})
}

// answersOf is a service with an item "short", the answer to whose GetItem is as long as is not
// compressed, and one "long" that is longer by a byte; get asks for one of them.
func answersOf(t *testing.T) (e *Emulator, get func(key string, edit ...func(*http.Request)) *httptest.ResponseRecorder) {
	e = New()
	get = func(key string, edit ...func(*http.Request)) *httptest.ResponseRecorder {
		return answerOf(e, rawRequest("GetItem", `{"TableName":"abc","Key":{"k":{"S":"`+key+`"}}}`, edit...))
	}
	require.Equal(t, 200, answerOf(e, rawRequest("CreateTable", `{"TableName":"abc","BillingMode":"PAY_PER_REQUEST",`+
		`"AttributeDefinitions":[{"AttributeName":"k","AttributeType":"S"}],"KeySchema":[{"AttributeName":"k","KeyType":"HASH"}]}`)).Code)
	for key, length := range map[string]int{"short": leastCompressed, "long": leastCompressed + 1} {
		n := length - len(`{"Item":{"k":{"S":"`+key+`"},"a":{"S":""}}}`)
		put := `{"TableName":"abc","Item":{"k":{"S":"` + key + `"},"a":{"S":"` + strings.Repeat("x", n) + `"}}}`
		require.Equal(t, 200, answerOf(e, rawRequest("PutItem", put)).Code)
		require.Equal(t, length, get(key).Body.Len())
	}
	return e, get
}

// TestAnswerCodings: service facts 9.3.
func TestAnswerCodings(t *testing.T) {
	e, get := answersOf(t)
	plain := get("long").Body.String()
	for coding, read := range map[string]func(io.Reader) (io.Reader, error){
		"gzip":    func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
		"deflate": func(r io.Reader) (io.Reader, error) { return zlib.NewReader(r) },
	} {
		t.Run(coding, func(t *testing.T) {
			accept := header("Accept-Encoding", coding)
			w := get("long", accept)
			assert.Equal(t, coding, w.Header().Get("Content-Encoding"))
			assert.Equal(t, strconv.Itoa(w.Body.Len()), w.Header().Get("Content-Length"))
			assert.Equal(t, strconv.Itoa(int(crc32.ChecksumIEEE(w.Body.Bytes()))), w.Header().Get("X-Amz-Crc32"))
			z, err := read(w.Body)
			require.NoError(t, err)
			text, err := io.ReadAll(z)
			require.NoError(t, err)
			assert.Equal(t, plain, string(text))

			assert.NotContains(t, get("short", accept).Header(), "Content-Encoding")
			long := rawRequest("DescribeTable", `{"TableName":"`+strings.Repeat("/", 5000)+`"}`, accept)
			assert.Equal(t, coding, answerOf(e, long).Header().Get("Content-Encoding"), "an error")
		})
	}
	t.Run("only the first header counts", func(t *testing.T) {
		second := func(r *http.Request) { r.Header.Add("Accept-Encoding", "gzip") }
		assert.NotContains(t, get("long", header("Accept-Encoding", "br"), second).Header(), "Content-Encoding")
	})
}

// TestPreferredCoding: service facts 9.4.
func TestPreferredCoding(t *testing.T) {
	for _, c := range []struct{ accept, want string }{
		{"", ""}, {"gzip", "gzip"}, {"deflate", "deflate"}, {"GZip", "gzip"}, {"DEFLATE", "deflate"}, {" gzip ", "gzip"},
		{"identity", ""}, {"br", ""}, {"zstd", ""}, {"compress", ""}, {",,", ""}, {", gzip ,", "gzip"},

		{"gzip, deflate", "gzip"}, {"deflate, gzip", "deflate"}, {"br, deflate, gzip", "deflate"},
		{"gzip;q=0.5, deflate", "deflate"}, {"gzip;q=0.5, deflate;q=0.6", "deflate"}, {"deflate;q=0.4, gzip;q=0.5", "gzip"},
		{"gzip;q=0.5, deflate;q=0.50", "gzip"}, {"deflate;q=0.5, gzip;q=.5", "deflate"}, {"gzip;q=0.001", "gzip"},

		{"identity, gzip;q=0.1", "gzip"}, {"identity;q=1, deflate;q=0.2, gzip;q=0.1", "deflate"}, {"br;q=1, gzip;q=0.1", "gzip"},

		{"*", "gzip"}, {"*;q=0.1", "gzip"}, {"*;q=0", ""}, {"*;q=-1", ""}, {"identity, *", "gzip"},
		{"gzip;q=0, *", "deflate"}, {"*, gzip;q=0", "deflate"}, {"deflate;q=0, *", "gzip"}, {"gzip;q=0, deflate;q=0, *", ""},
		{"gzip;q=0.1, *", "deflate"}, {"*;q=0.1, deflate;q=0.5", "deflate"}, {"*;q=0, deflate", "deflate"}, {"*, deflate", "deflate"},

		{"gzip;q=0", ""}, {"gzip;q=0.000", ""}, {"gzip; q=0", ""}, {"gzip;Q=0", ""}, {"gzip;q=0, deflate", "deflate"},
		{"gzip;q=-1", ""}, {"gzip;q=-0.5, deflate;q=0.1", "deflate"}, {"gzip;q=-1e999", ""},
		{"gzip;q=2, deflate", "gzip"}, {"deflate, gzip;q=5", "deflate"}, {"deflate, gzip;q=1e999", "deflate"},
		{"gzip;q=x, deflate;q=0.9", "gzip"}, {"deflate;q=1, gzip;q=x", "deflate"}, {"gzip;q=", "gzip"}, {"gzip;q", "gzip"},
		{`gzip;q="0"`, "gzip"}, {"gzip;q=NaN", "gzip"},
		{"gzip;q=0;q=1", ""}, {"gzip;q=1;q=0", "gzip"}, {"gzip;level=9;q=0", ""}, {"gzip;level=0", "gzip"}, {"gzip;", "gzip"},

		{`"gzip"`, ""}, {"gzip br", ""}, {"gzip:q=1", ""}, {"x-gzip", ""}, {"gzipped", ""}, {"gzip=1", ""}, {"x-gzip, deflate;q=0.1", "deflate"},
	} {
		t.Run(c.accept, func(t *testing.T) {
			got := ""
			if coding := preferredCoding(c.accept); coding != nil {
				got = coding.header[0]
			}
			assert.Equal(t, c.want, got)
		})
	}
}

// TestAnswersInPlainCostNothing: whether to compress is decided without memory.
func TestAnswersInPlainCostNothing(t *testing.T) {
	for _, accept := range [][]string{nil, {"identity"}, {"gzip;q=0, deflate;q=0"}, {"gzip, deflate, br"}} {
		assert.Zero(t, testing.AllocsPerRun(100, func() { answerCoding(accept, 1<<20) }), accept)
	}
}

// FuzzPreferredCoding: whatever a client accepts, it gets what it names, in some form.
func FuzzPreferredCoding(f *testing.F) {
	for _, seed := range []string{"gzip, deflate;q=0.5, *;q=0", "*;q=0.1", ";q=1,gzip;q", "GZIP;Q=-1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, accept string) {
		if c := preferredCoding(accept); c != nil {
			named := strings.Contains(strings.ToLower(accept), c.header[0])
			assert.True(t, named || strings.Contains(accept, "*"), "%q gets %s", accept, c.header[0])
		}
	})
}
