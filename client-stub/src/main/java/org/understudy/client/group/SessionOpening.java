package org.understudy.client.group;

import java.io.IOException;
import java.net.URI;
import org.understudy.client.transport.Answer;
import org.understudy.client.transport.Http;
import org.understudy.replication.api.Certainty;
import org.understudy.replication.api.SessionId;

/** Opens a session at whichever replica is primary. The nonce makes a repeated request the same. */
final class SessionOpening {
  private final ReplicaGroup group;
  private final Http http;
  private final Attempts attempts;

  SessionOpening(ReplicaGroup group, Http http, long deadline) {
    this.group = group;
    this.http = http;
    this.attempts = new Attempts(deadline);
  }

  ClientSession open(SessionId nonce) {
    String body =
        "<ur:OpenSession xmlns:ur=\"urn:understudy:replication:1\"><ur:Nonce>" + nonce
            + "</ur:Nonce></ur:OpenSession>";
    while (true) {
      long epoch = group.epoch();
      URI target = group.target(attempts.count());
      attempts.next();
      try {
        Http.Response response = http.execute(Operation.OPEN_SESSION.post(target, body));
        Answer answer = Answer.ofMessage(response.body());
        group.learn(answer.epoch, answer.replicas);
        if (answer.session != null && answer.code == null) {
          group.answered(answer, group.epoch());
          return new ClientSession(answer.session, answer.leaseSeconds);
        }
        String said = answer.code == null ? "HTTP status " + response.status() : answer.code + " (" + answer.reason + ")";
        attempts.refused(target, said, Certainty.NOT_EXECUTED);
        if (answer.code == null) {
          group.deaf(epoch);
        }
      } catch (IOException e) {
        // An opened session that nobody uses expires: nothing of the application's was executed.
        attempts.refused(target, e.toString(), Certainty.NOT_EXECUTED);
        group.deaf(epoch);
      }
      if (group.epoch() == epoch) {
        attempts.pause("Opening a session");
      }
    }
  }
}
