package conventions

// Simple is "Pattern 1: simple entity", for entities that stand alone, such as products:
//
//	PK = PREFIX#tenant
//	SK = ulid
type Simple struct {
	Prefix string
	AnyID  bool // identifiers need not be ULIDs
}

// SimpleKey holds the parts of the keys of a simple entity.
type SimpleKey struct {
	Tenant, ID string
	Version    int // VersionLatest if none
}

// Kind is KindSimple.
func (Simple) Kind() PatternKind { return KindSimple }

// Validate implements Pattern.
func (p Simple) Validate() error { return checkNames("prefix", p.Prefix) }

// Build builds the keys of an entity.
func (p Simple) Build(tenant, id string) (Keys, error) {
	if err := p.checkID(id); err != nil {
		return Keys{}, err
	}
	return buildKeys(p.Prefix, tenant, id)
}

// Parse takes keys apart.
func (p Simple) Parse(pk, sk string) (SimpleKey, error) {
	partition, sort, err := parseKeys(pk, sk, p.Prefix, 0, 1)
	if err != nil {
		return SimpleKey{}, err
	}
	if err := p.checkID(sort.Segments[0]); err != nil {
		return SimpleKey{}, err
	}
	return SimpleKey{Tenant: partition.Tenant, ID: sort.Segments[0], Version: sort.Version}, nil
}

// Check implements Pattern.
func (p Simple) Check(pk, sk string) error {
	_, err := p.Parse(pk, sk)
	return err
}

func (p Simple) checkID(id string) error {
	if p.AnyID || IsULID(id) {
		return nil
	}
	return keyError("identifier", id, ErrNotULID)
}
