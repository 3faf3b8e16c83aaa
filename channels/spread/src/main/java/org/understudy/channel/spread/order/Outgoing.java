package org.understudy.channel.spread.order;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.understudy.channel.spread.session.GroupId;
import org.understudy.replication.core.Message;
import org.understudy.replication.runtime.codec.MessageWriter;

/**
 * The messages of this replica on their way to the daemon. Messages that wait are packed into one batch, and a long batch is cut into
 * frames. A batch that did not arrive completely in the membership in which it was sent is sent again in the next one, because no
 * member takes it there; so members that receive it have received the same memberships. Not thread-safe.
 */
public final class Outgoing {
  /** The longest content of a frame. */
  static final int FRAME_CONTENT_BYTES = 100_000;
  /** Frames that are sent and not received back. A daemon drops a session that leaves 1,000 messages unread. */
  static final int WINDOW = 12;

  private static final int OVERHEAD_BYTES = 64;

  private final GroupKey key;
  private final long maxBytes;
  private final Deque<Message> waiting = new ArrayDeque<>();
  private long waitingBytes;
  /** Sent, in part at least, in order; the last one may have frames that are not sent. */
  private final Deque<Batch> sent = new ArrayDeque<>();
  /** To be sent again. */
  private final Deque<Batch> again = new ArrayDeque<>();
  private GroupId view;
  private String session;
  private long frames;
  private int inFlight;

  private static final class Batch {
    final ByteBuffer bytes;
    int framesInFlight;

    Batch(ByteBuffer bytes) {
      this.bytes = bytes;
    }
  }

  /** @param maxBytes of messages that wait; one is always accepted */
  public Outgoing(GroupKey key, long maxBytes) {
    this.key = key;
    this.maxBytes = maxBytes;
  }

  /** Queues a message; returns false when too many bytes wait. */
  public boolean add(Message message) {
    long bytes = message.encodedBytes() + OVERHEAD_BYTES;
    if (waitingBytes > 0 && waitingBytes + bytes > maxBytes) {
      return false;
    }
    waiting.add(message);
    waitingBytes += bytes;
    return true;
  }

  /** Whether {@link #next} has a frame. */
  public boolean isReady() {
    Batch last = sent.peekLast();
    boolean more = !waiting.isEmpty() || !again.isEmpty() || last != null && last.bytes.hasRemaining();
    return more && view != null && inFlight < WINDOW;
  }

  /** The next frame to send, as its parts in order; null when nothing waits or the window is full. */
  public ByteBuffer[] next() {
    if (!isReady()) {
      return null;
    }
    Batch batch = unfinished();
    int length = Math.min(FRAME_CONTENT_BYTES, batch.bytes.remaining());
    ByteBuffer content = batch.bytes.slice(batch.bytes.position(), length);
    batch.bytes.position(batch.bytes.position() + length);
    batch.framesInFlight++;
    inFlight++;
    return new Frame(view, ++frames, !batch.bytes.hasRemaining(), content).encode(key, session);
  }

  private Batch unfinished() {
    Batch last = sent.peekLast();
    if (last != null && last.bytes.hasRemaining()) {
      return last;
    }
    Batch next = again.isEmpty() ? pack() : again.poll();
    sent.add(next);
    return next;
  }

  private Batch pack() {
    MessageWriter out = new MessageWriter(0);
    do {
      Message message = waiting.poll();
      waitingBytes -= message.encodedBytes() + OVERHEAD_BYTES;
      out.write(message);
    } while (!waiting.isEmpty() && out.size() + waiting.peek().encodedBytes() <= FRAME_CONTENT_BYTES);
    return new Batch(ByteBuffer.wrap(out.toBytes()));
  }

  /** Records that the next frame of this replica has arrived here, in its place in the order. */
  void arrived() {
    Batch first = sent.peek();
    if (first == null || first.framesInFlight == 0) {
      throw new IllegalStateException("A frame of this replica arrived that it did not send.");
    }
    first.framesInFlight--;
    inFlight--;
    if (first.framesInFlight == 0 && !first.bytes.hasRemaining()) {
      sent.remove();
    }
  }

  /**
   * Begins a membership: what has not arrived completely is sent again, before all that waits.
   *
   * @param privateGroup of this session
   */
  void begin(GroupId next, String privateGroup) {
    view = next;
    session = privateGroup;
    frames = 0;
    inFlight = 0;
    List<Batch> lost = new ArrayList<>(sent);
    sent.clear();
    for (Iterator<Batch> newestFirst = reversed(lost); newestFirst.hasNext(); ) {
      Batch batch = newestFirst.next();
      batch.bytes.rewind();
      batch.framesInFlight = 0;
      again.addFirst(batch);
    }
  }

  private static Iterator<Batch> reversed(List<Batch> batches) {
    return new ArrayDeque<>(batches).descendingIterator();
  }
}
