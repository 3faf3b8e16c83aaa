package org.understudy.container.deployment;

import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import javax.xml.namespace.QName;
import org.apache.cxf.Bus;
import org.understudy.container.configuration.ConfigurationException;
import org.understudy.container.configuration.Key;
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
 * The standard operations around a service, as {@code understudy.wsrf} selects: WSRF 1.2 and WS-Notification 1.3, or none.
 * Without them the service has its own contract, and neither a thread nor a state object exists for them.
 *
 * @param endpoints the service's first
 * @param contracts of all endpoints
 * @param meters of notifications, by name; empty without the standards
 */
record PublishedStandards(List<Endpoint> endpoints, PublishedContracts contracts, Map<String, LongSupplier> meters) {
  /**
   * Adds them to a service that is published on a bus.
   *
   * @param own where the service is
   * @param any a state object of the service
   * @throws ConfigurationException when the service cannot be published so, or a setting of the standards is invalid
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
    standards.tell(notifications);
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
   * Adds none.
   *
   * @param why a part of a sentence
   * @throws ConfigurationException when the service needs some
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
