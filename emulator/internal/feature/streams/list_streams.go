package streams

import (
	"cmp"
	"slices"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/storage"
)

// maxListedStreams is the largest page of ListStreams, and the usual one (API Reference,
// ListStreams, Limit).
const maxListedStreams = 100

func ListStreams(c *serve.Call, in *api.ListStreamsInput) (*api.ListStreamsOutput, error) {
	limit, err := streamLimit(in.Limit, maxListedStreams)
	if err != nil {
		return nil, err
	}
	var startTable, startLabel string
	if in.ExclusiveStartStreamArn != nil {
		if startTable, startLabel, err = streamOfARN(c,
			string(*in.ExclusiveStartStreamArn)); err != nil {
			return nil, err
		}
	}
	out := &api.ListStreamsOutput{Streams: []api.Stream{}}
	return out, c.Store.View(func(tx *storage.Tx) error {
		streams := c.Policy.Shown(tx).Streams()
		slices.SortFunc(streams, func(a, b *storage.Stream) int {
			return cmp.Or(cmp.Compare(a.Table, b.Table), cmp.Compare(a.Label, b.Label))
		})
		for _, s := range streams {
			if in.TableName != nil && api.TableName(s.Table) != *in.TableName ||
				cmp.Or(cmp.Compare(s.Table, startTable), cmp.Compare(s.Label, startLabel)) <= 0 {
				continue
			}
			if len(out.Streams) == limit {
				out.LastEvaluatedStreamArn = out.Streams[limit-1].StreamArn
				break
			}
			out.Streams = append(out.Streams, api.Stream{
				StreamArn:   api.Ref(api.StreamArn(c.StreamARN(s.Table, s.Label))),
				TableName:   api.Ref(api.TableName(s.Table)),
				StreamLabel: api.Ref(s.Label),
			})
		}
		return nil
	})
}

func ListStreamsTargets(in *api.ListStreamsInput, ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.TableName)})
}
