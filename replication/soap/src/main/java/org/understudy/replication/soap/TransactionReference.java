package org.understudy.replication.soap;

import java.nio.charset.StandardCharsets;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;

/**
 * The transaction that a request belongs to, in its {@link ReplicationHeader}.
 *
 * @param id a URI of 1 to {@value #MAX_ID} bytes
 * @param coordinator the name of the group that decides the transaction, as the other groups know it; null: the group that is called
 */
public record TransactionReference(String id, String coordinator) {
  public static final int MAX_ID = 200;
  static final String NAME = "Transaction";
  private static final String ID = "Id";
  private static final String COORDINATOR = "Coordinator";

  /** @throws IllegalArgumentException when a part is empty, too long, or has characters that no URI has */
  public TransactionReference {
    check(ID, id);
    if (coordinator != null) {
      check(COORDINATOR, coordinator);
    }
  }

  /** Whether a text can be an id or the name of a coordinator. */
  public static boolean isValid(String text) {
    return !text.isEmpty() && text.getBytes(StandardCharsets.UTF_8).length <= MAX_ID
        && text.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '<' && c != '>' && c != '&' && c != '"');
  }

  private static void check(String part, String text) {
    if (!isValid(text)) {
      throw new IllegalArgumentException("the " + part + " of a Transaction must be 1 to " + MAX_ID + " characters of a URI.");
    }
  }

  static TransactionReference read(XMLStreamReader2 in) throws XMLStreamException {
    String id = null;
    String coordinator = null;
    while (in.nextTag() == XMLStreamConstants.START_ELEMENT) {
      switch (in.getLocalName()) {
        case ID -> id = only(ID, id, in);
        case COORDINATOR -> coordinator = only(COORDINATOR, coordinator, in);
        default -> in.skipElement();
      }
    }
    return new TransactionReference(id == null ? "" : id, coordinator);
  }

  private static String only(String part, String earlier, XMLStreamReader2 in) throws XMLStreamException {
    if (earlier != null) {
      throw new IllegalArgumentException("the " + part + " of a Transaction occurs twice.");
    }
    return Values.text(in);
  }

  /** Returns the element, in the scope of the header's prefix. All characters are ASCII. */
  String element() {
    String second = coordinator == null ? "" : "<ur:" + COORDINATOR + ">" + coordinator + "</ur:" + COORDINATOR + ">";
    return "<ur:" + NAME + "><ur:" + ID + ">" + id + "</ur:" + ID + ">" + second + "</ur:" + NAME + ">";
  }
}
