package org.understudy.client.group;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.understudy.client.transport.Http;

/** The operations of ours that a replica answers at the service's address. */
enum Operation {
  OPEN_SESSION("OpenSession"),
  RENEW_SESSION("RenewSession"),
  CLOSE_SESSION("CloseSession"),
  AWAIT_VIEW("AwaitView");

  private final String action;

  Operation(String name) {
    this.action = "\"urn:understudy:replication:1/" + name + "\"";
  }

  HttpPost post(URI replica, String body) {
    String envelope =
        "<soap:Envelope xmlns:soap=\"http://schemas.xmlsoap.org/soap/envelope/\"><soap:Body>" + body
            + "</soap:Body></soap:Envelope>";
    return Http.post(replica, "text/xml; charset=UTF-8", action, envelope.getBytes(StandardCharsets.UTF_8));
  }
}
