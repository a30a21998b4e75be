package design

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// leaving writes what a partial layout leaves to the models that follow: layouts that leave the
// same can be completed in the same ways, which then add the same to what each of them costs.
type leaving struct {
	*outline
	text []byte
}

// leftBy returns what a partial layout leaves to the models that follow, as a text to compare: also
// what it leaves of columns, if outlined, or only in which indexes there is a place for further
// keys. Patterns over several models could be read in places.
func leftBy(o *outline, where places, outlined bool) string {
	l := leaving{outline: o}
	if outlined {
		l.columns()
		l.copies()
		l.spare()
	}
	l.slots(outlined)
	l.together()
	l.number(where...)
	return string(l.text)
}

func (l *leaving) number(all ...uint64) {
	for _, n := range all {
		l.text = binary.AppendUvarint(l.text, n)
	}
	l.text = append(l.text, '|')
}

func (l *leaving) word(words ...string) {
	l.text = append(l.text, strings.Join(words, "\x00")...)
	l.text = append(l.text, '|')
}

// columns writes which positions may share a column, and the types of their values.
func (l *leaving) columns() {
	for at := range l.conflict {
		l.number(l.conflict[at], l.same[at]&^l.conflict[at])
		l.word(string(l.typeAt(at)))
	}
}

// slots writes what later keys find in each index: whether there are keys, whether they have an
// order, and whether that is a number or a counter.
func (l *leaving) slots(outlined bool) {
	for i := range l.count {
		var keys, ordered, counter bool
		number := true
		for m := range l.ways {
			k := l.keyIn(m, i)
			if len(k.partition) == 0 {
				continue
			}
			keys, ordered = true, ordered || len(k.sort) > 0
			number = number && sortsByNumber(&l.models[m], k)
			counter = counter || sortsByCounter(&l.models[m], k)
			if _, known := l.sortIn(m, i, &k); outlined && !known {
				// what it gets may equal any other value
				l.word(strconv.Itoa(m), strconv.Itoa(i), l.ways[m].primary.String())
				for j, own := range l.ways[m].indexed {
					l.word(strconv.Itoa(l.outline.slots[m][j]), own.String())
				}
			}
		}
		shared, _ := l.sharedAt(partitionOf(i))
		l.flags(keys, ordered, number, counter, shared)
	}
	shared, _ := l.sharedAt(tablePartition)
	l.flags(shared, l.sorted)
}

func (l *leaving) flags(all ...bool) {
	for _, flag := range all {
		l.text = strconv.AppendBool(l.text, flag)
	}
	l.text = append(l.text, '|')
}

// copies writes which values of the models that are there could still be in one column or in
// several, and which of them could be converted.
func (l *leaving) copies() {
	var all []string
	for m := range l.values {
		for _, v := range l.alikeOf(m) {
			others := 0
			for _, name := range v.names {
				if l.models[m].Attribute(name).Type != String {
					others++
				}
			}
			if n := bits.OnesCount64(v.positions); others > 0 || l.apart(v.positions) < n {
				all = append(all, strconv.FormatUint(v.positions, 36)+":"+
					strconv.Itoa(len(v.names))+":"+strconv.Itoa(others))
			}
		}
	}
	slices.Sort(all)
	l.word(all...)
}

// spare writes which models may have their name in the table's sort key.
func (l *leaving) spare() {
	var all []string
	for m, values := range l.values {
		if len(values[tableSort]) > 0 {
			continue
		}
		constants := uint64(0)
		for at, v := range values {
			if len(v) > 0 && l.models[m].constants(v) && l.conflict[at]&(1<<tableSort) == 0 {
				constants |= 1 << at
			}
		}
		all = append(all, strconv.FormatUint(constants, 36))
	}
	slices.Sort(all)
	l.word(all...)
}

// together writes where those patterns over several models can be read that read some of the models
// that are there, and others.
func (l *leaving) together() {
	for i := range l.problem.together {
		t := &l.problem.together[i]
		there := slices.DeleteFunc(slices.Clone(t.models),
			func(m int) bool { return m >= len(l.ways) })
		if len(there) == 0 || len(there) == len(t.models) {
			continue
		}
		for j := range l.wantOf(there[0], t.pattern).alternatives {
			for _, at := range l.positionsOf(there[0],
				l.wantOf(there[0], t.pattern).alternatives[j]) {
				apart := func(m int) bool {
					return !slices.Contains(l.positionsOf(m,
						l.wantOf(m, t.pattern).alternatives[j]), at)
				}
				if !slices.ContainsFunc(there[1:], apart) {
					l.number(uint64(i), uint64(j), uint64(at))
				}
			}
		}
	}
}
