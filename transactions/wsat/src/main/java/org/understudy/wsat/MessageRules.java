package org.understudy.wsat;

import java.net.URI;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import org.apache.cxf.ws.addressing.Names;
import org.codehaus.stax2.XMLStreamReader2;
import org.understudy.container.configuration.Configuration;
import org.understudy.container.configuration.OwnServers;
import org.understudy.container.configuration.WsatSettings;
import org.understudy.container.part.MessageCheck;
import org.understudy.notification.delivery.AllowedSinks;
import org.understudy.soap.mime.ContentType;
import org.understudy.soap.xml.HardenedXmlReader;
import org.understudy.soap.xml.XmlLimits;

/**
 * Refuses messages that are not small well-formed XML, or that name an address to which this server must not send. Narayana sends to the
 * addresses that a message names, so without this rule a client could make this server call any host. Thread-safe.
 */
final class MessageRules implements MessageCheck {
  private static final Set<String> NO_ENDPOINT = Set.of(Names.WSA_ANONYMOUS_ADDRESS, Names.WSA_NONE_ADDRESS);

  private final HardenedXmlReader xml = new HardenedXmlReader(XmlLimits.ofRequests());
  private final Predicate<URI> allowed;

  MessageRules(WsatSettings settings, Configuration configuration) {
    Set<String> hosts = new HashSet<>(settings.hosts());
    configuration.allUrls().forEach(url -> hosts.add(url.getHost()));
    this.allowed = OwnServers.of(configuration).without(AllowedSinks.only(hosts));
  }

  @Override
  public String problem(String path, String contentType, byte[] body) {
    String charset = contentType == null ? null : ContentType.of(contentType).parameter("charset");
    if (charset != null && !charset.equalsIgnoreCase("utf-8")) {
      return "The charset of the message must be utf-8.";
    }
    try {
      XMLStreamReader2 in = xml.open(body, 0, body.length, "UTF-8");
      HardenedXmlReader.toRoot(in);
      while (in.hasNext()) {
        int event = in.next();
        // In any namespace: CXF also reads the headers of the drafts of WS-Addressing.
        if (event == XMLStreamConstants.START_ELEMENT && in.getLocalName().equals(Names.WSA_ADDRESS_NAME)) {
          String address = in.getElementText().strip();
          if (!isAllowed(address)) {
            return "The message names the address " + address + ", and this server sends no message of WS-AtomicTransaction to that host. "
                + "Its operator can add the host to understudy.wsat.hosts.";
          }
        }
      }
      return null;
    } catch (XMLStreamException e) {
      return "The message is not XML within the limits of this server: " + HardenedXmlReader.reason(e);
    }
  }

  /** Whether this server may send to an address that a message names. */
  boolean isAllowed(String address) {
    if (NO_ENDPOINT.contains(address)) {
      return true;
    }
    try {
      URI uri = URI.create(address);
      return ("http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme())) && allowed.test(uri);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
