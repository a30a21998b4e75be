package markdown

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/docsite"
)

// Pack returns the file of a page, which package docsite embeds: JSON in gzip.
func Pack(p *docsite.Page) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(json.NewEncoder(w).Encode(p), w.Close()); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
