package transfers

import "io"

// KeepCR returns a reader of a CSV file for encoding/csv, which drops the carriage return before
// each line feed, even in quotes. KeepCR repeats those in quotes, so that cells keep theirs.
func KeepCR(in io.Reader) io.Reader { return &crKeeper{in: in} }

// crKeeper is the reader of KeepCR.
type crKeeper struct {
	in     io.Reader
	buf    [16 << 10]byte
	read   []byte // the rest of buf
	quoted bool
	cr     bool // the byte before was a carriage return in quotes
	extra  bool // the carriage return before this line feed is to be repeated
	err    error
}

// Read reads at most as much as fits.
func (k *crKeeper) Read(p []byte) (n int, err error) {
	if len(k.read) == 0 && k.err == nil {
		n, k.err = k.in.Read(k.buf[:])
		k.read, n = k.buf[:n], 0
	}
	for n < len(p) && len(k.read) > 0 {
		b := k.read[0]
		switch {
		case b == '\n' && k.cr && !k.extra:
			p[n], k.extra = '\r', true
			n++
			continue
		case b == '"':
			k.quoted = !k.quoted
		}
		k.cr, k.extra = b == '\r' && k.quoted, false
		p[n], k.read = b, k.read[1:]
		n++
	}
	if len(k.read) == 0 && n == 0 {
		return 0, k.err
	}
	return n, nil
}
