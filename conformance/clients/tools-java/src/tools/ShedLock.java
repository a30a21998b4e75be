package tools;

import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;
import static tools.Steps.*;

import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.dynamodb2.DynamoDBLockProvider;
import net.javacrumbs.shedlock.provider.dynamodb2.DynamoDBUtils;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughput;

/** ShedLock: a report that one of several instances makes each hour. */
final class ShedLock {
  static final String TABLE = "Shedlock";

  private ShedLock() {}

  /** The provider of an instance. */
  static DynamoDBLockProvider instance() {
    return new DynamoDBLockProvider(db, TABLE);
  }

  static LockConfiguration lock(String name, Duration atMost, Duration atLeast) {
    return new LockConfiguration(ClockProvider.now(), name, atMost, atLeast);
  }

  static Optional<SimpleLock> take(String name) {
    return instance().lock(lock(name, Duration.ofHours(1), Duration.ZERO));
  }

  /** Moves the clock that the instances share. */
  static void pass(Duration time) {
    var now = ClockProvider.now().plus(time);
    ClockProvider.setClock(Clock.fixed(now, ZoneOffset.UTC));
  }

  static void table() {
    DynamoDBUtils.createLockTable(db, TABLE, ProvisionedThroughput.builder()
        .readCapacityUnits(5L).writeCapacityUnits(5L).build());
    db.waiter().waitUntilTableExists(table -> table.tableName(TABLE));
    equal(items(TABLE).size(), 0);
  }

  static void exclusion() {
    var held = take("report").orElseThrow();
    equal(take("report").isPresent(), false);
    equal(take("another").isPresent(), true);
    held.unlock();
    take("report").orElseThrow().unlock();
    equal(items(TABLE).stream().anyMatch(i -> i.get("_id").equals(fromS("report"))), true);
  }

  /** Of ten instances that start the report at the same time one makes it. */
  static void race() throws Exception {
    var made = new AtomicInteger();
    try (var pool = Pool.of(10)) {
      pool.all(() -> {
        var executor = new DefaultLockingTaskExecutor(instance());
        executor.executeWithLock((Runnable) made::incrementAndGet,
            lock("race", Duration.ofHours(1), Duration.ofMinutes(1)));
        return null;
      });
    }
    equal(made.get(), 1);
  }

  /** The holder dies: another gets the lock when its time is over. */
  static void atMost() {
    instance().lock(lock("dead", Duration.ofMinutes(10), Duration.ZERO)).orElseThrow();
    pass(Duration.ofMinutes(9));
    equal(take("dead").isPresent(), false);
    pass(Duration.ofMinutes(2));
    equal(take("dead").isPresent(), true);
  }

  /** A report that ends at once is not made again for its least time. */
  static void atLeast() {
    var least = Duration.ofMinutes(5);
    instance().lock(lock("short", Duration.ofHours(1), least)).orElseThrow().unlock();
    equal(take("short").isPresent(), false);
    pass(Duration.ofMinutes(6));
    equal(take("short").isPresent(), true);
  }

  /** A lock of this provider is not made longer. */
  static void noExtension() throws Exception {
    var held = take("long").orElseThrow();
    thrown(UnsupportedOperationException.class,
        () -> held.extend(Duration.ofHours(2), Duration.ZERO));
    equal(take("long").isPresent(), false);
  }

  public static void main(String[] args) {
    pass(Duration.ZERO);
    begin(DynamoDBLockProvider.class);
    step("table", ShedLock::table);
    step("exclusion", ShedLock::exclusion);
    step("race", ShedLock::race);
    step("at most", ShedLock::atMost);
    step("at least", ShedLock::atLeast);
    step("no extension", ShedLock::noExtension);
  }
}
