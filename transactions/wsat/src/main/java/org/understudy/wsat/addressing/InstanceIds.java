package org.understudy.wsat.addressing;

import com.arjuna.webservices11.wsarj.ArjunaContext;
import com.arjuna.webservices11.wsarj.InstanceIdentifier;
import jakarta.xml.ws.wsaddressing.W3CEndpointReference;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicReference;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import javax.xml.stream.XMLStreamException;
import javax.xml.transform.stream.StreamSource;
import org.apache.cxf.staxutils.StaxUtils;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/**
 * Makes the ids of this coordinator's endpoints unguessable. Narayana counts them up, so a client could end transactions of others. Each
 * id leaves this server with a message authentication code, and a message that names it without is not processed. Narayana is static, so
 * there is one object at a time for each class loader. Immutable.
 */
public final class InstanceIds {
  private static final AtomicReference<InstanceIds> CURRENT = new AtomicReference<>();
  private static final String NAMESPACE = "http://schemas.arjuna.com/ws/2005/10/wsarj";
  private static final String ELEMENT = "InstanceIdentifier";
  /** Of a message that names an id without its code. Narayana knows none like it. */
  private static final String UNKNOWN = "unknown";
  private static final char SEPARATOR = '.';
  /** Before the transaction to which an id belongs, where it is named. */
  private static final char OF = '@';
  private static final int CODE_BYTES = 16;

  private final SecretKeySpec key;
  private final String path;

  /**
   * @param key the secret of this coordinator, which its restarts keep
   * @param path a part of the addresses of the endpoints whose ids this server gives out in messages
   */
  public InstanceIds(byte[] key, String path) {
    this.key = new SecretKeySpec(key, "HmacSHA256");
    this.path = path;
  }

  /** Makes every outgoing message use this object; null ends that. */
  public static void use(InstanceIds ids) {
    CURRENT.set(ids);
  }

  /** Adds the code to an id that is sent as the place for answers at an address; leaves ids of others as they are. */
  static String sent(String address, String id) {
    InstanceIds ids = CURRENT.get();
    return ids == null || address == null || !address.contains(ids.path) ? id : ids.signed(id);
  }

  /** Adds the code to an id. */
  public String signed(String id) {
    return id + SEPARATOR + HexFormat.of().formatHex(code(id));
  }

  /** Returns the id without its code; null when the code is missing or wrong. */
  public String verified(String signed) {
    int separator = signed == null ? -1 : signed.strip().lastIndexOf(SEPARATOR);
    if (separator < 0) {
      return null;
    }
    String id = signed.strip().substring(0, separator);
    byte[] code = HexFormat.of().formatHex(code(id)).getBytes(StandardCharsets.UTF_8);
    return MessageDigest.isEqual(code, signed.strip().substring(separator + 1).getBytes(StandardCharsets.UTF_8)) ? id : null;
  }

  /**
   * An id of this coordinator.
   *
   * @param id as Narayana has made it
   * @param transaction to which it belongs; null when the message does not name it
   */
  public record Verified(String id, String transaction) {}

  /** Leaves the id as Narayana has made it in a message's context; one that Narayana does not know when the code is missing or wrong. */
  public Verified verify(ArjunaContext context) {
    if (context == null || context.getInstanceIdentifier() == null) {
      return null;
    }
    String whole = verified(context.getInstanceIdentifier().getInstanceIdentifier());
    if (whole == null) {
      context.setInstanceIdentifier(new InstanceIdentifier(UNKNOWN));
      return null;
    }
    int end = whole.indexOf(OF);
    Verified verified = end < 0 ? new Verified(whole, null) : new Verified(whole.substring(0, end), whole.substring(end + 1));
    context.setInstanceIdentifier(new InstanceIdentifier(verified.id));
    return verified;
  }

  /** Adds the code to the id in an endpoint reference of this server. */
  public W3CEndpointReference signed(W3CEndpointReference reference) {
    return signed(reference, "");
  }

  /** As {@link #signed(W3CEndpointReference)}, and adds the transaction to which the id belongs. */
  public W3CEndpointReference signedOf(String transaction, W3CEndpointReference reference) {
    return signed(reference, OF + transaction);
  }

  private W3CEndpointReference signed(W3CEndpointReference reference, String suffix) {
    try {
      Document document = StaxUtils.read(new StringReader(reference.toString()));
      NodeList ids = document.getElementsByTagNameNS(NAMESPACE, ELEMENT);
      for (int i = 0; i < ids.getLength(); i++) {
        ids.item(i).setTextContent(signed(ids.item(i).getTextContent() + suffix));
      }
      return new W3CEndpointReference(new StreamSource(new StringReader(StaxUtils.toString(document))));
    } catch (XMLStreamException e) {
      throw new IllegalStateException("An endpoint reference of this server is not XML.", e);
    }
  }

  private byte[] code(String id) {
    try {
      Mac mac = Mac.getInstance(key.getAlgorithm());
      mac.init(key);
      return Arrays.copyOf(mac.doFinal(id.getBytes(StandardCharsets.UTF_8)), CODE_BYTES);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every Java has HmacSHA256.", e);
    }
  }
}
