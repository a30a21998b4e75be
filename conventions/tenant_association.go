package conventions

// TenantAssociation is "Pattern 4: multi-tenant association", for entities that belong to several
// tenants, such as users. An association is shared data: its partition key has the common tenant,
// and its sort key names the tenant that it is about:
//
//	PK = PREFIX#common
//	SK = tenant#identifier
type TenantAssociation struct {
	Prefix string
}

// TenantAssociationKey holds the parts of the keys of an association.
type TenantAssociationKey struct {
	Tenant  string // the tenant that the member belongs to
	Member  string
	Version int // VersionLatest if none
}

// Kind is KindTenantAssociation.
func (TenantAssociation) Kind() PatternKind { return KindTenantAssociation }

// Validate implements Pattern.
func (p TenantAssociation) Validate() error { return checkNames("prefix", p.Prefix) }

// Build builds the keys of a member's association with a tenant.
func (p TenantAssociation) Build(tenant, member string) (Keys, error) {
	return buildKeys(p.Prefix, TenantCommon, tenant, member)
}

// MembersPrefix returns the prefix of the sort keys of all members of a tenant.
func (p TenantAssociation) MembersPrefix(tenant string) (string, error) {
	return SortKeyPrefix(tenant)
}

// Parse takes keys apart. The tenant of the partition key must be TenantCommon.
func (p TenantAssociation) Parse(pk, sk string) (TenantAssociationKey, error) {
	partition, sort, err := parseKeys(pk, sk, p.Prefix, 0, 2)
	if err != nil {
		return TenantAssociationKey{}, err
	}
	if err := checkDeclared("tenant", partition.Tenant, []string{TenantCommon}); err != nil {
		return TenantAssociationKey{}, err
	}
	return TenantAssociationKey{
		Tenant: sort.Segments[0], Member: sort.Segments[1], Version: sort.Version,
	}, nil
}

// Check implements Pattern.
func (p TenantAssociation) Check(pk, sk string) error {
	_, err := p.Parse(pk, sk)
	return err
}
