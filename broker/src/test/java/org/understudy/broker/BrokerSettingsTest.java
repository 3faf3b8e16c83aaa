package org.understudy.broker;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.ServiceCluster;

/** Settings with which a broker does not start. */
class BrokerSettingsTest {
  @TempDir Path directory;

  @Test
  void brokerRequiresTheStandardOperations() {
    assertThrows(
        IllegalStateException.class, () -> new ServiceCluster(directory, null, 1, Map.of("understudy.wsrf", "off")));
  }
}
