package org.understudy.container.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.soap.ReplicationNames;

/** What a client that ends a transaction can send. */
class TransactionBodyTest {
  private static byte[] commit(String content) {
    return ("<e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/'><e:Body><CommitTransaction xmlns='"
            + ReplicationNames.NAMESPACE + "'>" + content + "</CommitTransaction></e:Body></e:Envelope>")
        .getBytes(StandardCharsets.UTF_8);
  }

  private static String transaction(String id) {
    return "<Transaction>" + id + "</Transaction>";
  }

  private static void assertRefused(String content) {
    Failure failure = assertThrows(RefusedCallException.class, () -> TransactionBody.id(commit(content))).failure();
    assertEquals(FailureCode.BadRequest, failure.code());
    assertTrue(failure.sentence().length() < 300, failure.sentence());
  }

  @Test
  void readsTheId() throws RefusedCallException {
    assertEquals("urn:a:1", TransactionBody.id(commit("<Other/>" + transaction(" urn:a:1 "))));
  }

  @Test
  void refusesWhatIsNoId() {
    assertRefused("");
    assertRefused(transaction(" "));
    assertRefused(transaction("urn:a 1"));
    assertRefused(transaction("x".repeat(500_000)));
    assertRefused(transaction("urn:a:1") + transaction("urn:a:2"));
  }

  @Test
  void refusesAMessageThatIsNotWhole() throws RefusedCallException {
    String whole = new String(commit(transaction("urn:a:1")), StandardCharsets.UTF_8);
    TransactionBody.check((whole + "<!-- end -->\n").getBytes(StandardCharsets.UTF_8));
    for (String wrong : new String[] {
      whole.replace("</e:Envelope>", ""), whole.replace("</e:Body></e:Envelope>", ""), whole + "<x/>", whole + "x",
      whole.replace("</e:Body>", "<x/></e:Body>"), whole.replace("</e:Envelope>", "<x/></e:Envelope>")
    }) {
      byte[] message = wrong.getBytes(StandardCharsets.UTF_8);
      assertThrows(RefusedCallException.class, () -> TransactionBody.id(message), wrong);
      assertThrows(RefusedCallException.class, () -> TransactionBody.check(message), wrong);
    }
  }
}
