package org.understudy.lab.notify;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.DoubleConsumer;
import javax.xml.namespace.QName;

/** Subscribes consumers like a plain client of WS-BaseNotification 1.3, with SOAP 1.1 by hand. */
final class Subscriber {
  /** No more than Tomcat's minimum of threads: threads that it adds for these would be counted as subscriptions'. */
  private static final int IN_FLIGHT = 8;

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(Duration.ofSeconds(5)).build();

  /**
   * Subscribes them all to one topic, many at a time. Blocks until the last is subscribed.
   *
   * @throws IOException when one is rejected, with the producer's answer
   */
  void subscribe(URI producer, QName topic, List<String> consumers, DoubleConsumer progress)
      throws IOException, InterruptedException {
    Semaphore room = new Semaphore(IN_FLIGHT);
    AtomicReference<String> refusal = new AtomicReference<>();
    for (int i = 0; i < consumers.size() && refusal.get() == null; i++) {
      progress.accept((double) i / consumers.size());
      room.acquire();
      http.sendAsync(request(producer, topic, consumers.get(i)), HttpResponse.BodyHandlers.ofString())
          .whenComplete(
              (response, failure) -> {
                String why = failure != null ? failure.toString() : whyRefused(response);
                if (why != null) {
                  refusal.compareAndSet(null, why);
                }
                room.release();
              });
    }
    room.acquire(IN_FLIGHT);
    if (refusal.get() != null) {
      throw new IOException("A consumer could not be subscribed at " + producer + ": " + refusal.get());
    }
    progress.accept(1);
  }

  private static String whyRefused(HttpResponse<String> response) {
    return response.statusCode() == 200 && response.body().contains("SubscriptionReference")
        ? null
        : "HTTP status " + response.statusCode() + ", " + response.body();
  }

  private static HttpRequest request(URI producer, QName topic, String consumer) {
    String envelope =
        """
        <soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body>\
        <wsnt:Subscribe xmlns:wsnt="http://docs.oasis-open.org/wsn/b-2">\
        <wsnt:ConsumerReference><wsa:Address xmlns:wsa="http://www.w3.org/2005/08/addressing">%s</wsa:Address>\
        </wsnt:ConsumerReference>\
        <wsnt:Filter><wsnt:TopicExpression Dialect="http://docs.oasis-open.org/wsn/t-1/TopicExpression/Concrete" \
        xmlns:topic="%s">topic:%s</wsnt:TopicExpression></wsnt:Filter>\
        </wsnt:Subscribe></soap:Body></soap:Envelope>"""
            .formatted(consumer, topic.getNamespaceURI(), topic.getLocalPart());
    return HttpRequest.newBuilder(producer)
        .timeout(LIMIT)
        .header("Content-Type", "text/xml; charset=UTF-8")
        .header("SOAPAction", "\"http://docs.oasis-open.org/wsn/bw-2/NotificationProducer/SubscribeRequest\"")
        .POST(HttpRequest.BodyPublishers.ofString(envelope))
        .build();
  }
}
