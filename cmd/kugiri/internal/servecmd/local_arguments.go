package servecmd

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
)

// What starts amazon/dynamodb-local starts kugiri: the arguments of
// "java -Djava.library.path=./DynamoDBLocal_lib -jar DynamoDBLocal.jar -sharedDb"
// are translated (Developer Guide, "DynamoDB local usage notes", "Command line options").

// localDelay is how long states pass with -delayTransientStatuses, which the documentation does not
// say.
const localDelay = "5s"

// isLocalForm reports whether arguments are DynamoDB Local's: they begin with
// one dash and a word. -p9000 is kugiri's own.
func isLocalForm(args []string) bool {
	return len(args) > 0 && len(args[0]) > 2 && args[0][0] == '-' && args[0][1] != '-' &&
		!ownPort().MatchString(args[0])
}

var ownPort = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^-p=?\d+$`)
})

// TranslateLocal returns arguments as kugiri knows them. Remarks go to stderr.
func TranslateLocal(args []string, stderr io.Writer) ([]string, error) {
	if !isLocalForm(args) {
		return args, nil
	}
	l, err := parseLocal(args)
	switch {
	case err != nil:
		return nil, fmt.Errorf("as DynamoDB Local: %w (see -help)", err)
	case l.help:
		return []string{"help", localHelpTopic}, nil
	case l.version:
		return []string{"version"}, nil
	}
	if !l.inMemory && l.dbPath == "" {
		fmt.Fprintln(stderr,
			"kugiri: tables are in memory only, as with -inMemory; -dbPath says where to keep them")
	}
	return l.serve(), nil
}

// localHelpTopic is the name of the help for those who know DynamoDB Local's command line.
const localHelpTopic = "dynamodb-local"

// LocalHelp is a topic of the help: the command line of DynamoDB Local.
func LocalHelp() *cobra.Command {
	return &cobra.Command{
		Use:   localHelpTopic,
		Short: "The command line of DynamoDB Local, which kugiri takes, too",
		Long: `What starts DynamoDB Local starts kugiri: java -jar DynamoDBLocal.jar -sharedDb, or the arguments alone.

  -cors origins              origins whose scripts may call the server, with commas between (default *)   --cors
  -dbPath directory          directory to keep the data in; not a database of DynamoDB Local              --data-dir
  -delayTransientStatuses    have tables and indexes be CREATING, UPDATING and DELETING for ` + localDelay + `            --table-delay
  -disableTelemetry          do nothing: there is no telemetry
  -help                      print this
  -inMemory                  keep the data in memory, which is the default
  -optimizeDbBeforeStartup   do nothing, but -dbPath must be there: a start shortens the files by itself
  -port number               port to listen at (default 8000)                                             --port
  -sharedDb                  show the same tables to all access keys and regions                          --shared
  -version                   print the version                                                            version

The right column names the flags of kugiri's own command line; "kugiri serve --help" lists them all.`,
	}
}

// localOptions hold the flags of DynamoDB Local's command line.
type localOptions struct {
	inMemory, sharedDb, delay, optimize, telemetry, help, version bool
	port, dbPath, cors                                            string
}

// parseLocal reads DynamoDB Local's arguments, and Java's before them.
func parseLocal(args []string) (*localOptions, error) {
	l := new(localOptions)
	set := map[string]*bool{
		"inMemory": &l.inMemory, "sharedDb": &l.sharedDb, "delayTransientStatuses": &l.delay,
		"optimizeDbBeforeStartup": &l.optimize,
		"disableTelemetry":        &l.telemetry, "help": &l.help, "version": &l.version,
	}
	values := map[string]*string{
		"port": &l.port, "dbPath": &l.dbPath, "cors": &l.cors, "jar": new(string),
		"cp": new(string), "classpath": new(string),
	}
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		if strings.HasPrefix(arg, "-D") || strings.HasPrefix(arg, "-X") || arg == "-server" ||
			arg == "-client" {
			continue // Java's own
		}
		name, ok := strings.CutPrefix(arg, "-")
		if !ok {
			return nil, fmt.Errorf("unknown argument %q", arg)
		}
		name, value, given := strings.Cut(strings.TrimPrefix(name, "-"), "=")
		switch {
		case set[name] != nil && !given:
			*set[name] = true
		case values[name] != nil && given:
			*values[name] = value
		case values[name] != nil && len(args) > 0:
			*values[name], args = args[0], args[1:]
		case values[name] != nil:
			return nil, fmt.Errorf("-%s needs a value", name)
		default:
			known := append(slices.Collect(maps.Keys(set)), slices.Collect(maps.Keys(values))...)
			return nil, cli.DidYouMean(fmt.Errorf("unknown option %q", arg), "-", name, known)
		}
	}
	switch {
	case l.dbPath != "" && l.inMemory:
		return nil, errors.New("-dbPath and -inMemory cannot both be given")
	case l.optimize && l.dbPath == "":
		return nil, errors.New("-optimizeDbBeforeStartup needs -dbPath")
	}
	return l, nil
}

// serve is the command line of kugiri. There is no telemetry to disable, and no database to
// optimize.
func (l *localOptions) serve() []string {
	args := []string{"serve", "--dynamodb-local"}
	if l.sharedDb {
		args = append(args, "--shared")
	}
	if l.delay {
		args = append(args, "--table-delay="+localDelay)
	}
	if l.port != "" {
		args = append(args, "--port="+l.port)
	}
	if l.cors != "" {
		args = append(args, "--cors="+l.cors)
	}
	if l.dbPath != "" {
		args = append(args, "--data-dir="+l.dbPath)
	}
	return args
}
