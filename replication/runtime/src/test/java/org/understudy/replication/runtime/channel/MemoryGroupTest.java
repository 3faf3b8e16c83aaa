package org.understudy.replication.runtime.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.GroupView;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.channel.GroupChannel;
import org.understudy.replication.core.channel.GroupReceiver;
import org.understudy.test.channel.MemoryGroup;

/** The contract of {@link GroupChannel} for the in-memory channel; each member receives when the test lets it. */
class MemoryGroupTest {
  private static final ReplicaId ONE = new ReplicaId(1);
  private static final ReplicaId TWO = new ReplicaId(2);
  private static final ReplicaId THREE = new ReplicaId(3);

  /** A message without a protocol. */
  private record Word(String text) implements Message {
    @Override
    public long epoch() {
      return 0;
    }
  }

  /** The events of one member, in order. */
  private static final class Received implements GroupReceiver {
    final List<String> events = new ArrayList<>();

    @Override
    public void delivered(ReplicaId from, Message message) {
      events.add(from + ":" + ((Word) message).text());
    }

    @Override
    public void viewInstalled(GroupView view) {
      events.add(view.number() + view.members().toString());
    }

    @Override
    public void failed(String why, Throwable cause) {
      events.add(why);
    }
  }

  private final Map<ReplicaId, Queue<Runnable>> tasks = new TreeMap<>();
  private final MemoryGroup group = new MemoryGroup(this::executor);
  private final Received atOne = new Received();
  private final Received atTwo = new Received();

  private Executor executor(ReplicaId replica) {
    Queue<Runnable> queue = new ArrayDeque<>();
    tasks.put(replica, queue);
    return queue::add;
  }

  private void deliver(ReplicaId replica) {
    Queue<Runnable> queue = tasks.get(replica);
    while (!queue.isEmpty()) {
      queue.poll().run();
    }
  }

  private GroupChannel join(ReplicaId replica, GroupReceiver receiver) {
    GroupChannel channel = group.channel(replica);
    channel.join(receiver);
    return channel;
  }

  @Test
  void membersReceiveMessagesAndViewsInOneOrder() {
    GroupChannel one = join(ONE, atOne);
    GroupChannel two = join(TWO, atTwo);
    Random random = new Random(7);
    for (int i = 0; i < 200; i++) {
      (random.nextBoolean() ? one : two).multicast(new Word("word " + i));
      if (random.nextInt(5) == 0) {
        deliver(random.nextBoolean() ? ONE : TWO);
      }
    }
    Received late = new Received();
    GroupChannel three = join(THREE, late);
    three.multicast(new Word("hello"));
    deliver(ONE);
    deliver(TWO);
    deliver(THREE);
    assertEquals("1[1]", atOne.events.remove(0), "the first view was its own");
    assertEquals(atOne.events, atTwo.events);
    assertEquals(203, atOne.events.size(), "two views and all words");
    assertEquals(List.of("3[1, 2, 3]", "3:hello"), late.events, "from its first view on");
  }

  @Test
  void multicastDeliversNothingBeforeItReturns() {
    GroupChannel one = join(ONE, atOne);
    one.multicast(new Word("to myself"));
    assertEquals(List.of(), atOne.events);
    deliver(ONE);
    assertEquals(List.of("1[1]", "1:to myself"), atOne.events);
  }

  @Test
  void formerMemberNeitherReceivesNorMulticasts() {
    GroupChannel one = join(ONE, atOne);
    GroupChannel two = join(TWO, atTwo);
    two.multicast(new Word("before"));
    two.close();
    two.multicast(new Word("after"));
    one.multicast(new Word("alone"));
    deliver(ONE);
    deliver(TWO);
    assertEquals(List.of("1[1]", "2[1, 2]", "2:before", "3[1]", "1:alone"), atOne.events);
    assertEquals(List.of(), atTwo.events);
  }

  @Test
  void expelledMemberIsNotified() {
    join(ONE, atOne);
    GroupChannel two = join(TWO, atTwo);
    group.expel(TWO);
    two.multicast(new Word("lost"));
    deliver(ONE);
    deliver(TWO);
    assertEquals(List.of("1[1]", "2[1, 2]", "3[1]"), atOne.events);
    assertEquals(List.of("2[1, 2]", "replica 2 was expelled"), atTwo.events);
  }

  @Test
  void restartedMemberReplacesItsEarlierIncarnation() {
    join(ONE, atOne);
    join(TWO, atTwo);
    Received again = new Received();
    join(TWO, again);
    deliver(ONE);
    deliver(TWO);
    assertEquals(List.of("1[1]", "2[1, 2]", "3[1]", "4[1, 2]"), atOne.events);
    assertEquals(List.of("4[1, 2]"), again.events);
  }

  @Test
  void channelCannotBeReused() {
    GroupChannel one = join(ONE, atOne);
    assertThrows(IllegalStateException.class, () -> one.join(atOne));
  }
}
