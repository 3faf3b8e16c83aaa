package org.understudy.channel.batch;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.understudy.replication.core.Message;
import org.understudy.replication.runtime.codec.MalformedMessageException;
import org.understudy.replication.runtime.codec.MessageFormat;

/** Collects the pieces of one sender's batches in one view. Memory is used for pieces that have arrived only. Not thread-safe. */
public final class IncomingBatch {
  /** The longest batch; a replica that sends a longer one is broken. */
  static final int MAX_BYTES = 80 << 20;

  private final MessageFormat format;
  private List<byte[]> pieces = new ArrayList<>(0);
  private int bytes;

  public IncomingBatch(MessageFormat format) {
    this.format = format;
  }

  /**
   * Adds the next piece.
   *
   * @return the messages of the batch that ends with it; empty within a batch
   * @throws MalformedMessageException when the batch is too long or no message of this strategy
   */
  public List<Message> add(boolean last, ByteBuffer content) throws MalformedMessageException {
    if (bytes + content.remaining() > MAX_BYTES) {
      throw new MalformedMessageException("A batch has more than " + MAX_BYTES + " bytes.");
    }
    if (last && bytes == 0 && content.hasArray()) {
      return format.readAll(content.array(), content.arrayOffset() + content.position(), content.remaining());
    }
    byte[] piece = new byte[content.remaining()];
    content.get(piece);
    pieces.add(piece);
    bytes += piece.length;
    if (!last) {
      return List.of();
    }
    ByteBuffer whole = ByteBuffer.allocate(bytes);
    pieces.forEach(whole::put);
    pieces = new ArrayList<>(0);
    bytes = 0;
    return format.readAll(whole.array(), 0, whole.capacity());
  }
}
