package org.understudy.soap.envelope;

/** The text of an {@code xs:boolean}, which may have white space around it. */
public final class XsBoolean {
  private XsBoolean() {}

  /** @param text null if there is none */
  public static boolean isTrue(String text) {
    if (text == null) {
      return false;
    }
    String value = text.strip();
    return value.equals("1") || value.equals("true");
  }
}
