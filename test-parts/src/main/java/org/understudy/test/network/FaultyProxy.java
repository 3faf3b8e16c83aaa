package org.understudy.test.network;

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
import java.util.concurrent.locks.LockSupport;
import org.understudy.thread.DaemonThreads;

/**
 * A proxy between a client and one address. It can drop bytes without closing a connection, and alter them; it records what
 * the client sends.
 */
public final class FaultyProxy implements AutoCloseable {
  private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final InetSocketAddress target;
  private final List<Lane> lanes = new CopyOnWriteArrayList<>();
  private final AtomicInteger connections = new AtomicInteger();
  private volatile boolean altering;
  private volatile boolean cut;

  /** Forwards to this address from a port of its own. */
  public FaultyProxy(InetSocketAddress target) throws IOException {
    this.target = target;
    daemon(this::accept);
  }

  /** Where the dialer connects to. */
  public InetSocketAddress address() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getLocalPort());
  }

  /** Connections so far. */
  public int connections() {
    return connections.get();
  }

  /** Drops everything that the current connections carry from now on; later connections work. */
  public void silence() {
    lanes.forEach(lane -> lane.silent = true);
  }

  /** While on, drops everything on all connections; connections of that time stay silent afterwards. */
  public void cut(boolean on) {
    cut = on;
    if (on) {
      silence();
    }
  }

  /** Flips a bit of each byte that the dialer sends from now on. */
  public void alter(boolean on) {
    altering = on;
  }

  /** Returns all that the dialer has sent on its first connection. */
  public byte[] recorded() {
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
    DaemonThreads.daemon("proxy", task).start();
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
        // The end of a stream is dropped too.
        while (silent && !server.isClosed()) {
          LockSupport.parkNanos(1_000_000);
        }
      } catch (IOException e) {
        // The other direction closes the rest.
      }
    }
  }
}
