package org.understudy.container.twin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.ServiceCluster;
import org.understudy.test.Condition;
import org.understudy.test.cluster.TestCluster;

/**
 * Each message of the table has the same effect and the same answer at a service on CXF alone and at the same service replicated. What
 * differs is in the table of docs/services.md.
 *
 * <p>{@code -Dunderstudy.twin='the name of a message'} sends one message only.
 */
class TwinHttpTest {
  private static final String ONLY = System.getProperty("understudy.twin", "");

  @TempDir private Path directory;

  private final List<TwinMessage> messages = TwinMessages.all().stream().filter(one -> ONLY.isEmpty() || one.name().equals(ONLY)).toList();
  private final List<Difference> differences = new ArrayList<>();
  private int ids;

  /** What each message shows alone: by place, in the order of the messages. */
  private final Map<String, Observation> alone = new LinkedHashMap<>();
  /** The identity that each message had first. */
  private final Map<String, String> first = new LinkedHashMap<>();

  private Observation send(TwinMessage message, int port, String servlet, String place, String id) throws Exception {
    return send(message, port, servlet, place, id, message.isAwaited());
  }

  private Observation send(TwinMessage message, int port, String servlet, String place, String id, boolean awaited) throws Exception {
    String address = "/" + message.service() + (place.equals("behind") ? "Behind" : "");
    Observation.Names names = new Observation.Names(port, servlet, address, message.service(), id);
    Sightings.take();
    RawAnswer answer = RawAnswer.of(port, message.request(port, names.path(), id));
    if (awaited) {
      Condition.await(message + " to reach its service", () -> Sightings.hasOf("service"));
    }
    Observation all = Observation.of(answer, Sightings.take(), names);
    if (message.isAwaited()) {
      // Alone, the request may have ended before.
      all.aspects().keySet().removeIf(name -> name.startsWith("interceptor."));
    }
    return all;
  }

  private String id() {
    return String.format("urn:twin:id:%06d:", ++ids);
  }

  private void sendAlone() throws Exception {
    Path base = Files.createDirectories(directory.resolve("alone"));
    try (TwinApplication.Alone cxf = new TwinApplication.Alone(base)) {
      for (TwinMessage message : messages) {
        alone.put("attached " + message, send(message, cxf.port(), "/soap", "attached", id()));
        alone.put("behind " + message, send(message, cxf.port(), "/soap", "behind", id()));
      }
    }
  }

  private Observation alone(TwinMessage message, String place) {
    return alone.get((place.equals("behind") ? "behind " : "attached ") + message);
  }

  private void compare(TwinMessage message, String place, String position, Observation replicated) {
    differences.addAll(Difference.between(message, place, position, alone(message, place), replicated));
  }

  private void sendReplicated(TestCluster site, String servlet, String place, int replicas, List<TwinMessage> sent) throws Exception {
    int primary = site.primary();
    for (TwinMessage message : sent) {
      String id = id();
      first.put(place + " " + message, id);
      compare(message, place, "primary", send(message, site.port(primary), servlet, place, id));
      int other = replicas == 1 ? primary : site.backup();
      if (message.isIdentified()) {
        repeat(message, site.port(other), servlet, place);
      }
      if (replicas > 1) {
        compare(message, place, "backup", send(message, site.port(other), servlet, place, id()));
      }
    }
  }

  /** Nothing is executed, and the answer is the same. */
  private void repeat(TwinMessage message, int port, String servlet, String place) throws Exception {
    Observation again = send(message, port, servlet, place, first.get(place + " " + message), false);
    assertEquals("0", again.aspects().get("service.times"), message + " is executed again, " + place);
    Observation answer = new Observation(new LinkedHashMap<>(again.aspects()));
    alone(message, place).aspects().forEach((name, value) -> {
      if (name.matches("\\d*\\.?(service|interceptor|handler)\\..*")) {
        answer.aspects().put(name, value);
      }
    });
    compare(message, place, "repeated", answer);
  }

  private void sendAfterFailover(TestCluster site, String servlet, String place, List<TwinMessage> sent) throws Exception {
    int next = site.primary();
    for (TwinMessage message : sent) {
      if (message.isIdentified()) {
        repeat(message, site.port(next), servlet, place);
        compare(message, place, "failover", send(message, site.port(next), servlet, place, id()));
      }
    }
  }

  @Test
  void eachMessageIsAnsweredAsByCxfAlone() throws Exception {
    Path replicas = Files.createDirectories(directory.resolve("replicas"));
    try (TestCluster site = new TestCluster(replicas, TwinApplication.replicated(), 3, Map.of())) {
      sendAlone();
      sendReplicated(site, "/soap", "attached", 3, messages);
      sendReplicated(site, "/soap", "behind", 3, messages);
      site.stop(site.primary());
      sendAfterFailover(site, "/soap", "attached", messages);
      sendAfterFailover(site, "/soap", "behind", messages);
    }
    for (Class<?> service : TwinApplication.SERVICES) {
      List<TwinMessage> sent = messages.stream().filter(one -> one.service().equals(service.getSimpleName())).toList();
      if (!sent.isEmpty()) {
        publish(service, sent);
      }
    }
    report();
  }

  private void publish(Class<?> service, List<TwinMessage> sent) throws Exception {
    int replicas = service == TwinServices.Texts.class ? 3 : 1;
    Path base = Files.createDirectories(directory.resolve(service.getSimpleName()));
    try (TestCluster site = new ServiceCluster(base, service, replicas, Map.of())) {
      sendReplicated(site, "/services", "published", replicas, sent);
      if (replicas > 1) {
        site.stop(site.primary());
        sendAfterFailover(site, "/services", "published", sent);
      }
    }
  }

  private void report() throws Exception {
    Deviations intended = Deviations.read();
    List<String> lines = new ArrayList<>(Difference.lines(differences.stream().filter(one -> !intended.intend(one)).toList()));
    if (ONLY.isEmpty()) {
      intended.unused().forEach(name -> lines.add("The row " + name + " of docs/services.md no longer occurs."));
    }
    assertTrue(lines.isEmpty(), () -> lines.size() + " differences:\n" + String.join("\n", lines)
        + "\nSend one message with -Dunderstudy.twin='its name'.");
  }
}
