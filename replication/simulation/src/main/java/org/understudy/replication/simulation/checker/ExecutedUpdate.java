package org.understudy.replication.simulation.checker;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.understudy.replication.core.update.StateChange;

/**
 * An execution that changed something. Each one adds an entry to a log in the replicated state, so the final image lists
 * them all in the order of their updates.
 *
 * @param index of the update
 * @param writer the number of the execution, unique in the whole simulation
 * @param operation the number of the operation that was executed
 */
public record ExecutedUpdate(long index, long writer, int operation) {
  public static final String LOG = "log";

  /** The entry that the execution adds to the log. */
  public static StateChange entry(long writer, int operation) {
    return StateChange.entry(LOG, bytes(writer, operation));
  }

  /** The content of the entry. */
  public static byte[] bytes(long writer, int operation) {
    return ByteBuffer.allocate(Long.BYTES + Integer.BYTES).putLong(writer).putInt(operation).array();
  }

  public static boolean isEntry(String id) {
    return id.startsWith(LOG);
  }

  /** @param id for which {@link #isEntry} is true, as applied: including its index */
  public static ExecutedUpdate of(String id, byte[] state) {
    ByteBuffer bytes = ByteBuffer.wrap(state);
    return new ExecutedUpdate(StateChange.indexOf(id), bytes.getLong(), bytes.getInt());
  }

  /** All executions in the image's log, in ascending order of index. */
  public static List<ExecutedUpdate> all(Map<String, byte[]> image) {
    List<ExecutedUpdate> all = new ArrayList<>();
    image.forEach((id, state) -> {
      if (isEntry(id)) {
        all.add(of(id, state));
      }
    });
    all.sort(java.util.Comparator.comparingLong(ExecutedUpdate::index));
    return all;
  }
}
