package tables

import (
	"slices"
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/item"
)

// Developer Guide, "Quotas in Amazon DynamoDB", "Vector indexes".
const (
	MaxVectorIndexes = 5
	maxDimensions    = 4096
	maxInlineFilters = 18
)

// inlineFilter is the type of an element of a search schema that is not the partition key.
const inlineFilter = "INLINE_FILTER"

// VectorSettings holds the data of a vector index besides its schema.
type VectorSettings struct {
	Name     string
	State    Transition
	Online   bool      // created for a table with items, and therefore backfilled
	Backfill time.Time // the beginning of the backfilling

	// The schema of an index that is being deleted and is no longer in storage.
	Gone  *storage.VectorSchema
	Stats storage.Stats
}

// Arriving reports whether an index is ACTIVE already, but SearchVectors does not find it yet. On
// the service that takes a moment (service facts V.2.1), here a sixth of the backfill.
func (ix *VectorSettings) Arriving(now time.Time) bool {
	backfilled := ix.State.Until
	return ix.State.Status == Creating && ix.Online && !now.Before(backfilled) &&
		now.Before(backfilled.Add(backfilled.Sub(ix.Backfill)/6))
}

// NewVectors returns the settings of the vector indexes of a new table.
func NewVectors(indexes []api.VectorIndex) (list []VectorSettings) {
	for _, ix := range indexes {
		list = append(list, VectorSettings{Name: strings.Clone(string(*ix.IndexName))})
	}
	return list
}

// CheckVectors checks the vector indexes of a new table. indexes are its other indexes.
func CheckVectors(vectors []api.VectorIndex, indexes []IndexSpec,
	definitions []api.AttributeDefinition, mode api.BillingMode) error {
	switch {
	case vectors == nil:
		return nil
	case len(vectors) == 0:
		return apierr.BadParameter("List of VectorIndexes is empty")
	case mode != PayPerRequest:
		return ErrVectorMode
	case len(vectors) > MaxVectorIndexes:
		return apierr.BadParameter("VectorIndex count exceeds the per-table limit of %d",
			MaxVectorIndexes)
	}
	for i := range vectors {
		if err := CheckVectorIndex(&vectors[i], definitions); err != nil {
			return err
		}
	}
	return CheckVectorsTogether(vectors, indexes)
}

// ErrVectorMode is the error of a new vector index of a table that is not PAY_PER_REQUEST (service
// facts V.1.1).
var ErrVectorMode = apierr.BadParameter(
	"Vector indexes are only supported for PAY_PER_REQUEST tables")

// ErrKeepsVectorMode is the error of a table with vector indexes that is to leave PAY_PER_REQUEST
// (service facts V.1.2).
var ErrKeepsVectorMode = apierr.BadParameter(
	"Tables with vector indexes must be in PAY_PER_REQUEST mode")

// CheckVectorIndex checks a vector index of a table. All attributes of keys are defined.
func CheckVectorIndex(ix *api.VectorIndex, definitions []api.AttributeDefinition) error {
	if *ix.Dimensions > maxDimensions {
		// service facts V.1.3
		return apierr.BadParameter("Number of dimensions must be between 1 and %d inclusive.",
			maxDimensions)
	}
	if err := checkSearchSchema(ix, definitions); err != nil {
		return err
	}
	if err := checkProjection(ix.Projection); err != nil {
		return err
	}
	if name := api.KeySchemaAttributeName(*ix.VectorAttribute.AttributeName); TypeOf(name,
		definitions) != item.NoType {
		return ErrDefinedVector(string(name))
	}
	return nil
}

// ErrDefinedVector returns the error of a vector attribute that is defined as another one (service
// facts V.1.5).
func ErrDefinedVector(name string) error {
	return apierr.BadParameter("Conflicting attribute definition for '%s'. "+
		"An attribute cannot be defined in AttributeDefinitions when used as a VectorAttribute.",
		name)
}

// checkSearchSchema checks that the attributes of a search schema are defined and distinct, and how
// many there are of each type.
func checkSearchSchema(ix *api.VectorIndex, definitions []api.AttributeDefinition) error {
	names := searchNames(ix.SearchSchema)
	hashes, defined, seen := 0, areDefined(definitions), map[string]bool{}
	for i, e := range ix.SearchSchema {
		switch {
		case !defined[names[i]]:
			return apierr.BadParameter(
				"One element in SearchSchema is not defined in attribute definitions")
		case seen[names[i]]:
			// service facts V.1.8
			return apierr.BadParameter("SearchSchema contains a duplicate AttributeName")
		case *e.SearchSchemaElementType != inlineFilter:
			hashes++
		}
		seen[names[i]] = true
	}
	if hashes > 1 {
		return apierr.BadParameter("Value '%d' at 'SearchSchema' failed to satisfy constraint: "+
			"Member must have HASH count less than or equal to 1", hashes) // service facts V.1.8
	}
	if len(names)-hashes > maxInlineFilters {
		return apierr.BadParameter(
			"SearchSchema exceeds the limit of %d INLINE_FILTER elements. Index: %s",
			maxInlineFilters, *ix.IndexName)
	}
	return nil
}

