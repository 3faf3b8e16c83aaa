package org.understudy.container.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.container.service.NotebookService;
import org.understudy.test.Condition;

/** The heap that a waiting AwaitView request takes, with the connector that docs/operations.md describes. */
class LongPollFootprintTest {
  private static final int POLLS = 2_000;
  private static final int MAX_BYTES = 10_000;
  @TempDir Path directory;

  /** What is reachable. */
  private static long heap() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 4; i++) {
      System.gc();
      least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    return least;
  }

  private static List<SocketChannel> open(ServiceCluster site, int count) throws IOException {
    String body = Soap.envelope("", "<AwaitView xmlns=\"urn:understudy:replication:1\"><Epoch>" + (1L << 40)
        + "</Epoch><HoldSeconds>60</HoldSeconds></AwaitView>");
    byte[] request = ("POST /app/replication HTTP/1.1\r\nHost: x\r\nContent-Type: text/xml\r\nContent-Length: " + body.length()
        + "\r\n\r\n" + body).getBytes(StandardCharsets.US_ASCII);
    List<SocketChannel> channels = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      SocketChannel channel = SocketChannel.open(new InetSocketAddress("127.0.0.1", site.port(1)));
      channel.write(ByteBuffer.wrap(request));
      channels.add(channel);
    }
    Condition.await(() -> places(site) == count);
    return channels;
  }

  private static void close(ServiceCluster site, List<SocketChannel> channels) throws IOException {
    for (SocketChannel channel : channels) {
      channel.close();
    }
    Condition.await(() -> places(site) == 0);
  }

  private static int places(ServiceCluster site) {
    return Integer.parseInt(site.health(1, "live").body().replaceAll("(?s).*\"polls\":(\\d+).*", "$1"));
  }

  /** In a new server: Tomcat uses what it has made for closed connections again. */
  private long footprint(int round) throws Exception {
    Path own = Files.createDirectory(directory.resolve("round-" + round));
    try (ServiceCluster site =
        new ServiceCluster(own, NotebookService.class, 1, Map.of("understudy.held.polls", "100000"))) {
      // Fills what Tomcat and the JVM keep for later.
      close(site, open(site, 300));
      long before = heap();
      List<SocketChannel> channels = open(site, POLLS);
      long each = (heap() - before) / POLLS;
      close(site, channels);
      assertEquals(3_072 + 4_096 + ConnectionFootprint.OBJECT_BYTES, ConnectionFootprint.bytes());
      return each;
    }
  }

  @Test
  void aPollTakesLessThanTenKilobytesOfHeap() throws Exception {
    long each = footprint(1);
    // What other tests have left in this JVM may have grown meanwhile.
    for (int round = 2; each >= MAX_BYTES && round <= 3; round++) {
      each = footprint(round);
    }
    // Both ends are in this JVM.
    System.out.println("A waiting AwaitView request takes " + each + " bytes of heap, its client's end included.");
    assertTrue(each < MAX_BYTES, each + " bytes");
  }
}
