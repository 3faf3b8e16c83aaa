package org.understudy.wsrf.lifetime;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import javax.xml.namespace.QName;
import org.understudy.wsrf.operation.Endpoint;
import org.understudy.wsrf.property.ResourceDocument;

/** The operations of WS-ResourceLifetime 1.2. */
public final class LifetimeOperations {
  public static final String NAMESPACE = "http://docs.oasis-open.org/wsrf/rl-2";
  static final String ACTIONS = "http://docs.oasis-open.org/wsrf/rlw-2/";

  private LifetimeOperations() {}

  /** Adds both of them. */
  public static void addAll(Endpoint endpoint, ResourceDocument document, Lifetimes lifetimes) {
    endpoint.add(new Destroy(document, lifetimes));
    endpoint.add(new SetTerminationTime(document, lifetimes));
  }

  /** Writes an element with a time; null as nil. */
  static void time(String name, Instant time, StringBuilder to) {
    time(new QName(NAMESPACE, name, "rl"), time, to);
  }

  /** The same under another name, with its prefix. */
  public static void time(QName name, Instant time, StringBuilder to) {
    String tag = name.getPrefix() + ":" + name.getLocalPart();
    to.append('<').append(tag).append(" xmlns:").append(name.getPrefix()).append("=\"");
    to.append(name.getNamespaceURI()).append('"');
    if (time == null) {
      to.append(" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:nil=\"true\"/>");
    } else {
      // Whole milliseconds, because some clients' parsers accept no finer ones.
      to.append('>').append(time.truncatedTo(ChronoUnit.MILLIS)).append("</").append(tag).append('>');
    }
  }
}
