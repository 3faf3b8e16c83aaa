package org.understudy.channel.spread;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.channel.batch.OutgoingBatches;
import org.understudy.channel.batch.Piece;
import org.understudy.channel.spread.order.GroupNames;
import org.understudy.channel.spread.order.Incoming;
import org.understudy.channel.spread.session.GroupId;
import org.understudy.channel.spread.session.SessionEncoder;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.GroupView;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.channel.GroupChannel;
import org.understudy.replication.core.channel.GroupReceiver;
import org.understudy.replication.runtime.codec.MessageFormat;
import org.understudy.replication.runtime.handshake.RefusalLog;
import org.understudy.thread.DaemonThreads;
import org.understudy.thread.Threads;

/**
 * A group channel over a session with a Spread daemon. One thread reads the session and calls the receiver, another one writes; both
 * block on the daemon, and {@link #multicast} never does.
 *
 * <p>Until it has a session, the channel retries each second. After that, the end of the session ends the channel: the daemon may have
 * ordered messages that this replica has not read. A replica with peers opens another channel; see {@link
 * org.understudy.replication.runtime.peer.ReopenedChannel}.
 *
 * <p>Frames are authenticated and not encrypted: the daemons and their network can read them.
 */
public final class SpreadChannel implements GroupChannel {
  private static final Logger LOG = LoggerFactory.getLogger(SpreadChannel.class);
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long LEAVE_MS = 500;
  /** Within the time after which a silent daemon counts as dead. */
  private static final int SIGNS_OF_LIFE = 3;

  private final SpreadSettings settings;
  private final GroupNames names;
  private final MessageFormat format;
  private final RefusalLog log = new RefusalLog();
  private final IntSupplier nonces;
  private final int silenceMs;
  private final Thread reader;
  private final Thread writer;

  /** Guards all that follows; never held over I/O or a call of the receiver. */
  private final Object lock = new Object();
  private final OutgoingBatches outgoing;
  private DaemonSession session;
  private boolean closed;
  /** Why the channel ends, if it is not closed. */
  private String failure;

  /** Set before the writer starts. */
  private Incoming incoming;

  private volatile GroupReceiver receiver;

  /** @param format of the messages of the strategy */
  public SpreadChannel(SpreadSettings settings, MessageFormat format) {
    this(settings, format, new SecureRandom()::nextInt, DaemonSession.SILENCE_MS);
  }

  /**
   * @param nonces for names of sessions
   * @param silenceMs milliseconds after which a daemon that sends nothing counts as dead
   */
  SpreadChannel(SpreadSettings settings, MessageFormat format, IntSupplier nonces, int silenceMs) {
    this.silenceMs = silenceMs;
    this.settings = settings;
    this.format = format;
    this.nonces = nonces;
    names = new GroupNames(settings.group(), settings.secret());
    outgoing = new OutgoingBatches(settings.maxWaitingBytes());
    reader = DaemonThreads.daemon("spread-reader-" + settings.self(), this::receive);
    writer = DaemonThreads.daemon("spread-writer-" + settings.self(), this::send);
  }

  @Override
  public String name() {
    return SpreadProvider.NAME;
  }

  @Override
  public void join(GroupReceiver taker) {
    synchronized (lock) {
      if (receiver != null || closed) {
        throw new IllegalStateException("Replica " + settings.self() + " has joined already; a channel serves one life.");
      }
      receiver = new UntilClosed(taker);
    }
    reader.start();
  }

  @Override
  public void multicast(Message message) {
    synchronized (lock) {
      if (closed || failure != null) {
        return;
      }
      boolean idle = !outgoing.isReady();
      if (!outgoing.add(message)) {
        end("the daemon accepts messages more slowly than this replica sends them, and " + settings.maxWaitingBytes()
            + " bytes wait. Check the daemons' load and network");
      } else if (idle && outgoing.isReady()) {
        lock.notifyAll();
      }
    }
  }

  /** Ends the channel; the reader reports it. */
  private void end(String why) {
    if (failure == null) {
      failure = why;
    }
    if (session != null) {
      session.close();
    }
    lock.notifyAll();
  }

