package org.understudy.wsat;

import java.net.URI;
import java.util.List;
import org.understudy.container.configuration.Configuration;
import org.understudy.container.configuration.ConfigurationException;
import org.understudy.container.configuration.WsatSettings;
import org.understudy.container.part.ApplicationPart;
import org.understudy.container.part.PartContext;
import org.understudy.replication.api.ReplicaId;

/** Adds WS-AtomicTransaction to a web application with the plugin, if {@code understudy.wsat} is not off. */
public final class AtomicTransactionPart implements ApplicationPart {
  private TransactionService service;
  private AtomicTransactionServlet servlet;

  @Override
  public void register(PartContext context) throws ConfigurationException {
    Configuration configuration = context.configuration();
    WsatSettings settings = configuration.wsat();
    if (settings == null) {
      return;
    }
    URI own = configuration.url(configuration.self());
    MessageRules rules = new MessageRules(settings, configuration);
    int self = configuration.self().number();
    service =
        new TransactionService(
            settings, own, self, replica -> configuration.url(new ReplicaId(replica)) + Endpoints.PARTICIPANT_SERVICE, rules::isAllowed);
    servlet = new AtomicTransactionServlet(service, settings);
    context.add("understudy-wsat", servlet, rules, List.copyOf(Endpoints.paths(settings.coordinator())));
  }

  @Override
  public void close() {
    if (service != null) {
      service.close();
    }
    if (servlet != null) {
      servlet.end();
    }
  }
}
