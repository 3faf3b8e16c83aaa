package org.understudy.channel.jgroups.order;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.understudy.channel.batch.OutgoingBatches;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.GroupView;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.channel.GroupReceiver;
import org.understudy.replication.core.wire.WireVersions;
import org.understudy.replication.runtime.codec.MalformedMessageException;
import org.understudy.replication.runtime.codec.MessageFormat;
import org.understudy.test.channel.Word;

/**
 * Members over a transport that keeps what JGroups does and nothing more: order between two members, and views. A crash or a partition
 * loses any part of what is on its way, and members see a new view at any time.
 */
class ViewOrderTest {
  private static final int MEMBERS = 4;
  private static final List<ReplicaId> ALL = List.of(new ReplicaId(1), new ReplicaId(2), new ReplicaId(3), new ReplicaId(4));

  private final Random random = new Random();
  private final Map<Integer, Member> members = new TreeMap<>();
  /** From a member to another one. */
  private final Map<List<Integer>, Deque<byte[]>> links = new HashMap<>();
  private long viewNumbers;

  private final class Member implements GroupReceiver, Transport<Integer> {
    final int address;
    final OutgoingBatches outgoing = new OutgoingBatches(1L << 40);
    final ViewOrder<Integer> order;
    /** Views that the transport has for it, and has not reported. */
    final Deque<Map.Entry<ViewKey, List<Integer>>> views = new ArrayDeque<>();
    Map.Entry<ViewKey, List<Integer>> current = Map.entry(ViewKey.NONE, List.of());
    final List<String> events = new ArrayList<>();
    int sent;

    Member(int address) {
      this.address = address;
      order =
          new ViewOrder<>(
              address, ALL.get(address - 1), ALL, new MessageFormat(List.of(Word.KIND), WireVersions.CURRENT), outgoing, new Object(),
              this, this);
    }

    @Override
    public void delivered(ReplicaId from, Message message) {
      events.add(((Word) message).text());
    }

    @Override
    public void viewInstalled(GroupView view) {
      List<Integer> installed = view.members().stream().map(ReplicaId::number).toList();
      boolean whole = installed.equals(current.getValue());
      events.add("view " + (whole ? current.getKey() : "along " + address + " " + events.size()));
      assertTrue(installed.contains(address), "a view names its member");
    }

    @Override
    public void failed(String why, Throwable cause) {
      throw new AssertionError(why, cause);
    }

    @Override
    public void send(Integer member, byte[] message) {
      links.computeIfAbsent(List.of(address, member), any -> new ArrayDeque<>()).add(message);
    }

    @Override
    public void multicast(byte[] message) {
      current.getValue().stream().filter(member -> member != address).forEach(member -> send(member, message));
    }

    void say() throws MalformedMessageException {
      outgoing.add(new Word(address + "." + ++sent));
      if (random.nextInt(60) == 0) {
        outgoing.add(new Word(address + "." + ++sent + "x".repeat(150_000)));
      }
      if (order.maySendOnly() && random.nextBoolean()) {
        int before = events.size();
        order.sendOnly();
        assertEquals(before, events.size(), "the receiver is not called");
      } else {
        order.send();
      }
    }

    void step() throws MalformedMessageException {
      List<List<Integer>> incoming =
          links.entrySet().stream().filter(link -> link.getKey().get(1) == address && !link.getValue().isEmpty())
              .map(Map.Entry::getKey).sorted((a, b) -> a.get(0) - b.get(0)).toList();
      if (!views.isEmpty() && (incoming.isEmpty() || random.nextInt(6) == 0)) {
        current = views.remove();
        order.view(current.getKey(), current.getValue());
      } else if (!incoming.isEmpty()) {
        List<Integer> link = incoming.get(random.nextInt(incoming.size()));
        order.received(link.get(0), links.get(link).remove());
      }
      order.send();
    }
  }

