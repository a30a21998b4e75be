package clients;

import java.util.List;
import java.util.Set;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbBean;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbPartitionKey;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbSecondaryPartitionKey;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbSecondarySortKey;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbSortKey;

/** An order as a bean of the Enhanced Client. */
@DynamoDbBean
public class Order {
  private String customer;
  private Integer at;
  private String status;
  private Integer amount;
  private Integer hits;
  private String note;
  private List<String> notes;
  private Set<String> labels;
  private Long expires;

  static Order of(String customer, int at) {
    var order = new Order();
    order.setCustomer(customer);
    order.setAt(at);
    return order;
  }

  static Order of(String customer, int at, int amount) {
    var order = of(customer, at);
    order.setAmount(amount);
    return order;
  }

  @DynamoDbPartitionKey
  public String getCustomer() {
    return customer;
  }

  public void setCustomer(String customer) {
    this.customer = customer;
  }

  @DynamoDbSortKey
  @DynamoDbSecondarySortKey(indexNames = "byStatus")
  public Integer getAt() {
    return at;
  }

  public void setAt(Integer at) {
    this.at = at;
  }

  @DynamoDbSecondaryPartitionKey(indexNames = "byStatus")
  public String getStatus() {
    return status;
  }

  public void setStatus(String status) {
    this.status = status;
  }

  @DynamoDbSecondarySortKey(indexNames = "byAmount")
  public Integer getAmount() {
    return amount;
  }

  public void setAmount(Integer amount) {
    this.amount = amount;
  }

  public Integer getHits() {
    return hits;
  }

  public void setHits(Integer hits) {
    this.hits = hits;
  }

  public String getNote() {
    return note;
  }

  public void setNote(String note) {
    this.note = note;
  }

  public List<String> getNotes() {
    return notes;
  }

  public void setNotes(List<String> notes) {
    this.notes = notes;
  }

  public Set<String> getLabels() {
    return labels;
  }

  public void setLabels(Set<String> labels) {
    this.labels = labels;
  }

  public Long getExpires() {
    return expires;
  }

  public void setExpires(Long expires) {
    this.expires = expires;
  }
}
