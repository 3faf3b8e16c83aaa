package org.understudy.durability.proxy;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.understudy.replication.api.ReplayedState;
import org.understudy.replication.api.ResourceHome;

/**
 * The proxies of one service: begins and ends actions and transactions for all of them, and is their state for the container. A whole state
 * holds all replicated objects; an update, what their proxies have recorded. For one operation at a time.
 */
public final class DurableObjects implements ReplayedState {
  /** The bytes of the fingerprint in an update; a whole state has all. */
  private static final int SHORT_BYTES = 4;
  private static final int FINGERPRINT_BYTES = 16;

  private final ResourceHome<?> home;
  private final List<StateObjectProxy<?>> proxies = new ArrayList<>();
  /** Null until the first capture, when all proxies have been added. */
  private byte[] fingerprint;
  /** The number of nested actions that are open. */
  private int depth;
  private boolean undone;
  /** The thread that executes the open action, or null. */
  private Thread acting;
  /** The database transaction of the open action, or null. */
  private SqlAction action;
  /** The open transaction, or null. */
  private String transaction;
  /** The database transaction of the open transaction, which the container ends; null for none. */
  private SqlAction branch;
  /** The transaction that the current operation belongs to, or null. */
  private String entered;

  /** @param home undoes what an aborted action has changed */
  public DurableObjects(ResourceHome<?> home) {
    this.home = home;
  }

  /**
   * Adds a proxy; before the first operation, in the order of the mapping.
   *
   * @return the proxy
   */
  public <P extends StateObjectProxy<?>> P add(P proxy) {
    if (fingerprint != null) {
      throw new IllegalStateException("A proxy was added after the first operation.");
    }
    proxy.belongsTo(this);
    proxies.add(proxy);
    return proxy;
  }

  /** The proxy that was added with this number, from 0. */
  StateObjectProxy<?> proxy(int number) {
    return proxies.get(number);
  }

  // ---- actions

  /**
   * Begins an action: called at the beginning of an operation. An operation within an operation joins the action.
   *
   * @throws LockedObjectException when the objects are in a transaction that the operation does not belong to
   * @throws IllegalStateException when another thread executes an action
   */
  public void startA() {
    if (depth > 0 && !isActing()) {
      throw new IllegalStateException(
          "Two operations of a service are executed at once, and the durability mapping declares neither of them a read. Mark those that"
              + " the contract declares reads, by @Read or by <operation kind=\"read\"> in the mapping.");
    }
    if (depth == 0) {
      requireEntered();
      undone = false;
      proxies.forEach(StateObjectProxy::startA);
      acting = Thread.currentThread();
    }
    depth++;
  }

  /** Whether this thread executes an action. */
  boolean isActing() {
    return acting == Thread.currentThread();
  }

  private void requireEntered() {
    proxies.forEach(proxy -> proxy.requireUnlocked(entered));
    if (entered != null && transaction == null) {
      throw new IllegalStateException("The transaction of the operation has ended or did not begin here. Begin it again.");
    }
  }

  /**
   * Completes the action. The changes travel when the operation has ended.
   *
   * @throws IllegalStateException when an operation within this one was undone, or a database has stored other values than an object
   *     holds: then this one is undone too
   */
  public void commitA() {
    requireAction();
    if (depth == 1 && undone) {
      abortA();
      throw new IllegalStateException("An operation within this one failed, and its changes cannot be undone alone. All are undone.");
    }
    if (depth == 1) {
      compareWithStored();
    }
    depth--;
    if (depth == 0) {
      acting = null;
      proxies.forEach(StateObjectProxy::commitA);
      action = null;
    }
  }

  private void compareWithStored() {
    try {
      proxies.forEach(proxy -> {
        if (proxy instanceof DatabaseProxy<?> object) {
          object.compareWithStored();
        }
      });
    } catch (RuntimeException e) {
      abortA();
      throw e;
    }
  }

  /** Undoes the action, when the operation has ended; see {@link ResourceHome#discardChanges}. */
  public void abortA() {
    requireAction();
    depth--;
    undone = true;
    if (depth == 0) {
      acting = null;
      proxies.forEach(StateObjectProxy::abortA);
      action = null;
      if (transaction == null) {
        home.discardChanges();
      }
    }
  }

  private void requireAction() {
    if (depth == 0) {
      throw new IllegalStateException("No action is open.");
    }
  }

  // ---- transactions

  /** The operations that begin until {@link #leave} belong to this transaction. */
  public void enter(String id) {
    entered = id;
  }

  /** The operations that begin from now on belong to no transaction. */
  public void leave() {
    entered = null;
  }

  /**
   * Begins a transaction of all objects, outside any operation. Within it, {@link #startA} and {@link #commitA} do nothing.
   *
   * @throws LockedObjectException when the objects are in another transaction
   */
  public void startTA(String id) {
    proxies.forEach(proxy -> proxy.requireUnlocked(id));
    proxies.forEach(proxy -> proxy.startTA(id));
    transaction = id;
  }

  /**
   * Completes the transaction; what it has changed is part of the next update.
   *
   * <p>The database transaction is a branch of that update, which the container commits.
   *
   * @throws IllegalStateException when the objects are not in this transaction, or an operation of it failed; nothing is completed then
   */
  public void commitTA(String id) {
    if (!id.equals(transaction)) {
      throw new IllegalStateException("The objects are not in the transaction " + id + ". Begin it again.");
    }
    proxies.forEach(StateObjectProxy::requireCommittable);
    proxies.forEach(StateObjectProxy::commitTA);
    branch = null;
    transaction = null;
  }

