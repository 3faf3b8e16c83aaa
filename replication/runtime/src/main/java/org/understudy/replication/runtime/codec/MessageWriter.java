package org.understudy.replication.runtime.codec;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.api.View;
import org.understudy.replication.core.Eviction;
import org.understudy.replication.core.Failure;
import org.understudy.replication.core.Message.Item;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.Outcome;
import org.understudy.replication.core.RequestKey;
import org.understudy.replication.core.Response;
import org.understudy.replication.core.StateChange;
import org.understudy.replication.core.StateUpdate;
import org.understudy.replication.core.WireVersions;

/**
 * Writes messages one after another. Large arrays are not copied: they become segments of their own.
 *
 * <p>Not thread-safe; use one a batch.
 */
public final class MessageWriter {
  private static final int OWN_SEGMENT_BYTES = 4_096;

  private final List<ByteBuffer> segments = new ArrayList<>(4);
  private byte[] buffer;
  private int start;
  private int position;
  private long sealed;

  /** @param reserve bytes to leave free in front, for a frame's length */
  public MessageWriter(int reserve) {
    buffer = new byte[512];
    position = reserve;
  }

  /** All bytes so far, the reserved ones included. */
  public long size() {
    return sealed + position - start;
  }

  /** Ends writing. The first segment begins with the reserved bytes. */
  public ByteBuffer[] segments() {
    seal();
    return segments.toArray(ByteBuffer[]::new);
  }

  /** Ends writing, as one array. */
  public byte[] toBytes() {
    byte[] all = new byte[(int) size()];
    int at = 0;
    for (ByteBuffer segment : segments()) {
      int length = segment.remaining();
      segment.get(all, at, length);
      at += length;
    }
    return all;
  }

  public void write(Message message) {
    u8(MessageType.of(message).ordinal());
    i64(message.epoch());
    if (message instanceof Message.Update update) {
      u8(update.wire());
      i64(update.stable());
      update(update.update());
    } else if (message instanceof Message.Ack ack) {
      i64(ack.received());
      bool(ack.gap());
    } else if (message instanceof Message.Heartbeat heartbeat) {
      members(heartbeat.view());
      i64(heartbeat.base().epoch());
      members(heartbeat.base());
      i64(heartbeat.sentAt());
      i64(heartbeat.end());
      i64(heartbeat.stable());
      bool(heartbeat.authority());
      // Advisory: its length, for a reader that does not know all of it.
      u8(1);
      u8(heartbeat.wire());
    } else if (message instanceof Message.HeartbeatAck ack) {
      i64(ack.sentAt());
      bool(ack.voter());
      bool(ack.lease());
      u8(0);
    } else if (message instanceof Message.CanvassReply reply) {
      bool(reply.granted());
    } else if (message instanceof Message.Prepare prepare) {
      bool(prepare.first());
    } else if (message instanceof Message.Promise promise) {
      i64(promise.base().epoch());
      members(promise.base());
      bool(promise.complete());
      i64(promise.received());
      bool(promise.voter());
      i64(promise.incarnation());
      versions(promise.reads());
      u8(promise.wire());
    } else if (message instanceof Message.NewView newView) {
      members(newView.view());
      i64(newView.base().epoch());
      members(newView.base());
      i64(newView.start());
      replicas(newView.voters());
      for (long incarnation : newView.incarnations()) {
        i64(incarnation);
      }
      u8(newView.wire());
    } else if (message instanceof Message.Accepted accepted) {
      bool(accepted.member());
      i64(accepted.received());
    } else if (message instanceof Message.Join join) {
      i64(join.incarnation());
      bool(join.virgin());
      versions(join.reads());
    } else if (message instanceof Message.Snapshot snapshot) {
      u8(snapshot.wire());
      i64(snapshot.incarnation());
      i32(snapshot.part());
      bool(snapshot.last());
      i64(snapshot.index());
      i32(snapshot.items().size());
      snapshot.items().forEach(this::item);
    } else if (message instanceof Message.Survey survey) {
      i64(survey.survey());
    } else if (message instanceof Message.SurveyReply reply) {
      i64(reply.survey());
      i64(reply.base().epoch());
      members(reply.base());
      bool(reply.complete());
      i64(reply.received());
      bool(reply.voter());
      i64(reply.incarnation());
    } else if (message instanceof Message.Readmit readmit) {
      i64(readmit.incarnation());
      i64(readmit.base().epoch());
      members(readmit.base());
    } else if (message instanceof Message.ReadRound round) {
      i64(round.round());
    } else if (message instanceof Message.ReadRoundAck ack) {
      i64(ack.round());
    } else if (message instanceof Message.SessionActivity activity) {
      i32(activity.sessions().size());
      for (SessionId session : activity.sessions()) {
        i64(session.high());
        i64(session.low());
      }
    } else if (message instanceof Message.SnapshotAck ack) {
      i64(ack.incarnation());
      i32(ack.part());
    }
  }

