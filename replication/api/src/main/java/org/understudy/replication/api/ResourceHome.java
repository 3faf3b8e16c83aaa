package org.understudy.replication.api;

import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.understudy.replication.api.decision.Branch;
import org.w3c.dom.Element;

/**
 * Where a service finds the WS-Resource that a request addresses, and creates or destroys one. The container gives a
 * service its home; a service keeps no map of its own.
 *
 * <p>Thread-safe, but each method belongs to a request that is being executed: called by any other thread, or after the
 * operation has returned, it throws {@link IllegalStateException}. {@link #update} and {@link #address} are for every thread.
 *
 * @param <T> the state object of one resource: a class that implements {@link StateCapture} or is marked with
 *     {@link ReplicatedState}
 */
public interface ResourceHome<T> {
  /**
   * The resource that the request's endpoint reference names, by reference parameter or in the URL. Only this request
   * uses it until the operation returns; a {@link Read} shares it with other reads.
   *
   * @throws UnknownResourceException when the request names none or one that does not exist; let it pass, the caller
   *     then gets the fault
   */
  T current();

  /**
   * Adds a resource under a new random id; it exists on every replica once the operation's update is stable.
   *
   * @return the id, for {@link #address(String)}
   */
  String create(T resource);

  /**
   * Adds a resource that ends by itself unless its termination time is changed (WS-ResourceLifetime 1.2, section 5).
   *
   * @param terminationTime by the clock of the replica that is then primary; null: never by itself
   * @return the id, for {@link #address(String)}
   */
  String create(T resource, Instant terminationTime);

  /**
   * Publishes a message for all who subscribed to the topic at the resource that the request addresses, or at the service.
   * It is sent when the operation's update is stable, and not at all if the update comes to nothing.
   *
   * @param topic a path that the service declares with {@link Topics}
   * @param message copied; at most 1 MiB as text
   * @throws IllegalArgumentException when no such topic is declared, or the message is too long
   */
  void publish(String topic, Element message);

  /** Ends the resource the request addresses, when the operation's update is stable. */
  void destroyCurrent();

  /**
   * Makes the operation's update take effect only if this branch commits: state, response and database change together or not at all.
   * The container ends the branch. Only for a service that implements {@link
   * org.understudy.replication.api.decision.DatabaseBacked}.
   *
   * @throws IllegalStateException in a {@link Read}, when the operation has a branch already, or when the strategy or the service
   *     does not permit branches; the branch is then still the caller's
   */
  default void enlist(Branch branch) {
    throw new IllegalStateException("This home does not support branches in a database.");
  }

  /**
   * Undoes everything that the operation changes, also after this call: state, resources, messages, outgoing calls and its branch. What
   * the operation returns or throws stands: it is stored and replayed as usual. The undoing happens when the operation has ended.
   *
   * @throws IllegalStateException in a {@link Read}, which changes nothing
   */
  default void discardChanges() {
    throw new IllegalStateException("This home cannot undo what an operation has changed.");
  }

  /** Calls to other services, as part of the operation's update. */
  Outgoing outgoing();

  /**
   * Changes a resource outside any operation: for background threads, timers and listeners of the service. The change is an update of
   * its own, which waits for the operations on the resource, is replicated like an operation, and is undone if it throws. Within it
   * this home works as in an operation.
   *
   * <p>Every replica has its own instance of the service, with its own background threads. Only the replica that executes updates can
   * change state; at another one the update fails with {@link FailureCode#NotPrimary}. So let the thread of every replica
   * try, and ignore that failure. An update that fails with {@link FailureCode#OutcomeUnknown} may have been executed: it has no
   * identity by which a repetition could be recognised.
   *
   * <p>Any thread may call this, except one that executes an operation or a change. Never blocks. Do not wait for the result while
   * an operation on the resource waits for the calling thread.
   *
   * @param id of the resource; null for a service that keeps its state in itself
   * @param change gets the state object; runs on a thread of the container, should return soon, and may run again after its first
   *     run was undone
   * @return completes when the update is stable; or fails with what {@code change} threw, with
   *     {@link UnknownResourceException}, or with {@link UpdateFailedException}. Its dependent stages run on one of four threads that
   *     do nothing else: a stage that blocks delays no replica, but may delay the results of other updates. {@link FailureCode#Overloaded}
   *     when 10,000 futures are open or their stages have not returned, when the update would exceed a limit of the group on bytes
   *     of state, resources or outgoing calls, or when the database has ended the update's transaction in each of 5 runs;
   *     {@link FailureCode#TooLarge} when the resource's state would be too large
   * @throws IllegalStateException within an operation: change the state directly there
   */
  CompletableFuture<Void> update(String id, Consumer<? super T> change);

  /** The URL of a resource at this replica, with the id in it; endpoint references add it as a parameter too. */
  String address(String resourceId);

  /**
   * Returns a setting of the deployment for a library that the service uses, such as that of its database.
   *
   * @param key for example {@code understudy.database.url}
   * @return null when the deployment does not set it, or does not show it to services
   */
  default String setting(String key) {
    return null;
  }
}
