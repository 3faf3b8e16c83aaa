package org.understudy.notification.servlet;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The WSDL and the documents it imports. On the class path they name each other by file; as served they name each other by
 * absolute address, since not every client resolves a reference that is only a query.
 */
final class Contract {
  private static final String MAIN = "notification.wsdl";
  private static final List<String> SCHEMAS =
      List.of("b-2.xsd", "bf-2.xsd", "r-2.xsd", "ws-addr.xsd", "notification.xsd");
  private static final String WSDL_ADDRESS = "http://localhost/understudy/notification";

  private final Map<String, byte[]> byQuery = new HashMap<>();

  Contract(URI address) {
    String base = address.toString().replace("&", "&amp;").replace("\"", "&quot;").replace("<", "&lt;");
    byQuery.put("wsdl", served(MAIN, base));
    byQuery.put("wsdl=bw-2.wsdl", served("bw-2.wsdl", base));
    for (String schema : SCHEMAS) {
      byQuery.put("xsd=" + schema, served(schema, base));
    }
  }

  /** The document that a query asks for; null when there is none. */
  byte[] document(String query) {
    return byQuery.get(query == null || query.equals("WSDL") ? "wsdl" : query);
  }

  private static byte[] served(String name, String base) {
    String text = text(name)
        .replace("location=\"" + WSDL_ADDRESS, "location=\"" + base)
        .replace("location=\"bw-2.wsdl\"", "location=\"" + base + "?wsdl=bw-2.wsdl\"");
    for (String schema : SCHEMAS) {
      text = text.replace("schemaLocation=\"" + schema + "\"", "schemaLocation=\"" + base + "?xsd=" + schema + "\"");
    }
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(String name) {
    try (InputStream in = Contract.class.getResourceAsStream("/org/understudy/notification/contract/" + name)) {
      if (in == null) {
        throw new IllegalStateException("The resource " + name + " is missing.");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
