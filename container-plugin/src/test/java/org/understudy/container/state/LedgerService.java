package org.understudy.container.state;

import jakarta.jws.WebMethod;
import jakarta.jws.WebParam;
import jakarta.jws.WebResult;
import jakarta.jws.WebService;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.understudy.replication.api.ReplicatedState;

/** An ordinary JAX-WS class: it marks its state, and has no code that captures it. */
@WebService(targetNamespace = "urn:ledger")
public class LedgerService {
  /** The accounts of one owner share it. */
  static class Owner {
    private final String name;
    private final List<Account> accounts = new ArrayList<>();

    Owner(String name) {
      this.name = name;
    }
  }

  record Booking(BigDecimal amount, Instant at) {}

  static class Account {
    private final Owner owner;
    private final List<Booking> bookings = new ArrayList<>();

    Account(Owner owner) {
      this.owner = owner;
      owner.accounts.add(this);
    }
  }

  @ReplicatedState private final Map<String, Account> accounts = new ConcurrentHashMap<>();
  @ReplicatedState private final Map<String, Owner> owners = new TreeMap<>();
  @ReplicatedState private int bookings;
  /** Counts executions in this process. */
  private final transient AtomicInteger executions = new AtomicInteger();

  /** Books an amount, and returns how many bookings there are. */
  @WebMethod
  @WebResult(name = "number")
  public int book(
      @WebParam(name = "owner") String owner, @WebParam(name = "account") String account, @WebParam(name = "amount") String amount) {
    executions.incrementAndGet();
    Account booked = accounts.computeIfAbsent(account, id -> new Account(owners.computeIfAbsent(owner, Owner::new)));
    booked.bookings.add(new Booking(new BigDecimal(amount), Instant.now()));
    return ++bookings;
  }

  /** Adds up all accounts of an account's owner, which it finds through the account. */
  @WebMethod
  @WebResult(name = "sum")
  public String sum(@WebParam(name = "account") String account) {
    BigDecimal sum = BigDecimal.ZERO;
    Owner owner = accounts.get(account).owner;
    for (Account one : owner.accounts) {
      for (Booking booking : one.bookings) {
        sum = sum.add(booking.amount());
      }
    }
    return owner.name + " " + sum + " " + bookings;
  }
}
