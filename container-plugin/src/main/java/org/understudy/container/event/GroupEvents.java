package org.understudy.container.event;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.xml.namespace.QName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.container.configuration.Configuration;
import org.understudy.container.response.ReplicaAddresses;
import org.understudy.notification.topic.TopicNamespace;
import org.understudy.notification.topic.TopicPath;
import org.understudy.notification.topic.TopicSet;
import org.understudy.replication.api.Duty;
import org.understudy.replication.core.Assignment;
import org.understudy.replication.runtime.Replica;
import org.understudy.replication.runtime.routing.DutyListener;
import org.understudy.replication.soap.ListedView;
import org.understudy.replication.soap.ReplicationNames;
import org.understudy.thread.DaemonThreads;
import org.understudy.thread.RepeatedTask;
import org.understudy.thread.Threads;
import org.understudy.wsrf.contract.PublishedContracts;
import org.understudy.wsrf.notification.Notifications;
import org.understudy.wsrf.notification.UnloggedProducer;
import org.understudy.wsrf.operation.Endpoint;
import org.understudy.wsrf.property.PropertyOperations;
import org.understudy.wsrf.property.ResourceDocument;

/**
 * The topics {@code Failover} and {@code Heartbeat} of {@code urn:understudy:topics:1}, in every transfer mode (Zhang et
 * al. 2004, section 2.3: FAILURE and HEARTBEAT). The replica that delivers notifications publishes each new view once, and its
 * heartbeats. Subscriptions are replicated, so the next delivering replica notifies a client of the failover wherever it
 * subscribed. The messages are not replicated.
 */
public final class GroupEvents implements DutyListener, AutoCloseable {
  /** The path of the endpoint within the web application. */
  public static final String PATH = "/notification";

  private static final Logger LOG = LoggerFactory.getLogger(GroupEvents.class);
  private static final String TOPICS = "urn:understudy:topics:1";
  /** Contains a slash, unlike keys of the service's resources, so that subscribers at the service do not receive these events. */
  private static final String KEY = "group/Events";

  private final Configuration configuration;
  private final Replica replica;
  private final String servicePath;
  private final Endpoint endpoint = Endpoint.ofOne(PATH, KEY);
  private final ResourceDocument document;
  private final UnloggedProducer producer;
  private final TopicPath failover;
  private final TopicPath heartbeat;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(new DaemonThreads("understudy-events-"));
  /** The last published epoch; used by the timer thread. */
  private long publishedEpoch;

  /**
   * Adds the producer. It publishes nothing before {@link #begin}.
   *
   * @param servicePath the path of the service whose addresses the messages contain
   */
  public GroupEvents(Configuration configuration, Replica replica, Notifications notifications, String servicePath) {
    this.configuration = configuration;
    this.replica = replica;
    this.servicePath = servicePath;
    TopicNamespace topics = new TopicNamespace(TOPICS);
    this.failover = topics.add("Failover");
    this.heartbeat = topics.add("Heartbeat");
    String address = configuration.clientUrl(configuration.self()) + PATH;
    this.document =
        new ResourceDocument(new QName(PublishedContracts.NAMESPACE, "GroupEventsRP"), transaction -> true, transaction -> address)
            .acceptLocalNames(configuration.localNames());
    PropertyOperations.addReads(endpoint, document);
    this.producer =
        notifications.addUnlogged(
            endpoint, document, TopicSet.of(topics),
            (key, topic) -> Optional.of(message(topic, replica.routing().assignment())));
  }

  /** Returns the endpoint at which clients subscribe. */
  public Endpoint endpoint() {
    return endpoint;
  }

  public ResourceDocument document() {
    return document;
  }

  /** Starts to publish while this replica has the duty. */
  public void begin() {
    replica.duties().listen(Duty.DELIVER_NOTIFICATIONS, this);
    replica.listen(assignment -> execute(this::publishFailover));
    long interval = configuration.timing().heartbeatNanos();
    timer.scheduleAtFixedRate(
        new RepeatedTask("Publishing on the topic Heartbeat", this::publishHeartbeat), interval, interval, TimeUnit.NANOSECONDS);
  }

  @Override
  public void begins(long epoch) {
    execute(
        () -> {
          producer.deliver(true);
          publishFailover();
        });
  }

  @Override
  public void ends() {
    execute(() -> producer.deliver(false));
  }

  /** Runs a task on the timer thread, because the calling thread also answers requests. */
  private void execute(Runnable task) {
    try {
      timer.execute(new RepeatedTask("Publishing on the topic Failover", task));
    } catch (RejectedExecutionException e) {
      LOG.debug("Closed: events are no longer published.", e);
    }
  }

  private void publishFailover() {
    if (producer.delivers() && replica.duties().has(Duty.DELIVER_NOTIFICATIONS)) {
      Assignment assignment = replica.routing().assignment();
      if (assignment.epoch() > publishedEpoch) {
        producer.publish(assignment.epoch(), failover, () -> message(failover, assignment));
        publishedEpoch = assignment.epoch();
      }
    }
  }

  private void publishHeartbeat() {
    publishFailover();
    if (replica.duties().has(Duty.DELIVER_NOTIFICATIONS)) {
      Assignment assignment = replica.routing().assignment();
      producer.publish(assignment.epoch(), heartbeat, () -> message(heartbeat, assignment));
    }
  }

  private byte[] message(TopicPath topic, Assignment assignment) {
    String name = topic.steps().get(0).getLocalPart();
    ListedView view =
        ReplicaAddresses.of(assignment, configuration.replicas(), id -> configuration.clientUrl(id) + servicePath);
    String text = ReplicationNames.open(name) + view.text() + "</ur:" + name + ">";
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    timer.shutdownNow();
    Threads.join("The thread that publishes the group's events", timer);
    producer.close();
  }
}
