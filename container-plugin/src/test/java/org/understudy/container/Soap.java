package org.understudy.container;

/** Envelopes as text, right and wrong. */
public final class Soap {
  public static final String SOAP11 = "http://schemas.xmlsoap.org/soap/envelope/";
  public static final String SOAP12 = "http://www.w3.org/2003/05/soap-envelope";

  private Soap() {}

  public static String envelope(String headers, String body) {
    return envelope(SOAP11, headers, body);
  }

  public static String envelope(String namespace, String headers, String body) {
    return "<e:Envelope xmlns:e=\"" + namespace + "\"><e:Header>" + headers + "</e:Header><e:Body>" + body
        + "</e:Body></e:Envelope>";
  }

  /** A call of the notebook. */
  public static String notebook(String operation, String text) {
    return "<n:" + operation + " xmlns:n=\"urn:notebook\">" + (text == null ? "" : "<text>" + text + "</text>") + "</n:"
        + operation + ">";
  }

  public static String header(String session, long sequence, int attempt) {
    return header("<Session>" + session + "</Session><Sequence>" + sequence + "</Sequence><AckBelow>1</AckBelow>"
        + "<Attempt>" + attempt + "</Attempt>");
  }

  public static String header(String content) {
    return "<ReplicationHeader xmlns=\"urn:understudy:replication:1\">" + content + "</ReplicationHeader>";
  }

  public static String messageId(String id) {
    return "<a:MessageID xmlns:a=\"http://www.w3.org/2005/08/addressing\">" + id + "</a:MessageID>";
  }
}
