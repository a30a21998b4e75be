package items

import (
	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/judgement"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
)

// The JudgeX functions say of a request whose members violate constraints what else is wrong with
// it, as serve.Judging wants it: in e what belongs to its members, and as their result the fault of
// the layers before expressions, where members that the new layer judges late are judged.

func JudgePut(c *serve.Call, in *api.PutItemInput, e *apierr.ParameterError) error {
	r := putRequest{call: c, in: in}
	p := r.condition()
	e.Unjoined, e.Also = p.checkTogether() != nil, returnsOnlyOld(in.ReturnValues)
	return orderOfPut.Before(judgement.Expressions).Judge(r)
}

func JudgeUpdate(_ *serve.Call, in *api.UpdateItemInput, e *apierr.ParameterError) error {
	r := updateRequest{UpdateItemInput: in}
	e.Unjoined = r.checkTogether() != nil
	return orderOfItemUpdate.Before(judgement.Expressions).Judge(r)
}

func JudgeDelete(_ *serve.Call, in *api.DeleteItemInput, e *apierr.ParameterError) error {
	r := deleteRequest{DeleteItemInput: in}
	p := r.condition()
	e.Unjoined, e.Also = p.checkTogether() != nil, returnsOnlyOld(in.ReturnValues)
	return orderOfItemDelete.Before(judgement.Expressions).Judge(r)
}

func JudgeQuery(_ *serve.Call, in *api.QueryInput, e *apierr.ParameterError) error {
	x := queryParse{in: in}
	x.read()
	err := x.checkTogether()
	if err == nil {
		err = checkConditionalOperator(in.ConditionalOperator, len(in.QueryFilter))
	}
	e.Unjoined = err != nil
	return err
}

// JudgeTransactWrite says that an action has no content, or several (service facts F.25).
func JudgeTransactWrite(_ *serve.Call, in *api.TransactWriteItemsInput,
	e *apierr.ParameterError) error {
	for i := range in.TransactItems {
		if err, ok := checkOneAction(&in.TransactItems[i]).(*apierr.ParameterError); ok {
			e.First = err.Text
			break
		}
	}
	return nil
}

// returnsOnlyOld is the fault of a ReturnValues that only UpdateItem has. It counts as that of a
// member (service facts F.17).
func returnsOnlyOld(r *api.ReturnValue) string {
	switch returnValue(r) {
	case "UPDATED_OLD", "ALL_NEW", "UPDATED_NEW":
		return onlyOld
	}
	return ""
}
