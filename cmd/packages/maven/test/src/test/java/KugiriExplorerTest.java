import static org.junit.jupiter.api.Assertions.*;

import io.github.kugiridb.KugiriException;
import io.github.kugiridb.junit.ExplorationError;
import io.github.kugiridb.junit.ExploreOptions;
import io.github.kugiridb.junit.ExploreReport;
import io.github.kugiridb.junit.ExploreRun;
import io.github.kugiridb.junit.KugiriExplorer;
import io.github.kugiridb.junit.KugiriTest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;

/** Two workers take one from a number. */
@KugiriTest
class KugiriExplorerTest {
  static final Map<String, AttributeValue> KEY = Map.of("id", AttributeValue.fromS("n"));

  @BeforeEach
  void putNumber(DynamoDbClient db) {
    put(db, 10);
  }

  static void put(DynamoDbClient db, int n) {
    db.putItem(p -> p.tableName("orders").item(item(n)));
  }

  static Map<String, AttributeValue> item(int n) {
    return Map.of("id", KEY.get("id"), "left", AttributeValue.fromN("" + n));
  }

  static int read(DynamoDbClient db) {
    return Integer.parseInt(db.getItem(g -> g.tableName("orders").key(KEY)).item().get("left").n());
  }

  static void subtract(DynamoDbClient db) {
    put(db, read(db) - 1);
  }

  static void subtractGuarded(DynamoDbClient db) {
    int n = read(db);
    db.putItem(
        p ->
            p.tableName("orders")
                .item(item(n - 1))
                .conditionExpression("#l = :n")
                .expressionAttributeNames(Map.of("#l", "left"))
                .expressionAttributeValues(Map.of(":n", AttributeValue.fromN("" + n))));
  }

  static void add(DynamoDbClient db) {
    db.updateItem(
        u ->
            u.tableName("orders")
                .key(KEY)
                .updateExpression("ADD #l :d")
                .expressionAttributeNames(Map.of("#l", "left"))
                .expressionAttributeValues(Map.of(":d", AttributeValue.fromN("-1"))));
  }

  static Consumer<ExploreRun> both(ExploreRun.Work<DynamoDbClient> work) {
    return run -> {
      run.worker("alice", DynamoDbClient.class, work);
      run.worker("bob", DynamoDbClient.class, work);
    };
  }

  static Consumer<ExploreRun> checked(Consumer<ExploreRun> program, int left) {
    return program.andThen(run -> run.check(DynamoDbClient.class, db -> assertEquals(left, read(db))));
  }

  static ExploreReport.Failure failure(
      KugiriExplorer explorer, Consumer<ExploreRun> program, ExploreOptions options) {
    var error = assertThrows(ExplorationError.class, () -> explorer.explore(program, options));
    return error.report().failures().get(0);
  }

  static void contains(String text, String part) {
    assertTrue(text.contains(part), text);
  }

  @Test
  void findsLostUpdate(KugiriExplorer explorer) {
    var found = failure(explorer, both(KugiriExplorerTest::subtract), new ExploreOptions());
    assertEquals("lost update", found.kind());
    contains(found.page(), "the condition left = :read on this PutItem would have refused it");
    contains(
        found.page(),
        "KUGIRI_EXPLORE='alice,bob,bob,alice' mvn test -Dtest='KugiriExplorerTest#findsLostUpdate'");
    var again = new ExploreOptions().schedule(found.schedule());
    assertEquals(
        found.schedule(), failure(explorer, both(KugiriExplorerTest::subtract), again).schedule());
  }

  @Test
  void cachedReads(KugiriExplorer explorer) {
    Consumer<ExploreRun> program =
        run -> {
          run.worker(
              "reader",
              DynamoDbClient.class,
              db -> assertFalse(read(db) == 9 && read(db) == 10, "the number went back up"));
          run.worker("writer", DynamoDbClient.class, KugiriExplorerTest::add);
        };
    var options =
        new ExploreOptions().faults(1, "cached").cachedReads("reader").cacheLag(Duration.ofSeconds(1));
    var found = failure(explorer, program, options);
    contains(found.page(), "reads left: 10, which is old");
    contains(found.schedule(), ":cached1");
    var oneNode =
        new ExploreOptions().faults(1, "cached").cacheTtls(Duration.ofMinutes(1), Duration.ZERO);
    assertTrue(explorer.explore(program, oneNode).complete());
  }

  @Test
  void holds(KugiriExplorer explorer) {
    var options =
        new ExploreOptions().serializable().aborts(e -> e instanceof ConditionalCheckFailedException);
    var report = explorer.explore(both(KugiriExplorerTest::subtractGuarded), options);
    assertTrue(report.complete());
    contains(report.text(), "all orders were tried");
    assertTrue(report.runs() > 2 && report.orders().intValue() > 2);
  }

