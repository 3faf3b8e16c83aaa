package org.understudy.replication.core.group;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.group.GroupMessage.Delegation;
import org.understudy.replication.core.group.GroupMessage.IndexQuery;
import org.understudy.replication.core.group.GroupMessage.IndexReply;
import org.understudy.replication.core.group.GroupMessage.Placed;
import org.understudy.replication.core.group.GroupMessage.Proposal;
import org.understudy.replication.core.group.GroupMessage.Recall;
import org.understudy.replication.core.group.GroupMessage.RenewalQuery;
import org.understudy.replication.core.group.GroupMessage.Return;
import org.understudy.replication.core.group.GroupMessage.Stable;
import org.understudy.replication.core.limit.Limits;
import org.understudy.replication.core.wire.ArrayReader;
import org.understudy.replication.core.wire.ArrayWriter;
import org.understudy.replication.core.wire.WireVersions;

/** The encodings of the messages of group replication. */
class GroupMessageTest {
  private static final int SCRAMBLED = 2_000;

  static Stream<Message> everyKind() {
    return Stream.of(
        proposal(),
        new Stable(7, 12),
        new IndexQuery(7, 3),
        new IndexReply(7, 3, 12),
        new Placed(7, 11, 12, new ReplicaId(2), 5),
        new RenewalQuery(7, 5, List.of(new SessionId(1, -2), new SessionId(3, 4))),
        new Delegation(7, 2, 12, 5),
        new Recall(7, 2),
        new Return(7, 2, 14));
  }

  /** What a member has sent to the sequencer. */
  private static Message proposal() {
    Members members = new Members(Limits.DEFAULTS);
    long token = members.ask(2, Members.update("caller"));
    members.deliver();
    members.returns(2, token, Map.of("key", 0L));
    return members.node(2).sent.stream().filter(Proposal.class::isInstance).findFirst().orElseThrow();
  }

  private static byte[] written(Message message) {
    ArrayWriter out = new ArrayWriter(0);
    message.write(out);
    return out.toBytes();
  }

  private static Message read(Message like, byte[] bytes) {
    ArrayReader in = new ArrayReader(bytes, 0, bytes.length, WireVersions.CURRENT);
    Message message = like.kind().reader().read(7, in);
    assertFalse(in.hasMore(), "all bytes belong to the message");
    return message;
  }

  @Test
  void allKindsAreHere() {
    Set<Class<?>> here = new HashSet<>(everyKind().map(Object::getClass).toList());
    assertEquals(GroupMessage.kinds().size(), here.size());
    assertEquals(Set.of(GroupMessage.class.getPermittedSubclasses()), here);
  }

  @ParameterizedTest
  @MethodSource("everyKind")
  void messageIsReadAsItWasWritten(Message message) {
    byte[] bytes = written(message);
    assertArrayEquals(bytes, written(read(message, bytes)));
    assertTrue(bytes.length <= message.encodedBytes(), bytes.length + " bytes");
  }

  /** Whoever sends them: bytes that are no message end as such, and cost no memory. */
  @ParameterizedTest
  @MethodSource("everyKind")
  void invalidBytesAreRefused(Message message) {
    byte[] whole = written(message);
    for (int length = 0; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      assertThrows(IllegalArgumentException.class, () -> read(message, cut), length + " of " + whole.length + " bytes");
    }
    long seed = 20_261_128;
    Random random = new Random(seed);
    for (int i = 0; i < SCRAMBLED; i++) {
      byte[] scrambled = whole.clone();
      for (int j = 0; j <= random.nextInt(4); j++) {
        scrambled[random.nextInt(scrambled.length)] = (byte) random.nextInt();
      }
      try {
        message.kind().reader().read(7, new ArrayReader(scrambled, 0, scrambled.length, WireVersions.CURRENT));
      } catch (IllegalArgumentException expected) {
        // The only permitted result for invalid bytes.
      }
    }
  }
}
