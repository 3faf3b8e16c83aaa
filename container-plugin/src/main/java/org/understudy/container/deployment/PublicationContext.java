package org.understudy.container.deployment;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.understudy.container.configuration.Configuration;
import org.understudy.container.configuration.ConfigurationException;
import org.understudy.container.configuration.Key;
import org.understudy.container.configuration.OwnServers;
import org.understudy.container.event.GroupEvents;
import org.understudy.container.execution.KeyScope;
import org.understudy.container.execution.ReplicatedUpdates;
import org.understudy.container.management.OutgoingControl;
import org.understudy.container.service.ReplayWatch;
import org.understudy.container.service.ServiceState;
import org.understudy.notification.delivery.AllowedSinks;
import org.understudy.notification.delivery.DeliverySettings;
import org.understudy.notification.operation.PullPointRules;
import org.understudy.notification.operation.SubscriptionRules;
import org.understudy.notification.subscription.Lifetimes;
import org.understudy.outbox.Outbox;
import org.understudy.outbox.OutboxSettings;
import org.understudy.outbox.ReplyTaker;
import org.understudy.replication.api.OutgoingReplies;
import org.understudy.replication.api.OutgoingReply;
import org.understudy.replication.api.StateCapture;
import org.understudy.replication.api.decision.DatabaseBacked;
import org.understudy.replication.api.decision.DecisionStoreException;
import org.understudy.replication.core.limit.KeyKind;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.runtime.Replica;
import org.understudy.replication.runtime.decision.StoreDecisions;
import org.understudy.wsrf.contract.PublishedContracts;
import org.understudy.wsrf.notification.NotificationSettings;
import org.understudy.wsrf.notification.Notifications;
import org.understudy.wsrf.operation.Endpoint;
import org.understudy.wsrf.resource.BlockingTransactions;
import org.understudy.wsrf.resource.ResourceTransaction;
import org.understudy.wsrf.resource.Resources;
import org.understudy.wsrf.resource.ServiceHome;

/**
 * The configuration and the replica on which a publication is built.
 *
 * @param replica the open replica, before it joins its group
 * @param served the services that peers compare
 * @param closer closes the parts of the publication, also after a later failure
 * @param warmUp gets the endpoints that CXF serves
 */
