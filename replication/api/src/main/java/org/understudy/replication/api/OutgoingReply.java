package org.understudy.replication.api;

import org.w3c.dom.Element;

/**
 * What came of an outgoing call.
 *
 * @param messageId of the call, as {@link Outgoing#send} returned it
 * @param tag of the call
 * @param kind what came of it
 * @param body the element in the Body: the result or the fault; null when there is none, as after a one-way call
 * @param reason for people: why there is no result; empty for a result
 */
public record OutgoingReply(String messageId, String tag, Kind kind, Element body, String reason) {
  /** What can come of a call. */
  public enum Kind {
    /** The destination returned a result. */
    RESULT,
    /** The destination returned a SOAP fault. */
    FAULT,
    /** An operator dropped the call. Whether the destination executed it is unknown. */
    DROPPED
  }
}
