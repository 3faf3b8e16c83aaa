package org.understudy.replication.runtime.socket;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.ServerSocketChannel;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Message;
import org.understudy.replication.runtime.PeerChannel;
import org.understudy.replication.runtime.PeerReceiver;
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
  private static final int HANDSHAKE_TIMEOUT_MS = 2_000;
  private static final int MOST_STRANGERS = 16;

  private final SocketSettings settings;
  private final Frames frames = new Frames();
  private final Map<ReplicaId, OutgoingLink> links = new TreeMap<>();
  private final Set<Socket> incoming = Collections.newSetFromMap(new ConcurrentHashMap<>());
  private final Semaphore strangers = new Semaphore(MOST_STRANGERS);
  private ServerSocketChannel server;
  private PeerReceiver receiver;
  private volatile boolean closed;

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
    InetSocketAddress own = settings.addresses().get(settings.self());
    server = ServerSocketChannel.open();
    server.setOption(StandardSocketOptions.SO_REUSEADDR, true);
    try {
      server.bind(own);
    } catch (IOException e) {
      server.close();
      throw new IOException(
          "The peer address " + own + " of replica " + settings.self() + " cannot be opened: " + e.getMessage()
              + "; is the port in use?",
          e);
    }
    settings.addresses().forEach(
        (peer, address) -> {
          if (!peer.equals(settings.self())) {
            links.put(peer, new OutgoingLink(settings, peer, address, receiver));
          }
        });
    links.values().forEach(OutgoingLink::start);
    daemon(this::accept, "understudy-peers");
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
    closed = true;
    try {
      if (server != null) {
        server.close();
      }
      for (Socket socket : incoming) {
        socket.close();
      }
    } catch (IOException e) {
      LOG.debug("A connection did not close.", e);
    }
    links.values().forEach(OutgoingLink::close);
  }

  private static void daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (!closed) {
      try {
        // Blocking, so that a read is one call to the kernel and not three.
        Socket socket = server.accept().socket();
        if (strangers.tryAcquire()) {
          incoming.add(socket);
          daemon(() -> serve(socket), "understudy-peer-in");
        } else {
          socket.close();
        }
      } catch (IOException e) {
        if (!closed) {
          LOG.warn("A peer could not be accepted: {}", e.getMessage());
        }
      }
    }
  }

  private void serve(Socket socket) {
    ReplicaId peer = null;
    boolean stranger = true;
    try (socket) {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(HANDSHAKE_TIMEOUT_MS);
      peer =
          new Handshake(settings)
              .accept(new DataInputStream(socket.getInputStream()), new DataOutputStream(socket.getOutputStream()));
      strangers.release();
      stranger = false;
      socket.setSoTimeout(0);
      Thread.currentThread().setName("understudy-from-" + peer);
      receive(peer, socket.getChannel());
    } catch (MalformedMessageException e) {
      LOG.warn("Replica {} sent what this one cannot read: {} Do both run the same version?", peer, e.getMessage());
    } catch (IOException e) {
      if (peer == null && !closed) {
        LOG.warn("A stranger at {} was refused: {}", socket.getRemoteSocketAddress(), e.getMessage());
      } else if (!closed) {
        LOG.debug("The connection from replica {} ended: {}", peer, e.getMessage());
      }
    } finally {
      if (stranger) {
        strangers.release();
      }
      incoming.remove(socket);
      if (peer != null && !closed) {
        links.get(peer).probe();
      }
    }
  }

  private void receive(ReplicaId peer, ReadableByteChannel in) throws IOException {
    FrameReader frames = new FrameReader(in, settings.maxFrameBytes());
    while (frames.next()) {
      receiver.received(peer, MessageReader.readAll(frames.bytes(), frames.offset(), frames.length()), null);
    }
  }
}
