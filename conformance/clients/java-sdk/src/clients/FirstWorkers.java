package clients;

import static clients.FirstSdk.*;
import static clients.Scenario.*;

import com.amazonaws.auth.DefaultAWSCredentialsProviderChain;
import com.amazonaws.services.dynamodbv2.model.*;
import com.amazonaws.services.dynamodbv2.model.Record;
import com.amazonaws.services.dynamodbv2.streamsadapter.AmazonDynamoDBStreamsAdapterClient;
import com.amazonaws.services.dynamodbv2.streamsadapter.StreamsWorkerFactory;
import com.amazonaws.services.dynamodbv2.streamsadapter.model.RecordAdapter;
import com.amazonaws.services.kinesis.clientlibrary.exceptions.InvalidStateException;
import com.amazonaws.services.kinesis.clientlibrary.exceptions.ShutdownException;
import com.amazonaws.services.kinesis.clientlibrary.interfaces.IRecordProcessorCheckpointer;
import com.amazonaws.services.kinesis.clientlibrary.interfaces.v2.IRecordProcessor;
import com.amazonaws.services.kinesis.clientlibrary.interfaces.v2.IShutdownNotificationAware;
import com.amazonaws.services.kinesis.clientlibrary.lib.worker.*;
import com.amazonaws.services.kinesis.clientlibrary.types.InitializationInput;
import com.amazonaws.services.kinesis.clientlibrary.types.ProcessRecordsInput;
import com.amazonaws.services.kinesis.clientlibrary.types.ShutdownInput;
import com.amazonaws.services.kinesis.metrics.impl.NullMetricsFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Workers of the first Kinesis Client Library read a table's stream while its shards rotate. */
final class FirstWorkers {
  static final String APPLICATION = "shipping";
  static final int CUSTOMERS = 20;
  static final AmazonDynamoDBStreamsAdapterClient adapter =
      new AmazonDynamoDBStreamsAdapterClient(streams);

  /** The amounts of each customer, in the order in which the workers read them. */
  private final Map<String, List<Integer>> amounts = new HashMap<>();
  private final Set<String> endedShards = new HashSet<>();
  private final Map<String, Worker> running = new HashMap<>();
  private String stream;
  private int written;

  /** Reads a shard, with a checkpoint after each batch. */
  private final class Processor implements IRecordProcessor, IShutdownNotificationAware {
    private String shard;

    @Override
    public void initialize(InitializationInput input) {
      shard = input.getShardId();
    }

    @Override
    public void processRecords(ProcessRecordsInput input) {
      input.getRecords().forEach(record -> add(((RecordAdapter) record).getInternalObject()));
      checkpoint(input.getCheckpointer());
    }

    @Override
    public void shutdown(ShutdownInput input) {
      if (input.getShutdownReason() == ShutdownReason.TERMINATE) { // the end of the shard
        checkpoint(input.getCheckpointer());
        end(shard);
      }
    }

    @Override
    public void shutdownRequested(IRecordProcessorCheckpointer checkpointer) {
      checkpoint(checkpointer);
    }

    private void checkpoint(IRecordProcessorCheckpointer checkpointer) {
      try {
        checkpointer.checkpoint();
      } catch (ShutdownException e) {
        // another worker has the lease and begins at the last checkpoint
      } catch (InvalidStateException e) {
        throw new IllegalStateException("the table of leases is gone", e);
      }
    }
  }

  /** Adds the amount of a record, unless the customer has it or a later one. */
  private synchronized void add(Record record) {
    var image = record.getDynamodb().getNewImage();
    var list = amounts.computeIfAbsent(image.get("customer").getS(), c -> new ArrayList<>());
    int amount = Integer.parseInt(image.get("amount").getN());
    if (list.isEmpty() || amount > list.get(list.size() - 1)) {
      list.add(amount);
      notifyAll();
    }
  }

  private synchronized void end(String shard) {
    endedShards.add(shard);
    notifyAll();
  }

