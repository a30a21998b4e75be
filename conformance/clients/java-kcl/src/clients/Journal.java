package clients;

import com.amazonaws.services.dynamodbv2.streamsadapter.model.DynamoDBStreamsProcessRecordsInput;
import com.amazonaws.services.dynamodbv2.streamsadapter.processor.*;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.kinesis.exceptions.InvalidStateException;
import software.amazon.kinesis.exceptions.ShutdownException;
import software.amazon.kinesis.lifecycle.events.InitializationInput;
import software.amazon.kinesis.lifecycle.events.LeaseLostInput;
import software.amazon.kinesis.lifecycle.events.ShardEndedInput;
import software.amazon.kinesis.lifecycle.events.ShutdownRequestedInput;
import software.amazon.kinesis.processor.RecordProcessorCheckpointer;
import software.amazon.kinesis.processor.ShardRecordProcessor;

/** The amounts that the workers read, in the order in which they read them. */
final class Journal {
  private final Map<String, List<Integer>> amounts = new HashMap<>();
  private final Set<String> endedShards = new HashSet<>();
  private int repeated;

  /** Adds the amount of a record, unless the customer has it or a later one. */
  private synchronized void add(Record record) {
    var image = record.dynamodb().newImage();
    var list = amounts.computeIfAbsent(image.get("customer").s(), customer -> new ArrayList<>());
    int amount = Integer.parseInt(image.get("amount").n());
    if (!list.isEmpty() && amount <= list.get(list.size() - 1)) {
      repeated++;
      return;
    }
    list.add(amount);
    notifyAll();
  }

  private synchronized void end(String shard) {
    endedShards.add(shard);
    notifyAll();
  }

  /** Returns the amounts of each customer. */
  synchronized Map<String, List<Integer>> amounts() {
    var copy = new HashMap<String, List<Integer>>();
    amounts.forEach((customer, list) -> copy.put(customer, List.copyOf(list)));
    return copy;
  }

  /** Returns the number of records that came again, or after a later one of their customer. */
  synchronized int repeated() {
    return repeated;
  }

  /** Waits until there are that many records. */
  synchronized void awaitRecords(int wanted) throws InterruptedException {
    while (amounts.values().stream().mapToInt(List::size).sum() < wanted) {
      wait();
    }
  }

  /** Waits until the workers have read that many shards to the end, and returns them. */
  synchronized Set<String> awaitEndedShards(int wanted) throws InterruptedException {
    while (endedShards.size() < wanted) {
      wait();
    }
    return Set.copyOf(endedShards);
  }

  /** Returns a processor for a shard. */
  ShardRecordProcessor processor() {
    return new Processor();
  }

  /** Adds the records of a shard, with a checkpoint after each batch. */
  private final class Processor implements DynamoDBStreamsShardRecordProcessor {
    private String shard;

    @Override
    public void initialize(InitializationInput input) {
      shard = input.shardId();
    }

    @Override
    public void processRecords(DynamoDBStreamsProcessRecordsInput input) {
      input.records().forEach(record -> add(record.getRecord()));
      checkpoint(input.checkpointer());
    }

    @Override
    public void leaseLost(LeaseLostInput input) {} // another worker goes on

    @Override
    public void shardEnded(ShardEndedInput input) {
      checkpoint(input.checkpointer());
      end(shard);
    }

    @Override
    public void shutdownRequested(ShutdownRequestedInput input) {
      checkpoint(input.checkpointer());
    }

    private void checkpoint(RecordProcessorCheckpointer checkpointer) {
      try {
        checkpointer.checkpoint();
      } catch (ShutdownException e) {
        // another worker has the lease and begins at the last checkpoint
      } catch (InvalidStateException e) {
        throw new IllegalStateException("the table of leases is gone", e);
      }
    }
  }
}
