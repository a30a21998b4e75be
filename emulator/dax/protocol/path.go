package protocol

import (
	"slices"
	"strconv"
	"strings"

	"github.com/kugiri-db/kugiri/emulator/dax/cbor"
)

// An element of a path is a name, or an index of a list if the name is "".
type element struct {
	name  string
	index int64
}

// Path is a path of a projection.
type Path []element

// Limits of projections. The service's own, 4 KB of text and 32 levels, are lower.
const (
	maxPaths    = 4096
	maxElements = 64
)

// readElement reads an element of a path.
func readElement(r *cbor.Reader) (element, error) {
	if r.Major() != cbor.Tag {
		name, err := r.Text()
		if err == nil && len(name) == 0 {
			err = cbor.ErrMalformed
		}
		return element{name: string(name)}, err
	}
	tag, err := r.Tag()
	if err != nil || tag != tagOrdinal {
		return element{}, cbor.ErrMalformed
	}
	index, err := r.Int()
	if err != nil || index < 0 {
		return element{}, cbor.ErrMalformed
	}
	return element{index: index}, nil
}

// readProjection reads [format, [path, ...]].
func readProjection(data []byte) (paths []Path, err error) {
	if len(data) > maxValues {
		return nil, cbor.ErrTooLarge
	}
	r := cbor.NewReader(data)
	parts := 0
	err = r.Each(func(i, _ int) error {
		parts++
		switch i {
		case 0:
			if n, err := r.Int(); err != nil || n != format {
				return cbor.ErrMalformed
			}
			return nil
		case 1:
			return r.Each(func(i, _ int) error {
				if i == maxPaths {
					return cbor.ErrTooLarge
				}
				p, err := readPath(r)
				paths = append(paths, p)
				return err
			})
		}
		return cbor.ErrMalformed
	})
	if err != nil || parts != 2 || !r.Done() || len(paths) == 0 {
		return nil, malformed(err)
	}
	return paths, nil
}

func readPath(r *cbor.Reader) (p Path, err error) {
	err = call(r, func(fn int64) error {
		if fn != fnPath {
			return cbor.ErrMalformed
		}
		return nil
	}, func(int) error {
		if len(p) == maxElements {
			return cbor.ErrTooLarge
		}
		e, err := readElement(r)
		p = append(p, e)
		return err
	})
	if err == nil && (len(p) == 0 || p[0].name == "") {
		err = cbor.ErrMalformed
	}
	return p, err
}

// project prints a projection. The service gets the attributes that the paths begin with, each
// once: the paths are applied to its answer, where they find what they found before. Paths that
// overlap are for the service to refuse, and remain.
func (p *scope) project(paths []Path) string {
	var text []byte
	if overlap(paths) {
		for i, path := range paths {
			if i > 0 {
				text = append(text, ", "...)
			}
			text = p.path(text, path)
		}
		return string(text)
	}
	done := map[string]bool{}
	for _, path := range paths {
		name := path[0].name
		if done[name] {
			continue
		}
		if len(done) > 0 {
			text = append(text, ", "...)
		}
		text = p.name(text, name)
		done[name] = true
	}
	return string(text)
}

func (p *scope) path(dst []byte, path Path) []byte {
	for i, e := range path {
		switch {
		case e.name == "":
			dst = append(strconv.AppendInt(append(dst, '['), e.index, 10), ']')
			continue
		case i > 0:
			dst = append(dst, '.')
		}
		dst = p.name(dst, e.name)
	}
	return dst
}

// overlap reports whether one path is a part of another, or takes for a map what the other takes
// for a list.
func overlap(paths []Path) bool {
	texts := make([]string, len(paths))
	for i, path := range paths {
		var b strings.Builder
		for _, e := range path {
			if e.name == "" {
				b.WriteString("\x01" + strconv.FormatInt(e.index, 10) + "\x00")
			} else {
				b.WriteString("\x02" + e.name + "\x00")
			}
		}
		texts[i] = b.String()
	}
	slices.Sort(texts)
	for i := 1; i < len(texts); i++ {
		if strings.HasPrefix(texts[i], texts[i-1]) {
			return true
		}
	}
	return conflicting(paths)
}

// conflicting reports whether two paths go on differently, by a name and by an index, from the same
// place.
func conflicting(paths []Path) bool {
	kinds := map[string]bool{}
	for _, path := range paths {
		var b strings.Builder
		for _, e := range path {
			at, indexed := b.String(), e.name == ""
			if before, ok := kinds[at]; ok && before != indexed {
				return true
			}
			kinds[at] = indexed
			b.WriteString(e.name + "\x00" + strconv.FormatInt(e.index, 10) + "\x00")
		}
	}
	return false
}
