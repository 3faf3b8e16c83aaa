package org.understudy.replication.core.primarybackup;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.HandledEffects;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.ReplicaCore;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.Timing;
import org.understudy.replication.core.limit.Limits;
import org.understudy.replication.core.record.Recovered;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.core.request.Response;

/** Duplicates of a request that is being executed. */
class ExecutionsTest {
  @Test
  void duplicateAnsweredAsPendingNoLongerWaits() {
    ReplicaId self = new ReplicaId(1);
    ReplicaCore core =
        new Unreplicated()
            .open(
                new ReplicaSetup(
                    self, List.of(self), Recovered.NOTHING, 1,
                    Timing.of(Duration.ofMillis(50), Duration.ofMillis(500)), Limits.DEFAULTS,
                    Rule.ALL));
    StringBuilder answers = new StringBuilder();
    Effects out =
        HandledEffects.by((name, arguments) -> {
          if (List.of("execute", "reply", "fail").contains(name)) {
            answers.append(name).append(' ').append(arguments[0]).append('\n');
          }
        });
    for (long now = 0; now < 2_000_000_000L; now += 10_000_000) {
      core.step(now, now, new Input.Tick(), out);
    }
    long now = 2_000_000_000L;
    for (long token = 2; token <= 4; token++) {
      core.step(now, now, new Input.Requested(token, request()), out);
    }
    core.step(now, now, new Input.Abandoned(3), out);
    core.step(now, now, new Input.Executed(2, Map.of(), Response.EMPTY, List.of()), out);
    assertEquals("execute 2\nreply 2\nreply 4\n", answers.toString());
  }

  private static Request request() {
    return new Request(
        new RequestKey.OfMessageId(3, 4), 0, Request.Kind.UPDATE, null, VersionHandle.INITIAL, 0, "");
  }
}
