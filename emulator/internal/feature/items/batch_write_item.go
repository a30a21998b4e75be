package items

import (
	"slices"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/judgement"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/storage/item"
)

// BatchWriteItem writes the whole batch in one commit. The service promises atomicity only for each
// single write, and that a refused request writes nothing. One commit keeps both promises and is
// faster.
func BatchWriteItem(c *serve.Call, in *api.BatchWriteItemInput) (*api.BatchWriteItemOutput, error) {
	s := newWriteSet(0, leaveUnprocessed)
	defer s.Free()
	if err := checkBatchWrite(c, s, in); err != nil {
		return nil, err
	}
	if err := s.Commit(c); err != nil {
		return nil, err
	}
	out := &api.BatchWriteItemOutput{UnprocessedItems: unprocessed(s, in)}
	out.ConsumedCapacity, out.ItemCollectionMetrics = ReportTables(s.Tables)
	return out, nil
}

func BatchWriteItemTargets(in *api.BatchWriteItemInput, ts *serve.Targets) {
	for i := range in.RequestItems {
		e := &in.RequestItems[i]
		t := serve.Target{Table: arn.TableCalled(&e.Key)}
		if ts.NamesOnly() {
			ts.Add(t)
			continue
		}
		for j := range e.Value {
			t.Known = knownOfWrite(&e.Value[j])
			ts.Add(t)
		}
	}
}

// knownOfWrite returns the part of the item that an entry of a batch has.
func knownOfWrite(r *api.WriteRequest) item.Item {
	switch {
	case r.PutRequest != nil:
		return r.PutRequest.Item.Item
	case r.DeleteRequest != nil:
		return r.DeleteRequest.Key.Item
	}
	return ""
}

// unprocessed returns the requests of the writes that were left, which are in the order of the
// requests.
func unprocessed(s *writeSet, in *api.BatchWriteItemInput) api.BatchWriteItemRequestMap {
	all := api.BatchWriteItemRequestMap{}
	writes := s.Writes
	for i := range in.RequestItems {
		e := &in.RequestItems[i]
		var left api.WriteRequests
		for j := range e.Value {
			if writes[j].left {
				left = append(left, e.Value[j])
			}
		}
		writes = writes[len(e.Value):]
		if len(left) > 0 {
			all = append(all, api.Entry[api.WriteRequests]{Key: e.Key, Value: left})
		}
	}
	return all
}

// checkBatchWrite applies the rules that do not depend on tables.
func checkBatchWrite(c *serve.Call, s *writeSet, in *api.BatchWriteItemInput) error {
	return orderOfBatchWrite.Judge(batchWrite{c, s, in})
}

// batchWrite is a BatchWriteItem, and the set that it becomes.
type batchWrite struct {
	call *serve.Call
	set  *writeSet
	in   *api.BatchWriteItemInput
}

// orderOfBatchWrite orders the checks of BatchWriteItem that need no tables. orderOfResolving has
// the rest.
var orderOfBatchWrite = serve.ByLayers("BatchWriteItem",
	serve.Step("how many items there are", "", func(b batchWrite) error {
		if b.total() > b.call.Service.Limits.BatchWriteItems {
			return apierr.Invalid("Too many items requested for the BatchWriteItem call")
		}
		return nil
	}).Of(judgement.Members),
	serve.Step("each item, after the name of its table", "1.13, 5.3",
		batchWrite.checkEach).Of(judgement.Items),
)

// total returns how many writes there are.
func (b batchWrite) total() (n int) {
	for i := range b.in.RequestItems {
		n += len(b.in.RequestItems[i].Value)
	}
	return n
}

// checkEach adds the writes to the set.
func (b batchWrite) checkEach() error {
	c, s, in := b.call, b.set, b.in
	s.Tables = make([]batchTable, len(in.RequestItems))
	s.Writes = slices.Grow(s.Writes, b.total())
	s.metrics = wantsMetrics(in.ReturnItemCollectionMetrics)
	for i := range in.RequestItems {
		e := &in.RequestItems[i]
		name, err := c.TableName(api.TableArn(e.Key))
		if err != nil {
			return err
		}
		s.Tables[i] = batchTable{
			requested: e.Key, name: name, Used: c.NewUsage(in.ReturnConsumedCapacity),
		}
		for j := range e.Value {
			s.Writes = append(s.Writes, ItemWrite{table: i})
			if err := checkWriteRequest(c, &s.Writes[len(s.Writes)-1], &e.Value[j]); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkWriteRequest checks that a request is either a put or a delete. For other cases the service
// uses the texts for an attribute value, which is a union too, and for neither it says that there
// are too many (service facts 1.13).
func checkWriteRequest(c *serve.Call, w *ItemWrite, r *api.WriteRequest) error {
	switch {
	case (r.PutRequest != nil) == (r.DeleteRequest != nil):
		return apierr.InvalidValue(&item.Invalid{Fault: item.ManyDatatypes})
	case r.PutRequest != nil:
		w.SetPut(c, r.PutRequest.Item.Item)
		return CheckNewItem(c, r.PutRequest.Item)
	}
	w.setDelete(r.DeleteRequest.Key.Item)
	return checkKey(r.DeleteRequest.Key)
}
