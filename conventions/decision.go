package conventions

// Requirement is a row of the guide's decision matrix.
type Requirement struct {
	Text    string
	Pattern PatternKind
	PK, SK  string // the structure of the keys
}

// DecisionMatrix returns the guide's decision matrix ("Pattern selection guide").
func DecisionMatrix() []Requirement {
	return []Requirement{
		{"simple CRUD with tenants kept apart", KindSimple, "ENTITY#tenantCode", "ulid()"},
		{"a parent with several children", KindHierarchical, "PARENT#tenantCode",
			"TYPE#parentId[#childId]"},
		{"several variants of an entity", KindVariant, "ENTITY#tenantCode", "variant#identifier"},
		{"data shared across tenants", KindTenantAssociation, "ENTITY#common",
			"tenantCode#identifier"},
		{"settings by category", KindMasterData, "MASTER#tenantCode", "TYPE#category#code"},
		{"queries by time", KindTimeSeries, "LOG#tenantCode#YYYY-MM", "timestamp#eventId"},
	}
}

// The questions of the decision tree and their answers.
const (
	QuestionData     = "data"
	QuestionChildren = "independent-children"

	DataStandalone  = "standalone"
	DataParentChild = "parent-child"
	DataSettings    = "settings"
	DataEvents      = "events"
	DataVariants    = "variants"
	DataShared      = "shared"

	AnswerYes = "yes"
	AnswerNo  = "no"
)

// Question is a node of the decision tree.
type Question struct {
	ID      string // a Question constant
	Text    string
	Options []Option
}

// Option is an answer to a question. It leads to another question or to a pattern.
type Option struct {
	Answer  string
	Text    string
	Next    *Question   // nil at a leaf
	Pattern PatternKind // the pattern that a leaf advises
	Advice  string      // what else the leaf advises, if anything
}

// DecisionTree returns the guide's decision tree ("Decision tree"). The caller may change it. The
// guide's tree has no branch for data shared across tenants. DataShared adds the one that the
// guide's decision matrix has a row for.
func DecisionTree() *Question {
	children := &Question{
		ID:   QuestionChildren,
		Text: "Do the children need to be accessed on their own?",
		Options: []Option{
			{Answer: AnswerYes, Text: "yes, without their parent", Pattern: KindSimple,
				Advice: "Give the child a partition key of its own, and keep the parent's id in an attribute as a reference."},
			{Answer: AnswerNo, Text: "no, only with their parent", Pattern: KindHierarchical,
				Advice: "Parent and children share the partition key, so that one query reads them."},
		},
	}
	return &Question{
		ID:   QuestionData,
		Text: "What kind of data do you store?",
		Options: []Option{
			{Answer: DataStandalone, Text: "entities that stand alone (products, customers)",
				Pattern: KindSimple},
			{Answer: DataParentChild, Text: "parents and children (an order and its items)",
				Next: children},
			{Answer: DataSettings, Text: "settings and master data", Pattern: KindMasterData},
			{Answer: DataEvents, Text: "events in time (logs, audit trails)",
				Pattern: KindTimeSeries},
			{Answer: DataVariants, Text: "users or entities in several variants",
				Pattern: KindVariant},
			{Answer: DataShared, Text: "data that tenants share (users of several organisations)",
				Pattern: KindTenantAssociation},
		},
	}
}
