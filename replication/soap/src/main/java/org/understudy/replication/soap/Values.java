package org.understudy.replication.soap;

import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;

/** Reads bounded values from a client. Rejects invalid ones with a sentence for the sender. */
final class Values {
  private static final int MAX_TEXT = 512;

  private Values() {}

  static String text(XMLStreamReader2 in) throws XMLStreamException {
    String text = in.getElementText().strip();
    if (text.length() > MAX_TEXT) {
      throw new IllegalArgumentException("a value is longer than " + MAX_TEXT + " characters.");
    }
    return text;
  }

  static long number(XMLStreamReader2 in) throws XMLStreamException {
    long number;
    try {
      number = Long.parseLong(text(in));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("a number is not written in digits, or has too many.", e);
    }
    if (number < 0) {
      throw new IllegalArgumentException("a number is negative.");
    }
    return number;
  }
}
