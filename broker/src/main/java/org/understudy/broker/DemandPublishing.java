package org.understudy.broker;

import java.net.URI;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.notification.connection.TrustAnchors;
import org.understudy.notification.operation.Operation;
import org.understudy.notification.topic.TopicExpression;
import org.understudy.replication.api.Certainty;
import org.understudy.replication.api.Duty;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.View;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.runtime.Replica;
import org.understudy.replication.runtime.routing.DutyListener;
import org.understudy.replication.runtime.state.StateListener;
import org.understudy.soap.addressing.EndpointReference;
import org.understudy.thread.DaemonThreads;
import org.understudy.thread.RepeatedTask;
import org.understudy.thread.Threads;
import org.understudy.wsrf.notification.Subscriptions;
import org.understudy.wsrf.resource.InternalUpdates;

/**
 * Demand-based publishing (WS-BrokeredNotification 1.3, section 5.1): for each topic of a registration with Demand, the
 * replica with the duty holds a subscription at the publisher, and pauses it while the topic has no subscriber at the
 * broker. The subscriptions are replicated state, so the next replica with the duty continues with them, unless the replica
 * to which the publisher sends has left the view: then it subscribes again.
 *
 * <p>Threads: calls of the replica are queued at once; one thread processes them and never waits for a publisher.
 */
