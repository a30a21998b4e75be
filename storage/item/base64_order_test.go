package item

import (
	"bytes"
	"encoding/base64"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

// TestCompareBase64: texts in Base64 have the order of their bytes.
func TestCompareBase64(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		few := rapid.SliceOfN(rapid.SampledFrom([]byte{0, 1, 62, 63, 127, 248, 255}), 0, 5)
		a, b := few.Draw(t, "a"), few.Draw(t, "b")
		of := base64.StdEncoding.EncodeToString
		assert.Equal(t, bytes.Compare(a, b), compareBase64(of(a), of(b)))
	})
}
