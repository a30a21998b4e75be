package io.github.kugiridb.junit;

/** An exploration has found a failure. */
public final class ExplorationError extends AssertionError {
  private static final long serialVersionUID = 1;

  private final transient ExploreReport report;

  ExplorationError(ExploreReport report, String pages) {
    super(pages);
    this.report = report;
  }

  /**
   * Returns what was tried and found.
   *
   * @return the report
   */
  public ExploreReport report() {
    return report;
  }
}
