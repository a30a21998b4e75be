package tables

import (
	"time"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/storage"
)

// describeVectors describes the vector indexes of a table at a point in time.
func describeVectors(o arn.Owner, d *api.TableDescription, tx *storage.Tx, t *storage.Table,
	s *Settings, now time.Time) {
	for _, ix := range tx.Vectors().Indexes(t) {
		if is := s.Vector(ix.Name); is != nil {
			d.VectorIndexes = append(d.VectorIndexes,
				describeVector(o, t, &ix.VectorSchema, tx.Vectors().Stats(t, ix), s, is, now))
		}
	}
	for i := range s.Vectors {
		if is := &s.Vectors[i]; is.Gone != nil && is.State.At(now) != "" {
			d.VectorIndexes = append(d.VectorIndexes,
				describeVector(o, t, is.Gone, is.Stats, s, is, now))
		}
	}
}

func describeVector(o arn.Owner, t *storage.Table, ix *storage.VectorSchema, stats storage.Stats,
	s *Settings, is *VectorSettings, now time.Time) api.VectorIndexDescription {
	status := is.State.At(now)
	if s.State.At(now) == Creating {
		status = Creating
	}
	given := APIVector(ix)
	d := api.VectorIndexDescription{
		IndexName:        given.IndexName,
		SearchSchema:     given.SearchSchema,
		Projection:       given.Projection,
		VectorAttribute:  given.VectorAttribute,
		Dimensions:       given.Dimensions,
		DistanceFunction: given.DistanceFunction,
		IndexStatus:      api.Ref(api.IndexStatus(status)),
		IndexSizeBytes:   api.Ref(stats.Bytes),
		ItemCount:        api.Ref(stats.Items),
		IndexArn:         api.Ref(o.IndexARN(t.Name, ix.Name)),
	}
	if is.Online && status == Creating {
		d.Backfilling = api.Ref(!now.Before(is.Backfill))
	}
	return d
}
