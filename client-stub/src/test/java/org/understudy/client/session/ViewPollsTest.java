package org.understudy.client.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.understudy.client.view.GroupView;
import org.understudy.client.view.KnownViews;
import org.understudy.client.view.ReplicaAddress;

/** Which replica is asked for the next view, and when, on virtual time. */
class ViewPollsTest {
  private static final List<URI> REPLICAS =
      List.of(URI.create("http://one/"), URI.create("http://two/"), URI.create("http://three/"));

  private final KnownViews views = new KnownViews(REPLICAS);
  private final ViewPolls polls = new ViewPolls(views);
  private long now;

  private static GroupView view(long epoch, String... roles) {
    List<ReplicaAddress> list = new ArrayList<>();
    for (int i = 0; i < roles.length; i++) {
      list.add(ReplicaAddress.ofRole(i + 1, roles[i], REPLICAS.get(i)));
    }
    return new GroupView(epoch, list);
  }

  private URI next() {
    return polls.next(now).replica();
  }

  /** Lets the replica hold the poll. */
  private long held() {
    now += ViewPolls.FIRST_PAUSE_NANOS;
    return polls.ended(now, true);
  }

  @Test
  void withoutAViewTheFirstReplicaIsAsked() {
    assertEquals(REPLICAS.get(0), next());
  }

  @Test
  void seniorBackupIsPolledFirstAndThePrimaryLast() {
    views.learn(view(1, "primary", "senior", "backup"));
    List<URI> asked = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      asked.add(next());
      polls.ended(now, false);
    }
    assertEquals(List.of(REPLICAS.get(1), REPLICAS.get(2), REPLICAS.get(0), REPLICAS.get(1)), asked);
  }

  @Test
  void aReplicaOutsideTheViewIsNotPreferred() {
    views.learn(view(1, "primary", "none", "none"));
    assertEquals(REPLICAS.get(0), next());
  }

  @Test
  void heldPollIsFollowedByTheNextAtOnce() {
    URI first = next();
    assertEquals(0, held());
    assertEquals(first, next());
  }

  @Test
  void pausesAfterUnhelpfulReplicasGrowToTwoSeconds() {
    List<Long> rests = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      next();
      rests.add(polls.ended(now, false) / 1_000_000);
    }
    assertEquals(List.of(50L, 100L, 200L, 400L, 800L, 1_600L, 2_000L, 2_000L), rests);
    next();
    assertEquals(0, held());
    next();
    assertEquals(ViewPolls.FIRST_PAUSE_NANOS, polls.ended(now, false));
  }

  @Test
  void replicaThatDoesNotHoldThePollIsRetriedAfterAPause() {
    URI first = next();
    assertEquals(ViewPolls.FIRST_PAUSE_NANOS, polls.ended(now, true));
    assertEquals(first, next());
    assertEquals(2 * ViewPolls.FIRST_PAUSE_NANOS, polls.ended(now, true));
  }

  @Test
  void aNewViewBeginsAnew() {
    views.learn(view(1, "primary", "senior", "backup"));
    next();
    polls.ended(now, false);
    assertEquals(REPLICAS.get(2), next());
    views.learn(view(2, "primary", "senior", "backup"));
    assertEquals(0, polls.ended(now, false));
    assertEquals(REPLICAS.get(1), next());
    assertEquals(ViewPolls.FIRST_PAUSE_NANOS, polls.ended(now, false));
  }
}
