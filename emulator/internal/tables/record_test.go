package tables

import (
	"fmt"
	"reflect"
	"testing"
	"time"
	"unsafe"

	"github.com/kugiri-db/kugiri/emulator/iam"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fill sets everything in a value, also unexported fields, to values other than zero.
func fill(v reflect.Value, n *int64) {
	*n++
	if v.Type() == reflect.TypeFor[time.Time]() {
		v.Set(reflect.ValueOf(time.Unix(1_700_000_000+*n, *n)))
		return
	}
	if v.Type() == reflect.TypeFor[PolicyVersion]() {
		v.Set(reflect.ValueOf(versionOf(*n)))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Field(i)
			fill(reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem(), n)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), n)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0), n)
		fill(v.Index(1), n)
	case reflect.String:
		v.SetString(fmt.Sprint("text", *n))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float64:
		*n++
		v.SetFloat(float64(*n))
	case reflect.Int, reflect.Int64:
		v.SetInt(*n)
	case reflect.Uint8:
		v.SetUint(uint64(1 + *n%3)) // a type that a key may have
	default:
		panic("fill does not know " + v.Type().String())
	}
}

// versionOf returns a version of a policy. Those of even numbers state no Version.
func versionOf(n int64) PolicyVersion {
	text := `{"Version":"2008-10-17","Statement":[{"Sid":"` + fmt.Sprint("s", n) +
		`","Effect":"Deny","Principal":"*","Action":"*","Resource":"*"}]}`
	p, err := iam.ParseResourcePolicy(text)
	if err != nil {
		panic(err)
	}
	if n%2 == 0 {
		p = p.WithoutVersion()
	}
	return PolicyVersion{Revision: fmt.Sprint(n), Text: text, Policy: p}
}

// TestSettingsCodecKeepsAll fails if Settings has a member that settingsRecord lacks.
func TestSettingsCodecKeepsAll(t *testing.T) {
	var full Settings
	var n int64
	fill(reflect.ValueOf(&full).Elem(), &n)
	for name, s := range map[string]*Settings{"full": &full, "empty": {}} {
		t.Run(name, func(t *testing.T) {
			got, err := Codec{}.Decode(Codec{}.Encode(s))
			require.NoError(t, err)
			require.Equal(t, s, got)
		})
	}
	got, err := Codec{}.Decode(Codec{}.Encode(storage.Settings(nil)))
	require.NoError(t, err)
	require.Equal(t, noSettings, got)
	require.Panics(t, func() { Codec{}.Encode("settings of another kind") })
}

func TestSettingsCodecRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"no JSON":                    `{`,
		"a later version":            `{"Version":2}`,
		"no version":                 `{}`,
		"an unknown member":          `{"Version":1,"Color":"red"}`,
		"an impossible policy":       `{"Version":1,"Policies":[{"Now":{"Text":"{}"}}]}`,
		"an impossible index":        `{"Version":1,"Indexes":[{"Gone":{"Key":{"Hash":[{"Name":"a","Type":"BOOL"}]}}}]}`,
		"an impossible vector index": `{"Version":1,"Vectors":[{"Gone":{"Dimensions":0}}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Codec{}.Decode([]byte(text))
			require.Error(t, err)
		})
	}
}

// TestSettingsText checks that Codec writes settings in the text of earlier versions.
func TestSettingsText(t *testing.T) {
	const none = `[-62135596800,0]`
	const settled = `{"Status":"","Until":` + none + `}`
	assert.JSONEq(
		t, `{"Version":1,"Definitions":null,"Billing":{"Mode":"","OnDemand":`+none+
			`,"Pending":false},
		"Capacity":{"Provisioned":{"Units":{"Read":0,"Write":0},"LastIncrease":`+none+
			`,"LastDecrease":`+none+`,"Decreases":0},
			"Warm":{"Units":{"Read":0,"Write":0},"Before":{"Read":0,"Write":0},"State":`+settled+
			`}},
		"Stream":{"Enabled":false,"View":"","Label":""},"TTL":{"Enabled":false,"Attribute":"","Changed":`+none+`,"State":`+settled+`},
		"Encryption":{"Key":"","Before":"","State":`+settled+`},"Class":{"Class":"","Changed":`+
			none+`},"Protected":false,"State":`+settled+`}`,
		string(Codec{}.Encode(noSettings)))
}
