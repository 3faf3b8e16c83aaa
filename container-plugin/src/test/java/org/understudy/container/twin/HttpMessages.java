package org.understudy.container.twin;

import static org.understudy.container.twin.TwinMessage.to;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.understudy.container.Soap;

/** Requests that are unusual as HTTP. */
final class HttpMessages {
  private static final String ECHO = "<t:echo xmlns:t='urn:twin'><text>a</text></t:echo>";

  private HttpMessages() {}

  private static TwinMessage echo(String name) {
    return to("Texts", name).body(ECHO);
  }

  private static TwinMessage get(String name, String target) {
    return to("Texts", name).get(target);
  }

  private static TwinMessage answer(String what) {
    return to("Texts", "service sets " + what).body("<t:http xmlns:t='urn:twin'><what>" + what + "</what></t:http>");
  }

  private static byte[] zipped() {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(all)) {
      out.write(Soap.envelope("", ECHO).getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return all.toByteArray();
  }

  static List<TwinMessage> all() {
    return List.of(
        get("contract", "?wsdl"),
        get("contract in capitals", "?WSDL"),
        get("schema", "?xsd=1"),
        get("unknown schema", "?xsd=none.xsd"),
        get("imported contract", "?wsdl=none.wsdl"),
        get("method: get", ""),
        get("method: get with a query", "?a=b"),
        get("method: get of an operation", "/echo?text=a"),
        get("method: get below the service", "/below"),
        get("contract below the service", "/below?wsdl"),
        to("Rpc", "contract of rpc").get("?wsdl"),
        to("Payload", "contract of a provider").get("?wsdl"),
        to("Addressed", "contract with addressing").get("?wsdl"),
        get("method: head", "").method("HEAD", ""),
        get("head of the contract", "").method("HEAD", "?wsdl"),
        get("method: options", "").method("OPTIONS", ""),
        get("method: delete", "").method("DELETE", ""),
        get("trace", "").method("TRACE", ""),
        echo("method: put").method("PUT", ""),
        echo("method: patch").method("PATCH", ""),
        echo("method: unknown method").method("TWIN", ""),
        echo("post with a query").method("POST", "?tenant=blue&x=%20y"),
        echo("post with a query like a contract").method("POST", "?wsdl"),
        echo("post with a slash").method("POST", "/"),
        echo("post below the service").method("POST", "/below"),
        echo("post with a path parameter").method("POST", ";a=b"),
        echo("post to an unknown service").method("POST", "Other"),
        echo("post with an encoded path").method("POST", "/%41"),
        echo("media type: no Content-Type").with("Content-Type", null),
        echo("media type: Content-Type text/plain").with("Content-Type", "text/plain"),
        echo("Content-Type application/xml").with("Content-Type", "application/xml"),
        echo("Content-Type application/soap+xml").with("Content-Type", "application/soap+xml"),
        echo("media type: Content-Type application/json").with("Content-Type", "application/json"),
        echo("media type: Content-Type of a form").with("Content-Type", "application/x-www-form-urlencoded"),
        echo("Content-Type in capitals").with("Content-Type", "TEXT/XML; CHARSET=utf-8"),
        echo("media type: Content-Type invalid").with("Content-Type", "xml"),
        echo("Content-Type with parameters").with("Content-Type", "text/xml;charset=UTF-8;a=b"),
        echo("no SOAPAction").with("SOAPAction", null),
        echo("SOAPAction without quotes").with("SOAPAction", "urn:any"),
        echo("SOAPAction unknown").action("urn:any"),
        echo("SOAPAction of another operation").action("urn:twin/read"),
        echo("own headers").with("X-Own", "one, two").with("x-lower", "3").with("X-Empty", ""),
        echo("own header in latin 1").with("X-Own", "gr\u00fcn"),
        echo("cookies").with("Cookie", "a=b; JSESSIONID=none; c=\"d\""),
        echo("languages").with("Accept-Language", "de-CH, en;q=0.5"),
        echo("Accept").with("Accept", "application/soap+xml"),
        echo("Accept gzip").with("Accept-Encoding", "gzip, deflate"),
        echo("authorization").with("Authorization", "Basic YW5uOnNlY3JldA=="),
        echo("forwarded by a proxy").with("X-Forwarded-For", "192.0.2.1").with("X-Forwarded-Proto", "https").with("Forwarded",
            "for=192.0.2.1"),
        echo("If-Match").with("If-Match", "\"x\"").with("If-None-Match", "*").with("If-Modified-Since", "Tue, 01 Dec 2026 00:00:00 GMT"),
        echo("Range").with("Range", "bytes=0-10"),
        echo("Expect").with("Expect", "100-continue"),
        echo("Expect unknown").with("Expect", "more"),
        echo("X-HTTP-Method-Override").with("X-HTTP-Method-Override", "GET"),
        echo("chunked").chunked(),
        echo("media type: gzip").whole(zipped()).with("Content-Encoding", "gzip"),
        echo("Content-Encoding identity").with("Content-Encoding", "identity"),
        echo("media type: Content-Encoding unknown").with("Content-Encoding", "x-nothing"),
        echo("Prefer").with("Prefer", "respond-async").with("Via", "1.1 proxy").with("Cache-Control", "no-cache").with("Pragma", "x"),
        answer("header"),
        answer("cookie"),
        answer("servlet header"),
        answer("status"),
        answer("session"));
  }
}
