package org.understudy.replication.core.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.core.group.GroupMessage.IndexQuery;
import org.understudy.replication.core.group.GroupMessage.Stable;
import org.understudy.replication.core.limit.Limits;
import org.understudy.replication.core.request.Reply;

/** While one member alone updates, the notice of what is stable waits for the next update, a tick, or a member that asks. */
class StableNoticesTest {
  private static final int MANY = 6;

  private final Members members = new Members(Limits.DEFAULTS);

  /** At the sequencer; no tick passes. Returns the handle of the answer. */
  private VersionHandle update(int replica) {
    long token = members.ask(replica, Members.update("caller"));
    members.deliver();
    members.returns(replica, token, Map.of("key " + replica, 0L));
    members.deliver();
    return assertInstanceOf(Reply.class, members.answer(token)).handle();
  }

  private long notices() {
    return members.node(1).sent.stream().filter(Stable.class::isInstance).count();
  }

  @BeforeEach
  void oneMemberAloneUpdates() {
    for (int i = 0; i < MANY; i++) {
      update(1);
    }
  }

  @Test
  void noticeWaitsForTheNextUpdateOrTick() {
    long before = notices();
    update(1);
    update(1);
    assertEquals(before, notices());
    members.run(1);
    assertEquals(before + 2, notices(), "one for each other member");
    members.run(1);
    assertEquals(before + 2, notices());
  }

  /** A caller may wait for them: the acknowledgements do not reach its replica. */
  @Test
  void noneWaitsAfterThreeThatNoUpdateHasCarried() {
    for (int i = 0; i < 3; i++) {
      update(1);
      members.run(1);
    }
    for (int i = 0; i < 200; i++) {
      long before = notices();
      update(1);
      assertEquals(before + 2, notices());
    }
    for (int i = 0; i < 100; i++) {
      update(1);
    }
    long before = notices();
    update(1);
    assertEquals(before, notices(), "whether callers wait is found out anew");
  }

  @Test
  void ticksBetweenUpdatesThatFollowEachOtherAreNoReason() {
    for (int i = 0; i < 20; i++) {
      update(1);
      update(1);
      members.run(1);
    }
    long before = notices();
    update(1);
    assertEquals(before, notices());
  }

  @Test
  void memberWhoseClientHasSeenMoreAsks() {
    VersionHandle seen = update(1);
    long before = notices();
    long read = members.ask(2, Members.read(ReadLevel.SESSION, seen));
    assertEquals(List.of(), members.node(2).running);
    members.deliver();
    assertEquals(List.of(read), members.node(2).running);
    assertEquals(before + 1, notices(), "to the member that has asked");
    assertEquals(1, members.node(2).sent.stream().filter(IndexQuery.class::isInstance).count());
    update(1);
    assertEquals(before + 3, notices(), "a member has clients: none waits");
  }

  @Test
  void linearizableReadElsewhereIsServed() {
    update(1);
    long read = members.ask(3, Members.read(ReadLevel.LINEARIZABLE, VersionHandle.INITIAL));
    members.deliver();
    members.run(1);
    assertEquals(List.of(read), members.node(3).running);
  }

  @Test
  void nothingWaitsWhileTwoMembersUpdate() {
    for (int i = 0; i < MANY; i++) {
      update(1);
      update(2);
    }
    long before = notices();
    update(1);
    assertEquals(before + 2, notices());
  }
}
