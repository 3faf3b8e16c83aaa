package org.understudy.notification.fault;

import java.time.Instant;
import java.util.List;
import javax.xml.namespace.QName;

/** A declared fault: what was asked for was not done, and nothing has changed. Immutable; without a stack trace. */
public final class NotificationFault extends Exception {
  private static final long serialVersionUID = 1L;

  /** What the fault's own elements say. */
  private final transient Particulars particulars;
  private final FaultType type;

  /**
   * What a fault says beyond its description.
   *
   * @param names the filters or policies at fault; may be empty
   * @param minimumTime the earliest termination time possible; null where the fault has none
   * @param maximumTime the latest one; null when there is no such limit
   */
  public record Particulars(List<QName> names, Instant minimumTime, Instant maximumTime) {
    static final Particulars NONE = new Particulars(List.of(), null, null);
  }

  private NotificationFault(FaultType type, String description, Particulars particulars) {
    super(description, null, false, false);
    this.type = type;
    this.particulars = particulars;
  }

  /**
   * A fault with a description only.
   *
   * @param description for people; becomes {@code wsrf-bf:Description}
   */
  public static NotificationFault of(FaultType type, String description) {
    return new NotificationFault(type, description, Particulars.NONE);
  }

  /** {@link FaultType#INVALID_FILTER}, naming the filter. */
  public static NotificationFault invalidFilter(String description, QName filter) {
    return naming(FaultType.INVALID_FILTER, description, List.of(filter));
  }

  /** A fault that names filters or policies. */
  public static NotificationFault naming(FaultType type, String description, List<QName> names) {
    return new NotificationFault(type, description, new Particulars(List.copyOf(names), null, null));
  }

  /**
   * A fault about a termination time.
   *
   * @param maximumTime null when there is no limit
   */
  public static NotificationFault bounding(
      FaultType type, String description, Instant minimumTime, Instant maximumTime) {
    return new NotificationFault(type, description, new Particulars(List.of(), minimumTime, maximumTime));
  }

  /** Which fault. */
  public FaultType type() {
    return type;
  }

  /** What it says beyond its description. */
  public Particulars particulars() {
    return particulars;
  }
}
