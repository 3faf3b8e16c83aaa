package org.understudy.soap.xml;

/** Text as it stands in a document. */
public final class XmlText {
  private XmlText() {}

  /** Text for element content or a double-quoted attribute. What XML 1.0 cannot hold becomes a question mark. */
  public static String escape(String text) {
    int clean = 0;
    while (clean < text.length() && isPlain(text.charAt(clean))) {
      clean++;
    }
    if (clean == text.length()) {
      return text;
    }
    StringBuilder escaped = new StringBuilder(text.length() + 16).append(text, 0, clean);
    for (int i = clean; i < text.length(); i++) {
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

  private static boolean isPlain(char c) {
    return c >= ' ' && c < '\ufffe' && c != '<' && c != '>' && c != '&' && c != '"';
  }
}
