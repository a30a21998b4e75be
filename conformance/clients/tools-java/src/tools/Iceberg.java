package tools;

import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;
import static tools.Steps.*;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.Schema;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.aws.dynamodb.DynamoDbCatalog;
import org.apache.iceberg.aws.dynamodb.DynamoDbLockManager;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.NamespaceNotEmptyException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.types.Types;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Iceberg: jobs that share a catalog of tables, and locks. */
final class Iceberg {
  static final Namespace SHOP = Namespace.of("shop");
  static final TableIdentifier ORDERS = TableIdentifier.of(SHOP, "orders");
  static final Schema SCHEMA = new Schema(
      Types.NestedField.required(1, "id", Types.LongType.get()),
      Types.NestedField.optional(2, "state", Types.StringType.get()));

  private Iceberg() {}

  /** The catalog in a job of its own. */
  static DynamoDbCatalog catalog() {
    var catalog = new DynamoDbCatalog();
    catalog.initialize("jobs", Map.of("warehouse", "memory://warehouse",
        "io-impl", "org.apache.iceberg.inmemory.InMemoryFileIO", "dynamodb.table-name", "catalog"));
    return catalog;
  }

  static DynamoDbLockManager locks() {
    var locks = new DynamoDbLockManager(DynamoDbClient.create(), "locks");
    locks.initialize(Map.of("lock.table", "locks",
        "lock.acquire-interval-ms", "50", "lock.acquire-timeout-ms", "300",
        "lock.heartbeat-interval-ms", "200", "lock.heartbeat-timeout-ms", "1000"));
    return locks;
  }

  static BaseTable orders() {
    return (BaseTable) catalog().loadTable(ORDERS);
  }

  static void tables() throws Exception {
    catalog().createNamespace(SHOP, Map.of("owner", "ann"));
    thrown(AlreadyExistsException.class, () -> catalog().createNamespace(SHOP, Map.of()));
    equal(catalog().loadNamespaceMetadata(SHOP).get("owner"), "ann");
    catalog().createTable(ORDERS, SCHEMA);
    thrown(AlreadyExistsException.class, () -> catalog().createTable(ORDERS, SCHEMA));
    equal(orders().schema().columns(), SCHEMA.columns());
  }

  /** Of two jobs that change the same version of a table the second is refused. */
  static void lostRace() throws Exception {
    var ours = orders().operations();
    var theirs = orders().operations();
    var base = ours.current();
    theirs.commit(theirs.current(), with(theirs.current(), "theirs"));
    thrown(CommitFailedException.class, () -> ours.commit(base, with(base, "ours")));
    equal(orders().properties().get("by"), "theirs");
    equal(ours.refresh().properties().get("by"), "theirs");
  }

  static TableMetadata with(TableMetadata base, String by) {
    return base.replaceProperties(Map.of("by", by));
  }

  /** Jobs that try again lose nothing: each of eight columns is there. */
  static void retries() throws Exception {
    orders().updateProperties().set("commit.retry.num-retries", "50")
        .set("commit.retry.min-wait-ms", "5").commit();
    var next = new AtomicInteger();
    try (var pool = Pool.of(8)) {
      pool.all(() -> {
        var name = "job" + next.incrementAndGet();
        orders().updateProperties().set(name, "done").commit();
        return null;
      });
    }
    var found = orders().properties().keySet().stream().filter(k -> k.startsWith("job"))
        .collect(Collectors.toSet());
    equal(found, IntStream.rangeClosed(1, 8).mapToObj(i -> "job" + i).collect(Collectors.toSet()));
  }

  static void rename() throws Exception {
    var other = TableIdentifier.of(SHOP, "renamed");
    catalog().createTable(TableIdentifier.of(SHOP, "taken"), SCHEMA);
    thrown(AlreadyExistsException.class,
        () -> catalog().renameTable(ORDERS, TableIdentifier.of(SHOP, "taken")));
    catalog().renameTable(ORDERS, other);
    thrown(NoSuchTableException.class, Iceberg::orders);
    equal(((BaseTable) catalog().loadTable(other)).properties().get("by"), "theirs");
    equal(Set.copyOf(catalog().listTables(SHOP)),
        Set.of(other, TableIdentifier.of(SHOP, "taken")));
    thrown(NamespaceNotEmptyException.class, () -> catalog().dropNamespace(SHOP));
  }

  /** A lock that is held is refused to others for longer than a heartbeat lasts. */
  static void locking() throws Exception {
    var first = locks();
    var second = locks();
    equal(first.acquire("orders", "ann"), true);
    var end = System.nanoTime() + 1_500_000_000L;
    while (System.nanoTime() < end) {
      equal(second.acquire("orders", "bob"), false);
    }
    equal(second.release("orders", "bob"), false);
    equal(items("locks").stream().map(i -> i.get("ownerId")).toList(), List.of(fromS("ann")));
    equal(first.release("orders", "ann"), true);
    equal(second.acquire("orders", "bob"), true);
    equal(second.release("orders", "bob"), true);
    equal(items("locks"), List.of());
  }

  /** The holder dies: another gets the lock when no heartbeat has come for its time. */
  static void expiry() throws Exception {
    var first = locks();
    equal(first.acquire("dead", "ann"), true);
    first.close(); // ends the heartbeats
    var second = locks();
    var began = System.nanoTime();
    equal(second.acquire("dead", "bob"), true);
    equal(System.nanoTime() - began > 1_000_000_000L, true);
    equal(first.release("dead", "ann"), false);
    equal(items("locks").get(0).get("ownerId"), fromS("bob"));
    second.release("dead", "bob");
  }

  public static void main(String[] args) {
    begin(DynamoDbCatalog.class);
    step("tables", Iceberg::tables);
    step("lost race", Iceberg::lostRace);
    step("retries", Iceberg::retries);
    step("rename", Iceberg::rename);
    step("locks", Iceberg::locking);
    step("expiry", Iceberg::expiry);
    System.exit(0);
  }
}
