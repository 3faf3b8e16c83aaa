package org.understudy.wsrf.resource;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.UnaryOperator;
import org.understudy.replication.api.DelegatedState;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.Outgoing;
import org.understudy.replication.api.ResourceHome;
import org.understudy.replication.api.UnknownResourceException;
import org.understudy.replication.api.UpdateFailedException;
import org.understudy.replication.api.decision.Branch;
import org.understudy.replication.api.decision.DatabaseBacked;
import org.w3c.dom.Element;

/** The resource home of a service object. Each call applies to the transaction that is bound to the calling thread. */
public final class ServiceHome implements ResourceHome<Object> {
  private static final String STOPPED = "The service has been stopped at this replica. Nothing was executed. Retry later.";

  private final ThreadLocal<ResourceTransaction> current = new ThreadLocal<>();
  private final Resources resources;
  private final long patienceNanos;
  private volatile boolean lifetimes;
  /** Null when no database decides the updates of the service. */
  private volatile DatabaseBacked database;
  /** Null before the service is deployed. */
  private volatile InternalUpdates updates;
  private final UpdateResults results = new UpdateResults();
  private volatile boolean closed;
  private volatile UnaryOperator<String> settings = key -> null;

  /** A home whose resources may have a termination time; see the other constructor. */
  public ServiceHome(Resources resources, Duration patience) {
    this(resources, patience, true);
  }

  /**
   * @param patience how long a request waits for the operations before it on the same resource
   * @param lifetimes whether the deployment ends resources at their termination time; without, none can be set
   */
  public ServiceHome(Resources resources, Duration patience, boolean lifetimes) {
    this.resources = resources;
    this.patienceNanos = patience.toNanos();
    this.lifetimes = lifetimes;
  }

  /** From now on, no resource may have a termination time. */
  public void withoutLifetimes() {
    lifetimes = false;
  }

  /**
   * Begins a transaction and binds it to the calling thread, which blocks until the resource's lock is granted.
   *
   * @param id null when the request names no resource
   * @throws OccupiedResourceException when the lock is not granted in time, or the service has stopped
   */
  public ResourceTransaction enter(String id, boolean read) {
    requireOpen();
    ResourceTransaction transaction = BlockingTransactions.begin(resources, id, read, patienceNanos);
    current.set(transaction);
    return transaction;
  }

  /**
   * Requests the lock for a transaction, which {@link #begin} begins when it is granted.
   *
   * @param id null when the request names no resource
   */
  public LockRequest request(String id, boolean read) {
    return request(id, read, null);
  }

  /**
   * The same with a priority.
   *
   * @param priority of the request among those that wait for the resource, a higher one first; called at once, if the request has to
   *     wait. Null: the request comes before those with a priority
   */
  public LockRequest request(String id, boolean read, IntSupplier priority) {
    return new LockRequest(resources.transaction(id, read), priority);
  }

  /**
   * Begins a transaction that has its lock, and binds it to the calling thread.
   *
   * @throws OccupiedResourceException when the service has stopped; the lock is released
   * @throws RuntimeException when the state cannot be restored; the lock is released
   */
  public void begin(ResourceTransaction transaction) {
    if (closed) {
      transaction.release();
    }
    requireOpen();
    current.set(BlockingTransactions.begun(transaction));
  }

  /** The service has stopped: no further operation begins. */
  public void close() {
    closed = true;
  }

  /** @throws OccupiedResourceException when the service has stopped */
  public void requireOpen() {
    if (closed) {
      throw new OccupiedResourceException(STOPPED);
    }
  }

  /** How long a request may wait for the lock, in milliseconds. */
  public long patienceMs() {
    return TimeUnit.NANOSECONDS.toMillis(patienceNanos);
  }

  /** Binds a transaction that another thread began to the calling thread. */
  public void bind(ResourceTransaction transaction) {
    current.set(transaction);
  }

  /** Removes the calling thread's binding. */
  public void unbind() {
    current.remove();
  }

  /** Sets what executes the service's own updates; during deployment. */
  public void updateThrough(InternalUpdates executor) {
    this.updates = executor;
  }

