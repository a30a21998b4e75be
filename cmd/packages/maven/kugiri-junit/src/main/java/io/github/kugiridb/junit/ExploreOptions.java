package io.github.kugiridb.junit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** What an exploration tries, and what is a failure. */
public final class ExploreOptions {
  final Map<String, Object> settings = new LinkedHashMap<>();
  private final Map<String, Object> cachedReads = new LinkedHashMap<>();
  Predicate<Throwable> aborts = error -> false;
  private final List<Map<String, String>> allowed = new ArrayList<>();
  private final String reports = System.getenv("KUGIRI_EXPLORE_REPORT");
  private String pages = System.getenv("KUGIRI_EXPLORE_PAGES");

  /** Makes options: no faults, and 10,000 runs at most. */
  public ExploreOptions() {
    String schedule = System.getenv("KUGIRI_EXPLORE");
    if (schedule != null && !schedule.isEmpty()) {
      schedule(schedule);
    }
    String part = System.getenv("KUGIRI_EXPLORE_PART");
    if (part != null && !part.isEmpty()) {
      set("part", part);
    } else if (reports != null && !reports.isEmpty() && !settings.containsKey("schedule")) {
      set("part", "1/1");
    }
  }

  private ExploreOptions set(String name, Object value) {
    settings.put(name, value);
    return this;
  }

  /**
   * Tries every way in which faults hit some requests of a run.
   *
   * @param most how many requests of a run
   * @param kinds lost, error, throttled, unprocessed, conflict, stale1, stale2, stale3, cached,
   *     dies-before, dies-after, later, later-kept, expired, redelivered; without any, all
   * @return these options
   */
  public ExploreOptions faults(int most, String... kinds) {
    return set("faults", most).set("kinds", List.of(kinds));
  }

  /**
   * Says by how much the faults later and later-kept move the clock of the service.
   *
   * @param by past a lease, for example
   * @return these options
   */
  public ExploreOptions clockMoves(Duration by) {
    return set("clockMoves", by.toMillis() + "ms");
  }

  /**
   * Has workers read and write through an accelerator (DAX) with one node, whose entries live for five
   * minutes. The answers of its cache may be old, which is the fault cached.
   *
   * @param workers their names; without any, all
   * @return these options
   */
  public ExploreOptions cachedReads(String... workers) {
    return cached("workers", List.of(workers));
  }

  /**
   * Says how long the entries of the cache live.
   *
   * @param items how long items live; zero is for good
   * @param queries how long answers of Query and Scan live; zero is not at all
   * @return these options
   */
  public ExploreOptions cacheTtls(Duration items, Duration queries) {
    return cached("itemTTL", items.toMillis() + "ms").cached("queryTTL", queries.toMillis() + "ms");
  }

  /**
   * Has the accelerator have several nodes.
   *
   * @param lag after which time they hear of each other
   * @return these options
   */
  public ExploreOptions cacheLag(Duration lag) {
    return cached("lag", lag.toMillis() + "ms");
  }

  private ExploreOptions cached(String name, Object value) {
    cachedReads.put(name, value);
    return set("cachedReads", cachedReads);
  }

  /**
   * Has each run end as some serial order of the workers.
   *
   * @param ignored attributes that are left out
   * @return these options
   */
  public ExploreOptions serializable(String... ignored) {
    return set("serializable", true).set("ignore", List.of(ignored));
  }

  /**
   * Tells which exceptions of workers say that the worker has done nothing.
   *
   * @param aborts whether an exception says so
   * @return these options
   */
  public ExploreOptions aborts(Predicate<Throwable> aborts) {
    this.aborts = aborts;
    return this;
  }

  /**
   * Bounds the runs.
   *
   * @param runs how many there may be
   * @return these options
   */
  public ExploreOptions budget(int runs) {
    return set("budget", runs);
  }

  /**
   * Bounds the time of the search.
   *
   * @param time in which runs begin
   * @return these options
   */
  public ExploreOptions within(Duration time) {
    return set("within", time.toMillis() + "ms");
  }

  /**
   * Says that lost updates of a table are no failures. The report counts them.
   *
   * @param table whose lost updates they are
   * @param reason why they are no failures
   * @return these options
   */
  public ExploreOptions allowLostUpdates(String table, String reason) {
    allowed.add(Map.of("kind", "lost update", "table", table, "reason", reason));
    return set("allow", allowed);
  }

  /**
   * Bounds the requests of a run.
   *
   * @param requests how many a run may have: 200 without it
   * @return these options
   */
  public ExploreOptions longest(int requests) {
    return set("longest", requests);
  }

  /**
   * Chooses the random orders, which are taken if there are too many.
   *
   * @param seed of the random orders
   * @return these options
   */
  public ExploreOptions seed(int seed) {
    return set("seed", seed);
  }

  /**
   * Runs one schedule in place of a search, as the variable KUGIRI_EXPLORE does.
   *
   * @param schedule of a failure
   * @return these options
   */
  public ExploreOptions schedule(String schedule) {
    return set("schedule", schedule);
  }

  /**
   * Goes on after a failure, up to all distinct ones.
   *
   * @return these options
   */
  public ExploreOptions all() {
    return set("all", true);
  }

  /**
   * Says how long a worker may neither send a request nor end.
   *
   * @param patience at most a minute; 10 seconds without it
   * @return these options
   */
  public ExploreOptions patience(Duration patience) {
    return set("patience", patience.toMillis() + "ms");
  }

  /**
   * Writes failures as pages of HTML, as the variable KUGIRI_EXPLORE_PAGES does.
   *
   * @param directory of the pages
   * @return these options
   */
  public ExploreOptions pages(Path directory) {
    pages = directory.toString();
    return this;
  }

  /** Adds the report of a part to the file of KUGIRI_EXPLORE_REPORT, if there is one. */
  void writePart(Map<?, ?> part) {
    if (reports == null || reports.isEmpty() || part == null) {
      return;
    }
    try {
      Files.writeString(
          Path.of(reports),
          Json.write(part) + "\n",
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes the failures as pages of HTML, if there is a directory for them, and returns their texts. */
  String writePages(ExploreReport report, String name) {
    StringBuilder text = new StringBuilder();
    String base = name.replaceAll("[^A-Za-z0-9._-]", "-");
    for (ExploreReport.Failure failure : report.failures()) {
      text.append(text.length() > 0 ? "\n\n" : "").append(failure.page());
      if (pages != null && !pages.isEmpty()) {
        Path file = Path.of(pages, base + "-" + (report.failures().indexOf(failure) + 1) + ".html");
        try {
          Files.createDirectories(file.getParent());
          Files.writeString(file, failure.html());
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
        text.append("\nSee it: ").append(file);
      }
    }
    return text.toString();
  }
}
