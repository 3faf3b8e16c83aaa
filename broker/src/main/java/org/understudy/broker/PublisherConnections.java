package org.understudy.broker;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import org.understudy.notification.connection.ConnectionSettings;
import org.understudy.notification.connection.HttpAnswer;
import org.understudy.notification.connection.HttpConnections;
import org.understudy.notification.connection.TrustAnchors;
import org.understudy.soap.addressing.Addressing;
import org.understudy.soap.addressing.EndpointReference;
import org.understudy.soap.envelope.EnvelopeWriter;
import org.understudy.soap.envelope.SoapVersion;
import org.understudy.soap.xml.XmlText;

/**
 * Sends requests to publishers: SOAP 1.1 over HTTP or HTTPS, without blocking threads. Requests are rare, so each has a
 * connection of its own. Never retries. Thread-safe.
 */
final class PublisherConnections implements AutoCloseable {
  /**
   * The result of a request.
   *
   * @param status of HTTP; 0 when there was no answer
   * @param text of the answer, or the reason for none
   */
  record Answer(int status, String text) {}

  private static final String WSA = " xmlns:wsa=\"" + Addressing.NAMESPACE + "\">";
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration ANSWER = Duration.ofSeconds(10);
  private static final int MAX_ANSWER_BYTES = 256 << 10;

  private final HttpConnections connections;

  /**
   * @param trust for https
   * @param timer watches the deadlines; its owner closes it
   */
  PublisherConnections(TrustAnchors trust, ScheduledExecutorService timer) {
    this.connections =
        new HttpConnections(
            new ConnectionSettings(1, CONNECT, ANSWER, false, MAX_ANSWER_BYTES, true, trust), timer);
  }

  /**
   * Begins a request. Returns at once.
   *
   * @param action {@code wsa:Action}
   * @param body an element that declares every prefix it uses
   * @param done called exactly once, by any thread; must not block
   */
  void post(EndpointReference to, String action, String body, Consumer<Answer> done) {
    byte[] envelope = envelope(to, action, body);
    connections.post(
        to.address(), SoapVersion.SOAP11, action, List.of(envelope),
        new HttpConnections.Outcome() {
          @Override
          public void answered(HttpAnswer answer) {
            done.accept(new Answer(answer.status(), new String(answer.body(), StandardCharsets.UTF_8)));
          }

          @Override
          public void failed(String why) {
            done.accept(new Answer(0, why));
          }
        });
  }

  private static byte[] envelope(EndpointReference to, String action, String body) {
    String blocks =
        "<wsa:To" + WSA + XmlText.escape(to.address().toString()) + "</wsa:To><wsa:Action" + WSA + action
            + "</wsa:Action><wsa:MessageID" + WSA + "urn:uuid:" + UUID.randomUUID() + "</wsa:MessageID><wsa:ReplyTo" + WSA
            + "<wsa:Address>" + Addressing.ANONYMOUS + "</wsa:Address></wsa:ReplyTo>" + to.headerBlocks();
    return new EnvelopeWriter(SoapVersion.SOAP11).blocks(blocks).body(body);
  }

  @Override
  public void close() {
    connections.close();
  }
}
