package org.understudy.container.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import jakarta.annotation.Resource;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.xml.ws.WebServiceContext;
import jakarta.xml.ws.WebServiceRef;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.logging.Level;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.understudy.test.LogRecorder;

/** Declarations of a service that deserve a warning, and those that do not. */
class OutsideEffectsTest {
  /** With a database, in each way. */
  static class Base {
    private static int counter;
    @Resource DataSource orders;

    static int next() {
      return ++counter;
    }
  }

  /** Inherits, and adds. */
  static class Shop extends Base {
    static String last = "";
    private static final TreeSet<String> CONSTANT = new TreeSet<>();
    @PersistenceContext EntityManager entities;
    @WebServiceRef Runnable stock;

    Shop(PooledSource source) {
      CONSTANT.add(String.valueOf(source));
    }

    void setArchive(DataSource archive) {
      last = String.valueOf(archive);
    }
  }

  /** A data source of a library. */
  interface PooledSource extends DataSource {}

  /** The state of one resource. */
  static class Order {
    static long orders;
    long created = Instant.now().toEpochMilli() + orders;
  }

  /** Everything here is fine. */
  static class Quiet {
    private static final String NAME = "quiet";
    @Resource WebServiceContext context;
    private final Random chance = new Random();

    int roll() {
      return chance.nextInt() + NAME.length();
    }
  }

  private static List<String> warnings(Class<?> service, Class<?> state) {
    try (LogRecorder log = LogRecorder.of(Level.WARNING, OutsideEffects.class.getName())) {
      OutsideEffects.warn(service, state);
      return log.lines().stream().map(line -> line.replace(OutsideEffectsTest.class.getName() + "$", "")).sorted().toList();
    }
  }

  private static String gets(String type, String what, String where) {
    return type + " gets a " + what + " in " + where + ". What it does there is not replicated, not undone with an execution, and "
        + "repeated at a failover. Call services through ResourceHome.outgoing(), and let anything else recognise a repetition. See "
        + "\"What a service must not do\" in docs/services.md.";
  }

  private static String variable(String field) {
    return "The static field " + field + " can change and is not replicated: each replica has its own value. Keep it in the state, "
        + "or make it final.";
  }

  @Test
  void databasesClientsAndVariablesAreNamedWhereverTheyAreDeclared() {
    assertEquals(
        List.of(
            gets("Base", "javax.sql.DataSource", "the field orders"),
            gets("Shop", "PooledSource", "its constructor"),
            gets("Shop", "jakarta.persistence.EntityManager", "the field entities"),
            gets("Shop", "java.lang.Runnable", "the field stock"),
            gets("Shop", "javax.sql.DataSource", "the method setArchive"),
            variable("Base.counter"), variable("Order.orders"), variable("Shop.last")),
        warnings(Shop.class, Order.class));
  }

  @Test
  void timeChanceConstantsAndTheContextOfTheCallAreFine() {
    assertEquals(List.of(), warnings(Quiet.class, Quiet.class));
  }

  @Test
  void aClassIsNamedOnceWhenTheServiceIsItsOwnState() {
    assertEquals(List.of(variable("Order.orders")), warnings(Order.class, Order.class));
  }
}
