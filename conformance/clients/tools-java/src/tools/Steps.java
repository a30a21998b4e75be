package tools;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Runs the steps of a tool and prints what the client matrix reads. */
final class Steps {
  static final DynamoDbClient db = DynamoDbClient.create();

  private static final URI ADMIN = URI.create(System.getenv("MATRIX_SERVER")).resolve("/_kugiri/");

  private Steps() {}

  interface Step {
    void run() throws Exception;
  }

  /** Prints the version of a tool, from the name of its archive. */
  static void begin(Class<?> tool) {
    var archive = tool.getProtectionDomain().getCodeSource().getLocation().getPath();
    System.out.println("version " + archive.replaceFirst(".*-", "").replaceFirst("\\.jar$", ""));
  }

  static void step(String name, Step step) {
    try {
      step.run();
      System.out.println("ok " + name);
    } catch (Throwable e) { // the next steps run all the same
      System.out.println("failed " + name + ": " + e.toString().replace('\n', ' '));
      e.printStackTrace();
    }
  }

  /** Says why a tool cannot do a step. */
  static void leftOut(String name, String reason) {
    System.out.println("left out " + name + ": " + reason);
  }

  static void equal(Object got, Object want) {
    if (!Objects.equals(got, want)) {
      throw new AssertionError("got " + got + ", want " + want);
    }
  }

  /** Returns the exception that a call throws, or the cause of that kind. */
  static <E extends Throwable> E thrown(Class<E> kind, Step call) throws Exception {
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

  /** Waits until a condition holds. */
  static void until(Callable<Boolean> holds) throws Exception {
    for (int i = 0; i < 400; i++) {
      if (holds.call()) {
        return;
      }
      Thread.sleep(50);
    }
    throw new AssertionError("it does not happen in 20 seconds");
  }

  /** Moves the clock of the server, such as by "25h". */
  static void advance(String by) throws Exception {
    var request = HttpRequest.newBuilder(ADMIN.resolve("clock/advance"))
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString("{\"by\": \"" + by + "\"}"))
        .build();
    var response = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    equal(response.statusCode() / 100, 2);
  }

  /** Returns all items of a table. */
  static List<Map<String, AttributeValue>> items(String table) {
    return db.scanPaginator(scan -> scan.tableName(table).consistentRead(true)).items().stream()
        .toList();
  }
}
