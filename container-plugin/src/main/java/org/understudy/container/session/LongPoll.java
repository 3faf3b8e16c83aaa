package org.understudy.container.session;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.soap.envelope.SoapVersion;

/**
 * One waiting AwaitView request. Status, headers and the length of the response have been sent. The envelope follows, padded
 * with white space to that length. {@link LongPolls#take} decides which thread responds. No write blocks.
 * Thread-safe.
 */
abstract class LongPoll implements WriteListener {
  private static final Logger LOG = LoggerFactory.getLogger(LongPoll.class);

  /**
   * The parameters of the wait.
   *
   * @param weight the number of places it takes of its owner's share
   * @param seen the epoch that the client knows
   * @param seconds the maximum wait
   * @param overdue creates the response when the wait times out
   * @param own whether {@code overdue} creates the response in every case
   * @param length of the response, as announced
   */
  record Terms(
      String owner,
      int weight,
      SoapVersion version,
      long seen,
      int seconds,
      Supplier<byte[]> overdue,
      boolean own,
      int length) {}

  /** Set before this is published to other threads. */
  LongPolls polls;
  Terms terms;
  private ServletOutputStream out;
  private int written;
  /** The bytes that the connection has not accepted yet, or null. */
  private byte[] pending;
  private boolean answered;
  /** Whether the exchange has ended: nothing more is written. */
  private boolean ended;
  private boolean released;
  private Future<?> deadline;

  /** Sets the stream of the response's content. From now on the response may be written. */
  final void begin(ServletOutputStream content) {
    synchronized (this) {
      out = content;
      out.setWriteListener(this);
    }
    polls.add(this);
  }

  /**
   * Replaces the deadline.
   *
   * @param next null when the poll is answered or has ended
   */
  final synchronized void deadline(Future<?> next) {
    if (deadline != null) {
      deadline.cancel(false);
    }
    deadline = next;
    if (next != null && (answered || ended)) {
      next.cancel(false);
    }
  }

  /** Sends the response, as far as the connection accepts it now. Called once, by any thread. */
  final synchronized void answer(byte[] envelope) {
    if (ended) {
      return;
    }
    int rest = terms.length() - written;
    if (envelope.length > rest) {
      LOG.warn("A response of {} bytes exceeds the {} announced to a client that waits for a view. The client must retry.",
          envelope.length, rest);
      end();
      return;
    }
    answered = true;
    append(envelope, rest);
  }

  /** Sends a space to detect a broken connection. The announced length includes it. */
  final synchronized void writeSpace() {
    if (!answered && !ended && pending == null) {
      append(new byte[0], 1);
    }
  }

  private void append(byte[] bytes, int length) {
    int before = pending == null ? 0 : pending.length;
    byte[] all = pending == null ? new byte[length] : Arrays.copyOf(pending, before + length);
    System.arraycopy(bytes, 0, all, before, bytes.length);
    Arrays.fill(all, before + bytes.length, all.length, (byte) ' ');
    pending = all;
    written += length;
    writePending();
  }

  /** Writes as much as the connection accepts; {@link #onWritePossible} continues. */
  private void writePending() {
    try {
      if (pending != null && out.isReady()) {
        byte[] bytes = pending;
        pending = null;
        out.write(bytes);
      }
      if (written > 0 && pending == null && out.isReady()) {
        out.flush();
        if (answered && out.isReady()) {
          end();
        }
      }
    } catch (IOException | IllegalStateException e) {
      LOG.debug("A client that waited for a view has closed its connection.", e);
      end();
    }
  }

  @Override
  public final synchronized void onWritePossible() {
    if (!ended) {
      writePending();
    }
  }

  @Override
  public final void onError(Throwable broken) {
    LOG.debug("The connection of a client that waited for a view broke.", broken);
    end();
  }

  /** Ends the exchange after the response, or when the connection has broken. */
  final synchronized void end() {
    if (!ended) {
      ended = true;
      polls.take(this);
      finish();
    }
  }

  final synchronized boolean hasEnded() {
    return ended;
  }

  /** Releases the places in the owner's share; repeated calls have no effect. */
  final synchronized void release() {
    end();
    if (!released) {
      released = true;
      polls.released(terms);
    }
  }

  /** Closes the container's exchange or connection. Called once. */
  abstract void finish();
}
