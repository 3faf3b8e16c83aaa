package org.understudy.channel.spread;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.understudy.channel.spread.session.Handshake;
import org.understudy.test.DirectMemory;

/** What a session writes at once, and what it keeps for it. */
class LargeWriteTest {
  private static final String NAME = "01EmciYtlx";
  private static final int FRAME_BYTES = 100_000;
  private static final int FRAMES = 60;

  /** The recorded answers of a daemon to a session that begins. */
  private static byte[] handshake() throws IOException {
    byte[] all = Transcript.recorded().fromDaemon();
    ByteBuffer in = ByteBuffer.wrap(all);
    Handshake handshake = new Handshake(NAME);
    while (handshake.privateGroup() == null) {
      handshake.step(in);
    }
    return Arrays.copyOf(all, in.position());
  }

  /** Reads as many bytes as the session sends. */
  private static long serve(ServerSocket daemon) {
    try (Socket session = daemon.accept()) {
      session.getOutputStream().write(handshake());
      InputStream in = session.getInputStream();
      return in.transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The JDK keeps for each thread a direct buffer as large as the largest of the heap that it has given to a channel. */
  @Test
  void framesTakeNoMemoryOutsideTheHeapThatIsAsLarge() throws Exception {
    try (ServerSocket daemon = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CompletableFuture<Long> received = CompletableFuture.supplyAsync(() -> serve(daemon));
      long grown;
      try (DaemonSession session =
          DaemonSession.open(new InetSocketAddress(daemon.getInetAddress(), daemon.getLocalPort()), NAME)) {
        long before = DirectMemory.usedBytes();
        session.write(Collections.nCopies(FRAMES, new byte[FRAME_BYTES]).stream().map(ByteBuffer::wrap).toList());
        grown = DirectMemory.usedBytes() - before;
      }
      long handshakeBytes = received.get(60, TimeUnit.SECONDS) - (long) FRAMES * FRAME_BYTES;
      assertTrue(handshakeBytes > 0 && handshakeBytes < 1_000, "all frames, and " + handshakeBytes + " bytes");
      assertTrue(grown < 1 << 20, grown + " bytes");
    }
  }
}
