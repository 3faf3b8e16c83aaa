package org.understudy.counter.certification;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.understudy.replication.api.decision.InDoubt;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.ReplicaCore;
import org.understudy.replication.core.ReplicaStatus;
import org.understudy.replication.core.SurveyedReplica;
import org.understudy.replication.core.group.GroupReplication;
import org.understudy.replication.core.order.OrderMessage;
import org.understudy.replication.runtime.codec.MessageWriter;
import org.understudy.test.strategy.WrappedStrategy;

/** The strategy {@code group}, which records what the members of this process receive from the sequencer. */
public final class MeasuredGroup extends WrappedStrategy {
  /** How the strategy is named in {@code understudy.strategy}. */
  static final String NAME = "group-measured";

  /** Bytes around a message: the length and the tag. */
  private static final int FRAME_BYTES = 4 + 16;

  private static final Queue<OrderMessage.Update> RECEIVED = new ConcurrentLinkedQueue<>();

  public MeasuredGroup() {
    super(new GroupReplication(), Watched::new);
  }

  @Override
  public String name() {
    return NAME;
  }

  /** Forgets what was received. */
  static void reset() {
    RECEIVED.clear();
  }

  /** The updates that members have received; an update once for each of them. */
  static List<OrderMessage.Update> received() {
    return List.copyOf(RECEIVED);
  }

  /** What a message takes on a connection, when it has a frame of its own. */
  static int bytes(OrderMessage.Update message) {
    MessageWriter writer = new MessageWriter(0);
    writer.write(message);
    return writer.toBytes().length + FRAME_BYTES;
  }

  private record Watched(ReplicaCore core) implements ReplicaCore {
    @Override
    public void step(long now, long wall, Input input, Effects out) {
      if (input instanceof Input.Received received && received.message() instanceof OrderMessage.Update update) {
        RECEIVED.add(update);
      }
      core.step(now, wall, input, out);
    }

    @Override
    public List<SurveyedReplica> surveyed() {
      return core.surveyed();
    }

    @Override
    public List<InDoubt> undecided() {
      return core.undecided();
    }

    @Override
    public ReplicaStatus status(long now) {
      return core.status(now);
    }

    @Override
    public long digest() {
      return core.digest();
    }
  }
}
