package org.understudy.container.forwarding.http;

import java.io.IOException;
import java.net.ConnectException;
import java.util.Map;
import org.understudy.container.caller.Caller;
import org.understudy.container.caller.CallerProof;
import org.understudy.container.caller.RequestTarget;
import org.understudy.container.configuration.Configuration;
import org.understudy.container.forwarding.ForwardedAnswer;
import org.understudy.container.forwarding.ForwardedAnswer.Source;
import org.understudy.container.forwarding.http.ForwardingConnections.Answer;
import org.understudy.container.forwarding.http.ForwardingConnections.Try;
import org.understudy.container.forwarding.sealed.SealedRequest;
import org.understudy.container.response.Disposition;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.runtime.share.Reservation;
import org.understudy.soap.envelope.UnavailablePage;

/**
 * A client's request in the form in which it is posted to other replicas. Only the proof of the client's identity differs
 * between attempts.
 *
 * @param path relative to the web application, decoded
 * @param contentType of the message
 * @param digest of the body
 * @param reservation counts the answer
 */
record ForwardedPost(
    Configuration configuration,
    ForwardingConnections connections,
    CallerProof proof,
    Caller caller,
    String path,
    String contentType,
    SealedRequest body,
    String digest,
    Reservation reservation) {
  /**
   * Posts the request and waits for the response.
   *
   * @param deadline of the wait, in {@link System#nanoTime()}
   * @throws ConnectException when the request certainly did not arrive completely
   * @throws ForwardingConnections.ResponseTooLongException when it arrived, and the response exceeds the limit
   * @throws ForwardingConnections.NoRoomException when it arrived, and there is no memory for the response now
   * @throws IOException when the request may have arrived
   */
  Answer send(ReplicaId to, long deadline, Try attempt) throws IOException {
    Map<String, String> headers = Map.of("Content-Type", contentType, CallerProof.HEADER, proof.prove(to, path, digest, caller));
    return connections.post(configuration.url(to), RequestTarget.encoded(path), headers, body, reservation, deadline, attempt);
  }

  /** Without the body, which may hold credentials. */
  @Override
  public String toString() {
    return "POST " + path;
  }

  /** Returns the parts of a response that forwarding needs, and records the replica's instance for the next proof. */
  ForwardedAnswer read(ReplicaId from, Answer answer) {
    Disposition disposition = Disposition.of(answer.disposition(), answer.status(), answer.body());
    return new ForwardedAnswer(
        answer.status(), disposition.refused(), source(disposition, answer), proof.learn(from, answer.instance()));
  }

  private static Source source(Disposition disposition, Answer answer) {
    if (disposition.ofContainer()) {
      return Source.REPLICA;
    }
    return UnavailablePage.isOfTomcat(answer.body()) ? Source.SERVER : Source.OTHER;
  }
}
