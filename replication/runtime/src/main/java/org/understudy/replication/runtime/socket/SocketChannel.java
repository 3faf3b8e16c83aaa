package org.understudy.replication.runtime.socket;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.channels.ReadableByteChannel;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Message;
import org.understudy.replication.runtime.PeerChannel;
import org.understudy.replication.runtime.PeerReceiver;
import org.understudy.replication.runtime.PeerServer;
import org.understudy.replication.runtime.codec.MalformedMessageException;
import org.understudy.replication.runtime.codec.MessageReader;

/**
 * Framed TCP. Each replica connects to each other one and sends on that connection only; what it receives comes on the
 * connections that the others made. A frame is its length in four bytes and messages one after another.
 *
 * <p>The thread that sends writes to the socket itself as long as the kernel takes it all; one thread a peer connects,
 * and writes what the kernel did not take. One thread a connection receives.
 */
public final class SocketChannel implements PeerChannel {
  private static final Logger LOG = LoggerFactory.getLogger(SocketChannel.class);

  private final SocketSettings settings;
  private final Frames frames = new Frames();
  private final Map<ReplicaId, OutgoingLink> links = new TreeMap<>();
  private volatile PeerServer server;
  private PeerReceiver receiver;

  public SocketChannel(SocketSettings settings) {
    this.settings = settings;
  }

  @Override
  public String name() {
    return "socket";
  }

  @Override
  public void open(PeerReceiver receiver) throws IOException {
    this.receiver = receiver;
    settings.addresses().forEach(
        (peer, address) -> {
          if (!peer.equals(settings.self())) {
            links.put(peer, new OutgoingLink(settings, peer, address, receiver));
          }
        });
    // Who connects finds the links.
    server = PeerServer.open(settings.addresses().get(settings.self()), this::serve);
    links.values().forEach(OutgoingLink::start);
  }

  @Override
  public void send(ReplicaId to, List<Message> messages) {
    OutgoingLink link = links.get(to);
    if (link != null) {
      link.send(frames.of(messages));
    }
  }

  @Override
  public void close() {
    if (server != null) {
      server.close();
    }
    links.values().forEach(OutgoingLink::close);
    links.values().forEach(OutgoingLink::awaitEnd);
  }

  private void serve(Socket socket, Consumer<ReplicaId> proven) throws IOException {
    ReplicaId peer =
        new Handshake(settings)
            .accept(new DataInputStream(socket.getInputStream()), new DataOutputStream(socket.getOutputStream()));
    proven.accept(peer);
    try {
      receive(peer, socket.getChannel());
    } catch (MalformedMessageException e) {
      LOG.warn("Replica {} sent what this one cannot read: {} Do both run the same version?", peer, e.getMessage());
    } finally {
      PeerServer mine = server;
      if (mine != null && !mine.isClosed()) {
        links.get(peer).probe();
      }
    }
  }

  private void receive(ReplicaId peer, ReadableByteChannel in) throws IOException {
    FrameReader incoming = new FrameReader(in, settings.maxFrameBytes());
    while (incoming.next()) {
      receiver.received(peer, MessageReader.readAll(incoming.bytes(), incoming.offset(), incoming.length()), null);
    }
  }
}
