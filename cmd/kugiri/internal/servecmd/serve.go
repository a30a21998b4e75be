package servecmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/access"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/datadir"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/kinesissink"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/listen"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/logs"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/settings"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/terminal"
	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/conventions/policy/policyfile"
	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/metrics"
)

// grace is how long requests may take to finish when the server is stopped.
const grace = 900 * time.Millisecond

// serveSettings hold the flags of serve.
type serveSettings struct {
	at               listen.Address
	account          string
	shared           bool
	local            bool
	exitWithStdin    bool
	tableDelay       time.Duration
	transactionDelay time.Duration
	streamShards     int
	streamShardLife  time.Duration
	streamMemory     int64
	pitrMemory       int64
	memory           memoryLimit
	kinesis          kinesissink.Settings
	triggers         triggerSettings
	ttlInterval      time.Duration
	replicationLag   time.Duration
	policyInterval   time.Duration
	quotas           bool
	cors             []string
	corsGiven        bool
	hosts            []string
	access           access.Settings
	tls              tlsSettings
	logs             logs.Settings
	pprof            string
	metrics          bool
	record           string
	policy           string
	unproven         bool
	admin            adminSettings
	data             datadir.Settings
	buckets          bucketSettings
	dax              daxSettings
}

// Command returns "kugiri serve".
func Command() *cobra.Command {
	var s serveSettings
	c := &cobra.Command{
		Use:   "serve",
		Short: "Serve an in-memory DynamoDB",
		Long: "Serve an in-memory DynamoDB until SIGINT or SIGTERM.\n\n" +
			"A setting is taken from the command line, else from the environment, else from the\n" +
			"config file, else it has its default. The file is YAML or JSON: port: 8000\n\n" +
			"DynamoDB Local's command line serves, too: see \"kugiri help dynamodb-local\".",
		Example: "  kugiri serve --port 9000\n" +
			"  kugiri serve --data-dir ./data                    # survives restarts\n" +
			"  kugiri serve --admin --console --seed testdata/   # for tests: forks, clock, faults\n" +
			"  kugiri serve --shared --policy policy.yaml        # with conventions",
		Args: cli.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			started := endInTime(c.Context(), mostStart, os.Exit, func() {
				fmt.Fprintln(c.ErrOrStderr(), "kugiri: ended by a signal while it started")
			})
			defer started()
			if err := s.load(c.Flags(), settings.OwnEnvironment(), c.Root()); err != nil {
				return cli.WithHelp(c, err)
			}
			s.decideConsole(c.Flags(), c.OutOrStdout())
			s.decideOrigins(c.Flags())
			ctx := c.Context()
			if s.exitWithStdin {
				ctx = untilEnd(ctx, c.InOrStdin())
			}
			return s.serve(ctx, c.OutOrStdout(), c.ErrOrStderr(), started)
		},
	}
	s.register(c.Flags())
	settings.DescribeEnvironment(c.Flags())
	return c
}

// register makes the flags.
func (s *serveSettings) register(f *pflag.FlagSet) {
	cli.AddGroup(f, "Server", func(f *pflag.FlagSet) {
		f.String(settings.ConfigFlag, "",
			"YAML or JSON `file` with settings by the names of these flags")
		s.at.Register(f, 8000)
		f.StringVar(&s.account, "account", "000000000000", "`digits` of the AWS account in ARNs")
		f.BoolVar(&s.shared, "shared", false, "show the same tables to all access keys and regions")
		f.BoolVar(&s.local, "dynamodb-local", false,
			"answer GET / and /shell/, and say at the start, what tools that wait for DynamoDB Local look for")
		f.BoolVar(&s.exitWithStdin, "exit-with-stdin", false,
			"stop at the end of standard input, as when the program that started the server ends")
	})
	cli.AddGroup(f, "Data", func(f *pflag.FlagSet) {
		s.data.Register(f)
		s.admin.registerSeeds(f)
		f.Int64Var(&s.pitrMemory, "pitr-memory", 128<<20,
			"`bytes` of changes that point-in-time recovery keeps before its earliest time moves forward, 0 for any")
		f.Var(&s.memory, "memory-limit",
			"`bytes` of memory of the process, of which data may take four fifths: writes that would add more are refused with RequestLimitExceeded; auto for the container's limit, 0 for none")
	})
	cli.AddGroup(f, "Exports and imports", func(f *pflag.FlagSet) {
		s.buckets.register(f)
	})
	s.registerBehavior(f)
	cli.AddGroup(f, "Who reaches it", func(f *pflag.FlagSet) {
		f.StringSliceVar(&s.cors, corsFlag, nil,
			"`origins` whose scripts may call the server, with commas between; * for all, as with DynamoDB and --dynamodb-local; by default none but the console")
		f.StringSliceVar(&s.hosts, "allowed-hosts", nil,
			"`names` of the server, besides addresses, localhost and private names; other names are refused unless all origins are allowed without --admin")
		s.access.Register(f)
		s.tls.register(f)
	})
	cli.AddGroup(f, "Accelerator (DAX)", s.dax.register)
	cli.AddGroup(f, "For tests", func(f *pflag.FlagSet) {
		s.admin.register(f)
		f.StringVar(&s.record, "record", "",
			"`file` to write all requests and answers to, for \"kugiri races\"; what it holds is lost")
	})
	cli.AddGroup(f, "Conventions", func(f *pflag.FlagSet) {
		f.StringVar(&s.policy, "policy", "",
			"YAML `file` with the conventions that requests are held to (see \"kugiri policy\"); tenants by access key need --shared")
		f.BoolVar(&s.unproven, "unproven", false,
			"start with a policy that does not keep its tenants apart, too (see \"kugiri policy prove\")")
	})
	cli.AddGroup(f, "Logs and metrics", func(f *pflag.FlagSet) {
		s.logs.Register(f)
		f.BoolVar(&s.metrics, "metrics", false, "serve metrics for Prometheus at "+metrics.Path)
		f.StringVar(&s.pprof, "pprof", "",
			"serve Go's profiles at another `address`, for example 127.0.0.1:6060")
	})
}

