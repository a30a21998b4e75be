package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/conventions"
)

func keysCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "keys",
		Short: "Help with the design of keys",
		Args:  cli.NoArguments,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(recommendCommand())
	return c
}

// recommendCommand walks the decision tree; each of its questions is a flag.
func recommendCommand() *cobra.Command {
	var format cli.ResultFormat
	c := &cobra.Command{
		Use:     "recommend",
		Short:   "Recommend a key pattern for the data to be stored",
		Long:    "Recommend one of the key patterns for the data to be stored, by the guide's decision tree,\nand print the structure of its keys with examples.",
		Example: "  kugiri keys recommend --data parent-child --independent-children no",
		Args:    cli.NoArguments,
		RunE:    func(c *cobra.Command, _ []string) error { return recommend(c, &format) },
	}
	format.Register(c)
	addQuestion(c, conventions.DecisionTree())
	return c
}

// addQuestion makes a flag of a question of the decision tree, and of those it leads to.
func addQuestion(c *cobra.Command, q *conventions.Question) {
	answers := make([]string, len(q.Options))
	for i, o := range q.Options {
		answers[i] = o.Answer
	}
	c.Flags().String(q.ID, "", q.Text+" ("+strings.Join(answers, "|")+")")
	if err := c.RegisterFlagCompletionFunc(q.ID,
		cobra.FixedCompletions(answers, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // only if the flag does not exist
	}
	for _, o := range q.Options {
		if o.Next != nil {
			addQuestion(c, o.Next)
		}
	}
}

func recommend(c *cobra.Command, format *cli.ResultFormat) error {
	answers := conventions.Answers{}
	for _, id := range []string{conventions.QuestionData, conventions.QuestionChildren} {
		if f := c.Flags().Lookup(id); f.Changed {
			answers[id] = f.Value.String()
		}
	}
	r, err := conventions.Recommend(answers)
	var unanswered *conventions.UnansweredError
	switch {
	case errors.As(err, &unanswered):
		return missingAnswer(unanswered)
	case err != nil:
		return err
	}
	return format.Print(c, recommended(r), func(out io.Writer) error {
		_, err := fmt.Fprint(out, r)
		return err
	})
}

// missingAnswer says of a flag what the error says of a question.
func missingAnswer(e *conventions.UnansweredError) error {
	var b strings.Builder
	fmt.Fprintf(&b, "--%s is needed", e.Question.ID)
	if e.Answer != "" {
		fmt.Fprintf(&b, ": it cannot be %q", e.Answer)
	}
	fmt.Fprintf(&b, ". %s", e.Question.Text)
	for _, o := range e.Question.Options {
		fmt.Fprintf(&b, "\n  --%s %s: %s", e.Question.ID, o.Answer, o.Text)
	}
	return errors.New(b.String())
}

// recommendedKeys is a recommendation in JSON.
type recommendedKeys struct {
	Pattern      string             `json:"pattern"`
	Title        string             `json:"title"`
	PartitionKey string             `json:"partitionKey"`
	SortKey      string             `json:"sortKey"`
	Examples     []conventions.Keys `json:"examples"`
	Passage      string             `json:"passage"`
	Advice       string             `json:"advice,omitempty"`
}

func recommended(r conventions.Recommendation) recommendedKeys {
	return recommendedKeys{string(r.Pattern), r.Title, r.PK, r.SK, r.Keys, r.Passage, r.Advice}
}