final class DemandPublishing implements StateListener, DutyListener, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DemandPublishing.class);
  private static final long LOOK_MS = 200;
  /** Attempts to end an unused subscription; after that it expires. */
  private static final int MAX_ATTEMPTS_TO_END = 8;

  private final Replica replica;
  private final ReplicaId self;
  private final InternalUpdates updates;
  private final Registrations registrations;
  private final Subscriptions subscriptions;
  private final Predicate<URI> allowed;
  private final String consumer;
  private final ScheduledExecutorService worker;
  private final PublisherConnections connections;
  private final AtomicBoolean working = new AtomicBoolean();
  private final DemandSubscriptions held = new DemandSubscriptions();
  /** Used under the replica's lock: whether the last changes concern this class. */
  private boolean news;
  /** Counts changes of the broker's subscriptions. */
  private volatile long changes;
  /** The epoch in which the duty last began. */
  private volatile long dutyEpoch;

  /** The following fields belong to the worker: the state of each subscription, by its key. */
  private final Map<String, PublisherLink> links = new HashMap<>();

  /**
   * The key prefixes of publishers without PauseSubscription, whose subscriptions are ended and created again instead.
   * Determined again in each epoch.
   */
  private final Set<String> unpausable = new HashSet<>();

  private long workedEpoch;

  /**
   * Does nothing before {@link #begin}.
   *
   * @param allowed where requests may be sent
   * @param trust for publishers at https addresses
   * @param consumer the URL of the broker at this replica
   */
  DemandPublishing(
      Replica replica,
      ReplicaId self,
      InternalUpdates updates,
      Registrations registrations,
      Subscriptions subscriptions,
      Predicate<URI> allowed,
      TrustAnchors trust,
      String consumer) {
    this.replica = replica;
    this.self = self;
    this.updates = updates;
    this.registrations = registrations;
    this.subscriptions = subscriptions;
    this.allowed = allowed;
    this.consumer = consumer;
    this.worker =
        Executors.newSingleThreadScheduledExecutor(new DaemonThreads("understudy-broker-demand-"));
    this.connections = new PublisherConnections(trust, worker);
  }

  /** Begins to follow the replica's state. */
  void begin() {
    replica.observe(this);
    replica.duties().listen(Duty.PUBLISH_ON_DEMAND, this);
    worker.scheduleWithFixedDelay(
        new RepeatedTask("Checking subscriptions at publishers", this::look), LOOK_MS, LOOK_MS, TimeUnit.MILLISECONDS);
  }

  // ------------------------------------------------------------------------------------------------ news

  @Override
  public void applied(List<StateChange> applied) {
    news = false;
    StateListener.super.applied(applied);
    if (news && isOnDuty()) {
      work();
    }
  }

  @Override
  public void onReset() {
    held.clear();
  }

  @Override
  public void begins(long epoch) {
    dutyEpoch = epoch;
    work();
  }

  private boolean isOnDuty() {
    return replica.duties().has(Duty.PUBLISH_ON_DEMAND);
  }

  @Override
  public boolean follows(String key) {
    return key.startsWith(DemandSubscriptions.KEYS) || key.startsWith(Subscriptions.KEYS) || key.startsWith(Registration.KEYS);
  }

  @Override
  @SuppressWarnings("NonAtomicVolatileUpdate") // One thread at a time: listeners are told under the core's lock.
  public void onChange(String key, byte[] state) {
    if (key.startsWith(DemandSubscriptions.KEYS)) {
      held.change(key, state);
      news = true;
    } else if (key.startsWith(Subscriptions.KEYS)) {
      changes++;
      news = true;
    } else if (key.startsWith(Registration.KEYS)) {
      news = true;
    }
  }

  private void work() {
    if (working.compareAndSet(false, true)) {
      execute(this::look);
    }
  }

  private void execute(Runnable task) {
    try {
      worker.execute(task);
    } catch (RejectedExecutionException e) {
      LOG.debug("Closed: subscriptions at publishers are no longer checked.", e);
    }
  }

  // ------------------------------------------------------------------------------------------------ the worker

  private void look() {
    working.set(false);
    try {
      if (!isOnDuty()) {
        return;
      }
      if (workedEpoch != dutyEpoch) {
        workedEpoch = dutyEpoch;
        // What is on its way has an end of its own: without its link, the publisher would be requested twice.
        links.values().removeIf(link -> !link.busy);
        unpausable.clear();
      }
      View view = replica.view();
      Set<String> used = new HashSet<>();
      registrations.all().forEach(
          (id, registration) -> {
            for (int topic = 0; registration.demand() && topic < registration.topics().size(); topic++) {
              used.add(tend(id, topic, registration, view));
            }
          });
      for (Map.Entry<String, DemandSubscription> one : held.all().entrySet()) {
        if (used.add(one.getKey())) {
          end(one.getKey(), one.getValue());
        }
      }
      links.keySet().retainAll(used);
      unpausable.removeIf(prefix -> used.stream().noneMatch(key -> key.startsWith(prefix)));
    } catch (RuntimeException e) {
      // An exception thrown here would end the periodic checks.
      LOG.error("Subscriptions at publishers could not be checked. Some publishers may not be paused or resumed.", e);
    }
  }

  /** Carries out what is due for one topic of a registration; returns the key of its subscription. */
  private String tend(String id, int topic, Registration registration, View view) {
    String key = held.key(id, topic, view, self);
    TopicExpression expression = registration.topics().get(topic);
    PublisherLink link = links.computeIfAbsent(key, k -> new PublisherLink());
    if (!link.isDue()) {
      return key;
    }
    boolean wanted =
        link.isWanted(changes, () -> subscriptions.any(subscription -> TopicDemand.wants(subscription, expression)));
    DemandSubscription subscription = held.get(key);
    boolean pausable = !unpausable.contains(DemandSubscriptions.prefix(key));
    if (subscription == null) {
      if (pausable || wanted) {
        subscribe(id, key, registration.publisher(), expression, link);
      }
    } else if (!pausable && (!wanted || subscription.paused() || !link.confirmed)) {
      // Ended where other publishers' subscriptions are paused; when a subscriber appears, it is created again.
      manage(key, subscription, Operation.UNSUBSCRIBE, link, answer -> keep(id, key, null, link));
    } else if (subscription.paused() == wanted || !link.confirmed) {
      Operation operation = wanted ? Operation.RESUME_SUBSCRIPTION : Operation.PAUSE_SUBSCRIPTION;
      manage(key, subscription, operation, link, answer -> {
        link.confirmed = true;
        if (subscription.paused() == wanted) {
          keep(id, key, subscription.paused(!wanted), link);
        }
      });
    } else if (link.isRenewalDue(subscription)) {
      manage(key, subscription, Operation.RENEW, link, answer -> link.renewed(subscription));
    }
    return key;
  }

  private void subscribe(String id, String key, EndpointReference publisher, TopicExpression topic, PublisherLink link) {
    String body = PublisherRequest.subscribe(consumer, id, topic);
    ask(publisher, Operation.SUBSCRIBE, body, link, answer -> {
      if (!PublisherAnswer.isGood(answer)) {
        failed(key, Operation.SUBSCRIBE, answer, link);
        return;
      }
      try {
        DemandSubscription made = PublisherAnswer.subscription(answer, allowed);
        link.confirmed = true;
        link.fresh = true;
        link.renewed(made);
        keep(id, key, made, link);
      } catch (IllegalArgumentException e) {
        failed(key, Operation.SUBSCRIBE, new PublisherConnections.Answer(answer.status(), e.getMessage()), link);
      }
    });
  }

  /** Carries out an operation on a subscription; when the publisher does not know the subscription, it is removed. */
  private void manage(
      String key,
      DemandSubscription subscription,
      Operation operation,
      PublisherLink link,
      Consumer<PublisherConnections.Answer> done) {
    String body =
        operation == Operation.RENEW ? PublisherRequest.renew(subscription.seconds()) : PublisherRequest.manage(operation);
    boolean pausing = operation == Operation.PAUSE_SUBSCRIPTION || operation == Operation.RESUME_SUBSCRIPTION;
    boolean fresh = link.fresh;
    link.fresh = false;
    ask(subscription.reference(), operation, body, link, answer -> {
      // A subscription that is unknown right after its creation exists; the operation does not.
      boolean unknown = PublisherAnswer.isUnknown(answer);
      if (pausing && (fresh && unknown || PublisherAnswer.isUnknownOperation(answer))) {
        if (unpausable.add(DemandSubscriptions.prefix(key))) {
          LOG.info(
              "The publisher of {} does not support {}. The broker unsubscribes and subscribes again instead.", key,
              operation.body().getLocalPart());
        }
        link.succeeded();
      } else if (unknown) {
        keep(DemandSubscriptions.registration(key), key, null, link);
      } else if (PublisherAnswer.isGood(answer)) {
        link.succeeded();
        done.accept(answer);
      } else {
        failed(key, operation, answer, link);
      }
    });
  }

  /** It is unused: its registration has ended, or it leads to a replica that has left the view. */
  private void end(String key, DemandSubscription subscription) {
    PublisherLink link = links.computeIfAbsent(key, k -> new PublisherLink());
    if (!link.isDue()) {
      return;
    }
    if (link.failures() == MAX_ATTEMPTS_TO_END) {
      LOG.warn(
          "The subscription {} cannot be ended. The publisher may send messages until it expires.",
          subscription.reference().address());
      keep(DemandSubscriptions.registration(key), key, null, link);
      return;
    }
    manage(key, subscription, Operation.UNSUBSCRIBE, link, answer -> keep(DemandSubscriptions.registration(key), key, null, link));
  }

  /** The response is handled on the worker, also if another epoch of the duty has begun. */
  private void ask(
      EndpointReference to, Operation operation, String body, PublisherLink link, Consumer<PublisherConnections.Answer> done) {
    link.busy = true;
    connections.post(
        to, operation.requestAction(), body,
        answer -> execute(
            () -> {
              link.busy = false;
              done.accept(answer);
            }));
  }

  private void failed(String key, Operation operation, PublisherConnections.Answer answer, PublisherLink link) {
    link.failed();
    String why = answer.text().length() > 200 ? answer.text().substring(0, 200) + "…" : answer.text();
    if (link.failures() == 1) {
      LOG.warn(
          "{} at the publisher of {} failed and is retried: HTTP status {}, {}", operation, key, answer.status(), why);
    } else {
      LOG.debug("{} at the publisher of {} failed again: HTTP status {}, {}", operation, key, answer.status(), why);
    }
  }

  /** Stores the new state of a subscription; null: it has ended. Repeated while a view change refuses it. */
  private void keep(String id, String key, DemandSubscription subscription, PublisherLink link) {
    link.busy = true;
    byte[] state = subscription == null ? null : subscription.encode();
    updates.run(
        Registration.KEYS + id,
        transaction -> {
          if (state != null) {
            transaction.put(key, state);
          } else if (transaction.state(key) != null) {
            transaction.remove(key);
          } else {
            return false;
          }
          return true;
        },
        () -> execute(
            () -> {
              link.busy = false;
              link.succeeded();
            }),
        failure -> execute(
            () -> {
              LOG.debug("The new state of the subscription {} was not stored: {}", key, failure.sentence());
              boolean refused = failure.code().certainty() == Certainty.NOT_EXECUTED && !failure.code().isTerminal();
              if (subscription != null && refused && isOnDuty() && link.mayStoreAgain()) {
                worker.schedule(() -> keep(id, key, subscription, link), LOOK_MS, TimeUnit.MILLISECONDS);
                return;
              }
              link.busy = false;
              link.confirmed = false;
              if (subscription != null && held.get(key) == null) {
                giveBack(subscription);
              }
            }));
  }

  /**
   * Ends a subscription that could not be stored. If it was stored after all, a check finds it missing and creates it
   * again.
   */
  private void giveBack(DemandSubscription subscription) {
    connections.post(
        subscription.reference(), Operation.UNSUBSCRIBE.requestAction(),
        PublisherRequest.manage(Operation.UNSUBSCRIBE),
        answer -> LOG.debug("A subscription that could not be stored was ended: HTTP status {}.", answer.status()));
  }

  @Override
  public void close() {
    worker.shutdownNow();
    connections.close();
    Threads.join("The thread that subscribes at publishers", worker);
  }
}
