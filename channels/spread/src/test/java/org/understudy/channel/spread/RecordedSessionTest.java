package org.understudy.channel.spread;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.channel.spread.order.GroupNames;
import org.understudy.channel.spread.session.ServiceLevel;
import org.understudy.channel.spread.session.SessionEvent;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.GroupView;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.channel.GroupReceiver;
import org.understudy.replication.core.wire.WireVersions;
import org.understudy.replication.runtime.codec.MessageFormat;
import org.understudy.test.channel.Received;
import org.understudy.test.channel.Word;

/**
 * One life of a channel, recorded at a daemon of Spread 5.0.1: joins, messages of three members, a stranger who joins, invents and
 * repeats frames, a daemon that dies, and the end of the own daemon. Replayed byte for byte.
 *
 * <p>{@code SPREAD_PROGRAM=… mvn … -Dunderstudy.record.spread=true} records it again.
 */
class RecordedSessionTest {
  private static final List<ReplicaId> ALL = List.of(new ReplicaId(1), new ReplicaId(2), new ReplicaId(3));
  private static final byte[] SECRET = "a secret of the tests".getBytes(StandardCharsets.UTF_8);

  private final Received received = new Received();

  private static SpreadChannel channel(InetSocketAddress daemon, int self, IntSupplier nonces) {
    return new SpreadChannel(
        new SpreadSettings(
            daemon, "recorded", ALL.get(self - 1), ALL, SECRET, ServiceLevel.SAFE, SpreadSettings.MAX_WAITING_BYTES),
        new MessageFormat(List.of(Word.KIND), WireVersions.CURRENT), nonces,
        DaemonSession.SILENCE_MS);
  }

  private SpreadChannel join(InetSocketAddress daemon) {
    SpreadChannel one = channel(daemon, 1, () -> 4711);
    one.join(received);
    received.await("view [1]");
    one.multicast(new Word("first"));
    received.await("1:first");
    return one;
  }

  private void isolate(SpreadChannel one) {
    received.await("its view", events -> events.contains("2:after the stranger") && events.lastIndexOf("view [1]") > 0);
    one.multicast(new Word("alone"));
    received.await("1:alone");
  }

  private void check() {
    received.await("the end", events -> events.get(events.size() - 1).startsWith("failed: its session with the Spread daemon "));
    List<String> events = received.events();
    assertEquals(
        List.of("view [1]", "1:first", "view [1, 2]", "2:hello", "2:after the stranger", "view [1]", "1:alone"),
        events.subList(0, events.size() - 1));
  }

  @Test
  void replayedSessionGivesTheSameEvents() throws Exception {
    System.out.println("RecordedSessionTest replays a session recorded at a daemon of Spread 5.0.1, and uses no daemon.");
    List<String> deviations = new CopyOnWriteArrayList<>();
    SpreadChannel one = join(Transcript.recorded().replay(deviations));
    isolate(one);
    check();
    assertEquals(List.of(), deviations);
    one.close();
  }

  /** For example where no thread can be created, or a class is missing. */
  @Test
  void errorInTheReceiverEndsTheChannel() throws Exception {
    GroupReceiver broken = new GroupReceiver() {
      @Override
      public void delivered(ReplicaId from, Message message) {
        received.delivered(from, message);
      }

      @Override
      public void viewInstalled(GroupView view) {
        throw new OutOfMemoryError("unable to create native thread");
      }

      @Override
      public void failed(String why, Throwable cause) {
        received.failed(why, cause);
      }
    };
    try (SpreadChannel one = channel(Transcript.recorded().replay(new CopyOnWriteArrayList<>()), 1, () -> 4711)) {
      one.join(broken);
      received.await("the failure", events -> !events.isEmpty() && events.get(0).contains("unable to create native thread"));
    }
  }

  @Test
  @EnabledIfEnvironmentVariable(named = Daemons.PROGRAM, matches = ".+", disabledReason = Daemons.NO_PROGRAM)
  void realDaemonsGiveTheseEvents(@TempDir Path directory) throws Exception {
    try (Daemons daemons = new Daemons(directory)) {
      Transcript transcript = new Transcript();
      SpreadChannel one = join(transcript.record(daemons.address(1)));
      SpreadChannel two = channel(daemons.address(2), 2, () -> 1);
      Received atTwo = new Received();
      two.join(atTwo);
      atTwo.await("view [1, 2]");
      GroupNames names = new GroupNames("recorded", SECRET);
      try (DaemonSession stranger = DaemonSession.open(daemons.address(3), "03stranger")) {
        stranger.write(List.of(stranger.encoder().join(names.group())));
        SessionEvent event;
        do {
          event = stranger.next();
        } while (!(event instanceof SessionEvent.Membership));
        two.multicast(new Word("hello"));
        byte[] hello = null;
        while (hello == null) {
          if (stranger.next() instanceof SessionEvent.Multicast message) {
            hello = new byte[message.content().remaining()];
            message.content().get(hello);
          }
        }
        for (byte[] forged : List.of(hello, new byte[0], "Let me in.".getBytes(StandardCharsets.UTF_8))) {
          stranger.write(
              List.of(
                  stranger.encoder().multicast(ServiceLevel.AGREED, names.group(), forged.length), ByteBuffer.wrap(forged)));
        }
        int repeated = 0;
        while (repeated < 3) {
          repeated += stranger.next() instanceof SessionEvent.Multicast ? 1 : 0;
        }
        two.multicast(new Word("after the stranger"));
        received.await("2:after the stranger");
        stranger.write(List.of(stranger.encoder().leave(names.group())));
        do {
          event = stranger.next();
        } while (!(event instanceof SessionEvent.Left));
      }
      daemons.kill(2);
      isolate(one);
      daemons.kill(1);
      check();
      atTwo.await("its end", events -> events.get(events.size() - 1).startsWith("failed: "));
      one.close();
      two.close();
      assertTrue(transcript.parts().size() > 10);
      if (Boolean.getBoolean("understudy.record.spread")) {
        transcript.store(Path.of("src/test/resources"));
      }
    }
  }
}
