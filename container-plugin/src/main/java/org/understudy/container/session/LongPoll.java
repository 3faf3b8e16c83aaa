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
 * One waiting AwaitView request. Status, headers and the length of the answer have been sent; the envelope follows, with
 * white space up to that length. {@link LongPolls#take} decides which thread answers. No write waits for the client.
 * Thread-safe.
 */
abstract class LongPoll implements WriteListener {
  private static final Logger LOG = LoggerFactory.getLogger(LongPoll.class);

  /**
   * The parameters of the wait.
   *
   * @param weight places that it takes of its owner's share
   * @param seen the epoch that the client knows
   * @param seconds after which it is answered in any case
   * @param overdue creates the answer for that case
   * @param own whether {@code overdue} creates the answer in every case
   * @param length of the answer, as announced
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

  /** Set before others see this. */
  LongPolls polls;
  Terms terms;
  private ServletOutputStream out;
  private int written;
  /** What the connection has not taken yet, or null. */
  private byte[] pending;
  private boolean answered;
  /** Nothing is written any more. */
  private boolean ended;
  private boolean released;
  private Future<?> deadline;

  /** The stream of the answer's content. From now on this may be answered. */
  final void begin(ServletOutputStream content) {
    synchronized (this) {
      out = content;
      out.setWriteListener(this);
    }
    polls.add(this);
  }

  /** @param next null: it is answered, or has ended */
  final synchronized void deadline(Future<?> next) {
    if (deadline != null) {
      deadline.cancel(false);
    }
    deadline = next;
    if (next != null && (answered || ended)) {
      next.cancel(false);
    }
  }

  /** Sends the answer, as far as the connection accepts it now. By any thread, once. */
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

  /** Sends a character of white space, so that a broken connection is found. The length announced has a place for it. */
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
    proceed();
  }

  /** Writes as much as the connection accepts; {@link #onWritePossible} continues. */
  private void proceed() {
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
      LOG.debug("A client that waited for a view is gone.", e);
      end();
    }
  }

  @Override
  public final synchronized void onWritePossible() {
    if (!ended) {
      proceed();
    }
  }

  @Override
  public final void onError(Throwable broken) {
    LOG.debug("The connection of a client that waited for a view broke.", broken);
    end();
  }

  /** Ends the exchange: it is answered, or its connection has broken. */
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

  /** Gives back the place in the owner's share, once. */
  final synchronized void release() {
    end();
    if (!released) {
      released = true;
      polls.released(terms);
    }
  }

  /** Ends the container's part. Called once. */
  abstract void finish();
}
