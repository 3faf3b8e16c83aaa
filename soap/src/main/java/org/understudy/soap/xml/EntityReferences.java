package org.understudy.soap.xml;

import java.util.List;

/**
 * Detects references to entities, which only a DOCTYPE can declare. Parsers report them in ways that data bindings ignore:
 * a number would become 0.
 */
public final class EntityReferences {
  private static final List<String> PREDEFINED = List.of("&amp;", "&lt;", "&gt;", "&quot;", "&apos;", "&#");

  private EntityReferences() {}

  /** Whether text or an attribute contains one. Scans bytes in UTF-8; a document without an ampersand is fast. */
  public static boolean hasUndeclared(byte[] bytes, int length) {
    int at = 0;
    while (at < length && bytes[at] != '&') {
      at++;
    }
    if (at == length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (bytes[i] == '<') {
        i = markupEnd(bytes, length, i);
      } else if (bytes[i] == '&' && !isPredefined(bytes, length, i)) {
        return true;
      }
    }
    return false;
  }

  /** The last byte of a CDATA section, comment or instruction that begins here; this byte for anything else. */
  private static int markupEnd(byte[] bytes, int length, int at) {
    String end =
        begins(bytes, length, at, "<![CDATA[") ? "]]>"
            : begins(bytes, length, at, "<!--") ? "-->" : begins(bytes, length, at, "<?") ? "?>" : null;
    if (end == null) {
      return at;
    }
    for (int i = at + 2; i < length; i++) {
      if (begins(bytes, length, i, end)) {
        return i + end.length() - 1;
      }
    }
    return length;
  }

  private static boolean isPredefined(byte[] bytes, int length, int at) {
    for (String reference : PREDEFINED) {
      if (begins(bytes, length, at, reference)) {
        return true;
      }
    }
    return false;
  }

  private static boolean begins(byte[] bytes, int length, int at, String text) {
    if (at + text.length() > length) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if (bytes[at + i] != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }
}