  @Test
  void checks(KugiriExplorer explorer) {
    var program = checked(both(KugiriExplorerTest::add), 8);
    assertEquals(2, explorer.explore(program).runs());
    var found = failure(explorer, program, new ExploreOptions().faults(1, "lost"));
    assertEquals("check", found.kind());
    contains(found.page(), "fault: lost");
  }

  @Test
  void restarts(KugiriExplorer explorer) {
    var restarts = new AtomicInteger();
    Consumer<ExploreRun> program =
        run -> run.worker("alice", DynamoDbClient.class, KugiriExplorerTest::add);
    Consumer<ExploreRun> restarting =
        run ->
            run.restart(
                "alice",
                DynamoDbClient.class,
                db -> {
                  restarts.incrementAndGet();
                  add(db);
                });
    var options = new ExploreOptions().faults(1, "dies-after");
    var found = failure(explorer, checked(program.andThen(restarting), 9), options);
    contains(found.page(), "fault: dies-after");
    assertTrue(restarts.get() > 0);
    explorer.explore(checked(program.andThen(run -> run.mayDie("alice")), 9), options);
  }

  @Test
  void consumes(KugiriExplorer explorer) {
    Map<String, ?> inserts =
        Map.of(
            "MaximumRetryAttempts",
            0,
            "FilterCriteria",
            Map.of("Filters", List.of(Map.of("Pattern", "{\"eventName\":[\"INSERT\"]}"))));
    Consumer<ExploreRun> program =
        run -> {
          run.worker(
              "shop",
              DynamoDbClient.class,
              db -> db.putItem(b -> b.tableName("orders").item(Map.of("id", AttributeValue.fromS("b")))));
          run.consumer(
              "invoices",
              "orders",
              inserts,
              DynamoDbClient.class,
              (event, db) -> {
                contains(event.toString(), "Keys={id={S=b}}");
                add(db);
                return null;
              });
        };
    contains(explorer.explore(checked(program, 9)).text(), "all orders were tried");
    var found =
        failure(explorer, checked(program, 9), new ExploreOptions().faults(1, "redelivered"));
    assertEquals("check", found.kind());
    contains(found.page(), "fault: redelivered");
  }

  @Test
  void comparesResults(KugiriExplorer explorer) {
    var found =
        failure(
            explorer,
            run -> {
              run.returning("reader", DynamoDbClient.class, db -> List.of(read(db), read(db)));
              run.worker("writer", DynamoDbClient.class, KugiriExplorerTest::add);
            },
            new ExploreOptions().serializable());
    contains(found.text(), "in no serial order reader returns");
    contains(found.text(), "[10, 9]");
  }

  @Test
  void tellsErrorsFromExceptions(KugiriExplorer explorer) {
    var found = failure(explorer, both(db -> assertEquals(11, read(db))), new ExploreOptions());
    assertEquals("worker", found.kind());
    Consumer<ExploreRun> refuses =
        both(
            db -> {
              read(db);
              throw new Exception("sold \"out\"\n\u0001");
            });
    assertTrue(explorer.explore(refuses).complete());
  }

  @Test
  void findsDeadlock(KugiriExplorer explorer) {
    var never = new CountDownLatch(1);
    var options = new ExploreOptions().patience(Duration.ofMillis(50));
    contains(failure(explorer, both(db -> never.await()), options).text(), "wait forever");
  }

  @Test
  void writesPages(KugiriExplorer explorer, @TempDir Path pages) throws Exception {
    var options = new ExploreOptions().pages(pages);
    var error =
        assertThrows(
            ExplorationError.class,
            () -> explorer.explore(both(KugiriExplorerTest::subtract), options));
    contains(error.getMessage(), "See it: ");
    try (var files = Files.list(pages)) {
      contains(Files.readString(files.findFirst().get()), "overwrites the change");
    }
  }

  @Test
  void namesMistakes(KugiriExplorer explorer) {
    var none = assertThrows(KugiriException.class, () -> explorer.explore(run -> {}));
    contains(none.getMessage(), "there are 1 to 64");
    var carol = new ExploreOptions().schedule("carol");
    var unknown =
        assertThrows(
            KugiriException.class, () -> explorer.explore(both(KugiriExplorerTest::add), carol));
    contains(unknown.getMessage(), "carol");
    assertThrows(
        IllegalArgumentException.class,
        () -> explorer.explore(run -> run.worker("alice", String.class, text -> {})));
    assertThrows(
        IllegalArgumentException.class, () -> explorer.explore(run -> run.mayDie("alice")));
  }
}
