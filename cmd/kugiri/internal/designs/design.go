package designs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/conventions/design/designfile"
)

// Command returns "kugiri design", with the commands below it.
func Command() *cobra.Command {
	c := &cobra.Command{
		Use:   "design",
		Short: "Design a table for models and access patterns, and prove that it serves them",
		Long: "Design a table for models and access patterns, and prove that it serves them.\n" +
			"A design file says what is stored and how it is read; \"kugiri design init\" writes an example.",
		Args: cli.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(designInitCommand(), designPlanCommand(), designVerifyCommand(),
		designSchemaCommand(), designFromCommand(), designWriteCommand(),
		designReportCommand(), designDiffCommand(), designLoadCommand())
	return c
}

func designInitCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "init [FILE]",
		Short: "Write an example of a design file, design.yaml by default",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			name := "design.yaml"
			if len(args) == 1 {
				name = args[0]
			}
			f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
			if errors.Is(err, fs.ErrExist) {
				return fmt.Errorf("%w: name another file, or remove this one", err)
			}
			if err != nil {
				return err
			}
			_, err = f.Write(designfile.Example())
			if err = errors.Join(err, f.Close()); err != nil {
				return err
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "wrote %s; next: kugiri design plan %s\n", name,
				name)
			return err
		},
	}
}

func designSchemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON schema of design files, for editors",
		Args:  cli.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			_, err := c.OutOrStdout().Write(designfile.Schema())
			return err
		},
	}
}
