package org.understudy.test.network;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Free ports of this machine. A process takes them from a block of its own, one after another, so that tests which run beside
 * each other do not take a port between the moment at which it is found free and the moment at which it is used.
 *
 * <p>They lie below the ports that the system gives outgoing connections. A replica that dials a peer which does not listen
 * yet could otherwise be given the peer's port for its own end, and be connected with itself.
 */
public final class FreePorts {
  private static final int LOWEST = 11_000;
  private static final int BLOCK = 2_000;
  private static final int BLOCKS = 8;
  /** Listens at the first port of this process's block until the process ends: so the block is taken, whoever runs the others. */
  private static final ServerSocket TAKEN = block();
  private static final int FIRST =
      1 + (TAKEN == null ? LOWEST + BLOCK * (int) (ProcessHandle.current().pid() % BLOCKS) : TAKEN.getLocalPort());
  private static final AtomicInteger NEXT = new AtomicInteger();

  private FreePorts() {}

  /** Returns a port at which nothing listens. */
  public static int next() {
    while (true) {
      int port = FIRST + Math.floorMod(NEXT.getAndIncrement(), BLOCK - 1);
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

  /** Takes a block that no other process has; null where all are taken: then this process shares one. */
  private static ServerSocket block() {
    for (int block = 0; block < BLOCKS; block++) {
      try {
        return new ServerSocket(LOWEST + BLOCK * block, 1, InetAddress.getLoopbackAddress());
      } catch (BindException e) {
        // Another process has it, or another class loader of this one: the next one.
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return null;
  }
}