  @Override
  public CompletableFuture<Void> update(String id, Consumer<? super Object> change) {
    if (current.get() != null) {
      throw new IllegalStateException(
          "ResourceHome.update is for threads that execute no operation. Change the state directly within an operation.");
    }
    InternalUpdates executor = updates;
    if (executor == null) {
      throw new IllegalStateException("The service is not deployed yet. Call ResourceHome.update after its constructor.");
    }
    if (id != null && id.indexOf('/') >= 0) {
      return CompletableFuture.failedFuture(new UnknownResourceException("The resource " + id + " is unknown."));
    }
    if (closed) {
      return CompletableFuture.failedFuture(stopped());
    }
    CompletableFuture<Void> outcome = results.open();
    if (outcome == null) {
      return CompletableFuture.failedFuture(
          new UpdateFailedException(
              FailureCode.Overloaded,
              "Too many updates of the service are in progress, or their futures run code that does not return. Retry later."));
    }
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    executor.run(
        id == null ? Resources.SERVICE : id,
        transaction -> change(transaction, change, thrown),
        () -> results.complete(outcome, thrown.get()),
        failure -> results.complete(outcome, new UpdateFailedException(failure.code(), failure.sentence())));
    return outcome;
  }

  /** What the service throws undoes its change and is no failure of the replica: the future reports it. */
  private boolean change(ResourceTransaction transaction, Consumer<Object> change, AtomicReference<Throwable> thrown) {
    boolean stopped = closed;
    thrown.set(stopped ? stopped() : null);
    if (stopped) {
      return false;
    }
    current.set(transaction);
    try {
      change.accept(current());
      return true;
    } catch (RuntimeException | Error e) {
      thrown.set(e);
      return false;
    } finally {
      current.remove();
    }
  }

  private static UpdateFailedException stopped() {
    return new UpdateFailedException(FailureCode.NotReady, STOPPED);
  }

  /** Ends the threads that complete the futures of updates, after what executes the updates is closed. */
  public void endUpdates() {
    results.close();
  }

  private ResourceTransaction transaction() {
    ResourceTransaction transaction = current.get();
    if (transaction == null) {
      throw new IllegalStateException(
          "Only the thread of a request may use a resource home, and only until the operation returns.");
    }
    return transaction;
  }

  private ResourceTransaction withResources() {
    ResourceTransaction transaction = transaction();
    if (Resources.SERVICE.equals(transaction.key())) {
      throw new IllegalStateException(
          "The service keeps its state in itself and has no other resources. Name the class of its resources in @ResourceState.");
    }
    return transaction;
  }

  @Override
  public Object current() {
    return DelegatedState.targetOf(transaction().current());
  }

  @Override
  public String create(Object object) {
    return create(object, null);
  }

  @Override
  public String create(Object object, Instant terminationTime) {
    if (terminationTime != null && !lifetimes) {
      throw new IllegalStateException(
          "The resource was not created: it has a termination time, and this service is deployed without lifetimes: "
              + "understudy.wsrf=off, or CXF authenticates its messages.");
    }
    return withResources().create(resources.stateOf(object), terminationTime);
  }

  @Override
  public void publish(String topic, Element message) {
    transaction().publish(topic, message);
  }

  @Override
  public void destroyCurrent() {
    withResources().destroyCurrent();
  }

  @Override
  public void discardChanges() {
    transaction().discard();
  }

  /** From now on, operations may enlist a branch; during deployment. */
  public void permitBranches(DatabaseBacked service) {
    database = service;
  }

  /** The service if a database decides its updates; null otherwise. */
  public DatabaseBacked database() {
    return database;
  }

  @Override
  public void enlist(Branch branch) {
    ResourceTransaction operation = transaction();
    if (database == null) {
      throw new IllegalStateException(
          "The branch was not enlisted: the service does not implement DatabaseBacked, so no database decides its updates.");
    }
    operation.enlist(branch);
  }

  @Override
  public Outgoing outgoing() {
    return call -> transaction().send(call);
  }

  /** Sets what returns the settings that a service's libraries may read; during deployment. */
  public void settings(UnaryOperator<String> values) {
    this.settings = values;
  }

  @Override
  public String setting(String key) {
    return settings.apply(key);
  }

  @Override
  public String address(String resourceId) {
    return resources.address(resourceId);
  }
}
