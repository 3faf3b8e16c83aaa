package org.understudy.wsat;

import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.UUID;
import org.apache.cxf.staxutils.StaxUtils;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** A client of a coordinator, which knows only its HTTP and XML. */
final class WsatClient {
  static final String COOR = "http://docs.oasis-open.org/ws-tx/wscoor/2006/06";
  static final String AT = "http://docs.oasis-open.org/ws-tx/wsat/2006/06";
  static final String WSA = "http://www.w3.org/2005/08/addressing";
  private static final String ARJ = "http://schemas.arjuna.com/ws/2005/10/wsarj";

  private final HttpClient http = HttpClient.newHttpClient();
  private final String base;

  /** @param base the address of the coordinator's web application */
  WsatClient(String base) {
    this.base = base;
  }

  /** A transaction that this client has begun. */
  final class Transaction {
    /** The header block for calls inside the transaction. */
    final Element context;
    private final String completion;
    private final String instance;

    private Transaction(Element context, Element completion) {
      this.context = context;
      this.completion = text(completion, WSA, "Address");
      this.instance = text(completion, ARJ, "InstanceIdentifier");
    }

    HttpResponse<String> commit() throws Exception {
      return end("Commit", instance);
    }

    HttpResponse<String> rollback() throws Exception {
      return end("Rollback", instance);
    }

    /** Ends it by another id than the coordinator has given to this client. */
    HttpResponse<String> end(String how, String id) throws Exception {
      return post(completion, AT + "/" + how, identifier(id), "<m:" + how + " xmlns:m='" + AT + "'/>");
    }

    /** Registers a client that could complete it. */
    HttpResponse<String> register() throws Exception {
      return register("");
    }

    /** As {@link #register()}, with reference parameters that the coordinator would have to send. */
    HttpResponse<String> register(String parameters) throws Exception {
      return WsatClient.this.register(context, parameters);
    }
  }

  /** Asks for a context. */
  HttpResponse<String> create(String headers, String currentContext) throws IOException, InterruptedException {
    return post(
        base + "/ws-c11/ActivationService", COOR + "/CreateCoordinationContext", headers,
        "<m:CreateCoordinationContext xmlns:m='" + COOR + "'><m:Expires>60000</m:Expires>" + currentContext + "<m:CoordinationType>" + AT
            + "</m:CoordinationType></m:CreateCoordinationContext>");
  }

  Transaction begin() throws Exception {
    HttpResponse<String> created = create("", "");
    Element context = element(read(created), COOR, "CoordinationContext");
    return new Transaction(context, element(read(register(context, "")), COOR, "CoordinatorProtocolService"));
  }

  private HttpResponse<String> register(Element context, String parameters) throws IOException, InterruptedException {
    Element registration = element(context, COOR, "RegistrationService");
    return post(
        text(registration, WSA, "Address"), COOR + "/Register", identifier(text(registration, ARJ, "InstanceIdentifier")),
        "<m:Register xmlns:m='" + COOR + "'><m:ProtocolIdentifier>" + AT + "/CompletionRPC</m:ProtocolIdentifier>"
            + "<m:ParticipantProtocolService><a:Address xmlns:a='" + WSA + "'>" + WSA + "/anonymous</a:Address>"
            + "<a:ReferenceParameters xmlns:a='" + WSA + "'>" + parameters + "</a:ReferenceParameters>"
            + "</m:ParticipantProtocolService></m:Register>");
  }

  /** Sends a message and returns the answer with its status. */
  HttpResponse<String> post(String address, String action, String headers, String body) throws IOException, InterruptedException {
    String envelope =
        "<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/' xmlns:a='" + WSA + "'><s:Header><a:To>" + address
            + "</a:To><a:Action>" + action + "</a:Action><a:MessageID>urn:uuid:" + UUID.randomUUID() + "</a:MessageID>"
            + "<a:ReplyTo><a:Address>" + WSA + "/anonymous</a:Address></a:ReplyTo>" + headers + "</s:Header><s:Body>" + body
            + "</s:Body></s:Envelope>";
    return send(address, action, envelope);
  }

  HttpResponse<String> send(String address, String action, String envelope) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(address)).header("Content-Type", "text/xml; charset=utf-8")
            .header("SOAPAction", '"' + action + '"').POST(HttpRequest.BodyPublishers.ofString(envelope)).build();
    return http.send(request, HttpResponse.BodyHandlers.ofString());
  }

  private static String identifier(String instance) {
    return "<i:InstanceIdentifier xmlns:i='" + ARJ + "'>" + instance + "</i:InstanceIdentifier>";
  }

  private static Element read(HttpResponse<String> answer) throws Exception {
    if (answer.statusCode() != 200) {
      throw new IOException("Status " + answer.statusCode() + ": " + answer.body());
    }
    Document document = StaxUtils.read(new StringReader(answer.body()));
    return document.getDocumentElement();
  }

  private static Element element(Element parent, String namespace, String name) {
    Element found = (Element) parent.getElementsByTagNameNS(namespace, name).item(0);
    if (found == null) {
      throw new AssertionError("There is no " + name + " in " + StaxUtils.toString(parent));
    }
    return found;
  }

  private static String text(Element parent, String namespace, String name) {
    return element(parent, namespace, name).getTextContent().strip();
  }
}
