package io.github.kugiridb.junit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A run of an exploration: a program adds its workers and checks. */
public final class ExploreRun {
  final Map<String, Worker> workers = new LinkedHashMap<>();
  final List<Job<?>> checks = new ArrayList<>();
  final List<Job<?>> always = new ArrayList<>();

  ExploreRun() {}

  /**
   * What a worker or a check does.
   *
   * @param <C> the type of its client
   */
  @FunctionalInterface
  public interface Work<C> {
    /**
     * Does it.
     *
     * @param client of the worker; it belongs to all runs
     * @throws Exception is the result of a worker, and the failure of a check
     */
    void run(C client) throws Exception;
  }

  /**
   * What a worker does that returns something.
   *
   * @param <C> the type of its client
   */
  @FunctionalInterface
  public interface Answer<C> {
    /**
     * Does it.
     *
     * @param client of the worker; it belongs to all runs
     * @return the result of the worker, whose text counts
     * @throws Exception is the result of the worker
     */
    Object run(C client) throws Exception;
  }

  /**
   * What a consumer does with the records of a stream.
   *
   * @param <C> the type of its client
   */
  @FunctionalInterface
  public interface Handler<C> {
    /**
     * Handles a batch.
     *
     * @param event the records, as Lambda passes them: {@code {"Records": [...]}}. Objects are maps,
     *     arrays are lists
     * @param client of the consumer
     * @return the response, such as {@code {"batchItemFailures": [...]}}, or null for none
     * @throws Exception if it has not handled the batch, which then comes again
     */
    Map<String, ?> handle(Map<String, ?> event, C client) throws Exception;
  }

  /** A function with the type of its client. */
  static final class Job<C> {
    private final Class<C> type;
    private final Answer<C> work;

    Job(Class<C> type, Answer<C> work) {
      this.type = supported(type);
      this.work = work;
    }

    Object run(Clients clients) throws Exception {
      return work.run(clients.get(type));
    }
  }

  /** The handler of a consumer with the type of its client. */
  static final class Call<C> {
    private final Class<C> type;
    private final Handler<C> handler;

    Call(Class<C> type, Handler<C> handler) {
      this.type = supported(type);
      this.handler = handler;
    }

    Map<String, ?> handle(Map<String, ?> event, Clients clients) throws Exception {
      return handler.handle(event, clients.get(type));
    }
  }

  private static <C> Class<C> supported(Class<C> type) {
    if (!Clients.supports(type.getName())) {
      throw new IllegalArgumentException("there are no clients of " + type);
    }
    return type;
  }

  static final class Worker {
    final Job<?> job;
    boolean mortal;
    Job<?> restart;
    Call<?> call; // of a consumer
    String consumes;
    Map<String, ?> mapping;

    Worker(Job<?> job) {
      this.job = job;
    }
  }

  /**
   * Adds a worker, which runs in a thread of its own. The exception that it throws is its result, and
   * no failure by itself. An {@link Error}, as of an assertion, is a failure.
   *
   * @param name of the worker, which is the same in each run
   * @param client the type of its client, one of those that tests may have as parameters
   * @param work what it does
   * @param <C> the type of its client
   */
  public <C> void worker(String name, Class<C> client, Work<C> work) {
    returning(name, client, without(work));
  }

  /**
   * Adds a worker that returns something: see {@link #worker}.
   *
   * @param name of the worker
   * @param client the type of its client
   * @param work what it does
   * @param <C> the type of its client
   */
  public <C> void returning(String name, Class<C> client, Answer<C> work) {
    add(name, new Worker(new Job<>(client, work)));
  }

  private void add(String name, Worker worker) {
    if (workers.putIfAbsent(name, worker) != null) {
      throw new IllegalArgumentException("there are two workers " + name);
    }
  }

  /**
   * Adds a consumer: a worker whose handler gets the records that a run adds to the stream of a table,
   * as a Lambda function with an event source mapping does. If it throws, or dies at a request, it
   * gets the batch again.
   *
   * @param name of the consumer
   * @param table whose stream it reads
   * @param mapping members of Lambda's CreateEventSourceMapping, such as {@code BatchSize}
   * @param client the type of its client
   * @param handler what it does
   * @param <C> the type of its client
   */
  public <C> void consumer(
      String name, String table, Map<String, ?> mapping, Class<C> client, Handler<C> handler) {
    Worker worker = new Worker(null);
    worker.call = new Call<>(client, handler);
    worker.consumes = table;
    worker.mapping = mapping;
    add(name, worker);
  }

  /**
   * Says that a worker may die at a request, and what it does when it begins anew.
   *
   * @param name of a worker
   * @param client the type of its client
   * @param work what it does then
   * @param <C> the type of its client
   */
  public <C> void restart(String name, Class<C> client, Work<C> work) {
    mayDie(name);
    workers.get(name).restart = new Job<>(client, without(work));
  }

  /**
   * Says that a worker may die at a request, and does not begin anew.
   *
   * @param name of a worker
   */
  public void mayDie(String name) {
    if (!workers.containsKey(name)) {
      throw new IllegalArgumentException("there is no worker " + name);
    }
    if (workers.get(name).call != null) {
      throw new IllegalArgumentException(name + " is a consumer: if it dies, its batch comes again");
    }
    workers.get(name).mortal = true;
  }

  /**
   * Adds a check of what the workers have left behind. What it throws is a failure.
   *
   * @param client the type of its client
   * @param check what it does
   * @param <C> the type of its client
   */
  public <C> void check(Class<C> client, Work<C> check) {
    checks.add(new Job<>(client, without(check)));
  }

  /**
   * Adds what has to hold between requests: it is called before the first request of a run, and after
   * each one that changes something. Its client only reads. What it throws is a failure.
   *
   * @param client the type of its client
   * @param holds looks whether it holds
   * @param <C> the type of its client
   */
  public <C> void always(Class<C> client, Work<C> holds) {
    always.add(new Job<>(client, without(holds)));
  }

  private static <C> Answer<C> without(Work<C> work) {
    return client -> {
      work.run(client);
      return null;
    };
  }
}
