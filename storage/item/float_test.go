package item

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// nearest returns the 32-bit float that is nearest to a number, by exact arithmetic.
func nearest(t require.TestingT, number string) float32 {
	r, ok := new(big.Rat).SetString(number)
	require.True(t, ok, number)
	f, _ := r.Float32()
	return f
}

// drawFloat returns a number in the canonical form of the service.
func drawFloat(t *rapid.T) string {
	sign := rapid.SampledFrom([]string{"", "-"}).Draw(t, "sign")
	switch rapid.SampledFrom([]string{"digits", "float", "middle"}).Draw(t, "kind") {
	case "digits":
		d, err := ParseDecimal(sign + rapid.StringMatching(`[0-9]{1,20}`).Draw(t, "whole") + "." +
			strings.Repeat("0",
				rapid.IntRange(0, 30).Draw(t, "zeros")) + rapid.StringMatching(`[0-9]{1,18}`).Draw(
			t, "fraction"))
		if err != nil {
			d, _ = ParseDecimal("0.1")
		}
		return d.String()
	case "float":
		return sign + text(
			float64(math.Float32frombits(rapid.Uint32Range(0, 0x7f7fffff).Draw(t, "bits"))))
	default: // near the middle of two neighbours
		low := math.Float32frombits(rapid.Uint32Range(0x38000000, 0x46000000).Draw(t, "bits"))
		middle := (float64(low) + float64(math.Nextafter32(low, 1e38))) / 2
		return sign + text(
			middle+float64(
				rapid.IntRange(-8, 8).Draw(t, "off"))*(math.Nextafter(middle, 1e300)-middle))
	}
}

// text returns a float with all its digits.
func text(f float64) string {
	s := new(big.Rat).SetFloat64(f).FloatString(160)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

// TestFloatsAreNearest: AppendFloats returns what exact arithmetic does.
func TestFloatsAreNearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var numbers []string
		var want []float32
		for range rapid.IntRange(0, 20).Draw(t, "dimensions") {
			numbers = append(numbers, drawFloat(t))
			want = append(want, nearest(t, numbers[len(numbers)-1]))
		}
		v := Value(`{"L":[]}`)
		if len(numbers) > 0 {
			v = Value(`{"L":[{"N":"` + strings.Join(numbers, `"},{"N":"`) + `"}]}`)
		}
		got, ok := v.AppendFloats(nil)
		require.True(t, ok)
		require.Equal(t, want, got, numbers)
		count, ok := v.CountFloats()
		require.True(t, ok)
		require.Equal(t, len(want), count)
	})
}

// TestReadFloat32: the fast way reads nearly all numbers, and leaves the rest to strconv.
func TestReadFloat32(t *testing.T) {
	cases := []struct {
		name   string
		number string
		fast   bool
	}{
		{"zero", "0", true},
		{"integer", "12345678", true},
		{"integer of nine digits", "123456789", false},
		{"fraction", "-0.123456789", true},
		{"seventeen digits", "0.12345678901234568", true},
		{"negative integer", "-127", true},
		{"eight digits before the point", "12345678.25", true},
		{"twenty-four digits behind the point", "0.123456789012345678901234", true},
		{"twenty-five digits behind the point", "0.1234567890123456789012345", false},
		{"twenty digits", "1234.5678901234567891", false},
		{"zeros", "0.0000000000012345", true},
		{"digits behind zeros", "0.00001234567890123456", false},
		{"zeros alone in the first digits", "0.000000000000000012345", false},
		{"the middle of two floats", "16777217", false},
		{"many zeros", "0." + strings.Repeat("0", 25) + "1", false},
		{"denormal", "0." + strings.Repeat("0", 39) + "1", false},
		{"great", "3" + strings.Repeat("0", 38), false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f, n, ok := readFloat32(c.number + `"}` + strings.Repeat(`,{"N":"0"}`, 5))
			require.Equal(t, c.fast, ok)
			if ok {
				require.Equal(t, nearest(t, c.number), f)
				require.Equal(t, len(c.number), n)
			}
		})
	}
}

// TestReadFraction: the fast way finds the size that normalSize does, or none.
func TestReadFraction(t *testing.T) {
	const behind = `"},{"N":"0.123456"},{"N":"0.123456"}`
	for number, want := range map[string]int{"0.5": 2, "-0.5": 3, "0.0505": 3, "7.25": 3,
		"-7.25": 4, "0.12345678": 5, "0.123456789": 6,
		"0.00000001": 2, "0.000000001": 0, "0.123456789012345678901234": 13,
		"0.1234567890123456789012345": 0,
		"0.":                          0, "-0.": 0, "0.0": 0, "0.50": 0, ".5": 0, "5": 0, "10.5": 0,
		"0.5e1": 0, "0.5.5": 0,
		"": 0, "-": 0} {
		t.Run(number, func(t *testing.T) {
			n, size := readFraction(number + behind)
			require.Equal(t, want, size)
			if size > 0 {
				require.Equal(t, len(number), n)
			}
		})
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`-?[0-9.]\.[0-9]{0,8}[0-9.e]{0,18}`).Draw(t, "text")
		n, size := readFraction(text + behind)
		if n > 0 {
			require.Equal(t, len(text), n)
			require.Equal(t, normalSize(text), size)
		}
		if f, again, same := readFractionFloat(text + behind); again > 0 {
			require.Equal(t, []int{n, size}, []int{again, same})
			require.Equal(t, nearest(t, text), f)
		} else if _, _, fast := readFloat32(text + behind); n > 0 && fast {
			require.Fail(t, "readFractionFloat does not read "+text)
		}
	})
}

func BenchmarkAppendFloats(b *testing.B) {
	vector := make([]float32, 256)
	for i := range vector {
		vector[i] = float32(math.Sin(float64(i)))
	}
	v := Floats(vector)
	b.ReportAllocs()
	for b.Loop() {
		vector, _ = v.AppendFloats(vector[:0])
	}
}

func BenchmarkCountFloats(b *testing.B) {
	vector := make([]float32, 256)
	for i := range vector {
		vector[i] = float32(math.Sin(float64(i)))
	}
	v := Floats(vector)
	for b.Loop() {
		v.CountFloats()
	}
}
