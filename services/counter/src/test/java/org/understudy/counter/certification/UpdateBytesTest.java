package org.understudy.counter.certification;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.replication.core.order.OrderMessage;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.test.Condition;
import org.understudy.test.cluster.Answer;
import org.understudy.test.cluster.TestCluster;
import org.understudy.test.cluster.WebApplication;

/**
 * What an update of the strategy {@code group} takes from the sequencer to a member, with its frame, of services that three containers run.
 * The paper's message had 11,160 bytes, and 810 after it was encoded by hand for its counter.
 */
class UpdateBytesTest {
  private static final int LIMIT = 400;
  private static final String SHORT_NAME = "total";
  private static final String LONG_NAME = "Totals of the department for the evaluation of remote measurements";
  private static final String LONGEST_NAME = "n".repeat(200);

  @TempDir Path directory;

  @Test
  void anUpdateOfTheCounterFitsTheLimitWithItsFrame() throws Exception {
    int bytes = bytes(counter());
    assertTrue(bytes <= LIMIT, bytes + " bytes");
  }

  @Test
  void anUpdateOfAnotherServiceWithALongNameFitsTheLimit() throws Exception {
    int bytes = bytes(total(LONG_NAME));
    assertTrue(bytes <= LIMIT, bytes + " bytes");
  }

  /**
   * The name of an endpoint that the application publishes is in the key of its state, once. So the limit does not hold for a name of 200
   * characters, the longest. Nor does it for a long response, which is in the message as it is.
   */
  @Test
  void aMessageGrowsByEachCharacterOfTheName() throws Exception {
    int bytes = bytes(total(LONGEST_NAME));
    assertEquals(LONGEST_NAME.length() - SHORT_NAME.length(), bytes - bytes(total(SHORT_NAME)));
    assertTrue(bytes > LIMIT, bytes + " bytes");
  }

  private static int bytes(OrderMessage.Update message) {
    return MeasuredGroup.bytes(message);
  }

  private OrderMessage.Update counter() throws Exception {
    return update(new CounterApplication(), "http://counter.com", "/services/CounterService");
  }

  private OrderMessage.Update total(String name) throws Exception {
    return update(new AttachedTotal(name), AttachedTotal.NAMESPACE, "/services/total");
  }

  /** The second update of a client with a session, after which the total has seven digits. */
  private OrderMessage.Update update(WebApplication application, String namespace, String service) throws Exception {
    Map<String, String> settings = Map.of("understudy.strategy", MeasuredGroup.NAME, "understudy.group", "bytes");
    Path own = Files.createTempDirectory(directory, "group");
    try (TestCluster cluster = new TestCluster(own, application, 3, settings)) {
      String open = "<OpenSession xmlns=\"urn:understudy:replication:1\"><Nonce>00112233445566778899aabbccddeeff</Nonce></OpenSession>";
      String session = post(cluster, service, "", open, "SOAPAction", "\"urn:understudy:replication:1/OpenSession\"")
          .between("<ur:Session>", "</ur:Session>");
      boolean ofResource = application instanceof CounterApplication;
      String first = ofResource ? "<createCounter xmlns=\"" + namespace + "\"/>" : add(namespace, 1);
      String answer = post(cluster, service, header(session, 1), first).text();
      String resource = ofResource ? answer.replaceFirst("(?s).*" + service + "(/[0-9a-f]+).*", "$1") : "";
      MeasuredGroup.reset();
      post(cluster, service + resource, header(session, 2), add(namespace, 1_000_000));
      OrderMessage.Update[] found = new OrderMessage.Update[1];
      Condition.await("a member to have the update", () -> {
        found[0] = MeasuredGroup.received().stream().filter(UpdateBytesTest::isSecond).findFirst().orElse(null);
        return found[0] != null;
      });
      return found[0];
    }
  }

  /** The message about the first update can still arrive. */
  private static boolean isSecond(OrderMessage.Update message) {
    return message.update().key() instanceof RequestKey.OfSession key && key.sequence() == 2;
  }

  private static String add(String namespace, int value) {
    return "<add xmlns=\"" + namespace + "\"><value>" + value + "</value></add>";
  }

  private static String header(String session, long sequence) {
    return "<ReplicationHeader xmlns=\"urn:understudy:replication:1\"><Session>" + session + "</Session><Sequence>" + sequence
        + "</Sequence><AckBelow>" + sequence + "</AckBelow></ReplicationHeader>";
  }

  private static Answer post(TestCluster cluster, String path, String header, String body, String... headers) {
    String envelope = "<e:Envelope xmlns:e=\"http://schemas.xmlsoap.org/soap/envelope/\"><e:Header>" + header + "</e:Header><e:Body>" + body
        + "</e:Body></e:Envelope>";
    String[] all = new String[headers.length + 1];
    all[0] = "text/xml; charset=UTF-8";
    System.arraycopy(headers, 0, all, 1, headers.length);
    Answer answer = cluster.post(cluster.primary(), path, envelope.getBytes(StandardCharsets.UTF_8), all);
    assertEquals(200, answer.status(), answer.text());
    return answer;
  }
}