  private synchronized int added() {
    return amounts.values().stream().mapToInt(List::size).sum();
  }

  /** Nothing that was written is lost or out of order. */
  private synchronized void checkAll() throws InterruptedException {
    while (added() < written * CUSTOMERS) {
      wait();
    }
    var all = IntStream.rangeClosed(1, written).boxed().toList();
    var want = new HashMap<String, List<Integer>>();
    IntStream.range(0, CUSTOMERS).forEach(customer -> want.put("c" + customer, all));
    equal(amounts, want);
  }

  /** Starts a worker whose intervals are those of a test. */
  private void start(String name) {
    var config = new KinesisClientLibConfiguration(
        APPLICATION, stream, DefaultAWSCredentialsProviderChain.getInstance(), name)
        .withInitialPositionInStream(InitialPositionInStream.TRIM_HORIZON)
        .withFailoverTimeMillis(2000)
        .withShardSyncIntervalMillis(1000)
        .withIdleTimeBetweenReadsInMillis(200)
        .withParentShardPollIntervalMillis(500)
        .withBillingMode(BillingMode.PAY_PER_REQUEST);
    var worker = StreamsWorkerFactory.createDynamoDbStreamsWorker(Processor::new, config, adapter,
        db, new NullMetricsFactory(), Executors.newCachedThreadPool());
    running.put(name, worker);
    var thread = new Thread(worker, name);
    thread.setDaemon(true);
    thread.start();
  }

  /** Writes the next amount of each customer, in rounds, at a pace that lets the shards rotate. */
  private void write(int rounds) throws InterruptedException {
    for (int i = 0; i < rounds; i++) {
      written++;
      for (int customer = 0; customer < CUSTOMERS; customer++) {
        db.putItem(TABLE, Map.of(
            "customer", new AttributeValue("c" + customer),
            "amount", new AttributeValue().withN(String.valueOf(written))));
      }
      TimeUnit.MILLISECONDS.sleep(500);
    }
  }

  private void leases() throws Exception {
    db.createTable(new CreateTableRequest()
        .withTableName(TABLE)
        .withBillingMode(BillingMode.PAY_PER_REQUEST)
        .withAttributeDefinitions(new AttributeDefinition("customer", ScalarAttributeType.S))
        .withKeySchema(new KeySchemaElement("customer", KeyType.HASH))
        .withStreamSpecification(new StreamSpecification()
            .withStreamEnabled(true).withStreamViewType(StreamViewType.NEW_IMAGE)));
    awaitTable();
    stream = db.describeTable(TABLE).getTable().getLatestStreamArn();
    write(1);
    start("first");
    start("second");
    checkAll();
    equal(db.listTables().getTableNames(), List.of(TABLE, APPLICATION));
  }

  private void streams() throws Exception {
    write(12);
    checkAll();
  }

  /** Returns a worker that reads a shard. */
  private String busyWorker() {
    return db.scan(new ScanRequest(APPLICATION)
        .withFilterExpression("checkpoint <> :end AND attribute_exists(leaseOwner)")
        .withExpressionAttributeValues(Map.of(":end", new AttributeValue("SHARD_END"))))
        .getItems().get(0).get("leaseOwner").getS();
  }

  /** Another worker goes on where one stops, and a third one joins. */
  private void restart() throws Exception {
    running.remove(busyWorker()).startGracefulShutdown().get(30, TimeUnit.SECONDS);
    write(6);
    start("third");
    write(6);
    checkAll();
  }

  private synchronized void shards() throws InterruptedException {
    while (endedShards.size() < 4) {
      wait();
    }
  }

  public static void main(String[] args) {
    begin(version(AmazonDynamoDBStreamsAdapterClient.class), 120);
    var workers = new FirstWorkers();
    step("leases", workers::leases);
    step("streams", workers::streams);
    step("restart", workers::restart);
    step("shards", workers::shards);
    System.exit(0); // the workers still run
  }
}
