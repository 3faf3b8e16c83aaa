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
 * Passes TCP connections on to one address, and delays their bytes in each direction. It passes the end of a connection on too, and closes
 * one whose target refuses. Thread-safe; its threads end with the process.
 */
final class DelayProxy {
  private static final int CONNECT_MS = 2_000;
  private static final int CHUNK_BYTES = 16 << 10;
  private static final int MAX_CHUNKS = 256;

  /** Bytes on their way; none for the end. */
  private record Chunk(byte[] bytes, long due) {}

  private final InetSocketAddress target;
  private final AtomicLong seeds;
  private volatile int there;
  private volatile int back;
  private volatile int jitter;

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
    server.bind(address);
    DaemonThreads.daemon("delay-" + target, () -> proxy.accept(server)).start();
    return proxy;
  }

  /**
   * Delays what is sent from now on, also over connections that are open.
   *
   * @param toTarget ms
   * @param fromTarget ms
   * @param jitterMillis up to so much is added in each direction
   */
  void delay(int toTarget, int fromTarget, int jitterMillis) {
    there = toTarget;
    back = fromTarget;
    jitter = jitterMillis;
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
        count = read(from, buffer);
        line.set(forth ? there : back, jitter);
        way.put(new Chunk(Arrays.copyOf(buffer, Math.max(count, 0)), line.due(System.nanoTime())));
      } while (count > 0);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A connection that breaks ends. */
  private static int read(Socket from, byte[] buffer) {
    try {
      InputStream in = from.getInputStream();
      return in.read(buffer);
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
