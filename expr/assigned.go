package expr

import "github.com/kugiri-db/kugiri/storage/item"

// Assigned returns the value of the request that the update sets a top-level attribute to, whatever
// the item has: the :v of SET a = :v. It returns "" if the update sets it otherwise or not at all.
func (u *Update) Assigned(attribute string) item.Value {
	for i := range u.actions {
		a := &u.actions[i]
		given := a.section == sectionSet || u.mismatch == errLegacyType && a.section == sectionAdd
		if given && len(a.path) == 1 && a.value.op == opValue &&
			u.paths[i][0].name == attribute {
			return u.value(&a.value)
		}
	}
	return ""
}

// Sets reports whether the update gives a top-level attribute a value, whether or not the request
// says which.
func (u *Update) Sets(attribute string) bool {
	for i := range u.actions {
		if u.actions[i].section != sectionRemove && len(u.paths[i]) == 1 &&
			u.paths[i][0].name == attribute {
			return true
		}
	}
	return false
}