  private void update(StateUpdate update) {
    i64(update.index());
    u8(update.kind().ordinal());
    key(update.key());
    i64(update.digest());
    i64(update.ackBelow());
    string(update.principal());
    i64(update.owner());
    outcome(update.outcome());
    i32(update.changes().size());
    for (StateChange change : update.changes()) {
      string(change.resource());
      bool(change.state() != null);
      if (change.state() != null) {
        bytes(change.state());
      }
    }
    boolean evicts = !update.eviction().equals(Eviction.NONE);
    bool(evicts);
    if (evicts) {
      i64(update.eviction().identitiesUpTo());
      i64(update.eviction().repliesUpTo());
    }
  }

  private void item(Item item) {
    if (item instanceof Item.Resource resource) {
      u8(0);
      string(resource.id());
      i64(resource.owner());
      bytes(resource.state());
    } else if (item instanceof Item.Session session) {
      u8(1);
      i64(session.id().high());
      i64(session.id().low());
      key(session.nonce());
      string(session.principal());
      i64(session.owner());
      i64(session.ackBelow());
    } else if (item instanceof Item.Identities identities) {
      u8(4);
      i32(identities.words().length);
      for (long word : identities.words()) {
        i64(word);
      }
    } else if (item instanceof Item.Unstable unstable) {
      u8(3);
      update(unstable.update());
    } else if (item instanceof Item.StoredReply reply) {
      u8(2);
      key(reply.key());
      i64(reply.digest());
      i64(reply.index());
      outcome(reply.outcome());
    }
  }

  private void key(RequestKey key) {
    if (key instanceof RequestKey.OfSession of) {
      u8(1);
      i64(of.session().high());
      i64(of.session().low());
      i64(of.sequence());
    } else if (key instanceof RequestKey.OfMessageId of) {
      u8(2);
      i64(of.high());
      i64(of.low());
    } else if (key instanceof RequestKey.OfNonce of) {
      u8(3);
      i64(of.high());
      i64(of.low());
    } else {
      u8(0);
    }
  }

  private void outcome(Outcome outcome) {
    if (outcome instanceof Failure failure) {
      u8(1);
      string(failure.code().name());
      string(failure.sentence());
    } else {
      Response response = (Response) outcome;
      u8(0);
      u8(response.format());
      bytes(response.body());
    }
  }

  private void versions(WireVersions versions) {
    u8(versions.oldest());
    u8(versions.newest());
  }

  private void members(View view) {
    replicas(view.members());
  }

  private void replicas(List<ReplicaId> replicas) {
    u8(replicas.size());
    replicas.forEach(replica -> u8(replica.number()));
  }

  private void string(String text) {
    bytes(text.getBytes(StandardCharsets.UTF_8));
  }

  private void bytes(byte[] bytes) {
    i32(bytes.length);
    if (bytes.length >= OWN_SEGMENT_BYTES) {
      seal();
      segments.add(ByteBuffer.wrap(bytes));
      sealed += bytes.length;
    } else {
      room(bytes.length);
      System.arraycopy(bytes, 0, buffer, position, bytes.length);
      position += bytes.length;
    }
  }

  private void seal() {
    if (position > start) {
      segments.add(ByteBuffer.wrap(buffer, start, position - start).slice());
      sealed += position - start;
      start = position;
    }
  }

  private void u8(int value) {
    room(1);
    buffer[position++] = (byte) value;
  }

  private void bool(boolean value) {
    u8(value ? 1 : 0);
  }

  private void i32(int value) {
    room(4);
    buffer[position++] = (byte) (value >>> 24);
    buffer[position++] = (byte) (value >>> 16);
    buffer[position++] = (byte) (value >>> 8);
    buffer[position++] = (byte) value;
  }

  private void i64(long value) {
    i32((int) (value >>> 32));
    i32((int) value);
  }

  /** Sealed segments keep the old array; only what is not sealed moves to a larger one. */
  private void room(int bytes) {
    if (position + bytes > buffer.length) {
      byte[] larger = Arrays.copyOfRange(buffer, start, start + Math.max(2 * buffer.length, position - start + bytes));
      position -= start;
      start = 0;
      buffer = larger;
    }
  }
}
