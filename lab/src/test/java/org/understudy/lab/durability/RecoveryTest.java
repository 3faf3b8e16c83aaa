package org.understudy.lab.durability;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.lab.durability.counter.CounterPortType;
import org.understudy.lab.durability.counter.CounterService;
import org.understudy.lab.durability.counter.CounterSetState;

/** The measurement of recoveries, at counters without a network: that all is measured, checked and written, not what comes out. */
class RecoveryTest {
  private static final Scale SCALE = RoundsTest.SCALE;

  @TempDir Path out;

  /** Counters that a failure empties, or not. */
  private static final class Failing implements RecoveredGroup, CounterPortType {
    private final boolean keeps;
    private CounterService service = new CounterService(new CounterSetState());
    private int killed;
    private int failures;

    Failing(boolean keeps) {
      this.keeps = keeps;
    }

    private synchronized void fail(int replica) {
      killed = replica;
      failures++;
      service = keeps ? service : new CounterService(new CounterSetState());
    }

    @Override
    public int killPrimary() {
      fail(2);
      return 2;
    }

    @Override
    public void killAll() {
      fail(0);
    }

    @Override
    public void awaitViewWithout(int replica) {
      assertEquals(2, replica);
    }

    @Override
    public void awaitProcess() {}

    @Override
    public synchronized void restart(int replica) {
      assertEquals(killed, replica);
    }

    @Override
    public void restartAll() {}

    @Override
    public synchronized long add(int counter, long amount) {
      return service.add(counter, amount);
    }

    @Override
    public synchronized int open(int first, int count) {
      return service.open(first, count);
    }

    @Override
    public synchronized long value(int counter) {
      return service.value(counter);
    }

    @Override
    public synchronized int count() {
      return service.count();
    }

    @Override
    public synchronized long total() {
      return service.total();
    }
  }

  private static int measure(Recovery recovery, Mechanism mechanism, boolean keeps) throws Exception {
    Failing group = new Failing(keeps);
    recovery.measure(mechanism, group, Collections.nCopies(4, group), share -> {});
    return group.failures;
  }

  @Test
  void everyRecoveryIsMeasuredAndWritten() throws Exception {
    Recovery recovery = new Recovery(SCALE);
    for (Mechanism mechanism : Mechanism.values()) {
      assertEquals(2 * SCALE.failures(), measure(recovery, mechanism, mechanism != Mechanism.reconstruction), mechanism.label());
    }
    Results results = new Results(null, null, null, recovery);
    RecoveryTables.write(recovery, out);
    Tables.write(Relations.of(results), out);
    new Report(results, SCALE, 2).write(out.resolve("report.html"));
    RoundsTest.assertRows(out, "recovery.csv", 4 * 2 * SCALE.failures());
    RoundsTest.assertRows(out, "relations.csv", 4);
    assertTrue(Files.readString(out.resolve("report.html")).contains("Recovery (IV.A)"));
  }

  @Test
  void lostCountersEndTheRun() {
    for (Mechanism mechanism : List.of(Mechanism.replication, Mechanism.database, Mechanism.journal)) {
      IOException failure = assertThrows(IOException.class, () -> measure(new Recovery(SCALE), mechanism, false), mechanism.label());
      assertTrue(failure.getMessage().contains("counters with the sum"), failure.getMessage());
    }
  }

  @Test
  void countersThatSurviveWithoutAMechanismEndTheRun() {
    IOException failure = assertThrows(IOException.class, () -> measure(new Recovery(SCALE), Mechanism.reconstruction, true));
    assertTrue(failure.getMessage().contains("no mechanism keeps"), failure.getMessage());
  }
}
