package org.understudy.replication.runtime.socket;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A network between two replicas that can lose bytes without closing anything, and alter them. */
final class Proxy implements AutoCloseable {
  private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final InetSocketAddress target;
  private final List<Lane> lanes = new CopyOnWriteArrayList<>();
  private final AtomicInteger connections = new AtomicInteger();
  private volatile boolean altering;
  private volatile boolean cut;

  Proxy(InetSocketAddress target) throws IOException {
    this.target = target;
    daemon(this::accept);
  }

  InetSocketAddress address() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getLocalPort());
  }

  int connections() {
    return connections.get();
  }

  /** All that the connections of now carry from now on is lost; later connections work. */
  void silence() {
    lanes.forEach(lane -> lane.silent = true);
  }

  /** While on, whatever any connection carries is lost; connections of that time stay silent afterwards. */
  void cut(boolean on) {
    cut = on;
    if (on) {
      silence();
    }
  }

  /** Flips a bit of each byte that the dialer sends from now on. */
  void alter(boolean on) {
    altering = on;
  }

  /** All that the dialer has sent on its first connection. */
  byte[] recorded() {
    Lane first = lanes.get(0);
    synchronized (first.record) {
      return first.record.toByteArray();
    }
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket near = server.accept();
        connections.incrementAndGet();
        lead(near);
      } catch (IOException e) {
        // Closed.
      }
    }
  }

  private void lead(Socket near) throws IOException {
    Socket far;
    try {
      far = new Socket(target.getAddress(), target.getPort());
    } catch (IOException e) {
      near.close();
      return;
    }
    near.setTcpNoDelay(true);
    far.setTcpNoDelay(true);
    Lane there = new Lane(near, far, true);
    Lane back = new Lane(far, near, false);
    lanes.add(there);
    lanes.add(back);
    daemon(there::carry);
    daemon(back::carry);
  }

  private static void daemon(Runnable task) {
    Thread thread = new Thread(task, "proxy");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Lane lane : lanes) {
      lane.from.close();
      lane.to.close();
    }
  }

  private final class Lane {
    private final Socket from;
    private final Socket to;
    private final boolean there;
    private final ByteArrayOutputStream record = new ByteArrayOutputStream();
    private volatile boolean silent;

    Lane(Socket from, Socket to, boolean there) {
      this.from = from;
      this.to = to;
      this.there = there;
    }

    void carry() {
      byte[] bytes = new byte[8_192];
      try (InputStream in = from.getInputStream(); OutputStream out = to.getOutputStream()) {
        for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
          for (int i = 0; i < read && there && altering; i++) {
            bytes[i] ^= 1;
          }
          silent |= cut;
          if (!silent) {
            synchronized (record) {
              record.write(bytes, 0, read);
            }
            out.write(bytes, 0, read);
          }
        }
        // An end is lost like the rest.
        while (silent && !server.isClosed()) {
          java.util.concurrent.locks.LockSupport.parkNanos(1_000_000);
        }
      } catch (IOException e) {
        // The other lane closes what is left.
      }
    }
  }
}
