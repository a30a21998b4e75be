package clients;

import com.amazonaws.services.dynamodbv2.datamodeling.*;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** An order as DynamoDBMapper maps it. */
@DynamoDBTable(tableName = "orders")
public class MappedOrder {
  private String customer;
  private Integer at;
  private String status;
  private Integer amount;
  private String note;
  private Set<String> labels;
  private List<BigDecimal> numbers;
  private Set<ByteBuffer> binaries;
  private Map<String, Boolean> flags;
  private Address address;
  private Long expires;

  /** A part of an order. */
  @DynamoDBDocument
  public static class Address {
    private String city;
    private List<String> lines;

    public String getCity() {
      return city;
    }

    public void setCity(String city) {
      this.city = city;
    }

    public List<String> getLines() {
      return lines;
    }

    public void setLines(List<String> lines) {
      this.lines = lines;
    }
  }

  /** An order that DynamoDBMapper locks optimistically. */
  @DynamoDBTable(tableName = "orders")
  public static class Versioned extends MappedOrder {
    private Long version;

    @DynamoDBVersionAttribute
    public Long getVersion() {
      return version;
    }

    public void setVersion(Long version) {
      this.version = version;
    }
  }

  static MappedOrder of(String customer, int at) {
    var order = new MappedOrder();
    order.setCustomer(customer);
    order.setAt(at);
    return order;
  }

  static MappedOrder of(String customer, int at, int amount) {
    var order = of(customer, at);
    order.setAmount(amount);
    return order;
  }

  @DynamoDBHashKey
  public String getCustomer() {
    return customer;
  }

  public void setCustomer(String customer) {
    this.customer = customer;
  }

  @DynamoDBRangeKey
  @DynamoDBIndexRangeKey(globalSecondaryIndexName = "byStatus")
  public Integer getAt() {
    return at;
  }

  public void setAt(Integer at) {
    this.at = at;
  }

  @DynamoDBIndexHashKey(globalSecondaryIndexName = "byStatus")
  public String getStatus() {
    return status;
  }

  public void setStatus(String status) {
    this.status = status;
  }

  @DynamoDBIndexRangeKey(localSecondaryIndexName = "byAmount")
  public Integer getAmount() {
    return amount;
  }

  public void setAmount(Integer amount) {
    this.amount = amount;
  }

  public String getNote() {
    return note;
  }

  public void setNote(String note) {
    this.note = note;
  }

  public Set<String> getLabels() {
    return labels;
  }

  public void setLabels(Set<String> labels) {
    this.labels = labels;
  }

  public List<BigDecimal> getNumbers() {
    return numbers;
  }

  public void setNumbers(List<BigDecimal> numbers) {
    this.numbers = numbers;
  }

  public Set<ByteBuffer> getBinaries() {
    return binaries;
  }

  public void setBinaries(Set<ByteBuffer> binaries) {
    this.binaries = binaries;
  }

  public Map<String, Boolean> getFlags() {
    return flags;
  }

  public void setFlags(Map<String, Boolean> flags) {
    this.flags = flags;
  }

  public Address getAddress() {
    return address;
  }

  public void setAddress(Address address) {
    this.address = address;
  }

  public Long getExpires() {
    return expires;
  }

  public void setExpires(Long expires) {
    this.expires = expires;
  }
}
