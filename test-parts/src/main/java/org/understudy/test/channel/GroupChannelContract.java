package org.understudy.test.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.GroupView;
import org.understudy.replication.core.channel.GroupChannel;
import org.understudy.replication.core.channel.GroupReceiver;

/** What {@link GroupChannel} promises. The tests of every channel extend it. */
public abstract class GroupChannelContract {
  /** The replicas of the group. */
  protected static final List<ReplicaId> ALL = List.of(new ReplicaId(1), new ReplicaId(2), new ReplicaId(3));

  private static final String ALONE = "view [1]";
  private static final String TWO = "view [1, 2]";
  private static final String THREE = "view [1, 2, 3]";

  private final List<GroupChannel> open = new ArrayList<>();

  /**
   * Creates a channel of the group named by the test, for the kind {@link Word}.
   *
   * @param group distinguishes groups within one test
   */
  protected abstract GroupChannel channel(String group, ReplicaId self) throws Exception;

  /** The channel of a new life of a replica, which has joined. Closed after the test. */
  protected final GroupChannel join(int replica, GroupReceiver receiver) throws Exception {
    GroupChannel channel = channel("house", ALL.get(replica - 1));
    open.add(channel);
    channel.join(receiver);
    return channel;
  }

  @AfterEach
  void close() {
    open.forEach(GroupChannel::close);
  }

  private static List<String> words(int from, int count) {
    return IntStream.range(0, count).mapToObj(i -> from + ":word " + i).toList();
  }

  private static void multicast(GroupChannel channel, int count) {
    for (int i = 0; i < count; i++) {
      channel.multicast(new Word("word " + i));
    }
  }

  @Test
  void membersReceiveAllMessagesInOneOrder() throws Exception {
    List<Received> received = List.of(new Received(), new Received(), new Received());
    List<GroupChannel> channels = new ArrayList<>();
    for (int replica = 1; replica <= 3; replica++) {
      channels.add(join(replica, received.get(replica - 1)));
      received.get(0).await(List.of(ALONE, TWO, THREE).get(replica - 1));
    }
    received.forEach(one -> one.await(THREE));
    List<Thread> senders = channels.stream().map(channel -> new Thread(() -> multicast(channel, 500))).toList();
    senders.forEach(Thread::start);
    for (Thread sender : senders) {
      sender.join();
    }
    received.forEach(one -> one.await("1,500 messages", events -> one.messages().size() == 1_500));
    List<String> order = received.get(0).since(THREE);
    assertEquals(order, received.get(1).since(THREE));
    assertEquals(order, received.get(2).since(THREE));
    for (int replica = 1; replica <= 3; replica++) {
      String prefix = replica + ":";
      assertEquals(words(replica, 500), order.stream().filter(event -> event.startsWith(prefix)).toList(), "in the order of sending");
    }
  }

  @Test
  void joinerReceivesWhatFollowsItsFirstView() throws Exception {
    Received atOne = new Received();
    Received atTwo = new Received();
    GroupChannel one = join(1, atOne);
    atOne.await(ALONE);
    one.multicast(new Word("early"));
    atOne.await("1:early");
    GroupChannel two = join(2, atTwo);
    atTwo.await(TWO);
    two.multicast(new Word("hello"));
    one.multicast(new Word("welcome"));
    atTwo.await("both", events -> atTwo.messages().size() == 2);
    assertTrue(atTwo.views().get(0).contains(ALL.get(1)), "the first view names the joiner");
    assertFalse(atTwo.events().contains("1:early"));
    atOne.await("all", events -> atOne.messages().size() == 3);
    assertEquals(atTwo.since(TWO), atOne.since(TWO));
  }

  @Test
  void viewsHaveOneOrderOfMembersAndGrowingNumbers() throws Exception {
    Received atOne = new Received();
    Received atTwo = new Received();
    join(1, atOne);
    atOne.await(ALONE);
    join(2, atTwo);
    atTwo.await(TWO);
    atOne.await(TWO);
    assertEquals(last(atOne).members(), last(atTwo).members());
    atOne.views().forEach(view -> assertTrue(view.contains(ALL.get(0)), view.toString()));
    assertEquals(List.of(ALONE, TWO), atOne.events(), "one view a change");
    List<Long> numbers = atOne.views().stream().map(GroupView::number).toList();
    assertEquals(numbers.stream().sorted().distinct().toList(), numbers);
  }

  private static GroupView last(Received received) {
    return received.views().get(received.views().size() - 1);
  }

  @Test
  void messageMulticastBeforeTheFirstViewArrivesOnceAtMostAndInOrder() throws Exception {
    Received atOne = new Received();
    GroupChannel one = join(1, atOne);
    multicast(one, 20);
    atOne.await(ALONE);
    one.multicast(new Word("last"));
    atOne.await("1:last");
    List<String> messages = atOne.messages();
    assertEquals(new HashSet<>(messages).size(), messages.size());
    List<String> early = messages.subList(0, messages.size() - 1);
    assertEquals(words(1, 20).stream().filter(early::contains).toList(), early);
  }

