package org.understudy.soap.xml;

/** Text as it stands in a document. */
public final class XmlText {
  private XmlText() {}

  /** Text for element content or a double-quoted attribute. What XML 1.0 cannot hold becomes a question mark. */
  public static String escape(String text) {
    StringBuilder escaped = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '<' -> escaped.append("&lt;");
        case '>' -> escaped.append("&gt;");
        case '&' -> escaped.append("&amp;");
        case '"' -> escaped.append("&quot;");
        default -> escaped.append(c < ' ' && c != '\t' && c != '\n' && c != '\r' || c >= '\ufffe' ? '?' : c);
      }
    }
    return escaped.toString();
  }
}
