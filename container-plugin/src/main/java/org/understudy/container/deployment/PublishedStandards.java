package org.understudy.container.deployment;

import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import javax.xml.namespace.QName;
import org.apache.cxf.Bus;
import org.understudy.container.configuration.ConfigurationException;
import org.understudy.container.configuration.Key;
import org.understudy.container.service.CxfContract;
import org.understudy.replication.api.StateCapture;
import org.understudy.replication.api.Topics;
import org.understudy.wsrf.contract.PublishedContracts;
import org.understudy.wsrf.notification.Notifications;
import org.understudy.wsrf.notification.ServiceTopics;
import org.understudy.wsrf.operation.Endpoint;
import org.understudy.wsrf.property.ResourceDocument;
import org.understudy.wsrf.resource.Resources;
import org.understudy.wsrf.servicegroup.ServiceGroup;

/**
 * The standard operations of a service, as {@code understudy.wsrf} selects: WSRF 1.2 and WS-Notification 1.3, or none. Without them
 * the service has its own contract, and they use neither threads nor memory.
 *
 * @param endpoints all endpoints, the service's first
 * @param contracts the contracts of all endpoints
 * @param meters the meters of notifications by name; empty without the standards
 */
record PublishedStandards(List<Endpoint> endpoints, PublishedContracts contracts, Map<String, LongSupplier> meters) {
  /**
   * Adds the standard operations to a service that is published on a bus.
   *
   * @param own the endpoint of the service
   * @param any the state of any resource of the service
   * @throws ConfigurationException when the service cannot have these operations, or a setting of them is invalid
   */
  static PublishedStandards around(
      Class<?> service,
      PublicationContext context,
      Resources resources,
      Endpoint own,
      StateCapture any,
      Bus bus,
      org.apache.cxf.endpoint.Endpoint published)
      throws ConfigurationException {
    if (!context.configuration().wsrf()) {
      return none(service, own, bus, published, Key.WSRF.property() + " is off");
    }
    CxfContract contract = new CxfContract(bus, published);
    WsResources standards = context.standards(resources, own);
    PublishedContracts contracts = new PublishedContracts();
    ServiceGroup group = standards.group();
    Notifications notifications;
    try {
      QName name = published.getService().getName();
      ResourceDocument document = standards.publish(any, name.getNamespaceURI());
      notifications =
          new Notifications(
              context.notificationSettings(consumer -> false), context.replica().duties(), resources, standards.updates(),
              standards.lifetimes(), own, document, new ServiceTopics(document, service.getAnnotation(Topics.class)));
      context.closer().add(notifications::close);
      contracts.add(own, contract, document.declaration());
    } catch (IllegalArgumentException e) {
      throw new ConfigurationException(e.getMessage());
    }
    standards.publish(notifications, contracts);
    resources.publishTo(notifications);
    resources.listen(notifications);
    standards.notifyChanges(notifications);
    notifications.addProducer(group.endpoint(), group.document(), group.topics());
    contracts.add(group.endpoint(), group.document().declaration());
    contracts.add(group.entryEndpoint(), group.entryDocument().declaration());
    Endpoint events = context.events(notifications, contracts, own.path());
    notifications.followers().forEach(context.replica()::observe);
    notifications.begin();
    List<Endpoint> endpoints =
        List.of(
            own, group.endpoint(), group.entryEndpoint(), notifications.manager(), notifications.createPullPoint(),
            notifications.pullPoint(), events);
    return new PublishedStandards(endpoints, contracts, notifications.meters());
  }

  /**
   * Publishes a service without standard operations.
   *
   * @param why the reason, as a clause
   * @throws ConfigurationException when the service requires standard operations
   */
  static PublishedStandards none(
      Class<?> service, Endpoint own, Bus bus, org.apache.cxf.endpoint.Endpoint published, String why)
      throws ConfigurationException {
    if (service.isAnnotationPresent(Topics.class)) {
      throw new ConfigurationException(
          "The service " + service.getName() + " declares @Topics, on which it cannot publish while " + why
              + ". Change that, or remove @Topics.");
    }
    PublishedContracts contracts = new PublishedContracts();
    contracts.addUnchanged(own, new CxfContract(bus, published));
    return new PublishedStandards(List.of(own), contracts, Map.of());
  }
}
