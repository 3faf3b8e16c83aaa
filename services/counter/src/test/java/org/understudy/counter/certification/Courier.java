package org.understudy.counter.certification;

import jakarta.jws.WebMethod;
import jakarta.jws.WebParam;
import jakarta.jws.WebService;
import java.io.StringReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import javax.xml.parsers.DocumentBuilderFactory;
import org.understudy.replication.api.OutgoingCall;
import org.understudy.replication.api.OutgoingReplies;
import org.understudy.replication.api.OutgoingReply;
import org.understudy.replication.api.ResourceHome;
import org.understudy.replication.api.StateCapture;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

/** Sends parcels by its outbox, and counts those that were delivered. */
@WebService(targetNamespace = "urn:courier")
public class Courier implements StateCapture, OutgoingReplies {
  private final ResourceHome<Courier> home;
  private String log = "";

  public Courier(ResourceHome<Courier> home) {
    this.home = home;
  }

  @WebMethod
  public String send(@WebParam(name = "parcel") String parcel, @WebParam(name = "address") String address) throws Exception {
    Element body =
        DocumentBuilderFactory.newInstance().newDocumentBuilder()
            .parse(new InputSource(new StringReader("<parcel>" + parcel + "</parcel>"))).getDocumentElement();
    log += "s" + parcel + " ";
    return home.outgoing().send(OutgoingCall.to(URI.create(address), "", body).tagged(parcel));
  }

  /** An update, so that it shows what is decided. */
  @WebMethod
  public String log() {
    return log;
  }

  @Override
  public void replied(OutgoingReply reply) {
    log += "d" + reply.tag() + " ";
  }

  @Override
  @WebMethod(exclude = true)
  public byte[] captureState() {
    return log.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  @WebMethod(exclude = true)
  public void restoreState(byte[] state) {
    log = new String(state, StandardCharsets.UTF_8);
  }
}
