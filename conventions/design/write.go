package design

import "github.com/kugiri-db/kugiri/conventions/design/writing"

// What writes are made of, and what they write: see package writing.
type (
	Row          = writing.Row
	Write        = writing.Write
	Action       = writing.Action
	ActionKind   = writing.ActionKind
	Added        = writing.Added
	Existence    = writing.Existence
	Same         = writing.Same
	Latest       = writing.Latest
	Writing      = writing.Rows
	WriteRequest = writing.Request
)

// The kinds of actions.
const (
	PutItem    = writing.PutItem
	UpdateItem = writing.UpdateItem
	DeleteItem = writing.DeleteItem
	AddTo      = writing.AddTo
	TakeFrom   = writing.TakeFrom
	SetLast    = writing.SetLast
)

// The conditions.
const (
	Always     = writing.Always
	MustNot    = writing.MustNot
	MustExist  = writing.MustExist
	MustBeSame = writing.MustBeSame
	MustHave   = writing.MustHave
	MustBeOld  = writing.MustBeOld
)