  @Test
  void multicastNeverCallsTheReceiver() throws Exception {
    Received atOne = new Received();
    GroupChannel one = join(1, atOne);
    atOne.await(ALONE);
    one.multicast(new Word("to myself"));
    atOne.await("1:to myself");
    assertFalse(atOne.threads().contains(Thread.currentThread()));
  }

  @Test
  void longMessagesArriveWhole() throws Exception {
    Received atOne = new Received();
    Received atTwo = new Received();
    GroupChannel one = join(1, atOne);
    atOne.await(ALONE);
    GroupChannel two = join(2, atTwo);
    atTwo.await(TWO);
    atOne.await(TWO);
    List<String> sent = new ArrayList<>();
    for (int length : new int[] {99_000, 100_001, 1, 1_000_000, 250_000, 4_000_000}) {
      String text = "a".repeat(length - 1) + length % 10;
      one.multicast(new Word(text));
      two.multicast(new Word("between"));
      sent.add("1:" + text);
    }
    atTwo.await("all", events -> atTwo.messages().size() == 12);
    atOne.await("all", events -> atOne.messages().size() == 12);
    assertTrue(sent.equals(atTwo.messages().stream().filter(event -> event.startsWith("1:")).toList()), "each as it was sent");
    assertTrue(atTwo.since(TWO).equals(atOne.since(TWO)), "in one order");
  }

  @Test
  void formerMemberIsRemovedAndSendsNothing() throws Exception {
    Received atOne = new Received();
    Received atTwo = new Received();
    GroupChannel one = join(1, atOne);
    atOne.await(ALONE);
    GroupChannel two = join(2, atTwo);
    atTwo.await(TWO);
    two.multicast(new Word("before"));
    atOne.await("2:before");
    two.close();
    two.multicast(new Word("after"));
    int atTwoThen = atTwo.events().size();
    atOne.await("a view without it", events -> events.lastIndexOf(ALONE) > events.indexOf(TWO));
    one.multicast(new Word("alone"));
    atOne.await("1:alone");
    assertFalse(atOne.events().contains("2:after"));
    assertEquals(atTwoThen, atTwo.events().size(), "a closed channel calls nothing");
  }

  @Test
  void newLifeOfAReplicaReplacesTheEarlierOne() throws Exception {
    Received atOne = new Received();
    Received again = new Received();
    GroupChannel one = join(1, atOne);
    atOne.await(ALONE);
    join(2, new Received()).close();
    atOne.await("it left, if it had joined", events -> events.get(events.size() - 1).equals(ALONE));
    GroupChannel two = join(2, again);
    again.await(TWO);
    two.multicast(new Word("again"));
    one.multicast(new Word("welcome back"));
    again.await("both", events -> again.messages().size() == 2);
    atOne.await("both", events -> atOne.messages().size() == 2);
    assertEquals(again.since(TWO), atOne.since(TWO));
  }

  @Test
  void groupsAreSeparate() throws Exception {
    Received atOne = new Received();
    Received elsewhere = new Received();
    GroupChannel one = join(1, atOne);
    GroupChannel two = channel("garden", ALL.get(1));
    open.add(two);
    two.join(elsewhere);
    atOne.await(ALONE);
    elsewhere.await("view [2]");
    two.multicast(new Word("in the garden"));
    one.multicast(new Word("in the house"));
    elsewhere.await("2:in the garden");
    atOne.await("1:in the house");
    assertEquals(List.of("1:in the house"), atOne.messages());
    assertEquals(List.of("2:in the garden"), elsewhere.messages());
  }

  @Test
  void survivorsReceivedTheSameBetweenTheirViews() throws Exception {
    List<Received> received = List.of(new Received(), new Received(), new Received());
    List<GroupChannel> channels = new ArrayList<>();
    for (int replica = 1; replica <= 3; replica++) {
      channels.add(join(replica, received.get(replica - 1)));
      received.get(0).await(List.of(ALONE, TWO, THREE).get(replica - 1));
    }
    received.forEach(one -> one.await(THREE));
    // The first one may be the one that orders.
    for (int i = 0; i < 300; i++) {
      channels.forEach(channel -> channel.multicast(new Word("busy")));
      if (i == 150) {
        crash(channels.get(0));
      }
    }
    received.get(1).await("view [2, 3]");
    received.get(2).await("view [2, 3]");
    channels.get(1).multicast(new Word("end"));
    channels.get(2).multicast(new Word("end"));
    List<Received> survivors = received.subList(1, 3);
    survivors.forEach(one -> one.await("both ends", events -> events.containsAll(List.of("2:end", "3:end"))));
    assertEquals(received.get(1).since(THREE), received.get(2).since(THREE));
    for (String from : List.of("2:busy", "3:busy")) {
      assertEquals(300, received.get(1).messages().stream().filter(from::equals).count(), "each of the survivors' own messages");
    }
  }

  /** Ends a channel as a crash of its process does, as far as the channel can be made to. */
  protected void crash(GroupChannel channel) {
    channel.close();
  }

  @Test
  void channelServesOneLife() throws Exception {
    GroupChannel one = join(1, new Received());
    assertThrows(IllegalStateException.class, () -> one.join(new Received()));
    one.close();
    one.close();
  }
}
