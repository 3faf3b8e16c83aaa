package org.understudy.wsrf.contract;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Wsrf;
import org.understudy.container.service.LampService;
import org.understudy.wsrf.notification.Consumer;

/**
 * The resource property document of every endpoint, read by what CXF generates from its contract, with schema validation:
 * what is not declared, or is declared twice, cannot be read.
 */
class ReadableDocumentsTest {
  private static final String WSA = "http://www.w3.org/2005/08/addressing";

  @TempDir Path directory;

  @Test
  void theDocumentsOfAServiceAndOfWhatIsBesideItAreReadByAGeneratedClient() throws Exception {
    try (ServiceCluster site = ServiceCluster.shared(LampService.class, 1, Map.of());
        Consumer consumer = new Consumer()) {
      String lamp = Wsrf.create(site);
      String entry = ReadableDocuments.last(Wsrf.post(site, 1, "/services/ServiceGroup",
          "<sg:Add xmlns:sg=\"http://docs.oasis-open.org/wsrf/sg-2\" xmlns:a=\"" + WSA + "\"><sg:MemberEPR><a:Address>"
              + "http://a/b</a:Address></sg:MemberEPR><sg:Content><m:Colour xmlns:m=\"urn:members\">red</m:Colour>"
              + "</sg:Content></sg:Add>"), "ServiceGroupEntry");
      String subscription = ReadableDocuments.last(Wsrf.lamp(site, 1, lamp,
          "<b:Subscribe xmlns:b=\"http://docs.oasis-open.org/wsn/b-2\" xmlns:a=\"" + WSA + "\"><b:ConsumerReference>"
              + "<a:Address>" + consumer.address() + "</a:Address></b:ConsumerReference></b:Subscribe>"),
          "SubscriptionManager");
      for (String path : List.of(
          "LampService/" + lamp, "ServiceGroup", "ServiceGroupEntry/" + entry, "SubscriptionManager/" + subscription)) {
        new ReadableDocuments(directory).check(site, "/services/" + path);
      }
    }
  }
}
