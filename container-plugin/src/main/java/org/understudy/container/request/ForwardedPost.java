package org.understudy.container.request;

import java.io.IOException;
import java.net.ConnectException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.understudy.container.configuration.Configuration;
import org.understudy.container.forwarding.ForwardedAnswer;
import org.understudy.container.request.ForwardingConnections.Answer;
import org.understudy.container.request.ForwardingConnections.Try;
import org.understudy.replication.api.ReplicaId;

/**
 * A client's request as it is posted to other replicas: the same each time, but for the proof of who the client is.
 *
 * @param path within the web application
 */
record ForwardedPost(
    Configuration configuration,
    ForwardingConnections connections,
    CallerProof proof,
    Caller caller,
    String path,
    Map<String, String> headers,
    byte[] body) {
  /**
   * Posts, and waits for the answer.
   *
   * @param deadline of the waiting, in {@link System#nanoTime()}
   * @throws ConnectException when the request certainly did not arrive whole
   * @throws ForwardingConnections.ResponseTooLongException when it arrived, and the response exceeds the limit
   * @throws IOException when the request may have arrived
   */
  Answer send(ReplicaId to, long deadline, Try attempt) throws IOException {
    Map<String, String> all = new LinkedHashMap<>(headers);
    all.put(CallerProof.HEADER, proof.prove(to, path, body, caller));
    return connections.post(configuration.url(to), path, all, body, deadline, attempt);
  }

  /** What the forwarding sees of an answer; the instance that it names is remembered for the next proof. */
  ForwardedAnswer read(ReplicaId from, Answer answer) {
    Disposition disposition = Disposition.of(answer);
    return new ForwardedAnswer(
        answer.status(), disposition.refused(), disposition.ofContainer(), proof.learn(from, answer.instance()));
  }
}
