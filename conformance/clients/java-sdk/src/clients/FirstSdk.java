package clients;

import com.amazonaws.Request;
import com.amazonaws.client.builder.AwsClientBuilder.EndpointConfiguration;
import com.amazonaws.handlers.RequestHandler2;
import com.amazonaws.services.dynamodbv2.AmazonDynamoDB;
import com.amazonaws.services.dynamodbv2.AmazonDynamoDBClientBuilder;
import com.amazonaws.services.dynamodbv2.AmazonDynamoDBStreams;
import com.amazonaws.services.dynamodbv2.AmazonDynamoDBStreamsClientBuilder;
import com.amazonaws.services.dynamodbv2.model.*;
import com.amazonaws.services.dynamodbv2.model.Record;
import com.amazonaws.waiters.WaiterParameters;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** Clients of the first SDK for Java, and what its two rows share. */
final class FirstSdk {
  static final String TABLE = "orders";
  static final AmazonDynamoDB db =
      AmazonDynamoDBClientBuilder.standard().withEndpointConfiguration(endpoint()).build();
  static final AmazonDynamoDBStreams streams =
      AmazonDynamoDBStreamsClientBuilder.standard().withEndpointConfiguration(endpoint()).build();

  private FirstSdk() {}

  /** Returns the endpoint: this SDK does not read AWS_ENDPOINT_URL_DYNAMODB. */
  private static EndpointConfiguration endpoint() {
    System.setProperty("aws.java.v1.disableDeprecationAnnouncement", "true");
    return new EndpointConfiguration(System.getenv("DYNAMODB_ENDPOINT"), System.getenv("AWS_REGION"));
  }

  /** Checks that a client without an endpoint asks AWS. It sends nothing. */
  static void checkDefaultEndpoint() {
    var asked = new AtomicReference<URI>();
    var client = AmazonDynamoDBClientBuilder.standard().withRequestHandlers(new RequestHandler2() {
      @Override public void beforeRequest(Request<?> request) {
        asked.set(request.getEndpoint());
        throw new IllegalStateException("it is not sent");
      }
    }).build();
    try {
      client.listTables();
    } catch (IllegalStateException expected) {
      // thrown above
    }
    Scenario.equal(asked.get(), URI.create("https://dynamodb.us-east-1.amazonaws.com"));
  }

  static void awaitTable() {
    db.waiters().tableExists().run(new WaiterParameters<>(new DescribeTableRequest(TABLE)));
  }

  static void awaitNoTable() {
    db.waiters().tableNotExists().run(new WaiterParameters<>(new DescribeTableRequest(TABLE)));
  }

  static void enableTimeToLive() {
    db.updateTimeToLive(new UpdateTimeToLiveRequest()
        .withTableName(TABLE)
        .withTimeToLiveSpecification(new TimeToLiveSpecification()
            .withEnabled(true).withAttributeName("expires")));
    var described = db.describeTimeToLive(new DescribeTimeToLiveRequest().withTableName(TABLE));
    Scenario.equal(described.getTimeToLiveDescription().getTimeToLiveStatus(), "ENABLED");
  }

  /** Returns the records of the table's stream, shard by shard. */
  static List<Record> records() {
    var arn = db.describeTable(TABLE).getTable().getLatestStreamArn();
    var found = new ArrayList<Record>();
    var description = streams.describeStream(new DescribeStreamRequest().withStreamArn(arn));
    for (var shard : description.getStreamDescription().getShards()) {
      var iterator = streams.getShardIterator(new GetShardIteratorRequest()
          .withStreamArn(arn)
          .withShardId(shard.getShardId())
          .withShardIteratorType(ShardIteratorType.TRIM_HORIZON)).getShardIterator();
      for (boolean more = true; more && iterator != null;) {
        var page = streams.getRecords(new GetRecordsRequest().withShardIterator(iterator));
        found.addAll(page.getRecords());
        iterator = page.getNextShardIterator();
        more = !page.getRecords().isEmpty();
      }
    }
    return found;
  }

  /** The last record of the stream is of an item that time to live has deleted. */
  static void checkExpired() {
    var records = records();
    Scenario.equal(records.get(records.size() - 1).getUserIdentity().getPrincipalId(),
        "dynamodb.amazonaws.com");
  }
}
