package org.understudy.lab.attack;

import java.net.URI;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The address in an answer to createCounter. */
final class CounterAddress {
  private static final Pattern ADDRESS = Pattern.compile("Address(?: [^>]*)?>\\s*([^<\\s]+)\\s*<");

  private CounterAddress() {}

  /** The path of the counter, the same at every replica. */
  static String path(String answer) {
    Matcher found = ADDRESS.matcher(answer);
    if (!found.find()) {
      throw new IllegalStateException("No address in: " + answer);
    }
    return URI.create(found.group(1)).getRawPath();
  }
}
