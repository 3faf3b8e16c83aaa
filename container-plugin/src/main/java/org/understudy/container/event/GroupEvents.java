package org.understudy.container.event;

import jakarta.servlet.Servlet;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.understudy.container.configuration.Configuration;
import org.understudy.container.configuration.OwnServers;
import org.understudy.container.request.Answers;
import org.understudy.container.soap.Replicas;
import org.understudy.container.soap.ReplicationHeader;
import org.understudy.notification.NotificationProducer;
import org.understudy.notification.ProducerSettings;
import org.understudy.notification.delivery.AllowedSinks;
import org.understudy.notification.delivery.DeliverySettings;
import org.understudy.notification.servlet.NotificationServlet;
import org.understudy.notification.thread.DaemonThreads;
import org.understudy.notification.thread.RepeatedTask;
import org.understudy.notification.topic.TopicNamespace;
import org.understudy.notification.topic.TopicPath;
import org.understudy.replication.api.Duty;
import org.understudy.replication.core.Assignment;
import org.understudy.replication.runtime.Replica;

/**
 * The topics {@code Failover} and {@code Heartbeat} of {@code urn:understudy:topics:1}, in every transfer mode (Zhang et
 * al. 2004, section 2.3: FAILURE and HEARTBEAT). Each replica is a producer of its own: a client subscribes at the
 * backups, for the one it uses may be what fails.
 */
public final class GroupEvents implements AutoCloseable {
  private static final String TOPICS = "urn:understudy:topics:1";

  private final Replica replica;
  private final Answers answers;
  private final NotificationProducer producer;
  private final TopicPath failover;
  private final TopicPath heartbeat;
  private final ScheduledExecutorService clock;
  private long announced;

  public GroupEvents(Configuration configuration, Replica replica, Answers answers) {
    this.replica = replica;
    this.answers = answers;
    TopicNamespace topics = new TopicNamespace(TOPICS);
    this.failover = topics.add("Failover");
    this.heartbeat = topics.add("Heartbeat");
    URI address = URI.create(configuration.url(configuration.self()) + "/notification");
    this.producer =
        new NotificationProducer(
            ProducerSettings.at(address)
                .allowedSinks(
                    OwnServers.of(configuration).without(AllowedSinks.only(configuration.consumerHosts())))
                .delivery(DeliverySettings.ofDefaults().withTrust(configuration.trust()))
                .build(),
            topics);
    replica.listen(this::changed);
    this.clock =
        Executors.newSingleThreadScheduledExecutor(new DaemonThreads("understudy-events-"));
    long interval = configuration.timing().heartbeatNanos();
    clock.scheduleAtFixedRate(new RepeatedTask("Publishing on the topic Heartbeat", this::beat), interval, interval, TimeUnit.NANOSECONDS);
  }

  /** Subscribe, Renew, Unsubscribe. */
  public Servlet servlet() {
    return new NotificationServlet(producer);
  }

  private void changed(Assignment assignment) {
    synchronized (this) {
      long epoch = assignment.epoch();
      if (epoch <= announced) {
        return;
      }
      announced = epoch;
    }
    // Not on the thread that brings the news: it has requests to answer.
    clock.execute(() -> producer.publish(failover, message("Failover", assignment)));
  }

  private void beat() {
    if (replica.duties().has(Duty.DELIVER_NOTIFICATIONS) && !producer.subscriptions().isEmpty()) {
      producer.publish(heartbeat, message("Heartbeat", replica.routing().assignment()));
    }
  }

  private byte[] message(String name, Assignment assignment) {
    List<Replicas.Address> addresses = answers.addresses(assignment);
    String text =
        "<ur:" + name + " xmlns:ur=\"" + ReplicationHeader.NAMESPACE + "\">" + Replicas.view(assignment.epoch(), addresses)
            + "</ur:" + name + ">";
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    clock.shutdownNow();
    producer.close();
  }
}
