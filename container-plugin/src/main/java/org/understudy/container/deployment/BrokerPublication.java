package org.understudy.container.deployment;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.understudy.container.broker.NotificationBroker;
import org.understudy.container.configuration.Configuration;
import org.understudy.container.configuration.ConfigurationException;
import org.understudy.container.configuration.Key;
import org.understudy.container.contract.PublishedContracts;
import org.understudy.container.notification.Notifications;
import org.understudy.container.operation.Endpoint;
import org.understudy.container.request.Operations;
import org.understudy.container.resource.Resources;
import org.understudy.replication.api.StateCapture;
import org.understudy.replication.runtime.Replica;

/** Publishes a notification broker; there is no service, and no bus. */
final class BrokerPublication {
  private BrokerPublication() {}

  /**
   * @param opened gets what has to be ended, also when this fails
   * @throws ConfigurationException when the configured topics cannot be read
   */
  static Publication of(Configuration configuration, Replica replica, Opened opened) throws ConfigurationException {
    Supplier<StateCapture> none =
        () -> {
          throw new IllegalStateException("A broker has no resources of a service's.");
        };
    Resources resources = Deployment.resources(configuration, replica, none, NotificationBroker.PATH);
    WsResources standards =
        new WsResources(configuration, replica, resources, new Endpoint(NotificationBroker.PATH, ""));
    opened.add(standards::close);
    NotificationBroker broker;
    try {
      broker = new NotificationBroker(configuration, replica, resources, standards.updates(), standards.lifetimes());
    } catch (IllegalArgumentException e) {
      throw new ConfigurationException(Key.BROKER_TOPICS.property() + ": " + e.getMessage());
    }
    opened.add(broker::close);
    PublishedContracts contracts = new PublishedContracts(configuration.url(configuration.self()));
    Notifications notifications = broker.notifications();
    standards.publish(broker.manager(), NotificationBroker.REGISTRATION_KEYS, broker.registrationDocument());
    contracts.add(broker.endpoint(), broker.document().declaration());
    contracts.add(broker.manager(), broker.registrationDocument().declaration());
    standards.publish(notifications, contracts);
    broker.begin();
    List<Endpoint> endpoints =
        List.of(
            broker.endpoint(), broker.manager(), notifications.manager(), notifications.createPullPoint(),
            notifications.pullPoint());
    return new Publication(
        NotificationBroker.PATH,
        Deployment.home(configuration, resources),
        false,
        new Operations(endpoints),
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