  /** The transport forms a view of these members; what is on its way between them and others is lost in part. */
  private void form(List<Integer> view) {
    ViewKey key = new ViewKey(view.get(0), 0, ++viewNumbers);
    links.forEach((link, messages) -> {
      if (view.contains(link.get(0)) != view.contains(link.get(1))) {
        int kept = messages.isEmpty() ? 0 : random.nextInt(messages.size() + 1);
        while (messages.size() > kept) {
          messages.removeLast();
        }
      }
    });
    view.forEach(member -> members.get(member).views.add(Map.entry(key, view)));
  }

  private void run(int steps) throws MalformedMessageException {
    run(steps, List.copyOf(members.values()));
  }

  /** These members send and take; the others take nothing, but the transport counts them as members. */
  private void run(int steps, List<Member> alive) throws MalformedMessageException {
    for (int i = 0; i < steps; i++) {
      Member member = alive.get(random.nextInt(alive.size()));
      if (random.nextInt(4) == 0) {
        member.say();
      }
      member.step();
    }
  }

  private void settle() throws MalformedMessageException {
    for (int i = 0; i < 20_000; i++) {
      for (Member member : members.values()) {
        member.step();
      }
      if (members.values().stream().allMatch(member -> member.views.isEmpty() && !member.outgoing.isReady())
          && links.entrySet().stream().allMatch(
              link -> link.getValue().isEmpty() || !members.containsKey(link.getKey().get(1)))) {
        return;
      }
    }
    throw new AssertionError("The group does not come to rest.");
  }

  /** What was delivered between each two successive views. A message that a side had before the sides met is not repeated there. */
  private static Map<List<String>, List<String>> segments(List<String> events) {
    Map<List<String>, List<String>> segments = new HashMap<>();
    String view = null;
    List<String> since = new ArrayList<>();
    for (String event : events) {
      if (event.startsWith("view ")) {
        if (view != null) {
          segments.put(List.of(view, event), since);
        }
        view = event;
        since = new ArrayList<>();
      } else {
        since.add(event);
      }
    }
    return segments;
  }

  private void check(Set<Integer> stayed) {
    List<Member> all = List.copyOf(members.values());
    for (Member one : all) {
      for (Member other : all) {
        Map<List<String>, List<String>> theirs = segments(other.events);
        segments(one.events).forEach((views, messages) -> {
          if (theirs.containsKey(views)) {
            List<String> before = one.events.subList(0, one.events.indexOf(views.get(0)));
            List<String> theirBefore = other.events.subList(0, other.events.indexOf(views.get(0)));
            assertEquals(
                messages.stream().filter(message -> !theirBefore.contains(message)).toList(),
                theirs.get(views).stream().filter(message -> !before.contains(message)).toList(),
                "between " + views + " at " + one.address + " and " + other.address);
          }
        });
      }
      List<String> messages = one.events.stream().filter(event -> !event.startsWith("view ")).toList();
      assertEquals(new HashSet<>(messages).size(), messages.size(), "each message once");
      List<Integer> own = new ArrayList<>();
      for (String message : messages) {
        if (message.startsWith(one.address + ".")) {
          own.add(Integer.parseInt(message.substring(2).replace("x", "")));
        }
      }
      assertEquals(own.stream().sorted().toList(), own, "in the order of sending");
      if (stayed.contains(one.address)) {
        assertEquals(one.sent, own.size(), "a member that stays receives all that it sent");
      }
    }
  }

