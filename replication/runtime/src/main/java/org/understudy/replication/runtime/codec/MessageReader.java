package org.understudy.replication.runtime.codec;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.api.View;
import org.understudy.replication.core.Eviction;
import org.understudy.replication.core.Failure;
import org.understudy.replication.core.Message.Item;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.Outcome;
import org.understudy.replication.core.Request;
import org.understudy.replication.core.RequestKey;
import org.understudy.replication.core.Response;
import org.understudy.replication.core.StateChange;
import org.understudy.replication.core.StateUpdate;
import org.understudy.replication.core.WireVersions;

/**
 * Reads what {@link MessageWriter} wrote. Never allocates more than the bytes at hand justify, and answers anything else
 * with {@link MalformedMessageException}.
 */
public final class MessageReader {
  private static final int IDENTITY_WORDS = 5;
  private static final long MAX_POSITION = VersionHandle.MAX;

  private final ByteBuffer in;
  private final WireVersions reads;

  public MessageReader(byte[] bytes, int offset, int length) {
    this(bytes, offset, length, WireVersions.CURRENT);
  }

  private MessageReader(byte[] bytes, int offset, int length, WireVersions reads) {
    this.in = ByteBuffer.wrap(bytes, offset, length);
    this.reads = reads;
  }

  /** Reads messages to the end. */
  public static List<Message> readAll(byte[] bytes, int offset, int length) throws MalformedMessageException {
    return readAll(bytes, offset, length, WireVersions.CURRENT);
  }

  /** Reads messages to the end, as a replica of another build does that reads these wire versions. */
  public static List<Message> readAll(byte[] bytes, int offset, int length, WireVersions reads)
      throws MalformedMessageException {
    MessageReader reader = new MessageReader(bytes, offset, length, reads);
    List<Message> messages = new ArrayList<>(4);
    while (reader.in.hasRemaining()) {
      messages.add(reader.read());
    }
    return messages;
  }

  /** Reads one message. */
  public Message read() throws MalformedMessageException {
    try {
      return message();
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new MalformedMessageException("A message holds an impossible value: " + e.getMessage());
    }
  }

  private Message message() throws MalformedMessageException {
    MessageType type = MessageType.of(u8());
    long epoch = position();
    return switch (type) {
      case CANVASS -> new Message.Canvass(epoch);
      case CANVASS_REPLY -> new Message.CanvassReply(epoch, bool());
      case PREPARE -> new Message.Prepare(epoch, bool());
      case PROMISE ->
          new Message.Promise(
              epoch, new View(position(), replicas()), bool(), position(), bool(), i64(), versions(), u8());
      case REFUSE -> new Message.Refuse(epoch);
      case NEW_VIEW -> newView(view(epoch));
      case ACCEPTED -> new Message.Accepted(epoch, bool(), position());
      case HEARTBEAT ->
          new Message.Heartbeat(
              view(epoch), new View(position(), replicas()), i64(), position(), position(), bool(), advice());
      case HEARTBEAT_ACK -> heartbeatAck(epoch);
      case UPDATE -> stateUpdate(epoch);
      case ACK -> new Message.Ack(epoch, position(), bool());
      case JOIN -> new Message.Join(epoch, i64(), bool(), versions());
      case SNAPSHOT -> snapshot(epoch);
      case SURVEY -> new Message.Survey(epoch, i64());
      case SURVEY_REPLY ->
          new Message.SurveyReply(epoch, i64(), new View(position(), replicas()), bool(), position(), bool(), i64());
      case READMIT -> new Message.Readmit(epoch, i64(), new View(position(), replicas()));
      case READ_ROUND -> new Message.ReadRound(epoch, position());
      case READ_ROUND_ACK -> new Message.ReadRoundAck(epoch, position());
      case SESSION_ACTIVITY -> new Message.SessionActivity(epoch, sessions());
      case SNAPSHOT_ACK -> new Message.SnapshotAck(epoch, i64(), i32());
    };
  }

  private Message stateUpdate(long epoch) throws MalformedMessageException {
    int wire = wire();
    return new Message.Update(epoch, position(), update(), wire);
  }

  private Message snapshot(long epoch) throws MalformedMessageException {
    int wire = wire();
    return new Message.Snapshot(epoch, i64(), i32(), bool(), position(), items(), wire);
  }

  private Message heartbeatAck(long epoch) throws MalformedMessageException {
    Message ack = new Message.HeartbeatAck(epoch, i64(), bool(), bool());
    advice();
    return ack;
  }

  /** The version that something replicated is written in: a part of another one could only be guessed. */
  private int wire() throws MalformedMessageException {
    int wire = u8();
    if (!reads.reads(wire)) {
      throw new MalformedMessageException(
          "A message is written in wire version " + wire + ", and this replica reads " + reads
              + ". Install the same version on all replicas.");
    }
    return wire;
  }

  /** The advisory part of a heartbeat: the view's wire version, 0 when it is not there. What follows is skipped. */
  private int advice() throws MalformedMessageException {
    int length = u8();
    need(length);
    int end = in.position() + length;
    int wire = length > 0 ? u8() : 0;
    in.position(end);
    return wire;
  }