// CheckVectorsTogether checks all vector indexes of a table against each other and against the
// other indexes. The attribute of the vectors and the inline filters count as projected attributes
// (API Reference, CreateTable, VectorIndexes).
func CheckVectorsTogether(vectors []api.VectorIndex, indexes []IndexSpec) error {
	var names []string
	nonKey := 0
	for _, ix := range indexes {
		names = append(names, ix.Name)
		nonKey += len(ix.Projection.NonKeyAttributes)
	}
	for i, ix := range vectors {
		if slices.Contains(names, string(*ix.IndexName)) {
			return apierr.BadParameter("Duplicate index name: %s", *ix.IndexName)
		}
		names = append(names, string(*ix.IndexName))
		for _, other := range vectors[:i] {
			if *other.VectorAttribute.AttributeName == *ix.VectorAttribute.AttributeName &&
				*other.Dimensions != *ix.Dimensions {
				// service facts V.1.4
				return apierr.BadParameter("Conflicting attribute definition for '%s'. "+
					"All VectorIndexes on the same vector attribute must use the same dimensions.",
					*ix.VectorAttribute.AttributeName)
			}
		}
		nonKey += 1 + len(ix.Projection.NonKeyAttributes) + countFilters(ix.SearchSchema)
	}
	if nonKey > maxNonKey {
		return apierr.BadParameter("NonKeyAttributes count exceeds the per-table limit of %d",
			maxNonKey)
	}
	return nil
}

func countFilters(schema api.SearchSchema) (n int) {
	for _, e := range schema {
		if *e.SearchSchemaElementType == inlineFilter {
			n++
		}
	}
	return n
}

// VectorSchema returns a checked vector index in the form of storage. It shares no memory with the
// request.
func VectorSchema(ix *api.VectorIndex, definitions []api.AttributeDefinition) storage.VectorSchema {
	spec := IndexSpec{Name: string(*ix.IndexName), Projection: ix.Projection}
	schema := storage.VectorSchema{
		Name:       strings.Clone(string(*ix.IndexName)),
		Attribute:  strings.Clone(string(*ix.VectorAttribute.AttributeName)),
		Dimensions: int(*ix.Dimensions),
		Distance:   storage.Distance(strings.Clone(string(*ix.DistanceFunction))),
		Projection: spec.Schema(nil).Projection,
	}
	for _, e := range ix.SearchSchema {
		a := storage.KeyAttribute{
			Name: strings.Clone(string(*e.AttributeName)),
			Type: TypeOf(api.KeySchemaAttributeName(*e.AttributeName), definitions),
		}
		if *e.SearchSchemaElementType == inlineFilter {
			schema.Filters = append(schema.Filters, a)
		} else {
			schema.Hash = append(schema.Hash, a)
		}
	}
	return schema
}

// APIVector returns a vector index in the form of a request.
func APIVector(ix *storage.VectorSchema) api.VectorIndex {
	return api.VectorIndex{
		IndexName: api.Ref(api.IndexName(ix.Name)),
		VectorAttribute: &api.VectorAttributeDefinition{
			AttributeName: api.Ref(api.VectorAttributeName(ix.Attribute)),
		},
		SearchSchema:     apiSearchSchema(ix),
		Projection:       APIProjection(ix.Projection),
		Dimensions:       api.Ref(api.PositiveLongObject(ix.Dimensions)),
		DistanceFunction: api.Ref(api.VectorDistanceFunction(ix.Distance)),
	}
}

func apiSearchSchema(ix *storage.VectorSchema) (schema api.SearchSchema) {
	add := func(attributes []storage.KeyAttribute, kind api.SearchSchemaElementType) {
		for _, a := range attributes {
			schema = append(schema,
				api.SearchSchemaElement{
					AttributeName:           api.Ref(api.AttributeName(a.Name)),
					SearchSchemaElementType: &kind,
				})
		}
	}
	add(ix.Hash, "HASH")
	add(ix.Filters, inlineFilter)
	return schema
}

// vectorInfo describes the vector indexes of a backup.
func vectorInfo(schemas []storage.VectorSchema) (list []api.VectorIndexInfo) {
	for i := range schemas {
		list = append(list, api.VectorIndexInfo(APIVector(&schemas[i])))
	}
	return list
}

// vectorSettingsRecord is VectorSettings as a journal keeps it.
type vectorSettingsRecord struct {
	Name     string
	State    transitionRecord
	Online   bool
	Backfill storage.Instant
	Gone     *storage.VectorRecord `json:",omitempty"`
	Stats    storage.Stats
}

func recordVectors(list []VectorSettings) (records []vectorSettingsRecord) {
	for i := range list {
		ix := &list[i]
		r := vectorSettingsRecord{ix.Name, recordTransition(ix.State), ix.Online,
			storage.InstantOf(ix.Backfill), nil, ix.Stats}
		if ix.Gone != nil {
			gone := storage.RecordVector(*ix.Gone)
			r.Gone = &gone
		}
		records = append(records, r)
	}
	return records
}

func vectorsOf(records []vectorSettingsRecord) (list []VectorSettings, err error) {
	for _, r := range records {
		ix := VectorSettings{r.Name, r.State.transition(), r.Online, r.Backfill.Time(), nil,
			r.Stats}
		if r.Gone != nil {
			gone, err := r.Gone.Schema()
			if err != nil {
				return nil, err
			}
			ix.Gone = &gone
		}
		list = append(list, ix)
	}
	return list, nil
}
