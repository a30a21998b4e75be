package conventions

// Variant is "Pattern 3: users with several authentication providers" (in the decision matrix:
// composite SK), for several kinds of records about one entity:
//
//	PK = PREFIX#tenant
//	SK = variant#identifier
type Variant struct {
	Prefix   string
	Variants []string // such as local, sso, oauth
}

// VariantKey holds the parts of the keys of a variant.
type VariantKey struct {
	Tenant, Variant, ID string
	Version             int // VersionLatest if none
}

// Kind is KindVariant.
func (Variant) Kind() PatternKind { return KindVariant }

// Validate implements Pattern.
func (p Variant) Validate() error {
	if err := checkNames("prefix", p.Prefix); err != nil {
		return err
	}
	return checkNames("variant", p.Variants...)
}

// Build builds the keys of a declared variant.
func (p Variant) Build(tenant, variant, id string) (Keys, error) {
	if err := checkDeclared("variant", variant, p.Variants); err != nil {
		return Keys{}, err
	}
	return buildKeys(p.Prefix, tenant, variant, id)
}

// Parse takes keys apart.
func (p Variant) Parse(pk, sk string) (VariantKey, error) {
	partition, sort, err := parseKeys(pk, sk, p.Prefix, 0, 2)
	if err != nil {
		return VariantKey{}, err
	}
	if err := checkDeclared("variant", sort.Segments[0], p.Variants); err != nil {
		return VariantKey{}, err
	}
	return VariantKey{
		Tenant: partition.Tenant, Variant: sort.Segments[0], ID: sort.Segments[1],
		Version: sort.Version,
	}, nil
}

// Check implements Pattern.
func (p Variant) Check(pk, sk string) error {
	_, err := p.Parse(pk, sk)
	return err
}
