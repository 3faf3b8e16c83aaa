package org.understudy.container.deployment;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.xml.namespace.QName;
import org.understudy.container.configuration.Configuration;
import org.understudy.container.configuration.ConfigurationException;
import org.understudy.container.configuration.Key;
import org.understudy.container.execution.ReplicatedUpdates;
import org.understudy.replication.api.DelegatedState;
import org.understudy.replication.api.StateCapture;
import org.understudy.replication.api.property.PropertyDocument;
import org.understudy.replication.api.property.ResourceProperties;
import org.understudy.replication.runtime.Replica;
import org.understudy.wsrf.contract.PublishedContracts;
import org.understudy.wsrf.lifetime.LifetimeOperations;
import org.understudy.wsrf.lifetime.LifetimeProperties;
import org.understudy.wsrf.lifetime.Lifetimes;
import org.understudy.wsrf.notification.NotificationSink;
import org.understudy.wsrf.notification.Notifications;
import org.understudy.wsrf.notification.ResourceNotes;
import org.understudy.wsrf.notification.Subscriptions;
import org.understudy.wsrf.operation.Endpoint;
import org.understudy.wsrf.property.AnnotatedProperties;
import org.understudy.wsrf.property.PropertyOperations;
import org.understudy.wsrf.property.ResourceDocument;
import org.understudy.wsrf.property.TreeProperties;
import org.understudy.wsrf.resource.InternalUpdates;
import org.understudy.wsrf.resource.ResourceTransaction;
import org.understudy.wsrf.resource.Resources;
import org.understudy.wsrf.servicegroup.ServiceGroup;

/** Adds WSRF 1.2 to a service: properties and lifetimes of its resources, and a service group. */
public final class WsResources implements AutoCloseable {
  private static final int MAX_INTERNAL_UPDATES = 10_000;

  private final Endpoint service;
  private final Resources resources;
  private final ReplicatedUpdates updates;
  private final Lifetimes lifetimes;
  private final ServiceGroup group;
  private final boolean localNames;
  /** Documents by the prefix of their keys; the prefix is empty for the service's own resources. */
  private final Map<String, ResourceDocument> documents = new ConcurrentHashMap<>();

  /**
   * Starts to enforce lifetimes.
   *
   * @param service the endpoint of the service's own resources
   * @throws ConfigurationException when the rules of the service group are invalid
   */
  WsResources(Configuration configuration, Replica replica, Resources resources, Endpoint service)
      throws ConfigurationException {
    this.service = service;
    this.localNames = configuration.localNames();
    this.resources = resources;
    this.updates = new ReplicatedUpdates(replica, resources, configuration.replicated(), MAX_INTERNAL_UPDATES);
    this.lifetimes = new Lifetimes(replica.duties(), updates, replica.clocks().counted());
    replica.observe(lifetimes);
    try {
      this.group =
          new ServiceGroup(
              configuration.clientUrl(configuration.self()).toString(), configuration.groupRules(), configuration.groupEntries(),
              lifetimes);
    } catch (IllegalArgumentException e) {
      close();
      throw new ConfigurationException(Key.GROUP_RULES.property() + ": " + e.getMessage());
    }
    replica.observe(group.follower());
    group.document().acceptLocalNames(localNames);
    publish(group.entryEndpoint(), "entry/", group.entryDocument());
  }

  ServiceGroup group() {
    return group;
  }

  public InternalUpdates updates() {
    return updates;
  }

  public Lifetimes lifetimes() {
    return lifetimes;
  }

  /**
   * Adds properties and their operations to the service's resources.
   *
   * @param state the state of any resource of the service
   * @param namespace the namespace of the document, unless the state object declares one
   * @return the document, to which more properties can be added
   * @throws IllegalArgumentException when a declared property is invalid
   */
  ResourceDocument publish(StateCapture state, String namespace) {
    Object any = DelegatedState.targetOf(state);
    ResourceProperties declared = any.getClass().getAnnotation(ResourceProperties.class);
    QName name =
        declared == null
            ? new QName(namespace, any.getClass().getSimpleName() + "Properties")
            : new QName(declared.namespace(), declared.document());
    ResourceDocument document = new ResourceDocument(name, transaction -> transaction.object() != null, this::address);
    if (any instanceof PropertyDocument tree && declared != null) {
      document.add(new TreeProperties(tree));
    } else if (declared != null) {
      document.add(new AnnotatedProperties(any.getClass()));
    }
    PropertyOperations.addAll(service, document);
    publish(service, "", document);
    return document;
  }

  private String address(ResourceTransaction transaction) {
    String key = transaction.key();
    return Resources.SERVICE.equals(key) ? resources.address() : resources.address(key);
  }

  /** Adds lifetimes and property change notifications to resources of any kind. */
  public void publish(Endpoint endpoint, String keys, ResourceDocument document) {
    document.add(new LifetimeProperties()).acceptLocalNames(localNames);
    LifetimeOperations.addAll(endpoint, document, lifetimes);
    documents.put(keys, document);
  }

  /** Makes subscriptions resources with properties and lifetimes, and publishes the contracts of their endpoints. */
  public void publish(Notifications notifications, PublishedContracts contracts) {
    ResourceDocument subscription = notifications.subscriptionDocument();
    PropertyOperations.addAll(notifications.manager(), subscription);
    publish(notifications.manager(), Subscriptions.KEYS, subscription);
    contracts.add(notifications.manager(), subscription.declaration());
    contracts.add(notifications.createPullPoint(), null);
    contracts.add(notifications.pullPoint(), null);
  }

  /** Starts notifications of changes and terminations. Call it after all properties have been added. */
  void notifyChanges(NotificationSink sink) {
    group.tell(sink);
    resources.listen(
        new ResourceNotes(
            key -> documents.get(key.substring(0, key.lastIndexOf('/') + 1)), sink, resources.clocks().wall(), lifetimes::isDue));
  }

  @Override
  public void close() {
    lifetimes.close();
    updates.close();
  }
}
