export interface StartOptions {
  /** Files and directories of tables and items: what every access key begins with. */
  seed?: string | string[];
  /** More flags of `kugiri serve`. */
  flags?: string[];
  /** The binary to run, in place of that of the package for this platform. */
  binary?: string;
}

export interface ForkOptions {
  /** Whose requests those of the fork are, under a policy. */
  tenant?: string;
  /** A clock of its own: "held", or the time that it shows, such as "2026-01-02T03:04:05Z". */
  clock?: string;
}

/** Tables of their own, which requests that are signed with one access key see. */
export interface Account {
  readonly endpoint: string;
  readonly accessKey: string;
  /** Options for a client of the AWS SDK. */
  readonly clientOptions: {
    endpoint: string;
    region: string;
    credentials: { accessKeyId: string; secretAccessKey: string };
  };
  /** Variables with which a client of an AWS SDK, in any language, needs no options. */
  readonly env: Record<string, string>;
  /**
   * Makes an access key that begins with the tables and items of this one. Under a policy it is of the
   * tenant, or else of that of this one.
   */
  fork(options?: ForkOptions): Promise<Fork>;
  /** Sets `env` in this process, and removes AWS_PROFILE and AWS_SESSION_TOKEN, until `remove()` of a fork. */
  useInProcess(): void;
  /**
   * Sends a request to the admin API, of a fork to the part that is for this fork, and returns the
   * answer: `admin("POST", "clock/advance", { by: "25h" })`.
   */
  admin(method: string, path: string, body?: unknown): Promise<any>;
  /** Explores with forks of this access key: see the function `explore`. */
  explore: typeof explore;
}

/** How a consumer reads a stream: members of Lambda's CreateEventSourceMapping. */
export interface StreamMapping {
  BatchSize?: number;
  FilterCriteria?: { Filters?: { Pattern?: string }[] };
  ParallelizationFactor?: number;
  BisectBatchOnFunctionError?: boolean;
  MaximumRecordAgeInSeconds?: number;
  MaximumRetryAttempts?: number;
  FunctionResponseTypes?: "ReportBatchItemFailures"[];
}

/** Describes a run. */
export interface Run<Client> {
  /**
   * Adds a worker. Its promise is its end; what it resolves with, or throws, is its result, which is
   * no failure by itself, unless it is an AssertionError. With `restart` it may die at a request, and
   * then begins anew: with the same function (true), with another one, or not at all (null).
   */
  worker(
    name: string,
    work: (client: Client) => unknown,
    options?: { restart?: true | null | ((client: Client) => unknown) },
  ): void;
  /**
   * Adds a consumer: a worker whose function gets the records that a run adds to the stream of a table,
   * as a Lambda function with an event source mapping does. If it throws, or dies at a request, it gets
   * the batch again. What it resolves with is its response, for ReportBatchItemFailures.
   */
  consumer(name: string, table: string, handle: (event: any, client: Client) => unknown, mapping?: StreamMapping): void;
  /** Adds a check of what the workers have left behind. What it throws is a failure. */
  check(check: (client: Client) => unknown): void;
  /**
   * Adds what has to hold between requests: it is called before the first request of a run, and after each
   * one that changes something. Its client only reads. What it throws is a failure.
   */
  always(holds: (client: Client) => unknown): void;
}

export type Fault =
  | "lost"
  | "error"
  | "throttled"
  | "unprocessed"
  | "conflict"
  | "stale1"
  | "stale2"
  | "stale3"
  | "cached"
  | "dies-before"
  | "dies-after"
  | "later"
  | "later-kept"
  | "expired"
  | "redelivered";

export interface CachedReads {
  /** The names of workers. Without it, all. */
  workers?: string[];
  /** How long items live: "5m" without it; "0" is for good. */
  itemTTL?: string;
  /** How long answers of Query and Scan live: "5m" without it; "0" is not at all. */
  queryTTL?: string;
  /** After which time nodes hear of each other: "1s". Without it there is one node. */
  lag?: string;
}

