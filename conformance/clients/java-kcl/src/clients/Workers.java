package clients;

import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromN;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;
import static software.amazon.kinesis.common.InitialPositionInStream.TRIM_HORIZON;
import static software.amazon.kinesis.common.InitialPositionInStreamExtended.newInitialPosition;

import com.amazonaws.services.dynamodbv2.streamsadapter.AmazonDynamoDBStreamsAdapterClient;
import com.amazonaws.services.dynamodbv2.streamsadapter.StreamsSchedulerFactory;
import com.amazonaws.services.dynamodbv2.streamsadapter.polling.DynamoDBStreamsPollingConfig;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.cloudwatch.CloudWatchAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.StreamViewType;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;
import software.amazon.kinesis.common.ConfigsBuilder;
import software.amazon.kinesis.coordinator.Scheduler;
import software.amazon.kinesis.metrics.NullMetricsFactory;

/** Workers of the Kinesis Client Library read a table's stream while its shards rotate. */
final class Workers {
  private static final long LIMIT_MILLISECONDS = 120_000;
  private static final String TABLE = "orders";
  private static final String APPLICATION = "shipping";
  private static final int CUSTOMERS = 20;

  private static final DynamoDbClient db = DynamoDbClient.create();
  private static final DynamoDbAsyncClient leases = DynamoDbAsyncClient.create();
  private static final CloudWatchAsyncClient metrics = CloudWatchAsyncClient.create();
  private static final AmazonDynamoDBStreamsAdapterClient streams =
      new AmazonDynamoDBStreamsAdapterClient(DynamoDbStreamsClient.create(), Region.US_EAST_1);

  private final Journal journal = new Journal();
  private final Map<String, Scheduler> running = new HashMap<>();
  private String stream;
  private int written;

  private void createTable() {
    db.createTable(table -> table
        .tableName(TABLE)
        .billingMode(BillingMode.PAY_PER_REQUEST)
        .attributeDefinitions(a -> a.attributeName("customer").attributeType(ScalarAttributeType.S))
        .keySchema(element -> element.attributeName("customer").keyType(KeyType.HASH))
        .streamSpecification(s -> s.streamEnabled(true).streamViewType(StreamViewType.NEW_IMAGE)));
    stream = db.waiter().waitUntilTableExists(table -> table.tableName(TABLE))
        .matched().response().orElseThrow().table().latestStreamArn();
  }

  /** Starts a worker whose intervals are those of a test: the default ones take minutes. */
  private void start(String worker) {
    var tracker = StreamsSchedulerFactory.createSingleStreamTracker(
        stream, newInitialPosition(TRIM_HORIZON));
    var configs = new ConfigsBuilder(tracker, APPLICATION, streams, leases, metrics, worker,
        journal::processor);
    var lease = configs.leaseManagementConfig()
        .failoverTimeMillis(5000)
        .leaseAssignmentIntervalMillis(1000L)
        .shardSyncIntervalMillis(1000)
        .leasesRecoveryAuditorExecutionFrequencyMillis(2000);
    lease.workerUtilizationAwareAssignmentConfig()
        .inMemoryWorkerMetricsCaptureFrequencyMillis(500)
        .workerMetricsReporterFreqInMillis(1000)
        .varianceBalancingFrequency(1);
    var scheduler = StreamsSchedulerFactory.createScheduler(
        configs.checkpointConfig(),
        configs.coordinatorConfig()
            .parentShardPollIntervalMillis(500)
            .shardConsumerDispatchPollIntervalMillis(200),
        lease,
        configs.lifecycleConfig(),
        configs.metricsConfig().metricsFactory(new NullMetricsFactory()),
        configs.processorConfig(),
        configs.retrievalConfig().retrievalSpecificConfig(
            new DynamoDBStreamsPollingConfig(stream, streams).idleTimeBetweenReadsInMillis(200)),
        streams);
    running.put(worker, scheduler);
    var thread = new Thread(scheduler, worker);
    thread.setDaemon(true);
    thread.start();
  }

  /** Stops a worker, which writes its checkpoints and gives its leases back. */
  private void stop(String worker) throws Exception {
    var scheduler = running.remove(worker);
    try {
      scheduler.startGracefulShutdown().get(10, TimeUnit.SECONDS);
    } catch (TimeoutException e) { // the worker got a lease while it stopped
      scheduler.shutdown();
    }
  }

