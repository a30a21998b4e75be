package tools;

import static tools.Steps.*;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.lambda.powertools.idempotency.Idempotency;
import software.amazon.lambda.powertools.idempotency.IdempotencyConfig;
import software.amazon.lambda.powertools.idempotency.Idempotent;
import software.amazon.lambda.powertools.idempotency.exceptions.IdempotencyAlreadyInProgressException;
import software.amazon.lambda.powertools.idempotency.exceptions.IdempotencyInconsistentStateException;
import software.amazon.lambda.powertools.idempotency.exceptions.IdempotencyValidationException;
import software.amazon.lambda.powertools.idempotency.persistence.DynamoDBPersistenceStore;

/** Powertools for AWS Lambda: a function that charges once for each order. */
public final class Powertools {
  static final String TABLE = "idempotency";
  static final List<String> charged = new CopyOnWriteArrayList<>();

  private Powertools() {}

  /** The function. Its work is what a test has it do before it charges. */
  public static final class Charge implements RequestHandler<Map<String, String>, Integer> {
    final Consumer<Map<String, String>> work;

    Charge(Consumer<Map<String, String>> work) {
      this.work = work;
    }

    @Override
    @Idempotent
    public Integer handleRequest(Map<String, String> event, Context context) {
      work.accept(event);
      charged.add(event.get("order"));
      return charged.size();
    }
  }

  static Context context(int left) {
    return (Context) Proxy.newProxyInstance(Context.class.getClassLoader(),
        new Class<?>[] {Context.class},
        (proxy, method, args) ->
            method.getName().equals("getRemainingTimeInMillis") ? left : null);
  }

  static IdempotencyConfig.Builder config() {
    return IdempotencyConfig.builder().withEventKeyJMESPath("order");
  }

  static void configure(IdempotencyConfig.Builder config) {
    Idempotency.config()
        .withPersistenceStore(DynamoDBPersistenceStore.builder()
            .withTableName(TABLE).withDynamoDbClient(db).build())
        .withConfig(config.build())
        .configure();
  }

  static Integer invoke(Map<String, String> event, Consumer<Map<String, String>> work, int left) {
    return new Charge(work).handleRequest(event, context(left));
  }

  static Integer invoke(String order) {
    return invoke(Map.of("order", order), event -> {}, 60_000);
  }

  static long count(String order) {
    return charged.stream().filter(order::equals).count();
  }

  static void once() {
    configure(config());
    equal(invoke("once"), 1);
    equal(invoke("once"), 1);
    equal(invoke("another"), 2);
    equal(charged, List.of("once", "another"));
  }

  /** The event comes again while the function works. */
  static void inProgress() {
    invoke(Map.of("order", "busy"), event -> {
      try {
        thrown(IdempotencyAlreadyInProgressException.class, () -> invoke("busy"));
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }, 60_000);
    invoke("busy");
    equal(count("busy"), 1L);
  }

  /** Starts the function in a thread that never gets to its end. */
  static void dies(String order, int left) throws Exception {
    var works = new CountDownLatch(1);
    var thread = new Thread(() -> invoke(Map.of("order", order), event -> {
      works.countDown();
      LockSupport.park();
    }, left));
    thread.setDaemon(true);
    thread.start();
    works.await();
  }

  /**
   * A function dies: its record holds. It holds when the function's time is over, too, since this
   * version compares milliseconds with seconds.
   */
  static void lostTime() throws Exception {
    dies("slow", 60_000);
    thrown(IdempotencyAlreadyInProgressException.class, () -> invoke("slow"));
    equal(count("slow"), 0L);
    dies("late", -1000);
    thrown(IdempotencyInconsistentStateException.class, () -> invoke("late"));
    equal(count("late"), 0L);
  }

  static void payload() throws Exception {
    configure(config().withPayloadValidationJMESPath("amount"));
    invoke(Map.of("order", "paid", "amount", "5"), event -> {}, 60_000);
    invoke(Map.of("order", "paid", "amount", "5"), event -> {}, 60_000);
    thrown(IdempotencyValidationException.class,
        () -> invoke(Map.of("order", "paid", "amount", "6"), event -> {}, 60_000));
    equal(count("paid"), 1L);
    configure(config());
  }

  /** An order that failed is charged when it comes again. */
  static void failure() throws Exception {
    thrown(IllegalStateException.class, () -> invoke(Map.of("order", "failed"), event -> {
      throw new IllegalStateException("no card");
    }, 60_000));
    invoke("failed");
    equal(count("failed"), 1L);
  }

  static void expiry() throws Exception {
    configure(config().withExpiration(Duration.ofHours(1)));
    invoke("old");
    advance("30m");
    invoke("old");
    equal(count("old"), 1L);
    advance("96h");
    equal(items(TABLE), List.of());
    invoke("old");
    equal(count("old"), 2L);
  }

  public static void main(String[] args) {
    db.createTable(table -> table.tableName(TABLE)
        .keySchema(k -> k.attributeName("id").keyType(KeyType.HASH))
        .attributeDefinitions(a -> a.attributeName("id").attributeType(ScalarAttributeType.S))
        .billingMode("PAY_PER_REQUEST"));
    db.updateTimeToLive(ttl -> ttl.tableName(TABLE)
        .timeToLiveSpecification(s -> s.enabled(true).attributeName("expiration")));
    begin(Idempotency.class);
    step("once", Powertools::once);
    step("in progress", Powertools::inProgress);
    step("lost time", Powertools::lostTime);
    step("payload", Powertools::payload);
    step("failure", Powertools::failure);
    step("expiry", Powertools::expiry);
    System.exit(0); // some threads of functions never end
  }
}
