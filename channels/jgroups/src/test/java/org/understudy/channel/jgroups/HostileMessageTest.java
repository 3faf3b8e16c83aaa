package org.understudy.channel.jgroups;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.CompositeMessage;
import org.jgroups.EmptyMessage;
import org.jgroups.Message;
import org.jgroups.NioMessage;
import org.jgroups.ObjectMessage;
import org.jgroups.Version;
import org.jgroups.auth.AuthToken;
import org.jgroups.blocks.cs.Connection;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.AUTH;
import org.jgroups.protocols.AuthHeader;
import org.jgroups.protocols.UNICAST3;
import org.jgroups.protocols.UnicastHeader3;
import org.jgroups.protocols.pbcast.NAKACK2;
import org.jgroups.protocols.pbcast.NakAckHeader2;
import org.jgroups.protocols.pbcast.STABLE;
import org.jgroups.stack.IpAddress;
import org.jgroups.util.SizeStreamable;
import org.jgroups.util.UUID;
import org.jgroups.util.Util;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.wire.WireVersions;
import org.understudy.replication.runtime.codec.MessageFormat;
import org.understudy.test.channel.Received;
import org.understudy.test.channel.Word;
import org.understudy.test.network.FreePorts;

/** A process of this machine writes messages of JGroups that carry objects, without TLS, the secret or the cluster's name. */
class HostileMessageTest {
  private static final ReplicaId ONE = new ReplicaId(1);
  private static final ReplicaId TWO = new ReplicaId(2);
  /** How often one of the classes below was created from a message. */
  private static final AtomicInteger CREATED = new AtomicInteger();

  /** Records that it is deserialised. */
  private static final class Marker implements Serializable {
    private static final long serialVersionUID = 1L;

    private void readObject(ObjectInputStream in) {
      CREATED.incrementAndGet();
    }
  }

  /** Created by its name. */
  public static final class Named implements SizeStreamable {
    public Named() {
      CREATED.incrementAndGet();
    }

    @Override
    public int serializedSize() {
      return 0;
    }

    @Override
    public void writeTo(DataOutput out) {
      // Has no content.
    }

    @Override
    public void readFrom(DataInput in) {
      // Has no content.
    }
  }

  /** Created by its name in a header. */
  public static final class Token extends AuthToken {
    public Token() {
      CREATED.incrementAndGet();
    }

    @Override
    public String getName() {
      return Token.class.getName();
    }

    @Override
    public boolean authenticate(AuthToken token, Message message) {
      return true;
    }

    @Override
    public int size() {
      return 0;
    }

    @Override
    public void writeTo(DataOutput out) {
      // Has no content.
    }

    @Override
    public void readFrom(DataInput in) {
      // Has no content.
    }
  }

  private static JGroupsChannel channel(ReplicaId self, Map<ReplicaId, InetSocketAddress> addresses) throws Exception {
    return new JGroupsChannel(
        new JGroupsSettings(
            "house", self, addresses, "a secret".getBytes(StandardCharsets.UTF_8), null, Duration.ofMillis(400),
            JGroupsSettings.MAX_WAITING_BYTES),
        new MessageFormat(List.of(Word.KIND), WireVersions.CURRENT));
  }

  private static Message retransmission(Message message) {
    return message.putHeader(ClassConfigurator.getProtocolId(NAKACK2.class), NakAckHeader2.createXmitRequestHeader(UUID.randomUUID()));
  }

  /** Messages in which JGroups creates a class that the message names or serialises. */
  private static Map<String, Message> messages() throws IOException {
    Map<String, Message> messages = new LinkedHashMap<>();
    Marker marker = new Marker();
    byte[] serialised = new BytesMessage(null, marker).getArray();
    messages.put("a serialised object", new ObjectMessage(null, marker));
    messages.put("an object by its class", new ObjectMessage(null, new Named()));
    messages.put("an object in another message", new CompositeMessage(null, new ObjectMessage(null, marker)));
    messages.put("a retransmission request with a serialised payload", retransmission(new BytesMessage(null, marker)));
    messages.put(
        "the same in another buffer",
        retransmission(new NioMessage(null, ByteBuffer.wrap(serialised)).setFlag(Message.Flag.SERIALIZED)));
    messages.put(
        "a request to retransmit to one member",
        new BytesMessage(null, marker).putHeader(ClassConfigurator.getProtocolId(UNICAST3.class), UnicastHeader3.createXmitReqHeader()));
    messages.put(
        "a digest",
        new BytesMessage(null, marker).putHeader(
            ClassConfigurator.getProtocolId(STABLE.class), new STABLE.StableHeader((byte) 1, null)));
    messages.put(
        "a header by its class",
        new EmptyMessage().putHeader(ClassConfigurator.getProtocolId(AUTH.class), new AuthHeader(new Token())));
    return messages;
  }

  private interface Frame {
    void write(DataOutputStream out) throws IOException;
  }

  /** Writes a frame on a connection of its own, and waits until the replica has read it. */
  private static void send(InetSocketAddress replica, Frame frame) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    frame.write(new DataOutputStream(bytes));
    try (Socket socket = new Socket(replica.getAddress(), replica.getPort())) {
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      IpAddress own = new IpAddress(socket.getLocalAddress(), socket.getLocalPort());
      out.writeBytes("bela");
      out.writeShort(Version.version);
      out.writeShort(own.serializedSize());
      own.writeTo(out);
      out.writeInt(bytes.size());
      bytes.writeTo(out);
      out.writeInt(Connection.GRACEFUL_CLOSE);
      out.flush();
      while (socket.getInputStream().read() >= 0) {
        // What the replica sends is of no interest; the end follows when it has read all, or refuses to.
      }
    } catch (IOException e) {
      // The replica has closed the connection with bytes unread.
    }
  }

  @Test
  void noMessageCreatesAnObject() throws Exception {
    Map<ReplicaId, InetSocketAddress> addresses = Map.of(ONE, FreePorts.nextAddress(), TWO, FreePorts.nextAddress());
    Received atOne = new Received();
    Received atTwo = new Received();
    try (JGroupsChannel one = channel(ONE, addresses); JGroupsChannel two = channel(TWO, addresses)) {
      one.join(atOne);
      atOne.await("view [1]");
      two.join(atTwo);
      atOne.await("view [1, 2]");
      atTwo.await("view [1, 2]");
      Map<String, Integer> created = new LinkedHashMap<>();
      for (Map.Entry<String, Message> message : messages().entrySet()) {
        Address stranger = UUID.randomUUID();
        CREATED.set(0);
        send(addresses.get(ONE), out -> Util.writeMessage(message.getValue().setSrc(stranger), out, true));
        created.put(message.getKey(), CREATED.get());
      }
      CREATED.set(0);
      send(
          addresses.get(ONE),
          out -> {
            Util.writeMessageListHeader(null, UUID.randomUUID(), new byte[] {'c'}, 1, out, true);
            out.writeShort(Message.OBJ_MSG);
            new ObjectMessage(null, new Marker()).writeTo(out);
          });
      created.put("a list of messages", CREATED.get());
      created.values().removeIf(count -> count == 0);
      assertEquals(Map.of(), created, "what created an object, and how many");
      one.multicast(new Word("one"));
      two.multicast(new Word("two"));
      for (Received received : List.of(atOne, atTwo)) {
        received.await("both", events -> events.containsAll(List.of("1:one", "2:two")));
        assertEquals(2, received.messages().size());
      }
    }
  }
}
