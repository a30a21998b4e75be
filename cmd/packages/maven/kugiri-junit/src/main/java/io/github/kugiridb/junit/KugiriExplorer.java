package io.github.kugiridb.junit;

import io.github.kugiridb.KugiriFork;
import java.util.function.Consumer;

/**
 * Explores the orders of concurrent requests: a parameter of tests of {@link KugiriTest}.
 *
 * <pre>{@code
 * explorer.explore(run -> {
 *   run.worker("alice", DynamoDbClient.class, db -> close(db, "alice"));
 *   run.worker("bob", DynamoDbClient.class, db -> close(db, "bob"));
 * }, new ExploreOptions().faults(1));
 * }</pre>
 */
public final class KugiriExplorer {
  private final KugiriFork fork;
  private final String name;
  private final String command;

  KugiriExplorer(KugiriFork fork, String name, String command) {
    this.fork = fork;
    this.name = name;
    this.command = command;
  }

  /**
   * Runs the workers of a program in every order of their requests, each time on a fork of the
   * test's fork, and with the faults that the options allow.
   *
   * @param program describes a run: it is called for each run, so what it makes belongs to one run
   * @param options what to try, and what is a failure
   * @return what was tried
   * @throws ExplorationError if a run goes wrong; its message shows the shortest such run
   */
  public ExploreReport explore(Consumer<ExploreRun> program, ExploreOptions options) {
    try (Exploration exploration = new Exploration(fork, program, options, name, command)) {
      ExploreReport report = exploration.loop();
      options.writePart(report.part());
      if (!report.failures().isEmpty()) {
        throw new ExplorationError(report, options.writePages(report, name));
      }
      return report;
    }
  }

  /**
   * Runs the workers of a program in every order of their requests, without faults.
   *
   * @param program describes a run
   * @return what was tried
   * @throws ExplorationError if a run goes wrong
   */
  public ExploreReport explore(Consumer<ExploreRun> program) {
    return explore(program, new ExploreOptions());
  }
}
