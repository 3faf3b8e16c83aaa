package org.understudy.wsrf.resource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.understudy.container.SingleReplica;
import org.understudy.container.execution.Execution;
import org.understudy.replication.api.IncrementalState;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.UnknownResourceException;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.runtime.Call;
import org.understudy.replication.runtime.Replica;
import org.understudy.replication.runtime.state.StateListener;

/** States that travel as changes: what an update holds, when the whole state replaces them, and how objects are restored. */
public class IncrementalStateTest {
  private Replica replica;
  private final Map<String, byte[]> stored = new HashMap<>();
  private final List<StateChange> last = new ArrayList<>();

  /** A text that only grows. */
  static final class Journal implements IncrementalState {
    final StringBuilder text = new StringBuilder();
    private int captured;
    private boolean unknown;
    int restores;

    void write(String more) {
      text.append(more);
    }

    /** Replaces the text: not an update that can be appended. */
    void rewrite(String all) {
      text.setLength(0);
      text.append(all);
      unknown = true;
    }

    @Override
    public byte[] captureState() {
      captured = text.length();
      unknown = false;
      return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void restoreState(byte[] state) {
      restores++;
      text.setLength(0);
      applyUpdate(state);
      unknown = false;
    }

    @Override
    public byte[] captureUpdate() {
      byte[] update = unknown ? null : text.substring(captured).getBytes(StandardCharsets.UTF_8);
      captured = text.length();
      return update;
    }

    @Override
    public void applyUpdate(byte[] update) {
      text.append(new String(update, StandardCharsets.UTF_8));
      captured = text.length();
    }
  }

  /** One service whose resources are journals. */
  private final class Site {
    final Resources resources;
    final ServiceHome home;

    Site(Journal itself, boolean replicated) {
      resources =
          new Resources(replica, replicated, () -> itself == null ? new Journal() : itself, "http://here/services/Journal", 1_000);
      resources.storeUpdates();
      home = new ServiceHome(resources, Duration.ofMinutes(1));
      if (itself != null) {
        resources.begin(itself);
      }
    }

    String create(String text) {
      long token = token();
      ResourceTransaction transaction = home.enter(null, false);
      Journal made = new Journal();
      made.write(text);
      String id = home.create(made);
      end(home, token, transaction);
      return id;
    }

    void update(String id, Runnable operation) {
      long token = token();
      ResourceTransaction transaction = home.enter(id, false);
      operation.run();
      end(home, token, transaction);
    }

    Journal journal() {
      return (Journal) home.current();
    }

    void write(String id, String more) {
      update(id, () -> journal().write(more));
    }

    String read(String id) {
      ResourceTransaction transaction = home.enter(id, true);
      try {
        return journal().text.toString();
      } finally {
        home.unbind();
        transaction.release();
      }
    }
  }

  @BeforeEach
  void open() throws Exception {
    replica = SingleReplica.open();
    replica.observe(
        new StateListener() {
          @Override
          public void applied(List<StateChange> changes) {
            last.clear();
            last.addAll(changes);
            StateListener.super.applied(changes);
          }

          @Override
          public void onChange(String key, byte[] state) {
            stored.put(key, state);
            stored.values().remove(null);
          }

          @Override
          public void onReset() {
            stored.clear();
          }
        });
  }

  @AfterEach
  void close() {
    replica.close();
  }

  private long token() {
    AtomicLong token = new AtomicLong();
    replica.submit(
        new Request(null, 0, Request.Kind.UPDATE, (ReadLevel) null, VersionHandle.INITIAL, 0, ""),
        new Call() {
          @Override
          public void execute(long granted, Request.Kind what) {
            token.set(granted);
          }

          @Override
          public void reply(Reply reply) {}

          @Override
          public void fail(Failure failure) {}
        });
    return token.get();
  }

  private void end(ServiceHome home, long token, ResourceTransaction transaction) {
    home.unbind();
    Execution execution = new Execution(replica, token, true);
    execution.entered(transaction);
    execution.capture();
    execution.end(Response.EMPTY);
  }

  @Test
  void aSmallUpdateOfALargeStateIsSmall() {
    Site site = new Site(null, true);
    String id = site.create("x".repeat(1_000_000));
    site.write(id, "y");
    assertEquals(2, last.size());
    assertTrue(last.stream().mapToInt(change -> change.state().length).sum() < 20, last.toString());
    // Another replica of the service has no objects yet.
    assertEquals(1_000_001, new Site(null, true).read(id).length());
    assertEquals(1_000_001, site.read(id).length());
  }

  @Test
  void theWholeStateReplacesTheUpdatesWhenTheyAreAsLarge() {
    Site site = new Site(null, true);
    String id = site.create("");
    StringBuilder expected = new StringBuilder();
    long most = 0;
    int checkpoints = 0;
    for (int i = 0; i < 2_000; i++) {
      String more = i + ",";
      expected.append(more);
      site.write(id, more);
      checkpoints += last.stream().anyMatch(change -> change.resource().startsWith(StoredState.WHOLES) && change.state() != null) ? 1 : 0;
      most = Math.max(most, stored.entrySet().stream().mapToLong(part -> StateChange.bytes(part.getKey(), part.getValue().length)).sum());
    }
    assertTrue(checkpoints > 3 && checkpoints < 100, checkpoints + " checkpoints");
    assertTrue(most < 2 * (StoredState.MIN_BYTES + expected.length()), most + " bytes");
    assertEquals(expected.toString(), new Site(null, true).read(id));
  }

