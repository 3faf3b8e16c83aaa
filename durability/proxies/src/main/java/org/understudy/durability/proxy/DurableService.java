package org.understudy.durability.proxy;

import java.util.List;
import java.util.function.Supplier;
import org.understudy.replication.api.ReplayedState;
import org.understudy.replication.api.ResourceHome;
import org.understudy.replication.api.TransactionalState;

/**
 * What a generated service extends: it holds the proxies of the state objects and the service itself, made with the proxies, and begins
 * and ends an action in each operation that is not marked as a read. It is the state that the container replicates.
 */
public abstract class DurableService implements ReplayedState, TransactionalState {
  private final DurableObjects objects;

  /** @param home the service's home, from the container */
  protected DurableService(ResourceHome<?> home) {
    objects = new DurableObjects(home);
  }

  /** Adds a proxy, in the order of the mapping. */
  protected final <P extends StateObjectProxy<?>> P durable(P proxy) {
    return objects.add(proxy);
  }

  /** The proxies of the service. */
  public final DurableObjects durableObjects() {
    return objects;
  }

  /**
   * Returns a home for the service, whose own updates ({@link ResourceHome#update}) are actions too: of a thread that executes no
   * operation. What the change throws undoes all objects.
   *
   * @param home of this object, from the container
   * @param service returns the service, which such changes get; called when one runs
   */
  @SuppressWarnings("unchecked") // The service is the state that it sees.
  protected final <S> ResourceHome<S> homeOf(ResourceHome<?> home, Supplier<S> service) {
    return new DurableHome<>((ResourceHome<Object>) home, objects, service);
  }

  /** Begins the action of an operation. */
  protected final void startA() {
    objects.startA();
  }

  /**
   * Ends the action of an operation, in a {@code finally} block.
   *
   * @param keep true when the operation has returned, or has thrown a fault that keeps what was done; false undoes what it changed in
   *     all objects, while its exception becomes the answer
   * @throws IllegalStateException when an operation within this one was undone: then this one is undone too
   */
  protected final void endA(boolean keep) {
    if (keep) {
      objects.commitA();
    } else {
      objects.abortA();
    }
  }

  @Override
  public final void startTransaction(String transaction) {
    objects.startTA(transaction);
  }

  @Override
  public final void enter(String transaction) {
    objects.enter(transaction);
  }

  @Override
  public final void leave() {
    objects.leave();
  }

  @Override
  public final void commitTransaction(String transaction) {
    objects.commitTA(transaction);
  }

  @Override
  public final void abortTransaction(String transaction) {
    objects.abortTA(transaction);
  }

  @Override
  public final String shape() {
    return objects.shape();
  }

  @Override
  public final byte[] captureUpdate() {
    return objects.captureUpdate();
  }

  @Override
  public final void applyUpdate(byte[] update) {
    objects.applyUpdate(update);
  }

  @Override
  public final List<String> compareReplay(byte[] before, List<byte[]> updates, byte[] after) {
    return objects.compareReplay(before, updates, after);
  }

  @Override
  public final byte[] captureState() {
    return objects.captureState();
  }

  @Override
  public final void restoreState(byte[] state) {
    objects.restoreState(state);
  }
}
