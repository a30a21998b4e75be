package support

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// reader reads attributes of an item. Fields of attributes that are not there stay as they are.
type reader struct {
	item attributes
	err  error
}

// wrong notes an attribute of another type.
func (r *reader) wrong(name string, v types.AttributeValue) {
	if v != nil && r.err == nil {
		r.err = fmt.Errorf("%s is a %T", name, v)
	}
}

func (r *reader) text(name string, to *string) {
	if v, ok := r.item[name].(*types.AttributeValueMemberS); ok {
		*to = v.Value
		return
	}
	r.wrong(name, r.item[name])
}

func (r *reader) numeric(name string, to *Number) {
	if v, ok := r.item[name].(*types.AttributeValueMemberN); ok {
		*to = Number(v.Value)
		return
	}
	r.wrong(name, r.item[name])
}

func (r *reader) binary(name string, to *[]byte) {
	if v, ok := r.item[name].(*types.AttributeValueMemberB); ok {
		*to = v.Value
		return
	}
	r.wrong(name, r.item[name])
}

func (r *reader) boolean(name string, to *bool) {
	if v, ok := r.item[name].(*types.AttributeValueMemberBOOL); ok {
		*to = v.Value
		return
	}
	r.wrong(name, r.item[name])
}

func (r *reader) list(name string, to *[]types.AttributeValue) {
	if v, ok := r.item[name].(*types.AttributeValueMemberL); ok {
		*to = v.Value
		return
	}
	r.wrong(name, r.item[name])
}

func (r *reader) members(name string, to *map[string]types.AttributeValue) {
	if v, ok := r.item[name].(*types.AttributeValueMemberM); ok {
		*to = v.Value
		return
	}
	r.wrong(name, r.item[name])
}

func (r *reader) vector(name string, to *[]float64) {
	var l []types.AttributeValue
	r.list(name, &l)
	for _, v := range l {
		n, ok := v.(*types.AttributeValueMemberN)
		if !ok {
			r.wrong(name, v)
			return
		}
		x, err := strconv.ParseFloat(n.Value, 64)
		if err != nil && r.err == nil {
			r.err = err
		}
		*to = append(*to, x)
	}
}

// split reads the parts of a key: texts that are fixed, and pointers to those that are not.
func (r *reader) split(name string, parts ...any) {
	var rest string
	r.text(name, &rest)
	if rest == "" {
		return
	}
	for i, p := range parts {
		if fixed, ok := p.(string); ok {
			if !strings.HasPrefix(rest, fixed) {
				r.wrong(name+" without "+fixed, r.item[name])
				return
			}
			rest = rest[len(fixed):]
			continue
		}
		part := rest
		if i+1 < len(parts) {
			part, _, _ = strings.Cut(rest, parts[i+1].(string))
		}
		rest = rest[len(part):]
		switch to := p.(type) {
		case *string:
			*to = part
		case unscaled:
			to.read(part)
		case *Number:
			*to = Number(strings.TrimLeft(part, "0"))
			if part != "" && (*to == "" || (*to)[0] == '.') {
				*to = "0" + *to
			}
		}
	}
}
