package org.understudy.session.record;

import java.io.ObjectInputFilter;

/**
 * What one attribute may contain when it is read: permitted classes, within limits that bound the time, the memory and the stack that
 * damaged bytes can take. Each reading has a filter of its own, which belongs to the reading thread.
 */
final class ReadFilter implements ObjectInputFilter {
  /**
   * Objects that contain each other. The heaviest of the JDK's collections takes 2.6 kB of stack for each, and a thread of Tomcat has
   * 1 MB, from which the web application calls.
   */
  static final int MAX_DEPTH = 300;

  /** Bytes of one attribute; far above what an update may hold. */
  private static final long MAX_BYTES = 64L << 20;

  private static final long MAX_REFERENCES = 2_000_000;
  private static final long MAX_ARRAY = 32L << 20;

  private final AttributeClasses classes;
  private String reason;

  ReadFilter(AttributeClasses classes) {
    this.classes = classes;
  }

  @Override
  public Status checkInput(FilterInfo info) {
    Class<?> type = info.serialClass();
    if (info.depth() > MAX_DEPTH) {
      reason = tooDeep();
    } else if (info.references() > MAX_REFERENCES) {
      reason = "it has more than " + MAX_REFERENCES + " objects";
    } else if (info.arrayLength() > MAX_ARRAY) {
      reason = "a part of it has " + info.arrayLength() + " elements, and " + MAX_ARRAY + " is the limit";
    } else if (info.streamBytes() > MAX_BYTES) {
      reason = "it has more than " + MAX_BYTES + " bytes";
    } else if (type != null && !classes.allows(type)) {
      reason = "the class " + type.getName() + " is not permitted";
    } else {
      return type == null ? Status.UNDECIDED : Status.ALLOWED;
    }
    return Status.REJECTED;
  }

  /** Why something was rejected, as a part of a sentence; null when nothing was. */
  String reason() {
    return reason;
  }

  static String tooDeep() {
    return "more than " + MAX_DEPTH + " objects contain each other; keep them in a list, beside each other";
  }
}
