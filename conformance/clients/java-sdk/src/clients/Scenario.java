package clients;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Objects;
import java.util.Timer;
import java.util.TimerTask;

/** Runs the steps of a client and prints what the client matrix reads. */
final class Scenario {
  /** Numbers at the edges of what DynamoDB holds. */
  static final List<String> EDGES = List.of(
      "12345678901234567890123456789012345678",
      "-0.12345678901234567890123456789012345678",
      "0",
      "-42",
      "1" + "0".repeat(125),
      "-0." + "0".repeat(129) + "1");

  static final String TOO_LONG = "1".repeat(39);
  static final String TOO_LONG_MESSAGE =
      "Attempting to store more than 38 significant digits in a Number";

  private static final int LIMIT_SECONDS = 55;
  private static final URI ADMIN = URI.create(System.getenv("MATRIX_SERVER")).resolve("/_kugiri/");
  private static final HttpClient http = HttpClient.newHttpClient();

  private Scenario() {}

  interface Step {
    void run() throws Exception;
  }

  static void begin(String version) {
    begin(version, LIMIT_SECONDS);
  }

  /** Prints the version of the client. The program ends when the steps take too long. */
  static void begin(String version, int limitSeconds) {
    System.out.println("version " + version);
    new Timer(true).schedule(new TimerTask() {
      @Override
      public void run() {
        System.out.println("the steps take too long");
        Runtime.getRuntime().halt(1);
      }
    }, limitSeconds * 1000L);
  }

  static void step(String name, Step step) {
    try {
      step.run();
      System.out.println("ok " + name);
    } catch (Exception | AssertionError e) { // the next steps run all the same
      System.out.println("failed " + name + ": " + e.toString().replace('\n', ' '));
      e.printStackTrace();
    }
  }

  /** Says why a client cannot express a step. */
  static void leftOut(String name, String reason) {
    System.out.println("left out " + name + ": " + reason);
  }

  static void equal(Object got, Object want) {
    if (!Objects.equals(got, want)) {
      throw new AssertionError("got " + got + ", want " + want);
    }
  }

  /** Returns the exception that a call throws, or the cause of that kind. */
  static <E extends Exception> E thrown(Class<E> kind, Step call) throws Exception {
    try {
      call.run();
    } catch (Exception e) {
      for (Throwable cause = e; cause != null; cause = cause.getCause()) {
        if (kind.isInstance(cause)) {
          return kind.cast(cause);
        }
      }
      throw e;
    }
    throw new AssertionError("the call does not throw " + kind.getSimpleName());
  }

  /** Runs calls while the server leaves parts of the first two batches of each kind unprocessed. */
  static void unprocessed(Step calls) throws Exception {
    var operations = List.of("BatchWriteItem", "BatchGetItem");
    for (String operation : operations) {
      admin("POST", "faults", """
          {"when": {"operation": "%s", "first": 2}, "do": {"unprocessed": 0.5}}
          """.formatted(operation));
    }
    calls.run();
    int hitTwice = admin("GET", "faults", "").split("\"hits\":2,", -1).length - 1;
    equal(hitTwice, operations.size());
    admin("DELETE", "faults", "");
  }

  /** Returns a client's version, from the name of its archive. */
  static String version(Class<?> client) {
    var archive = client.getProtectionDomain().getCodeSource().getLocation().getPath();
    return archive.replaceFirst(".*-", "").replaceFirst("\\.jar$", "");
  }

  /** Moves the clock of a server that holds it, such as by "20h". */
  static void advance(String by) throws Exception {
    admin("POST", "clock/advance", "{\"by\": \"" + by + "\"}");
  }

  private static String admin(String method, String path, String body) throws Exception {
    var request = HttpRequest.newBuilder(ADMIN.resolve(path))
        .header("Content-Type", "application/json")
        .method(method, BodyPublishers.ofString(body))
        .build();
    var response = http.send(request, BodyHandlers.ofString());
    if (response.statusCode() / 100 != 2) {
      throw new AssertionError(response.body());
    }
    return response.body();
  }
}
