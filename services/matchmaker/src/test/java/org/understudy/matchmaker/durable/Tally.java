package org.understudy.matchmaker.durable;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import org.apache.catalina.LifecycleException;
import org.understudy.test.cluster.Answer;
import org.understudy.test.cluster.TestCluster;

/** Calls of {@link TallyService} in a cluster. */
record Tally(TestCluster cluster, String path) implements AutoCloseable {
  static Tally of(Path directory, Class<?> service, int replicas, String strategy, String url) throws Exception {
    Map<String, String> settings =
        Map.of(
            "understudy.strategy", strategy, "understudy.group", service.getSimpleName(), "understudy.database.url", url,
            "understudy.database.user", "sa");
    return new Tally(
        new TestCluster(directory, new DurableApplication(service), replicas, settings), "/services/" + service.getSimpleName());
  }

  @Override
  public void close() throws LifecycleException {
    cluster.close();
  }

  static String id() {
    return "urn:uuid:" + UUID.randomUUID();
  }

  Answer add(int replica, String id, long n) {
    String envelope =
        "<Envelope xmlns='http://schemas.xmlsoap.org/soap/envelope/'><Header><MessageID xmlns='http://www.w3.org/2005/08/addressing'>" + id
            + "</MessageID></Header><Body><t:add xmlns:t='urn:tally'><n xmlns=''>" + n + "</n></t:add></Body></Envelope>";
    return cluster.post(replica, path, envelope.getBytes(StandardCharsets.UTF_8), "text/xml; charset=utf-8");
  }

  long sum(int replica, String id, long n) {
    Answer answer = add(replica, id, n);
    if (answer.status() != 200) {
      throw new IllegalStateException(answer.text());
    }
    return Long.parseLong(answer.between("<return>", "</return>"));
  }
}