// registerBehavior adds the flags of what tables and streams do as time goes by.
func (s *serveSettings) registerBehavior(f *pflag.FlagSet) {
	cli.AddGroup(f, "States and time", func(f *pflag.FlagSet) {
		f.DurationVar(&s.tableDelay, "table-delay", 0,
			"`duration` for which tables and indexes are CREATING, UPDATING and DELETING")
		f.DurationVar(&s.transactionDelay, "transaction-delay", 0,
			"`duration` for which write transactions are open, and in conflict with others")
		f.DurationVar(&s.ttlInterval, "ttl-interval", 0,
			"`duration` after a change of a table's TTL in which another is refused")
		f.DurationVar(&s.replicationLag, "replication-lag", 0,
			"`duration` after which the replicas of a global table get each other's writes")
		f.DurationVar(&s.policyInterval, "policy-interval", 0,
			"`duration` after a change of a resource-based policy in which another is refused; DynamoDB's is 15s")
		f.BoolVar(&s.quotas, "quotas", false,
			"refuse changes of class, encryption, deletion protection and tags, and requests for backups, that DynamoDB refuses for days, hours or seconds after others")
		s.admin.registerClock(f)
	})
	cli.AddGroup(f, "Streams", func(f *pflag.FlagSet) {
		f.IntVar(&s.streamShards, "stream-shards", 1,
			"`number` of shards of a stream that are open at a time")
		f.DurationVar(&s.streamShardLife, "stream-shard-life", 4*time.Hour,
			"`duration` for which a shard of a stream stays open")
		f.Int64Var(&s.streamMemory, "stream-memory", 128<<20,
			"`bytes` of changes that streams hold before the oldest are trimmed early, 0 for any")
		s.kinesis.Register(f)
		s.triggers.register(f)
	})
}

// untilEnd returns a context that ends with ctx and with r.
func untilEnd(ctx context.Context, r io.Reader) context.Context {
	ctx, stop := context.WithCancel(ctx)
	go func() {
		defer stop()
		_, _ = io.Copy(io.Discard, r)
	}()
	return ctx
}

// load completes the settings of the command line, and checks them all.
func (s *serveSettings) load(flags *pflag.FlagSet, e settings.Environment,
	program *cobra.Command) error {
	if err := settings.Fill(flags, e, program); err != nil {
		return err
	}
	return s.check()
}

// check finds what is wrong with the settings.
func (s *serveSettings) check() error {
	if err := s.at.Check(); err != nil {
		return err
	}
	switch {
	case len(s.account) != 12 || strings.Trim(s.account, "0123456789") != "":
		return fmt.Errorf("account %q: an account has 12 digits", s.account)
	case s.streamShards < 1 || s.streamShards > 1000:
		return fmt.Errorf("stream-shards %d: a stream has 1 to 1000 open shards", s.streamShards)
	case s.streamShardLife <= 0:
		return errors.New("stream-shard-life: a shard lives longer than that")
	case s.streamMemory < 0:
		return fmt.Errorf("stream-memory %d: a number of bytes is not negative", s.streamMemory)
	case s.pitrMemory < 0:
		return fmt.Errorf("pitr-memory %d: a number of bytes is not negative", s.pitrMemory)
	case s.access.IAM != "" && s.shared:
		return errors.New("iam: tables belong to accounts; with shared they belong to nobody")
	case min(s.tableDelay, s.transactionDelay, s.ttlInterval, s.policyInterval,
		s.replicationLag) < 0:
		return errors.New(
			"table-delay, transaction-delay, ttl-interval, policy-interval and replication-lag are not negative")
	}
	return errors.Join(s.data.Check(), s.kinesis.Check(), s.triggers.check(s.buckets.put()),
		s.access.Check(), s.tls.check(), s.admin.check(), s.buckets.check(), s.dax.check(&s.tls))
}

