package org.understudy.channel.batch;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.understudy.replication.core.Message;
import org.understudy.replication.runtime.codec.MessageWriter;

/**
 * The messages of this replica on their way to the group. Messages that wait are packed into one batch, and a long batch is cut into
 * pieces. A batch that did not arrive completely in the view in which it was sent is sent again in the next one, because no member takes
 * it there; so members that receive it have received the same views. Not thread-safe.
 */
public final class OutgoingBatches {
  /** The longest content of a piece. */
  public static final int PIECE_BYTES = 100_000;
  /** Pieces that are sent and not received back. */
  public static final int WINDOW = 12;

  private static final int OVERHEAD_BYTES = 64;

  private final long maxBytes;
  private final Deque<Message> waiting = new ArrayDeque<>();
  private long waitingBytes;
  /** Sent, in part at least, in order; the last one may have pieces that are not sent. */
  private final Deque<Batch> sent = new ArrayDeque<>();
  /** To be sent again. */
  private final Deque<Batch> again = new ArrayDeque<>();
  private boolean inView;
  private long pieces;
  private long batches;
  private int inFlight;

  private static final class Batch {
    final long number;
    final ByteBuffer bytes;
    int piecesInFlight;

    Batch(long number, ByteBuffer bytes) {
      this.number = number;
      this.bytes = bytes;
    }
  }

  /** @param maxBytes of messages that wait; one is always accepted */
  public OutgoingBatches(long maxBytes) {
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

  /** Whether {@link #next} has a piece. */
  public boolean isReady() {
    Batch last = sent.peekLast();
    boolean more = !waiting.isEmpty() || !again.isEmpty() || last != null && last.bytes.hasRemaining();
    return more && inView && inFlight < WINDOW;
  }

  /** The next piece to send; null when nothing waits or the window is full. */
  public Piece next() {
    if (!isReady()) {
      return null;
    }
    Batch batch = unfinished();
    int length = Math.min(PIECE_BYTES, batch.bytes.remaining());
    ByteBuffer content = batch.bytes.slice(batch.bytes.position(), length);
    batch.bytes.position(batch.bytes.position() + length);
    batch.piecesInFlight++;
    inFlight++;
    return new Piece(++pieces, batch.number, !batch.bytes.hasRemaining(), content);
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
    } while (!waiting.isEmpty() && out.size() + waiting.peek().encodedBytes() <= PIECE_BYTES);
    return new Batch(++batches, ByteBuffer.wrap(out.toBytes()));
  }

  /** Records that the next piece of this replica has arrived here, in its place in the order. */
  public void arrived() {
    Batch first = sent.peek();
    if (first == null || first.piecesInFlight == 0) {
      throw new IllegalStateException("A piece of this replica arrived that it did not send.");
    }
    first.piecesInFlight--;
    inFlight--;
    if (first.piecesInFlight == 0 && !first.bytes.hasRemaining()) {
      sent.remove();
    }
  }

  /** Sends nothing until the next view begins. */
  public void pause() {
    inView = false;
  }

  /** Begins a view: what has not arrived completely is sent again, before all that waits. */
  public void begin() {
    inView = true;
    pieces = 0;
    inFlight = 0;
    List<Batch> lost = new ArrayList<>(sent);
    sent.clear();
    for (Iterator<Batch> newestFirst = reversed(lost); newestFirst.hasNext(); ) {
      Batch batch = newestFirst.next();
      batch.bytes.rewind();
      batch.piecesInFlight = 0;
      again.addFirst(batch);
    }
  }

  private static Iterator<Batch> reversed(List<Batch> batches) {
    return new ArrayDeque<>(batches).descendingIterator();
  }
}