  private WireVersions versions() throws MalformedMessageException {
    return new WireVersions(u8(), u8());
  }

  /** The view that a message proposes or belongs to: never {@link View#NONE}. */
  private View view(long epoch) throws MalformedMessageException {
    if (epoch == 0) {
      throw new MalformedMessageException("A message names no view where it needs one.");
    }
    return new View(epoch, replicas());
  }

  private Message newView(View view) throws MalformedMessageException {
    View base = new View(position(), replicas());
    long start = position();
    List<ReplicaId> voters = replicas();
    List<Long> incarnations = new ArrayList<>(view.members().size());
    for (int i = 0; i < view.members().size(); i++) {
      incarnations.add(i64());
    }
    return new Message.NewView(view, base, start, voters, incarnations, u8());
  }

  private StateUpdate update() throws MalformedMessageException {
    long index = position();
    Request.Kind[] kinds = Request.Kind.values();
    Request.Kind kind = kinds[limit(u8(), kinds.length - 1)];
    return new StateUpdate(index, kind, key(), i64(), i64(), string(), i64(), outcome(), changes(), eviction());
  }

  private Eviction eviction() throws MalformedMessageException {
    return bool() ? new Eviction(position(), position()) : Eviction.NONE;
  }

  private List<StateChange> changes() throws MalformedMessageException {
    int count = count(6);
    List<StateChange> changes = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      changes.add(new StateChange(string(), bool() ? bytes() : null));
    }
    return changes;
  }

  private List<Item> items() throws MalformedMessageException {
    int count = count(5);
    List<Item> items = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      items.add(
          switch (limit(u8(), 4)) {
            case 0 -> new Item.Resource(string(), i64(), bytes());
            case 3 -> new Item.Unstable(update());
            case 1 -> new Item.Session(new SessionId(i64(), i64()), nonce(), string(), i64(), i64());
            case 4 -> new Item.Identities(words());
            default -> new Item.StoredReply(key(), i64(), position(), outcome());
          });
    }
    return items;
  }

  private RequestKey key() throws MalformedMessageException {
    return switch (limit(u8(), 3)) {
      case 1 -> new RequestKey.OfSession(new SessionId(i64(), i64()), i64());
      case 2 -> new RequestKey.OfMessageId(i64(), i64());
      case 3 -> new RequestKey.OfNonce(i64(), i64());
      default -> null;
    };
  }

  private RequestKey.OfNonce nonce() throws MalformedMessageException {
    if (key() instanceof RequestKey.OfNonce nonce) {
      return nonce;
    }
    throw new MalformedMessageException("A session in a message has no nonce.");
  }

  private List<SessionId> sessions() throws MalformedMessageException {
    int count = count(16);
    List<SessionId> sessions = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      sessions.add(new SessionId(i64(), i64()));
    }
    return sessions;
  }

  private long[] words() throws MalformedMessageException {
    long[] words = new long[count(8)];
    if (words.length % IDENTITY_WORDS != 0) {
      throw new MalformedMessageException("A message holds a part of an identity.");
    }
    for (int i = 0; i < words.length; i++) {
      words[i] = i64();
    }
    return words;
  }

  private Outcome outcome() throws MalformedMessageException {
    return bool()
        ? new Failure(FailureCode.valueOf(string()), string())
        : new Response((byte) u8(), bytes());
  }

  private List<ReplicaId> replicas() throws MalformedMessageException {
    int count = limit(u8(), ReplicaId.MAX);
    List<ReplicaId> replicas = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      replicas.add(new ReplicaId(u8()));
    }
    return replicas;
  }

  private String string() throws MalformedMessageException {
    return new String(bytes(), StandardCharsets.UTF_8);
  }

  private byte[] bytes() throws MalformedMessageException {
    byte[] bytes = new byte[count(1)];
    in.get(bytes);
    return bytes;
  }

  /** A count of things of at least so many bytes each: more than are left cannot be. */
  private int count(int leastBytes) throws MalformedMessageException {
    int count = i32();
    if (count < 0 || (long) count * leastBytes > in.remaining()) {
      throw new MalformedMessageException("A message announces more than it holds.");
    }
    return count;
  }

  private static int limit(int value, int most) throws MalformedMessageException {
    if (value > most) {
      throw new MalformedMessageException("A message holds " + value + " where " + most + " is the most.");
    }
    return value;
  }

  private int u8() throws MalformedMessageException {
    need(1);
    return in.get() & 0xff;
  }

  private boolean bool() throws MalformedMessageException {
    return limit(u8(), 1) == 1;
  }

  private int i32() throws MalformedMessageException {
    need(4);
    return in.getInt();
  }

  private long i64() throws MalformedMessageException {
    need(8);
    return in.getLong();
  }

  /** An epoch or an index: no group ever comes near the bound, but a forged one could leave no room above it. */
  private long position() throws MalformedMessageException {
    long value = i64();
    if (value < 0 || value > MAX_POSITION) {
      throw new MalformedMessageException("A message holds the epoch or index " + value + ", which is out of range.");
    }
    return value;
  }

  private void need(int bytes) throws MalformedMessageException {
    if (in.remaining() < bytes) {
      throw new MalformedMessageException("A message ends too early.");
    }
  }
}
