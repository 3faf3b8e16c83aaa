package org.understudy.channel.jgroups;

import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.JChannel;
import org.jgroups.Receiver;
import org.jgroups.View;
import org.jgroups.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.channel.batch.OutgoingBatches;
import org.understudy.channel.jgroups.order.Transport;
import org.understudy.channel.jgroups.order.ViewKey;
import org.understudy.channel.jgroups.order.ViewOrder;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.channel.GroupChannel;
import org.understudy.replication.core.channel.GroupReceiver;
import org.understudy.replication.runtime.channel.GroupChannelException;
import org.understudy.replication.runtime.codec.MalformedMessageException;
import org.understudy.replication.runtime.codec.MessageFormat;
import org.understudy.thread.DaemonThreads;
import org.understudy.thread.RepeatedTask;
import org.understudy.thread.Threads;

/**
 * A group channel over JGroups, which supplies membership and reliable messages; {@link ViewOrder} orders them. JGroups' threads put
 * what arrives in a queue. One thread of this channel takes it, calls the receiver and sends. A short message that arrives while nothing
 * waits is processed by the thread that has read it, without the queue, and one that is multicast then is sent by the thread that
 * multicasts. The queue is bounded by the members: each
 * has a bounded number of pieces in flight, and the one that orders waits for the slowest. What exceeds the queue nevertheless, at a
 * replica whose receiver blocks while views change, ends the channel of that replica; so does a receiver that blocks for five times the
 * time of suspicion. The replica then leaves the group at once, so that the others continue, and reports {@link GroupReceiver#failed} when
 * its receiver returns.
 */
public final class JGroupsChannel implements GroupChannel {
  private static final Logger LOG = LoggerFactory.getLogger(JGroupsChannel.class);
  /** Something may be ready to be sent. */
  private static final Object SEND = new Object();
  /** The size in the queue of a member in a view. */
  private static final int MEMBER_BYTES = 64;
  /** The longest message that the thread which has it processes or sends itself: a write of it does not wait. */
  private static final int SHORT_BYTES = 8 << 10;
  /** Checks, each after the time of suspicion, that find the receiver blocked before the replica leaves. */
  private static final int MAX_CHECKS = 5;

  private final JGroupsSettings settings;
  /** Where this replica listens. */
  private final InetSocketAddress own;
  private final MessageFormat format;
  private final MessageSeal seal;
  private final JChannel channel;
  private final Thread thread;
  private final Thread leavingThread;
  private final Arrivals events;
  private final AtomicBoolean sendIsQueued = new AtomicBoolean();
  /** Guards {@code outgoing}. */
  private final Object lock = new Object();
  /** Null when the channel has ended. */
  private OutgoingBatches outgoing;
  /** Why the channel has ended, if not by {@link #close}. */
  private final AtomicReference<String> failure = new AtomicReference<>();

  /** Used by one thread at a time, see {@link Arrivals}; null until the channel has connected. */
  private volatile ViewOrder<Address> order;
  private volatile GroupReceiver receiver;
  private volatile boolean closed;

  private record Arrived(Address from, byte[] bytes) {}

  /**
   * Creates the channel; it binds its port when it joins.
   *
   * @param format of the messages of the strategy
   * @throws GroupChannelException when an address is unknown, or connections to other machines would be without TLS
   */
  public JGroupsChannel(JGroupsSettings settings, MessageFormat format) throws GroupChannelException {
    this(settings, format, new ReplicaAddresses(settings));
  }

  JGroupsChannel(JGroupsSettings settings, MessageFormat format, ReplicaAddresses addresses) throws GroupChannelException {
    this(settings, format, addresses, task -> DaemonThreads.daemon("jgroups-leave-" + settings.self(), task));
  }