// bound is a limit of memory as the emulator knows it: of the flags, 0 is for any.
func bound(bytes int64) int64 {
	if bytes == 0 {
		return math.MaxInt64
	}
	return bytes
}

// options are the settings as the emulator knows them. Transactions that are held open end with
// ctx.
func (s *serveSettings) options(ctx context.Context) []emulator.Option {
	opts := []emulator.Option{
		emulator.WithAccountID(s.account),
		emulator.WithTableDelays(s.tableDelay, s.tableDelay, s.tableDelay),
		emulator.WithStreamShards(s.streamShards, s.streamShardLife),
		emulator.WithLimits(emulator.Limits{
			StreamMemory: bound(s.streamMemory), PITRMemory: bound(s.pitrMemory),
			KinesisMemory: bound(s.kinesis.Memory), Memory: s.memory.apply(),
		}),
		emulator.WithTTLInterval(s.ttlInterval),
		emulator.WithReplicationLag(s.replicationLag),
		emulator.WithPolicyInterval(s.policyInterval),
		emulator.WithCORSOrigins(s.cors...),
	}
	if len(s.hosts) > 0 || s.admin.serves() || !slices.Contains(s.cors, "*") {
		opts = append(opts, emulator.WithAllowedHosts(s.names()...))
	}
	if s.quotas {
		opts = append(opts, emulator.WithQuotas())
	}
	if s.shared {
		opts = append(opts, emulator.WithSharedData())
	}
	opts = append(opts, s.serveConsole()...)
	opts = append(opts, s.otherPaths()...)
	if s.local {
		opts = append(opts, localAnswers()...)
	}
	if s.transactionDelay > 0 {
		opts = append(opts,
			emulator.WithTransactionHook(func(string) { cli.Pause(ctx, s.transactionDelay) }))
	}
	return opts
}

// names are those of the server, besides the ones that all servers have.
func (s *serveSettings) names() []string {
	names := append(slices.Clone(s.hosts), s.at.Host)
	if name, err := os.Hostname(); err == nil {
		names = append(names, name)
	}
	return names
}

// allOptions returns the options of the emulator for all settings but those of the data.
func (s *serveSettings) allOptions(ctx context.Context, logger *slog.Logger) ([]emulator.Option,
	error) {
	opts := append(s.options(ctx), emulator.WithLogger(logger), emulator.WithHints(logger))
	toKinesis, err := s.kinesis.Options(ctx)
	if err != nil {
		return nil, err
	}
	opts = append(append(opts, toKinesis...), s.triggers.options()...)
	engine, err := s.loadPolicy(logger)
	if err != nil {
		return nil, err
	}
	more, err := s.admin.options(ctx, s.account, opts, engine, logger)
	if err != nil {
		return nil, err
	}
	opts = append(opts, more...)
	if s.logs.Requests {
		opts = append(opts, emulator.WithObserver(s.logs.RequestLog(logger)))
	}
	if s.metrics {
		opts = append(opts, metrics.Options(s.dax.counts())...)
	}
	if more, err = s.access.Options(); err != nil {
		return nil, err
	}
	opts = append(opts, more...)
	if more, err = s.buckets.options(ctx); err != nil {
		return nil, err
	}
	opts = append(opts, more...)
	if engine != nil {
		opts = append(opts, emulator.WithPolicy(engine))
	}
	return opts, nil
}

// startLasts is how long after its start the server keeps the memory that only the start needed.
// Giving it back is work, and the first requests come right after the start.
const startLasts = time.Second

