package bucket

import (
	"bytes"
	"math/big"
	"strings"

	"github.com/amazon-ion/ion-go/ion"

	"github.com/kugiri-db/kugiri/emulator/transfers"
	"github.com/kugiri-db/kugiri/storage/item"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// annotations of lists that are sets (Developer Guide, "DynamoDB table export output format",
// "Amazon Ion").
var annotations = map[item.Type]string{
	item.SS: "$dynamodb_SS", item.NS: "$dynamodb_NS", item.BS: "$dynamodb_BS",
}

// ionWriter writes the values of an item as Ion text. The library keeps the first error.
type ionWriter struct{ ion.Writer }

// appendIon is the encoder of Amazon Ion. Each line begins with a version marker.
func appendIon(dst []byte, r *transfers.ExportRecord, incremental bool) ([]byte, error) {
	buffer := bytes.NewBuffer(append(dst, "$ion_1_0 "...))
	w := ionWriter{ion.NewTextWriterOpts(buffer, ion.TextWriterQuietFinish)}
	w.BeginStruct()
	if incremental {
		w.name("Record")
		w.change(r)
	} else {
		w.name("Item")
		w.attributes(r.New)
	}
	w.EndStruct()
	err := w.Finish()
	return buffer.Bytes(), err
}

func (w ionWriter) name(name string) { w.FieldName(ion.NewSymbolTokenFromString(name)) }

// change writes a record of an incremental export.
func (w ionWriter) change(r *transfers.ExportRecord) {
	w.BeginStruct()
	w.name("Keys")
	w.attributes(r.Keys)
	w.name("Metadata")
	w.BeginStruct()
	w.name("WriteTimestampMicros")
	w.WriteDecimal(ion.NewDecimalInt(r.Written.UnixMicro()))
	w.EndStruct()
	if r.Old != "" {
		w.name("OldImage")
		w.attributes(r.Old)
	}
	if r.New != "" {
		w.name("NewImage")
		w.attributes(r.New)
	}
	w.EndStruct()
}

// attributes writes an attribute map. It comes from the store, so that it is valid.
func (w ionWriter) attributes(j item.JSON) {
	s := jsontext.NewScanner(string(j))
	a, _ := item.ParseAttributes(&s)
	w.BeginStruct()
	for name, v := range a.Item.All() {
		w.name(name)
		w.value(v)
	}
	w.EndStruct()
}

func (w ionWriter) value(v item.Value) {
	switch kind := v.Type(); kind {
	case item.S:
		w.WriteString(v.Str())
	case item.N:
		w.WriteDecimal(decimalOf(v.Num()))
	case item.B:
		w.WriteBlob([]byte(v.Bytes()))
	case item.BOOL:
		w.WriteBool(v.Bool())
	case item.NULL:
		w.WriteNull()
	case item.M:
		w.BeginStruct()
		for name, field := range v.Fields() {
			w.name(name)
			w.value(field)
		}
		w.EndStruct()
	default:
		if annotation := annotations[kind]; annotation != "" {
			w.Annotation(ion.NewSymbolTokenFromString(annotation))
		}
		w.BeginList()
		for elem := range v.Elems() {
			w.value(elem)
		}
		w.EndList()
	}
}

// decimalOf returns a number in normal form, which has no exponent, as an Ion decimal.
func decimalOf(number string) *ion.Decimal {
	digits, exponent := number, 0
	if whole, fraction, ok := strings.Cut(number, "."); ok {
		digits, exponent = whole+fraction, -len(fraction)
	} else if short := strings.TrimRight(number, "0"); short != "" && short != "-" {
		digits, exponent = short, len(number)-len(short)
	}
	n, _ := new(big.Int).SetString(digits, 10)
	return ion.NewDecimal(n, int32(exponent), false)
}
