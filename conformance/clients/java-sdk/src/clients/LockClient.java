package clients;

import static clients.Scenario.*;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import com.amazonaws.services.dynamodbv2.AcquireLockOptions;
import com.amazonaws.services.dynamodbv2.AmazonDynamoDBLockClient;
import com.amazonaws.services.dynamodbv2.AmazonDynamoDBLockClientOptions;
import com.amazonaws.services.dynamodbv2.CreateDynamoDBTableOptions;
import com.amazonaws.services.dynamodbv2.LockItem;
import com.amazonaws.services.dynamodbv2.model.LockCurrentlyUnavailableException;
import com.amazonaws.services.dynamodbv2.model.LockNotGrantedException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughput;

/** The lock client: two owners that lock the same orders. */
final class LockClient {
  static final String TABLE = "locks";
  static final DynamoDbClient db = DynamoDbClient.create();

  private LockClient() {}

  /** Returns a client of an owner. Without heartbeats its locks expire. */
  static AmazonDynamoDBLockClient owner(String name, boolean heartbeats, long lease) {
    return new AmazonDynamoDBLockClient(AmazonDynamoDBLockClientOptions.builder(db, TABLE)
        .withOwnerName(name)
        .withTimeUnit(TimeUnit.MILLISECONDS)
        .withLeaseDuration(lease)
        .withHeartbeatPeriod(lease / 10)
        .withCreateHeartbeatBackgroundThread(heartbeats)
        .build());
  }

  static AcquireLockOptions.AcquireLockOptionsBuilder lock(String name) {
    return AcquireLockOptions.builder(name)
        .withRefreshPeriod(100L)
        .withAdditionalTimeToWaitForLock(0L)
        .withTimeUnit(TimeUnit.MILLISECONDS);
  }

  static Map<String, AttributeValue> item(String name) {
    return db.getItem(get -> get.tableName(TABLE).key(Map.of("key", fromS(name)))
        .consistentRead(true)).item();
  }

  static ByteBuffer data(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  static void table() throws Exception {
    AmazonDynamoDBLockClient.createLockTableInDynamoDB(CreateDynamoDBTableOptions
        .builder(db, ProvisionedThroughput.builder()
            .readCapacityUnits(10L).writeCapacityUnits(10L).build(), TABLE)
        .build());
    db.waiter().waitUntilTableExists(table -> table.tableName(TABLE));
    try (var client = owner("first", false, 1000)) {
      client.assertLockTableExists();
    }
  }

  /** While a lease runs, another owner does not get the lock. */
  static void lease() throws Exception {
    try (var first = owner("first", false, 60_000); var second = owner("second", false, 60_000)) {
      first.acquireLock(lock("lease")
          .withData(data("some"))
          .withAdditionalAttributes(Map.of("reason", fromS("shipping"))).build());
      equal(first.hasLock("lease", Optional.empty()), true);
      equal(item("lease").get("ownerName"), fromS("first"));
      equal(item("lease").get("leaseDuration"), fromS("60000"));
      equal(item("lease").get("reason"), fromS("shipping"));
      var now = lock("lease").withShouldSkipBlockingWait(true).build();
      thrown(LockCurrentlyUnavailableException.class, () -> second.acquireLock(now));
      equal(second.getLock("lease", Optional.empty()).map(LockItem::getOwnerName),
          Optional.of("first"));
    }
  }

  /** Heartbeats hold a lock for longer than its lease: an owner that waits does not get it. */
  static void heartbeats() throws Exception {
    try (var first = owner("first", true, 3000); var second = owner("second", false, 3000)) {
      var held = first.acquireLock(lock("heartbeats").build());
      var version = held.getRecordVersionNumber();
      thrown(LockNotGrantedException.class, () -> second.acquireLock(lock("heartbeats").build()));
      equal(item("heartbeats").get("ownerName"), fromS("first"));
      equal(held.isExpired(), false);
      equal(held.getRecordVersionNumber().equals(version), false);
    }
  }

  /** Without heartbeats the lease ends, and an owner that waits for it gets the lock. */
  static void expiry() throws Exception {
    try (var first = owner("first", false, 500); var second = owner("second", false, 500)) {
      var lost = first.acquireLock(lock("expiry").withData(data("some")).build());
      var taken = second.acquireLock(lock("expiry")
          .withAdditionalTimeToWaitForLock(10_000L)
          .withReplaceData(false).build());
      equal(taken.getOwnerName(), "second");
      equal(taken.getData(), Optional.of(data("some")));
      equal(lost.isExpired(), true);
      thrown(LockNotGrantedException.class, () -> first.sendHeartbeat(lost));
      equal(first.releaseLock(lost), false);
      equal(item("expiry").get("ownerName"), fromS("second"));
    }
  }

  static void release() throws Exception {
    try (var first = owner("first", false, 60_000); var second = owner("second", false, 60_000)) {
      var kept = lock("release").withDeleteLockOnRelease(false).withData(data("kept")).build();
      equal(first.releaseLock(first.acquireLock(kept)), true);
      equal(item("release").containsKey("isReleased"), true);
      var next = second.acquireLock(lock("release").withReplaceData(false).build());
      equal(next.getData(), Optional.of(data("kept")));
      var names = first.getAllLocksFromDynamoDB(true).map(LockItem::getPartitionKey);
      equal(names.anyMatch("release"::equals), true);
      next.close();
      equal(item("release"), Map.of());
    }
  }

  public static void main(String[] args) {
    begin(version(AmazonDynamoDBLockClient.class));
    step("table", LockClient::table);
    step("lease", LockClient::lease);
    step("heartbeats", LockClient::heartbeats);
    step("expiry", LockClient::expiry);
    step("release", LockClient::release);
  }
}
