package org.understudy.lab.cluster;

/** The envelopes of clients that use HTTP alone, SOAP 1.1. */
public final class Envelopes {
  private Envelopes() {}

  public static String envelope(String header, String body) {
    return "<soap:Envelope xmlns:soap=\"http://schemas.xmlsoap.org/soap/envelope/\" "
        + "xmlns:wsa=\"http://www.w3.org/2005/08/addressing\" xmlns:ur=\"urn:understudy:replication:1\">"
        + "<soap:Header>" + header + "</soap:Header><soap:Body>" + body + "</soap:Body></soap:Envelope>";
  }

  public static String createCounter(int stateBytes) {
    return envelope(
        "", "<createCounter xmlns=\"http://counter.com\"><stateBytes>" + stateBytes + "</stateBytes></createCounter>");
  }

  public static String add(String header, int value) {
    return envelope(header, "<add xmlns=\"http://counter.com\"><value>" + value + "</value></add>");
  }

  public static String getValue(String header) {
    return envelope(header, "<getValue xmlns=\"http://counter.com\"/>");
  }

  public static String messageId(String id) {
    return "<wsa:MessageID>" + id + "</wsa:MessageID>";
  }

  public static String awaitView(long epoch) {
    return envelope(
        "", "<ur:AwaitView><ur:Epoch>" + epoch + "</ur:Epoch><ur:HoldSeconds>60</ur:HoldSeconds></ur:AwaitView>");
  }

  public static String openSession(String nonce) {
    return envelope("", "<ur:OpenSession><ur:Nonce>" + nonce + "</ur:Nonce></ur:OpenSession>");
  }

  public static String createPullPoint() {
    return envelope("", "<CreatePullPoint xmlns=\"http://docs.oasis-open.org/wsn/b-2\"/>");
  }

  public static String addMember(String address) {
    return envelope(
        "",
        "<sg:Add xmlns:sg=\"http://docs.oasis-open.org/wsrf/sg-2\"><sg:MemberEPR><wsa:Address>" + address
            + "</wsa:Address></sg:MemberEPR><sg:Content/></sg:Add>");
  }

  public static String subscribe(String consumer, String filter) {
    return envelope(
        "",
        "<wsnt:Subscribe xmlns:wsnt=\"http://docs.oasis-open.org/wsn/b-2\"><wsnt:ConsumerReference><wsa:Address>" + consumer
            + "</wsa:Address></wsnt:ConsumerReference><wsnt:Filter>" + filter + "</wsnt:Filter></wsnt:Subscribe>");
  }
}
