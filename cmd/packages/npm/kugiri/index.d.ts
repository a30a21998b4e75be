export interface StartOptions {
  /** Files and directories of tables and items: what every access key begins with. */
  seed?: string | string[];
  /** More flags of `kugiri serve`. */
  flags?: string[];
  /** The binary to run, in place of that of the package for this platform. */
  binary?: string;
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
  /** Makes an access key that begins with the tables and items of this one. */
  fork(): Promise<Fork>;
  /** Sets `env` in this process, and removes AWS_PROFILE and AWS_SESSION_TOKEN. */
  useInProcess(): void;
  /**
   * Sends a request to the admin API, of a fork to the part that is for this fork, and returns the
   * answer: `admin("POST", "clock/advance", { by: "25h" })`.
   */
  admin(method: string, path: string, body?: unknown): Promise<any>;
}

export interface Fork extends Account {
  /** Removes the fork with all that it has. */
  remove(): Promise<void>;
}

export interface Server extends Account {
  /** Stops the server, and waits until it has ended. */
  stop(): Promise<void>;
}

/** Starts a server on a free port. It ends with `stop()`, or with this process. */
export function startKugiri(options?: StartOptions): Promise<Server>;

/** Makes a fork of the access key that this process uses, and uses it. */
export function useFork(): Promise<Fork>;

/** The path of the binary: that of $KUGIRI_BINARY, or of the package for this machine. */
export function binaryPath(): string;