  /** Writes the next amount of each customer, in rounds, at a pace that lets the shards rotate. */
  private void write(int rounds) throws InterruptedException {
    for (int i = 0; i < rounds; i++) {
      written++;
      for (int customer = 0; customer < CUSTOMERS; customer++) {
        var item = Map.of("customer", fromS("c" + customer), "amount", fromN("" + written));
        db.putItem(put -> put.tableName(TABLE).item(item));
      }
      TimeUnit.MILLISECONDS.sleep(500);
    }
  }

  /** Nothing that was written is lost or out of order. */
  private void checkAll() throws InterruptedException {
    journal.awaitRecords(written * CUSTOMERS);
    var amounts = IntStream.rangeClosed(1, written).boxed().toList();
    var want = new HashMap<String, List<Integer>>();
    IntStream.range(0, CUSTOMERS).forEach(customer -> want.put("c" + customer, amounts));
    equal(journal.amounts(), want);
  }

  /** Two workers read what is there when they start. The library makes its tables. */
  private void leases() throws Exception {
    createTable();
    write(1);
    start("first");
    start("second");
    checkAll();
    equal(Set.copyOf(db.listTables().tableNames()), Set.of(TABLE, APPLICATION,
        APPLICATION + "-CoordinatorState", APPLICATION + "-WorkerMetricStats"));
    var index = db.describeTable(table -> table.tableName(APPLICATION)).table()
        .globalSecondaryIndexes().get(0);
    equal(index.indexName(), "LeaseOwnerToLeaseKeyIndex");
  }

  private void streams() throws Exception {
    write(12);
    checkAll();
    equal(journal.repeated(), 0);
  }

  /** Returns a worker that reads a shard. */
  private String busyWorker() {
    return db.scanPaginator(scan -> scan
        .tableName(APPLICATION)
        .consistentRead(true)
        .filterExpression("checkpoint <> :end AND attribute_exists(leaseOwner)")
        .expressionAttributeValues(Map.of(":end", fromS("SHARD_END"))))
        .items().stream().findFirst().orElseThrow().get("leaseOwner").s();
  }

  /** Another worker goes on where one stops, and a third one joins. */
  private void restart() throws Exception {
    stop(busyWorker());
    write(6);
    start("third");
    write(6);
    checkAll();
  }

  /** The shards that the workers have read to their ends have no more checkpoints. */
  private void shards() throws Exception {
    var ended = journal.awaitEndedShards(4);
    for (var lease : db.scanPaginator(scan -> scan.tableName(APPLICATION)).items()) {
      if (ended.contains(lease.get("leaseKey").s())) {
        equal(lease.get("checkpoint"), fromS("SHARD_END"));
      }
    }
  }

  private static void equal(Object got, Object want) {
    if (!want.equals(got)) {
      throw new AssertionError("got " + got + ", want " + want);
    }
  }

  private interface Step {
    void run() throws Exception;
  }

  private static void step(String name, Step step) {
    try {
      step.run();
      System.out.println("ok " + name);
    } catch (Exception | AssertionError e) {
      System.out.println("failed " + name + ": " + e.toString().replace('\n', ' '));
      e.printStackTrace();
    }
  }

  /** Returns the version of the adapter, from what Maven writes into its archive. */
  private static String version() throws Exception {
    var properties = new Properties();
    try (var in = AmazonDynamoDBStreamsAdapterClient.class.getResourceAsStream(
        "/META-INF/maven/com.amazonaws/dynamodb-streams-kinesis-adapter/pom.properties")) {
      properties.load(in);
    }
    return properties.getProperty("version");
  }

  /** Ends the program when the steps take too long. */
  private static void limitTime() {
    new Timer(true).schedule(new TimerTask() {
      @Override
      public void run() {
        System.out.println("the steps take too long");
        Runtime.getRuntime().halt(1);
      }
    }, LIMIT_MILLISECONDS);
  }

  public static void main(String[] args) throws Exception {
    System.out.println("version " + version());
    limitTime();
    var workers = new Workers();
    step("leases", workers::leases);
    step("streams", workers::streams);
    step("restart", workers::restart);
    step("shards", workers::shards);
    System.exit(0);
  }
}
