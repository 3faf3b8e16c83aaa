package org.understudy.broker;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.container.request.UnavailableAnswers;

/** What a broker's replica that cannot serve answers. */
class BrokerUnavailableHttpTest {
  private static final String BR = "http://docs.oasis-open.org/wsn/br-2";
  private static final String[][] OPERATIONS = {
    {"/services/NotificationBroker", "<b:RegisterPublisher xmlns:b='" + BR + "'/>", BR, "PublisherRegistrationFailedFault"},
    {
      "/services/PublisherRegistrationManager/some", "<b:DestroyRegistration xmlns:b='" + BR + "'/>", BR,
      "ResourceNotDestroyedFault"
    }
  };

  @TempDir Path directory;

  @Test
  void backupAnswersWithTheContractsFault() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, null, 3, Map.of())) {
      UnavailableAnswers.checkBackup(site, Soap.SOAP11, OPERATIONS);
    }
  }
}
