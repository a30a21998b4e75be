package conventions_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	. "github.com/kugiri-db/kugiri/conventions"
)

// TestGuideDecisionMatrix quotes the rows of the "Decision matrix".
func TestGuideDecisionMatrix(t *testing.T) {
	var got [][3]string
	for _, r := range DecisionMatrix() {
		got = append(got, [3]string{string(r.Pattern), r.PK, r.SK})
	}
	assert.Equal(t, [][3]string{
		{"simple", "ENTITY#tenantCode", "ulid()"},
		{"hierarchical", "PARENT#tenantCode", "TYPE#parentId[#childId]"},
		{"variant", "ENTITY#tenantCode", "variant#identifier"},
		{"tenant-association", "ENTITY#common", "tenantCode#identifier"},
		{"master-data", "MASTER#tenantCode", "TYPE#category#code"},
		{"time-series", "LOG#tenantCode#YYYY-MM", "timestamp#eventId"},
	}, got)
}

func TestRecommend(t *testing.T) {
	for _, c := range []struct {
		name    string
		answers Answers
		want    PatternKind
		passage string
		first   string // example
	}{
		{"a product", Answers{QuestionData: DataStandalone}, KindSimple,
			`Key design patterns, "Pattern 1: simple entity"`, "PRODUCT#tenant001#" + guideULID},
		{"children on their own",
			Answers{QuestionData: DataParentChild, QuestionChildren: AnswerYes}, KindSimple,
			`Key design patterns, "Pattern 1: simple entity"`, "PRODUCT#tenant001#" + guideULID},
		{"children with their parent",
			Answers{QuestionData: DataParentChild, QuestionChildren: AnswerNo}, KindHierarchical,
			`Key design patterns, "Pattern 2: hierarchical entities"`,
			"ORDER#tenant001#ORDER#" + guideULID},
		{"settings", Answers{QuestionData: DataSettings}, KindMasterData,
			`Key design patterns, "Pattern 5: master data with categories"`,
			"MASTER#tenant001#SETTING#notification#email_template"},
		{"events", Answers{QuestionData: DataEvents}, KindTimeSeries,
			`Key design patterns, "Pattern 6: time series data"`,
			"LOG#tenant001#2024-01#2024-01-15T10:30:00Z#evt001"},
		{"variants", Answers{QuestionData: DataVariants}, KindVariant,
			`Key design patterns, "Pattern 3: users with several authentication providers"`,
			"USER#common#local#user123"},
		{"shared data", Answers{QuestionData: DataShared}, KindTenantAssociation,
			`Key design patterns, "Pattern 4: multi-tenant association"`,
			"USER_TENANT#common#tenant001#user123"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := Recommend(c.answers)
			require.NoError(t, err)
			assert.Equal(t, c.want, r.Pattern)
			assert.Equal(t, c.passage, r.Passage)
			assert.Equal(t, c.first, r.Keys[0].ID)
		})
	}
}

// TestRecommendReachesEveryPattern: every path through the tree ends in a pattern, and some path
// reaches each pattern.
func TestRecommendReachesEveryPattern(t *testing.T) {
	reached := map[PatternKind]bool{}
	var walk func(q *Question, sofar Answers)
	walk = func(q *Question, sofar Answers) {
		for _, o := range q.Options {
			sofar[q.ID] = o.Answer
			if o.Next != nil {
				walk(o.Next, sofar)
				delete(sofar, o.Next.ID)
				continue
			}
			r, err := Recommend(sofar)
			require.NoError(t, err)
			assert.Equal(t, o.Pattern, r.Pattern)
			assert.NotEmpty(t, r.Title)
			assert.Equal(t, o.Advice, r.Advice)
			reached[r.Pattern] = true
		}
	}
	walk(DecisionTree(), Answers{})
	for _, row := range DecisionMatrix() {
		assert.True(t, reached[row.Pattern], row.Pattern)
	}
	assert.Len(t, reached, len(DecisionMatrix()))
}

func TestRecommendErrors(t *testing.T) {
	for _, c := range []struct {
		name    string
		answers Answers
		text    string
	}{
		{"a question left open",
			Answers{QuestionData: DataParentChild},
			`conventions: the question "independent-children" needs an answer. Do the children need to be accessed on their own?
  yes: yes, without their parent
  no: no, only with their parent`},
		{"an answer there is not",
			Answers{QuestionData: DataParentChild,
				QuestionChildren: "maybe"}, `conventions: the question "independent-children" has no answer "maybe". Do the children need to be accessed on their own?
  yes: yes, without their parent
  no: no, only with their parent`},
		{"an answer too many", Answers{QuestionData: DataEvents, QuestionChildren: AnswerNo},
			`conventions: the answer to "independent-children" does not matter here: leave it out`},
		{"an unknown question", Answers{QuestionData: DataEvents, "size": "10"},
			`conventions: the answer to "size" does not matter here: leave it out`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Recommend(c.answers)
			require.EqualError(t, err, c.text)
		})
	}
	t.Run("nothing", func(t *testing.T) {
		_, err := Recommend(nil)
		var open *UnansweredError
		require.ErrorAs(t, err, &open)
		assert.Equal(t, DecisionTree(), open.Question)
	})
	t.Run("no such pattern", func(t *testing.T) {
		_, err := Describe("other")
		require.EqualError(t, err, `conventions: no pattern is called "other"`)
	})
}
