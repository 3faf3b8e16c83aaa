package org.understudy.replication.core.group;

import java.util.List;
import java.util.Map;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.certification.Certification;
import org.understudy.replication.core.session.Execution;
import org.understudy.replication.core.session.GroupState;
import org.understudy.replication.core.store.Item;
import org.understudy.replication.core.update.StateChange;

/**
 * What the certification of this replica's runs would decide now. A run that would be refused is not proposed; for one that would not be,
 * its place decides.
 */
final class LocalCertification {
  private final ReplicaSetup setup;
  private final CertifiedOrder order;
  private final GroupState state;

  LocalCertification(ReplicaSetup setup, CertifiedOrder order) {
    this.setup = setup;
    this.order = order;
    this.state = order.requests().state();
  }

  /** The turns of this epoch that exclude other runs. */
  List<Item.Turn> openTurns() {
    return state.certification().openTurns(order.epoch());
  }

  /** The open turn of this replica and number, or null. */
  Item.Turn openTurn(long number) {
    return state.certification().openTurn(order.epoch(), setup.self(), number);
  }

  /**
   * Whether another run has a turn that excludes this one.
   *
   * @param turn the number of the turn that it has itself; 0 for none
   */
  boolean isExcluded(Execution execution, long turn) {
    return execution.isRun()
        && state.certification()
            .isDeferred(order.epoch(), execution.versions().keySet(), execution.changes(), openTurn(turn));
  }

  /** Whether another run has a turn that excludes the next run of the execution, if that touches what the last one has touched. */
  boolean mayBeExcluded(Execution suspended) {
    Certification certification = state.certification();
    return suspended.touched() == null
        ? !certification.openTurns(order.epoch()).isEmpty()
        : certification.mayDefer(order.epoch(), suspended.touched());
  }

  /**
   * Whether everything that the run read or changed is as it was then. What had changed when the run began was seen by it;
   * so was a change since that an execution at this replica made before the run had the resource's lock. What the run wrote without
   * reading it may have changed until the last version that it read: that was current then, so the writes came later.
   *
   * @param turn the number of the turn that it has; 0 for none
   */
  boolean isFresh(Execution execution, long turn) {
    Certification certification = state.certification();
    Item.Turn own = openTurn(turn);
    Map<String, Long> versions = execution.versions();
    long lastRead = execution.began();
    for (Map.Entry<String, Long> read : versions.entrySet()) {
      if (certification.isChangedAfter(read.getKey(), Math.max(read.getValue(), execution.began()), own)) {
        return false;
      }
      lastRead = Math.max(lastRead, read.getValue());
    }
    List<StateChange> unread =
        execution.changes().stream().filter(change -> !versions.containsKey(change.resource())).toList();
    return certification.areUnchanged(unread, lastRead, own);
  }
}
