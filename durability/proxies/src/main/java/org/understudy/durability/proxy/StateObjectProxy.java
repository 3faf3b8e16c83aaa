package org.understudy.durability.proxy;

/**
 * What all mechanisms share: the action or transaction that the object is in. Generated proxies extend one of the subclasses.
 *
 * @param <T> the interface of the state object
 */
public abstract sealed class StateObjectProxy<T> implements DurabilityProxy permits ReplicationProxy, LocalObjectProxy {
  private final String name;
  /** Set when the proxy is added to the objects of its service. */
  private DurableObjects objects;
  private boolean acting;
  /** The transaction that the object is in, or null. */
  private String transaction;
  private boolean doomed;

  StateObjectProxy(String name) {
    this.name = name;
  }

  @Override
  public final String name() {
    return name;
  }

  final void belongsTo(DurableObjects all) {
    if (objects != null) {
      throw new IllegalStateException("The proxy of " + name + " belongs to a service already.");
    }
    objects = all;
  }

  final DurableObjects objects() {
    return objects;
  }

  final boolean inTransaction() {
    return transaction != null;
  }

  /** Whether an action or a transaction is open. */
  final boolean isOpen() {
    return acting || transaction != null;
  }

  /**
   * Called before each change.
   *
   * @throws IllegalStateException when this thread executes no action: the change would not be completed, or belong to another operation
   */
  final void requireAction() {
    if (objects == null ? !isOpen() : !objects.isActing()) {
      throw new IllegalStateException(
          "An update method of the state object " + name + " was called outside an action, for example by an operation marked @Read or "
              + "by a thread of the service's own. Nothing was changed. Remove the mark, or use ResourceHome.update.");
    }
  }

  @Override
  public final void startA() {
    acting = acting || transaction == null;
    begun();
  }

  /** Called when an operation begins: what the one before it has changed stands, or has been undone. */
  void begun() {}

  @Override
  public final void commitA() {
    if (acting) {
      acting = false;
      complete();
    }
  }

  @Override
  public final void abortA() {
    if (acting) {
      acting = false;
      drop();
    }
    doomed = transaction != null;
  }

  @Override
  public final void startTA(String id) {
    if (acting) {
      throw new IllegalStateException("A transaction cannot begin within an operation on the state object " + name + ".");
    }
    requireUnlocked(id);
    if (transaction == null) {
      keep();
      transaction = id;
    }
  }

  /** @throws LockedObjectException when the object is in another transaction than this one; null: none */
  final void requireUnlocked(String id) {
    if (transaction != null && !transaction.equals(id)) {
      throw new LockedObjectException(
          "The state object " + name + " is locked by another transaction. Nothing was executed. Retry later.");
    }
  }

  /** @throws IllegalStateException when {@link #commitTA} would not complete the changes */
  final void requireCommittable() {
    if (transaction == null) {
      throw new IllegalStateException("The state object " + name + " is in no transaction. Begin the transaction again.");
    }
    if (doomed) {
      throw new IllegalStateException(
          "An operation of the transaction failed and changed the state object " + name + " in part. Abort the transaction.");
    }
  }

  @Override
  public final void commitTA() {
    requireCommittable();
    transaction = null;
    complete();
  }

  @Override
  public final void abortTA() {
    if (transaction != null) {
      transaction = null;
      doomed = false;
      undo();
    }
  }

  /** Ends what is open: the container has replaced the state. */
  final void replaced() {
    acting = false;
    transaction = null;
    doomed = false;
    drop();
  }

  /** Completes the changes since {@link #startA} or {@link #startTA}. */
  abstract void complete();

  /** Drops the changes since {@link #startA}. */
  abstract void drop();

  /** Keeps what {@link #undo} needs. */
  abstract void keep();

  /** Undoes the changes since {@link #keep}. */
  abstract void undo();

  /** Adds the completed changes to an update, and forgets them. */
  abstract void takeUpdate(int number, UpdateWriter update);

  /** Applies a part of an update that another replica's proxy has added. */
  abstract void applyUpdate(UpdateWriter.Kind kind, byte[] part);

  /** The state without open changes. */
  abstract byte[] state();

  /** Replaces the state by one that {@link #state} has returned at some replica. */
  abstract void restore(byte[] state);

  /** What the encoded form depends on. */
  abstract String description();
}