  /** @param leaving makes the thread that leaves the group */
  JGroupsChannel(JGroupsSettings settings, MessageFormat format, ReplicaAddresses addresses, ThreadFactory leaving)
      throws GroupChannelException {
    this.settings = settings;
    this.format = format;
    seal = new MessageSeal(settings.group(), settings.secret());
    try {
      own = addresses.own();
    } catch (UnknownHostException e) {
      throw new GroupChannelException(
          "The JGroups channel of replica " + settings.self() + " cannot be opened: its host "
              + settings.addresses().get(settings.self()).getHostString()
              + " in understudy.channel.jgroups.addresses is unknown. Correct the name, or add it to DNS.", e);
    }
    List<String> unknown = addresses.unknown();
    if (!unknown.isEmpty()) {
      LOG.warn(
          "The JGroups channel of replica {} is opened although DNS does not know {}. They are looked up again whenever"
              + " JGroups looks for members.",
          settings.self(), unknown);
    }
    if (settings.tls() == null && !addresses.areLoopback()) {
      throw new GroupChannelException(
          "The JGroups channel cannot be opened: " + settings.addresses() + " are not all loopback addresses, and there is no TLS. Set "
              + "understudy.peer.key.store and understudy.peer.trust.store.", null);
    }
    events = new Arrivals(settings.maxWaitingBytes());
    outgoing = new OutgoingBatches(settings.maxWaitingBytes());
    try {
      channel = new JChannel(Stack.of(settings, seal.cluster(), own, addresses));
      // On by default: it answers anyone. The handler exists from here on and starts when the channel joins.
      channel.stack().getTransport().getDiagnosticsHandler().setEnabled(false);
    } catch (Exception e) {
      throw new GroupChannelException("The JGroups channel of replica " + settings.self() + " cannot be opened: " + e + ".", e);
    }
    channel.setName("replica-" + settings.self()).setDiscardOwnMessages(true).setReceiver(new Queueing());
    thread = DaemonThreads.daemon("jgroups-channel-" + settings.self(), this::run);
    // Made here, where threads have the label of the replica: any thread may start it.
    leavingThread = leaving.newThread(channel::close);
  }

  @Override
  public String name() {
    return JGroupsProvider.NAME;
  }

  @Override
  public synchronized void join(GroupReceiver taker) {
    if (receiver != null || closed) {
      throw new IllegalStateException("Replica " + settings.self() + " has joined already; a channel serves one life.");
    }
    receiver = new UntilClosed(taker, () -> closed);
    thread.start();
  }

  @Override
  public void multicast(Message message) {
    boolean added;
    boolean ready;
    synchronized (lock) {
      if (outgoing == null) {
        return;
      }
      added = outgoing.add(message);
      ready = outgoing.isReady();
    }
    if (!added) {
      leave("the group accepts messages more slowly than this replica sends them, and " + settings.maxWaitingBytes() + " bytes wait");
    } else if (ready) {
      send(message.encodedBytes());
    }
  }