  /** Undoes the transaction in memory, if the objects are in it. The container rolls its branch back. */
  public void abortTA(String id) {
    if (id.equals(transaction)) {
      branch = null;
      proxies.forEach(StateObjectProxy::abortTA);
      transaction = null;
    }
  }

  /** The database transaction of the open action or transaction, begun at its first use. */
  SqlAction sql(SqlDatabase database, boolean inTransaction) {
    if (inTransaction) {
      branch = branch == null ? database.begin() : branch;
      return branch;
    }
    action = action == null ? database.begin() : action;
    return action;
  }

  // ---- the container

  /**
   * Does what {@link #recover} would do and needs no fence. May be called by a backup, beside its operations. Blocks.
   *
   * @return false when a database object is not initialized so far: call this again later
   */
  boolean prepare() {
    boolean all = true;
    for (StateObjectProxy<?> proxy : proxies) {
      all &= !(proxy instanceof DatabaseProxy<?> object) || object.prepare();
    }
    return all;
  }

  /** Prepares all mechanisms, and loads or empties what this replica does not hold: it has become primary. Blocks. */
  public void recover() {
    proxies.forEach(StateObjectProxy::init);
    proxies.forEach(StateObjectProxy::recover);
  }

  /** The database has changed by itself: its objects are loaded again before their next use. Called beside operations. */
  void refresh() {
    proxies.forEach(proxy -> {
      if (proxy instanceof DatabaseProxy<?> object) {
        object.refresh();
      }
    });
  }

  @Override
  public String shape() {
    return HexFormat.of().formatHex(fingerprint());
  }

  /** Whether the database holds all objects, so that nothing is replicated. */
  boolean areInDatabase() {
    return !proxies.isEmpty() && proxies.stream().allMatch(DatabaseProxy.class::isInstance);
  }

  /** Empty when the operation has changed nothing that is replicated. */
  @Override
  public byte[] captureUpdate() {
    if (areInDatabase()) {
      proxies.forEach(proxy -> ((DatabaseProxy<?>) proxy).captured());
      return new byte[0];
    }
    UpdateWriter update = new UpdateWriter(Arrays.copyOf(fingerprint(), SHORT_BYTES));
    if (transaction == null) {
      for (int i = 0; i < proxies.size(); i++) {
        proxies.get(i).takeUpdate(i, update);
      }
    }
    return update.toBytes();
  }

  @Override
  public void applyUpdate(byte[] update) {
    end();
    UpdateWriter.Reader reader = reader(update);
    while (reader.hasNext()) {
      reader.next();
      proxies.get(reader.objectNumber()).applyUpdate(reader.kind(), reader.part());
    }
  }

  private UpdateWriter.Reader reader(byte[] update) {
    return new UpdateWriter.Reader(update, Arrays.copyOf(fingerprint(), SHORT_BYTES), "An update", proxies.size());
  }

  @Override
  public byte[] captureState() {
    UpdateWriter state = new UpdateWriter(fingerprint());
    proxies.forEach(proxy -> state.add(proxy.state()));
    return state.toBytes();
  }

  /** Replaces all replicated objects. An open action or transaction ends without its changes. */
  @Override
  public void restoreState(byte[] state) {
    end();
    List<byte[]> parts = parts(state);
    if (areInDatabase()) {
      // The state has no stamps of updates. What this replica holds is current, unless an update is undone.
      proxies.forEach(proxy -> ((DatabaseProxy<?>) proxy).undoCaptured());
      return;
    }
    for (int i = 0; i < parts.size(); i++) {
      proxies.get(i).restore(parts.get(i));
    }
  }

  private List<byte[]> parts(byte[] state) {
    UpdateWriter.Reader reader = new UpdateWriter.Reader(state, fingerprint(), "A state", proxies.size());
    List<byte[]> parts = new ArrayList<>();
    while (reader.hasNext()) {
      parts.add(reader.part());
    }
    if (parts.size() != proxies.size()) {
      throw UpdateWriter.Reader.damaged();
    }
    return parts;
  }

  @Override
  public List<String> compareReplay(byte[] before, List<byte[]> updates, byte[] after) {
    List<byte[]> first = parts(before);
    List<byte[]> next = parts(after);
    List<Replay<?>.Copy> copies = new ArrayList<>();
    for (int i = 0; i < proxies.size(); i++) {
      Replay<?> replay = proxies.get(i) instanceof ReplicationProxy<?> replicated ? replicated.replay() : null;
      copies.add(replay == null ? null : replay.new Copy(first.get(i)));
    }
    for (byte[] update : updates) {
      UpdateWriter.Reader reader = reader(update);
      while (reader.hasNext()) {
        reader.next();
        Replay<?>.Copy copy = copies.get(reader.objectNumber());
        byte[] part = reader.part();
        if (copy != null) {
          copy.apply(reader.kind(), part);
        }
      }
    }
    List<String> differences = new ArrayList<>();
    for (int i = 0; i < copies.size(); i++) {
      String difference = copies.get(i) == null ? null : copies.get(i).difference(next.get(i));
      if (difference != null) {
        differences.add(difference);
      }
    }
    return differences;
  }

  private void end() {
    depth = 0;
    acting = null;
    action = null;
    branch = null;
    transaction = null;
    proxies.forEach(StateObjectProxy::replaced);
  }

  private byte[] fingerprint() {
    if (fingerprint == null) {
      StringBuilder all = new StringBuilder();
      proxies.forEach(proxy -> all.append(proxy.name()).append(' ').append(proxy.description()).append('\n'));
      try {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(all.toString().getBytes(StandardCharsets.UTF_8));
        fingerprint = Arrays.copyOf(digest, FINGERPRINT_BYTES);
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("Every JVM has SHA-256.", e);
      }
    }
    return fingerprint;
  }
}