export interface ExploreOptions<Client> {
  /** Makes the client of a worker, or of the checks. Without it they get the options. */
  client?: (options: Account["clientOptions"]) => Client | Promise<Client>;
  /** How many requests of a run may be hit by faults. */
  faults?: number;
  /** The faults. Without it, all. */
  kinds?: Fault[];
  /** By how much the faults "later" and "later-kept" move the clock of the service: "90s". */
  clockMoves?: string;
  /**
   * Workers that read and write through an accelerator (DAX): the answers of its cache may be old, which
   * is the fault "cached".
   */
  cachedReads?: CachedReads;
  /** Each run has to end as some serial order of the workers. */
  serializable?: boolean;
  /** Attributes that `serializable` leaves out. */
  ignore?: string[];
  /** What matters of the result of a worker. Without it, that is its value as JSON. */
  project?: (result: { worker: string; value: any; error: any }) => unknown;
  /** Whether an error of a worker says that it has done nothing. */
  aborts?: (error: any) => boolean;
  /** How many runs there may be: 10,000 without it. */
  budget?: number;
  /** In which time runs begin: "30s". Without it, at any time. */
  within?: string;
  /** Lost updates that are no failures, by table, and why. The report counts them. */
  allow?: { kind: "lost update"; table: string; reason: string }[];
  /** How many requests a run may have: 200 without it. */
  longest?: number;
  /** The seed of random orders. */
  seed?: number;
  /** A schedule to run in place of a search, as $KUGIRI_EXPLORE has it. */
  schedule?: string;
  /** Go on after a failure, up to all distinct ones. */
  all?: boolean;
  /** How long a worker may neither send a request nor end: "10s" without it. */
  patience?: string;
  /** The directory for failures as pages of HTML, as $KUGIRI_EXPLORE_PAGES has it. */
  pages?: string;
  /** The name of the test, and the command that runs it, for reports. */
  name?: string;
  command?: string;
}

export interface Failure {
  kind: "check" | "lost update" | "not serializable" | "refused" | "deadlock" | "invariant" | "livelock" | "worker";
  text: string;
  schedule: string;
  requests: number;
  switches: number;
  faults: number;
  page: string;
  html: string;
}

export interface Report {
  /** What was tried, in a sentence. */
  text: string;
  complete: boolean;
  runs: number;
  orders: string;
  faults: number;
  faultsLeft: number;
  pairs: number;
  bothOrders: number;
  cut: number;
  astray: number;
  replayed: boolean;
  failures: Failure[];
}

/** What `explore` throws if it finds a failure. */
export class ExplorationError extends Error {
  readonly report: Report;
}

/**
 * Runs the workers of a program in every order of their requests, each time on a fork of what the
 * access key that this process uses sees, and with the faults that the options allow. `program` is
 * called for each run.
 */
export function explore<Client = Account["clientOptions"]>(
  program: (run: Run<Client>) => unknown,
  options?: ExploreOptions<Client>,
): Promise<Report>;

export interface Fork extends Account {
  /** Removes the fork with all that it has. A process that uses it goes back to what it used before. */
  remove(): Promise<void>;
}

export interface Server extends Account {
  /** Stops the server, and waits until it has ended. */
  stop(): Promise<void>;
}

/** Starts a server on a free port. It ends with `stop()`, or with this process. */
export function startKugiri(options?: StartOptions): Promise<Server>;

/**
 * Makes a fork of the access key that this process uses, and uses it until its `remove()`: in `beforeEach`
 * for each test. Clients that are made from then on see it.
 */
export function useFork(options?: ForkOptions): Promise<Fork>;

/**
 * The path of the binary: that of $KUGIRI_BINARY, or of the package for this machine, or on the PATH, or
 * what Go builds of the clone that this package is part of.
 */
export function binaryPath(): string;
