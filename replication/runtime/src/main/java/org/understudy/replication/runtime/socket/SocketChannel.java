package org.understudy.replication.runtime.socket;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Message;
import org.understudy.replication.runtime.codec.MalformedMessageException;
import org.understudy.replication.runtime.handshake.Acceptor;
import org.understudy.replication.runtime.handshake.FrameSeal;
import org.understudy.replication.runtime.handshake.PeerSession;
import org.understudy.replication.runtime.handshake.RefusedPeerException;
import org.understudy.replication.runtime.inbound.PeerConnection;
import org.understudy.replication.runtime.inbound.PeerServer;
import org.understudy.replication.runtime.peer.AnswerWait;
import org.understudy.replication.runtime.peer.PeerChannel;
import org.understudy.replication.runtime.peer.PeerReceiver;

/**
 * Framed TCP. Each replica connects to each other one and sends on that connection; it receives on the connections that the others made.
 * The exception are answers: the acknowledgement of an update for which a thread waits ({@link AnswerWait}) returns on the connection of
 * the update. A frame is its length in four bytes, messages one after another, and a tag that authenticates it ({@link FrameSeal}).
 *
 * <p>The sending thread writes to the socket itself as long as the kernel takes everything; one thread for each peer
 * connects, writes the rest, and pings. One thread for each connection receives.
 */
public final class SocketChannel implements PeerChannel {
  private static final Logger LOG = LoggerFactory.getLogger(SocketChannel.class);

  private final SocketSettings settings;
  private final Connection.Wire wire;
  private final Frames frames = new Frames();
  private final LinkAnswers answers = new LinkAnswers();
  private final Map<ReplicaId, OutgoingLink> links = new TreeMap<>();
  private volatile PeerServer server;
  private PeerReceiver receiver;

  public SocketChannel(SocketSettings settings) {
    this(settings, Connection.Wire.REAL);
  }

  SocketChannel(SocketSettings settings, Connection.Wire wire) {
    this.wire = wire;
    this.settings = settings;
  }

  @Override
  public String name() {
    return "socket";
  }

  @Override
  public void open(PeerReceiver receiver) throws IOException {
    this.receiver = receiver;
    for (ReplicaId peer : settings.addresses().keySet()) {
      if (!peer.equals(settings.self())) {
        links.put(peer, new OutgoingLink(settings, wire, frames, peer, receiver, answers));
      }
    }
    server =
        PeerServer.open(
            settings.addresses().get(settings.self()), settings.addresses().values(), settings.tls(),
            settings.suspicion(), this::serve);
  }

  @Override
  public void start() {
    server.start();
    links.values().forEach(OutgoingLink::start);
  }

  @Override
  public void send(ReplicaId to, List<Message> messages) {
    OutgoingLink link = links.get(to);
    if (link != null) {
      link.send(messages);
    }
  }

  @Override
  public AnswerWait beginAnswerWait() {
    return answers.begin() ? answers : null;
  }

  @Override
  public int wire(ReplicaId peer) {
    OutgoingLink link = links.get(peer);
    return link == null ? 0 : link.wireVersion();
  }

  @Override
  public String address(ReplicaId peer) {
    InetSocketAddress address = settings.addresses().get(peer);
    return address == null ? null : address.getHostString() + ":" + address.getPort();
  }

  @Override
  public List<String> refusals() {
    return links.values().stream().map(OutgoingLink::refusal).filter(Objects::nonNull).toList();
  }

  @Override
  public void close() {
    if (server != null) {
      server.close();
    }
    links.values().forEach(OutgoingLink::close);
    links.values().forEach(OutgoingLink::awaitEnd);
  }

  private void serve(PeerConnection connection) throws IOException {
    Socket socket = connection.socket();
    DataInputStream in = new DataInputStream(socket.getInputStream());
    DataOutputStream out = new DataOutputStream(socket.getOutputStream());
    Acceptor acceptor = new Acceptor(settings.credentials());
    PeerSession session = accept(connection, acceptor, in, out);
    connection.prove(acceptor.peer());
    try {
      Incoming incoming =
          new Incoming(
              acceptor.peer(), connection, new FrameReader(in, settings.maxFrameBytes(), session), session, out, receiver,
              messages -> send(acceptor.peer(), messages));
      // The loop body is a method of its own, because the loop runs so long that it would stay interpreted.
      while (incoming.next()) {}
    } catch (MalformedMessageException e) {
      LOG.warn("Replica {} sent an unreadable message: {} Check that both replicas run the same version.", acceptor.peer(),
          e.getMessage());
    }
  }

  private static PeerSession accept(
      PeerConnection connection, Acceptor acceptor, DataInputStream in, DataOutputStream out) throws IOException {
    // An unauthenticated connection can make this replica keep no more than a hello.
    byte[] hello = new byte[Math.min(in.readUnsignedShort(), Acceptor.HELLO_BYTES)];
    in.readFully(hello);
    try {
      write(out, acceptor.reply(hello));
    } catch (RefusedPeerException e) {
      write(out, Acceptor.notice(e));
      throw e;
    }
    connection.recognise();
    byte[] confirm = new byte[in.readUnsignedShort()];
    in.readFully(confirm);
    write(out, acceptor.answer(confirm));
    return acceptor.complete();
  }

  private static void write(DataOutputStream out, byte[] message) throws IOException {
    byte[] framed = new byte[2 + message.length];
    framed[0] = (byte) (message.length >>> 8);
    framed[1] = (byte) message.length;
    System.arraycopy(message, 0, framed, 2, message.length);
    out.write(framed);
    out.flush();
  }
}
