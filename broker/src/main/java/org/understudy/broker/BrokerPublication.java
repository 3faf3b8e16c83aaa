package org.understudy.broker;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.understudy.container.configuration.Configuration;
import org.understudy.container.configuration.ConfigurationException;
import org.understudy.container.configuration.Key;
import org.understudy.container.deployment.Publication;
import org.understudy.container.deployment.PublicationContext;
import org.understudy.container.deployment.PublicationFactory;
import org.understudy.container.deployment.WsResources;
import org.understudy.container.operation.Operations;
import org.understudy.replication.core.limit.KeyKind;
import org.understudy.wsrf.contract.PublishedContracts;
import org.understudy.wsrf.notification.Notifications;
import org.understudy.wsrf.operation.Endpoint;
import org.understudy.wsrf.resource.Resources;

/** Publishes a notification broker, without a service and without a CXF bus. */
public final class BrokerPublication implements PublicationFactory {
  @Override
  public String name() {
    return "broker";
  }

  @Override
  public List<KeyKind> kinds(Configuration configuration) {
    return NotificationBroker.kinds(configuration);
  }

  /** @throws ConfigurationException when the configured topics cannot be read, or the standards are off */
  @Override
  public Publication publish(PublicationContext context) throws ConfigurationException {
    if (!context.configuration().wsrf()) {
      throw new ConfigurationException(
          Key.WSRF.property() + " is off, but all operations of a broker are standard operations. Set it to on.");
    }
    Resources resources =
        context.resources(
            NotificationBroker.PATH,
            () -> {
              throw new IllegalStateException("A broker does not have resources of a service.");
            });
    WsResources standards = context.standards(resources, new Endpoint(NotificationBroker.PATH, ""));
    NotificationBroker broker;
    try {
      broker = new NotificationBroker(context, resources, standards.updates(), standards.lifetimes());
    } catch (IllegalArgumentException e) {
      throw new ConfigurationException(Key.BROKER_TOPICS.property() + ": " + e.getMessage());
    }
    context.closer().add(broker::close);
    PublishedContracts contracts = new PublishedContracts();
    Notifications notifications = broker.notifications();
    standards.publish(broker.manager(), NotificationBroker.REGISTRATION_KEYS, broker.registrationDocument());
    contracts.add(broker.endpoint(), broker.document().declaration());
    contracts.add(broker.manager(), broker.registrationDocument().declaration());
    standards.publish(notifications, contracts);
    Endpoint events = context.events(notifications, contracts, NotificationBroker.PATH);
    broker.begin();
    List<Endpoint> endpoints =
        List.of(
            broker.endpoint(), broker.manager(), notifications.manager(), notifications.createPullPoint(),
            notifications.pullPoint(), events);
    return new Publication(
        NotificationBroker.PATH,
        context.home(resources),
        false,
        new Operations(null, Map.of(), endpoints),
        endpoints,
        contracts,
        broker.meters(),
        new NothingElse());
  }

  private static final class NothingElse extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
      response.sendError(HttpServletResponse.SC_NOT_FOUND, "The broker is at " + NotificationBroker.PATH + ".");
    }
  }
}
