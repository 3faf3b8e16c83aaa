package org.understudy.replication.core.membership;

import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.View;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.LoadBoard;

/** Collects the load indexes of the members: the primary from acknowledgements, the others from its heartbeats. */
final class Loads {
  private final ReplicaId self;
  private long epoch;
  private LoadBoard board = LoadBoard.EMPTY;
  /** The index that this replica measured last. */
  private int own = LoadBoard.UNKNOWN;

  Loads(ReplicaId self) {
    this.self = self;
  }

  void measured(int index) {
    own = index;
  }

  /** The index that this replica reports. */
  int own() {
    return own;
  }

  /** As primary: the indexes of the members, for the next heartbeat. */
  LoadBoard ofView(View view, Effects out) {
    enter(view.epoch());
    change(board.with(self, own), out);
    return board;
  }

  /** As primary: a member has reported its index. */
  void reported(long of, ReplicaId member, int index) {
    enter(of);
    board = board.with(member, index);
  }

  /** As any other member: the primary has sent the indexes of all. */
  void received(long of, LoadBoard sent, Effects out) {
    enter(of);
    change(sent, out);
  }

  /** Without a majority in contact, the indexes may be of replicas that have stopped. */
  void forget(Effects out) {
    if (!board.isEmpty()) {
      change(LoadBoard.EMPTY, out);
    }
  }

  /** Indexes of an earlier view may be of a replica that has gone. */
  private void enter(long of) {
    if (of != epoch) {
      epoch = of;
      board = LoadBoard.EMPTY;
    }
  }

  /** A new instance each time: the receiver sees by it that the indexes were current again. */
  private void change(LoadBoard next, Effects out) {
    board = new LoadBoard(next.indexes());
    out.loads(board);
  }
}
