package items

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
)

// The JudgeX functions say of a request whose members violate constraints what the new layer of
// validation says of it besides: see apierr.ParameterError.

func JudgePut(in *api.PutItemInput, e *apierr.ParameterError) {
	p := putRequest{in: in}.condition()
	params := p.Parameters()
	e.Operator = judgeOperator(&params, in.ConditionalOperator, len(in.Expected))
	e.Also = returnsOnlyOld(in.ReturnValues)
}

func JudgeUpdate(in *api.UpdateItemInput, e *apierr.ParameterError) {
	params := updateParameters(in)
	e.Operator = judgeOperator(&params, in.ConditionalOperator, len(in.Expected))
}

func JudgeDelete(in *api.DeleteItemInput, e *apierr.ParameterError) {
	p := deleteRequest{in}.condition()
	params := p.Parameters()
	e.Operator = judgeOperator(&params, in.ConditionalOperator, len(in.Expected))
	e.Also = returnsOnlyOld(in.ReturnValues)
}

func JudgeQuery(in *api.QueryInput, e *apierr.ParameterError) {
	x := queryParse{in: in}
	x.read()
	params := x.together()
	e.Operator = judgeOperator(&params, in.ConditionalOperator, len(in.QueryFilter))
}

// JudgeTransactWrite says that an action has no content, or several (service facts F.25).
func JudgeTransactWrite(in *api.TransactWriteItemsInput, e *apierr.ParameterError) {
	for i := range in.TransactItems {
		if err := checkOneAction(&in.TransactItems[i]); err != nil {
			e.First = textOf(err)
			return
		}
	}
}

// judgeOperator judges a ConditionalOperator by what it joins. Its value matters only to several
// conditions, for which the result is "" (service facts F.20).
func judgeOperator(params *expressionParams, op *api.ConditionalOperator, conditions int) string {
	err := params.Check()
	if err == nil {
		err = checkConditionalOperator(op, conditions)
	}
	if err == nil {
		return ""
	}
	return textOf(err)
}

// textOf returns the text of a fault in the parameters.
func textOf(err error) string {
	if e, ok := err.(*apierr.ParameterError); ok {
		return e.Text
	}
	return ""
}

// returnsOnlyOld is the fault of a ReturnValues that only UpdateItem has. It counts as that of a
// member (service facts F.17).
func returnsOnlyOld(r *api.ReturnValue) string {
	switch returnValue(r) {
	case "UPDATED_OLD", "ALL_NEW", "UPDATED_NEW":
		return textOf(checkReturnOld(r))
	}
	return ""
}
