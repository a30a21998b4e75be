package tools;

import static tools.Steps.*;

import io.awspring.cloud.dynamodb.DynamoDbTemplate;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.extensions.annotations.DynamoDbVersionAttribute;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbBean;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbPartitionKey;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbSortKey;
import software.amazon.awssdk.enhanced.dynamodb.model.PageIterable;
import software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional;
import software.amazon.awssdk.enhanced.dynamodb.model.QueryEnhancedRequest;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;

/** Spring Cloud AWS: an application with the template that its starter makes. */
@EnableAutoConfiguration
public class Spring {
  static DynamoDbTemplate template;
  static DynamoDbEnhancedClient client;

  @DynamoDbBean
  public static class CustomerOrder {
    private String customer;
    private Integer number;
    private String note;
    private Long version;

    public CustomerOrder() {}

    CustomerOrder(String customer, int number, String note) {
      this.customer = customer;
      this.number = number;
      this.note = note;
    }

    @DynamoDbPartitionKey
    public String getCustomer() {
      return customer;
    }

    public void setCustomer(String customer) {
      this.customer = customer;
    }

    @DynamoDbSortKey
    public Integer getNumber() {
      return number;
    }

    public void setNumber(Integer number) {
      this.number = number;
    }

    public String getNote() {
      return note;
    }

    public void setNote(String note) {
      this.note = note;
    }

    @DynamoDbVersionAttribute
    public Long getVersion() {
      return version;
    }

    public void setVersion(Long version) {
      this.version = version;
    }
  }

  static Key key(String customer, int number) {
    return Key.builder().partitionValue(customer).sortValue(number).build();
  }

  static CustomerOrder load(String customer, int number) {
    return template.load(key(customer, number), CustomerOrder.class);
  }

  static QueryEnhancedRequest of(String customer, int limit) {
    return QueryEnhancedRequest.builder()
        .queryConditional(QueryConditional.keyEqualTo(k -> k.partitionValue(customer)))
        .limit(limit)
        .build();
  }

  static List<Integer> numbers(PageIterable<CustomerOrder> pages) {
    return pages.items().stream().map(CustomerOrder::getNumber).toList();
  }

  /** The template finds the table by the name of the class and the prefix of the properties. */
  static void table() throws Exception {
    thrown(ResourceNotFoundException.class, () -> load("ann", 1));
    client.table("shop_customer_order", TableSchema.fromBean(CustomerOrder.class)).createTable();
    equal(load("ann", 1), null);
  }

  static void items() {
    template.save(new CustomerOrder("ann", 1, "chair"));
    equal(load("ann", 1).getNote(), "chair");
    template.delete(key("ann", 1), CustomerOrder.class);
    equal(load("ann", 1), null);
  }

  /** Of two who change the same version the second is refused. */
  static void versions() throws Exception {
    template.save(new CustomerOrder("ann", 2, "chair"));
    var ours = load("ann", 2);
    var theirs = load("ann", 2);
    theirs.setNote("table");
    template.update(theirs);
    ours.setNote("lamp");
    thrown(ConditionalCheckFailedException.class, () -> template.update(ours));
    thrown(ConditionalCheckFailedException.class,
        () -> template.save(new CustomerOrder("ann", 2, "bed")));
    equal(load("ann", 2).getNote(), "table");
  }

  /** Forty orders of 30 kB are more than a page of 1 MB. */
  static void pages() {
    var note = "x".repeat(30_000);
    IntStream.range(0, 40).forEach(i -> template.save(new CustomerOrder("bob", i, note)));
    var all = IntStream.range(0, 40).boxed().toList();
    equal(numbers(template.query(of("bob", 7), CustomerOrder.class)), all);
    equal(numbers(template.query(of("bob", 100), CustomerOrder.class)), all);
    equal(template.query(of("bob", 100), CustomerOrder.class).stream().count() > 1, true);
    equal(numbers(template.scanAll(CustomerOrder.class)).size(), 41);
  }

  public static void main(String[] args) {
    var application = new SpringApplication(Spring.class);
    application.setDefaultProperties(Map.of("spring.cloud.aws.dynamodb.table-prefix", "shop_",
        "spring.main.banner-mode", "off"));
    try (ConfigurableApplicationContext context = application.run()) {
      template = context.getBean(DynamoDbTemplate.class);
      client = context.getBean(DynamoDbEnhancedClient.class);
      begin(DynamoDbTemplate.class);
      step("table", Spring::table);
      step("items", Spring::items);
      step("versions", Spring::versions);
      step("pages", Spring::pages);
    }
  }
}
