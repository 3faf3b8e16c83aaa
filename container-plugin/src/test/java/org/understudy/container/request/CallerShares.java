package org.understudy.container.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.test.cluster.Answer;

/** Two clients of a cluster that trusts the proxy before it: one floods, the other does not. */
public final class CallerShares {
  public static final String FLOOD = "192.0.2.1";
  public static final String HONEST = "198.51.100.1";

  private final ServiceCluster site;

  public CallerShares(ServiceCluster site) {
    this.site = site;
  }

  /** Sends a request through a proxy that names the client. */
  public Answer post(String from, String path, String body) {
    return site.post(
        site.primary(), path, Soap.envelope("", body).getBytes(StandardCharsets.UTF_8), "text/xml", "X-Forwarded-For", from);
  }

  /** How many of these a client makes before it is refused. */
  int fill(String from, String path, String body, String fault) {
    for (int made = 0; made < 100; made++) {
      Answer answer = post(from, path, body);
      if (answer.status() != 200) {
        assertEquals("Overloaded", answer.between("<ur:Code>", "</ur:Code>"));
        assertTrue(answer.text().contains(fault), answer.text());
        return made;
      }
    }
    return 100;
  }

  /** Checks that one client gets half of what there is, at this primary and the next. */
  public void isShared(String path, String body, String fault) throws Exception {
    assertEquals(2, fill(FLOOD, path, body, fault), "half of four");
    assertEquals(200, post(HONEST, path, body).status());
    int before = site.primary();
    if (before == 1) {
      site.stop(1);
      site.primary();
      site.start(1);
      site.awaitReady(1);
    }
    assertEquals(0, fill(FLOOD, path, body, fault), "the new primary knows it as well");
    assertEquals(200, post(HONEST, path, body).status());
  }
}
