package org.understudy.lab.attack;

/** The envelopes that attacks send, SOAP 1.1. */
final class Envelopes {
  private Envelopes() {}

  static String envelope(String header, String body) {
    return "<soap:Envelope xmlns:soap=\"http://schemas.xmlsoap.org/soap/envelope/\" "
        + "xmlns:wsa=\"http://www.w3.org/2005/08/addressing\" xmlns:ur=\"urn:understudy:replication:1\">"
        + "<soap:Header>" + header + "</soap:Header><soap:Body>" + body + "</soap:Body></soap:Envelope>";
  }

  static String createCounter(int stateBytes) {
    return envelope(
        "", "<createCounter xmlns=\"http://counter.com\"><stateBytes>" + stateBytes + "</stateBytes></createCounter>");
  }

  static String add(String header, int value) {
    return envelope(header, "<add xmlns=\"http://counter.com\"><value>" + value + "</value></add>");
  }

  static String getValue(String header) {
    return envelope(header, "<getValue xmlns=\"http://counter.com\"/>");
  }

  static String messageId(String id) {
    return "<wsa:MessageID>" + id + "</wsa:MessageID>";
  }

  static String awaitView(long epoch) {
    return envelope(
        "", "<ur:AwaitView><ur:Epoch>" + epoch + "</ur:Epoch><ur:HoldSeconds>60</ur:HoldSeconds></ur:AwaitView>");
  }

  static String openSession(String nonce) {
    return envelope("", "<ur:OpenSession><ur:Nonce>" + nonce + "</ur:Nonce></ur:OpenSession>");
  }

  static String createPullPoint() {
    return envelope("", "<CreatePullPoint xmlns=\"http://docs.oasis-open.org/wsn/b-2\"/>");
  }

  static String addMember(String address) {
    return envelope(
        "",
        "<sg:Add xmlns:sg=\"http://docs.oasis-open.org/wsrf/sg-2\"><sg:MemberEPR><wsa:Address>" + address
            + "</wsa:Address></sg:MemberEPR><sg:Content/></sg:Add>");
  }

  static String subscribe(String consumer, String filter) {
    return envelope(
        "",
        "<wsnt:Subscribe xmlns:wsnt=\"http://docs.oasis-open.org/wsn/b-2\"><wsnt:ConsumerReference><wsa:Address>" + consumer
            + "</wsa:Address></wsnt:ConsumerReference><wsnt:Filter>" + filter + "</wsnt:Filter></wsnt:Subscribe>");
  }
}
