package io.github.kugiridb.junit;

import static java.util.stream.Collectors.toList;

import io.github.kugiridb.KugiriAdmin;
import io.github.kugiridb.KugiriException;
import io.github.kugiridb.KugiriFork;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** An exploration of a server. The threads of workers tell it how these end. */
final class Exploration implements AutoCloseable {
  /** How many characters the error and the result of a worker have in reports. */
  private static final int LONGEST = 4000;

  private final KugiriAdmin admin;
  private final Consumer<ExploreRun> program;
  private final ExploreOptions options;
  private final String path;
  private final Map<String, Clients> clients = new HashMap<>();
  private ExploreRun run;
  private boolean fresh = true; // the run was described, and is not yet started
  private volatile RuntimeException broken;

  Exploration(
      KugiriFork fork,
      Consumer<ExploreRun> program,
      ExploreOptions options,
      String name,
      String command) {
    this.admin = fork.server();
    this.program = program;
    this.options = options;
    run = define();
    Map<String, Object> body = new LinkedHashMap<>(options.settings);
    body.put("name", name);
    body.put("command", command);
    body.put("from", fork.accessKey());
    body.put("checks", !run.checks.isEmpty());
    body.put("always", !run.always.isEmpty());
    body.put(
        "workers",
        run.workers.entrySet().stream()
            .map(e -> described(e.getKey(), e.getValue()))
            .collect(toList()));
    path = "explorations/" + send("explorations", body).get("id");
  }

  private static Map<String, Object> described(String name, ExploreRun.Worker worker) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("name", name);
    if (worker.call != null) {
      out.put("consumes", worker.consumes);
      out.put("mapping", worker.mapping);
    } else {
      out.put("mortal", worker.mortal);
      out.put("restarts", worker.restart != null);
    }
    return out;
  }

  private ExploreRun define() {
    ExploreRun described = new ExploreRun();
    program.accept(described);
    return described;
  }

  private Map<?, ?> send(String to, Map<String, ?> body) {
    return (Map<?, ?>) Json.read(admin.request("POST", to, Json.write(body)));
  }

  /** Does what the server says is next, and returns the report. */
  ExploreReport loop() {
    while (true) {
      Map<?, ?> step = next();
      switch ((String) step.get("do")) {
        case "run":
          start(step);
          break;
        case "handle":
          ExploreRun current = run;
          begin(
              "kugiri-consumer-" + step.get("delivery"),
              () -> handle(current, step));
          break;
        case "check":
          check(run.checks, step);
          break;
        case "always":
          check(run.always, step);
          break;
        case "report":
          return new ExploreReport((Map<?, ?>) step.get("report"));
        default: // wait: ask again
      }
    }
  }

  private Map<?, ?> next() {
    try {
      return send(path + "/next", Map.of());
    } catch (KugiriException e) {
      throw broken != null ? broken : e;
    }
  }

  private void start(Map<?, ?> step) {
    if (!fresh) {
      run = define();
    }
    fresh = false;
    ExploreRun current = run;
    for (Object seat : (List<?>) step.get("workers")) {
      String name = (String) ((Map<?, ?>) seat).get("name");
      String key = (String) ((Map<?, ?>) seat).get("accessKey");
      begin("kugiri-worker-" + name, () -> work(current, step.get("run"), name, key));
    }
  }

  private static void begin(String name, Runnable what) {
    Thread thread = new Thread(what, name);
    thread.setDaemon(true);
    thread.start();
  }

  /** Has a consumer handle a batch of records. */
  @SuppressWarnings("unchecked") // the keys of JSON objects are strings
  private void handle(ExploreRun current, Map<?, ?> step) {
    try {
      Map<?, ?> seat = (Map<?, ?>) ((List<?>) step.get("workers")).get(0);
      ExploreRun.Worker worker = current.workers.get((String) seat.get("name"));
      if (worker == null || worker.call == null) {
        throw new IllegalStateException(
            "the first run has a consumer " + seat.get("name") + ", and a later one has not");
      }
      Map<String, Object> end = new LinkedHashMap<>();
      end.put("run", step.get("run"));
      end.put("worker", seat.get("name"));
      end.put("delivery", step.get("delivery"));
      try {
        Map<String, ?> response =
            worker.call.handle(
                (Map<String, ?>) step.get("event"), clients((String) seat.get("accessKey")));
        if (response != null) {
          end.put("response", Json.write(response));
        }
      } catch (Throwable e) { // that of an assertion, too
        end.put("error", cut(textOf(e)));
        end.put("broken", e instanceof Error);
      }
      send(path + "/ended", end);
    } catch (KugiriException e) {
      return; // the run is over, or the server is gone
    } catch (RuntimeException e) {
      broken = e;
      delete();
    }
  }

  /** Runs a worker, and again for as long as it dies. */
  private void work(ExploreRun current, Object number, String name, String key) {
    try {
      ExploreRun.Worker worker = current.workers.get(name);
      if (worker == null) {
        throw new IllegalStateException("the first run has a worker " + name + ", and a later one has not");
      }
      boolean again = true;
      for (ExploreRun.Job<?> job = worker.job; again; job = worker.restart) {
        Map<String, Object> end = endOf(job, clients(key));
        end.put("run", number);
        end.put("worker", name);
        again = (Boolean) send(path + "/ended", end).get("again");
      }
    } catch (KugiriException e) {
      return; // the run is over, and has left the worker behind, or the server is gone
    } catch (RuntimeException e) {
      broken = e;
      delete();
    }
  }

  /** Runs a worker to its end, and describes that. */
  private Map<String, Object> endOf(ExploreRun.Job<?> job, Clients of) {
    Map<String, Object> end = new LinkedHashMap<>();
    try {
      Object value = job.run(of);
      if (value != null) {
        end.put("values", List.of(cut(value.toString())));
      }
    } catch (Throwable e) { // that of an assertion, too
      end.put("error", cut(textOf(e)));
      end.put("aborted", options.aborts.test(e));
      end.put("broken", e instanceof Error);
    }
    return end;
  }

  private void check(List<ExploreRun.Job<?>> checks, Map<?, ?> step) {
    Map<String, Object> found = new LinkedHashMap<>();
    found.put("run", step.get("run"));
    for (ExploreRun.Job<?> job : checks) {
      try {
        job.run(clients((String) step.get("accessKey")));
      } catch (Throwable e) { // that of an assertion, too
        found.put("error", cut(textOf(e)));
        break;
      }
    }
    send(path + "/checked", found);
  }

  /** Returns the clients of an access key, which are made once. */
  private synchronized Clients clients(String key) {
    return clients.computeIfAbsent(key, k -> new Clients(admin.endpoint(), k));
  }

  private static String textOf(Throwable e) {
    return e.getClass().getSimpleName() + ": " + e.getMessage();
  }

  private static String cut(String text) {
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
  }

  private void delete() {
    try {
      admin.request("DELETE", path, "");
    } catch (KugiriException e) {
      return; // it is gone, or the server is
    }
  }

  @Override
  public synchronized void close() {
    delete();
    clients.values().forEach(Clients::close);
  }
}
