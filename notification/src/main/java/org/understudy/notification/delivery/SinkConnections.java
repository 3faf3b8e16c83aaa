package org.understudy.notification.delivery;

import java.util.concurrent.ScheduledExecutorService;
import org.understudy.notification.connection.ConnectionSettings;
import org.understudy.notification.connection.HttpAnswer;
import org.understudy.notification.connection.HttpConnections;
import org.understudy.notification.message.NotifyNames;

/** Consumers reached over HTTP or HTTPS: one attempt is one POST. Thread-safe. */
final class SinkConnections implements Sink, AutoCloseable {
  private static final int MAX_ANSWER_BYTES = 64 << 10;
  private static final int GONE = 410;

  private final HttpConnections connections;

  SinkConnections(DeliverySettings settings, ScheduledExecutorService timer) {
    this.connections =
        new HttpConnections(
            new ConnectionSettings(
                Math.max(1, settings.threads() / 2), settings.connectTimeout(), settings.responseTimeout(), true,
                MAX_ANSWER_BYTES, false, settings.trust()),
            timer);
  }

  @Override
  public void send(Delivery delivery, Outcome outcome) {
    connections.post(
        // Also for a raw message, for which no contract names another action (section 4.2).
        delivery.subscription().consumer().address(), delivery.subscription().version(), NotifyNames.NOTIFY_ACTION,
        delivery.envelope(),
        new HttpConnections.Outcome() {
          @Override
          public void answered(HttpAnswer answer) {
            if (answer.status() >= 200 && answer.status() < 300) {
              outcome.delivered();
            } else {
              // 410 Gone is permanent; anything else may be a restart.
              outcome.failed("HTTP status " + answer.status(), answer.status() == GONE, answer.retryAfter());
            }
          }

          @Override
          public void failed(String why) {
            outcome.failed(why, false);
          }
        });
  }

  void closeIdle() {
    connections.closeIdle();
  }

  @Override
  public void close() {
    connections.close();
  }
}