// serve serves until ctx ends. It calls started when the server listens.
func (s *serveSettings) serve(ctx context.Context, stdout, stderr io.Writer,
	started func()) (err error) {
	logger, flush := s.logs.Open(stderr)
	defer endInTime(ctx, mostStop, os.Exit, func() {
		logger.Error("the server did not end by itself", slog.Duration("after", mostStop))
	})()
	defer flush()
	opts, err := s.allOptions(ctx, logger)
	if err != nil {
		return err
	}
	record, stop, err := s.recorded(logger)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	opts = append(opts, record...)
	if s.pprof != "" {
		stop, err := servePprof(s.pprof, logger)
		if err != nil {
			return err
		}
		defer stop()
	}
	e, err := s.data.Open(ctx, opts, logger)
	if errors.Is(err, context.Canceled) {
		logger.Info("stopped before the data was loaded")
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, cli.Loss(e.Close())) }()
	server, err := s.start(e, logger)
	if err != nil {
		return err
	}
	started()
	s.sayListening(stdout, server.URL)
	accelerator, err := s.dax.start(e, s.at.Host, &s.tls, stdout, logger)
	if err != nil {
		return errors.Join(err, server.Close())
	}
	defer func() { err = errors.Join(err, accelerator.Close()) }()
	s.sayConsole(stdout, server.URL)
	if s.everywhere() {
		cli.Say(stdout, terminal.StyleOf(stdout).Bold("kugiri:"),
			"other machines reach it, too: it listens at all addresses of this one")
	}
	if s.local {
		cli.Say(stdout, s.localBanner(server.URL))
	}
	if cli.Pause(ctx, startLasts); ctx.Err() == nil {
		if err := giveBackStartPages(); err != nil {
			logger.Debug("memory of the start is kept", "error", err)
		}
	}
	giveBackAtRest(ctx)
	defer func() {
		if err == nil {
			listen.SayStopped(stdout)
		}
	}()
	return shutDown(server, logger)
}

// everywhere reports whether the server listens at all addresses of the machine.
func (s *serveSettings) everywhere() bool {
	ip := net.ParseIP(s.at.Host)
	return s.at.Host == "" || ip != nil && ip.IsUnspecified()
}

// sayListening says where the server listens, by the name that was asked for.
func (s *serveSettings) sayListening(out io.Writer, address string) {
	if u, err := url.Parse(address); err == nil && !s.everywhere() {
		u.Host = net.JoinHostPort(s.at.Host, u.Port())
		address = u.String()
	}
	cli.Say(out, terminal.StyleOf(out).Bold("kugiri:"), "listening at", address)
}

// How long the end may take after a signal: of a server, and of one that does not listen yet.
const (
	mostStop  = 4500 * time.Millisecond
	mostStart = 800 * time.Millisecond
)

// endInTime ends the process if what it does goes on long after a signal that ended ctx, whatever
// holds it up: a disk, a reader of the log, a pipe that has no end, or a job that computes. The
// data are then as after a kill. say says so before, if it can. The caller calls ended, once or
// more often, when it has ended.
func endInTime(ctx context.Context, most time.Duration, exit func(status int),
	say func()) (ended func()) {
	done := make(chan struct{})
	go func() {
		select {
		case <-done:
			return
		case <-ctx.Done():
		}
		cause, ok := errors.AsType[cli.Signaled](context.Cause(ctx))
		if !ok {
			return
		}
		select {
		case <-done:
		case <-time.After(most):
			go say() // say may wait, too
			time.Sleep(time.Millisecond)
			exit(128 + int(cause.Signal))
		}
	}()
	return sync.OnceFunc(func() { close(done) })
}

// shutDown stops a server, and cuts off the connections that are in use after the grace.
func shutDown(server *emulator.Server, logger *slog.Logger) error {
	shutdown, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	if err := server.Shutdown(shutdown); !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	logger.Warn("connections that were still in use were cut off", slog.Duration("after", grace))
	return nil
}

// loadPolicy returns the policy, or nil.
func (s *serveSettings) loadPolicy(logger *slog.Logger) (*policy.Engine, error) {
	if s.policy == "" {
		return nil, nil
	}
	engine, err := policyfile.CompileFile(s.policy)
	if err != nil {
		return nil, fmt.Errorf("policy: %w", err)
	}
	if err := s.prove(); err != nil {
		return nil, err
	}
	if len(engine.AccessKeys()) > 1 && !s.shared && s.access.IAM == "" {
		logger.Warn(
			"the policy's access keys have tables each of their own; with --shared they have the same")
	}
	return engine, nil
}

// start starts a server of e, over TLS if the settings say so.
func (s *serveSettings) start(e *emulator.Emulator, logger *slog.Logger) (*emulator.Server, error) {
	addr := s.at.String()
	config, err := s.tls.config(s.at.Host, logger)
	var server *emulator.Server
	switch {
	case err != nil:
	case config != nil:
		server, err = e.StartTLS(addr, config)
	default:
		server, err = e.Start(addr)
	}
	return server, listen.InUse(err)
}
