package org.understudy.lab.torture.network;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.understudy.thread.DaemonThreads;

/**
 * Passes TCP connections on to one address, as a long or narrow link does in each direction. It passes the end of a connection on too,
 * and closes one whose target refuses. Thread-safe; its threads end with the process.
 */
final class DelayProxy {
  private static final int CONNECT_MS = 2_000;
  private static final int CHUNK_BYTES = 16 << 10;
  /** Of a narrow link, so that what it takes at once is little. */
  private static final int NARROW_CHUNK_BYTES = 2 << 10;
  /** What waits in the kernel waits for no link, so it must be little. */
  private static final int KERNEL_BYTES = 64 << 10;
  private static final int MAX_CHUNKS = 4_096;

  /** Bytes on their way; none for the end. */
  private record Chunk(byte[] bytes, long due) {}

  private final InetSocketAddress target;
  private final AtomicLong seeds;
  private final Bandwidth there = new Bandwidth();
  private final Bandwidth back = new Bandwidth();
  private volatile LinkQuality toTarget = LinkQuality.NONE;
  private volatile LinkQuality fromTarget = LinkQuality.NONE;

  private DelayProxy(InetSocketAddress target, long seed) {
    this.target = target;
    this.seeds = new AtomicLong(seed);
  }

  /**
   * Listens from now on.
   *
   * @param seed of the jitter
   */
  static DelayProxy open(InetSocketAddress address, InetSocketAddress target, long seed) throws IOException {
    DelayProxy proxy = new DelayProxy(target, seed);
    ServerSocket server = new ServerSocket();
    server.setReuseAddress(true);
    server.setReceiveBufferSize(KERNEL_BYTES);
    server.bind(address);
    DaemonThreads.daemon("delay-" + target, () -> proxy.accept(server)).start();
    return proxy;
  }

  /** What the link is like for what is sent from now on, also over connections that are open. */
  void quality(LinkQuality to, LinkQuality from) {
    toTarget = to;
    fromTarget = from;
  }

  /** The bytes that went to the target. */
  long bytesTo() {
    return there.bytes();
  }

  /** The bytes that came from the target. */
  long bytesFrom() {
    return back.bytes();
  }

  private void accept(ServerSocket server) {
    try (server) {
      while (true) {
        Socket near = server.accept();
        DaemonThreads.daemon("delay-connect", () -> connect(near)).start();
      }
    } catch (IOException e) {
      System.err.println("The shim for " + target + " ends: " + e);
    }
  }

  private void connect(Socket near) {
    Socket far = new Socket();
    try {
      far.setReceiveBufferSize(KERNEL_BYTES);
      far.setSendBufferSize(KERNEL_BYTES);
      far.connect(target, CONNECT_MS);
      near.setTcpNoDelay(true);
      far.setTcpNoDelay(true);
    } catch (IOException e) {
      close(near, far);
      return;
    }
    pass(near, far, true);
    pass(far, near, false);
  }

  private void pass(Socket from, Socket to, boolean forth) {
    BlockingQueue<Chunk> way = new ArrayBlockingQueue<>(MAX_CHUNKS);
    DelayLine line = new DelayLine(seeds.incrementAndGet());
    DaemonThreads.daemon("delay-in", () -> read(from, way, line, forth)).start();
    DaemonThreads.daemon("delay-out", () -> write(way, from, to)).start();
  }

  private void read(Socket from, BlockingQueue<Chunk> way, DelayLine line, boolean forth) {
    byte[] buffer = new byte[CHUNK_BYTES];
    try {
      int count;
      do {
        int most = (forth ? toTarget : fromTarget).kilobits() == 0 ? CHUNK_BYTES : NARROW_CHUNK_BYTES;
        count = Math.max(0, read(from, buffer, most));
        LinkQuality quality = forth ? toTarget : fromTarget;
        long now = System.nanoTime();
        long left = (forth ? there : back).take(now, count, quality.kilobits());
        way.put(new Chunk(Arrays.copyOf(buffer, count), line.due(left, quality)));
        TimeUnit.NANOSECONDS.sleep(Bandwidth.pause(now, left));
      } while (count > 0);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A connection that breaks ends. */
  private static int read(Socket from, byte[] buffer, int most) {
    try {
      InputStream in = from.getInputStream();
      return in.read(buffer, 0, most);
    } catch (IOException e) {
      return -1;
    }
  }

  private static void write(BlockingQueue<Chunk> way, Socket from, Socket to) {
    boolean broken = false;
    try {
      while (true) {
        Chunk next = way.take();
        if (next.bytes().length == 0) {
          break;
        }
        TimeUnit.NANOSECONDS.sleep(Math.max(0, next.due() - System.nanoTime()));
        // What a reader still brings is dropped when the other end has gone.
        broken = broken || !write(next.bytes(), to);
        if (broken) {
          close(from, to);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    close(from, to);
  }

  private static boolean write(byte[] bytes, Socket to) {
    try {
      OutputStream out = to.getOutputStream();
      out.write(bytes);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static void close(Socket near, Socket far) {
    for (Socket socket : new Socket[] {near, far}) {
      try {
        socket.close();
      } catch (IOException e) {
        // It is closed.
      }
    }
  }
}
