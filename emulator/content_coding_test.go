package emulator

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"hash/crc32"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator/internal/httpd"
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
		for kind, edit := range map[string]func(*http.Request){
			"": func(*http.Request) {}, " in chunks": inChunks,
		} {
			t.Run(c.name+kind, func(t *testing.T) {
				w := answerOf(New(),
					rawRequest("ListTables", c.body, header("Content-Encoding", c.coding), edit))
				assert.Contains(t, w.Body.String(), c.want)
				assert.Equal(t, c.want == failed, w.Code == 500, w.Code)
			})
		}
	}
	t.Run("only the first header counts", func(t *testing.T) {
		second := func(r *http.Request) { r.Header.Add("Content-Encoding", "deflate") }
		w := answerOf(New(),
			rawRequest("ListTables", zip, header("Content-Encoding", "gzip"), second))
		assert.Contains(t, w.Body.String(), understood)
	})
	t.Run("broken, and of no operation", func(t *testing.T) {
		w := answerOf(New(),
			rawRequest("ListChairs", "garbage", header("Content-Encoding", "gzip")))
		assert.Contains(t, w.Body.String(), failed)
	})
}

// answersOf is a service with an item "short", the answer to whose GetItem is as long as is not
// compressed, and one "long" that is longer by a byte; get asks for one of them.
func answersOf(t *testing.T) (e *Emulator,
	get func(key string, edit ...func(*http.Request)) *httptest.ResponseRecorder) {
	e = New()
	get = func(key string, edit ...func(*http.Request)) *httptest.ResponseRecorder {
		return answerOf(e,
			rawRequest("GetItem", `{"TableName":"abc","Key":{"k":{"S":"`+key+`"}}}`, edit...))
	}
	require.Equal(t,
		200, answerOf(
			e, rawRequest("CreateTable", `{"TableName":"abc","BillingMode":"PAY_PER_REQUEST",`+
				`"AttributeDefinitions":[{"AttributeName":"k","AttributeType":"S"}],"KeySchema":[{"AttributeName":"k","KeyType":"HASH"}]}`)).Code)
	for key, length := range map[string]int{
		"short": httpd.LeastCompressed, "long": httpd.LeastCompressed + 1,
	} {
		n := length - len(`{"Item":{"k":{"S":"`+key+`"},"a":{"S":""}}}`)
		put := `{"TableName":"abc","Item":{"k":{"S":"` +
			key + `"},"a":{"S":"` + strings.Repeat("x", n) + `"}}}`
		require.Equal(t, 200, answerOf(e, rawRequest("PutItem", put)).Code)
		require.Equal(t, length, get(key).Body.Len())
	}
	return e, get
}

// TestUndecodableBodiesAreNoFaults: the answer is the service's, but the log does not call it an
// error of the server.
func TestUndecodableBodiesAreNoFaults(t *testing.T) {
	zip := zipped(`{"Limit":0}`)
	for name, c := range map[string]struct{ coding, body string }{
		"cut short": {"gzip", zip[:len(zip)-5]},
		"broken":    {"deflate", "garbage"},
		"unknown":   {"br", zip},
		"empty":     {"gzip", ""},
	} {
		t.Run(name, func(t *testing.T) {
			var log strings.Builder
			e := New(WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
			w := answerOf(e, rawRequest("ListTables", c.body, header("Content-Encoding", c.coding)))
			assert.Equal(t, http.StatusInternalServerError, w.Code)
			assert.Contains(t, log.String(), "level=WARN")
			assert.NotContains(t, log.String(), "level=ERROR")
		})
	}
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
			assert.Equal(t, strconv.Itoa(int(crc32.ChecksumIEEE(w.Body.Bytes()))),
				w.Header().Get("X-Amz-Crc32"))
			z, err := read(w.Body)
			require.NoError(t, err)
			text, err := io.ReadAll(z)
			require.NoError(t, err)
			assert.Equal(t, plain, string(text))

			assert.NotContains(t, get("short", accept).Header(), "Content-Encoding")
			long := rawRequest("DescribeTable", `{"TableName":"`+strings.Repeat("/", 5000)+`"}`,
				accept)
			assert.Equal(t, coding, answerOf(e, long).Header().Get("Content-Encoding"), "an error")
		})
	}
	t.Run("only the first header counts", func(t *testing.T) {
		second := func(r *http.Request) { r.Header.Add("Accept-Encoding", "gzip") }
		assert.NotContains(t, get("long", header("Accept-Encoding", "br"), second).Header(),
			"Content-Encoding")
	})
}
