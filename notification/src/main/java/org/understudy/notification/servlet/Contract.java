package org.understudy.notification.servlet;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The WSDL and the documents it imports. On the class path they name each other by file; as served they name each other by
 * absolute address, since not every client resolves a reference that is only a query.
 */
final class Contract {
  private static final String DIRECTORY = "/wsdl/";
  private static final String MAIN = "notification.wsdl";
  private static final String ADDRESS = "http://localhost/understudy/notification";
  private static final Pattern FILE =
      Pattern.compile("(location|schemaLocation)=\"(?:standard/)?([\\w-]+[.](wsdl|xsd))\"");

  private final Map<String, byte[]> byQuery = new HashMap<>();
  private final String base;

  Contract(URI address) {
    base = address.toString().replace("&", "&amp;").replace("\"", "&quot;").replace("<", "&lt;");
    serve("wsdl", MAIN);
  }

  /** The document that a query asks for; null when there is none. */
  byte[] document(String query) {
    return byQuery.get(query == null || query.equals("WSDL") ? "wsdl" : query);
  }

  private void serve(String query, String name) {
    if (byQuery.containsKey(query)) {
      return;
    }
    String text = text(name).replace("location=\"" + ADDRESS, "location=\"" + base);
    Matcher files = FILE.matcher(text);
    byQuery.put(query, files.replaceAll(this::served).getBytes(StandardCharsets.UTF_8));
    files.reset();
    while (files.find()) {
      serve(files.group(3) + "=" + files.group(2), files.group(2));
    }
  }

  private String served(MatchResult file) {
    return Matcher.quoteReplacement(
        file.group(1) + "=\"" + base + "?" + file.group(3) + "=" + file.group(2) + "\"");
  }

  /** A contract of our own, or one of the standards'. */
  private static String text(String name) {
    try (InputStream own = Contract.class.getResourceAsStream(DIRECTORY + name);
        InputStream standard = Contract.class.getResourceAsStream(DIRECTORY + "standard/" + name)) {
      InputStream in = standard == null ? own : standard;
      if (in == null) {
        throw new IllegalStateException("The resource " + DIRECTORY + name + " is missing.");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
