package io.github.kugiridb.junit;

import static java.util.stream.Collectors.toUnmodifiableList;

import java.math.BigInteger;
import java.util.List;
import java.util.Map;

/** What an exploration has tried and found. */
public final class ExploreReport {
  private final Map<?, ?> answer;
  private final List<Failure> failures;

  ExploreReport(Map<?, ?> answer) {
    this.answer = answer;
    this.failures =
        ((List<?>) answer.get("failures"))
            .stream().map(f -> new Failure((Map<?, ?>) f)).collect(toUnmodifiableList());
  }

  /**
   * Says what was tried.
   *
   * @return a sentence
   */
  public String text() {
    return (String) answer.get("text");
  }

  /**
   * Reports whether all orders were tried, but for those that cannot differ from one that was.
   *
   * @return whether they were
   */
  public boolean complete() {
    return (Boolean) answer.get("complete");
  }

  /**
   * Returns how many orders were run, with faults and without.
   *
   * @return the number of runs
   */
  public long runs() {
    return (Long) answer.get("runs");
  }

  /**
   * Returns how many orders there are of as many requests, without faults.
   *
   * @return the number of orders
   */
  public BigInteger orders() {
    return new BigInteger((String) answer.get("orders"));
  }

  /**
   * Returns the runs that went wrong.
   *
   * @return the shortest one of each kind
   */
  public List<Failure> failures() {
    return failures;
  }

  /** Returns the report of a part for "kugiri explore merge", or null. */
  Map<?, ?> part() {
    return (Map<?, ?>) answer.get("part");
  }

  @Override
  public String toString() {
    return text();
  }

  /** A run that went wrong. */
  public static final class Failure {
    private final Map<?, ?> answer;

    Failure(Map<?, ?> answer) {
      this.answer = answer;
    }

    private String get(String member) {
      return (String) answer.get(member);
    }

    /**
     * Returns what kind of failure it is.
     *
     * @return check, lost update, not serializable, refused, deadlock, invariant, livelock or worker
     */
    public String kind() {
      return get("kind");
    }

    /**
     * Says what went wrong.
     *
     * @return some lines
     */
    public String text() {
      return get("text");
    }

    /**
     * Returns the schedule that runs it again.
     *
     * @return a value of KUGIRI_EXPLORE
     */
    public String schedule() {
      return get("schedule");
    }

    /**
     * Returns the failure as text: what went wrong, a table of the requests, and how to run it again.
     *
     * @return some lines
     */
    public String page() {
      return get("page");
    }

    /**
     * Returns the page as HTML that needs no other file.
     *
     * @return a document
     */
    public String html() {
      return get("html");
    }
  }
}
