package org.understudy.durability.compiler.shop;

import jakarta.jws.WebMethod;
import jakarta.jws.WebParam;
import jakarta.jws.WebResult;
import jakarta.jws.WebService;
import java.time.Instant;
import java.util.List;
import org.understudy.replication.api.Read;

/** A service, code-first. */
@WebService
public class Shop extends Counter {
  private static final Instant NOW = Instant.ofEpochSecond(1_000);

  private final Stock stock;
  private final Ledger ledger;
  private final Visitors visitors;

  /** The objects by their interfaces, in another order than that of the mapping. */
  public Shop(Ledger ledger, Stock stock, Visitors visitors) {
    this.ledger = ledger;
    this.stock = stock;
    this.visitors = visitors;
  }

  /** Three objects; throws before anything changes, or after one has changed. */
  @WebResult(name = "balance")
  public long buy(@WebParam(name = "customer") String customer, @WebParam(name = "item") String item, @WebParam(name = "count") int count)
      throws OutOfStock, Declined {
    visitors.came(customer);
    if (count == 13) {
      throw new Declined("Not thirteen.");
    }
    stock.take(item, count);
    return ledger.charge(customer, count, NOW);
  }

  /** One object twice, and calls of other operations. */
  public int restock(String service, int keep) throws OutOfStock, Declined {
    stock.add(new Item(service, keep, Item.Kind.COLD));
    stock.add(service, keep);
    buy("shop", service, 1);
    stock.recount();
    return look(service);
  }

  /** Changes two objects and fails in the third with an exception that is not declared. */
  public void lend(String customer, String item) {
    stock.add(item, 5);
    visitors.came(customer);
    ledger.charge(customer, -1, NOW);
  }

  /** Changes something and throws what the mapping keeps, though it is not declared. */
  public void visit(String customer) {
    visitors.came(customer);
    stock.add("flyer", 1);
    throw new IllegalStateException("Closed.");
  }

  /** Removes an item, if it is there. */
  public boolean discard(String item) {
    return stock.remove(item) != null;
  }

  /** Marked as a read. */
  @Read
  public int look(String item) {
    return stock.count(item);
  }

  /** A read by the mapping. */
  public List<String> list() {
    return stock.names();
  }

  /** Marked as a read, by mistake. */
  @Read
  public void wrong(String item) {
    stock.add(item, 1);
  }

  /** A read by the mapping. */
  public String state(String customer) {
    return stock.names() + " " + ledger.balance(customer) + " " + visitors.count();
  }

  /** No operation. */
  @WebMethod(exclude = true)
  public void hidden() {}
}
