package org.understudy.wsrf.servicegroup;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.understudy.soap.xml.ElementText;
import org.understudy.soap.xml.Elements;
import org.w3c.dom.Element;

/**
 * One member of the group.
 *
 * @param member the content of its endpoint reference: elements that declare every prefix they use
 * @param content the content of its Content element, in the same form
 */
record Entry(String member, String content) {
  /** The key prefix of entries. */
  static final String KEYS = "entry/";

  static Entry of(Element memberReference, Element content) {
    return new Entry(inner(memberReference), inner(content));
  }

  private static String inner(Element element) {
    StringBuilder text = new StringBuilder(256);
    Elements.children(element).forEach(child -> ElementText.write(child, text));
    return text.toString();
  }

  byte[] bytes() {
    byte[] first = member.getBytes(StandardCharsets.UTF_8);
    byte[] second = content.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(Integer.BYTES + first.length + second.length)
        .putInt(first.length).put(first).put(second).array();
  }

  static Entry read(byte[] kept) {
    int length = ByteBuffer.wrap(kept).getInt();
    return new Entry(
        new String(kept, Integer.BYTES, length, StandardCharsets.UTF_8),
        new String(kept, Integer.BYTES + length, kept.length - Integer.BYTES - length, StandardCharsets.UTF_8));
  }
}
