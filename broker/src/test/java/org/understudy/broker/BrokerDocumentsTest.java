package org.understudy.broker;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Wsrf;
import org.understudy.wsrf.contract.ReadableDocuments;

/** The resource property documents of a broker and of its registrations. */
class BrokerDocumentsTest {
  private static final String WSA = "http://www.w3.org/2005/08/addressing";

  @TempDir Path directory;

  @Test
  void generatedClientReadsTheBrokersDocuments() throws Exception {
    try (ServiceCluster site = new ServiceCluster(Files.createDirectory(directory.resolve("site")), null, 1,
        Map.of("understudy.broker.topics", "{urn:s}stock/high"))) {
      String registration = ReadableDocuments.last(Wsrf.post(site, 1, "/services/NotificationBroker",
          "<br:RegisterPublisher xmlns:br=\"http://docs.oasis-open.org/wsn/br-2\" xmlns:a=\"" + WSA + "\" xmlns:s=\"urn:s\">"
              + "<br:PublisherReference><a:Address>http://127.0.0.1:9/p</a:Address></br:PublisherReference>"
              + "<br:Topic Dialect=\"http://docs.oasis-open.org/wsn/t-1/TopicExpression/Concrete\">s:stock/high</br:Topic>"
              + "</br:RegisterPublisher>"), "PublisherRegistrationManager");
      new ReadableDocuments(directory).check(site, "/services/NotificationBroker");
      new ReadableDocuments(directory).check(site, "/services/PublisherRegistrationManager/" + registration);
    }
  }
}
