package org.understudy.lab.cluster;

import java.io.IOException;
import java.net.URI;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The address in the endpoint reference of a counter. */
public final class CounterAddress {
  private static final Pattern ADDRESS = Pattern.compile("Address(?: [^>]*)?>\\s*([^<\\s]+)\\s*<");

  private CounterAddress() {}

  /**
   * Finds it.
   *
   * @param text the reference, or an answer that holds it
   * @throws IOException when there is none
   */
  public static URI in(String text) throws IOException {
    Matcher found = ADDRESS.matcher(text);
    if (!found.find()) {
      throw new IOException("No address in: " + text);
    }
    return URI.create(found.group(1));
  }
}