  @Test
  void theNumberOfUpdatesIsLimitedToo() {
    Site site = new Site(null, true);
    String id = site.create("x".repeat(3_000_000));
    for (int i = 0; i < StoredState.MAX_UPDATES; i++) {
      site.write(id, "y");
    }
    assertEquals(StoredState.MAX_UPDATES + 2, stored.size());
    site.write(id, "z");
    assertEquals(2, stored.size());
    assertTrue(new Site(null, true).read(id).endsWith("yyz"));
  }

  @Test
  void anUnknownChangeStoresTheWholeState() {
    Site site = new Site(null, true);
    String id = site.create("abc");
    site.write(id, "d");
    site.update(id, () -> site.journal().rewrite("new"));
    site.write(id, "er");
    assertEquals("newer", new Site(null, true).read(id));
  }

  @Test
  void whatChangesNothingStoresNothing() {
    Site site = new Site(null, true);
    String id = site.create("abc");
    long version = replica.version(id);
    site.update(id, site::journal);
    assertEquals(version, replica.version(id));
  }

  @Test
  void aRollbackRestoresTheWholeStateAndTheUpdates() {
    Site site = new Site(null, true);
    String id = site.create("a");
    site.write(id, "b");
    long token = token();
    ResourceTransaction transaction = site.home.enter(id, false);
    site.journal().write("lost");
    transaction.rollBack();
    replica.abandoned(token);
    site.home.unbind();
    transaction.release();
    site.write(id, "c");
    assertEquals("abc", site.read(id));
    assertEquals("abc", new Site(null, true).read(id));
  }

  @Test
  void aCopyForReadsShowsTheUpdates() {
    Site site = new Site(null, true);
    String id = site.create("a");
    site.write(id, "b");
    ResourceTransaction update = site.home.enter(id, false);
    site.journal().write("later");
    ResourceTransaction read = site.resources.transaction(id, true);
    assertTrue(!read.request(() -> {}) && read.readCopy());
    assertEquals("ab", ((Journal) read.object()).text.toString());
    read.release();
    site.home.unbind();
    update.rollBack();
    update.release();
  }

  @Test
  void aDestroyedResourceLeavesNoParts() {
    Site site = new Site(null, true);
    String id = site.create("a");
    site.write(id, "b");
    site.update(id, site.home::destroyCurrent);
    assertEquals(Map.of(), stored);
    assertThrows(UnknownResourceException.class, () -> site.read(id));
    assertNull(replica.state(id));
  }

  /** The first update of a service stores the whole state: initial states may differ between replicas. */
  @Test
  void aServiceThatKeepsItsStateInItself() {
    Journal itself = new Journal();
    itself.write("initial,");
    Site site = new Site(itself, true);
    assertEquals("initial,", site.read(Resources.SERVICE));
    site.write(Resources.SERVICE, "a");
    site.write(Resources.SERVICE, "b");
    assertEquals("initial,ab", new Site(new Journal(), true).read(Resources.SERVICE));
    assertEquals(1, itself.restores, "once, from the initial state: the replica that executes keeps its object");
  }

  @Test
  void discardedChangesAreUndoneAndLeaveNoUpdate() {
    Site site = new Site(null, true);
    String id = site.create("a");
    site.write(id, "b");
    long version = replica.version(id);
    last.clear();
    site.update(id, () -> {
      site.journal().write("lost");
      site.home.create(new Journal());
      site.home.discardChanges();
      site.journal().write("and this");
    });
    assertEquals(version, replica.version(id));
    assertEquals(List.of(), last);
    assertEquals("ab", site.read(id));
    site.write(id, "c");
    assertEquals("abc", site.read(id));
    assertThrows(
        IllegalStateException.class,
        () -> {
          ResourceTransaction read = site.home.enter(id, true);
          try {
            site.home.discardChanges();
          } finally {
            site.home.unbind();
            read.release();
          }
        });
  }

  /** Without replication, states are captured too: there must be something to go back to. */
  @Test
  void discardedChangesAreUndoneWithoutReplicationToo() {
    Site site = new Site(new Journal(), false);
    site.write(Resources.SERVICE, "a");
    site.update(Resources.SERVICE, () -> {
      site.journal().write("lost");
      site.home.discardChanges();
    });
    assertEquals("a", site.read(Resources.SERVICE));
  }

  @Test
  void positionsAreReadBackAndDamagedOnesRefused() {
    StoredState.Position position = new StoredState.Position(300, 4, 1L << 40, 0);
    assertEquals(position, StoredState.Position.of(position.toBytes()));
    byte[] bytes = position.toBytes();
    for (byte[] damaged : List.of(new byte[0], new byte[] {1, 2, 3}, new byte[] {1, 2, 3, 4, 5}, new byte[] {-1, -1, -1, -1})) {
      assertThrows(IllegalArgumentException.class, () -> StoredState.Position.of(damaged));
    }
    assertTrue(bytes.length < 12);
  }
}
