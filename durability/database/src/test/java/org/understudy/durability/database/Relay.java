package org.understudy.durability.database;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.understudy.test.network.FreePorts;

/** A TCP relay before a server that ends connections at a chosen place. */
final class Relay implements AutoCloseable {
  /** What happens to the next bytes of a client. */
  enum Cut {
    /** Nothing. */
    NONE,
    /** They do not arrive, and the server sees the connection end. */
    BEFORE_SERVER,
    /** They do not arrive, and the server believes that the client is alive. */
    SERVER_UNAWARE,
    /** They arrive, the server answers, and the answer does not reach the client. */
    AFTER_SERVER,
    /** They vanish, and so do all others until another cut is chosen. A connection that has lost bytes stays open and loses all later. */
    BLACK_HOLE
  }

  private final ServerSocket listener;
  private final int target;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private volatile Cut cut = Cut.NONE;
  private volatile boolean refuses;

  Relay(int target) throws IOException {
    this.target = target;
    this.listener = new ServerSocket(FreePorts.next(), 50, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  void next(Cut what) {
    cut = what;
  }

  /** Ends all connections, as when the client's process is killed, and refuses further ones. */
  void kill() throws IOException {
    refuses = true;
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  private void accept() throws IOException {
    while (true) {
      Socket client = listener.accept();
      if (refuses) {
        client.close();
        continue;
      }
      Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      sockets.add(client);
      sockets.add(server);
      start(() -> forward(client, server, true));
      start(() -> forward(server, client, false));
    }
  }

  private void forward(Socket from, Socket to, boolean request) throws IOException {
    byte[] buffer = new byte[65_536];
    InputStream in = from.getInputStream();
    OutputStream out = to.getOutputStream();
    boolean lost = false;
    for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
      Cut now = cut;
      if (request && now == Cut.BEFORE_SERVER || request && now == Cut.SERVER_UNAWARE) {
        cut = Cut.NONE;
        from.close();
        if (now == Cut.BEFORE_SERVER) {
          to.close();
        }
        return;
      }
      lost |= now == Cut.BLACK_HOLE;
      if (lost) {
        continue;
      }
      if (!request && now == Cut.AFTER_SERVER) {
        cut = Cut.NONE;
        from.close();
        to.close();
        return;
      }
      out.write(buffer, 0, n);
      out.flush();
    }
    to.close();
  }

  private void start(Pump pump) {
    Thread thread = new Thread(() -> {
      try {
        pump.run();
      } catch (IOException e) {
        // The connection has ended.
        return;
      }
    });
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  /** Moves bytes until a connection ends. */
  @FunctionalInterface
  private interface Pump {
    void run() throws IOException;
  }
}
