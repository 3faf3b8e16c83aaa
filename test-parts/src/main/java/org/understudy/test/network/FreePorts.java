package org.understudy.test.network;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Free ports of this machine, each handed out once in this process.
 *
 * <p>They lie below the ports that the system gives outgoing connections. A replica that dials a peer which does not listen
 * yet could otherwise be given the peer's port for its own end, and be connected with itself.
 */
public final class FreePorts {
  private static final int LOWEST = 11_000;
  private static final int COUNT = 16_000;
  /** Processes that Surefire starts beside each other have neighbouring process ids, and begin far apart. */
  private static final int BESIDE = (Integer.getInteger("surefire.forkNumber", 1) - 1) * (COUNT / 2);
  private static final AtomicInteger NEXT =
      new AtomicInteger((int) ((ProcessHandle.current().pid() * 37 + BESIDE) % COUNT));

  private FreePorts() {}

  /** Returns a port at which nothing listens. */
  public static int next() {
    while (true) {
      int port = LOWEST + Math.floorMod(NEXT.getAndIncrement(), COUNT);
      try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return free.getLocalPort();
      } catch (BindException e) {
        // Another process listens there: the next one.
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Returns the loopback address with {@link #next}. */
  public static InetSocketAddress nextAddress() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), next());
  }
}
