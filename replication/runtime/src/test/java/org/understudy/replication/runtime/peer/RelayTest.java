package org.understudy.replication.runtime.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.membership.MembershipMessage.Nack;
import org.understudy.replication.core.primarybackup.PrimaryBackup;
import org.understudy.replication.core.relay.RelayMessage.Relayed;
import org.understudy.replication.core.wire.WireVersions;
import org.understudy.replication.runtime.codec.MessageFormat;
import org.understudy.replication.runtime.codec.MessageWriter;

/** Three or four replicas pass messages on to each other; a test cuts links. */
class RelayTest {
  private static final long SUSPECT = 800;
  private static final MessageFormat FORMAT = MessageFormat.ofPeers(new PrimaryBackup().messages(), WireVersions.CURRENT);

  private final Map<Integer, Node> nodes = new TreeMap<>();
  private final Set<List<Integer>> cut = new HashSet<>();
  /** The replicas of a build that relays nothing. */
  private final Set<Integer> old = new HashSet<>();
  private long now;

  private final class Node implements PeerChannel {
    private final int number;
    private final Relay relay;
    /** What has arrived for the replica itself: sender and message. */
    private final List<String> arrived = new ArrayList<>();
    private int carried;

    Node(int number, int size) {
      this.number = number;
      List<ReplicaId> peers =
          IntStream.rangeClosed(1, size).filter(other -> other != number).mapToObj(ReplicaId::new).toList();
      this.relay = new Relay(new ReplicaId(number), peers, this, FORMAT, SUSPECT, true);
    }

    @Override
    public String name() {
      return "test";
    }

    @Override
    public void open(PeerReceiver receiver) {
      throw new UnsupportedOperationException("A relay opens no channel.");
    }

    @Override
    public void start() {
      throw new UnsupportedOperationException("A relay starts no channel.");
    }

    @Override
    public int wire(ReplicaId peer) {
      return old.contains(number) || old.contains(peer.number()) ? WireVersions.RELAYS - 1 : WireVersions.RELAYS;
    }

    @Override
    public void send(ReplicaId to, List<Message> messages) {
      if (!cut.contains(List.of(number, to.number()))) {
        nodes.get(to.number()).receive(number, messages);
      }
    }

    private void receive(int from, List<Message> messages) {
      carried += (int) messages.stream().filter(Relayed.class::isInstance).count();
      List<Message> direct = relay.received(new ReplicaId(from), messages, this::arrived, now);
      if (!direct.isEmpty()) {
        arrived(new ReplicaId(from), direct);
      }
    }

    private void arrived(ReplicaId from, List<Message> messages) {
      messages.forEach(message -> arrived.add(from + " " + message));
    }

    @Override
    public void close() {
      throw new UnsupportedOperationException("A relay closes no channel.");
    }
  }

  private void start(int size) {
    for (int number = 1; number <= size; number++) {
      nodes.put(number, new Node(number, size));
    }
    pass(3);
  }

  private void cut(int one, int other) {
    cut.add(List.of(one, other));
    cut.add(List.of(other, one));
  }

  /** Lets so many intervals between two reports pass. */
  private void pass(int intervals) {
    for (int i = 0; i < 4 * intervals; i++) {
      now += SUSPECT / 32;
      nodes.values().forEach(node -> node.relay.tick(now));
    }
  }

  private void send(int from, int to, long epoch) {
    nodes.get(from).relay.send(new ReplicaId(to), List.of(new Nack(epoch)));
  }

  @Test
  void messagesArriveFromTheirSenderPastACutLink() {
    start(3);
    cut(1, 3);
    pass(8);
    send(1, 3, 7);
    send(3, 1, 8);
    send(1, 2, 9);
    assertEquals(List.of("1 Nack[epoch=7]"), nodes.get(3).arrived);
    assertEquals(List.of("3 Nack[epoch=8]"), nodes.get(1).arrived);
    assertEquals(List.of("1 Nack[epoch=9]"), nodes.get(2).arrived);
    assertEquals(List.of("replica 3 through replica 2"), nodes.get(1).relay.describe());
  }

  @Test
  void workingLinkIsUsedAgain() {
    start(3);
    cut(1, 3);
    pass(8);
    cut.clear();
    pass(2);
    int before = nodes.get(2).carried;
    send(1, 3, 7);
    assertEquals(List.of("1 Nack[epoch=7]"), nodes.get(3).arrived);
    assertEquals(before, nodes.get(2).carried);
    assertEquals(List.of(), nodes.get(1).relay.describe());
  }

  @Test
  void replicaOfAnOlderBuildIsSentNothingThatItCannotRead() {
    old.add(3);
    start(3);
    cut(1, 3);
    pass(8);
    send(1, 3, 7);
    assertEquals(List.of(), nodes.get(3).arrived);
    assertEquals(0, nodes.get(2).carried);
    assertEquals(0, nodes.get(3).carried);
  }

  /** A forged or stray message would otherwise travel on and on. */
  @Test
  void whatIsPassedOnIsNotPassedOnAgain() {
    start(4);
    Relayed stray = new Relayed(new ReplicaId(1), new ReplicaId(4), encoded(new Nack(7)));
    nodes.get(2).receive(3, List.of(stray));
    assertEquals(0, nodes.get(4).carried, "it came neither from its sender nor to its receiver");
    nodes.get(2).receive(1, List.of(stray));
    assertEquals(List.of("1 Nack[epoch=7]"), nodes.get(4).arrived);
  }

  @Test
  void strangersUnreadableMessagesAndRelaysInsideAreDropped() {
    start(3);
    nodes.get(2).receive(3, List.of(new Relayed(new ReplicaId(9), new ReplicaId(2), encoded(new Nack(7)))));
    nodes.get(2).receive(3, List.of(new Relayed(new ReplicaId(1), new ReplicaId(9), encoded(new Nack(7)))));
    nodes.get(2).receive(3, List.of(new Relayed(new ReplicaId(1), new ReplicaId(2), new byte[] {-1, 3})));
    Relayed inside = new Relayed(new ReplicaId(1), new ReplicaId(3), encoded(new Nack(7)));
    nodes.get(2).receive(3, List.of(new Relayed(new ReplicaId(1), new ReplicaId(2), encoded(inside))));
    nodes.values().forEach(node -> assertEquals(List.of(), node.arrived));
    assertEquals(0, nodes.get(3).carried);
  }

  private static byte[] encoded(Message message) {
    MessageWriter writer = new MessageWriter(0);
    writer.write(message);
    return writer.toBytes();
  }
}
