package org.understudy.soap.xml;

/**
 * Limits of XML from outside; exceeding one ends the reading with an error.
 *
 * @param depth nested elements; at least 1
 * @param elements in a document; at least 1
 * @param attributes of an element; at least 1
 * @param attributeChars in one attribute's value; at least 1
 * @param textChars in one run of text; at least 1
 * @param totalChars in a document; at least 1
 */
public record XmlLimits(
    int depth, long elements, int attributes, int attributeChars, int textChars, long totalChars) {
  /** For requests: depth 50, 1,000 elements, 50 attributes of 8,192 characters, 65,536 of text and 1 Mi in all. */
  public static XmlLimits ofRequests() {
    return new XmlLimits(50, 1_000, 50, 8_192, 65_536, 1 << 20);
  }

  /**
   * For messages with application data: depth 100, 100,000 elements, 500 attributes of 65,536 characters.
   *
   * @param messageChars in one run of text, and in all beside 1 Mi for the envelope
   */
  public static XmlLimits ofMessages(int messageChars) {
    return new XmlLimits(100, 100_000, 500, 65_536, messageChars, messageChars + (1L << 20));
  }

  /**
   * For requests to a service, whose bytes are limited and counted: those of CXF, which reads them too, depth 100, 500 attributes of
   * 65,536 characters, and text without limit; and 100,000 elements, because a service may read them as a tree.
   */
  public static XmlLimits ofServices() {
    return new XmlLimits(100, 100_000, 500, 65_536, Integer.MAX_VALUE, Long.MAX_VALUE);
  }

  /** For bytes whose number is limited already: depth 100, 200 attributes of 65,536 characters, and text without limit. */
  public static XmlLimits ofBounded(long elements) {
    return new XmlLimits(100, elements, 200, 65_536, Integer.MAX_VALUE, Long.MAX_VALUE);
  }

  /** For what this application has written, and copies of content that was read within limits before. */
  public static XmlLimits ofCopies() {
    return new XmlLimits(1_000, Long.MAX_VALUE, 10_000, Integer.MAX_VALUE, Integer.MAX_VALUE, Long.MAX_VALUE);
  }
}
