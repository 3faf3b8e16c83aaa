package org.understudy.replication.runtime.peer;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.GroupView;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.channel.GroupChannel;
import org.understudy.replication.core.channel.GroupReceiver;
import org.understudy.replication.runtime.channel.GroupChannelException;
import org.understudy.replication.runtime.handshake.RefusalLog;
import org.understudy.thread.DaemonThreads;
import org.understudy.thread.PersistentLoop;
import org.understudy.thread.Threads;

/**
 * The group channel of a replica that does without it while it has failed: the receiver then gets a view without members, and
 * the channel is opened again each second until it works. A channel fails when it reports that, or when it cannot join. Never reports
 * {@link GroupReceiver#failed}.
 */
public final class ReopenedChannel implements GroupChannel {
  private static final Logger LOG = LoggerFactory.getLogger(ReopenedChannel.class);
  private static final long PAUSE_MS = TimeUnit.SECONDS.toMillis(1);

  /** Opens the channel for one life of it. */
  @FunctionalInterface
  public interface Opening {
    /** Returns a channel that has not joined. */
    GroupChannel open() throws GroupChannelException;
  }

  private final Opening opening;
  private final ReplicaId self;
  private final long pauseMs;
  private final RefusalLog log = new RefusalLog();
  private final Thread thread;
  /** Numbers the views of all channels. */
  private final AtomicLong views = new AtomicLong();
  private GroupReceiver receiver;
  /** Null between two channels. */
  private volatile GroupChannel channel;
  private boolean closed;

  /** @throws GroupChannelException when the channel cannot be opened for the first time */
  public ReopenedChannel(ReplicaId self, Opening opening) throws GroupChannelException {
    this(self, opening, PAUSE_MS);
  }

  ReopenedChannel(ReplicaId self, Opening opening, long pauseMs) throws GroupChannelException {
    this.self = self;
    this.pauseMs = pauseMs;
    this.opening = opening;
    this.channel = opening.open();
    this.thread = DaemonThreads.daemon("group-channel-" + self, new PersistentLoop("The group channel of replica " + self, this::run));
  }

  @Override
  public String name() {
    GroupChannel current = channel;
    return current == null ? "group channel" : current.name();
  }

  @Override
  public synchronized void join(GroupReceiver taker) {
    if (receiver != null || closed) {
      throw new IllegalStateException("Replica " + self + " has joined already; a channel serves one life.");
    }
    receiver = taker;
    thread.start();
  }

  @Override
  public void multicast(Message message) {
    GroupChannel current = channel;
    if (current != null) {
      current.multicast(message);
    }
  }

  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      notifyAll();
    }
    Threads.join(thread);
    GroupChannel last = channel;
    if (last != null) {
      last.close();
    }
  }

  private void run() {
    try {
      GroupChannel next = channel;
      while (next == null || serve(next)) {
        if (!pause()) {
          return;
        }
        next = open();
      }
    } catch (InterruptedException e) {
      // Nothing interrupts this thread but the end of the process.
      Thread.currentThread().interrupt();
    }
  }

  /** Uses one channel until it has failed; returns false when this channel is closed before. */
  private boolean serve(GroupChannel next) throws InterruptedException {
    Life life = new Life(next.name());
    Throwable failure = null;
    try {
      next.join(life);
    } catch (RuntimeException | Error e) {
      failure = e;
    }
    if (failure == null && !life.awaitFailure()) {
      return false;
    }
    channel = null;
    try {
      next.close();
    } catch (RuntimeException | Error e) {
      LOG.warn("The failed group channel {} of replica {} cannot be closed.", next.name(), self, e);
    }
    if (failure != null) {
      life.failed("it cannot join", failure);
    }
    return true;
  }

  private synchronized boolean pause() throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pauseMs);
    for (long left = pauseMs; left > 0 && !closed; left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())) {
      wait(left);
    }
    return !closed;
  }

  /** Returns null when the channel cannot be opened now, or this channel is closed meanwhile. */
  private GroupChannel open() {
    try {
      GroupChannel next = opening.open();
      synchronized (this) {
        if (!closed) {
          // Before it joins, because the receiver may multicast when it gets the first view.
          channel = next;
          return next;
        }
      }
      next.close();
    } catch (GroupChannelException | RuntimeException | Error e) {
      if (log.isDue("open", System.nanoTime())) {
        LOG.warn(
            "The group channel of replica {} cannot be opened again; it is tried each second. {}", self,
            e instanceof GroupChannelException ? e.getMessage() : e.toString());
      }
    }
    return null;
  }

  /** Passes the events of one channel on. */
  private final class Life implements GroupReceiver {
    private final String name;
    private boolean failed;

    Life(String name) {
      this.name = name;
    }

    /** Returns false when the reopened channel is closed. */
    boolean awaitFailure() throws InterruptedException {
      synchronized (ReopenedChannel.this) {
        while (!failed && !closed) {
          ReopenedChannel.this.wait();
        }
        return !closed;
      }
    }

    @Override
    public void delivered(ReplicaId from, Message message) {
      receiver.delivered(from, message);
    }

    @Override
    public void viewInstalled(GroupView view) {
      receiver.viewInstalled(new GroupView(views.incrementAndGet(), view.members()));
    }

    @Override
    public void failed(String why, Throwable cause) {
      if (log.isDue("failed", System.nanoTime())) {
        LOG.warn(
            "The group channel {} of replica {} failed, because {}. The replica continues over the channels to its peers, and opens"
                + " the group channel again.",
            name, self, why, cause);
      }
      try {
        receiver.viewInstalled(new GroupView(views.incrementAndGet(), List.of()));
      } finally {
        synchronized (ReopenedChannel.this) {
          failed = true;
          ReopenedChannel.this.notifyAll();
        }
      }
    }
  }
}
