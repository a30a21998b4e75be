package conventions

import "cmp"

// The guide's types of master data.
const (
	MasterSetting = "SETTING"
	MasterItem    = "DATA"
	MasterCopy    = "COPY"
)

// MasterData is "Pattern 5: master data with categories", for settings, templates and categories:
//
//	PK = MASTER#tenant
//	SK = TYPE#category#code
//
// The zero value has the guide's prefix and types.
type MasterData struct {
	Prefix string   // MasterPrefix if empty
	Types  []string // the guide's three if nil
}

// MasterDataKey holds the parts of the keys of master data.
type MasterDataKey struct {
	Tenant, Type, Category, Code string
	Version                      int // VersionLatest if none
}

// Kind is KindMasterData.
func (MasterData) Kind() PatternKind { return KindMasterData }

// Validate implements Pattern.
func (p MasterData) Validate() error {
	if err := checkNames("prefix", p.prefix()); err != nil {
		return err
	}
	return checkNames("type", p.types()...)
}

// Build builds the keys of master data of a declared type.
func (p MasterData) Build(tenant, kind, category, code string) (Keys, error) {
	if err := checkDeclared("type", kind, p.types()); err != nil {
		return Keys{}, err
	}
	return buildKeys(p.prefix(), tenant, kind, category, code)
}

// CategoryPrefix returns the prefix of the sort keys of all master data of a category.
func (p MasterData) CategoryPrefix(kind, category string) (string, error) {
	if err := checkDeclared("type", kind, p.types()); err != nil {
		return "", err
	}
	return SortKeyPrefix(kind, category)
}

// Parse takes keys apart.
func (p MasterData) Parse(pk, sk string) (MasterDataKey, error) {
	partition, sort, err := parseKeys(pk, sk, p.prefix(), 0, 3)
	if err != nil {
		return MasterDataKey{}, err
	}
	s := sort.Segments
	if err := checkDeclared("type", s[0], p.types()); err != nil {
		return MasterDataKey{}, err
	}
	return MasterDataKey{
		Tenant: partition.Tenant, Type: s[0], Category: s[1], Code: s[2], Version: sort.Version,
	}, nil
}

// Check implements Pattern.
func (p MasterData) Check(pk, sk string) error {
	_, err := p.Parse(pk, sk)
	return err
}

func (p MasterData) prefix() string { return cmp.Or(p.Prefix, MasterPrefix) }

func (p MasterData) types() []string {
	if p.Types == nil {
		return []string{MasterSetting, MasterItem, MasterCopy}
	}
	return p.Types
}
