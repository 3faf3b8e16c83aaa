package org.understudy.test.network;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
  private static final int FIRST = LOWEST + BLOCK * block();
  private static final AtomicInteger NEXT = new AtomicInteger();
  /** Held until the process ends. */
  private static FileLock taken;

  private FreePorts() {}

  /** Returns a port at which nothing listens. */
  public static int next() {
    while (true) {
      int port = FIRST + Math.floorMod(NEXT.getAndIncrement(), BLOCK);
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

  /** Takes a block that no other process has; where all are taken, one by the process's number. */
  private static synchronized int block() {
    for (int block = 0; block < BLOCKS; block++) {
      Path file = Path.of(System.getProperty("java.io.tmpdir"), "understudy-test-ports-" + block + ".lock");
      try {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        taken = channel.tryLock();
        if (taken != null) {
          return block;
        }
        channel.close();
      } catch (OverlappingFileLockException | AccessDeniedException e) {
        // Another class loader of this process has it, or another user: the next one.
      } catch (IOException e) {
        throw new UncheckedIOException("The ports of the tests cannot be reserved by " + file + ".", e);
      }
    }
    return (int) (ProcessHandle.current().pid() % BLOCKS);
  }
}
