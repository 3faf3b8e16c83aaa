package org.understudy.container.health;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.apache.cxf.helpers.FileUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.ServiceCluster;
import org.understudy.container.service.LampService;
import org.understudy.test.Condition;
import org.understudy.test.strategy.ForEachStrategy;
import org.understudy.test.strategy.Strategies;

@ForEachStrategy
class FirstStartHttpTest {
  @TempDir Path directory;

  @Test
  void replicasThatWaitForTheFirstViewNameThoseThatHaveNotStarted() throws Exception {
    Map<String, String> settings = Map.of("understudy.transfer", Strategies.current().equals("group") ? "call" : "socket");
    try (ServiceCluster site = new ServiceCluster(directory, LampService.class, 3, settings)) {
      for (int replica = 1; replica <= 3; replica++) {
        site.stop(replica);
        FileUtils.removeDir(directory.resolve("data-" + replica).toFile());
      }
      site.start(3);
      site.start(1);
      String wait = "\"awaits\":\"The first view of the group begins when every configured replica has started. It waits for replica 2 at "
          + URI.create(site.peerUrl(2)).getAuthority() + ", which has sent nothing: start it, or see its log. ";
      for (int replica : new int[] {1, 3}) {
        Condition.await(
            () -> wait + " in " + site.health(replica, "live").body(), () -> site.health(replica, "live").body().contains(wait));
        assertEquals(503, site.health(replica, "ready").statusCode());
      }
      site.start(2);
      for (int replica = 1; replica <= 3; replica++) {
        site.awaitReady(replica);
        assertFalse(site.health(replica, "ready").body().contains("awaits"));
      }
    }
  }
}
