package org.understudy.soap.envelope;

/**
 * The WS-Addressing 1.0 properties of a request that determine the answer. Immutable.
 *
 * @param used whether the request has any of WS-Addressing's header blocks; then its answer has them too
 * @param messageId {@code wsa:MessageID}; null for none
 * @param reply the destination of a result
 * @param fault the destination of a fault
 * @param invalid the error in the header blocks; null for none
 * @param action {@code wsa:Action}; null for none
 */
public record MessageProperties(
    boolean used, String messageId, ReplyEndpoint reply, ReplyEndpoint fault, SoapFault invalid, String action) {
  /** Those of a request without WS-Addressing. */
  public static final MessageProperties UNUSED =
      new MessageProperties(false, null, ReplyEndpoint.ANONYMOUS, ReplyEndpoint.ANONYMOUS, null, null);

  /** Those of a request without {@code wsa:Action} and reference parameters. */
  public MessageProperties(boolean used, String messageId, Target replyTo, Target faultTo, SoapFault invalid) {
    this(used, messageId, new ReplyEndpoint(replyTo, ""), new ReplyEndpoint(faultTo, ""), invalid, null);
  }

  /**
   * Where an answer is wanted.
   *
   * @param parameters its reference parameters as header blocks of the answer (Core, section 3.4); may be empty
   */
  public record ReplyEndpoint(Target target, String parameters) {
    static final ReplyEndpoint ANONYMOUS = new ReplyEndpoint(Target.ANONYMOUS, "");
  }

  /** The destination of a result. */
  public Target replyTo() {
    return reply.target();
  }

  /** The destination of a fault. */
  public Target faultTo() {
    return fault.target();
  }

  /** Where an answer is wanted (Core, section 2.1). */
  public enum Target {
    /** In the HTTP response. */
    ANONYMOUS,
    /** Nowhere. */
    NONE,
    /** At an address of its own: replies do not go there, because any client could make this server call it. */
    ELSEWHERE
  }

  /**
   * Checks that the request can be answered. What has no answer may name any address: nothing is sent there.
   *
   * @param oneWay whether the operation has no result
   * @throws SoapFault {@code wsa:InvalidAddressingHeader} (SOAP Binding, section 6.4.1)
   */
  public void check(boolean oneWay) throws SoapFault {
    if (invalid != null) {
      throw invalid;
    }
    if (!oneWay && (replyTo() == Target.ELSEWHERE || faultTo() == Target.ELSEWHERE)) {
      String header = replyTo() == Target.ELSEWHERE ? "ReplyTo" : "FaultTo";
      throw SoapFault.invalidAddressing(
          "OnlyAnonymousAddressSupported", header,
          "Replies are sent in the HTTP response only: omit " + header + ", or set it to anonymous or none.");
    }
  }
}
