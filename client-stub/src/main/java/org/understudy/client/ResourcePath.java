package org.understudy.client;

import jakarta.xml.ws.EndpointReference;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.xml.transform.dom.DOMResult;
import org.understudy.soap.addressing.Addressing;
import org.understudy.soap.xml.ElementText;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * The WS-Resource that a port addresses: the part after a replica's address in the URL, or instead of its last segment when
 * the resource belongs to another endpoint (for example a subscription, which belongs to the subscription manager beside
 * the service); and the endpoint reference's parameters as SOAP header blocks. Thread-safe.
 */
final class ResourcePath {
  private static final String WSA = Addressing.NAMESPACE;
  /** The service itself. */
  static final ResourcePath SERVICE = new ResourcePath("", null, false, new byte[0]);

  private final String suffix;
  /** In place of a replica's own one; null for that. */
  private final String query;
  private final boolean beside;
  private final byte[] headerBlocks;
  private final Map<URI, URI> addresses = new ConcurrentHashMap<>();

  /** @param beside whether the suffix replaces the address's last segment instead of following it */
  private ResourcePath(String suffix, String query, boolean beside, byte[] headerBlocks) {
    this.suffix = suffix;
    this.query = query;
    this.beside = beside;
    this.headerBlocks = headerBlocks;
  }

  byte[] headerBlocks() {
    return headerBlocks;
  }

  /** The resource's URL at a replica. */
  URI at(URI replica) {
    return suffix.isEmpty() && query == null ? replica : addresses.computeIfAbsent(replica, this::joined);
  }

  private URI joined(URI replica) {
    String base = withoutQuery(replica.toString());
    String asked = query == null ? replica.getRawQuery() : query;
    return URI.create((beside ? directory(base) : base) + suffix + (asked == null ? "" : "?" + asked));
  }

  /**
   * The path and query of an address at any of these replicas; {@link #SERVICE} for a replica's own address, and the path of that for
   * one that belongs to none.
   */
  static ResourcePath of(String address, List<URI> replicas) {
    String suffix = suffix(withoutQuery(address), replicas);
    String query = query(address);
    return (suffix == null || suffix.isEmpty()) && query == null
        ? SERVICE
        : new ResourcePath(suffix == null ? "" : suffix, query, false, new byte[0]);
  }

  static String withoutQuery(String address) {
    int mark = address.indexOf('?');
    return mark < 0 ? address : address.substring(0, mark);
  }

  private static String query(String address) {
    int mark = address.indexOf('?');
    return mark < 0 ? null : address.substring(mark + 1);
  }

  /**
   * Parses an endpoint reference.
   *
   * @throws IllegalArgumentException when its address belongs to none of the replicas' applications
   */
  static ResourcePath of(EndpointReference reference, List<URI> replicas) {
    Element root = document(reference).getDocumentElement();
    String query = query(addressOf(root));
    String address = withoutQuery(addressOf(root));
    String suffix = suffix(address, replicas);
    boolean beside = suffix == null;
    if (beside) {
      suffix = suffixBeside(address, replicas);
    }
    if (suffix == null) {
      throw new IllegalArgumentException("The endpoint reference's address " + address
          + " is neither below nor beside the address of any replica: " + replicas);
    }
    StringBuilder blocks = new StringBuilder();
    Element parameters = child(root, "ReferenceParameters");
    for (Node node = parameters == null ? null : parameters.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element block) {
        block.setAttributeNS("http://www.w3.org/2000/xmlns/", "xmlns:wsa", WSA);
        block.setAttributeNS(WSA, "wsa:IsReferenceParameter", "true");
        ElementText.write(block, blocks);
      }
    }
    return new ResourcePath(suffix, query, beside, blocks.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** The service's address when only an endpoint reference is known: its address without the last segment. */
  static URI serviceOf(EndpointReference reference) {
    String address = withoutQuery(addressOf(document(reference).getDocumentElement()));
    return URI.create(address.substring(0, address.lastIndexOf('/')));
  }

  /** Null when the address is below none. Only paths are compared, because a host may have several names. */
  private static String suffix(String address, List<URI> replicas) {
    for (URI replica : replicas) {
      String base = withoutQuery(replica.toString());
      if (isBelow(address, base)) {
        return withoutSlash(address.substring(base.length()));
      }
    }
    String path = URI.create(address).getRawPath();
    for (URI replica : replicas) {
      if (path != null && isBelow(path, replica.getRawPath())) {
        return withoutSlash(path.substring(replica.getRawPath().length()));
      }
    }
    return null;
  }

  /** A slash at the end also addresses the service. */
  private static String withoutSlash(String suffix) {
    return suffix.equals("/") ? "" : suffix;
  }

  /**
   * The path of an endpoint in the same directory as the service, from its slash on; null when there is none, or it is the
   * root.
   */
  private static String suffixBeside(String address, List<URI> replicas) {
    String path = URI.create(address).getRawPath();
    for (URI replica : replicas) {
      String directory = directory(replica.getRawPath());
      if (path != null && !directory.isEmpty() && path.startsWith(directory + "/")) {
        return path.substring(directory.length());
      }
    }
    return null;
  }

  private static String directory(String path) {
    return path.substring(0, Math.max(0, path.lastIndexOf('/')));
  }

  private static boolean isBelow(String address, String base) {
    return address.startsWith(base) && (address.length() == base.length() || address.charAt(base.length()) == '/');
  }

  private static Document document(EndpointReference reference) {
    DOMResult result = new DOMResult();
    reference.writeTo(result);
    Node node = result.getNode();
    return node instanceof Document document ? document : node.getOwnerDocument();
  }

  private static String addressOf(Element root) {
    Element address = child(root, "Address");
    if (address == null) {
      throw new IllegalArgumentException("The endpoint reference has no address.");
    }
    return address.getTextContent().trim();
  }

  private static Element child(Element parent, String name) {
    for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element element && name.equals(element.getLocalName())
          && WSA.equals(element.getNamespaceURI())) {
        return element;
      }
    }
    return null;
  }
}