public record PublicationContext(
    Configuration configuration, Replica replica, ServedServices served, Closer closer, WarmUp warmUp) {
  /** The maximum number of updates in progress that a service starts itself. */
  private static final int MAX_SERVICE_UPDATES = 10_000;
  private static final long RELOAD_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final Duration FIRST_RETRY_PAUSE = Duration.ofMillis(200);

  /**
   * Returns the resources of an endpoint.
   *
   * @param path the path of the endpoint within the web application
   * @param fresh returns a new, empty state
   */
  public Resources resources(String path, Supplier<StateCapture> fresh) {
    return resources(path, fresh, KeyScope.NONE);
  }

  /** Returns the resources of an endpoint whose keys have a scope. */
  Resources resources(String path, Supplier<StateCapture> fresh, KeyScope scope) {
    Resources resources =
        new Resources(
            scope.state(replica),
            configuration.replicated(),
            fresh,
            configuration.clientUrl(configuration.self()) + path,
            KeyKind.REACH * configuration.resources());
    resources.clocks(replica.clocks());
    return resources;
  }

  /**
   * Compares replays of a service's calls with the states that arrive, until the deployment is closed.
   *
   * @param itself the state of the service
   * @return the meters by name
   */
  Map<String, LongSupplier> replays(String path, StateCapture itself, KeyScope scope) {
    ReplayWatch watch = ServiceState.watchReplays(path, itself, replica, scope);
    if (watch == null) {
      return Map.of();
    }
    closer.add(watch::close);
    return Map.of("replaysCompared", watch::compared, "replaysDiffering", watch::differences);
  }

  /**
   * Adds the producer of the topics Failover and Heartbeat, until the deployment is closed.
   *
   * @param path the path of the service
   * @return the endpoint of the producer
   */
  public Endpoint events(Notifications notifications, PublishedContracts contracts, String path) {
    GroupEvents events = new GroupEvents(configuration, replica, notifications, path);
    closer.add(events::close);
    contracts.add(events.endpoint(), "GroupEvents", events.document().declaration());
    events.begin();
    return events.endpoint();
  }

  /** Returns the home through which operations access the resources. */
  public ServiceHome home(Resources resources) {
    ServiceHome home = new ServiceHome(resources, configuration.execution(), configuration.wsrf());
    home.settings(configuration::databaseSetting);
    return home;
  }

  /**
   * Has the database of a service decide its updates, if it has one. Called before the replica joins its group.
   *
   * @param oneResource whether the service keeps its state in itself
   * @return whether it has one
   * @throws ConfigurationException when the strategy or the service does not permit that
   */
  boolean decideBy(Object service, Resources resources, ServiceHome home, boolean oneResource) throws ConfigurationException {
    if (!(service instanceof DatabaseBacked backed)) {
      return false;
    }
    String refused = null;
    if (!configuration.strategy().decides()) {
      refused = "the strategy " + configuration.strategy().name() + " does not support that. Set " + Key.STRATEGY.property()
          + " to primary-backup or none";
    } else if (!oneResource) {
      refused = "its class names a @ResourceState. Keep the rest of the state in the service itself";
    } else if (replica.hasDatabase()) {
      refused = "another service of the group has state in a database too. Use a group for each (understudy.groups)";
    }
    if (refused != null) {
      throw new ConfigurationException(
          "The service " + service.getClass().getName() + " has a part of its state in a database (DatabaseBacked), and cannot be "
              + "replicated: " + refused + ".");
    }
    replica.decideBy(
        new StoreDecisions(
            backed.decisionStore(), backed::prepareDatabase, () -> reload(backed, resources), configuration.replicated()),
        backed.isDatabaseOnly());
    // After the replica, whose threads use the database until it is closed.
    closer.addLast(() -> closeDatabase(backed));
    resources.storeForUndo();
    home.permitBranches(backed);
    return true;
  }

  private static void reload(DatabaseBacked service, Resources resources) {
    if (!BlockingTransactions.runAlone(resources, RELOAD_NANOS, service::reload)) {
      throw new DecisionStoreException(
          "An operation of the service that began earlier has not ended. The service's lock is held by "
              + resources.holder(Resources.SERVICE) + ".",
          null);
    }
  }

  /**
   * Adds the operations of WSRF 1.2 to resources, until the deployment is closed.
   *
   * @param service the endpoint of the resources
   * @throws ConfigurationException when the rules of the service group are invalid
   */
  public WsResources standards(Resources resources, Endpoint service) throws ConfigurationException {
    WsResources standards = new WsResources(configuration, replica, resources, service);
    closer.add(standards::close);
    return standards;
  }

  /**
   * Creates the outbox of a service and the executor of the updates that it starts itself, until the deployment is closed.
   *
   * @param service the service object; receives the replies if it implements {@link OutgoingReplies}
   */
  public Outbox outbox(Object service, Resources resources, ServiceHome home) {
    return outbox(service, resources, home, KeyScope.NONE);
  }

  /** Creates the outbox of a service whose keys have a scope. */
  Outbox outbox(Object service, Resources resources, ServiceHome home, KeyScope scope) {
    boolean objects = configuration.replicated();
    // Ends after the updates, which fail when they are closed.
    closer.add(home::endUpdates);
    ReplicatedUpdates own =
        new ReplicatedUpdates(replica, scope, resources, objects, MAX_SERVICE_UPDATES, Request.internalUpdate());
    closer.add(own::close);
    // Their changes are the service's code: the limits of the group apply to them.
    ReplicatedUpdates serviceUpdates =
        new ReplicatedUpdates(replica, scope, resources, objects, MAX_SERVICE_UPDATES, Request.serviceUpdate());
    closer.add(serviceUpdates::close);
    OutboxSettings settings =
        new OutboxSettings(
            OwnServers.of(configuration).without(AllowedSinks.only(configuration.outgoingHosts())),
            Key.OUTGOING_HOSTS.property(), configuration.outgoingBytes(), Key.OUTGOING_BYTES.property(),
            configuration.outgoingAttempts(), configuration.outgoingReplyBytes(), configuration.trust());
    ReplyTaker taker =
        service instanceof OutgoingReplies replies
            ? (update, reply) -> deliver(replies, reply, home, update)
            : null;
    home.updateThrough(serviceUpdates);
    Outbox outbox = new Outbox(settings, replica.duties(), own, serviceUpdates, taker);
    closer.add(outbox::close);
    String address = resources.address();
    String name = scope == KeyScope.NONE ? address.substring(address.lastIndexOf('/') + 1) : scope.name();
    closer.add(OutgoingControl.register(configuration, name, outbox.deadLetters())::close);
    resources.callThrough(outbox.sender());
    replica.observe(scope.listener(outbox));
    outbox.begin();
    return outbox;
  }

  /** Ends the connections of a service to its database. */
  private static void closeDatabase(DatabaseBacked service) {
    if (service.decisionStore() instanceof AutoCloseable database) {
      try {
        database.close();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static void deliver(OutgoingReplies service, OutgoingReply reply, ServiceHome home, ResourceTransaction update) {
    home.requireOpen();
    home.bind(update);
    try {
      service.replied(reply);
    } finally {
      home.unbind();
    }
  }

  /**
   * Returns the limits of notifications.
   *
   * @param circular accepts consumers that would send messages back to the producer; they are rejected
   */
  public NotificationSettings notificationSettings(Predicate<URI> circular) {
    OwnServers servers = OwnServers.of(configuration);
    PullPointRules defaults = PullPointRules.ofDefaults();
    return new NotificationSettings(
        configuration.clientUrl(configuration.self()),
        configuration.allUrls(),
        new SubscriptionRules(
            KeyKind.REACH * configuration.subscriptions(),
            new Lifetimes(configuration.subscriptionLifetime(), Optional.empty()),
            servers.without(AllowedSinks.only(configuration.consumerHosts())),
            circular,
            servers::isWeb),
        new PullPointRules(
            KeyKind.REACH * configuration.pullPoints(), configuration.pullPointMessages(), defaults.bytes(),
            defaults.answerMessages(), defaults.answerBytes(), defaults.unused()),
        DeliverySettings.ofDefaults()
            .withQueueLength(configuration.notificationQueue())
            .withRetries(configuration.notificationRetry(), FIRST_RETRY_PAUSE, configuration.notificationRetryPause())
            .withTrust(configuration.trust()),
        configuration.requestBytes(),
        configuration.notificationsKept(),
        configuration.limits().bytes().state() / 4,
        configuration.localNames());
  }
}
