package org.understudy.container.twin;

import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.understudy.container.Soap;

/** A row of the table: one HTTP request to a service. What is not set is that of a plain SOAP 1.1 message. */
final class TwinMessage {
  /** Replaced in headers and the body by one identity for each attempt that is a new request. */
  static final String ID = "{id}";

  private final String name;
  private final String service;
  private final Map<String, String> headers = new LinkedHashMap<>();
  private String method = "POST";
  private String suffix = "";
  private String envelope = Soap.SOAP11;
  private String blocks = "";
  private String content = "";
  private String text;
  private byte[] bytes;
  private Charset charset = StandardCharsets.UTF_8;
  private boolean chunked;
  private boolean awaited;

  private TwinMessage(String service, String name) {
    this.service = service;
    this.name = name;
    headers.put("Content-Type", "text/xml; charset=UTF-8");
    headers.put("SOAPAction", "\"\"");
  }

  /** @param service the simple name of its class */
  static TwinMessage to(String service, String name) {
    return new TwinMessage(service, name);
  }

  /** The content of the Body. */
  TwinMessage body(String xml) {
    content = xml;
    return this;
  }

  /** Header blocks. */
  TwinMessage blocks(String xml) {
    blocks += xml;
    return this;
  }

  /** An identity by which a repetition is recognised. */
  TwinMessage identified() {
    return blocks(Soap.messageId(ID));
  }

  TwinMessage soap12() {
    envelope = Soap.SOAP12;
    return with("SOAPAction", null).with("Content-Type", "application/soap+xml; charset=UTF-8");
  }

  TwinMessage action(String action) {
    return envelope.equals(Soap.SOAP12)
        ? with("Content-Type", "application/soap+xml; charset=UTF-8; action=\"" + action + "\"")
        : with("SOAPAction", '"' + action + '"');
  }

  /** The whole request body as text, instead of an envelope around the content. */
  TwinMessage whole(String xml) {
    text = xml;
    return this;
  }

  TwinMessage whole(byte[] content) {
    bytes = content;
    return this;
  }

  /** The encoding in which the text is sent. */
  TwinMessage in(Charset encoding) {
    charset = encoding;
    return this;
  }

  /** @param value null takes the header away */
  TwinMessage with(String header, String value) {
    if (value == null) {
      headers.remove(header);
    } else {
      headers.put(header, value);
    }
    return this;
  }

  /** @param target what follows the address of the service */
  TwinMessage method(String http, String target) {
    method = http;
    suffix = target;
    return this;
  }

  /** A GET without a body, of what follows the address of the service. */
  TwinMessage get(String target) {
    text = "";
    return with("Content-Type", null).with("SOAPAction", null).method("GET", target);
  }

  TwinMessage chunked() {
    chunked = true;
    return this;
  }

  /** The service gets it, perhaps after the answer: one-way. */
  TwinMessage awaited() {
    awaited = true;
    return this;
  }

  String name() {
    return name;
  }

  String service() {
    return service;
  }

  boolean isAwaited() {
    return awaited;
  }

  /** Whether a repetition is recognised. */
  boolean isIdentified() {
    return blocks.contains(ID);
  }

  /** The request for an address. */
  byte[] request(int port, String path, String id) {
    byte[] body = bytes;
    if (body == null) {
      body = (text == null ? Soap.envelope(envelope, blocks, content) : text).replace(ID, id).getBytes(charset);
    }
    StringBuilder head = new StringBuilder().append(method).append(' ').append(path).append(suffix).append(" HTTP/1.1\r\n");
    head.append("Host: 127.0.0.1:").append(port).append("\r\nConnection: close\r\nUser-Agent: twin/1\r\n");
    headers.forEach((header, value) -> head.append(header).append(": ").append(value.replace(ID, id)).append("\r\n"));
    boolean empty = body.length == 0 && !method.equals("POST") && !method.equals("PUT");
    if (!empty) {
      head.append(chunked ? "Transfer-Encoding: chunked\r\n" : "Content-Length: " + body.length + "\r\n");
    }
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
    if (chunked && body.length > 0) {
      all.writeBytes((Integer.toHexString(body.length).toUpperCase(Locale.ROOT) + "\r\n").getBytes(StandardCharsets.US_ASCII));
      all.writeBytes(body);
      all.writeBytes("\r\n".getBytes(StandardCharsets.US_ASCII));
    } else {
      all.writeBytes(body);
    }
    if (chunked) {
      all.writeBytes("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    }
    return all.toByteArray();
  }

  @Override
  public String toString() {
    return name;
  }
}
