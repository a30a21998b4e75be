package emulator

import (
	"slices"

	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/storage/item"
)

// batchWriteItem writes the whole batch in one commit. The service promises atomicity only for each
// single write, and that a refused request writes nothing. One commit keeps both promises and is
// faster.
func batchWriteItem(c *call, in *api.BatchWriteItemInput) (*api.BatchWriteItemOutput, error) {
	s := newWriteSet(0, leaveUnprocessed)
	defer s.free()
	if err := c.checkBatchWrite(s, in); err != nil {
		return nil, err
	}
	if err := s.commit(c); err != nil {
		return nil, err
	}
	out := &api.BatchWriteItemOutput{UnprocessedItems: unprocessed(s, in)}
	out.ConsumedCapacity, out.ItemCollectionMetrics = reportTables(s.tables)
	return out, nil
}

func batchWriteItemTargets(in *api.BatchWriteItemInput, ts *targets) {
	for i := range in.RequestItems {
		e := &in.RequestItems[i]
		t := target{table: arn.TableCalled(&e.Key)}
		if ts.namesOnly() {
			ts.add(t)
			continue
		}
		for j := range e.Value {
			t.known = knownOfWrite(&e.Value[j])
			ts.add(t)
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
	writes := s.writes
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
func (c *call) checkBatchWrite(s *writeSet, in *api.BatchWriteItemInput) error {
	total := 0
	for i := range in.RequestItems {
		total += len(in.RequestItems[i].Value)
	}
	if total > c.service.limits.BatchWriteItems {
		return apierr.Invalid("Too many items requested for the BatchWriteItem call")
	}
	s.tables, s.writes = make([]batchTable, len(in.RequestItems)), slices.Grow(s.writes, total)
	s.metrics = wantsMetrics(in.ReturnItemCollectionMetrics)
	for i := range in.RequestItems {
		e := &in.RequestItems[i]
		name, err := c.tableName(api.TableArn(e.Key))
		if err != nil {
			return err
		}
		s.tables[i] = batchTable{requested: e.Key, name: name, used: c.newUsage(in.ReturnConsumedCapacity)}
		for j := range e.Value {
			s.writes = append(s.writes, itemWrite{table: i})
			if err := c.checkWriteRequest(&s.writes[len(s.writes)-1], &e.Value[j]); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkWriteRequest checks that a request is either a put or a delete. For other cases the service
// uses the texts for an attribute value, which is a union too, and for neither it says that there
// are too many (service facts 1.13).
func (c *call) checkWriteRequest(w *itemWrite, r *api.WriteRequest) error {
	switch {
	case (r.PutRequest != nil) == (r.DeleteRequest != nil):
		return apierr.InvalidValue(&item.Invalid{Fault: item.ManyDatatypes})
	case r.PutRequest != nil:
		w.setPut(c, r.PutRequest.Item.Item)
		return c.checkNewItem(r.PutRequest.Item)
	}
	w.setDelete(r.DeleteRequest.Key.Item)
	return checkAttributes(r.DeleteRequest.Key)
}
