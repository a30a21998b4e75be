package httpd

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"io"
	"strconv"
	"strings"
	"sync"
)

// contentCoding is a way to compress a body (RFC 9110, 8.4.1).
type contentCoding struct {
	Header        []string  // its name, as Content-Encoding has it
	compressors   sync.Pool // compressors that wait for work
	decompressors sync.Pool // decompressors that wait for work
}

type compressor interface {
	io.WriteCloser
	Reset(io.Writer)
}

type decompressor interface {
	io.Reader
	reset(*bytes.Reader) error
}

// Codings lists the codings that the service accepts and sends (service facts 9.1, 9.3), the
// preferred one first.
var Codings = [...]*contentCoding{
	{
		Header:        []string{"gzip"},
		compressors:   sync.Pool{New: func() any { return gzip.NewWriter(nil) }},
		decompressors: sync.Pool{New: func() any { return new(gunzip) }},
	},
	{
		Header:        []string{"deflate"}, // the format of zlib
		compressors:   sync.Pool{New: func() any { return zlib.NewWriter(nil) }},
		decompressors: sync.Pool{New: func() any { return new(inflate) }},
	},
}

// codingNamed returns the coding with a name, or nil.
func codingNamed(name string) *contentCoding {
	for _, c := range Codings {
		if strings.EqualFold(name, c.Header[0]) {
			return c
		}
	}
	return nil
}

// Compress appends the compressed body to dst.
func (c *contentCoding) Compress(dst, body []byte) []byte {
	out := bytes.NewBuffer(dst)
	z := c.compressors.Get().(compressor)
	defer c.compressors.Put(z)
	z.Reset(out)
	z.Write(body) // writing to memory does not fail
	z.Close()
	return out.Bytes()
}

// decompress decodes a body to at most limit bytes. l reserves the memory for them.
func (c *contentCoding) decompress(body []byte, limit int64, l *largeBody) ([]byte, error) {
	z := c.decompressors.Get().(decompressor)
	defer c.decompressors.Put(z)
	if err := z.reset(bytes.NewReader(body)); err != nil {
		return nil, err
	}
	return ReadAll(nil, l.decompressed(z), -1, limit)
}

// gunzip reads one gzip stream after the other. Anything else behind a stream is ignored (service
// facts 9.2).
type gunzip struct {
	gzip.Reader
	from *bytes.Reader
}

func (z *gunzip) reset(from *bytes.Reader) error {
	z.from = from
	err := z.Reader.Reset(from)
	z.Multistream(false)
	return err
}

func (z *gunzip) Read(b []byte) (int, error) {
	n, err := z.Reader.Read(b)
	if err == io.EOF && z.reset(z.from) == nil {
		err = nil
	}
	return n, err
}

// inflate reads a zlib stream.
type inflate struct{ io.Reader }

func (z *inflate) reset(from *bytes.Reader) (err error) {
	if r, ok := z.Reader.(zlib.Resetter); ok {
		return r.Reset(from, nil)
	}
	z.Reader, err = zlib.NewReader(from)
	return err
}

// LeastCompressed is the size over which a body is compressed (service facts 9.3).
const LeastCompressed = 4 << 10

// AnswerCoding returns the coding of an answer of n bytes to a request with these Accept-Encoding
// headers, or nil for none. Only the first header counts (service facts 9.4).
func AnswerCoding(accept []string, n int) *contentCoding {
	if n <= LeastCompressed || len(accept) == 0 {
		return nil
	}
	return preferredCoding(accept[0])
}

// preferredCoding returns the coding with the highest weight in an Accept-Encoding header, or nil
// if none has a weight. Of codings with the same weight the first named wins. "*" gives its weight
// to the codings that are not named, which rank after those that are (service facts 9.4).
func preferredCoding(accept string) *contentCoding {
	var named [len(Codings)]struct {
		weight float64
		place  int // its place in the list, from 1 on; 0: not named
	}
	others := 0.0
	place := 0
	for more := true; more; {
		var entry string
		entry, accept, more = strings.Cut(accept, ",") // strings.SplitSeq allocates before Go 1.25
		place++
		name, params, _ := strings.Cut(entry, ";")
		name = strings.TrimSpace(name)
		if name == "*" {
			others = max(others, weightOf(params))
			continue
		}
		for i, c := range Codings {
			n := &named[i]
			if w := weightOf(params); strings.EqualFold(name, c.Header[0]) &&
				(n.place == 0 || w > n.weight) {
				n.weight, n.place = w, place
			}
		}
	}
	var best *contentCoding
	most, first := 0.0, 0
	for i, c := range Codings {
		n := named[i]
		if n.place == 0 {
			n.weight, n.place = others, place+1
		}
		if n.weight > most || n.weight == most && n.place < first {
			best, most, first = c, n.weight, n.place
		}
	}
	return best
}

// weightOf returns the weight of a coding with these parameters. The weight follows the first "q=",
// whatever stands before that (service facts H.6), and is at most 1. It is 1 without a "q=" and for
// what is no number.
func weightOf(params string) float64 {
	for params != "" && !(len(params) > 1 && params[0]|0x20 == 'q' && params[1] == '=') {
		params = params[1:]
	}
	if params == "" {
		return 1
	}
	value, _, _ := strings.Cut(params[len("q="):], ";")
	q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if err != nil && q == 0 || !(q < 1) {
		return 1
	}
	return q
}
