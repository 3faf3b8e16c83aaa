package org.understudy.soap.envelope;

import java.nio.charset.StandardCharsets;

/**
 * Recognises the responses with HTTP status 503 by which Tomcat rejects a request that it has given to no web application. A proxy
 * also sends 503 for a request whose connection broke after a server had received it; such a request may have been executed.
 */
public final class UnavailablePage {
  /** A page of Tomcat's ErrorReportValve in any language. */
  private static final String START = "<!doctype html><html lang=\"";
  private static final String STYLE = "<style type=\"text/css\">body {font-family:Tahoma,Arial,sans-serif;}";
  /** The title is the only text before the style. */
  private static final int MAX_BYTES_BEFORE_STYLE = 500;

  private UnavailablePage() {}

  /**
   * Whether the content of a response with the status 503 is Tomcat's: nothing, by a connector that is being stopped, or the page
   * of the valve for errors, by a web application that is being started or stopped.
   */
  public static boolean isOfTomcat(byte[] content) {
    if (content.length == 0) {
      return true;
    }
    int length = Math.min(content.length, MAX_BYTES_BEFORE_STYLE + STYLE.length());
    String start = new String(content, 0, length, StandardCharsets.ISO_8859_1);
    return start.startsWith(START) && start.contains(STYLE);
  }
}
