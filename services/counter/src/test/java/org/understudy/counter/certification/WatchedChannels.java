package org.understudy.counter.certification;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.GroupView;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.channel.GroupChannel;
import org.understudy.replication.core.channel.GroupReceiver;
import org.understudy.replication.runtime.channel.GroupChannelException;
import org.understudy.replication.runtime.channel.GroupChannelProvider;
import org.understudy.replication.runtime.channel.GroupChannelSettings;

/** Counts what the channels of this process deliver, and ends them. */
abstract class WatchedChannels implements GroupChannelProvider {
  private static final Map<ReplicaId, Watched> LAST = new ConcurrentHashMap<>();

  private final String name;
  private final GroupChannelProvider provider;

  WatchedChannels(String name, GroupChannelProvider provider) {
    this.name = name;
    this.provider = provider;
  }

  /** The last channel that a replica has opened. */
  static Watched of(int replica) {
    return LAST.get(new ReplicaId(replica));
  }

  /** The settings for the replica's channel. */
  GroupChannelSettings changed(GroupChannelSettings settings) {
    return settings;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public GroupChannel open(GroupChannelSettings settings) throws GroupChannelException {
    Watched opened = new Watched(provider.open(changed(settings)));
    LAST.put(settings.self(), opened);
    return opened;
  }

  /** One channel of a replica. */
  final class Watched implements GroupChannel, GroupReceiver {
    private final GroupChannel channel;
    private volatile GroupReceiver receiver;
    private final AtomicInteger delivered = new AtomicInteger();
    private volatile int members;

    Watched(GroupChannel channel) {
      this.channel = channel;
    }

    /** The messages that it has delivered. */
    int delivered() {
      return delivered.get();
    }

    /** The members of its last view. */
    int members() {
      return members;
    }

    /** Ends it as the end of its session would. */
    void fail() {
      channel.close();
      receiver.failed("the test ended it", null);
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public void join(GroupReceiver taker) {
      receiver = taker;
      channel.join(this);
    }

    @Override
    public void multicast(Message message) {
      channel.multicast(message);
    }

    @Override
    public void close() {
      channel.close();
    }

    @Override
    public void delivered(ReplicaId from, Message message) {
      delivered.incrementAndGet();
      receiver.delivered(from, message);
    }

    @Override
    public void viewInstalled(GroupView view) {
      members = view.members().size();
      receiver.viewInstalled(view);
    }

    @Override
    public void failed(String why, Throwable cause) {
      members = 0;
      receiver.failed(why, cause);
    }
  }
}
