package conventions

import "cmp"

// Hierarchical is "Pattern 2: hierarchical entities", for a parent and children that are read
// together, such as an order and its items. They share a partition key, and each sort key begins
// with the type of the item:
//
//	PK = PREFIX#tenant
//	SK = PARENT#parentId
//	SK = CHILD#parentId#childId
type Hierarchical struct {
	Prefix   string
	Parent   string   // type of parents; Prefix if empty
	Children []string // types of children
}

// HierarchicalKey holds the parts of the keys of a parent or child.
type HierarchicalKey struct {
	Tenant, Type, ParentID string
	ChildID                string // empty for a parent
	Version                int    // VersionLatest if none
}

// Kind is KindHierarchical.
func (Hierarchical) Kind() PatternKind { return KindHierarchical }

// Validate implements Pattern.
func (p Hierarchical) Validate() error {
	if err := checkNames("prefix", p.Prefix); err != nil {
		return err
	}
	return checkNames("type", append([]string{p.parent()}, p.Children...)...)
}

// BuildParent builds the keys of a parent.
func (p Hierarchical) BuildParent(tenant, id string) (Keys, error) {
	return buildKeys(p.Prefix, tenant, p.parent(), id)
}

// BuildChild builds the keys of a child of a declared type.
func (p Hierarchical) BuildChild(tenant, child, parentID, id string) (Keys, error) {
	if err := checkDeclared("child type", child, p.Children); err != nil {
		return Keys{}, err
	}
	return buildKeys(p.Prefix, tenant, child, parentID, id)
}

// ChildrenPrefix returns the prefix of the sort keys of all children of one type and parent.
func (p Hierarchical) ChildrenPrefix(child, parentID string) (string, error) {
	if err := checkDeclared("child type", child, p.Children); err != nil {
		return "", err
	}
	return SortKeyPrefix(child, parentID)
}

// Parse takes the keys of a parent or child apart.
func (p Hierarchical) Parse(pk, sk string) (HierarchicalKey, error) {
	isParent := Prefix(sk) == p.parent()
	segments := 3
	if isParent {
		segments = 2
	}
	partition, sort, err := parseKeys(pk, sk, p.Prefix, 0, segments)
	if err != nil {
		return HierarchicalKey{}, err
	}
	key := HierarchicalKey{
		Tenant: partition.Tenant, Type: sort.Segments[0], ParentID: sort.Segments[1],
		Version: sort.Version,
	}
	if isParent {
		return key, nil
	}
	if err := checkDeclared("child type", key.Type, p.Children); err != nil {
		return HierarchicalKey{}, err
	}
	key.ChildID = sort.Segments[2]
	return key, nil
}

// Check implements Pattern.
func (p Hierarchical) Check(pk, sk string) error {
	_, err := p.Parse(pk, sk)
	return err
}

func (p Hierarchical) parent() string { return cmp.Or(p.Parent, p.Prefix) }