  private void send(long bytes) {
    ViewOrder<Address> current = order;
    if (current != null && bytes <= SHORT_BYTES && events.enter()) {
      try {
        // The member that orders receives its message by the channel's thread.
        if (current.maySendOnly() && !current.sendOnly()) {
          return;
        }
      } catch (MalformedMessageException e) {
        leave(e.getMessage());
      } catch (RuntimeException | Error e) {
        leave("it cannot send: " + e);
      } finally {
        events.done();
      }
    }
    if (sendIsQueued.compareAndSet(false, true)) {
      events.signal(SEND);
    }
  }

  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    release();
    channel.close();
    Threads.join(thread);
    channel.close();
  }

  /** JGroups below this channel, for tests that cut it off. */
  JChannel transport() {
    return channel;
  }

  private void run() {
    String why;
    Throwable cause = null;
    try {
      channel.connect(seal.cluster());
      long pauseMs = settings.suspicion().toMillis();
      channel.stack().getTransport().getTimer().scheduleWithFixedDelay(
          new RepeatedTask("The check of the JGroups channel", this::check), pauseMs, pauseMs, TimeUnit.MILLISECONDS);
      work();
      why = failure.get();
    } catch (MalformedMessageException e) {
      why = e.getMessage();
    } catch (InterruptedException e) {
      why = "its thread was interrupted";
    } catch (Exception | Error e) {
      // An error too: a channel that ends without a report is not opened again.
      why = "JGroups failed at " + own + ": " + e;
      cause = e;
    }
    if (!closed) {
      if (!end(why)) {
        cause = null;
      }
      try {
        channel.close();
      } finally {
        receiver.failed(failure.get(), cause);
      }
    }
  }

  /** A replica whose receiver takes nothing leaves, because the member that orders holds back what all the others send. */
  private void check() {
    if (events.check() == MAX_CHECKS) {
      leave(
          "this replica has processed nothing for " + MAX_CHECKS * settings.suspicion().toMillis()
              + " ms. See in a thread dump what \"" + thread.getName()
              + "\", or a thread of JGroups that is in this channel, waits for");
    }
  }

  /**
   * Ends the channel on another thread than its own, which may be in the receiver for long. Without that thread, as where none can be
   * created, the channel's own leaves. Called by senders, so it throws nothing.
   */
  private void leave(String why) {
    if (!closed && end(why)) {
      try {
        leavingThread.start();
      } catch (OutOfMemoryError e) {
        LOG.warn(
            "Replica {} leaves the group of its JGroups channel only when \"{}\" is not in the receiver: {}. Raise the limit of threads"
                + " (ulimit -u, or the tasks of the container).",
            settings.self(), thread.getName(), e.getMessage());
      }
    }
  }

  /** Stops the queues; returns false when the channel has ended before. */
  private boolean end(String why) {
    boolean first = failure.compareAndSet(null, why);
    release();
    if (first) {
      LOG.warn("The JGroups channel of replica {} ended because {}.", settings.self(), why);
    }
    return first;
  }

  /** Nothing is queued any more, and what waits is dropped. */
  private void release() {
    synchronized (lock) {
      outgoing = null;
    }
    events.end();
  }

  private void work() throws MalformedMessageException, InterruptedException {
    OutgoingBatches batches;
    synchronized (lock) {
      batches = outgoing;
    }
    if (batches == null) {
      return;
    }
    order =
        new ViewOrder<>(
            channel.getAddress(), settings.self(), settings.configured(), format, batches, lock, new Sending(), receiver);
    for (Object event = events.take(); event != null; event = events.take()) {
      try {
        process(event);
      } finally {
        events.done();
      }
    }
  }

  private void process(Object event) throws MalformedMessageException {
    if (event instanceof View view) {
      UUID creator = (UUID) view.getViewId().getCreator();
      order.view(
          new ViewKey(creator.getMostSignificantBits(), creator.getLeastSignificantBits(), view.getViewId().getId()),
          view.getMembers());
    } else if (event instanceof Arrived arrived) {
      order.received(arrived.from(), arrived.bytes());
    } else {
      sendIsQueued.set(false);
    }
    order.send();
  }

  /** Processes a message by the thread that has read it; returns false when it must be queued. */
  private boolean processNow(Arrived arrived) {
    ViewOrder<Address> current = order;
    if (current == null || arrived.bytes().length > SHORT_BYTES || !events.enter()) {
      return false;
    }
    try {
      if (!current.isFollowed()) {
        return false;
      }
      process(arrived);
    } catch (MalformedMessageException e) {
      leave(e.getMessage());
    } catch (RuntimeException | Error e) {
      LOG.error("A message of the group could not be processed.", e);
      leave("JGroups failed at " + own + ": " + e);
    } finally {
      events.done();
    }
    return true;
  }

  /** Called by JGroups' threads. */
  private final class Queueing implements Receiver {
    @Override
    public void receive(org.jgroups.Message message) {
      if (message instanceof BytesMessage && message.hasArray() && message.getSrc() instanceof UUID sender) {
        byte[] bytes = seal.open(sender, message.getArray(), message.getOffset(), message.getLength());
        Arrived arrived = bytes == null ? null : new Arrived(sender, bytes);
        if (arrived != null && !processNow(arrived)) {
          add(arrived, bytes.length);
        }
      }
    }

    @Override
    public void viewAccepted(View view) {
      add(view, (long) MEMBER_BYTES * view.size());
    }

    private void add(Object event, long bytes) {
      if (!events.add(event, bytes)) {
        leave(
            "this replica processes what it receives more slowly than the group sends it, and " + settings.maxWaitingBytes()
                + " bytes wait. See in a thread dump what \"" + thread.getName() + "\" waits for");
      }
    }
  }

  /** A message that cannot be sent is lost with the connection: JGroups then reports another view, or has ended. */
  private final class Sending implements Transport<Address> {
    @Override
    public void send(Address member, byte[] message) {
      try {
        org.jgroups.Message sealed = new BytesMessage(member, seal.seal((UUID) channel.getAddress(), message));
        if (member == null) {
          // Otherwise a thread of JGroups passes it up here, only to drop it.
          sealed.setFlag(org.jgroups.Message.TransientFlag.DONT_LOOPBACK);
        }
        channel.send(sealed);
      } catch (Exception e) {
        LOG.debug("A message to {} is not sent.", member, e);
      }
    }

    @Override
    public void multicast(byte[] message) {
      send(null, message);
    }
  }
}