  @Override
  public void close() {
    synchronized (lock) {
      if (closed) {
        return;
      }
      closed = true;
      lock.notifyAll();
    }
    try {
      // The writer takes leave, so that the others need not wait for the daemon to notice.
      TimeUnit.MILLISECONDS.timedJoin(writer, LEAVE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    synchronized (lock) {
      if (session != null) {
        session.close();
      }
    }
    Threads.join(reader);
    Threads.join(writer);
  }

  private void receive() {
    Throwable cause = null;
    String why;
    try {
      if (!connect()) {
        return;
      }
      incoming = new Incoming(names, settings.configured(), session.privateGroup(), format, outgoing);
      writer.start();
      while (true) {
        incoming.accept(session.next(), lock, receiver);
        synchronized (lock) {
          if (outgoing.isReady()) {
            lock.notifyAll();
          }
        }
      }
    } catch (IOException e) {
      why = e.getMessage() == null ? e.toString() : e.getMessage();
    } catch (RuntimeException | Error e) {
      // An error too: a channel that ends without a report is not opened again.
      why = "an internal error: " + e;
      cause = e;
    }
    synchronized (lock) {
      end(why);
      why = failure;
    }
    receiver.failed(
        "its session with the Spread daemon " + settings.daemonName() + " ended: " + why + ". Check that the daemon runs there", cause);
  }

  /** Opens a session and joins the group; returns false when the channel is closed before. */
  private boolean connect() throws IOException {
    while (true) {
      DaemonSession opened = null;
      try {
        opened = DaemonSession.open(settings.daemon(), names.sessionName(settings.self(), (short) nonces.getAsInt()), silenceMs);
        SessionEncoder encoder = opened.encoder();
        opened.write(List.of(encoder.join(names.group())));
      } catch (IOException e) {
        if (opened != null) {
          opened.close();
          opened = null;
        }
        if (log.isDue("connect", System.nanoTime())) {
          LOG.warn(
              "Replica {} cannot open a session with the Spread daemon {}: {}. It retries each second. Check that the daemon runs there.",
              settings.self(), settings.daemonName(), RefusalLog.printable(e.getMessage()));
        }
      }
      synchronized (lock) {
        if (closed || failure != null) {
          if (opened != null) {
            opened.close();
          }
          if (closed) {
            return false;
          }
          throw new IOException(failure);
        }
        if (opened != null) {
          session = opened;
          return true;
        }
        long end = System.nanoTime() + RETRY_NANOS;
        for (long left = RETRY_NANOS; left > 0 && !closed && failure == null; left = end - System.nanoTime()) {
          waitUpTo(left);
        }
      }
    }
  }

  private void waitUpTo(long nanos) throws IOException {
    try {
      TimeUnit.NANOSECONDS.timedWait(lock, nanos);
    } catch (InterruptedException e) {
      throw new IOException("the thread was interrupted", e);
    }
  }

  private void send() {
    SessionEncoder encoder = session.encoder();
    try {
      for (List<ByteBuffer> frames = frames(encoder); frames != null; frames = frames(encoder)) {
        session.write(frames);
      }
      session.write(List.of(encoder.leave(names.group()), encoder.disconnect()));
    } catch (IOException e) {
      // The reader notices that the session is closed, and reports why.
      synchronized (lock) {
        end("it cannot send to the daemon (" + e + ")");
      }
    } catch (InterruptedException e) {
      session.close();
    } catch (RuntimeException | Error e) {
      synchronized (lock) {
        end("an internal error: " + e);
      }
    }
  }

  /**
   * Waits for frames and returns all that the window permits, with their heads; null at the end of the channel. When nothing is to be
   * sent, a message to this session: a daemon that does not return it is dead, which TCP alone does not report.
   */
  private List<ByteBuffer> frames(SessionEncoder encoder) throws InterruptedException {
    List<Piece> pieces = new ArrayList<>();
    GroupId view;
    synchronized (lock) {
      long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(silenceMs) / SIGNS_OF_LIFE;
      while (!closed && failure == null && !outgoing.isReady()) {
        long left = end - System.nanoTime();
        if (left <= 0) {
          return List.of(encoder.toSelf());
        }
        TimeUnit.NANOSECONDS.timedWait(lock, left);
      }
      if (closed || failure != null) {
        return null;
      }
      view = incoming.view();
      for (Piece piece = outgoing.next(); piece != null; piece = outgoing.next()) {
        pieces.add(piece);
      }
    }
    List<ByteBuffer> buffers = new ArrayList<>();
    for (Piece piece : pieces) {
      ByteBuffer[] frame = incoming.frame(piece, view);
      int bytes = 0;
      for (ByteBuffer part : frame) {
        bytes += part.remaining();
      }
      buffers.add(encoder.multicast(settings.service(), names.group(), bytes));
      buffers.addAll(List.of(frame));
    }
    return buffers;
  }

  /** Passes nothing on after the channel is closed. */
  private final class UntilClosed implements GroupReceiver {
    private final GroupReceiver taker;

    UntilClosed(GroupReceiver taker) {
      this.taker = taker;
    }

    private boolean isOpen() {
      synchronized (lock) {
        return !closed;
      }
    }

    @Override
    public void delivered(ReplicaId from, Message message) {
      if (isOpen()) {
        taker.delivered(from, message);
      }
    }

    @Override
    public void viewInstalled(GroupView view) {
      if (isOpen()) {
        taker.viewInstalled(view);
      }
    }

    @Override
    public void failed(String why, Throwable cause) {
      if (isOpen()) {
        taker.failed(why, cause);
      }
    }
  }
}
