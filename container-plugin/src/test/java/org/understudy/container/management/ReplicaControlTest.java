package org.understudy.container.management;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.RuntimeMBeanException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.ServiceCluster;
import org.understudy.container.service.NotebookService;
import org.understudy.test.strategy.ForEachStrategy;

@ForEachStrategy
class ReplicaControlTest {
  @TempDir Path directory;

  @Test
  void anOperatorSurveysTheGroupAndIsRefusedANeedlessRecovery() throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName replica = new ObjectName("org.understudy:type=Replica,replica=1,group=\"surveyed\"");
    try (ServiceCluster site = new ServiceCluster(directory, NotebookService.class, 3, Map.of("understudy.group", "surveyed"))) {
      Set<ObjectName> names = server.queryNames(replica, null);
      assertEquals(1, names.size(), names.toString());
      ObjectName name = names.iterator().next();
      String survey = (String) server.invoke(name, "survey", new Object[0], new String[0]);
      assertEquals(3, survey.lines().filter(line -> line.contains("has its membership record")).count(), survey);
      RuntimeMBeanException refused =
          assertThrows(
              RuntimeMBeanException.class,
              () -> server.invoke(name, "recover", new Object[] {"2"}, new String[] {String.class.getName()}));
      assertTrue(refused.getCause().getMessage().contains("it is not lost"), refused.getCause().getMessage());
      assertEquals(200, site.health(1, "ready").statusCode(), "nothing changed");
    }
    assertEquals(Set.of(), server.queryNames(replica, null), "gone with the deployment");
  }
}
