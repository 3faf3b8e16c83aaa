package org.understudy.channel.jgroups.order;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.understudy.replication.api.ReplicaId;

/**
 * What a member reports when the transport's view changes.
 *
 * @param installed the view that it installed last
 * @param place of the last piece that it delivered there
 * @param kept the pieces that another member may lack, in order
 */
record Flush(ReplicaId replica, ViewKey installed, long place, List<Ordered> kept) {
  /** The encoded size. */
  int bytes() {
    return 1 + ViewKey.BYTES + Long.BYTES + Integer.BYTES + kept.stream().mapToInt(Ordered::bytes).sum();
  }

  void write(ByteBuffer out) {
    out.put((byte) replica.number());
    installed.write(out);
    out.putLong(place).putInt(kept.size());
    kept.forEach(one -> one.write(out));
  }

  static Flush read(ByteBuffer in) {
    ReplicaId replica = new ReplicaId(in.get());
    ViewKey installed = ViewKey.read(in);
    long place = in.getLong();
    int count = in.getInt();
    if (count < 0 || count > in.remaining() / Ordered.OVERHEAD_BYTES) {
      throw new IllegalArgumentException("A member announces " + count + " pieces.");
    }
    List<Ordered> kept = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      kept.add(Ordered.read(in));
    }
    return new Flush(replica, installed, place, kept);
  }
}