  private void scenario(long seed) throws MalformedMessageException {
    random.setSeed(seed);
    for (int i = 1; i <= MEMBERS; i++) {
      members.put(i, new Member(i));
    }
    form(List.of(1, 2));
    run(100);
    form(List.of(1, 2, 3, 4));
    run(300);
    if (random.nextInt(3) == 0) {
      // The window closes.
      run(900, List.of(members.get(1), members.get(2), members.get(4)));
    }
    if (random.nextBoolean()) {
      // The one that orders crashes, and perhaps the next one while the others agree.
      members.remove(1);
      form(List.of(2, 3, 4));
      run(random.nextInt(60));
      if (random.nextBoolean()) {
        members.remove(2);
        form(List.of(3, 4));
      }
    } else {
      form(List.of(1, 2));
      form(List.of(3, 4));
      run(random.nextInt(200));
      form(random.nextBoolean() ? List.of(1, 2, 3, 4) : List.of(3, 4, 1, 2));
    }
    run(200);
    settle();
    Set<Integer> stayed = new HashSet<>(members.keySet());
    members.values().forEach(member -> assertTrue(!member.events.isEmpty(), "each is in a view"));
    String last = members.get(3).events.stream().filter(event -> event.startsWith("view ")).reduce((a, b) -> b).orElseThrow();
    members.values().forEach(member -> assertTrue(member.events.contains(last), "all end in one view"));
    check(stayed);
  }

  @Test
  void membersAgreeOnWhatLiesBetweenTheirViewsWhateverIsLost() throws Exception {
    for (long seed = 1; seed <= 60; seed++) {
      try {
        new ViewOrderTest().scenario(seed);
      } catch (AssertionError | MalformedMessageException | RuntimeException e) {
        throw new AssertionError("Seed " + seed + ": " + e.getMessage(), e);
      }
    }
  }

  private long bytesTo(int address) {
    return links.entrySet().stream().filter(link -> link.getKey().get(1) == address).flatMap(link -> link.getValue().stream())
        .mapToLong(message -> message.length).sum();
  }

  /** Members 1 and 2 send while member 3 takes nothing. */
  private void sendWithoutTheThird(int messages) throws MalformedMessageException {
    for (int i = 0; i < messages; i++) {
      for (Member member : List.of(members.get(1), members.get(2))) {
        member.outgoing.add(new Word(member.address + "." + ++member.sent + "x".repeat(90_000)));
        member.step();
      }
    }
  }

  @Test
  void memberThatTakesNothingBoundsWhatTheOthersKeepAndSendToIt() throws Exception {
    for (int i = 1; i <= 3; i++) {
      members.put(i, new Member(i));
    }
    form(List.of(1, 2, 3));
    settle();
    sendWithoutTheThird(200);
    long most = (ViewOrder.WINDOW + 1) * 100_000L;
    assertTrue(bytesTo(3) < most, bytesTo(3) + " bytes are on their way to the member");

    settle();
    check(Set.of(1, 2, 3));
    assertEquals(List.of(200, 200), List.of(members.get(1).sent, members.get(2).sent));
  }

  @Test
  void reportsOfTheNextViewAreBoundedWhenAMemberTakesNothing() throws Exception {
    for (int i = 1; i <= 3; i++) {
      members.put(i, new Member(i));
    }
    form(List.of(1, 2, 3));
    settle();
    sendWithoutTheThird(200);
    links.values().forEach(Deque::clear);
    form(List.of(3, 2, 1));
    members.get(1).step();
    members.get(2).step();
    long most = 2 * (ViewOrder.WINDOW + 1) * 100_000L;
    assertTrue(bytesTo(3) > 0 && bytesTo(3) < most, "the reports have " + bytesTo(3) + " bytes");
    settle();
    check(Set.of(1, 2, 3));
  }

  @Test
  void reportForALaterViewIsKeptWhileAnotherViewIsSeen() throws Exception {
    for (int i = 1; i <= 3; i++) {
      members.put(i, new Member(i));
    }
    form(List.of(1, 2, 3));
    settle();
    form(List.of(1, 3, 2));
    form(List.of(2, 3));
    Member three = members.get(3);
    while (!three.views.isEmpty()) {
      three.step();
    }
    Deque<byte[]> reports = links.get(List.of(3, 2));
    assertEquals(1, reports.size());
    members.get(2).order.received(3, reports.remove());

    settle();
    for (Member member : List.of(members.get(2), three)) {
      assertEquals("view " + new ViewKey(2, 0, 3), member.events.get(member.events.size() - 1), "at " + member.address);
    }
  }
}
