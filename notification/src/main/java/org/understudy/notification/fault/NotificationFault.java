package org.understudy.notification.fault;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import javax.xml.namespace.QName;
import org.understudy.soap.basefault.BaseFault;
import org.understudy.soap.basefault.DeclaredFault;
import org.understudy.soap.xml.XmlText;

/**
 * A fault that WS-Notification declares: the request changed nothing. {@link #declared} makes the fault that is sent, with
 * its time. Immutable; without a stack trace.
 */
public final class NotificationFault extends Exception {
  private static final long serialVersionUID = 1L;
  /** How long a client may take to retry with the time that the fault suggests. */
  private static final Duration RETRY_WITHIN = Duration.ofMinutes(1);

  /** The content of the fault's own elements. */
  private final transient Particulars particulars;
  private final NotificationFaultType type;

  /**
   * The details of a fault beyond its description.
   *
   * @param names the invalid filters or policies; may be empty
   * @param minimumTime the earliest possible termination time; null where the fault has none
   * @param maximumTime the latest one; null when there is no limit
   */
  public record Particulars(List<QName> names, Instant minimumTime, Instant maximumTime) {
    static final Particulars NONE = new Particulars(List.of(), null, null);
  }

  private NotificationFault(NotificationFaultType type, String description, Particulars particulars) {
    super(description, null, false, false);
    this.type = type;
    this.particulars = particulars;
  }

  /**
   * A fault with a description only.
   *
   * @param description for people; becomes the Description of WS-BaseFaults
   */
  public static NotificationFault of(NotificationFaultType type, String description) {
    return new NotificationFault(type, description, Particulars.NONE);
  }

  /** An {@link NotificationFaultType#INVALID_FILTER} fault that names the filter. */
  public static NotificationFault invalidFilter(String description, QName filter) {
    return naming(NotificationFaultType.INVALID_FILTER, description, List.of(filter));
  }

  /** A fault that names filters or policies. */
  public static NotificationFault naming(NotificationFaultType type, String description, List<QName> names) {
    return new NotificationFault(type, description, new Particulars(List.copyOf(names), null, null));
  }

  /**
   * A fault about a termination time.
   *
   * @param maximumTime null when there is no limit
   */
  public static NotificationFault bounding(
      NotificationFaultType type, String description, Instant minimumTime, Instant maximumTime) {
    return new NotificationFault(type, description, new Particulars(List.of(), minimumTime, maximumTime));
  }

  /** The type of the fault. */
  public NotificationFaultType type() {
    return type;
  }

  /** The details beyond the description. */
  public Particulars particulars() {
    return particulars;
  }

  /**
   * The fault as the answer to an operation, with the content of WS-BaseFaults 1.2, section 2.
   *
   * @param now its Timestamp
   */
  public DeclaredFault declared(Instant now) {
    return BaseFault.of(type, now, getMessage()).extension(names() + times(now)).declared();
  }

  /** The prefix is that of the fault's own element. */
  private String names() {
    String name = switch (type) {
      case INVALID_FILTER -> "UnknownFilter";
      case UNSUPPORTED_POLICY_REQUEST -> "UnsupportedPolicy";
      case UNRECOGNIZED_POLICY_REQUEST -> "UnrecognizedPolicy";
      default -> null;
    };
    StringBuilder elements = new StringBuilder();
    for (QName value : particulars.names()) {
      boolean local = value.getNamespaceURI().isEmpty();
      String namespace = local ? "" : " xmlns:n=\"" + XmlText.escape(value.getNamespaceURI()) + "\"";
      elements.append("<wsnt:").append(name).append(namespace).append('>');
      elements.append(local ? "" : "n:").append(value.getLocalPart()).append("</wsnt:").append(name).append('>');
    }
    return elements.toString();
  }

  private String times(Instant now) {
    StringBuilder elements = new StringBuilder();
    if (type == NotificationFaultType.UNACCEPTABLE_INITIAL_TERMINATION_TIME
        || type == NotificationFaultType.UNACCEPTABLE_TERMINATION_TIME) {
      // The schema requires it, even when the time could not be read.
      elements.append(time("MinimumTime", minimum(now)));
    }
    if (particulars.maximumTime() != null) {
      elements.append(time("MaximumTime", particulars.maximumTime()));
    }
    return elements.toString();
  }

  /** Late enough to be still in the future when the client requests it, and early enough to be granted. */
  private Instant minimum(Instant now) {
    Instant earliest = particulars.minimumTime() == null ? now : particulars.minimumTime();
    Instant usable = earliest.plus(RETRY_WITHIN);
    Instant latest = particulars.maximumTime();
    return latest != null && latest.isBefore(usable) ? latest : usable;
  }

  /** Whole milliseconds, because some clients' parsers accept no finer ones. */
  private static String time(String name, Instant time) {
    return "<wsnt:" + name + ">" + time.truncatedTo(ChronoUnit.MILLIS) + "</wsnt:" + name + ">";
  }
}
