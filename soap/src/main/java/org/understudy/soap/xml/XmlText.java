package org.understudy.soap.xml;

/** Escapes text for documents. */
public final class XmlText {
  private XmlText() {}

  /**
   * Escapes text for element content or a double-quoted attribute. Replaces characters that XML 1.0 forbids by a question
   * mark.
   */
  public static String escape(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (!isPlain(text.charAt(i))) {
        StringBuilder escaped = new StringBuilder(text.length() + 16).append(text, 0, i);
        append(text, i, false, escaped);
        return escaped.toString();
      }
    }
    return text;
  }

  /** Appends escaped text that a parser reads unchanged, including white space in attributes. */
  static void append(String text, boolean inAttribute, StringBuilder to) {
    append(text, 0, inAttribute, to);
  }

  private static void append(String text, int from, boolean inAttribute, StringBuilder to) {
    int plain = from;
    for (int i = from; i < text.length(); i++) {
      char c = text.charAt(i);
      if (isPlain(c)) {
        continue;
      }
      to.append(text, plain, i);
      plain = i + 1;
      switch (c) {
        case '<' -> to.append("&lt;");
        case '>' -> to.append("&gt;");
        case '&' -> to.append("&amp;");
        case '"' -> to.append("&quot;");
        case '\r' -> to.append("&#13;");
        case '\n' -> to.append(inAttribute ? "&#10;" : "\n");
        case '\t' -> to.append(inAttribute ? "&#9;" : "\t");
        default -> to.append('?');
      }
    }
    to.append(text, plain, text.length());
  }

  private static boolean isPlain(char c) {
    return c >= ' ' && c < '\ufffe' && c != '<' && c != '>' && c != '&' && c != '"';
  }
}
