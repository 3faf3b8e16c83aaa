package org.understudy.client.group;

import java.io.IOException;
import java.net.URI;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.understudy.client.InvocationFailedException;
import org.understudy.client.transport.Answer;
import org.understudy.client.transport.Envelope;
import org.understudy.client.transport.Http;
import org.understudy.replication.api.ReadLevel;

/**
 * One invocation, attempt after attempt under the same sequence number: {@code OP} and {@code INVOKE_OP} of Zhang et al.
 * 2004, Fig. 2. The caller's thread does all of it; news of a failover breaks its attempt off, and the next goes to the
 * new primary without waiting for TCP.
 */
final class Invocation {
  private final ReplicaGroup group;
  private final Http http;
  private final ClientSession session;
  private final Envelope envelope;
  private final String suffix;
  private final String contentType;
  private final String action;
  private final Attempts attempts;
  private final long sequence;

  private volatile HttpPost current;
  private volatile URI target;

  Invocation(
      ReplicaGroup group,
      Http http,
      ClientSession session,
      Envelope envelope,
      String suffix,
      String contentType,
      String action,
      long deadline) {
    this.group = group;
    this.http = http;
    this.session = session;
    this.envelope = envelope;
    this.suffix = suffix;
    this.contentType = contentType;
    this.action = action;
    this.attempts = new Attempts(deadline);
    this.sequence = session.begin();
  }

  Http.Response run() {
    try {
      while (true) {
        Http.Response response = attempt();
        if (response != null) {
          return response;
        }
      }
    } finally {
      session.end(sequence);
    }
  }

  /** Another thread brings news. */
  void redirect(URI primary) {
    HttpPost running = current;
    if (running != null && !primary.equals(target)) {
      running.cancel();
    }
  }

  private Http.Response attempt() {
    ReplicaView view = group.view();
    URI chosen = group.target(attempts.count());
    int number = attempts.next();
    byte[] body = envelope.with(header(view.epoch(), number));
    HttpPost post = Http.post(URI.create(chosen + suffix), contentType, action, body);
    target = chosen;
    current = post;
    // News that came before the attempt was visible would not have broken it off.
    if (group.epoch() != view.epoch()) {
      current = null;
      return null;
    }
    Http.Response response;
    try {
      response = http.execute(post);
    } catch (IOException e) {
      attempts.broke(chosen, e);
      if (group.epoch() == view.epoch()) {
        group.deaf(view.epoch());
        attempts.pause("The invocation");
      }
      return null;
    } finally {
      current = null;
    }
    return result(chosen, view.epoch(), response);
  }

  private Http.Response result(URI from, long epoch, Http.Response response) {
    if (response.status() == 200 || response.status() == 202) {
      group.answered(Answer.ofResult(response.body()), epoch);
      return response;
    }
    if (response.status() != 500 && response.status() != 400) {
      attempts.refused(from, "HTTP status " + response.status(), org.understudy.replication.api.Certainty.NOT_EXECUTED);
      if (response.status() != 404 && response.status() != 503) {
        throw attempts.failure("The invocation was refused.");
      }
      group.deaf(epoch);
      attempts.pause("The invocation");
      return null;
    }
    Answer answer = Answer.ofMessage(response.body());
    if (answer.code == null) {
      // The service's own fault is a result.
      group.answered(Answer.ofResult(response.body()), epoch);
      return response;
    }
    attempts.refused(from, answer.code + " (" + answer.reason + ")", answer.code.certainty());
    return refused(epoch, answer);
  }

  private Http.Response refused(long epoch, Answer answer) {
    switch (answer.code) {
      case SessionExpired -> {
        group.expired(session);
        throw failed("The session has expired; the next invocation opens another.");
      }
      case StaleSequence, DigestMismatch, BadRequest -> throw failed("The replica refuses the invocation.");
      default -> {
        group.learn(answer.epoch, answer.replicas);
        if (group.epoch() == epoch) {
          attempts.pause("The invocation");
        }
        return null;
      }
    }
  }

  private InvocationFailedException failed(String sentence) {
    return attempts.failure(sentence);
  }

  private String header(long epoch, int number) {
    StringBuilder text = new StringBuilder(400);
    text.append("<ur:ReplicationHeader xmlns:ur=\"urn:understudy:replication:1\"><ur:Session>").append(session.id());
    text.append("</ur:Session><ur:Sequence>").append(sequence);
    text.append("</ur:Sequence><ur:AckBelow>").append(session.ackBelow());
    text.append("</ur:AckBelow><ur:VersionHandle>").append(group.handle());
    text.append("</ur:VersionHandle><ur:Epoch>").append(epoch);
    text.append("</ur:Epoch><ur:Attempt>").append(number).append("</ur:Attempt>");
    ReadLevel level = group.settings().readLevel();
    if (level != null) {
      text.append("<ur:ReadLevel>").append(level.wireName()).append("</ur:ReadLevel>");
    }
    return text.append("</ur:ReplicationHeader>").toString();
  }
}
